"""Discriminants for many label columns at once: matrix products over the axis of columns."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from referee.core.arrays import Codes, Flags, Floats, Rows
from referee.learners.gaussian.coordinates import Coordinates
from referee.learners.gaussian.discriminants import Discriminants, rounding
from referee.learners.gaussian.rule import GaussianRule

__all__ = ["LabelBlock", "linear", "naive", "products", "quadratic"]

_FEW = 12


def products(Z: Floats) -> Floats:
    """Return the products z_i z_j for i <= j, followed by the z_i.

    Examples
    --------
    >>> products(np.array([[2.0, 3.0]])).tolist()
    [[4.0, 6.0, 9.0, 2.0, 3.0]]
    """
    first, second = np.triu_indices(Z.shape[1])
    return np.hstack([Z[:, first] * Z[:, second], Z])


def _squares(Z: Floats) -> Floats:
    return np.hstack([Z**2, Z])


@dataclass(frozen=True, eq=False)
class LabelBlock:
    """Moments of the training rows by class, for a block of B label columns.

    Attributes
    ----------
    rule, coordinates : GaussianRule, Coordinates
    features : array of shape (n, p)
        What is summed: z, [z^2, z] or the `products`, as the rule needs.
    members : tuple of arrays of shape (n, B)
        Ones where a row belongs to the class, for all classes but the last.
    totals : array of shape (k, p + 1, B)
        Sums over all rows, and in the last place the number of rows.
    """

    rule: GaussianRule
    coordinates: Coordinates
    features: Floats
    members: tuple[Floats, ...]
    totals: Floats

    @classmethod
    def of(
        cls, rule: GaussianRule, coordinates: Coordinates, features: Floats, Y: Codes, k: int
    ) -> LabelBlock:
        """Sum over all rows."""
        members = tuple(np.equal(Y, c).astype(float) for c in range(k - 1))
        return cls(rule, coordinates, features, members, _sums(features, members))

    @staticmethod
    def features_of(rule: GaussianRule, Z: Floats) -> Floats:
        """Return what the rule sums."""
        if rule.covariance == "shared":
            return Z
        return products(Z) if rule.covariance == "full" else _squares(Z)

    def trained(self, weights: Floats, test: Rows, *, complement: bool) -> Floats:
        """Return the sums over the training rows, counted as often as they were drawn."""
        if complement:
            return self.totals - _sums(self.features[test], tuple(m[test] for m in self.members))
        weighted = tuple(m * weights[:, None] for m in self.members)
        return _sums(self.features, weighted, weights)

    def discriminants(
        self, sums: Floats, weights: Floats, test: Rows, *, complement: bool
    ) -> Discriminants:
        """Return the discriminants of the test rows, for models trained on the given sums."""
        if self.rule.covariance == "shared":
            return linear(self, sums, self._scatter(weights, test, complement), test)
        ways = {"full": quadratic, "diagonal": naive}
        before = self.totals if complement else sums
        return ways[self.rule.covariance](self, sums, before, test)

    def _scatter(self, weights: Floats, test: Rows, complement: bool) -> Floats:
        """Return the sum of z z' over the training rows."""
        Z = self.coordinates.Z
        if complement:
            return np.asarray(self.coordinates.scatter - Z[test].T @ Z[test])
        return np.asarray((Z * weights[:, None]).T @ Z)


def _sums(features: Floats, members: tuple[Floats, ...], weights: Floats | None = None) -> Floats:
    """Return sums by class; the last class is what the others leave of the whole."""
    n, p = features.shape
    w = np.ones(n) if weights is None else weights
    B = members[0].shape[1]
    out = np.empty((len(members) + 1, p + 1, B))
    whole = np.append(w @ features, w.sum())
    out[-1] = whole[:, None]
    for c, member in enumerate(members):
        np.matmul(features.T, member, out=out[c, :p])
        out[c, p] = member.sum(axis=0)
        out[-1] -= out[c]
    return out


