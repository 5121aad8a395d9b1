"""Baseline and candidate side by side: predicted classes of the same cases."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np

from referee.comparing.comparison import Comparison
from referee.comparing.pairs.sequential_pair import InOrder
from referee.comparing.predictions.compare_predictions import compare_predictions
from referee.core.arrays import Anything, Flags, Floats
from referee.core.fingerprint import fingerprint
from referee.core.labels.labels import positive_class
from referee.core.results import Finding
from referee.errors import InputError, Refusal, arg, named
from referee.gating.question import GateQuestion
from referee.gating.rare_losses import CaseLosses
from referee.gating.sides.compared import Compared
from referee.measures import Measure, measure_named
from referee.measures.formulas.paired_counts import PairedCounts
from referee.measures.shares import ShareMeasure

__all__ = ["PredictionSides", "task_of_measure"]


@dataclass(frozen=True, kw_only=True, eq=False)
class PredictionSides:
    """Predicted classes of the same cases; see `Sides`."""

    names: tuple[str, str]
    truth: Any
    answers: Mapping[str, Any]
    scores: Mapping[str, Any] | None = None
    labels: tuple[Any, ...] | None = None
    groups: Any = None
    ids: Anything | None = None
    measure_asked: Any = "error"
    options: Mapping[str, Any] | None = None
    columns: Callable[[str], Anything] | None = None
    called: str = ""
    interval: str = "auto"

    @property
    def n(self) -> int:
        """How many cases there are."""
        return len(self.truth)

    @cached_property
    def _plain(self) -> Comparison:
        return self._compared(GateQuestion(claim="better"))

    @cached_property
    def _measure(self) -> Measure:
        asked = self.measure_asked
        return measure_named(asked) if isinstance(asked, str) else self._plain.measure

    @property
    def measure(self) -> str:
        """What is compared."""
        return self.called or self._measure.name

    @property
    def percent(self) -> bool:
        """Whether values are read as percentages."""
        return self._measure.percent

    @property
    def scale(self) -> float:
        """The largest difference there can be."""
        return 1.0 if self.percent else float(self._measure.widest)

    @property
    def counts(self) -> PairedCounts | None:
        """Cases by who was right, the candidate first; None where errors are not compared."""
        if self.groups is not None or not self._measure.counts_all_cases:
            return None
        truth = np.asarray(self.truth)
        candidate, baseline = (np.asarray(self.answers[n]) != truth for n in reversed(self.names))
        return PairedCounts.of(candidate, baseline)

    @property
    def asked(self) -> Mapping[str, Any]:
        """Which class is positive, and what errors cost."""
        given, measure = self.options or {}, self._measure
        positive = given.get("pos_label")
        if isinstance(measure, ShareMeasure) and measure.whose:
            positive = self._positive(measure)
        costs = given.get("costs")
        return {
            "positive class": None if positive is None else str(positive),
            "costs": None if costs is None else str(costs),
        }

    @property
    def exact(self) -> bool:
        """Whether both are compared by an exact test: shares of independent cases."""
        return self.groups is None and self._measure.counts_cases

    @property
    def losses(self) -> CaseLosses | None:
        """What the candidate loses more, case by case; None where it is no mean of that."""
        measure = self._measure
        if not measure.is_mean_loss:
            return None
        cases = self._cases
        return CaseLosses(
            values=cases.sample.differences,
            bound=cases.bound,
            groups=cases.sample.difference_groups,
        )

    @property
    def room(self) -> float | None:
        """Not told: a better answer gains as much as its case weighs, which no score says."""
        return None

    @property
    def same_answers(self) -> bool:
        """Whether both give the same answers, and scores, on all cases."""
        baseline, candidate = self.names
        given = [self.answers, *([] if self.scores is None else [self.scores])]
        return all(
            np.array_equal(np.asarray(values[baseline]), np.asarray(values[candidate]))
            for values in given
        )

    @property
    def classes(self) -> Mapping[str, int]:
        """Cases by their right answer; empty for quantities."""
        numeric = self._measure.numeric
        if numeric is None:  # a function of the user's own, which takes either
            numeric = self._plain.predictions[self.names[0]].numeric
        if numeric:
            return {}
        labels, counts = np.unique(np.asarray(self.truth).astype(str), return_counts=True)
        return dict(zip(labels.tolist(), counts.tolist(), strict=True))

    @cached_property
    def _in_order(self) -> InOrder:
        measure = self._measure
        bounded = measure.counts_cases or measure.bounded_loss
        if not (measure.is_mean_loss and bounded):
            raise Refusal(
                f"no decision that holds at all times is known for {self.measure}",
                concerning="measure",
                remedy=f"use {arg('measure', 'error')}, 'accuracy', 'recall', 'specificity', "
                f"'brier' or 'cost', or leave out {named('sequential')}",
            )
        return self._cases

    @cached_property
    def _cases(self) -> InOrder:
        plain = self._plain
        assert plain.grounds is not None
        question = replace(plain.grounds.question, sequential=True)
        candidate, baseline = (plain.predictions[name] for name in reversed(self.names))
        return InOrder(candidate, baseline, question)

    @property
    def excess(self) -> Floats:
        """What the candidate loses more than the baseline, case by case."""
        return self._in_order.differences

    @property
    def bound(self) -> float:
        """The largest excess of one case."""
        return self._in_order.bound

    @property
    def cases(self) -> str:
        """A fingerprint of the cases: their names and right answers.

        Cases without names are known by what stands there row by row, the baseline's answers too.
        """
        if self.ids is None:
            return self.content
        truth = [str(v) for v in np.asarray(self.truth).tolist()]
        return fingerprint(sorted(zip(map(str, self.ids.tolist()), truth, strict=True)))

    @property
    def content(self) -> str:
        """A fingerprint of right answers and the baseline's, row by row, without names."""
        columns = [np.asarray(v).tolist() for v in (self.truth, self.answers[self.names[0]])]
        scores = None if self.scores is None else np.asarray(self.scores[self.names[0]])
        return fingerprint([*([str(v) for v in values] for values in columns), scores])

    @property
    def candidate_print(self) -> str:
        """A fingerprint of the candidate's answers."""
        return fingerprint([self.cases, *self._answer])

    @property
    def _answer(self) -> tuple[list[str], Anything | None]:
        """The candidate's answers and scores."""
        name = self.names[1]
        said = [str(v) for v in np.asarray(self.answers[name]).tolist()]
        scores = None if self.scores is None else np.asarray(self.scores[name])
        if self.ids is not None:  # the order of rows says nothing
            order = np.argsort(np.array([str(i) for i in self.ids.tolist()]), kind="stable")
            said = [said[i] for i in order]
            scores = None if scores is None else scores[order]
        return said, scores

    @property
    def use(self) -> tuple[str, str]:
        """The cases, whatever is measured on them, and the candidate's answers and scores."""
        said, scores = self._answer
        own = fingerprint(said)
        return self.cases, own if scores is None else f"{own} {fingerprint([scores])}"

    @property
    def findings(self) -> tuple[Finding, ...]:
        """What is wrong or odd about the data of both."""
        return tuple(self._plain.findings)

    def keep(self, rows: Flags) -> PredictionSides:
        """Return the marked cases only."""

        def each(given: Mapping[str, Any]) -> dict[str, Any]:
            return {name: np.asarray(values)[rows] for name, values in given.items()}

        return replace(
            self,
            truth=np.asarray(self.truth)[rows],
            answers=each(self.answers),
            scores=None if self.scores is None else each(self.scores),
            groups=None if self.groups is None else np.asarray(self.groups)[rows],
            ids=None if self.ids is None else self.ids[rows],
            columns=None,
        )

    def one_by_one(self) -> PredictionSides:
        """Return the cases that a ledger takes: for a rate of one class those of that class.

        Recall is the accuracy on positive cases, which class against the rest is right or wrong
        about; other cases say nothing about it.
        """
        asked = self.measure_asked
        measure = measure_named(asked) if isinstance(asked, str) else None
        whose = measure.whose if isinstance(measure, ShareMeasure) else ""
        if measure is None or not whose:
            return self
        positive = self._positive(measure)
        is_positive = {name: _equals(values, positive) for name, values in self.answers.items()}
        truth = _equals(self.truth, positive)
        kept = replace(
            self,
            truth=truth,
            answers=is_positive,
            scores=None,
            labels=(False, True),
            measure_asked="accuracy" if measure.greater_is_better else "error",
            options=None,
            called=measure.name,
        )
        return kept.keep(truth if whose == "positive" else ~truth)

    def unshown(self) -> PredictionSides:
        """Return the cases for an answer without figures: of errors the quickest interval does."""
        return self if self.counts is None else replace(self, interval="tango")

    def _positive(self, measure: Measure) -> Any:
        """Return the positive class, which a night's cases may lack."""
        stated = (self.options or {}).get("pos_label")
        classes = self.labels or tuple(np.unique(np.asarray(self.truth)).tolist())
        if len(classes) > 1:
            positive = positive_class(classes, stated)
        else:
            positive = 1 if stated is None and set(classes) <= {-1, 0, 1} else stated
        if positive is None:
            raise InputError(
                f"{measure.name} needs to know which class is positive",
                remedy=f"name it with {arg('pos_label')}",
            )
        return positive

    def column(self, name: str) -> Anything:
        """Return what a column of the files says of each case, as text."""
        if self.columns is None:
            raise InputError(f"there is no column {name!r}; slices need files", concerning="slices")
        return self.columns(name)

    def refuse_dependent(self) -> None:
        """Refuse groups."""
        if self.groups is not None:
            raise Refusal(
                f"{named('sequential')} takes cases as independent of each other, and "
                f"{named('groups')} says that they are not",
                concerning="sequential",
                remedy="have one case of each group, or leave one of both out",
            )

    def compare(self, question: GateQuestion) -> Compared:
        """Hold the candidate against the baseline."""
        comparison = self._compared(question)
        (pair,) = comparison.pairs
        return Compared(
            verdict=comparison.verdict,
            difference=pair.difference,
            candidate=comparison.estimates[self.names[1]],
            baseline=comparison.estimates[self.names[0]],
            evidence=pair.evidence,
            against_margin=pair.equivalence,
            result=comparison,
            reservation=pair.reservation,
        )

    def _compared(self, question: GateQuestion) -> Comparison:
        # A comparison speaks of its first model; that is the candidate.
        order = (self.names[1], self.names[0])
        return compare_predictions(
            self.truth,
            {name: self.answers[name] for name in order},
            y_scores=None if self.scores is None else {n: self.scores[n] for n in order},
            labels=None if self.labels is None else list(self.labels),
            groups=self.groups,
            measure=self.measure_asked,
            interval=self.interval,
            rope=question.rope,
            claim=question.claim,
            level=question.level,
            task=task_of_measure(self.measure_asked),
            **(self.options or {}),
        )


def task_of_measure(asked: Any) -> str:
    """Return what must have been predicted for a measure to suit; "auto" where either may.

    Examples
    --------
    >>> task_of_measure("rmse"), task_of_measure("error")
    ('regression', 'auto')
    """
    measure = measure_named(asked) if isinstance(asked, str) else asked
    return "regression" if getattr(measure, "numeric", None) is True else "auto"


def _equals(values: Any, label: Any) -> Flags:
    return np.array([str(v) == str(label) for v in np.asarray(values).tolist()], dtype=bool)
