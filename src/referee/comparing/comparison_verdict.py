"""The sentence of a comparison: who is better, by how much, how sure, or what was missing."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace

from scipy import stats

from referee.comparing.comparison import Duel, Standing
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


def settle(duels: Sequence[Duel], question: Question) -> tuple[Duel, ...]:
    """Return the duels with p-values raised for their number, and their outcomes.

    A duel that cannot be decided counts as one with p = 1: its own p-value is none, and must not
    make it easier for the others.
    """
    form = ADJUSTMENTS[question.adjust]
    raised = form([1.0 if d.reservation else d.evidence.p_value for d in duels])
    alike = [d.equivalence.p_value if d.equivalence and not d.reservation else 1.0 for d in duels]
    settled = [
        replace(d, p_adjusted=float(p), equivalence=_raised(d, float(q)))
        for d, p, q in zip(duels, raised, form(alike), strict=True)
    ]
    return tuple(replace(d, outcome=_outcome(d, question)) for d in settled)


def _raised(duel: Duel, p: float) -> Evidence | None:
    return replace(duel.equivalence, p_value=p) if duel.equivalence else None


def _outcome(duel: Duel, question: Question) -> Outcome:
    if duel.reservation:
        return Outcome.UNDECIDED
    alike = duel.equivalence is not None and duel.equivalence.p_value <= question.alpha
    if question.claim == "non-inferior":
        return Outcome.PASS if alike else Outcome.UNDECIDED
    if alike:
        return Outcome.EQUIVALENT
    if duel.p_adjusted <= question.alpha and duel.difference.value != 0:
        first = (duel.difference.value > 0) == question.measure.greater_is_better
        return Outcome.FIRST if first else Outcome.SECOND
    return Outcome.UNDECIDED


def verdict_of(
    duels: Sequence[Duel],
    places: Sequence[Standing],
    question: Question,
    findings: Sequence[Finding],
    what: str,
) -> Verdict:
    """Return the outcome and the sentence; `what` names the kind of cases, as "test cases"."""
    judge = _of_two if len(places) == 2 else _of_many
    made = judge(duels, places, question, what)
    serious = [f for f in findings if f.severity is Severity.SERIOUS]
    if not serious:
        return made
    why = " and ".join(f"{f.code} ({f.title})" for f in serious)
    return Verdict(
        outcome=Outcome.UNDECIDED,
        sentence=f"{made.sentence.rstrip('.')}. Not a result while {why} stands.",
    )


def _of_two(duels: Sequence[Duel], _: Sequence[Standing], question: Question, what: str) -> Verdict:
    (duel,) = duels
    seen = _difference(duel, question)
    if duel.reservation:
        text = f"No verdict on {duel.first} and {duel.second} ({seen}): {duel.reservation}."
        return Verdict(outcome=Outcome.UNDECIDED, sentence=text)
    text = {
        Outcome.FIRST: f"{duel.first} is better than {duel.second}: {seen}",
        Outcome.SECOND: f"{duel.second} is better than {duel.first}: {seen}",
        Outcome.EQUIVALENT: f"{duel.first} and {duel.second} are equivalent within "
        f"{_size(question.rope, question)}: {seen}",
        Outcome.PASS: f"{duel.first} is not worse than {duel.second} by more than "
        f"{_size(question.rope, question)}: {seen}",
        Outcome.UNDECIDED: f"{_not_shown(duel, question)}: {seen}",
    }[duel.outcome]
    return Verdict(outcome=duel.outcome, sentence=f"{text}; {power_line(duel, question, what)}.")


def _not_shown(duel: Duel, question: Question) -> str:
    if question.claim == "non-inferior":
        return (
            f"{duel.first} was not shown to be no worse than {duel.second} by more than "
            f"{_size(question.rope, question)}"
        )
    if duel.pairs is not None and duel.pairs.discordant == 0:
        return (
            f"{duel.first} and {duel.second} are right and wrong on the same cases, so these "
            "cannot tell them apart"
        )
    both = f"between {duel.first} and {duel.second}"
    if question.rope > 0:
        size = _size(question.rope, question)
        return f"Neither a difference nor equivalence within {size} was shown {both}"
    return f"No difference was shown {both}"


def _difference(duel: Duel, question: Question) -> str:
    """Say whose value is lower or higher, by how much, with interval and p."""
    d, title = duel.difference, question.measure.title
    p = _tested(duel, question)
    if math.isnan(d.value):
        return f"{title} undefined"
    if d.value == 0:
        between = ""
        if d.interval is not None:
            low, high = d.interval.low, d.interval.high
            between = f" ({level_text(d.interval.level)} interval {_span(low, high, question)})"
        return f"the same {title}{between}, {p}"
    leads = (d.value > 0) == question.measure.greater_is_better
    whose = duel.first if leads else duel.second
    word = "higher" if question.measure.greater_is_better else "lower"
    between = ""
    if d.interval is not None:
        i = mirrored(d.interval, 1 if d.value > 0 else -1)
        between = f" ({level_text(i.level)} interval {_span(i.low, i.high, question)})"
    return f"{title} of {whose} {_size(abs(d.value), question)} {word}{between}, {p}"


def _tested(duel: Duel, question: Question) -> str:
    title = TEST_TITLES.get(duel.evidence.test, duel.evidence.test)
    text = f"{title} {p_text(duel.evidence.p_value)}"
    if question.duels > 1:
        text += f", adjusted for {question.duels} duels {p_text(duel.p_adjusted)}"
    if duel.equivalence is not None:
        kind = "non-inferiority" if question.claim == "non-inferior" else "equivalence"
        text += f", {kind} {p_text(duel.equivalence.p_value)}"
    return text


def power_line(duel: Duel, question: Question, what: str = "cases") -> str:
    """Say what this comparison could have shown, and what the observed difference would need."""
    n = duel.evidence.n
    cases = f"{n} {what if n != 1 else what.replace('cases', 'case')}"
    if question.claim == "non-inferior" and duel.outcome is Outcome.UNDECIDED:
        return _power_of_margin(duel, question, cases)
    alpha = question.alpha / question.duels
    undecided = duel.outcome is Outcome.UNDECIDED
    if undecided and duel.smallest_p is not None and duel.smallest_p > alpha:
        could = _too_few(duel, cases, alpha)
    elif duel.detectable is None:
        could = _unknown_power(duel, cases)
    else:
        could = f"{cases} could have shown {_size(duel.detectable, question)} (power 80 %)"
    open_ = duel.outcome is Outcome.UNDECIDED
    if duel.rows_needed is None or not open_ or math.isinf(duel.rows_needed):
        return could
    wanted = _size(abs(duel.difference.value), question)
    return f"{could}; to show {wanted} takes about {_rounded(duel.rows_needed)}"


def _power_of_margin(duel: Duel, question: Question, cases: str) -> str:
    """Say what it would take to show that the first model is not worse by more than the rope."""
    i, loss = duel.difference.interval, question.sign * duel.difference.value
    if i is None or i.width == 0 or math.isinf(i.width):
        return f"what {cases} could have shown is not known for this test"
    if loss >= question.rope:
        return f"in these {cases} the difference is not below the margin; more may not help"
    se = i.width / 2 / float(stats.norm.ppf((1 + i.level) / 2))
    reach = float(stats.norm.ppf(question.strictest) + stats.norm.ppf(0.8)) * se
    rows = duel.evidence.n * (reach / (question.rope - loss)) ** 2
    return f"{cases} are too few; to show it takes about {_rounded(max(rows, duel.evidence.n))}"


def _unknown_power(duel: Duel, cases: str) -> str:
    """Say why nothing can be said about what could have been shown."""
    if duel.difference.value == 0 and duel.difference.interval is None:
        return f"as the models never differ, {cases} cannot tell what others could have shown"
    if not duel.evidence.test.startswith("5x2cv"):
        return f"{cases} are too few to show any difference"
    return f"what {cases} could have shown is not known for this test; corrected-t would tell"


def _too_few(duel: Duel, cases: str, alpha: float) -> str:
    """Say that no outcome could have been significant, and the smallest p-value there is."""
    assert duel.smallest_p is not None
    if duel.evidence.test == "group-flip":
        least = _p(duel.smallest_p)
        return f"too few groups of {cases} tell them apart: the smallest p possible is {least}"
    ever = 2.0 ** (1 - duel.evidence.n)
    if ever > alpha:
        return f"{cases} are too few to ever show it: the smallest p possible is {_p(ever)}"
    apart = int(duel.pairs.discordant) if duel.pairs else 0
    if apart == 0:
        return f"none of {cases} tells them apart"
    tell = "tells" if apart == 1 else "tell"
    least = _p(duel.smallest_p)
    return f"only {apart} of {cases} {tell} them apart, so the smallest p possible is {least}"


def _p(p: float) -> str:
    return p_text(p).removeprefix("p = ")


def _of_many(
    duels: Sequence[Duel], places: Sequence[Standing], question: Question, what: str
) -> Verdict:
    top = [s.name for s in places if s.tier == 1]
    if question.claim == "non-inferior":
        return _not_worse(duels, question, what)
    if all(d.outcome is Outcome.EQUIVALENT for d in duels):
        text = f"All {len(places)} models are equivalent within {_size(question.rope, question)}"
        return Verdict(outcome=Outcome.EQUIVALENT, sentence=f"{text} ({_largest(duels)}).")
    reserved = next((d for d in duels if d.reservation), None)
    note = f" No verdict where {reserved.reservation}." if reserved else ""
    own = [d for d in duels if top[0] in (d.first, d.second)]
    if len(top) == 1 and all(d.better == top[0] for d in own):
        p = p_text(max(d.p_adjusted for d in own))
        text = (
            f"{top[0]} is better than each of the other {len(places) - 1} models: "
            f"{question.measure.title} {_value(places[0], question)}, largest adjusted {p}.{note}"
        )
        return Verdict(outcome=Outcome.FIRST, sentence=text)
    return Verdict(
        outcome=Outcome.UNDECIDED,
        sentence=_shared_place(top, duels, places, question, what) + note,
    )


def _not_worse(duels: Sequence[Duel], question: Question, what: str) -> Verdict:
    """Judge the first model against each of the others."""
    lost = [d for d in duels if d.outcome is not Outcome.PASS]
    margin = _size(question.rope, question)
    if not lost:
        text = f"{duels[0].first} is not worse than any of the other {len(duels)} by more than "
        return Verdict(outcome=Outcome.PASS, sentence=f"{text}{margin} ({_largest(duels)}).")
    others = _listed([d.second for d in lost])
    text = f"{duels[0].first} was not shown to be no worse than {others} by more than {margin}"
    power = power_line(lost[0], question, what)
    text = f"{text} ({_largest(lost)}); against {lost[0].second} {power}."
    return Verdict(outcome=Outcome.UNDECIDED, sentence=text)


def _shared_place(
    top: Sequence[str],
    duels: Sequence[Duel],
    places: Sequence[Standing],
    question: Question,
    what: str,
) -> str:
    ahead = next(d for d in duels if {d.first, d.second} == {places[0].name, places[1].name})
    beaten = len(places) - len(top)
    rest = f"; {_counted(beaten, 'model')} shown to be worse than another" if beaten else ""
    return (
        f"No single best model: {_listed(top)} share the first place{rest}. The two best, "
        f"{places[0].name} and {places[1].name}: {_difference(ahead, question)}; "
        f"{power_line(ahead, question, what)}."
    )


def _largest(duels: Sequence[Duel]) -> str:
    return "largest adjusted " + p_text(max(d.equivalence.p_value for d in duels if d.equivalence))


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
