"""Two fixed models on the same cases as they come in: evidence and interval at all times.

Shares of cases (error, accuracy, rates of a class): the e-value of the cases on which exactly one
of the models errs, as a test; the betting sequence of the difference, as an interval. Mean losses
that have a bound (Brier score, cost): both by betting. A p-value is 1 over the greatest e-value
so far, and valid whenever one stops; so is any adjustment of several of them.
"""

from __future__ import annotations

import numpy as np

from referee.comparing.comparison import Duel
from referee.comparing.contrast_pair import difference_of, directed, mirrored
from referee.comparing.question import Question
from referee.core.arrays import Floats
from referee.core.predictions import Predictions
from referee.core.results import Evidence
from referee.errors import InputError, Refusal, arg, named
from referee.intervals.sequential import ConfidenceSequence, betting
from referee.judging.sequential import ASSUMPTIONS, bound_of, kept_and_wrong
from referee.judging.split_values import row_losses
from referee.measures import Kind
from referee.measures.pairs import Pairs
from referee.significance.sequential import (
    EProcess,
    difference_e_process,
    pair_e_process,
)

__all__ = ["check_sequential_pair", "difference_sequence", "pair_evidence", "sequential_duel"]


def check_sequential_pair(question: Question, *, paired: bool, grouped: bool, classes: int) -> None:
    """Refuse what cannot be judged at all times, before anything is computed."""
    here = arg("sequential", True)
    for argument, value in (("test", question.test), ("interval", question.interval)):
        if value != "auto":
            raise InputError(
                f"{arg(argument, value)} holds for a number of cases fixed in advance; leave it "
                f"out, or leave out {here}"
            )
    if not paired:
        raise Refusal(f"{here} compares models case by case; have both predict the same cases")
    if grouped:
        raise Refusal(
            f"{here} takes cases as independent of each other, and {named('groups')} says that "
            "they are not; have one case of each group, or decide on the number of cases first"
        )
    if not question.counts_cases and bound_of(question, classes) is None:
        raise Refusal(
            f"no test that holds at all times is known for {question.measure.name}; compare "
            f"{arg('measure', 'error')}, a rate of a class, 'brier' or 'cost', or leave out {here}"
        )


def sequential_duel(
    names: tuple[str, str], first: Predictions, second: Predictions, question: Question
) -> Duel:
    """Judge two fixed models by the cases as they came."""
    differences, bound = _differences(first, second, question)
    sequence = difference_sequence(first, second, question)
    pairs = None
    if question.counts_cases:
        kept, wrong = kept_and_wrong(first.unseen, question)
        _, also = kept_and_wrong(second.unseen, question)
        pairs = Pairs.of(wrong[kept], also[kept])
    process = pair_evidence(first, second, question)
    return Duel(
        first=names[0],
        second=names[1],
        difference=difference_of(
            question,
            question.sign * float(differences.mean()),
            mirrored(sequence.interval, question.sign),
            len(differences),
            ASSUMPTIONS,
        ),
        evidence=directed(process.evidence, question),
        equivalence=_against_rope(differences, bound, question),
        pairs=pairs,
        reservation=_reservation(process, differences, question),
    )


def _reservation(process: EProcess, differences: Floats, question: Question) -> str:
    """Say where the evidence was strongest for the model that is behind by now."""
    if process.p_value > question.alpha:
        return ""
    at = int(np.argmax(process.log_e))
    then, now = differences[: at + 1].sum(), differences.sum()
    if then * now > 0:
        return ""
    return (
        f"the evidence was strongest after {at + 1} cases and for the other model than now, which "
        "cases from one population hardly do"
    )


def pair_evidence(first: Predictions, second: Predictions, question: Question) -> EProcess:
    """Return the evidence that the models differ, after every case."""
    one, two = first.unseen, second.unseen
    if question.counts_cases:
        kept, wrong = kept_and_wrong(one, question)
        _, also = kept_and_wrong(two, question)
        return pair_e_process(wrong[kept], also[kept])
    differences, bound = _differences(first, second, question)
    return difference_e_process(differences, bounds=(-bound, bound), level=question.level)


def difference_sequence(
    first: Predictions, second: Predictions, question: Question
) -> ConfidenceSequence:
    """Return the intervals of the difference of mean losses, first minus second, over the cases."""
    differences, bound = _differences(first, second, question)
    return betting(differences, question.level, bounds=(-bound, bound))


def _differences(
    first: Predictions, second: Predictions, question: Question
) -> tuple[Floats, float]:
    """Return the differences of losses case by case, and how large one can be."""
    one, two = first.unseen, second.unseen
    if question.counts_cases:
        kept, wrong = kept_and_wrong(one, question)
        if not kept.any():
            why = question.measure.undefined
            raise InputError(f"{question.measure.name} is undefined here: {why}; compare another")
        _, also = kept_and_wrong(two, question)
        return wrong[kept].astype(float) - also[kept], 1.0
    bound = bound_of(question, len(one.classes))
    assert question.measure.kind is Kind.LOSS
    assert bound is not None
    losses = (np.clip(row_losses(t, question), 0.0, bound) for t in (one, two))
    return np.subtract(*losses), bound


def _against_rope(differences: Floats, bound: float, question: Question) -> Evidence | None:
    """Return the evidence that the difference lies within the rope, or not above it."""
    if question.rope == 0 or question.rope >= bound:
        return None
    below = difference_e_process(
        differences,
        margin=question.rope,
        bounds=(-bound, bound),
        alternative="less",
        level=question.level,
    ).evidence
    if question.claim == "non-inferior":
        return below
    above = difference_e_process(
        differences,
        margin=-question.rope,
        bounds=(-bound, bound),
        alternative="greater",
        level=question.level,
    ).evidence
    # Both must be shown, so the weaker one counts.
    weaker = max(below, above, key=lambda e: e.p_value)
    return Evidence(
        test=weaker.test,
        statistic=weaker.statistic,
        p_value=weaker.p_value,
        null=f"the mean difference is {question.rope:g} or more, in either direction",
        n=weaker.n,
        assumptions=weaker.assumptions,
    )
