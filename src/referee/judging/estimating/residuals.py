"""Estimates of measures of predicted quantities, and of the one prediction that fits all best."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np

from referee.core.arrays import Floats
from referee.core.plan import Part, Plan
from referee.core.predictions import Predictions
from referee.core.randomness import Seed
from referee.core.results import Estimate, Interval, Target
from referee.intervals.catalogue import RISK_INTERVALS, for_risks, risk_interval
from referee.intervals.one_set.priors import KNOWN
from referee.intervals.risk import RiskInterval, RiskSample
from referee.judging.estimating.functions import function_estimate
from referee.measures import Losses, Measure, MedianMeasure, ResidualMeasure
from referee.measures.residuals import weighted_quantile

__all__ = ["Residuals", "constant_table", "guessing_constant"]

_FEWEST = 5
_TOO_FEW = f"fewer than {_FEWEST} cases or groups cannot show how much losses vary; no interval"
_SAME = "all losses are the same, so nothing shows how much they vary; no interval"


@dataclass(frozen=True, kw_only=True)
class Residuals:
    """How to put numbers and intervals on a table of predicted quantities.

    Attributes
    ----------
    predictions : Predictions
        The whole table; only rows whose case the model had not seen are read.
    interval : str or RiskInterval
        The interval that was asked for, or "auto".
    """

    predictions: Predictions
    interval: str | RiskInterval = "auto"
    level: float = 0.95
    target: Target = Target.CONDITIONAL
    target_asked: bool = False
    seed: Seed = 0

    def mean(self, measure: ResidualMeasure) -> Estimate:
        """Return a function of the mean loss, with the interval of the mean."""
        unseen = self.predictions.unseen
        losses = Losses.of(unseen, measure.losses(unseen), zero_one=False)
        estimate = self._estimate(measure, math.nan)
        if math.isnan(losses.mean):
            return replace(estimate, reason=f"undefined: {measure.undefined}")
        estimate = replace(estimate, value=measure.of_mean(losses.mean))
        why_not = _refused(losses)
        if why_not:
            return replace(estimate, reason=why_not)
        sample = self._sample(losses, lambda table: measure.losses(table), zero_one=False)
        asked = for_risks(self.interval)
        interval = risk_interval(sample, asked)
        method = asked if isinstance(asked, RiskInterval) else RISK_INTERVALS[interval.method]
        if interval.centre is not None:
            how = f"{estimate.method}, corrected for training on fewer cases; the plain value is"
            estimate = replace(
                estimate,
                value=measure.of_mean(interval.centre),
                method=f"{how} {estimate.value:.4g}",
            )
        return replace(
            estimate,
            interval=_transformed(interval, measure),
            assumptions=(*self._assumptions, *method.assumptions),
        )

    def median(self, measure: MedianMeasure) -> Estimate:
        """Return the median loss between the quantiles that leave half of the cases in doubt.

        The share of cases with a larger loss is a share like any other: where its interval ends,
        the quantiles of the losses are the limits of the median (Woodruff 1952).
        """
        unseen = self.predictions.unseen
        own = Losses.of(unseen, measure.losses(unseen), zero_one=False)
        middle = weighted_quantile(own.per_case, 0.5, own.case_weight)
        estimate = self._estimate(measure, middle)
        why_not = _refused(own)
        if why_not:
            return replace(estimate, reason=why_not)

        seen = measure.losses(unseen)
        weight = None if unseen.weight is None else unseen.weight[unseen.case]
        ties = float(np.average(seen == middle, weights=weight))
        # Losses that equal the median count by what makes half of the weight larger.
        above = float(np.average(seen > middle, weights=weight))
        share_of_ties = (0.5 - above) / ties if ties else 0.0

        def larger(table: Predictions) -> Floats:
            loss = measure.losses(table)
            ties_count = min(1.0, max(0.0, share_of_ties))
            return np.asarray((loss > middle) + ties_count * (loss == middle), dtype=float)

        sample = self._sample(Losses.of(unseen, larger(unseen)), larger, zero_one=True)
        share = risk_interval(sample)
        low, high = (
            weighted_quantile(own.per_case, 1 - end, own.case_weight)
            for end in (share.high, share.low)
        )
        return replace(
            estimate,
            interval=replace(
                share,
                low=min(low, middle),
                high=max(high, middle),
                centre=None,
                basis="limits of the share of larger losses, read off the losses themselves",
            ),
            assumptions=self._assumptions,
        )

    def _estimate(self, measure: Measure, value: float) -> Estimate:
        fits = self.predictions.situation.fits
        return Estimate(
            name=measure.name,
            value=value,
            n=self.predictions.situation.n,
            method="test set" if fits == 1 else f"{fits} fits",
            greater_is_better=measure.greater_is_better,
        )

    def _sample(
        self, losses: Losses, of_table: Callable[[Predictions], Floats], *, zero_one: bool
    ) -> RiskSample:
        def part(which: Part) -> Losses | None:
            table = self.predictions.of_part(which)
            if not len(table.case):
                return None
            return Losses.of(table, of_table(table), zero_one=zero_one)

        return RiskSample(
            losses=losses,
            fits=self.predictions.situation.fits,
            halves=part(Part.HALVES),
            nested=part(Part.NESTED),
            half_holdouts=part(Part.HALF_HOLDOUTS),
            partition=self.predictions.situation.partition,
            level=self.level,
            target=self.target,
            target_asked=self.target_asked,
            seed=self.seed,
        )

    @property
    def _assumptions(self) -> tuple[str, ...]:
        unit = "groups" if self.predictions.groups is not None else "cases"
        return (f"{unit} are independent draws of what the model will meet",)


def _refused(losses: Losses) -> str:
    units = losses.case if losses.groups is None else losses.groups
    if len(np.unique(units)) < _FEWEST:
        return _TOO_FEW
    spread = float(np.ptp(losses.per_case))
    return _SAME if spread <= 1e-12 * max(1e-300, float(np.max(np.abs(losses.per_case)))) else ""


def _transformed(interval: Interval, measure: ResidualMeasure) -> Interval:
    """Return the interval of the measure, from that of the mean loss."""
    ends = (measure.of_mean(end) for end in (interval.low, interval.high))
    low, high = sorted(ends)
    return replace(interval, low=low, high=high, centre=None)


def constant_table(predictions: Predictions, answer: float) -> Predictions:
    """Return the tested cases as predicted by one answer for all of them."""
    tested = predictions.unseen.cases
    rows = tested if tested.size else np.arange(predictions.n)
    return Predictions(
        classes=(),
        truth=predictions.truth,
        case=rows,
        split=np.zeros(len(rows), dtype=np.intp),
        seen=np.zeros(len(rows), dtype=np.intp),
        predicted=np.full(len(rows), answer),
        part=(Part.MAIN,),
        repetition=np.zeros(1, dtype=np.intp),
        n_train=np.zeros(1, dtype=np.intp),
        groups=predictions.groups,
        weight=predictions.weight,
        moment=predictions.moment,
    )


def guessing_constant(
    predictions: Predictions, measure: Measure, level: float, plan: Plan | None = None
) -> tuple[Estimate, str]:
    """Return the measure of the one prediction that fits all cases best, and what it is called.

    Measures that do not say which prediction that is are held against the mean. It is the best
    among the rows the plan trains on first; bare predictions have no training rows, so there it is
    the best for the tested cases themselves, a strict rival. So it is in time, where the first rows
    may lie far from the rest; the best of the rows before each block never does better than that.
    """
    in_time = predictions.moment is not None and len(predictions.unseen.case) > 0
    rows = predictions.unseen.cases if in_time else np.arange(predictions.n)
    rows = plan.splits[0].train if plan and not in_time else rows
    weight = None if predictions.weight is None else predictions.weight[rows]
    truth = np.asarray(predictions.truth[rows], dtype=float)
    if isinstance(measure, (ResidualMeasure, MedianMeasure)):
        answer, called = measure.constant(truth, weight), measure.guess
    else:
        answer, called = float(np.average(truth, weights=weight)), "the mean"
    name = f"always {called} ({answer:.4g})"
    if isinstance(measure, ResidualMeasure) and measure.relative:
        known = Interval(low=0.0, high=0.0, level=level, method=KNOWN.name)
        guess = Estimate(
            name="guessing",
            value=0.0,
            n=predictions.situation.n,
            method=name,
            interval=known,
            greater_is_better=measure.greater_is_better,
        )
        return guess, called
    estimate = _estimate_of(constant_table(predictions, answer), measure, level)
    return replace(estimate, name="guessing", method=name), called


def _estimate_of(table: Predictions, measure: Measure, level: float) -> Estimate:
    judged = Residuals(predictions=table, level=level)
    if isinstance(measure, ResidualMeasure):
        return judged.mean(measure)
    if isinstance(measure, MedianMeasure):
        return judged.median(measure)
    return function_estimate(measure, table, positive=None, costs=None, fits=1, level=level, seed=0)
