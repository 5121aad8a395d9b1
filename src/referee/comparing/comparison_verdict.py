"""The sentence of a comparison: who is better, by how much, how sure, or what was missing."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace

from referee.comparing.comparison import Pair, Standing
from referee.comparing.pairs.contrast_pair import mirrored
from referee.comparing.pairs.edge import edge_sentence
from referee.comparing.power_line import Terms, power_line
from referee.comparing.question import Question
from referee.core.results import Evidence, Finding, Outcome, Verdict
from referee.core.showing.counting import listed
from referee.core.showing.numbers import level_text, p_text, percent, plain, signed_span
from referee.significance.comparison_test import ComparisonTest

__all__ = ["pair_badge", "settle", "verdict_of"]


def settle(pairs: Sequence[Pair], question: Question) -> tuple[Pair, ...]:
    """Return the pairs with p-values raised for their number, and their outcomes.

    A pair that cannot be decided counts as one with p = 1: its own p-value is none, and must not
    make it easier for the others.
    """
    form = question.adjustment.raised
    raised = form([1.0 if d.reservation else d.evidence.p_value for d in pairs])
    alike = [d.equivalence.p_value if d.equivalence and not d.reservation else 1.0 for d in pairs]
    settled = [
        replace(d, p_adjusted=float(p), equivalence=_raised(d, float(q)))
        for d, p, q in zip(pairs, raised, form(alike), strict=True)
    ]
    return tuple(replace(d, outcome=_outcome(d, question)) for d in settled)


def _raised(pair: Pair, p: float) -> Evidence | None:
    return replace(pair.equivalence, p_value=p) if pair.equivalence else None


def _outcome(pair: Pair, question: Question) -> Outcome:
    if pair.reservation:
        return Outcome.UNDECIDED
    alike = pair.equivalence is not None and pair.equivalence.p_value <= question.alpha
    different = pair.p_adjusted <= question.alpha and pair.difference.value != 0
    first = (pair.difference.value > 0) == question.measure.greater_is_better
    if question.claim == "non-inferior":
        if alike:
            return Outcome.PASS
        return Outcome.FAIL if different and not first else Outcome.UNDECIDED
    if alike:
        return Outcome.EQUIVALENT
    if different:
        return Outcome.FIRST if first else Outcome.SECOND
    return Outcome.UNDECIDED


def verdict_of(
    pairs: Sequence[Pair],
    places: Sequence[Standing],
    question: Question,
    test: ComparisonTest,
    findings: Sequence[Finding],
    what: str,
) -> Verdict:
    """Return the outcome and the sentence; `what` names the kind of cases, as "test cases"."""
    judge = _of_two if len(places) == 2 else _of_many
    verdict = judge(pairs, places, Terms(question, test, what))
    verdict = replace(
        verdict,
        outcome=_of_candidate(verdict.outcome, pairs, places, question),
        claim="" if question.claim == "difference" and len(places) > 2 else question.claim,
        badge=_badge(verdict.outcome, pairs, places),
    )
    return verdict.withheld(findings)


def _of_candidate(
    outcome: Outcome, pairs: Sequence[Pair], places: Sequence[Standing], question: Question
) -> Outcome:
    """Return SECOND where the first of several models was to be best, and another one is."""
    if question.claim != "better" or len(places) == 2 or outcome is not Outcome.FIRST:
        return outcome
    return Outcome.FIRST if places[0].name == pairs[0].first else Outcome.SECOND


def _badge(outcome: Outcome, pairs: Sequence[Pair], places: Sequence[Standing]) -> str:
    several = len(places) > 2 and outcome is Outcome.FIRST
    return f"{places[0].name} is best" if several else pair_badge(outcome, pairs[0].first)


def pair_badge(outcome: Outcome, first: str) -> str:
    """Return the outcome of two models in a few words that name the candidate.

    Examples
    --------
    >>> pair_badge(Outcome.SECOND, "new")
    'new is worse'
    """
    return {
        Outcome.FIRST: f"{first} is better",
        Outcome.SECOND: f"{first} is worse",
        Outcome.FAIL: f"{first} is worse",
        Outcome.PASS: f"{first} is not worse",
        Outcome.EQUIVALENT: "no difference that matters",
        Outcome.UNDECIDED: "UNDECIDED",
    }[outcome]


def _of_two(pairs: Sequence[Pair], _: Sequence[Standing], terms: Terms) -> Verdict:
    (pair,) = pairs
    seen = _difference(pair, terms)
    if pair.reservation:
        text = f"No verdict on {pair.first} and {pair.second} ({seen}): {pair.reservation}."
        return Verdict(outcome=Outcome.UNDECIDED, sentence=text)
    text = {
        Outcome.FIRST: f"{pair.first} is better than {pair.second}: {seen}",
        Outcome.SECOND: f"{pair.second} is better than {pair.first}: {seen}",
        Outcome.EQUIVALENT: f"{pair.first} and {pair.second} are equivalent within "
        f"{terms.size(terms.question.rope)}: {seen}",
        Outcome.PASS: f"{pair.first} is not worse than {pair.second} by more than "
        f"{terms.size(terms.question.rope)}: {seen}",
        Outcome.FAIL: f"{pair.first} is worse than {pair.second}, and was not shown to be within "
        f"{terms.size(terms.question.rope)}: {seen}",
        Outcome.UNDECIDED: f"{_not_shown(pair, terms)}: {seen}",
    }[pair.outcome]
    edge = edge_sentence(pair.difference, pair.evidence)
    return Verdict(outcome=pair.outcome, sentence=f"{text}; {power_line(pair, terms)}.{edge}")


def _not_shown(pair: Pair, terms: Terms) -> str:
    if terms.question.claim == "non-inferior":
        return (
            f"{pair.first} was not shown to be no worse than {pair.second} by more than "
            f"{terms.size(terms.question.rope)}"
        )
    if pair.counts is not None and pair.counts.discordant == 0:
        return (
            f"{pair.first} and {pair.second} are right and wrong on the same cases, so these "
            "cannot tell them apart"
        )
    both = f"between {pair.first} and {pair.second}"
    if terms.question.rope > 0:
        size = terms.size(terms.question.rope)
        return f"Neither a difference nor equivalence within {size} was shown {both}"
    return f"No difference was shown {both}"


def _difference(pair: Pair, terms: Terms) -> str:
    """Say whose value is lower or higher, by how much, with interval and p."""
    d, title = pair.difference, terms.question.measure.title
    p = _tested(pair, terms)
    if math.isnan(d.value):
        return f"{title} undefined"
    if d.value == 0:
        between = ""
        if d.interval is not None:
            low, high = d.interval.low, d.interval.high
            between = f" ({level_text(d.interval.level)} interval {_span(low, high, terms)})"
        return f"the same {title}{between}, {p}"
    leads = (d.value > 0) == terms.question.measure.greater_is_better
    whose = pair.first if leads else pair.second
    word = "higher" if terms.question.measure.greater_is_better else "lower"
    between = ""
    if d.interval is not None:
        i = mirrored(d.interval, 1 if d.value > 0 else -1)
        between = f" ({level_text(i.level)} interval {_span(i.low, i.high, terms)})"
    return f"{title} of {whose} {terms.size(abs(d.value))} {word}{between}, {p}"


def _tested(pair: Pair, terms: Terms) -> str:
    text = f"{terms.test.short} {p_text(pair.evidence.p_value)}"
    if terms.question.pairs > 1:
        text += f", adjusted for {terms.question.pairs} pairs {p_text(pair.p_adjusted)}"
    if pair.equivalence is not None:
        kind = "non-inferiority" if terms.question.claim == "non-inferior" else "equivalence"
        text += f", {kind} {p_text(pair.equivalence.p_value)}"
    return text


def _of_many(pairs: Sequence[Pair], places: Sequence[Standing], terms: Terms) -> Verdict:
    top = [s.name for s in places if s.tier == 1]
    if terms.question.claim == "non-inferior":
        return _not_worse(pairs, terms)
    if all(d.outcome is Outcome.EQUIVALENT for d in pairs):
        text = f"All {len(places)} models are equivalent within {terms.size(terms.question.rope)}"
        return Verdict(outcome=Outcome.EQUIVALENT, sentence=f"{text} ({_largest(pairs)}).")
    reserved = next((d for d in pairs if d.reservation), None)
    note = f" No verdict where {reserved.reservation}." if reserved else ""
    own = [d for d in pairs if top[0] in (d.first, d.second)]
    if len(top) == 1 and all(d.better == top[0] for d in own):
        p = p_text(max(d.p_adjusted for d in own))
        text = (
            f"{top[0]} is better than each of the other {len(places) - 1} models: "
            f"{terms.question.measure.title} {_value(places[0], terms)}, largest adjusted "
            f"{p}.{note}"
        )
        return Verdict(outcome=Outcome.FIRST, sentence=text)
    return Verdict(
        outcome=Outcome.UNDECIDED,
        sentence=_shared_place(top, pairs, places, terms) + note,
    )


def _not_worse(pairs: Sequence[Pair], terms: Terms) -> Verdict:
    """Judge the first model against each of the others."""
    lost = [d for d in pairs if d.outcome is not Outcome.PASS]
    margin = terms.size(terms.question.rope)
    if not lost:
        text = f"{pairs[0].first} is not worse than any of the other {len(pairs)} by more than "
        return Verdict(outcome=Outcome.PASS, sentence=f"{text}{margin} ({_largest(pairs)}).")
    others = listed([d.second for d in lost])
    text = f"{pairs[0].first} was not shown to be no worse than {others} by more than {margin}"
    power = power_line(lost[0], terms)
    text = f"{text} ({_largest(lost)}); against {lost[0].second} {power}."
    worse = any(d.outcome is Outcome.FAIL for d in lost)
    return Verdict(outcome=Outcome.FAIL if worse else Outcome.UNDECIDED, sentence=text)


def _shared_place(
    top: Sequence[str],
    pairs: Sequence[Pair],
    places: Sequence[Standing],
    terms: Terms,
) -> str:
    ahead = next(d for d in pairs if {d.first, d.second} == {places[0].name, places[1].name})
    beaten = len(places) - len(top)
    rest = f"; {_counted(beaten, 'model')} shown to be worse than another" if beaten else ""
    return (
        f"No single best model: {listed(top)} share the first place{rest}. The two best, "
        f"{places[0].name} and {places[1].name}: {_difference(ahead, terms)}; "
        f"{power_line(ahead, terms)}."
    )


def _largest(pairs: Sequence[Pair]) -> str:
    return "largest adjusted " + p_text(max(d.equivalence.p_value for d in pairs if d.equivalence))


def _value(place: Standing, terms: Terms) -> str:
    return (percent if terms.question.measure.percent else plain)(place.estimate.value)


def _span(low: float, high: float, terms: Terms) -> str:
    return signed_span(low, high, percent=terms.question.measure.percent)


def _counted(count: int, noun: str) -> str:
    return f"{count} {noun} was" if count == 1 else f"{count} {noun}s were"
