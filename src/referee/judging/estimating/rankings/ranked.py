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
from referee.intervals.area.auc import newcombe
from referee.intervals.area.placements import (
    Placements,
    curve_placements,
    placed_within,
    placements,
    with_groups,
)
from referee.intervals.catalogue import auc_interval
from referee.intervals.measure_interval import MeasureInterval
from referee.intervals.one_set.bootstrap.areas_spread import areas_sd
from referee.intervals.one_set.bootstrap.bootstrap import (
    CASE_LOGIT_T,
    CLUSTER_LOGIT_T,
    STRATIFIED_LOGIT_T,
    logit_t_of,
)
from referee.intervals.one_set.bootstrap.curve_spread import LONG, curve_sd, serves
from referee.intervals.one_set.dependent.serial_n import serial_n
from referee.judging.estimating.rankings.redrawn_areas import redrawn_areas
from referee.measures import (
    AreaMeasure,
    ClassesMeasure,
    Measure,
    RankingMeasure,
    RocCurve,
    roc_curve,
)
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

    @property
    def _n(self) -> int:
        """How many rows the ranking has."""
        return len(self.table.case)

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
        long = self._long_curve
        placed = self._placements() if long is None else curve_placements(long)
        if placed is None:
            return replace(estimate, reason=_no_fit())
        estimate = replace(estimate, value=placed.auc)
        return replace(estimate, interval=auc_interval(placed, self.level, self.interval))

    def ranking(self, measure: RankingMeasure) -> Estimate:
        """Return a measure of the top of the ranking, which only one fit can give."""
        estimate = self._begun(measure)
        if self.fits > 1:
            return replace(estimate, reason=_one_ranking())
        if self._weight is not None and measure.whole_cases:
            return replace(estimate, reason=_WEIGHTED_K)
        curve = self._curve
        estimate = replace(estimate, value=measure.of_curve(curve))
        if not estimate.defined:
            return replace(estimate, reason=_UNDEFINED)
        if self._weight is not None:
            return _without_interval(estimate, "weights")
        if min(curve.n_positive, curve.n_negative) < 2:
            return replace(estimate, reason=_ONE_CASE)
        if self._long_curve is not None and measure.column:
            # How much a measure of a long ranking varies is read off its curve.
            stratify = not measure.of_shares
            sd = curve_sd(curve, measure.column, k=measure.k, stratify=stratify, seed=self.seed)
            return self._between(estimate, sd, measure)
        return self._within(estimate, self._replicates(measure), measure)

    def classes(self, measure: ClassesMeasure) -> Estimate:
        """Return a measure of the rankings of all classes, which only one fit can give."""
        estimate = self._begun(measure)
        if self.fits > 1:
            return replace(estimate, reason=_one_ranking())
        estimate = replace(estimate, value=measure.value(self.table))
        truth = self.table.row_truth
        if not estimate.defined:
            return replace(estimate, reason=_UNDEFINED)
        if self.table.weight is not None or self.table.groups is not None:
            return _without_interval(estimate, "weights or groups")
        if np.bincount(truth).min() < 2:
            return replace(estimate, reason=_ONE_CASE)
        scores = required_scores(self.table)
        if len(truth) >= LONG and measure.apart is not None:
            apart = measure.apart(truth, scores.shape[1])
            return self._between(estimate, areas_sd(truth, scores, apart), measure)
        if measure.apart is not None:
            apart = measure.apart(truth, scores.shape[1])
            drawn = redrawn_areas(truth, scores, apart, self._times(truth))
        else:
            drawn = self._redrawn(truth, lambda rows: measure.of_scores(truth[rows], scores[rows]))
        return self._within(estimate, drawn, measure)

    def _times(self, truth: Codes, rounds: int = 400) -> Codes:
        """Return how often each row comes up in resamples that are drawn class by class."""
        rng = np.random.default_rng(self.seed)
        classes = [np.flatnonzero(truth == c) for c in np.unique(truth)]
        drawn = (np.concatenate([rng.choice(c, len(c)) for c in classes]) for _ in range(rounds))
        return np.array([np.bincount(rows, minlength=len(truth)) for rows in drawn], np.int16)

    @cached_property
    def _curve(self) -> RocCurve:
        """The curve of all rows, sorted once for all measures."""
        return roc_curve(self._hit, self._score, self._weight)

    @property
    def _long_curve(self) -> RocCurve | None:
        """The curve, where it says how much measures vary; None for the short, and for groups."""
        alone = self.table.groups is None and self.table.weight is None
        alone = alone and self.table.moment is None
        if self.fits > 1 or not alone or len(self.table.case) < LONG:
            return None
        return self._curve if serves(self._curve) else None

    @cached_property
    def _hit(self) -> Flags:
        return self._ranking[0]

    @cached_property
    def _score(self) -> Floats:
        return self._ranking[1]

    @cached_property
    def _ranking(self) -> tuple[Flags, Floats]:
        return RankingMeasure.ranking(self.table, self.positive)

    @property
    def _weight(self) -> Floats | None:
        return None if self.table.weight is None else self.table.weight[self.table.case]

    def _placements(self) -> Placements | None:
        hit, score, weight = self._hit, self._score, self._weight
        if self.fits == 1:
            placed = placements(hit, score, weight) if hit.any() and not hit.all() else None
            if placed is None or self.table.groups is None:
                return placed if placed is None else self._in_time(placed)
            return with_groups(placed, hit, self.table.groups[self.table.case])
        # Each case's placement, averaged over the fits that scored it.
        value = self._placed_within_fits()
        scored = ~np.isnan(value)
        if not scored.any():
            return None
        cases, position = np.unique(self.table.case[scored], return_inverse=True)
        mean = np.bincount(position, weights=value[scored]) / np.bincount(position)
        is_hit = self.table.truth[cases] == self.table.classes.index(self.positive)
        # Positives and negatives weigh the fits differently; the mean of both does not depend on
        # which class is called positive.
        weights = self._weights_of(cases, is_hit)
        placed = Placements(mean[is_hit], mean[~is_hit], _SEVERAL_FITS, weights=weights)
        apart = (placed.mirrored.auc - placed.auc) / 2
        placed = replace(
            placed, of_positives=mean[is_hit] + apart, of_negatives=mean[~is_hit] - apart
        )
        if self.table.groups is None:
            in_time = self._in_time(placed, cases)
            return replace(placed, inflation=max(in_time.inflation, _SEVERAL_FITS))
        grouped = with_groups(replace(placed, inflation=1.0), is_hit, self.table.groups[cases])
        return replace(grouped, inflation=grouped.inflation * _SEVERAL_FITS)

    def _placed_within_fits(self) -> Floats:
        """Return the placement of every row among those of its fit; nan where a class lacks."""
        hit, score, weight = self._hit, self._score, self._weight
        if weight is None:
            return placed_within(hit, score, self.table.split)
        order = np.argsort(self.table.split, kind="stable")
        ends = np.flatnonzero(np.diff(self.table.split[order])) + 1
        value = np.full(len(hit), np.nan)
        for rows in np.split(order, ends):
            if hit[rows].any() and not hit[rows].all():
                part = placements(hit[rows], score[rows], weight[rows])
                value[rows[hit[rows]]] = part.of_positives
                value[rows[~hit[rows]]] = part.of_negatives
        return value

    def _in_time(self, placed: Placements, cases: Rows | None = None) -> Placements:
        """Return placements that vary as much as their slow movement in time shows."""
        if self.table.moment is None:
            return placed
        rows = self.table.case if cases is None else cases
        is_hit = self.table.truth[rows] == self.table.classes.index(self.positive)
        influence = np.empty(len(rows))
        influence[is_hit] = (placed.of_positives - placed.of_positives.mean()) / is_hit.sum()
        influence[~is_hit] = (placed.of_negatives - placed.of_negatives.mean()) / (~is_hit).sum()
        worth = serial_n(influence, self.table.moment[rows], level=self.level) / len(rows)
        return replace(placed, inflation=placed.inflation / worth)

    def _weights_of(self, cases: Rows, is_hit: Flags) -> tuple[Floats, Floats] | None:
        if self.table.weight is None:
            return None
        weight = self.table.weight[cases]
        return weight[is_hit], weight[~is_hit]

    def _replicates(self, measure: RankingMeasure) -> Floats:
        """Return the measure in every resample, from the compiled sweep where that knows it."""
        if not measure.column:
            hit, score = self._hit, self._score
            return self._redrawn(
                hit.astype(np.intp),
                lambda rows: measure.of_curve(roc_curve(hit[rows], score[rows])),
            )
        # Compiled loops are imported only where they are used: they cost a second to load.
        from referee.intervals.one_set.bootstrap.ranking import MEASURES

        key = (measure.k if measure.column == "auc_k" else 50, measure.of_shares)
        if key not in self._drawn:
            self._drawn[key] = self._ranked_again(*key)
        return np.asarray(self._drawn[key][:, MEASURES.index(measure.column)])

    @cached_property
    def _drawn(self) -> dict[tuple[int, bool], Floats]:
        """Replicates by k and whether the classes' shares are drawn, which measures share."""
        return {}

    def _ranked_again(self, k: int, of_shares: bool) -> Floats:
        """Return replicates; the share of positives is drawn where a measure depends on it."""
        from referee.intervals.one_set.bootstrap.ranking import bootstrap_ranking

        groups = self.table.groups
        return bootstrap_ranking(
            self._hit,
            self._score,
            k=k,
            seed=self.seed,
            groups=None if groups is None else groups[self.table.case],
            stratify=not of_shares,
        )

    def _within(self, estimate: Estimate, drawn: Floats, measure: Measure) -> Estimate:
        """Return the estimate with the interval of its replicates, if they tell."""
        defined = drawn[~np.isnan(drawn)]
        if len(defined) < _ENOUGH * len(drawn):
            return replace(estimate, reason=_NO_VARIATION)
        return self._between(estimate, float(np.std(defined, ddof=1)), measure)

    def _between(self, estimate: Estimate, sd: float, measure: Measure) -> Estimate:
        """Return the estimate with the interval of the standard deviation under resampling."""
        bottom, top = measure.low, measure.widest
        if math.isinf(top):
            return replace(estimate, reason=_NO_RANGE)
        share = float(np.clip((estimate.value - bottom) / top, 0.0, 1.0))
        low, high = self._outer_ends(share, sd / top, measure)
        method = self._method(measure)
        interval = Interval(
            low=min(bottom + top * low, estimate.value),
            high=max(bottom + top * high, estimate.value),
            level=self.level,
            method=method.name,
        )
        return replace(estimate, interval=interval)

    def _outer_ends(self, share: float, sd: float, measure: Measure) -> tuple[float, float]:
        """Return the outer ends of the resampled interval and the score interval of an area.

        Next to 1 few resamples differ from a perfect ranking; there the score interval, at the
        smaller class's number of units for both classes, is the honest one.
        """
        units = self._units
        inflation = self._inflation
        sd *= math.sqrt(inflation)
        worth = float(min(units)) if self.positive is not None else _worth_of_classes(units)
        low, high = logit_t_of(share, sd, worth, self._n, self.level)
        fewest = max(1.0, worth / inflation)
        read = measure.negatives_read(units[0]) if isinstance(measure, RankingMeasure) else fewest
        scored = newcombe(share, fewest, float(np.clip(read, 2.0, max(fewest, 2.0))), self.level)
        return min(low, scored.low), max(high, scored.high)

    @cached_property
    def _inflation(self) -> float:
        """By how much dependence in time raises the variance, as that of the area tells."""
        if self.table.moment is None or self.table.groups is not None or self.positive is None:
            return 1.0
        placed = self._placements()
        return 1.0 if placed is None else placed.inflation

    def _method(self, measure: Measure) -> MeasureInterval:
        if self.table.groups is not None:
            return CLUSTER_LOGIT_T
        drawn = isinstance(measure, RankingMeasure) and measure.of_shares
        return CASE_LOGIT_T if drawn else STRATIFIED_LOGIT_T

    @property
    def _units(self) -> list[int]:
        """How many cases each class has, or groups its cases come from; negatives first."""
        truth = self.table.row_truth
        kind = truth if self.positive is None else self._hit
        if self.table.groups is None and self.table.in_order:
            sizes = np.bincount(kind)
            return [int(size) for size in sizes[sizes > 0]]
        unit = self.table.case if self.table.groups is None else self.table.groups[self.table.case]
        return [len(np.unique(unit[kind == c])) for c in np.unique(kind)]

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


def _worth_of_classes(units: list[int]) -> float:
    """Return the cases of either side of one area that are worth as much as a mean over classes.

    Each of k classes is the positive one once, so a mean of their areas rests on the cases of all
    of them: half of k² / sum(1/m), as many on either side. With two classes that is the harmonic
    mean of their sizes, for both areas are then one.
    """
    return len(units) ** 2 / sum(1 / size for size in units) / 2


def _without_interval(estimate: Estimate, cause: str) -> Estimate:
    return replace(estimate, reason=f"no interval is known for this measure with {cause}")


def _no_fit() -> str:
    ways = f"{arg('by', 'cv')} or {arg('by', 'holdout')}"
    return f"undefined: no fit scored cases of both classes; use {ways}"


def _one_ranking() -> str:
    return (
        "needs one ranking of all cases, and several fits do not share one: the mean over splits, "
        "by which compare judges, has no interval that is known to hold; use "
        f"{arg('by', 'holdout')}"
    )