def quadratic(block: LabelBlock, sums: Floats, before: Floats, test: Rows) -> Discriminants:
    """Return discriminants with a covariance for each class."""
    from referee.learners.gaussian.quadratic_kernel import invert_covariances

    rule, coordinates = block.rule, block.coordinates
    k, B = len(sums), sums.shape[2]
    features = block.features[test]
    # A class without rows: any finite numbers serve, since the tolerance says it is unknown.
    counts = np.maximum(sums[:, -1], 1.0)
    terms = np.empty((k, features.shape[1], B))
    constants, condition, size, least = np.empty((4, k, B))
    reach = np.abs(coordinates.Z[test]).max(axis=0)
    # Where the products of the features with themselves stand.
    squares = np.cumsum(np.r_[0, np.arange(len(reach), 1, -1)])
    for c in range(k):
        invert_covariances(
            counts[c],
            sums[c, :-1],
            rule.shrinkage,
            rule.ridge,
            reach,
            before[c, squares],
            terms[c],
            constants[c],
            condition[c],
            size[c],
            least[c],
        )
    constants += rule.log_priors(sums[:, -1])
    unsure = (sums[:, -1] < rule.fewest(len(reach))).any(axis=0)
    if rule.least is not None:
        known = coordinates.least_variance if rule.regular else 1.0
        unsure |= (least * known <= 2 * rule.least).any(axis=0)
    tolerance = rounding(coordinates.amplification * condition.max(axis=0), size.max(axis=0))
    tolerance[unsure] = np.inf
    return Discriminants(_evaluated(features, terms, constants), tolerance)


def _evaluated(features: Floats, terms: Floats, constants: Floats) -> Floats:
    """Return features @ terms + constants; for two classes the difference."""
    if len(terms) == 2:
        terms, constants = terms[1:] - terms[:1], constants[1:] - constants[:1]
    with np.errstate(invalid="ignore", over="ignore"):
        values = np.matmul(features, terms)
        values += constants[:, None, :]
    return np.asarray(values)


def naive(block: LabelBlock, sums: Floats, before: Floats, test: Rows) -> Discriminants:
    """Return discriminants with variances for each class and no covariances."""
    rule, coordinates = block.rule, block.coordinates
    d = len(coordinates.unit)
    counts = np.maximum(sums[:, -1], 1.0)
    mean = sums[:, d : 2 * d] / counts[:, None]
    square = sums[:, :d] / counts[:, None]
    whole = sums.sum(axis=0)
    overall = whole[:d] / whole[-1] - (whole[d : 2 * d] / whole[-1]) ** 2
    variance = smoothed(rule, square - mean**2, overall, coordinates.unit)
    features = block.features[test]
    reach = np.abs(coordinates.Z[test]).max(axis=0)[:, None] + np.abs(mean)
    with np.errstate(divide="ignore", invalid="ignore"):
        inverse = 1.0 / variance
        logs = np.log(variance)
        terms = np.concatenate([-0.5 * inverse, mean * inverse], axis=1)
        constants = -0.5 * (mean**2 * inverse + logs).sum(axis=1) + rule.log_priors(sums[:, -1])
        # A variance is the difference of two numbers of the size of the squares before.
        lost = (np.maximum(before[:, :d] / counts[:, None], overall) * inverse).max(axis=1)
        size = 1.0 + (reach**2 * inverse + np.abs(logs)).sum(axis=1)
    condition = coordinates.amplification * d * lost.max(axis=0)
    tolerance = rounding(condition, size.max(axis=0))
    tolerance[(sums[:, -1] < 1).any(axis=0) | (variance <= 0).any(axis=(0, 1))] = np.inf
    return Discriminants(_evaluated(features, terms, constants), tolerance)


def smoothed(rule: GaussianRule, variance: Floats, overall: Floats, unit: Floats) -> Floats:
    """Return variances after shrinkage and smoothing, which are meant in the original units.

    Parameters
    ----------
    variance, overall : arrays of shape (k, d, B) and (d, B)
        Of the classes and of all training rows, divided by the squared units.
    """
    scale = unit[:, None] ** 2
    mean = (variance * scale).mean(axis=1, keepdims=True)
    added = rule.shrinkage * mean + rule.smoothing * (overall * scale).max(axis=0)
    return np.asarray((1 - rule.shrinkage) * variance + added / scale)


