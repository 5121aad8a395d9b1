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
from functools import partial

import numpy as np

from referee.core.arrays import Codes, Flags, Floats, Label
from referee.core.predictions import Predictions
from referee.core.randomness import Seed
from referee.core.results import Estimate, Interval
from referee.errors import InputError
from referee.intervals.auc import auc_interval
from referee.intervals.delong import Placements, placements, with_groups
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
_UNDEFINED = "undefined: one class has no case"


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
    interval : str
        Interval of the AUC by name, or "auto".
    """

    table: Predictions
    positive: Label | None
    fits: int
    interval: str = "auto"
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
        if self._weight is not None:
            value = roc_curve(self._hit, self._score, self._weight).auc
            return _without_interval(replace(made, value=value), "weights")
        placed = self._placements()
        if placed is None:
            return replace(made, reason=_UNDEFINED)
        made = replace(made, value=placed.auc)
        return replace(made, interval=auc_interval(placed, self.level, self.interval))

    def _placements(self) -> Placements | None:
        hit, score = self._hit, self._score
        if self.fits == 1:
            placed = placements(hit, score) if hit.any() and not hit.all() else None
            if placed is None or self.table.groups is None:
                return placed
            return with_groups(placed, hit, self.table.groups[self.table.case])
        within = [self.table.split == s for s in np.unique(self.table.split)]
        usable = [rows for rows in within if hit[rows].any() and not hit[rows].all()]
        if not usable:
            return None
        # Each case's placement, averaged over the fits that scored it.
        value = np.full(len(hit), np.nan)
        for rows in usable:
            part = placements(hit[rows], score[rows])
            value[np.flatnonzero(rows & hit)] = part.of_positives
            value[np.flatnonzero(rows & ~hit)] = part.of_negatives
        scored = ~np.isnan(value)
        cases, position = np.unique(self.table.case[scored], return_inverse=True)
        mean = np.bincount(position, weights=value[scored]) / np.bincount(position)
        is_hit = self.table.truth[cases] == self.table.classes.index(self.positive)
        placed = Placements(mean[is_hit], mean[~is_hit], inflation=_SEVERAL_FITS)
        if self.table.groups is None:
            return placed
        grouped = with_groups(replace(placed, inflation=1.0), is_hit, self.table.groups[cases])
        return replace(grouped, inflation=grouped.inflation * _SEVERAL_FITS)

    def _early(self, made: Estimate) -> Estimate:
        """Return measures of the top of the ranking, which only one fit can give."""
        if self.fits > 1:
            return replace(made, reason="needs one ranking of all cases; use by='holdout'")
        curve = roc_curve(self._hit, self._score, self._weight)
        value = _form(made.name)(curve)
        made = replace(made, value=value)
        if math.isnan(value):
            return replace(made, reason=_UNDEFINED)
        if self._weight is not None:
            return _without_interval(made, "weights")
        return replace(made, interval=self._resampled(made.name))

    def _resampled(self, name: str) -> Interval:
        # Compiled loops are imported only where they are used: they cost a second to load.
        from referee.intervals.ranking import MEASURES, bootstrap_ranking

        k = int(match[1]) if (match := re.fullmatch(r"auc(\d+)", name)) else 50
        groups = self.table.groups
        drawn = bootstrap_ranking(
            self._hit,
            self._score,
            k=k,
            seed=self.seed,
            groups=None if groups is None else groups[self.table.case],
        )
        column = drawn[:, MEASURES.index("auc_k" if match else name)]
        low, high = np.nanquantile(column, [(1 - self.level) / 2, (1 + self.level) / 2])
        return Interval(
            low=float(low), high=float(high), level=self.level, method="stratified-percentile"
        )

    def _of_all_classes(self, made: Estimate) -> Estimate:
        scores = _required(self.table)
        if scores.ndim == 1:
            raise InputError(
                f"{made.name} needs a score for each of the {len(self.table.classes)} classes; "
                "pass y_score with one column per class"
            )
        if self.fits > 1:
            return replace(made, reason="needs one ranking of all cases; use by='holdout'")
        truth = self.table.truth[self.table.case]
        form = auc_one_against_rest if made.name == "auc_ovr" else auc_one_against_one
        value = form(truth, scores)
        made = replace(made, value=value)
        if math.isnan(value):
            return replace(made, reason=_UNDEFINED)
        if self.table.weight is not None or self.table.groups is not None:
            return _without_interval(made, "weights or groups")
        return replace(made, interval=self._redrawn(form, truth, scores))

    def _redrawn(
        self, form: Callable[..., float], truth: Codes, scores: Floats, rounds: int = 400
    ) -> Interval:
        rng = np.random.default_rng(self.seed)
        classes = [np.flatnonzero(truth == c) for c in np.unique(truth)]
        drawn = []
        for _ in range(rounds):
            rows = np.concatenate([rng.choice(c, len(c)) for c in classes])
            drawn.append(form(truth[rows], scores[rows]))
        low, high = np.quantile(drawn, [(1 - self.level) / 2, (1 + self.level) / 2])
        return Interval(
            low=float(low), high=float(high), level=self.level, method="stratified-percentile"
        )


def _form(name: str) -> Callable[[RocCurve], float]:
    if match := re.fullmatch(r"auc(\d+)", name):
        return partial(auc_k, k=int(match[1]))
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
