"""The sentence of a comparison of scores: who is better, by how much, and how sure."""

from __future__ import annotations

import math
from collections.abc import Sequence

from referee.comparing.comparison_verdict import pair_badge
from referee.comparing.pairs.contrast_pair import mirrored
from referee.comparing.pairs.edge import edge_sentence
from referee.comparing.power_line import cases_needed
from referee.comparing.scores.pair import ScoresPair
from referee.comparing.scores.question import ScoresQuestion
from referee.core.results import Finding, Outcome, Verdict
from referee.core.scores.score_numbers import Writing
from referee.core.scores.scores import Scores
from referee.core.showing.numbers import level_text, p_text
from referee.significance.score_tests import SCORE_TESTS

__all__ = ["difference_text", "pair_verdict", "power_text"]


def pair_verdict(
    pair: ScoresPair,
    question: ScoresQuestion,
    scores: Scores,
    write: Writing,
    findings: Sequence[Finding] = (),
) -> Verdict:
    """Return the outcome and the sentence for two models."""
    seen = difference_text(pair, question, scores, write)
    rope = write.size(question.rope)
    if pair.reservation:
        text = f"No verdict on {pair.first} and {pair.second} ({seen}): {pair.reservation}."
        return Verdict(outcome=Outcome.UNDECIDED, sentence=text)
    text = {
        Outcome.FIRST: f"{pair.first} is better than {pair.second}: {seen}",
        Outcome.SECOND: f"{pair.second} is better than {pair.first}: {seen}",
        Outcome.EQUIVALENT: f"{pair.first} and {pair.second} are equivalent within {rope}: {seen}",
        Outcome.PASS: f"{pair.first} is not worse than {pair.second} by more than {rope}: {seen}",
        Outcome.FAIL: f"{pair.first} is worse than {pair.second}, and was not shown to be within "
        f"{rope}: {seen}",
        Outcome.UNDECIDED: f"{_not_shown(pair, question, write)}: {seen}",
    }[pair.outcome]
    power = power_text(pair, write, question)
    verdict = Verdict(
        outcome=pair.outcome,
        sentence=(f"{text}; {power}." if power else f"{text}.")
        + edge_sentence(pair.difference, pair.evidence),
        claim=question.claim,
        badge=pair_badge(pair.outcome, pair.first),
    )
    return verdict.withheld(findings)


def _not_shown(pair: ScoresPair, question: ScoresQuestion, write: Writing) -> str:
    if question.claim == "non-inferior":
        return (
            f"{pair.first} was not shown to be no worse than {pair.second} by more than "
            f"{write.size(question.rope)}"
        )
    both = f"between {pair.first} and {pair.second}"
    if question.rope > 0:
        size = write.size(question.rope)
        return f"Neither a difference nor equivalence within {size} was shown {both}"
    return f"No difference was shown {both}"


def difference_text(
    pair: ScoresPair, question: ScoresQuestion, scores: Scores, write: Writing
) -> str:
    """Say whose mean is better, by how much, with interval and p."""
    d, what = pair.difference, f"mean {scores.name}"
    p = _tested(pair, question)
    n = pair.evidence.n
    where = f"{n} shared item{'s' * (n != 1)}" if pair.paired else "different items, not paired"
    if d.value == 0:
        between = _between(pair, write, 1)
        return f"the same {what}{between} on {where}, {p}"
    leads = (d.value > 0) == scores.greater_is_better
    whose = pair.first if leads else pair.second
    word = "higher" if scores.greater_is_better else "lower"
    sign = 1 if d.value > 0 else -1
    size = write.size(abs(d.value))
    return f"{what} of {whose} {size} {word}{_between(pair, write, sign)} on {where}, {p}"


def _between(pair: ScoresPair, write: Writing, sign: int) -> str:
    i = pair.difference.interval
    if i is None:
        return ""
    i = mirrored(i, sign)
    return f" ({level_text(i.level)} interval {write.apart(i.low, i.high)})"


def _tested(pair: ScoresPair, question: ScoresQuestion) -> str:
    test = pair.evidence.test
    title = SCORE_TESTS[test].short if test in SCORE_TESTS else test
    text = f"{title} {p_text(pair.evidence.p_value)}"
    if question.pairs > 1:
        text += f", adjusted for {question.pairs} pairs {p_text(pair.p_adjusted)}"
    if pair.equivalence is not None:
        kind = "non-inferiority" if question.claim == "non-inferior" else "equivalence"
        text += f", {kind} {p_text(pair.equivalence.p_value)}"
    return text


def power_text(pair: ScoresPair, write: Writing, question: ScoresQuestion) -> str:
    """Say what these items could detect, and what the observed difference would need."""
    n = pair.evidence.n
    items = f"{n} item{'s' if n != 1 else ''}"
    undecided = pair.outcome is Outcome.UNDECIDED
    alpha = question.alpha / question.pairs
    if undecided and pair.smallest_p is not None and pair.smallest_p > alpha:
        apart = int(pair.table.discordant) if pair.table else 0
        could = (
            f"only {apart} of {items} tell{'s' if apart == 1 else ''} them apart, so the smallest "
            f"p possible is {p_text(pair.smallest_p).removeprefix('p = ')}"
            if apart
            else f"none of {items} tells them apart"
        )
    elif pair.detectable is not None:
        size = write.size(pair.detectable)
        could = f"{items} could detect a difference of {size} with 80 % power"
    elif pair.paired:
        could = f"{items} are too few to show any difference" if undecided else ""
    else:
        could = ""
    needed = pair.items_needed
    if needed is None or not undecided or math.isinf(needed) or pair.difference.value == 0:
        return could
    start = f"{could}; to" if could else "to"
    many = cases_needed(needed, "items")
    return f"{start} show {write.size(abs(pair.difference.value))} takes {many}"
