"""From Predictions to Estimates: every measure with its interval."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from functools import cached_property, partial
from typing import Any

import numpy as np

from referee.core.arrays import Floats, Label, Rows
from referee.core.plan import Part
from referee.core.predictions import Predictions
from referee.core.randomness import Seed, child
from referee.core.results import Estimate, Interval, Target
from referee.core.tally import Tally
from referee.errors import InputError, arg, named
from referee.intervals.area.area_interval import AreaInterval
from referee.intervals.catalogue import (
    RISK_INTERVALS,
    for_areas,
    for_risks,
    risk_interval,
)
from referee.intervals.one_set.bootstrap import bootstrap
from referee.intervals.one_set.bootstrap.matrix import bootstrap_matrix
from referee.intervals.one_set.class_rates import class_sizes, mean_of_rates
from referee.intervals.risk import RiskInterval, RiskSample
from referee.intervals.scores.effective_beta import EFFECTIVE_BETA
from referee.judging.estimating.functions import function_estimate
from referee.judging.estimating.mean_losses import loss_estimate, summed_loss_estimate
from referee.judging.estimating.rankings.counted_ranking import CountedRanking
from referee.judging.estimating.rankings.ranked import Ranked
from referee.judging.estimating.ratios import ratio_estimate
from referee.judging.estimating.residuals import Residuals
from referee.judging.estimating.runs_interval import runs_interval
from referee.judging.scored_tally import ScoredTally, counted_losses
from referee.measures import (
    ERROR,
    AreaMeasure,
    ClassesMeasure,
    Costs,
    Losses,
    LossMeasure,
    MatrixMeasure,
    Measure,
    MedianMeasure,
    RankingMeasure,
    RatesMeasure,
    RatioMeasure,
    ResidualMeasure,
    ShareMeasure,
    as_measure,
    confusion,
)

__all__ = ["Measuring"]


_ENOUGH = 1000
"""Fewer defined replicates than this (of 2000) give no interval."""

_SPELLED_OUT = 100_000
"""Cases up to which losses of counted labels are written out; beyond, their sums serve."""

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
                f"{measure.name} needs to know the positive class",
                concerning="pos_label",
                remedy=(
                    f"pass {named('pos_label')}, one of "
                    f"{', '.join(repr(c) for c in self.predictions.classes)}"
                ),
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

    def by_class(self, measure: MatrixMeasure) -> dict[Label, Estimate]:
        """Return a measure of every class in turn, all from the same resamples."""
        each = {label: replace(self, positive=label) for label in self.predictions.classes}
        values = {label: judge._valued(measure) for label, judge in each.items()}
        defined = [label for label, estimate in values.items() if estimate.defined]
        forms = {str(at): each[label]._form(measure) for at, label in enumerate(defined)}
        unseen = self.predictions.unseen
        drawn = bootstrap_matrix(unseen, forms, seed=child(self.seed, 8), worth=self._drawn)
        within = {
            label: self._resampled(values[label], drawn[str(at)])
            for at, label in enumerate(defined)
        }
        return {label: within.get(label, values[label]) for label in each}

    def of_rates(self, measure: RatesMeasure) -> Estimate:
        """Return a sum of the classes' rates with limits from the classes' own exact ones."""
        estimate = self._valued(measure)
        return self._of_rates(estimate, measure) if estimate.defined else estimate

    def of_losses(self, measure: LossMeasure) -> Estimate:
        """Return the mean of one loss per case with its interval."""
        counted = self.predictions
        if isinstance(counted, Tally) and (measure.scores or counted.n > _SPELLED_OUT):
            sums = counted_losses(counted, measure, self.positive, self.costs)
            k = len(counted.classes)
            return summed_loss_estimate(measure, sums, k, costs=self.costs, level=self.level)
        estimate = loss_estimate(
            measure,
            counted.unseen.spelled_out,
            positive=self.positive,
            costs=self.costs,
            fits=self._fits,
            worth=self._drawn,
            level=self.level,
        )
        return self._aimed(estimate)

    def of_ratios(self, measure: RatioMeasure) -> Estimate:
        """Return a ratio of sums over cases with the interval of its linearised values."""
        unseen, level = self.predictions.unseen, self.level
        return self._aimed(
            ratio_estimate(measure, unseen, fits=self._fits, worth=self._drawn, level=level)
        )

    def of_area(self, measure: AreaMeasure) -> Estimate:
        """Return the area under the ROC curve with the interval of its placements."""
        return self._aimed(self._ranked.area(measure))

    def of_ranking(self, measure: RankingMeasure) -> Estimate:
        """Return a measure of one class's ranking with the interval of its resamples."""
        return self._aimed(self._ranked.ranking(measure))

    def of_classes(self, measure: ClassesMeasure) -> Estimate:
        """Return a measure of all classes' rankings with the interval of its resamples."""
        return self._aimed(self._ranked.classes(measure))

    def of_residuals(self, measure: ResidualMeasure) -> Estimate:
        """Return a measure of predicted quantities with the interval of a mean loss."""
        return self._on_the_target(self._residuals.mean(measure))

    def of_median(self, measure: MedianMeasure) -> Estimate:
        """Return the median of a loss with limits from the share of larger ones."""
        return self._on_the_target(self._residuals.median(measure))

    @property
    def _residuals(self) -> Residuals:
        asked = for_risks(self.interval)
        return Residuals(
            predictions=self.predictions,
            interval=asked,
            level=self.level,
            target=self.target,
            target_asked=self.target_asked,
            seed=child(self.seed, 7),
        )

    def _on_the_target(self, estimate: Estimate) -> Estimate:
        if estimate.interval is None:
            return estimate
        return replace(estimate, interval=self._on_target(estimate.interval))

    def of_function(self, measure: Measure) -> Estimate:
        """Return any function of the cases with its bootstrap interval."""
        return function_estimate(
            measure,
            self.predictions.unseen.spelled_out,
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
        """How many independent cases one of these is worth after several fits, or in time."""
        alone = self.predictions.groups is None and self.predictions.moment is None
        if self._fits == 1 and alone:
            return 1.0
        error = self.of_share(ERROR)
        worth = error.interval.n_effective if error.interval else None
        return min(1.0, worth / error.n) if worth else 1 / 1.5

    @property
    def _drawn(self) -> float:
        """The share of units to draw: groups are drawn whole, so only several fits reduce it."""
        grouped = self.predictions.groups is not None
        if self._fits == 1 and (grouped or self.predictions.moment is None):
            return 1.0
        return 1 / 1.5 if grouped else self._worth

    def _aimed(self, estimate: Estimate) -> Estimate:
        """Say that an interval from several fits speaks about more than one fixed model."""
        if self._fits == 1 or estimate.interval is None:
            return estimate
        return replace(estimate, interval=replace(estimate.interval, target=self.target))

    @cached_property
    def _ranked(self) -> Ranked:
        """One ranking for all measures, so that they share their resamples."""
        ranked = CountedRanking if isinstance(self.predictions, ScoredTally) else Ranked
        return ranked(
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
        every = measure.given == "all"
        asked = for_risks(self.interval, of_all_cases=every)
        losses = self._share_losses(measure, asked)
        if self.predictions.situation.runs and asked == "auto" and every:
            return self._over_runs(estimate, measure, losses)
        sample = RiskSample(
            losses=losses,
            fits=self._fits,
            halves=self._losses(Part.HALVES, measure),
            nested=self._losses(Part.NESTED, measure) if every else None,
            half_holdouts=self._losses(Part.HALF_HOLDOUTS, measure) if every else None,
            partition=self.predictions.situation.partition,
            level=self.level,
            target=self.target,
            target_asked=self.target_asked,
            seed=child(self.seed, 7),
        )
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

    def _over_runs(self, estimate: Estimate, measure: ShareMeasure, losses: Losses) -> Estimate:
        """Return the share with the interval of scores: the case is the item, a fit a run of it."""
        interval = self._on_target(runs_interval(losses, self.level))
        if measure.greater_is_better:
            interval = interval.complement()
        return replace(
            estimate,
            interval=interval,
            n=losses.n,
            assumptions=(*self._assumptions, *EFFECTIVE_BETA.assumptions),
        )

    def _share_losses(self, measure: ShareMeasure, asked: str | RiskInterval) -> Losses:
        """Return the zero-one losses of the cases a share is about; as counts where those do."""
        of_counts = asked == "auto" or (isinstance(asked, RiskInterval) and asked.of_counts)
        if of_counts and self.predictions.counts_suffice:
            at = self.predictions.classes.index(self.positive) if measure.positive else -1
            return Losses.of_counts(*measure.counts(self._matrix, at))
        return self._losses_of(Part.MAIN, measure)

    def _losses(self, part: Part, measure: ShareMeasure) -> Losses | None:
        some = len(self.predictions.of_part(part).case)
        return self._losses_of(part, measure) if some else None

    def _losses_of(self, part: Part, measure: ShareMeasure) -> Losses:
        """Return the losses of a part, read off once for all shares of the same cases."""
        of = (type(measure), part, measure.given, measure.of_class)
        if of not in self._known_losses:
            main = part is Part.MAIN
            read = self._main_losses if main else partial(self._losses_among, part)
            self._known_losses[of] = read(measure)
        return self._known_losses[of]

    @cached_property
    def _known_losses(self) -> dict[tuple[type, Part, str, bool], Losses]:
        return {}

    def _losses_among(self, part: Part, measure: ShareMeasure) -> Losses:
        return Losses.of(measure.among(self.predictions.of_part(part), self.positive))

    def _main_losses(self, measure: ShareMeasure) -> Losses:
        """Return the losses of the unseen cases that a share is about."""
        unseen = self.predictions.unseen.spelled_out
        main = measure.among(unseen, self.positive)
        losses = Losses.of(main)
        # Of the training rows, too, only those of the kept kind say something about this share.
        kept = len(main.case) / len(unseen.case)
        losses = replace(losses, n_train=losses.n_train * kept)
        if measure.given != "answer":
            return losses
        # Which cases are answered so differs between repetitions; count those of one.
        return replace(losses, size=max(1, round(len(main.case) / losses.repetitions)))

    def _on_target(self, interval: Interval) -> Interval:
        """Flag an interval that is about something else than was asked for."""
        if not self.target_asked or interval.target is self.target:
            return interval
        other = interval.target.sentence
        problem = f"speaks about {other}, not about {self.target.sentence}, as asked"
        remedy = f"use {arg('by', 'auto')} without a test set"
        return replace(interval, flag="; ".join(f for f in (interval.flag, problem, remedy) if f))

    @cached_property
    def _cases(self) -> Rows:
        """The cases that were tested unseen."""
        return self.predictions.unseen.cases

    @cached_property
    def _class_sizes(self) -> Rows:
        """How many of those cases each class has."""
        k = len(self.predictions.classes)
        if self.predictions.counts_suffice:
            return np.asarray(self._matrix.sum(axis=1), dtype=np.intp)
        return np.bincount(self.predictions.truth[self._cases], minlength=k)

    @property
    def _assumptions(self) -> tuple[str, ...]:
        if self.predictions.moment is not None and self.predictions.groups is None:
            return ("errors long ago and errors now are independent",)
        unit = "groups" if self.predictions.groups is not None else "cases"
        return (f"{unit} are independent draws of what the model will meet",)

    def _of_rates(self, estimate: Estimate, measure: RatesMeasure) -> Estimate:
        """Give measures that are sums of the classes' rates the classes' own exact limits."""
        matrix, cases = self._matrix, self._class_sizes
        if measure.positive and len(cases) > 2:
            at = self.predictions.classes.index(self.positive)
            matrix, cases = _against_the_rest(matrix, at), np.array([cases.sum(), cases[at]])
            cases[0] -= cases[1]
        k = len(cases)
        rates = (matrix * ~np.eye(k, dtype=bool)).sum(axis=1) / matrix.sum(axis=1)
        sizes = self._independent(measure, cases)
        limits = mean_of_rates(rates, sizes, self.level).complement()
        if measure.low != 0:
            width = measure.widest
            low, high = (measure.low + width * end for end in (limits.low, limits.high))
            limits = replace(limits, low=low, high=high)
        target = Target.FIXED if self._fits == 1 else self.target
        return replace(estimate, interval=replace(limits, target=target))

    def _independent(self, measure: RatesMeasure, cases: Rows) -> Floats:
        """Return how many independent cases each class's rate rests on, of so many cases."""
        unseen = self.predictions.unseen
        timed = unseen.moment is not None and unseen.groups is None
        if self._fits > 1 or timed:
            return np.asarray(np.maximum(1.0, self._worth * cases), dtype=float)
        if unseen.groups is None and unseen.weight is None:
            return np.asarray(cases, dtype=float)
        truth, predicted = unseen.truth[unseen.case], unseen.predicted
        if measure.positive and len(unseen.classes) > 2:
            at = unseen.classes.index(self.positive)
            truth, predicted = (truth == at).astype(np.intp), (predicted == at).astype(np.intp)
        losses = Losses.of(unseen, (predicted != truth).astype(float))
        return class_sizes(
            losses.value,
            truth,
            len(cases),
            weights=losses.weight,
            groups=losses.groups,
            level=self.level,
        )

    def _resampled(self, estimate: Estimate, drawn: bootstrap.Bootstrapped) -> Estimate:
        unseen = self.predictions.unseen
        if self._class_sizes.min() < 2:
            return replace(estimate, reason=_ONE_CASE)
        if unseen.groups is not None and len(np.unique(unseen.groups[self._cases])) < _FEW_GROUPS:
            return replace(estimate, reason=_TOO_FEW_GROUPS)
        if len(drawn.replicates) < _ENOUGH or drawn.constant:
            return replace(estimate, reason=_NO_VARIATION)
        form = bootstrap.RESAMPLED.get(str(self.interval), bootstrap.bca)
        interval = form(drawn, self.level)
        if interval.width <= 1e-9:  # at a low level the few replicates that differ lie outside
            return replace(estimate, reason=_NO_VARIATION)
        value = estimate.value
        held = replace(interval, low=min(interval.low, value), high=max(interval.high, value))
        return replace(estimate, interval=self._of_several(held))

    def _of_several(self, interval: Interval) -> Interval:
        if self._fits == 1:
            return interval
        return replace(interval, target=self.target, n_effective=self._worth * self.predictions.n)


def _against_the_rest(matrix: Floats, at: int) -> Floats:
    """Return the matrix of two classes: all others, and the one at this position."""
    hits, missed = matrix[at, at], matrix[at].sum() - matrix[at, at]
    false = matrix[:, at].sum() - hits
    return np.array([[matrix.sum() - hits - missed - false, false], [missed, hits]])


def _centred(estimate: Estimate, interval: Interval) -> Estimate:
    """Return the estimate at the point of a method that corrects the plain mean, saying so."""
    if interval.centre is None:
        return estimate
    how = f"{estimate.method}, corrected for training on fewer cases; the plain mean is"
    return replace(estimate, value=interval.centre, method=f"{how} {estimate.value:.4f}")
