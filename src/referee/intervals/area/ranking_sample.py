"""RankingSample: scores of positives and negatives, and how resamples of them are drawn.

Where several models scored the cases (cross-validation), their scores are pooled as they are. If
the models' scales differ, the pooled curve is a little too low (Forman and Scholz 2010, SIGKDD
Explorations 12), whereas the area that `evaluate` reports compares within fits only. Such cases
are worth n / 1.5 independent ones, as in `judging.ranked`.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import KW_ONLY, dataclass
from functools import cached_property

import numpy as np

from referee.core.arrays import Codes, Flags, Floats
from referee.core.randomness import Seed
from referee.measures.formulas.roc import RocCurve, roc_curve

__all__ = ["RankingSample"]


@dataclass(frozen=True, eq=False)
class RankingSample:
    """Which cases are positive, their scores, and which of them belong together.

    Attributes
    ----------
    positive : array of bool
    scores : array of float
        Larger means more positive.
    units : array of int or None
        The group of each row, or its case where cases were predicted more than once; resamples
        draw whole units. None where every row is a case of its own.
    fits : int
        How many models scored the rows.

    Examples
    --------
    >>> RankingSample(np.array([True, False, True]), np.array([0.9, 0.3, 0.4])).curve.auc
    1.0
    """

    positive: Flags
    scores: Floats
    _: KW_ONLY
    units: Codes | None = None
    fits: int = 1

    @cached_property
    def curve(self) -> RocCurve:
        """The ROC curve, one vertex per distinct score."""
        return roc_curve(self.positive, self.scores)

    @property
    def inflation(self) -> float:
        """By what factor several fits raise variances."""
        return 1.5 if self.fits > 1 else 1.0

    @cached_property
    def sizes(self) -> tuple[float, float]:
        """How many independent positives, and how many negatives, the rows are worth."""
        kinds = (self.positive, ~self.positive)
        p, n = (self._units_among(kind) / self.inflation for kind in kinds)
        return max(1.0, p), max(1.0, n)

    def _units_among(self, rows: Flags) -> int:
        if self.units is None:
            return int(np.count_nonzero(rows))
        return len(np.unique(self.units[rows]))

    def resampled(self, rounds: int, seed: Seed) -> Iterator[RocCurve]:
        """Draw units with replacement and give the curve of each resample.

        Positives and negatives are drawn apart unless a unit holds both; then resamples without
        one of the classes are left out.
        """
        order = np.argsort(-self.scores, kind="stable")
        ranked, hit = self.scores[order], self.positive[order]
        last = np.append(np.flatnonzero(np.diff(ranked)), len(ranked) - 1)
        unit, strata = self._strata
        rng = np.random.default_rng(seed)
        for _ in range(rounds):
            counts = _drawn(rng, strata)[unit][order]
            tp, fp = np.cumsum(counts * hit), np.cumsum(counts * ~hit)
            if tp[-1] and fp[-1]:
                yield RocCurve(
                    np.append(np.inf, ranked[last]),
                    np.append(0.0, tp[last]),
                    np.append(0.0, fp[last]),
                )

    @property
    def _strata(self) -> tuple[Codes, Codes]:
        """The unit of each row, and the stratum each unit is drawn in."""
        if self.units is None:
            return np.arange(len(self.positive)), self.positive.astype(np.intp)
        names, unit = np.unique(self.units, return_inverse=True)
        share = np.bincount(unit, weights=self.positive) / np.bincount(unit)
        pure = bool(np.isin(share, (0.0, 1.0)).all())
        return unit, share.astype(np.intp) if pure else np.zeros(len(names), dtype=np.intp)


def _drawn(rng: np.random.Generator, strata: Codes) -> Codes:
    counts = np.zeros(len(strata), dtype=np.intp)
    for stratum in np.unique(strata):
        rows = np.flatnonzero(strata == stratum)
        counts[rows] = np.bincount(rng.integers(len(rows), size=len(rows)), minlength=len(rows))
    return counts