def linear(block: LabelBlock, sums: Floats, scatter: Floats, test: Rows) -> Discriminants:
    """Return discriminants with one covariance for all classes, that of the rows about their means.

    The scatter about the overall mean is the same for all label columns, so it is diagonalised
    once; what a labelling takes from it has a rank of k - 1 and is handled by Woodbury's identity.
    """
    rule, coordinates = block.rule, block.coordinates
    n = sums[:, -1, 0].sum()
    centre = sums[:, :-1, 0].sum(axis=0) / n
    total, axes = np.linalg.eigh(scatter / n - np.outer(centre, centre))
    T = (coordinates.Z[test] - centre) @ axes
    counts = np.maximum(sums[:, -1], 1.0)
    means = np.matmul(axes.T, sums[:, :-1] / counts[:, None] - centre[:, None])
    shares = counts / n
    taken = np.sqrt(shares)[:, None] * means
    with np.errstate(divide="ignore", invalid="ignore"):
        spread = _shrunk_axes(rule, total, taken)
        if len(sums) == 2:
            slopes, rest = _two_class_slopes(means, shares, spread)
        else:
            slopes, rest = _slopes(means, shares, taken, spread)
        slopes /= 1 - rule.shrinkage
        constants = -0.5 * (means * slopes).sum(axis=1) + rule.log_priors(counts)
        largest = np.maximum(spread.max(axis=0), coordinates.largest)
        condition = largest / np.maximum(spread.min(axis=0), 0.0) / rest
        if len(sums) == 2:
            # Of the two slopes only the difference is known, and it is all that is needed.
            slope = slopes[1:]
            constants = -0.5 * ((means[:1] + means[1:]) * slope).sum(axis=1) + np.diff(
                rule.log_priors(counts), axis=0
            )
        else:
            slope = slopes
        # Few columns can afford a bound for each case; outliers then blur no others.
        reach = np.abs(T) if sums.shape[2] < _FEW else np.abs(T).max(axis=0, keepdims=True)
        size = 1.0 + (np.matmul(reach, np.abs(slope)) + np.abs(constants)[:, None]).max(axis=0)
        condition *= np.sqrt(len(total)) * coordinates.amplification
        condition[~_surely_full(rule, block, sums, means, slopes, total, rest)] = np.inf
        tolerance = rounding(condition, size)
        tolerance = tolerance if sums.shape[2] < _FEW else tolerance[0]
        values = np.matmul(T, slope)
        values += constants[:, None, :]
    return Discriminants(values, tolerance)


def _shrunk_axes(rule: GaussianRule, total: Floats, taken: Floats) -> Floats:
    """Return the variances along the axes, of shape (d, B), plus what shrinkage adds."""
    if rule.shrinkage == 0:
        return np.repeat(total[:, None], taken.shape[2], axis=1)
    within = total.sum() - (taken**2).sum(axis=(0, 1))
    added = rule.shrinkage / (1 - rule.shrinkage) * within / len(total)
    return np.asarray(total[:, None] + added)


def _two_class_slopes(means: Floats, shares: Floats, spread: Floats) -> tuple[Floats, Floats]:
    """Return the slope of the difference (in the second place), and what is left of variance 1."""
    between = means[1] - means[0]
    slope = between / spread
    rest = 1.0 - shares[0] * shares[1] * (between * slope).sum(axis=0)
    return np.stack([np.zeros_like(slope), slope / rest]), rest


def _slopes(means: Floats, shares: Floats, taken: Floats, spread: Floats) -> tuple[Floats, Floats]:
    """Return the slopes of all classes, and the smallest part left of variance 1."""
    bent = taken / spread
    inner = np.einsum("idb,jdb->bij", taken, bent)
    inner = np.where(np.isfinite(inner), inner, 0.0)
    values, vectors = np.linalg.eigh(inner)
    left = 1.0 - values
    solved = np.matmul(vectors / left[:, None, :], vectors.transpose(0, 2, 1))
    slopes = np.einsum("jdb,bjk->kdb", bent, solved) / np.sqrt(shares)[:, None]
    return slopes, left.min(axis=1)


def _surely_full(
    rule: GaussianRule,
    block: LabelBlock,
    sums: Floats,
    means: Floats,
    slopes: Floats,
    total: Floats,
    rest: Floats,
) -> Flags:
    """Tell which columns surely have every class and lose no direction to the tolerances."""
    fewest = rule.fewest(len(total))
    sure: Flags = (
        (sums[:, -1] >= fewest).all(axis=0) & (rest > 0) & (total[0] > 0 or not rule.regular)
    )
    if rule.tol is None:
        return sure
    sure &= block.coordinates.least_correlation * total[0] * rest / total[-1] > 4 * rule.tol**2
    if len(sums) == 2:
        return sure
    priors = np.exp(rule.log_priors(np.maximum(sums[:, -1], 1.0)))[:, None]
    root = np.sqrt(priors)
    first = root * (means - (priors * means).sum(axis=0))
    second = root * (slopes - (priors * slopes).sum(axis=0))
    return sure & spans(np.einsum("idb,jdb->bij", first, second), rule.tol, len(total))


def spans(between: Floats, tol: float, d: int) -> Flags:
    """Tell where the class means surely span all the directions they can.

    Parameters
    ----------
    between : array of shape (B, k, k)
        Scalar products of the class means about their mean, in units of the covariance.
    """
    sound = np.asarray(np.isfinite(between).all(axis=(1, 2)))
    values = np.linalg.eigvalsh(np.where(sound[:, None, None], between, 0.0))
    rank = min(values.shape[1] - 1, d)
    return np.asarray(sound & (values[:, -rank] > max(4 * tol**2, 1e-10) * values[:, -1]))
