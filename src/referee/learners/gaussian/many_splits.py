"""Discriminants of one label column in all splits of a plan at once.

Sums over the training rows of every split are one matrix product, splits by rows; what follows is
done for all splits together. The formulas and their bounds on rounding errors are those of
`many_labels.linear` (two classes, one covariance) and `one_labelling` (naive Bayes), where a split
is what a label column is there.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from referee.core.arrays import Codes, Floats, Rows
from referee.core.plan import Plan
from referee.learners.gaussian.coordinates import Coordinates
from referee.learners.gaussian.discriminants import Discriminants, rounding
from referee.learners.gaussian.many_labels import smoothed
from referee.learners.gaussian.one_labelling import Labelling, difference
from referee.learners.gaussian.rule import GaussianRule

__all__ = ["SplitRows", "all_at_once", "discriminants"]

_LARGEST = 1 << 22
"""Numbers in the largest intermediate array; larger plans are done split by split."""


@dataclass(frozen=True, eq=False)
class SplitRows:
    """The rows of some splits of a plan.

    Attributes
    ----------
    weights : array of shape (splits, n)
        How often each row is trained on.
    split, case : arrays
        The split and the row of every test, split after split.
    """

    weights: Floats
    split: Rows
    case: Rows

    @classmethod
    def of(cls, plan: Plan, numbers: list[int], weights: list[Floats]) -> SplitRows:
        """Collect the training weights and the test rows of some splits."""
        tests = [plan.splits[i].test for i in numbers]
        split = np.repeat(np.arange(len(numbers)), [len(test) for test in tests])
        return cls(np.array(weights), split, np.concatenate(tests))


def all_at_once(rule: GaussianRule, plan: Plan, numbers: list[int], k: int, d: int) -> bool:
    """Tell whether one label column is done for all these splits together."""
    plain = rule.covariance == "diagonal" or (
        rule.covariance == "shared" and k == 2 and rule.regular and not rule.weighted
    )
    if not plain or len(numbers) < 2:
        return False
    tests = sum(plan.splits[i].n_test for i in numbers)
    return max(len(numbers) * plan.n, tests * d * k, plan.n * d * d) <= _LARGEST


def discriminants(
    rule: GaussianRule, coordinates: Coordinates, codes: Codes, k: int, rows: SplitRows
) -> Discriminants:
    """Return the discriminants of all tests, with a bound on the rounding error of each."""
    with np.errstate(divide="ignore", invalid="ignore"):
        if rule.covariance == "diagonal":
            return _naive(Labelling.of(rule, coordinates, codes, k), rows)
        return _linear(rule, coordinates, codes, rows)


def _linear(
    rule: GaussianRule, coordinates: Coordinates, codes: Codes, rows: SplitRows
) -> Discriminants:
    Z, W = coordinates.Z, rows.weights
    d = Z.shape[1]
    of_class = [W[:, codes == c] for c in (0, 1)]
    counts = np.stack([w.sum(axis=1) for w in of_class])
    sums = np.stack([w @ Z[codes == c] for c, w in enumerate(of_class)])
    scatter = (W @ (Z[:, :, None] * Z[:, None, :]).reshape(len(Z), -1)).reshape(-1, d, d)
    n = counts.sum(axis=0)
    centre = sums.sum(axis=0) / n[:, None]
    total, axes = np.linalg.eigh(
        scatter / n[:, None, None] - centre[:, :, None] * centre[:, None, :]
    )
    known = np.maximum(counts, 1.0)
    means = np.einsum("ksd,sde->kse", sums / known[:, :, None] - centre, axes)
    shares = known / n
    between = means[1] - means[0]
    slope = between / total
    rest = 1.0 - shares[0] * shares[1] * (between * slope).sum(axis=1)
    slope /= rest[:, None]
    constants = -0.5 * ((means[0] + means[1]) * slope).sum(axis=1)
    constants += np.diff(rule.log_priors(known), axis=0)[0]
    condition = np.maximum(total[:, -1], coordinates.largest) / np.maximum(total[:, 0], 0.0) / rest
    condition *= np.sqrt(d) * coordinates.amplification
    sure = (counts >= rule.fewest(d)).all(axis=0) & (rest > 0) & (total[:, 0] > 0)
    if rule.tol is not None:
        least = coordinates.least_correlation * total[:, 0] * rest / total[:, -1]
        sure &= least > 4 * rule.tol**2
    condition[~sure] = np.inf
    T = np.einsum("td,tde->te", Z[rows.case] - centre[rows.split], axes[rows.split])
    steep = slope[rows.split]
    values = (T * steep).sum(axis=1) + constants[rows.split]
    size = 1.0 + (np.abs(T) * np.abs(steep)).sum(axis=1) + np.abs(constants[rows.split])
    tolerance = rounding(condition[rows.split], size)
    return Discriminants(np.nan_to_num(values)[None, :, None], tolerance[:, None])


def _naive(labelling: Labelling, rows: SplitRows) -> Discriminants:
    rule, coordinates, codes = labelling.rule, labelling.coordinates, labelling.codes
    k, D, W = len(labelling.centres), labelling.D, rows.weights
    of_class = [(W[:, codes == c], D[codes == c]) for c in range(k)]
    counts = np.stack([w.sum(axis=1) for w, _ in of_class])
    sums = np.stack([w @ away for w, away in of_class])
    second = np.stack([w @ away**2 for w, away in of_class])
    unknown = (counts < rule.fewest(D.shape[1])).any(axis=0)
    known = np.maximum(counts, 1.0)[:, :, None]
    shift = sums / known
    means = labelling.centres[:, None] + shift
    n = counts.sum(axis=0)[:, None]
    centre = (counts[:, :, None] * means).sum(axis=0) / n
    within = second / known - shift**2
    overall = (counts[:, :, None] * (within + (means - centre) ** 2)).sum(axis=0) / n
    unit = coordinates.unit
    variance = smoothed(rule, within.transpose(0, 2, 1), overall.T, unit).transpose(0, 2, 1)
    unknown |= variance.min(axis=(0, 2)) <= 0
    variance = np.where(variance > 0, variance, 1.0)
    logs = np.log(variance).sum(axis=2)
    away = coordinates.Z[rows.case] - means[:, rows.split]
    g = -0.5 * ((away**2 / variance[:, rows.split]).sum(axis=2) + logs[:, rows.split])
    g += rule.log_priors(counts)[:, rows.split]
    lost = np.maximum(
        (second / known / variance).max(axis=(0, 2)),
        (coordinates.reach / np.sqrt(variance)).max(axis=(0, 2)),
    )
    growth = coordinates.amplification * len(unit) * np.maximum(lost, 1.0)
    growth[unknown] = np.inf
    spread = np.abs(np.log(variance)).sum(axis=2).max(axis=0)
    size = 1.0 + 2 * np.abs(g.max(axis=0)) + spread[rows.split]
    tolerance = rounding(growth[rows.split], size)
    values = np.nan_to_num(difference(g), posinf=0.0, neginf=0.0)
    return Discriminants(values[:, :, None], tolerance[:, None])
