"""From Predictions to Estimates: every measure with its interval."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np

from referee.core.arrays import Floats, Label, Rows
from referee.core.plan import Part
from referee.core.predictions import Predictions
from referee.core.randomness import Seed, child
from referee.core.results import Estimate, Interval, Target
from referee.errors import InputError
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
from referee.judging.mean_losses import are_probabilities, loss_estimate
from referee.judging.ranked import Ranked
from referee.measures import (
    DEFAULT,
    Costs,
    Kind,
    Losses,
    Measure,
    confusion,
    measure_named,
)

__all__ = ["Measuring", "applicable"]


_ENOUGH = 1000
"""Fewer defined replicates than this (of 2000) give no interval."""

_BALANCED = frozenset({"balanced_accuracy", "informedness"})
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
    """

    predictions: Predictions
    positive: Label | None = None
    costs: Costs | None = None
    interval: str | RiskInterval | AreaInterval = "auto"
    level: float = 0.95
    target: Target = Target.CONDITIONAL
    target_asked: bool = False
    seed: Seed = 0

    def estimates(self, names: Sequence[str]) -> dict[str, Estimate]:
        """Return measures with their intervals; those by resampling share their resamples."""
        wanted = [measure_named(name) for name in names]
        found = {m.name: self._estimate(m) for m in wanted}
        balanced = {m.name for m in wanted if m.name in _BALANCED and found[m.name].defined}
        found |= {name: self._of_rates(found[name]) for name in balanced}
        forms = {
            m.name: self._form(m)
            for m in wanted
            if m.kind is Kind.MATRIX and found[m.name].defined and m.name not in balanced
        }
        if forms:
            unseen = self.predictions.unseen
            drawn = bootstrap_matrix(unseen, forms, seed=child(self.seed, 8), worth=self._drawn)
            found |= {name: self._resampled(found[name], b) for name, b in drawn.items()}
        return found

    def estimate(self, name: str) -> Estimate:
        """Return one measure with its interval."""
        return self.estimates([name])[measure_named(name).name]

    def _estimate(self, measure: Measure) -> Estimate:
        """Return the measure, with its interval unless that comes from resampling."""
        name = measure.name
        if measure.positive and self.positive is None:
            raise InputError(
                f"{name} needs to know the positive class; pass pos_label, one of "
                f"{', '.join(repr(c) for c in self.predictions.classes)}"
            )
        unseen = self.predictions.unseen
        if measure.kind is Kind.RANKING:
            return self._aimed(self._ranked.estimate(measure))
        if measure.kind is Kind.LOSS:
            made = loss_estimate(
                measure,
                unseen,
                positive=self.positive,
                costs=self.costs,
                fits=self._fits,
                worth=self._drawn,
                level=self.level,
            )
            return self._aimed(made)
        matrix = confusion(unseen)
        value = float(self._form(measure)(matrix))
        made = Estimate(
            name=name,
            value=value,
            n=len(self._cases),
            method=self._how,
            greater_is_better=measure.greater_is_better,
        )
        if math.isnan(value):
            return replace(made, reason=f"undefined: {measure.undefined}")
        return self._share(made, measure) if measure.kind is Kind.SHARE else made

    @cached_property
    def _worth(self) -> float:
        """How many independent cases one of these is worth after several fits."""
        if self._fits == 1 and self.predictions.groups is None:
            return 1.0
        error = self._estimate(measure_named("error"))
        worth = error.interval.n_effective if error.interval else None
        return min(1.0, worth / error.n) if worth else 1 / 1.5

    @property
    def _drawn(self) -> float:
        """The share of units to draw: groups are drawn whole, so only several fits reduce it."""
        if self._fits == 1:
            return 1.0
        return 1 / 1.5 if self.predictions.groups is not None else self._worth

    def _aimed(self, made: Estimate) -> Estimate:
        """Say that an interval from several fits speaks about more than one fixed model."""
        if self._fits == 1 or made.interval is None:
            return made
        return replace(made, interval=replace(made.interval, target=self.target))

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

    @cached_property
    def _fits(self) -> int:
        return sum(p is Part.MAIN for p in self.predictions.part)

    def _form(self, measure: Measure) -> Callable[[Floats], Any]:
        form = measure.of_matrix
        assert form is not None
        if not measure.positive:
            return form
        at = self.predictions.classes.index(self.positive)
        return lambda matrix: form(matrix, at)

    def _share(self, made: Estimate, measure: Measure) -> Estimate:
        """Treat a share of cases as a risk: the mean of a zero-one loss over those cases."""
        main = self._restricted(self.predictions.unseen, measure)
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
            partition=self._partition,
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
            _centred(made, interval),
            interval=interval,
            n=sample.losses.n,
            assumptions=(*self._assumptions, *method.assumptions),
        )

    def _on_target(self, made: Interval) -> Interval:
        """Flag an interval that is about something else than was asked for."""
        if not self.target_asked or made.target is self.target:
            return made
        said = f"speaks about {made.target.sentence}, not about {self.target.sentence}, as asked"
        remedy = "use by='auto' without a test set"
        return replace(made, flag="; ".join(f for f in (made.flag, said, remedy) if f))

    def _losses(self, part: Part, measure: Measure) -> Losses | None:
        table = self.predictions.of_part(part)
        return Losses.of(self._restricted(table, measure)) if len(table.case) else None

    def _restricted(self, table: Predictions, measure: Measure) -> Predictions:
        if measure.given == "all":
            return table
        at = self.predictions.classes.index(self.positive)
        of = table.truth[table.case] if measure.given == "truth" else table.predicted
        keep = (of == at) if measure.of_class else (of != at)
        table = table.rows(keep)
        # One class against the rest: mistaking one negative class for another is no error here.
        return replace(
            table,
            truth=(table.truth == at).astype(np.intp),
            predicted=(table.predicted == at).astype(np.intp),
        )

    @cached_property
    def _cases(self) -> Rows:
        """The cases that were tested unseen."""
        return np.unique(self.predictions.unseen.case)

    @cached_property
    def _partition(self) -> bool:
        """Whether every repetition tests the same cases, each of them once."""
        unseen = self.predictions.unseen
        repetition = unseen.repetition[unseen.split]
        pairs = np.unique(repetition * unseen.n + unseen.case)
        once = len(np.unique(repetition)) * len(self._cases)
        return len(pairs) == len(unseen.case) == once

    @property
    def _assumptions(self) -> tuple[str, ...]:
        unit = "groups" if self.predictions.groups is not None else "cases"
        return (f"{unit} are independent draws of what the model will meet",)

    def _of_rates(self, made: Estimate) -> Estimate:
        """Give measures that are sums of the classes' rates the classes' own exact limits."""
        unseen = self.predictions.unseen
        truth = unseen.truth[unseen.case]
        k = len(unseen.classes)
        weight = None if unseen.weight is None else unseen.weight[unseen.case]
        errors = np.bincount(truth, weights=unseen.wrong * (1 if weight is None else weight))
        rates = errors / np.bincount(truth, weights=weight, minlength=k)
        cases = self._cases
        sizes = self._worth * np.bincount(unseen.truth[cases], minlength=k).astype(float)
        limits = prior_weighted(rates * sizes, sizes, np.full(k, 1 / k), self.level).interval
        limits = limits.complement()
        if made.name == "informedness":
            limits = replace(limits, low=2 * limits.low - 1, high=2 * limits.high - 1)
        target = Target.FIXED if self._fits == 1 else self.target
        return replace(made, interval=replace(limits, target=target))

    def _resampled(self, made: Estimate, drawn: bootstrap.Bootstrapped) -> Estimate:
        unseen = self.predictions.unseen
        cases = self._cases
        if np.bincount(unseen.truth[cases], minlength=len(unseen.classes)).min() < 2:
            return replace(made, reason=_ONE_CASE)
        if unseen.groups is not None and len(np.unique(unseen.groups[cases])) < _FEW_GROUPS:
            return replace(made, reason=_TOO_FEW_GROUPS)
        if len(drawn.replicates) < _ENOUGH or drawn.constant:
            return replace(made, reason=_NO_VARIATION)
        form = bootstrap.RESAMPLED.get(str(self.interval), bootstrap.bca)
        return replace(made, interval=self._of_several(form(drawn, self.level)))

    def _of_several(self, made: Interval) -> Interval:
        if self._fits == 1:
            return made
        return replace(made, target=self.target, n_effective=self._worth * self.predictions.n)


