"""Cases to show that an error is small: planned at once, or tested one by one."""

from __future__ import annotations

from dataclasses import replace

from referee.core.results import Outcome, Verdict
from referee.core.showing.numbers import level_text, percent
from referee.planning.acceptance import AcceptancePlan, AcceptanceStep, acceptance_plan
from referee.planning.operating import fixed_rows
from referee.planning.sequential_acceptance import (
    SequentialPlan,
    sequential_plan,
)
from referee.planning.sizes.result import SampleSize, chance_text, widths

__all__ = ["acceptance_size", "with_sequential"]


def acceptance_size(
    error: float, confidence: float, failures: int | None, n: int | None, power: float, level: float
) -> SampleSize:
    """Return how many cases without a failure, or with a few, show the error."""
    acceptance = acceptance_plan(error, confidence, failures)
    return SampleSize(
        verdict=_acceptance_verdict(acceptance, n, failures),
        error=error,
        confidence=confidence,
        n=n,
        power=power,
        level=level,
        acceptance=acceptance,
        widths=() if n is None else widths(n, (error,), level),
        expected_errors=() if n is None else (error,),
    )


def with_sequential(
    fixed: SampleSize, error: float, confidence: float, most: int | None
) -> SampleSize:
    """Add the plan that stops as soon as it is clear, and say what it saves."""
    test = sequential_plan(error, confidence, most=most)
    outcomes = tuple(test.outcome(e) for e in test.default_errors)
    return replace(fixed, verdict=_sequential_verdict(test), sequential=test, outcomes=outcomes)


def _sequential_verdict(test: SequentialPlan) -> Verdict:
    claim = f"an error of at most {percent(test.max_error)} ({level_text(test.confidence)} sure)"
    if not test.pass_after:
        sentence = f"{test.most} cases cannot show {claim}, tested one by one."
        return Verdict(outcome=Outcome.UNDECIDED, sentence=sentence)
    half = test.outcome(test.max_error / 2)
    rows = fixed_rows(
        test.max_error, half.true_error, confidence=test.confidence, power=min(half.passes, 0.999)
    )
    beside = "" if rows is None else f" (a fixed plan that it passes as often takes {rows})"
    return Verdict(
        outcome=Outcome.PASS,
        sentence=f"Tested one by one, {test.pass_after[0]} cases without a failure show {claim}; "
        f"a model of half that error passes with probability {chance_text(half.passes)}, after "
        f"{half.expected:.0f} cases on average{beside}.",
    )


def _acceptance_verdict(acceptance: AcceptancePlan, n: int | None, failures: int | None) -> Verdict:
    sure = level_text(acceptance.confidence)
    claim = f"an error of at most {percent(acceptance.max_error)} ({sure} sure)"
    first = acceptance.steps[0]
    if n is None:
        sentence = f"{_cases(first)} show {claim}."
        if len(acceptance.steps) > 1:
            second = acceptance.steps[1]
            sentence = f"{_cases(first)} show {claim}; with one failure it takes {second.rows}."
        return Verdict(outcome=Outcome.PASS, sentence=sentence)
    if n < first.rows:
        sentence = f"{n} cases cannot show {claim}; {_cases(first)} could."
        return Verdict(outcome=Outcome.UNDECIDED, sentence=sentence)
    most = failures if failures is not None else _most_failures(acceptance, n)
    allowed = "no failure" if most == 0 else f"at most {most} failure{'s' if most > 1 else ''}"
    sentence = f"{n} cases show {claim} if there is {allowed} among them."
    if most > 1:
        sentence = sentence.replace("there is", "there are")
    return Verdict(outcome=Outcome.PASS, sentence=sentence)


def _most_failures(acceptance: AcceptancePlan, n: int) -> int:
    """Return the most failures among n cases that still show the error."""
    low, high = 0, n
    while high - low > 1:
        middle = (low + high) // 2
        if AcceptanceStep(middle, n).passes(acceptance.max_error) <= 1 - acceptance.confidence:
            low = middle
        else:
            high = middle
    return low


def _cases(step: AcceptanceStep) -> str:
    some = {0: "without a failure", 1: "with at most one failure"}
    return f"{step.rows} cases {some.get(step.failures, f'with at most {step.failures} failures')}"
