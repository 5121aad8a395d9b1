"""CountedRanking: measures of a ranking that was gone through without being held."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from referee.core.results import Estimate
from referee.errors import Refusal
from referee.intervals.area.placements import Placements
from referee.intervals.catalogue import auc_interval
from referee.intervals.one_set.bootstrap.curve_spread import curve_sd, serves
from referee.judging.estimating.rankings.ranked import Ranked
from referee.judging.scored_tally import ScoredTally
from referee.measures import AreaMeasure, ClassesMeasure, Measure, RankingMeasure, RocCurve
from referee.measures.formulas.ranking_sums import RankingSums

__all__ = ["CountedRanking"]

_TOO_FEW = (
    "a class has fewer than 1000 cases, and a table that is not read whole is not resampled; read "
    "it into memory for an interval"
)


@dataclass(frozen=True, kw_only=True, eq=False)
class CountedRanking(Ranked):
    """A ranking known by its sums; values are exact, spreads come from a thinned curve."""

    @property
    def _sums(self) -> RankingSums:
        assert isinstance(self.table, ScoredTally)
        return self.table.ranking

    @cached_property
    def _curve(self) -> RocCurve:
        return self._sums.curve

    @property
    def _units(self) -> list[int]:
        return [self._sums.n_negative, self._sums.n_positive]

    @property
    def _n(self) -> int:
        return self.table.n

    def _begun(self, measure: Measure) -> Estimate:
        return replace(super()._begun(measure), n=self.table.n)

    def area(self, measure: AreaMeasure) -> Estimate:
        """Return the exact area, with the interval of its exact placements."""
        estimate = replace(self._begun(measure), value=self._sums.auc)
        placed = _of_moments(self._sums)
        return replace(estimate, interval=auc_interval(placed, self.level, self.interval))

    def ranking(self, measure: RankingMeasure) -> Estimate:
        """Return a measure of the top of the ranking."""
        if not measure.column:
            raise Refusal(
                f"{measure.name} needs every score, and the table is too long to be read",
                remedy="leave it out, or read the table into memory",
            )
        estimate = replace(self._begun(measure), value=self._value(measure))
        if not serves(self._curve):
            return replace(estimate, reason=_TOO_FEW)
        stratify = not measure.of_shares
        sd = curve_sd(self._curve, measure.column, k=measure.k, stratify=stratify, seed=self.seed)
        return self._between(estimate, sd, measure)

    def classes(self, measure: ClassesMeasure) -> Estimate:
        """Refuse: a stream has one column of scores."""
        raise Refusal(
            f"{measure.name} needs a score for each class", remedy="read the table into memory"
        )

    def _value(self, measure: RankingMeasure) -> float:
        whole = {
            "average_precision": self._sums.average_precision,
            "partial_auc": self._sums.partial_auc,
        }
        return whole.get(measure.column, measure.of_curve(self._curve))


def _of_moments(sums: RankingSums) -> Placements:
    """Return placements with the mean and the variances of those of a ranking.

    Area, variance and intervals depend on nothing else, so two values a class serve.
    """
    centre, counts = sums.auc, (sums.n_positive, sums.n_negative)
    ends, times = [], []
    for variance, m in zip(sums.placement_variances, counts, strict=True):
        away = math.sqrt(variance * (m - 1) / m) if m > 1 else 0.0
        ends.append(np.array([centre - away, centre + away]))
        times.append(np.array([m / 2, m / 2]))
    return Placements(ends[0], ends[1], times=(times[0], times[1]))
