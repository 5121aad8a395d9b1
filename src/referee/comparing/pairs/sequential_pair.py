"""Two fixed models on the same cases as they come in: evidence and interval at all times.

Shares of cases (error, accuracy, rates of a class): the e-value of the cases on which exactly one
of the models errs, as a test; the betting sequence of the difference, as an interval. Mean losses
that have a bound (Brier score, cost): both by betting. A p-value is 1 over the greatest e-value
so far, and valid whenever one stops; so is any adjustment of several of them.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from referee.comparing.comparison import Pair
from referee.comparing.pairs.contrast_pair import difference_of, directed, mirrored
from referee.comparing.pairs.fixed_pair import FixedSample
from referee.comparing.question import Question
from referee.core.arrays import Floats
from referee.core.predictions import Predictions
from referee.core.results import Evidence
from referee.intervals.sequential import ConfidenceSequence, betting
from referee.judging.estimating.sequential import ASSUMPTIONS
from referee.significance.comparison_test import ComparisonTest
from referee.significance.contrast import Contrast
from referee.significance.sequential import EProcess, difference_e_process, pair_e_process

__all__ = ["InOrder", "sequential_pair"]


@dataclass(frozen=True, eq=False)
class InOrder:
    """Unseen predictions of two models, case by case as they came; a `SequentialSample`."""

    first: Predictions
    second: Predictions
    question: Question

    @cached_property
    def sample(self) -> FixedSample:
        """The same cases without their order."""
        return FixedSample(self.first.unseen, self.second.unseen, self.question)

    @property
    def bound(self) -> float:
        """How large a difference of losses can be."""
        if self.question.counts_cases:
            return 1.0
        return self.question.measure.greatest_loss(len(self.first.classes), self.question.costs)

    @property
    def level(self) -> float:
        """The confidence level that stakes are set for."""
        return self.question.level

    @cached_property
    def differences(self) -> Floats:
        """Loss of the first model minus loss of the second."""
        # Probabilities may miss a sum of 1 by rounding, and their losses the bound.
        return np.clip(self.sample.differences, -self.bound, self.bound)

    @cached_property
    def sequence(self) -> ConfidenceSequence:
        """The intervals of the difference of mean losses, first minus second, over the cases."""
        return betting(self.differences, self.level, bounds=(-self.bound, self.bound))

    @cached_property
    def process(self) -> EProcess:
        """The evidence that the models differ, after every case."""
        if self.question.counts_cases:
            return pair_e_process(self.differences > 0, self.differences < 0)
        bounds = (-self.bound, self.bound)
        return difference_e_process(self.differences, bounds=bounds, level=self.level)

    def one_sided(self, margin: float, *, below: bool) -> Evidence:
        """Return the evidence that the mean difference is below, or above, a margin."""
        return difference_e_process(
            self.differences,
            margin=margin,
            bounds=(-self.bound, self.bound),
            alternative="less" if below else "greater",
            level=self.level,
        ).evidence


def sequential_pair(
    names: tuple[str, str],
    first: Predictions,
    second: Predictions,
    question: Question,
    test: ComparisonTest,
) -> Pair:
    """Judge two fixed models by their predictions of cases as they came."""
    cases = InOrder(first, second, question)
    outcome = test.outcome(cases)
    evidence = outcome.evidence() if isinstance(outcome, Contrast) else outcome
    return Pair(
        first=names[0],
        second=names[1],
        difference=difference_of(
            question,
            question.sign * float(cases.differences.mean()),
            mirrored(cases.sequence.interval, question.sign),
            len(cases.differences),
            ASSUMPTIONS,
        ),
        evidence=directed(evidence, question),
        equivalence=_equivalence(cases),
        counts=cases.sample.counts if question.counts_cases else None,
        reservation=_reservation(cases),
    )


def _reservation(cases: InOrder) -> str:
    """Say where the evidence was strongest for the model that is behind by now."""
    if cases.process.p_value > cases.question.alpha:
        return ""
    at = int(np.argmax(cases.process.log_e))
    then, now = cases.differences[: at + 1].sum(), cases.differences.sum()
    if then * now > 0:
        return ""
    return (
        f"the evidence was strongest after {at + 1} cases and for the other model than now, which "
        "cases from one population hardly do"
    )


def _equivalence(cases: InOrder) -> Evidence | None:
    """Return the evidence that the difference lies within the rope, or not above it."""
    rope = cases.question.rope
    if not 0 < rope < cases.bound:
        return None
    below = cases.one_sided(rope, below=True)
    if cases.question.claim == "non-inferior":
        return below
    # Both sides must be shown, so the weaker one counts.
    weaker = max(below, cases.one_sided(-rope, below=False), key=lambda e: e.p_value)
    null = f"the mean difference is {rope:g} or more, in either direction"
    return replace(weaker, null=null, alternative="two-sided")
