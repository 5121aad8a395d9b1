"""Measures of the order of scores, each with its interval.

From one fit they are read off all cases at once. From several fits only cases scored by the same
model are compared, because scores of different models need not share a scale; the interval then
counts n / 1.5 cases, as a single pass of cross-validation is worth (docs/methods.md).
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property, partial

import numpy as np

from referee.core.arrays import Codes, Flags, Floats, Label
from referee.core.predictions import Predictions
from referee.core.randomness import Seed
from referee.core.results import Estimate, Interval
from referee.errors import InputError
from referee.intervals.area.area_interval import AreaInterval
from referee.intervals.area.placements import Placements, placements, with_groups
from referee.intervals.catalogue import auc_interval
from referee.intervals.one_set.bootstrap import logit_t
from referee.measures import (
    Measure,
    RocCurve,
    auc_k,
    auc_one_against_one,
    auc_one_against_rest,
    average_precision,
    partial_auc,
    roc_curve,
)

__all__ = ["Ranked"]

_SEVERAL_FITS = 1.5
_PARTIAL = 0.1
"""The false positive rate up to which the partial area reaches, and so its largest value."""
_ENOUGH = 0.5
"""Share of the replicates that must be defined for an interval."""

_UNDEFINED = "undefined: one class has no case"
_NO_FIT = "undefined: no fit scored cases of both classes; use by='cv' or by='holdout'"
_NO_VARIATION = "resampling shows no variation here; no interval"
_ONE_CASE = "resampling cannot show how much a class with one case varies; no interval"
_WEIGHTED_K = "undefined with weights: it counts whole false positives"


_FORMS: dict[str, Callable[..., float]] = {
    "auc_ovr": auc_one_against_rest,
    "auc_ovo": auc_one_against_one,
}


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

    def estimate(self, measure: Measure) -> Estimate:
        """Return the measure with its interval, or the reason there is none."""
        made = Estimate(
            name=measure.name,
            value=math.nan,
            n=len(np.unique(self.table.case)),
            method="test set" if self.fits == 1 else f"{self.fits} fits",
            greater_is_better=True,
        )
        if measure.name in ("auc_ovr", "auc_ovo"):
            return self._of_all_classes(made)
        if measure.name == "auc":
            return self._auc(made)
        return self._early(made)

    def value(self, measure: Measure) -> float:
        """Return the bare value of the measure over all rows, taken as one ranking."""
        if measure.name in ("auc_ovr", "auc_ovo"):
            return self._value_of_all_classes(measure.name)
        curve = roc_curve(self._hit, self._score, self._weight)
        return curve.auc if measure.name == "auc" else _form(measure.name)(curve)

    @property
    def _hit(self) -> Flags:
        at = self.table.classes.index(self.positive)
        return np.asarray(self.table.truth[self.table.case] == at)

    @property
    def _score(self) -> Floats:
        scores = _required(self.table)
        if scores.ndim == 1:
            return scores
        return np.asarray(scores[:, self.table.classes.index(self.positive)])

    @property
    def _weight(self) -> Floats | None:
        return None if self.table.weight is None else self.table.weight[self.table.case]

    def _auc(self, made: Estimate) -> Estimate:
        if not self._hit.any() or self._hit.all():
            return replace(made, reason=_UNDEFINED)
        placed = self._placements()
        if placed is None:
            return replace(made, reason=_NO_FIT)
        if self._weight is not None:
            return _without_interval(replace(made, value=self._weighted_auc()), "weights")
        made = replace(made, value=placed.auc)
        return replace(made, interval=auc_interval(placed, self.level, self.interval))

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

    def _early(self, made: Estimate) -> Estimate:
        """Return measures of the top of the ranking, which only one fit can give."""
        if self.fits > 1:
            return replace(made, reason="needs one ranking of all cases; use by='holdout'")
        if self._weight is not None and _k(made.name):
            return replace(made, reason=_WEIGHTED_K)
        curve = roc_curve(self._hit, self._score, self._weight)
        value = _form(made.name)(curve)
        made = replace(made, value=value)
        if math.isnan(value):
            return replace(made, reason=_UNDEFINED)
        if self._weight is not None:
            return _without_interval(made, "weights")
        if min(curve.n_positive, curve.n_negative) < 2:
            return replace(made, reason=_ONE_CASE)
        # Compiled loops are imported only where they are used: they cost a second to load.
        from referee.intervals.one_set.ranking import MEASURES

        k = _k(made.name)
        drawn = self._drawn(k) if k and k != 50 else self._drawn_once
        return self._within(made, drawn[:, MEASURES.index("auc_k" if k else made.name)])

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

    def _within(self, made: Estimate, drawn: Floats) -> Estimate:
        """Return the estimate with the logit-t interval of its replicates, if they tell."""
        defined = drawn[~np.isnan(drawn)]
        if len(defined) < _ENOUGH * len(drawn) or np.ptp(defined) == 0:
            return replace(made, reason=_NO_VARIATION)
        top = _PARTIAL if made.name == "partial_auc" else 1.0
        low, high = logit_t(
            made.value / top, defined / top, self._units, len(self.table.case), self.level
        )
        unit = "stratified" if self.table.groups is None else "cluster"
        interval = Interval(
            low=top * low, high=top * high, level=self.level, method=f"{unit}-logit-t"
        )
        return replace(made, interval=interval)

    @property
    def _units(self) -> int:
        """How many cases the smallest class has, or groups its cases come from."""
        unit = self.table.case if self.table.groups is None else self.table.groups[self.table.case]
        truth = self.table.truth[self.table.case]
        return min(len(np.unique(unit[truth == c])) for c in np.unique(truth))

    def _of_all_classes(self, made: Estimate) -> Estimate:
        if self.fits > 1:
            return replace(made, reason="needs one ranking of all cases; use by='holdout'")
        made = replace(made, value=self._value_of_all_classes(made.name))
        truth, scores = self.table.truth[self.table.case], _required(self.table)
        if math.isnan(made.value):
            return replace(made, reason=_UNDEFINED)
        if self.table.weight is not None or self.table.groups is not None:
            return _without_interval(made, "weights or groups")
        if np.bincount(truth).min() < 2:
            return replace(made, reason=_ONE_CASE)
        return self._within(made, self._redrawn(_FORMS[made.name], truth, scores))

    def _value_of_all_classes(self, name: str) -> float:
        scores = _required(self.table)
        if scores.ndim == 1:
            raise InputError(
                f"{name} needs a score for each of the {len(self.table.classes)} classes; "
                "pass y_score with one column per class"
            )
        return _FORMS[name](self.table.truth[self.table.case], scores, self._weight)

    def _redrawn(
        self, form: Callable[..., float], truth: Codes, scores: Floats, rounds: int = 400
    ) -> Floats:
        rng = np.random.default_rng(self.seed)
        classes = [np.flatnonzero(truth == c) for c in np.unique(truth)]
        drawn = []
        for _ in range(rounds):
            rows = np.concatenate([rng.choice(c, len(c)) for c in classes])
            drawn.append(form(truth[rows], scores[rows]))
        return np.array(drawn)


def _k(name: str) -> int:
    """Return the false positives an AUC-k reaches to, 0 for other measures."""
    match = re.fullmatch(r"auc(\d+)", name)
    return int(match[1]) if match else 0


def _form(name: str) -> Callable[[RocCurve], float]:
    if k := _k(name):
        return partial(auc_k, k=k)
    return {"partial_auc": partial_auc, "average_precision": average_precision}[name]


def _required(table: Predictions) -> Floats:
    if table.scores is None:
        raise InputError(
            "this measure needs scores; pass y_score, or a model with predict_proba or "
            "decision_function"
        )
    return table.scores


def _without_interval(made: Estimate, cause: str) -> Estimate:
    return replace(made, reason=f"no interval is known for this measure with {cause}")
