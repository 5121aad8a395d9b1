"""Measures of the order of scores, each with its interval.

From one fit they are read off all cases at once. From several fits only cases scored by the same
model are compared, because scores of different models need not share a scale; the interval then
counts n / 1.5 cases, as a single pass of cross-validation is worth (docs/methods.md).
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from referee.core.arrays import Codes, Flags, Floats, Label, Rows
from referee.core.predictions import Predictions
from referee.core.randomness import Seed
from referee.core.results import Estimate, Interval
from referee.errors import arg
from referee.intervals.area.area_interval import AreaInterval
from referee.intervals.area.placements import Placements, placements, with_groups
from referee.intervals.catalogue import auc_interval
from referee.intervals.one_set.bootstrap import logit_t
from referee.measures import AreaMeasure, ClassesMeasure, Measure, RankingMeasure, roc_curve
from referee.measures.rankings import required_scores

__all__ = ["Ranked"]

_SEVERAL_FITS = 1.5
_ENOUGH = 0.5
"""Share of the replicates that must be defined for an interval."""

_UNDEFINED = "undefined: one class has no case"
_NO_VARIATION = "resampling shows no variation here; no interval"
_ONE_CASE = "resampling cannot show how much a class with one case varies; no interval"
_NO_RANGE = "no interval is known for a ranking measure without a least and a largest value"
_WEIGHTED_K = "undefined with weights: it counts whole false positives"


@dataclass(frozen=True, kw_only=True, eq=False)
class Ranked:
    """A table of unseen predictions, read as a ranking by score.

    Attributes
    ----------
    table : Predictions
        Rows whose case the model had not seen.
    positive : label or None
        The positive class; None for measures of all classes.
    fits : int
        How many models scored the rows.
    interval : str or AreaInterval
        Interval of the AUC, by name or as an object, or "auto".
    """

    table: Predictions
    positive: Label | None
    fits: int
    interval: str | AreaInterval = "auto"
    level: float = 0.95
    seed: Seed = 0

    def _begun(self, measure: Measure) -> Estimate:
        """Return the estimate that still lacks its value."""
        return Estimate(
            name=measure.name,
            value=math.nan,
            n=len(self.table.cases),
            method="test set" if self.fits == 1 else f"{self.fits} fits",
            greater_is_better=measure.greater_is_better,
        )

    def area(self, measure: AreaMeasure) -> Estimate:
        """Return the area under the ROC curve with an interval from its placements."""
        estimate = self._begun(measure)
        if not self._hit.any() or self._hit.all():
            return replace(estimate, reason=_UNDEFINED)
        placed = self._placements()
        if placed is None:
            return replace(estimate, reason=_no_fit())
        if self._weight is not None:
            return _without_interval(replace(estimate, value=self._weighted_auc()), "weights")
        estimate = replace(estimate, value=placed.auc)
        return replace(estimate, interval=auc_interval(placed, self.level, self.interval))

    def ranking(self, measure: RankingMeasure) -> Estimate:
        """Return a measure of the top of the ranking, which only one fit can give."""
        estimate = self._begun(measure)
        if self.fits > 1:
            return replace(estimate, reason=_one_ranking())
        if self._weight is not None and measure.whole_cases:
            return replace(estimate, reason=_WEIGHTED_K)
        curve = roc_curve(self._hit, self._score, self._weight)
        estimate = replace(estimate, value=measure.of_curve(curve))
        if not estimate.defined:
            return replace(estimate, reason=_UNDEFINED)
        if self._weight is not None:
            return _without_interval(estimate, "weights")
        if min(curve.n_positive, curve.n_negative) < 2:
            return replace(estimate, reason=_ONE_CASE)
        return self._within(estimate, self._replicates(measure), measure)

    def classes(self, measure: ClassesMeasure) -> Estimate:
        """Return a measure of the rankings of all classes, which only one fit can give."""
        estimate = self._begun(measure)
        if self.fits > 1:
            return replace(estimate, reason=_one_ranking())
        estimate = replace(estimate, value=measure.value(self.table))
        truth = self.table.truth[self.table.case]
        if not estimate.defined:
            return replace(estimate, reason=_UNDEFINED)
        if self.table.weight is not None or self.table.groups is not None:
            return _without_interval(estimate, "weights or groups")
        if np.bincount(truth).min() < 2:
            return replace(estimate, reason=_ONE_CASE)
        scores = required_scores(self.table)
        drawn = self._redrawn(truth, lambda rows: measure.of_scores(truth[rows], scores[rows]))
        return self._within(estimate, drawn, measure)

    @cached_property
    def _hit(self) -> Flags:
        return RankingMeasure.ranking(self.table, self.positive)[0]

    @cached_property
    def _score(self) -> Floats:
        return RankingMeasure.ranking(self.table, self.positive)[1]

    @property
    def _weight(self) -> Floats | None:
        return None if self.table.weight is None else self.table.weight[self.table.case]

    def _weighted_auc(self) -> float:
        """Return the weighted mean of the fits' areas, by their weight of either class."""
        assert self._weight is not None
        hit, score, weight = self._hit, self._score, self._weight
        areas, sizes = [], []
        for s in np.unique(self.table.split):
            rows = self.table.split == s
            curve = roc_curve(hit[rows], score[rows], weight[rows])
            if not math.isnan(curve.auc):
                areas.append(curve.auc)
                sizes.append((curve.n_positive, curve.n_negative))
        shares = np.array(sizes) / np.sum(sizes, axis=0)
        return float(np.mean(areas @ shares))

    def _placements(self) -> Placements | None:
        hit, score = self._hit, self._score
        if self.fits == 1:
            placed = placements(hit, score) if hit.any() and not hit.all() else None
            if placed is None or self.table.groups is None:
                return placed
            return with_groups(placed, hit, self.table.groups[self.table.case])
        order = np.argsort(self.table.split, kind="stable")
        ends = np.flatnonzero(np.diff(self.table.split[order])) + 1
        within = np.split(order, ends)
        usable = [rows for rows in within if hit[rows].any() and not hit[rows].all()]
        if not usable:
            return None
        # Each case's placement, averaged over the fits that scored it.
        value = np.full(len(hit), np.nan)
        for rows in usable:
            part = placements(hit[rows], score[rows])
            value[rows[hit[rows]]] = part.of_positives
            value[rows[~hit[rows]]] = part.of_negatives
        scored = ~np.isnan(value)
        cases, position = np.unique(self.table.case[scored], return_inverse=True)
        mean = np.bincount(position, weights=value[scored]) / np.bincount(position)
        is_hit = self.table.truth[cases] == self.table.classes.index(self.positive)
        # Positives and negatives weigh the fits differently; the mean of both does not depend on
        # which class is called positive.
        apart = (mean[~is_hit].mean() - mean[is_hit].mean()) / 2
        placed = Placements(mean[is_hit] + apart, mean[~is_hit] - apart, inflation=_SEVERAL_FITS)
        if self.table.groups is None:
            return placed
        grouped = with_groups(replace(placed, inflation=1.0), is_hit, self.table.groups[cases])
        return replace(grouped, inflation=grouped.inflation * _SEVERAL_FITS)

    def _replicates(self, measure: RankingMeasure) -> Floats:
        """Return the measure in every resample, from the compiled sweep where that knows it."""
        if not measure.column:
            hit, score = self._hit, self._score
            return self._redrawn(
                hit.astype(np.intp),
                lambda rows: measure.of_curve(roc_curve(hit[rows], score[rows])),
            )
        # Compiled loops are imported only where they are used: they cost a second to load.
        from referee.intervals.one_set.ranking import MEASURES

        drawn = self._drawn_once if measure.k == 50 else self._drawn(measure.k)
        return np.asarray(drawn[:, MEASURES.index(measure.column)])

    @cached_property
    def _drawn_once(self) -> Floats:
        """Replicates that all measures share but an AUC-k of another k."""
        return self._drawn(50)

    def _drawn(self, k: int) -> Floats:
        from referee.intervals.one_set.ranking import bootstrap_ranking

        groups = self.table.groups
        return bootstrap_ranking(
            self._hit,
            self._score,
            k=k,
            seed=self.seed,
            groups=None if groups is None else groups[self.table.case],
        )

    def _within(self, estimate: Estimate, drawn: Floats, measure: Measure) -> Estimate:
        """Return the estimate with the logit-t interval of its replicates, if they tell."""
        defined = drawn[~np.isnan(drawn)]
        if len(defined) < _ENOUGH * len(drawn) or np.ptp(defined) == 0:
            return replace(estimate, reason=_NO_VARIATION)
        bottom, top = measure.low, measure.widest
        if math.isinf(top):
            return replace(estimate, reason=_NO_RANGE)
        low, high = logit_t(
            (estimate.value - bottom) / top,
            (defined - bottom) / top,
            self._units,
            len(self.table.case),
            self.level,
        )
        unit = "stratified" if self.table.groups is None else "cluster"
        interval = Interval(
            low=bottom + top * low,
            high=bottom + top * high,
            level=self.level,
            method=f"{unit}-logit-t",
        )
        return replace(estimate, interval=interval)

    @property
    def _units(self) -> int:
        """How many cases the smallest class has, or groups its cases come from."""
        unit = self.table.case if self.table.groups is None else self.table.groups[self.table.case]
        truth = self.table.truth[self.table.case]
        return min(len(np.unique(unit[truth == c])) for c in np.unique(truth))

    def _redrawn(self, truth: Codes, value: Callable[[Rows], float], rounds: int = 400) -> Floats:
        """Return the value of resampled rows: class by class, or in whole groups."""
        rng = np.random.default_rng(self.seed)
        if self.table.groups is not None:
            owner = self.table.groups[self.table.case]
            members = [np.flatnonzero(owner == g) for g in np.unique(owner)]
            drawn = (rng.integers(len(members), size=len(members)) for _ in range(rounds))
            rows = (np.concatenate([members[g] for g in groups]) for groups in drawn)
            return np.array([value(r) if len(np.unique(truth[r])) > 1 else math.nan for r in rows])
        classes = [np.flatnonzero(truth == c) for c in np.unique(truth)]
        return np.array(
            [value(np.concatenate([rng.choice(c, len(c)) for c in classes])) for _ in range(rounds)]
        )


def _without_interval(estimate: Estimate, cause: str) -> Estimate:
    return replace(estimate, reason=f"no interval is known for this measure with {cause}")


def _no_fit() -> str:
    ways = f"{arg('by', 'cv')} or {arg('by', 'holdout')}"
    return f"undefined: no fit scored cases of both classes; use {ways}"


def _one_ranking() -> str:
    return f"needs one ranking of all cases; use {arg('by', 'holdout')}"
