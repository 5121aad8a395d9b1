"""The sentence of a comparison: who is better, by how much, how sure, or what was missing."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace

from scipy import stats

from referee.comparing.comparison import Pair, Standing
from referee.comparing.contrast_pair import mirrored
from referee.comparing.question import Question
from referee.core.numbers import level_text, p_text, signed_span, size_text
from referee.core.results import Evidence, Finding, Outcome, Severity, Verdict
from referee.significance.multiplicity import CATALOGUE as ADJUSTMENTS

__all__ = ["TEST_TITLES", "settle", "verdict_of"]

TEST_TITLES = {
    "mcnemar-exact": "exact McNemar",
    "mcnemar-midp": "mid-p McNemar",
    "mcnemar-asymptotic": "asymptotic McNemar",
    "group-flip": "exact group-flip",
    "delong-paired": "paired DeLong",
    "delong-unpaired": "unpaired DeLong",
    "paired-bootstrap": "paired bootstrap",
    "boschloo": "Boschloo",
    "barnard": "Barnard",
    "fisher": "Fisher",
    "two-sample-z": "two-sample z",
    "calibrated-t": "halves-calibrated t",
    "corrected-t": "corrected t",
    "kfold-t": "k-fold t",
    "5x2cv-t": "5x2cv t",
    "5x2cv-f": "5x2cv F",
}


def settle(pairs: Sequence[Pair], question: Question) -> tuple[Pair, ...]:
    """Return the pairs with p-values raised for their number, and their outcomes.

    A pair that cannot be decided counts as one with p = 1: its own p-value is none, and must not
    make it easier for the others.
    """
    form = ADJUSTMENTS[question.adjust]
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
    if question.claim == "non-inferior":
        return Outcome.PASS if alike else Outcome.UNDECIDED
    if alike:
        return Outcome.EQUIVALENT
    if pair.p_adjusted <= question.alpha and pair.difference.value != 0:
        first = (pair.difference.value > 0) == question.measure.greater_is_better
        return Outcome.FIRST if first else Outcome.SECOND
    return Outcome.UNDECIDED


def verdict_of(
    pairs: Sequence[Pair],
    places: Sequence[Standing],
    question: Question,
    findings: Sequence[Finding],
    what: str,
) -> Verdict:
    """Return the outcome and the sentence; `what` names the kind of cases, as "test cases"."""
    judge = _of_two if len(places) == 2 else _of_many
    made = judge(pairs, places, question, what)
    serious = [f for f in findings if f.severity is Severity.SERIOUS]
    if not serious:
        return made
    why = " and ".join(f"{f.code} ({f.title})" for f in serious)
    return Verdict(
        outcome=Outcome.UNDECIDED,
        sentence=f"{made.sentence.rstrip('.')}. Not a result while {why} stands.",
    )


def _of_two(pairs: Sequence[Pair], _: Sequence[Standing], question: Question, what: str) -> Verdict:
    (pair,) = pairs
    seen = _difference(pair, question)
    if pair.reservation:
        text = f"No verdict on {pair.first} and {pair.second} ({seen}): {pair.reservation}."
        return Verdict(outcome=Outcome.UNDECIDED, sentence=text)
    text = {
        Outcome.FIRST: f"{pair.first} is better than {pair.second}: {seen}",
        Outcome.SECOND: f"{pair.second} is better than {pair.first}: {seen}",
        Outcome.EQUIVALENT: f"{pair.first} and {pair.second} are equivalent within "
        f"{_size(question.rope, question)}: {seen}",
        Outcome.PASS: f"{pair.first} is not worse than {pair.second} by more than "
        f"{_size(question.rope, question)}: {seen}",
        Outcome.UNDECIDED: f"{_not_shown(pair, question)}: {seen}",
    }[pair.outcome]
    return Verdict(outcome=pair.outcome, sentence=f"{text}; {power_line(pair, question, what)}.")


def _not_shown(pair: Pair, question: Question) -> str:
    if question.claim == "non-inferior":
        return (
            f"{pair.first} was not shown to be no worse than {pair.second} by more than "
            f"{_size(question.rope, question)}"
        )
    if pair.counts is not None and pair.counts.discordant == 0:
        return (
            f"{pair.first} and {pair.second} are right and wrong on the same cases, so these "
            "cannot tell them apart"
        )
    both = f"between {pair.first} and {pair.second}"
    if question.rope > 0:
        size = _size(question.rope, question)
        return f"Neither a difference nor equivalence within {size} was shown {both}"
    return f"No difference was shown {both}"


def _difference(pair: Pair, question: Question) -> str:
    """Say whose value is lower or higher, by how much, with interval and p."""
    d, title = pair.difference, question.measure.title
    p = _tested(pair, question)
    if math.isnan(d.value):
        return f"{title} undefined"
    if d.value == 0:
        between = ""
        if d.interval is not None:
            low, high = d.interval.low, d.interval.high
            between = f" ({level_text(d.interval.level)} interval {_span(low, high, question)})"
        return f"the same {title}{between}, {p}"
    leads = (d.value > 0) == question.measure.greater_is_better
    whose = pair.first if leads else pair.second
    word = "higher" if question.measure.greater_is_better else "lower"
    between = ""
    if d.interval is not None:
        i = mirrored(d.interval, 1 if d.value > 0 else -1)
        between = f" ({level_text(i.level)} interval {_span(i.low, i.high, question)})"
    return f"{title} of {whose} {_size(abs(d.value), question)} {word}{between}, {p}"


def _tested(pair: Pair, question: Question) -> str:
    title = TEST_TITLES.get(pair.evidence.test, pair.evidence.test)
    text = f"{title} {p_text(pair.evidence.p_value)}"
    if question.pairs > 1:
        text += f", adjusted for {question.pairs} pairs {p_text(pair.p_adjusted)}"
    if pair.equivalence is not None:
        kind = "non-inferiority" if question.claim == "non-inferior" else "equivalence"
        text += f", {kind} {p_text(pair.equivalence.p_value)}"
    return text


def power_line(pair: Pair, question: Question, what: str = "cases") -> str:
    """Say what this comparison could have shown, and what the observed difference would need."""
    n = pair.evidence.n
    cases = f"{n} {what if n != 1 else what.replace('cases', 'case')}"
    if question.claim == "non-inferior" and pair.outcome is Outcome.UNDECIDED:
        return _power_of_margin(pair, question, cases)
    alpha = question.alpha / question.pairs
    undecided = pair.outcome is Outcome.UNDECIDED
    if undecided and pair.smallest_p is not None and pair.smallest_p > alpha:
        could = _too_few(pair, cases, alpha)
    elif pair.detectable is None:
        could = _unknown_power(pair, cases)
    else:
        could = f"{cases} could have shown {_size(pair.detectable, question)} (power 80 %)"
    open_ = pair.outcome is Outcome.UNDECIDED
    if pair.rows_needed is None or not open_ or math.isinf(pair.rows_needed):
        return could
    wanted = _size(abs(pair.difference.value), question)
    return f"{could}; to show {wanted} takes about {_rounded(pair.rows_needed)}"


def _power_of_margin(pair: Pair, question: Question, cases: str) -> str:
    """Say what it would take to show that the first model is not worse by more than the rope."""
    i, loss = pair.difference.interval, question.sign * pair.difference.value
    if i is None or i.width == 0 or math.isinf(i.width):
        return f"what {cases} could have shown is not known for this test"
    if loss >= question.rope:
        return f"in these {cases} the difference is not below the margin; more may not help"
    se = i.width / 2 / float(stats.norm.ppf((1 + i.level) / 2))
    reach = float(stats.norm.ppf(question.strictest) + stats.norm.ppf(0.8)) * se
    rows = pair.evidence.n * (reach / (question.rope - loss)) ** 2
    return f"{cases} are too few; to show it takes about {_rounded(max(rows, pair.evidence.n))}"


def _unknown_power(pair: Pair, cases: str) -> str:
    """Say why nothing can be said about what could have been shown."""
    if pair.difference.value == 0 and pair.difference.interval is None:
        return f"as the models never differ, {cases} cannot tell what others could have shown"
    if not pair.evidence.test.startswith("5x2cv"):
        return f"{cases} are too few to show any difference"
    return f"what {cases} could have shown is not known for this test; corrected-t would tell"


def _too_few(pair: Pair, cases: str, alpha: float) -> str:
    """Say that no outcome could have been significant, and the smallest p-value there is."""
    assert pair.smallest_p is not None
    if pair.evidence.test == "group-flip":
        least = _p(pair.smallest_p)
        return f"too few groups of {cases} tell them apart: the smallest p possible is {least}"
    ever = 2.0 ** (1 - pair.evidence.n)
    if ever > alpha:
        return f"{cases} are too few to ever show it: the smallest p possible is {_p(ever)}"
    apart = int(pair.counts.discordant) if pair.counts else 0
    if apart == 0:
        return f"none of {cases} tells them apart"
    tell = "tells" if apart == 1 else "tell"
    least = _p(pair.smallest_p)
    return f"only {apart} of {cases} {tell} them apart, so the smallest p possible is {least}"


def _p(p: float) -> str:
    return p_text(p).removeprefix("p = ")


def _of_many(
    pairs: Sequence[Pair], places: Sequence[Standing], question: Question, what: str
) -> Verdict:
    top = [s.name for s in places if s.tier == 1]
    if question.claim == "non-inferior":
        return _not_worse(pairs, question, what)
    if all(d.outcome is Outcome.EQUIVALENT for d in pairs):
        text = f"All {len(places)} models are equivalent within {_size(question.rope, question)}"
        return Verdict(outcome=Outcome.EQUIVALENT, sentence=f"{text} ({_largest(pairs)}).")
    reserved = next((d for d in pairs if d.reservation), None)
    note = f" No verdict where {reserved.reservation}." if reserved else ""
    own = [d for d in pairs if top[0] in (d.first, d.second)]
    if len(top) == 1 and all(d.better == top[0] for d in own):
        p = p_text(max(d.p_adjusted for d in own))
        text = (
            f"{top[0]} is better than each of the other {len(places) - 1} models: "
            f"{question.measure.title} {_value(places[0], question)}, largest adjusted {p}.{note}"
        )
        return Verdict(outcome=Outcome.FIRST, sentence=text)
    return Verdict(
        outcome=Outcome.UNDECIDED,
        sentence=_shared_place(top, pairs, places, question, what) + note,
    )


def _not_worse(pairs: Sequence[Pair], question: Question, what: str) -> Verdict:
    """Judge the first model against each of the others."""
    lost = [d for d in pairs if d.outcome is not Outcome.PASS]
    margin = _size(question.rope, question)
    if not lost:
        text = f"{pairs[0].first} is not worse than any of the other {len(pairs)} by more than "
        return Verdict(outcome=Outcome.PASS, sentence=f"{text}{margin} ({_largest(pairs)}).")
    others = _listed([d.second for d in lost])
    text = f"{pairs[0].first} was not shown to be no worse than {others} by more than {margin}"
    power = power_line(lost[0], question, what)
    text = f"{text} ({_largest(lost)}); against {lost[0].second} {power}."
    return Verdict(outcome=Outcome.UNDECIDED, sentence=text)


def _shared_place(
    top: Sequence[str],
    pairs: Sequence[Pair],
    places: Sequence[Standing],
    question: Question,
    what: str,
) -> str:
    ahead = next(d for d in pairs if {d.first, d.second} == {places[0].name, places[1].name})
    beaten = len(places) - len(top)
    rest = f"; {_counted(beaten, 'model')} shown to be worse than another" if beaten else ""
    return (
        f"No single best model: {_listed(top)} share the first place{rest}. The two best, "
        f"{places[0].name} and {places[1].name}: {_difference(ahead, question)}; "
        f"{power_line(ahead, question, what)}."
    )


def _largest(pairs: Sequence[Pair]) -> str:
    return "largest adjusted " + p_text(max(d.equivalence.p_value for d in pairs if d.equivalence))


def _value(place: Standing, question: Question) -> str:
    from referee.core.numbers import percent, plain

    return (percent if question.measure.percent else plain)(place.estimate.value)


def _size(value: float, question: Question) -> str:
    return size_text(value, percent=question.measure.percent)


def _span(low: float, high: float, question: Question) -> str:
    return signed_span(low, high, percent=question.measure.percent)


def _rounded(rows: float) -> str:
    """Round up to two digits: more would pretend a precision that planning does not have."""
    digits = max(0, len(str(int(rows))) - 2)
    step = 10**digits
    return f"{math.ceil(rows / step) * step:,} cases".replace(",", " ")


def _counted(count: int, noun: str) -> str:
    return f"{count} {noun} was" if count == 1 else f"{count} {noun}s were"


def _listed(names: Sequence[str], most: int = 6) -> str:
    if len(names) > most:
        return ", ".join(names[:most]) + f" and {len(names) - most} more"
    return ", ".join(names[:-1]) + f" and {names[-1]}" if len(names) > 1 else names[0]