def _centred(made: Estimate, interval: Interval) -> Estimate:
    """Return the estimate at the point of a method that corrects the plain mean, saying so."""
    if interval.centre is None:
        return made
    how = f"{made.method}, corrected for training on fewer cases; the plain mean is"
    return replace(made, value=interval.centre, method=f"{how} {made.value:.4f}")


def applicable(
    measures: Sequence[str] | None,
    predictions: Predictions,
    positive: Label | None,
    *,
    priors: bool = False,
    costs: bool = False,
) -> tuple[str, ...]:
    """Return the measures to compute: those asked for, or the default ones that apply here.

    Under class priors only measures that do not depend on the classes' shares apply.
    """
    if measures is None:
        default = [*DEFAULT, "cost"] if costs else DEFAULT
        every = (measure_named(name) for name in default)
        return tuple(m.name for m in every if _applies(m, predictions, positive, priors))
    names = [measures] if isinstance(measures, str) else list(measures)
    asked = ["error", *names, *(["cost"] if costs and not priors else [])]
    wanted = [measure_named(name) for name in dict.fromkeys(asked)]
    odd = next((m.name for m in wanted if priors and m.of_shares), None)
    if odd is not None:
        raise InputError(
            f"{odd} depends on the classes' shares in the test set, which priors replace; "
            "leave out one of them"
        )
    return tuple(m.name for m in wanted)


def _applies(m: Measure, p: Predictions, positive: Label | None, priors: bool) -> bool:
    if (m.positive and positive is None) or (priors and m.of_shares):
        return False
    if m.name == "macro_f1":
        return len(p.classes) > 2
    if not m.scores:
        return True
    if p.scores is None:
        return False
    if m.kind is Kind.LOSS:
        return are_probabilities(p.unseen, positive)
    several = sum(part is Part.MAIN for part in p.part) > 1
    if m.name == "auc_ovr":
        return len(p.classes) > 2 and p.scores.ndim == 2 and not several
    if m.name == "auc50":
        negatives = int(np.sum(p.truth[p.unseen.case] != p.classes.index(positive)))
        return not several and negatives >= 50
    return m.name == "auc" or not several
