"""Discriminants for one label column, split by split, from moments about the class means."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from referee.core.arrays import Codes, Floats, Rows
from referee.learners.gaussian.coordinates import Coordinates
from referee.learners.gaussian.discriminants import Discriminants, rounding
from referee.learners.gaussian.many_labels import smoothed
from referee.learners.gaussian.rule import GaussianRule

__all__ = ["ClassMoments", "Labelling", "difference"]


@dataclass(frozen=True, eq=False)
class ClassMoments:
    """Counts, sums and sums of products by class, about the class means of all rows.

    Attributes
    ----------
    counts, sums : arrays of shape (k,) and (k, d)
    second : array of shape (k, d, d), or (k, d) for diagonal rules
    before : array of shape (k, d)
        Sums of squares before anything was subtracted: the errors are as large as these say.
    """

    counts: Floats
    sums: Floats
    second: Floats
    before: Floats

    def __sub__(self, other: ClassMoments) -> ClassMoments:
        return ClassMoments(
            self.counts - other.counts,
            self.sums - other.sums,
            self.second - other.second,
            self.before,
        )


@dataclass(frozen=True, eq=False)
class Labelling:
    """One column of labels, with what all splits share.

    Attributes
    ----------
    centres : array of shape (k, d)
        The class means of all rows. About them nothing is lost when a fold's share is subtracted.
    D : array of shape (n, d)
        The rows minus the centres of their classes.
    totals : ClassMoments
        Over all rows.
    """

    rule: GaussianRule
    coordinates: Coordinates
    codes: Codes
    centres: Floats
    D: Floats
    totals: ClassMoments

    @classmethod
    def of(cls, rule: GaussianRule, coordinates: Coordinates, codes: Codes, k: int) -> Labelling:
        """Take the moments over all rows."""
        Z = coordinates.Z
        centres = np.zeros((k, Z.shape[1]))
        for c in np.unique(codes):
            centres[c] = Z[codes == c].mean(axis=0)
        D = Z - centres[codes]
        diagonal = rule.covariance == "diagonal"
        totals = _moments(D, codes, np.ones(len(D)), k, diagonal=diagonal)
        return cls(rule, coordinates, codes, centres, D, totals)

    def trained(self, weights: Floats, test: Rows, *, complement: bool) -> ClassMoments:
        """Return the moments of the training rows."""
        k, diagonal = len(self.centres), self.rule.covariance == "diagonal"
        if complement:
            ones = np.ones(len(test))
            return self.totals - _moments(
                self.D[test], self.codes[test], ones, k, diagonal=diagonal
            )
        rows = np.flatnonzero(weights)
        return _moments(self.D[rows], self.codes[rows], weights[rows], k, diagonal=diagonal)

    def discriminants(self, moments: ClassMoments, test: Rows) -> Discriminants:
        """Return the discriminants of the test rows."""
        if moments.counts.min() < self.rule.fewest(self.D.shape[1]):
            return _unknown(len(moments.counts), len(test))
        shift = moments.sums / moments.counts[:, None]
        means = self.centres + shift
        Z = self.coordinates.Z[test]
        if self.rule.covariance == "diagonal":
            return self._naive(moments, shift, means, Z)
        return self._whole(moments, shift, means, Z)

    def _whole(
        self, moments: ClassMoments, shift: Floats, means: Floats, Z: Floats
    ) -> Discriminants:
        rule = self.rule
        C = moments.second / moments.counts[:, None, None] - shift[:, :, None] * shift[:, None, :]
        if rule.covariance == "shared":
            C = np.tensordot(rule.pooling(moments.counts), C, 1)[None]
        C = np.stack([rule.regularised(c) for c in C])
        try:
            factor = np.linalg.inv(np.linalg.cholesky(C))
        except np.linalg.LinAlgError:
            return _unknown(len(means), len(Z))
        inverse = np.matmul(factor.transpose(0, 2, 1), factor)
        log_det = -2 * np.log(np.diagonal(factor, axis1=1, axis2=2)).sum(axis=1)
        rotated = np.matmul(Z - means[:, None], factor.transpose(0, 2, 1))
        g = -0.5 * ((rotated**2).sum(axis=2) + log_det[:, None])
        g += rule.log_priors(moments.counts[:, None])
        variance = np.diagonal(C, axis1=1, axis2=2)
        lost = (moments.before / moments.counts[:, None] / variance).max()
        lost = max(1.0, lost, self.coordinates.lost(variance))
        growth = float(lost * np.max(_condition(inverse, variance, rule)))
        if rule.least is not None:
            known = self.coordinates.least_variance if rule.regular else 1.0
            least = known / np.sqrt((inverse**2).sum(axis=(1, 2)).max())
            growth = growth if least > 2 * rule.least else np.inf
        # Errors are relative, so a class far behind errs by less than it lags.
        size = 1.0 + 2 * np.abs(g.max(axis=0)) + np.abs(log_det).max()
        return Discriminants(
            difference(g)[:, :, None],
            rounding(self.coordinates.amplification * growth, size)[:, None],
        )

    def _naive(
        self, moments: ClassMoments, shift: Floats, means: Floats, Z: Floats
    ) -> Discriminants:
        counts = moments.counts
        square = moments.second / counts[:, None]
        n = counts.sum()
        # The overall variance from those within the classes and that of the class means.
        centre = counts @ means / n
        within = square - shift**2
        overall = counts @ (within + (means - centre) ** 2) / n
        unit = self.coordinates.unit
        variance = smoothed(self.rule, within[:, :, None], overall[:, None], unit)[:, :, 0]
        if variance.min() <= 0:
            return _unknown(len(counts), len(Z))
        logs = np.log(variance)
        g = -0.5 * (
            ((Z - means[:, None]) ** 2 / variance[:, None]).sum(axis=2) + logs.sum(1)[:, None]
        )
        g += self.rule.log_priors(counts[:, None])
        lost = float((moments.before / counts[:, None] / variance).max())
        lost = max(lost, self.coordinates.lost(variance))
        size = 1.0 + 2 * np.abs(g.max(axis=0)) + np.abs(logs).sum(axis=1).max()
        growth = self.coordinates.amplification * len(unit) * max(lost, 1.0)
        return Discriminants(difference(g)[:, :, None], rounding(growth, size)[:, None])


def _condition(inverse: Floats, variance: Floats, rule: GaussianRule) -> Floats:
    """Return how rounding errors grow: in Cholesky's algorithm, and in the original's."""
    d = inverse.shape[1]
    scaled = np.sqrt((inverse**2 * variance[:, :, None] * variance[:, None, :]).sum(axis=(1, 2)))
    raw = variance.sum(axis=1) * np.sqrt((inverse**2).sum(axis=(1, 2)))
    return np.asarray(d * np.maximum(scaled, raw**rule.raw))


def difference(g: Floats) -> Floats:
    """Return discriminants of shape (k, n), of two classes as the second minus the first."""
    return g[1:] - g[:1] if len(g) == 2 else g


def _unknown(k: int, n: int) -> Discriminants:
    return Discriminants(np.zeros((1 if k == 2 else k, n, 1)), np.full((n, 1), np.inf))


def _moments(D: Floats, codes: Codes, weights: Floats, k: int, *, diagonal: bool) -> ClassMoments:
    d = D.shape[1]
    counts = np.bincount(codes, weights, minlength=k).astype(float)
    sums = np.zeros((k, d))
    second = np.zeros((k, d) if diagonal else (k, d, d))
    for c in np.flatnonzero(counts):
        at = codes == c
        rows, w = D[at], weights[at]
        sums[c] = w @ rows
        second[c] = w @ rows**2 if diagonal else (rows * w[:, None]).T @ rows
    before = second if diagonal else np.diagonal(second, axis1=1, axis2=2)
    return ClassMoments(counts, sums, second, before)
