"""From Predictions to Estimates: every measure with its interval."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np

from referee.core.arrays import Floats, Label, Rows
from referee.core.plan import Part
from referee.core.predictions import Predictions
from referee.core.randomness import Seed, child
from referee.core.results import Estimate, Interval, Target
from referee.errors import InputError, arg, named
from referee.intervals.area.area_interval import AreaInterval
from referee.intervals.catalogue import (
    RISK_INTERVALS,
    for_areas,
    for_risks,
    risk_interval,
)
from referee.intervals.one_set import bootstrap
from referee.intervals.one_set.matrix import bootstrap_matrix
from referee.intervals.one_set.priors import prior_weighted
from referee.intervals.risk import RiskInterval, RiskSample
from referee.judging.functions import function_estimate
from referee.judging.mean_losses import loss_estimate
from referee.judging.ranked import Ranked
from referee.measures import (
    ERROR,
    AreaMeasure,
    ClassesMeasure,
    Costs,
    Losses,
    LossMeasure,
    MatrixMeasure,
    Measure,
    RankingMeasure,
    RatesMeasure,
    ShareMeasure,
    as_measure,
    confusion,
)

__all__ = ["Measuring"]


_ENOUGH = 1000
"""Fewer defined replicates than this (of 2000) give no interval."""

_FEW_GROUPS = 10
_TOO_FEW_GROUPS = "fewer than ten groups cannot show how much this varies; no interval"
_ONE_CASE = "a class has fewer than two cases, so resampling cannot show its variation; no interval"
_NO_VARIATION = "resampling shows no variation here; read the interval of the error"


@dataclass(frozen=True, kw_only=True)
class Measuring:
    """How to put numbers and intervals on one table of predictions.

    Attributes
    ----------
    predictions : Predictions
        The whole table; only rows whose case the model had not seen are read.
    positive : label or None
        The positive class, where it is known.
    costs : Costs or None
        What a false positive and a false negative cost, for the measure "cost".
    interval : str, RiskInterval or AreaInterval
        Interval of shares (or of the AUC), by name or as an object, or "auto".
    target, target_asked : Target, bool
        What intervals are to be about, and whether that was asked for.
    wanted : tuple of Measure
        What is measured together, so that measures by resampling share their resamples.
    """

    predictions: Predictions
    positive: Label | None = None
    costs: Costs | None = None
    interval: str | RiskInterval | AreaInterval = "auto"
    level: float = 0.95
    target: Target = Target.CONDITIONAL
    target_asked: bool = False
    seed: Seed = 0
    wanted: tuple[Measure, ...] = ()

    def estimates(self, measures: Iterable[Any]) -> dict[str, Estimate]:
        """Return measures with their intervals; those by resampling share their resamples."""
        wanted = tuple(as_measure(measure) for measure in measures)
        together = replace(self, wanted=wanted)
        return {measure.name: together._estimate(measure) for measure in wanted}

    def estimate(self, measure: Any) -> Estimate:
        """Return one measure with its interval."""
        return next(iter(self.estimates([measure]).values()))

    def _estimate(self, measure: Measure) -> Estimate:
        if measure.positive and self.positive is None:
            raise InputError(
                f"{measure.name} needs to know the positive class; pass {named('pos_label')}, one "
                f"of {', '.join(repr(c) for c in self.predictions.classes)}"
            )
        return measure.estimate(self)

    def of_share(self, measure: ShareMeasure) -> Estimate:
        """Return a share of cases with the interval of a risk."""
        estimate = self._valued(measure)
        return self._share(estimate, measure) if estimate.defined else estimate

    def of_matrix(self, measure: MatrixMeasure) -> Estimate:
        """Return a measure of the confusion matrix with the interval of its resamples."""
        estimate = self._valued(measure)
        if not estimate.defined:
            return estimate
        return self._resampled(estimate, self._replicates[measure.name])

    def of_rates(self, measure: RatesMeasure) -> Estimate:
        """Return a sum of the classes' rates with limits from the classes' own exact ones."""
        estimate = self._valued(measure)
        return self._of_rates(estimate, measure) if estimate.defined else estimate

    def of_losses(self, measure: LossMeasure) -> Estimate:
        """Return the mean of one loss per case with its interval."""
        estimate = loss_estimate(
            measure,
            self.predictions.unseen,
            positive=self.positive,
            costs=self.costs,
            fits=self._fits,
            worth=self._drawn,
            level=self.level,
        )
        return self._aimed(estimate)

    def of_area(self, measure: AreaMeasure) -> Estimate:
        """Return the area under the ROC curve with the interval of its placements."""
        return self._aimed(self._ranked.area(measure))

    def of_ranking(self, measure: RankingMeasure) -> Estimate:
        """Return a measure of one class's ranking with the interval of its resamples."""
        return self._aimed(self._ranked.ranking(measure))

    def of_classes(self, measure: ClassesMeasure) -> Estimate:
        """Return a measure of all classes' rankings with the interval of its resamples."""
        return self._aimed(self._ranked.classes(measure))

    def of_function(self, measure: Measure) -> Estimate:
        """Return any function of the cases with its bootstrap interval."""
        return function_estimate(
            measure,
            self.predictions.unseen,
            positive=self.positive,
            costs=self.costs,
            fits=self._fits,
            level=self.level,
            seed=child(self.seed, 9),
            form=bootstrap.RESAMPLED.get(str(self.interval), bootstrap.bca),
        )

    def _valued(self, measure: Measure) -> Estimate:
        """Return the value of a measure of the confusion matrix, or why it has none."""
        estimate = Estimate(
            name=measure.name,
            value=float(self._form(measure)(self._matrix)),
            n=self.predictions.situation.n,
            method=self._how,
            greater_is_better=measure.greater_is_better,
        )
        if estimate.defined:
            return estimate
        return replace(estimate, reason=f"undefined: {measure.undefined}")

    @cached_property
    def _matrix(self) -> Floats:
        return confusion(self.predictions.unseen)

    @cached_property
    def _replicates(self) -> dict[str, bootstrap.Bootstrapped]:
        """Resamples of all wanted measures of the matrix that are defined, drawn together."""
        forms = {
            m.name: self._form(m)
            for m in self.wanted
            if isinstance(m, MatrixMeasure) and not isinstance(m, RatesMeasure)
        }
        forms = {n: form for n, form in forms.items() if not math.isnan(float(form(self._matrix)))}
        unseen = self.predictions.unseen
        return bootstrap_matrix(unseen, forms, seed=child(self.seed, 8), worth=self._drawn)

    @cached_property
    def _worth(self) -> float:
        """How many independent cases one of these is worth after several fits."""
        if self._fits == 1 and self.predictions.groups is None:
            return 1.0
        error = self.of_share(ERROR)
        worth = error.interval.n_effective if error.interval else None
        return min(1.0, worth / error.n) if worth else 1 / 1.5

    @property
    def _drawn(self) -> float:
        """The share of units to draw: groups are drawn whole, so only several fits reduce it."""
        if self._fits == 1:
            return 1.0
        return 1 / 1.5 if self.predictions.groups is not None else self._worth

    def _aimed(self, estimate: Estimate) -> Estimate:
        """Say that an interval from several fits speaks about more than one fixed model."""
        if self._fits == 1 or estimate.interval is None:
            return estimate
        return replace(estimate, interval=replace(estimate.interval, target=self.target))

    @cached_property
    def _ranked(self) -> Ranked:
        """One ranking for all measures, so that they share their resamples."""
        return Ranked(
            table=self.predictions.unseen,
            positive=self.positive,
            fits=self._fits,
            interval=for_areas(self.interval),
            level=self.level,
            seed=child(self.seed, 10),
        )

    @property
    def _how(self) -> str:
        return "test set" if self._fits == 1 else f"{self._fits} fits"

    @property
    def _fits(self) -> int:
        return self.predictions.situation.fits

    def _form(self, measure: Measure) -> Callable[[Floats], Any]:
        form = measure.of_matrix
        assert form is not None
        if not measure.positive:
            return form
        at = self.predictions.classes.index(self.positive)
        return lambda matrix: form(matrix, at)

    def _share(self, estimate: Estimate, measure: ShareMeasure) -> Estimate:
        """Treat a share of cases as a risk: the mean of a zero-one loss over those cases."""
        main = measure.among(self.predictions.unseen, self.positive)
        losses = Losses.of(main)
        every = measure.given == "all"
        # Of the training rows, too, only those of the kept kind say something about this share.
        kept = len(main.case) / len(self.predictions.unseen.case)
        losses = replace(losses, n_train=losses.n_train * kept)
        if measure.given == "answer":
            # Which cases are answered so differs between repetitions; count those of one.
            losses = replace(losses, size=max(1, round(len(main.case) / losses.repetitions)))
        sample = RiskSample(
            losses=losses,
            fits=self._fits,
            halves=self._losses(Part.HALVES, measure),
            nested=self._losses(Part.NESTED, measure) if every else None,
            half_holdouts=self._losses(Part.HALF_HOLDOUTS, measure) if every else None,
            partition=self.predictions.situation.partition,
            level=self.level,
            target=self.target,
            seed=child(self.seed, 7),
        )
        asked = for_risks(self.interval, of_all_cases=every)
        interval = self._on_target(risk_interval(sample, asked))
        method = asked if isinstance(asked, RiskInterval) else RISK_INTERVALS[interval.method]
        if measure.greater_is_better:
            interval = interval.complement()
        return replace(
            _centred(estimate, interval),
            interval=interval,
            n=sample.losses.n,
            assumptions=(*self._assumptions, *method.assumptions),
        )

    def _on_target(self, interval: Interval) -> Interval:
        """Flag an interval that is about something else than was asked for."""
        if not self.target_asked or interval.target is self.target:
            return interval
        other = interval.target.sentence
        problem = f"speaks about {other}, not about {self.target.sentence}, as asked"
        remedy = f"use {arg('by', 'auto')} without a test set"
        return replace(interval, flag="; ".join(f for f in (interval.flag, problem, remedy) if f))

    def _losses(self, part: Part, measure: ShareMeasure) -> Losses | None:
        table = self.predictions.of_part(part)
        return Losses.of(measure.among(table, self.positive)) if len(table.case) else None

    @cached_property
    def _cases(self) -> Rows:
        """The cases that were tested unseen."""
        return self.predictions.unseen.cases

    @property
    def _assumptions(self) -> tuple[str, ...]:
        unit = "groups" if self.predictions.groups is not None else "cases"
        return (f"{unit} are independent draws of what the model will meet",)

    def _of_rates(self, estimate: Estimate, measure: RatesMeasure) -> Estimate:
        """Give measures that are sums of the classes' rates the classes' own exact limits."""
        unseen = self.predictions.unseen
        if measure.positive and len(unseen.classes) > 2:
            unseen = _against_the_rest(unseen, self.positive)
        truth = unseen.truth[unseen.case]
        k = len(unseen.classes)
        weight = None if unseen.weight is None else unseen.weight[unseen.case]
        errors = np.bincount(truth, weights=unseen.wrong * (1 if weight is None else weight))
        rates = errors / np.bincount(truth, weights=weight, minlength=k)
        sizes = self._worth * np.bincount(unseen.truth[self._cases], minlength=k).astype(float)
        limits = prior_weighted(rates * sizes, sizes, np.full(k, 1 / k), self.level).interval
        limits = limits.complement()
        if measure.low != 0:
            width = measure.widest
            low, high = (measure.low + width * end for end in (limits.low, limits.high))
            limits = replace(limits, low=low, high=high)
        target = Target.FIXED if self._fits == 1 else self.target
        return replace(estimate, interval=replace(limits, target=target))

    def _resampled(self, estimate: Estimate, drawn: bootstrap.Bootstrapped) -> Estimate:
        unseen = self.predictions.unseen
        cases = self._cases
        if np.bincount(unseen.truth[cases], minlength=len(unseen.classes)).min() < 2:
            return replace(estimate, reason=_ONE_CASE)
        if unseen.groups is not None and len(np.unique(unseen.groups[cases])) < _FEW_GROUPS:
            return replace(estimate, reason=_TOO_FEW_GROUPS)
        if len(drawn.replicates) < _ENOUGH or drawn.constant:
            return replace(estimate, reason=_NO_VARIATION)
        form = bootstrap.RESAMPLED.get(str(self.interval), bootstrap.bca)
        return replace(estimate, interval=self._of_several(form(drawn, self.level)))

    def _of_several(self, interval: Interval) -> Interval:
        if self._fits == 1:
            return interval
        return replace(interval, target=self.target, n_effective=self._worth * self.predictions.n)


def _against_the_rest(table: Predictions, positive: Label | None) -> Predictions:
    """Return the table with two classes: the positive one and all others."""
    at = table.classes.index(positive)
    return replace(
        table,
        classes=("rest", "positive"),
        truth=(table.truth == at).astype(np.intp),
        predicted=(table.predicted == at).astype(np.intp),
    )


def _centred(estimate: Estimate, interval: Interval) -> Estimate:
    """Return the estimate at the point of a method that corrects the plain mean, saying so."""
    if interval.centre is None:
        return estimate
    how = f"{estimate.method}, corrected for training on fewer cases; the plain mean is"
    return replace(estimate, value=interval.centre, method=f"{how} {estimate.value:.4f}")
