"""From Predictions to Estimates: every measure with its interval."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from referee.core.arrays import Floats, Label
from referee.core.plan import Part
from referee.core.predictions import Predictions
from referee.core.randomness import Seed, child
from referee.core.results import Estimate, Interval, Target
from referee.errors import InputError
from referee.intervals import bootstrap
from referee.intervals.auc import newcombe
from referee.intervals.matrix import bootstrap_matrix
from referee.intervals.risk import RiskSample, risk_interval
from referee.measures import CATALOGUE, DEFAULT, Losses, Measure, auc, confusion, measure_named

__all__ = ["Measuring", "applicable"]


_ENOUGH = 1000
"""Fewer defined replicates than this (of 2000) give no interval."""

_OF_SHARES = frozenset({"mcc", "kappa", "precision", "npv", "f1"})
"""Measures whose value changes with the classes' shares in the test set."""

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
    interval : str
        Interval of the error by name, or "auto".
    """

    predictions: Predictions
    positive: Label | None = None
    interval: str = "auto"
    level: float = 0.95
    target: Target = Target.CONDITIONAL
    seed: Seed = 0

    def estimates(self, names: Sequence[str]) -> dict[str, Estimate]:
        """Return measures with their intervals; those by resampling share their resamples."""
        wanted = [measure_named(name) for name in names]
        found = {m.name: self._estimate(m) for m in wanted}
        forms = {
            m.name: self._form(m)
            for m in wanted
            if m.of_matrix and not m.given and found[m.name].defined
        }
        if forms:
            unseen = self.predictions.unseen
            drawn = bootstrap_matrix(unseen, forms, seed=child(self.seed, 8))
            found |= {name: self._resampled(found[name], b) for name, b in drawn.items()}
        return found

    def estimate(self, name: str) -> Estimate:
        """Return one measure with its interval."""
        return self.estimates([name])[name]

    def _estimate(self, measure: Measure) -> Estimate:
        """Return the measure, with its interval unless that comes from resampling."""
        name = measure.name
        if measure.positive and self.positive is None:
            raise InputError(
                f"{name} needs to know the positive class; pass pos_label, one of "
                f"{', '.join(repr(c) for c in self.predictions.classes)}"
            )
        if measure.of_matrix is None:
            return self._ranking(measure)
        unseen = self.predictions.unseen
        matrix = confusion(unseen)
        value = float(self._form(measure)(matrix))
        made = Estimate(
            name=name,
            value=value,
            n=len(np.unique(unseen.case)),
            method=self._how,
            greater_is_better=measure.greater_is_better,
        )
        if math.isnan(value):
            return replace(made, reason=f"undefined: {measure.undefined}")
        if measure.given:
            return self._share(made, measure)
        return made

    @property
    def _how(self) -> str:
        return "test set" if self._fits == 1 else f"{self._fits} fits"

    @property
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
        halves = self.predictions.of_part(Part.HALVES)
        losses = Losses.of(main)
        # Of the training rows, too, only those of the kept kind say something about this share.
        kept = len(main.case) / len(self.predictions.unseen.case)
        losses = replace(losses, n_train=losses.n_train * kept)
        if measure.given == "answer":
            # Which cases are answered so differs between repetitions; count those of one.
            losses = replace(losses, size=max(1, round(len(main.case) / losses.repetitions)))
        sample = RiskSample(
            losses=losses,
            fits=self._fits,
            halves=Losses.of(self._restricted(halves, measure)) if len(halves.case) else None,
            partition=self._partition,
            level=self.level,
            target=self.target,
            seed=child(self.seed, 7),
        )
        interval = risk_interval(sample, self.interval)
        return replace(
            made,
            interval=interval.complement() if measure.greater_is_better else interval,
            n=sample.losses.n,
            assumptions=self._assumptions,
        )

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

    @property
    def _partition(self) -> bool:
        """Whether every repetition tests the same cases, each of them once."""
        unseen = self.predictions.unseen
        repetition = unseen.repetition[unseen.split]
        pairs = np.unique(repetition * unseen.n + unseen.case)
        once = len(np.unique(repetition)) * len(np.unique(unseen.case))
        return len(pairs) == len(unseen.case) == once

    @property
    def _assumptions(self) -> tuple[str, ...]:
        unit = "groups" if self.predictions.groups is not None else "cases"
        return (f"{unit} are independent draws of what the model will meet",)

    def _resampled(self, made: Estimate, drawn: bootstrap.Bootstrapped) -> Estimate:
        if len(drawn.replicates) < _ENOUGH or np.ptp(drawn.replicates) == 0:
            return replace(made, reason=_NO_VARIATION)
        return replace(made, interval=self._of_several(bootstrap.bca(drawn, self.level)))

    def _of_several(self, made: Interval) -> Interval:
        if self._fits == 1:
            return made
        flag = made.flag or "takes predictions of several models as those of one"
        return replace(made, target=self.target, flag=flag)

    def _ranking(self, measure: Measure) -> Estimate:
        unseen = self.predictions.unseen
        positive = unseen.truth[unseen.case] == unseen.classes.index(self.positive)
        if unseen.weight is not None or unseen.groups is not None:
            raise InputError(
                "auc takes cases as independent and equally important; leave it out, or leave out "
                "groups and sample_weight"
            )
        value = auc(positive, self._positive_scores(unseen))
        p, n = (len(np.unique(unseen.case[of])) for of in (positive, ~positive))
        made = Estimate(
            name=measure.name,
            value=value,
            n=p + n,
            method=self._how,
            greater_is_better=True,
        )
        if math.isnan(value):
            return replace(made, reason=f"undefined: {measure.undefined}")
        return replace(made, interval=self._of_several(newcombe(value, p, n, self.level)))

    def _positive_scores(self, table: Predictions) -> Floats:
        if table.scores is None:
            raise InputError("auc needs scores; pass y_score, or a model that gives probabilities")
        if table.scores.ndim == 1:
            return table.scores
        return np.asarray(table.scores[:, table.classes.index(self.positive)])


def applicable(
    measures: Sequence[str] | None,
    predictions: Predictions,
    positive: Label | None,
    *,
    priors: bool = False,
) -> tuple[str, ...]:
    """Return the measures to compute: those asked for, or the default ones that apply here.

    Under class priors only measures that do not depend on the classes' shares apply.
    """
    if measures is not None:
        names = [measures] if isinstance(measures, str) else list(measures)
        if priors and (odd := next((n for n in names if n in _OF_SHARES), None)):
            raise InputError(
                f"{odd} depends on the classes' shares in the test set, which priors replace; "
                "leave out one of them"
            )
        return tuple(dict.fromkeys(["error", *(measure_named(n).name for n in names)]))
    single = sum(p is Part.MAIN for p in predictions.part) == 1
    rankable = predictions.scores is not None and single and predictions.weight is None
    return tuple(
        name
        for name in DEFAULT
        if (positive is not None or not CATALOGUE[name].positive)
        and (name != "auc" or (rankable and predictions.groups is None))
        and not (priors and name in _OF_SHARES)
    )
