"""Leave-one-out in closed form: what taking one row from its class does to each discriminant."""

from __future__ import annotations

import numpy as np

from referee.core.arrays import Flags, Floats, Rows
from referee.learners.gaussian.discriminants import Discriminants, rounding
from referee.learners.gaussian.many_labels import smoothed, spans
from referee.learners.gaussian.one_labelling import Labelling, difference
from referee.learners.gaussian.rule import GaussianRule

__all__ = ["has_closed_form", "left_out"]

_BLOCK = 1 << 20
"""Numbers in the largest intermediate array."""


def has_closed_form(rule: GaussianRule) -> bool:
    """Tell whether the rule's covariances change by a matrix of rank one (or by features)."""
    return rule.covariance == "diagonal" or (rule.regular and not rule.weighted)


def left_out(labelling: Labelling, rows: Rows) -> Discriminants:
    """Return the discriminants of rows, each for a model trained on all the others.

    With v the row minus its class mean and S the scatter of the class, leaving the row out moves
    the mean by -v / (n_k - 1) and S by -v v' n_k / (n_k - 1); Sherman and Morrison's identity then
    gives the inverse, and the determinant shrinks by 1 - v' S^-1 v n_k / (n_k - 1).

    Returns
    -------
    Discriminants
        Of shape (k, len(rows), 1), or (1, len(rows), 1) for two classes.
    """
    ways = {"full": _quadratic, "shared": _linear, "diagonal": _naive}
    way = ways[labelling.rule.covariance]
    k, d = labelling.centres.shape
    step = max(1, _BLOCK // (k * (d + k)))
    with np.errstate(divide="ignore", invalid="ignore"):
        parts = [way(labelling, rows[at : at + step]) for at in range(0, len(rows), step)]
    g = np.concatenate([p[0] for p in parts], axis=1)
    growth = np.concatenate([p[1] for p in parts]) * labelling.coordinates.amplification
    growth[~np.isfinite(g).all(axis=0)] = np.inf
    g = np.where(np.isfinite(growth), g, 0.0)
    size = np.concatenate([p[2] for p in parts])
    return Discriminants(difference(g)[:, :, None], rounding(growth, size)[:, None])


def _log_priors(labelling: Labelling, rows: Rows) -> Floats:
    counts = np.repeat(labelling.totals.counts[:, None], len(rows), axis=1)
    counts[labelling.codes[rows], np.arange(len(rows))] -= 1
    return labelling.rule.log_priors(counts)


def _factors(C: Floats) -> tuple[Floats, Floats, Floats]:
    """Return the inverse triangles of covariances, log determinants and growth of errors."""
    d = C.shape[1]
    try:
        factor = np.linalg.inv(np.linalg.cholesky(C))
    except np.linalg.LinAlgError:
        unknown = np.full(len(C), np.inf)
        return np.broadcast_to(np.eye(d), C.shape), unknown, unknown
    inverse = np.matmul(factor.transpose(0, 2, 1), factor)
    variance = np.diagonal(C, axis1=1, axis2=2)
    scaled = np.sqrt((inverse**2 * variance[:, :, None] * variance[:, None, :]).sum(axis=(1, 2)))
    log_det = -2 * np.log(np.diagonal(factor, axis1=1, axis2=2)).sum(axis=1)
    return factor, log_det, d * scaled


def _quadratic(labelling: Labelling, rows: Rows) -> tuple[Floats, Floats, Floats]:
    rule, totals, own = labelling.rule, labelling.totals, labelling.codes[rows]
    each = np.arange(len(rows))
    d = labelling.D.shape[1]
    shift = totals.sums / totals.counts[:, None]
    C = totals.second / totals.counts[:, None, None] - shift[:, :, None] * shift[:, None, :]
    if totals.counts.min() < 2:
        return _nothing(len(C), len(rows))
    factor, log_det, condition = _factors(C)
    Z = labelling.coordinates.Z[rows]
    distance = np.stack(
        [
            (((Z - m) @ f.T) ** 2).sum(axis=1)
            for m, f in zip(labelling.centres + shift, factor, strict=True)
        ]
    )
    n = totals.counts[own]
    inside = distance[own, each] / n
    rest = 1 - inside * n / (n - 1)
    log_dets = np.repeat(log_det[:, None], len(rows), axis=1)
    log_dets[own, each] += d * np.log(n / (n - 1)) + np.log(rest)
    distance[own, each] = n**2 / (n - 1) * inside / rest
    g = -0.5 * (distance + log_dets) + _log_priors(labelling, rows)
    size = 1 + 2 * np.abs(g.max(axis=0)) + np.abs(log_dets).max(axis=0)
    lost = labelling.coordinates.lost(np.diagonal(C, axis1=1, axis2=2))
    growth = max(1.0, lost) * condition.max() / rest
    if rule.least is not None:
        least = labelling.coordinates.least_variance / np.sqrt(
            (np.matmul(factor.transpose(0, 2, 1), factor) ** 2).sum(axis=(1, 2)).max()
        )
        growth[~(least * rest > 2 * rule.least)] = np.inf
    growth[(n < 3) | ~(rest > 0)] = np.inf
    return g, growth, size


def _linear(labelling: Labelling, rows: Rows) -> tuple[Floats, Floats, Floats]:
    rule, totals, own = labelling.rule, labelling.totals, labelling.codes[rows]
    each = np.arange(len(rows))
    whole = totals.counts.sum()
    if totals.counts.min() < rule.fewest(labelling.D.shape[1]):
        return _nothing(len(totals.counts), len(rows))
    shift = totals.sums / totals.counts[:, None]
    within = (
        totals.second.sum(axis=0) - np.einsum("k,ki,kj->ij", totals.counts, shift, shift)
    ) / whole
    factor, _, condition = _factors(within[None])
    Z = labelling.coordinates.Z[rows]
    means = labelling.centres + shift
    # Rotated differences to the class means, of shape (rows, k, d).
    P = np.stack([(Z - m) @ factor[0].T for m in means], axis=1)
    v = P[each, own].copy()
    n = totals.counts[own]
    P[each, own] *= (n / (n - 1))[:, None]
    factor_of_v = n / (n - 1) / whole
    rest = 1 - factor_of_v * (v**2).sum(axis=1)
    along = np.einsum("rkd,rd->rk", P, v)
    H = np.matmul(P, P.transpose(0, 2, 1))
    H += (factor_of_v / rest)[:, None, None] * along[:, :, None] * along[:, None, :]
    H *= (whole - 1) / whole
    log_priors = _log_priors(labelling, rows)
    g = -0.5 * np.diagonal(H, axis1=1, axis2=2).T + log_priors
    growth = max(1.0, labelling.coordinates.lost(np.diagonal(within))) * condition[0] / rest
    fewest = rule.fewest(len(within))
    growth[(n <= fewest) | ~(rest > 0)] = np.inf
    if rule.tol is not None:
        growth[~_surely_full(labelling, within, rest, H, np.exp(log_priors).T)] = np.inf
    return g, growth, 1 + 2 * np.abs(g.max(axis=0))


def _surely_full(
    labelling: Labelling, within: Floats, rest: Floats, H: Floats, priors: Floats
) -> Flags:
    tol = labelling.rule.tol
    assert tol is not None
    values = np.linalg.eigvalsh(within)
    known = labelling.coordinates.least_correlation
    sure = known * values[0] * rest / values[-1] > 4 * tol**2
    if H.shape[1] == 2:
        return np.asarray(sure)
    # From scalar products about the row to those about the mean of the class means.
    about = H - np.einsum("rj,rjk->rk", priors, H)[:, None, :]
    about = about - np.einsum("rk,rjk->rj", priors, about)[:, :, None]
    root = np.sqrt(priors)
    between = root[:, :, None] * about * root[:, None, :]
    return np.asarray(sure & spans(between, tol, len(within)))


def _naive(labelling: Labelling, rows: Rows) -> tuple[Floats, Floats, Floats]:
    rule, totals, own = labelling.rule, labelling.totals, labelling.codes[rows]
    d = labelling.D.shape[1]
    each = np.arange(len(rows))
    counts = np.repeat(totals.counts[:, None], len(rows), axis=1)
    sums = np.repeat(totals.sums[:, :, None], len(rows), axis=2)
    second = np.repeat(totals.second[:, :, None], len(rows), axis=2)
    D = labelling.D[rows]
    counts[own, each] -= 1
    sums[own, :, each] -= D
    second[own, :, each] -= D**2
    shift = sums / counts[:, None]
    means = labelling.centres[:, :, None] + shift
    square = second / counts[:, None]
    within = square - shift**2
    n = counts.sum(axis=0)
    shares = (counts / n)[:, None]
    centre = (shares * means).sum(axis=0)
    overall = (shares * (within + (means - centre) ** 2)).sum(axis=0)
    variance = smoothed(rule, within, overall, labelling.coordinates.unit)
    logs = np.log(variance)
    distance = (labelling.coordinates.Z[rows].T - means) ** 2 / variance
    g = -0.5 * (distance + logs).sum(axis=1) + _log_priors(labelling, rows)
    before = totals.second[:, :, None] / counts[:, None]
    lost = np.maximum(1.0, (before / variance).max(axis=(0, 1)))
    reach = labelling.coordinates.reach[:, None]
    lost = np.maximum(lost, (reach / np.sqrt(variance)).max(axis=(0, 1)))
    size = 1 + 2 * np.abs(g.max(axis=0)) + np.abs(logs).sum(axis=1).max(axis=0)
    growth = d * lost
    growth[(counts < 1).any(axis=0) | ~(variance > 0).all(axis=(0, 1))] = np.inf
    return g, growth, size


def _nothing(k: int, n: int) -> tuple[Floats, Floats, Floats]:
    return np.zeros((k, n)), np.full(n, np.inf), np.ones(n)
