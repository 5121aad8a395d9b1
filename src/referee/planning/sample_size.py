"""Planning a test before it is run: how many cases, or what these many can show."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from referee.core.machine.limits import MOST_CASES
from referee.core.results import Finding, Interval, Outcome, Verdict, check_level
from referee.core.showing.numbers import level_text, percent, size_text
from referee.core.showing.reportable import Reportable
from referee.errors import InputError, arg
from referee.intervals.one_set.proportion import clopper_pearson
from referee.planning.acceptance import AcceptancePlan, AcceptanceStep, acceptance_plan
from referee.planning.boschloo_power import MOST_EXACT, boschloo_power, boschloo_rows
from referee.planning.non_inferiority import non_inferiority_power, non_inferiority_rows
from referee.planning.operating import fixed_rows
from referee.planning.power import (
    connor_rows,
    detectable_difference,
    mcnemar_power,
    mcnemar_rows,
    two_sample_power,
    two_sample_rows,
)
from referee.planning.sequential_acceptance import (
    SequentialOutcome,
    SequentialPlan,
    sequential_plan,
)

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["Detectable", "SampleSize", "Scenario", "chance_text", "sample_size"]

_DISCORDANCES = (0.01, 0.02, 0.05, 0.1, 0.2)
_ERRORS = (0.01, 0.05, 0.1, 0.2, 0.5)
_NESTED = "nested errors"
_INDEPENDENT = "independent errors"
_DISJOINT = "no error in common"
_STATED = "the stated discordance"
_ALIKE = "the same error in truth"
_UNPAIRED = "different cases for each model"


@dataclass(frozen=True, kw_only=True)
class Scenario:
    """What a difference takes if the two models' errors overlap in one way.

    Attributes
    ----------
    name : str
        How the errors overlap, or "different cases for each model".
    discordance : float or None
        Share of cases that exactly one model answers rightly; None for different cases.
    formula : float
        Cases needed by the formula (Connor's, or Fleiss' for each model), not rounded.
    rows : int
        Cases needed: from so many on the exact test keeps the power; for different cases, above 100
        for each model, the formula rounded up.
    power : float or None
        The power with the stated n, where one was stated.
    """

    name: str
    discordance: float | None
    formula: float
    rows: int
    power: float | None = None

    @property
    def paired(self) -> bool:
        """Whether both models are tested on the same cases."""
        return self.discordance is not None


@dataclass(frozen=True)
class Detectable:
    """The smallest difference n cases show, at a share of discordant cases; None for none."""

    discordance: float
    difference: float | None


@dataclass(frozen=True, kw_only=True)
class SampleSize(Reportable):
    """How many cases a claim takes, or what a number of cases can show.

    Attributes
    ----------
    verdict : Verdict
        The answer in one sentence; PASS where the stated n (if any) is enough, else UNDECIDED.
    a, b : float or None
        The accuracies to be told apart.
    error, confidence : float or None
        The error to be shown, and how surely.
    n : int or None
        The cases there are.
    power, level : float
        The wanted power, and the confidence level of tests and intervals.
    scenarios : tuple of Scenario
        For a and b: how the errors may overlap, the best first.
    acceptance : AcceptancePlan or None
        For an error: cases by failures allowed.
    sequential : SequentialPlan or None
        For an error, where it was asked for: a test that stops as soon as it is clear.
    outcomes : tuple of SequentialOutcome
        What that test does with models of some true errors.
    detectable : tuple of Detectable
        For n: the differences it shows.
    widths : tuple of Interval
        For n: the exact intervals around some errors.
    margin : float or None
        How much worse a model may be, where that is to be shown.
    """

    verdict: Verdict
    power: float
    level: float
    a: float | None = None
    b: float | None = None
    error: float | None = None
    confidence: float | None = None
    n: int | None = None
    paired: bool = True
    scenarios: tuple[Scenario, ...] = ()
    acceptance: AcceptancePlan | None = None
    sequential: SequentialPlan | None = None
    outcomes: tuple[SequentialOutcome, ...] = ()
    detectable: tuple[Detectable, ...] = ()
    widths: tuple[Interval, ...] = ()
    expected_errors: tuple[float, ...] = ()
    findings: tuple[Finding, ...] = ()
    margin: float | None = None

    __str__ = Reportable.__str__

    def __repr__(self) -> str:
        return f"<SampleSize: {self.verdict.sentence}>"

    def frame(self) -> pd.DataFrame:
        """Return the main table: scenarios, else the acceptance plan, else what n can show."""
        import pandas as pd

        if self.scenarios:
            return pd.DataFrame([vars(s) for s in self.scenarios])
        if self.acceptance is not None:
            return self.acceptance.frame()
        return pd.DataFrame([vars(d) for d in self.detectable])


def sample_size(
    *,
    a: float | None = None,
    b: float | None = None,
    error: float | None = None,
    confidence: float | None = None,
    failures: int | None = None,
    n: int | None = None,
    discordance: float | None = None,
    power: float = 0.8,
    level: float = 0.95,
    paired: bool = True,
    sequential: bool = False,
    most: int | None = None,
    non_inferior: float | None = None,
) -> SampleSize:
    """Say how many cases a claim takes, or what a number of cases can show.

    Parameters
    ----------
    a, b : float
        Accuracies of two models that are to be told apart, for example 0.99 and 0.995.
    error : float
        Or: the error that is to be shown not to be exceeded, for example 0.01.
    confidence : float, optional
        How surely the error is to be shown; `level` by default.
    failures : int, optional
        Errors that may happen on the way; by default a plan for each of 0 to 5.
    n : int, optional
        The cases there are: how much power do they have? Alone: what differences can they show,
        and how wide are intervals?
    discordance : float, optional
        Share of cases that exactly one of two models answers rightly, where it is known.
    power : float
        The probability with which a real difference is to be shown.
    level : float
        Confidence level; tests use alpha = 1 - level.
    paired : bool
        Whether both models are tested on the same cases.
    sequential : bool
        For an error: also plan a test that stops as soon as it is clear.
    most : int, optional
        After how many cases that test gives up.
    non_inferior : float, optional
        Or: the margin by which a model may be worse, to be shown of one that is as good.

    Examples
    --------
    >>> answer = sample_size(a=0.99, b=0.995)
    >>> [(s.name, s.rows) for s in answer.scenarios]
    [('nested errors', 1580), ('independent errors', 4944), ('no error in common', 4979),
     ('different cases for each model', 4673)]
    >>> sample_size(error=0.01).acceptance.steps[0].rows
    299
    >>> sample_size(non_inferior=0.01, discordance=0.05).scenarios[0].rows
    3162
    >>> sample_size(n=1000, discordance=0.1).detectable[0].difference is None
    False
    """
    check_level(level)
    _between("power", power)
    if n is not None:
        n = _whole("n", n)
        if n > MOST_CASES:
            raise InputError(
                f"must be at most {MOST_CASES}",
                argument="n",
                value=str(n),
                remedy="so many cases show whatever matters",
            )
    if error is None and (sequential or most is not None):
        raise InputError(
            f"{arg('sequential', True)} plans a test that shows an error",
            concerning="sequential",
            remedy=f"pass the error too, as {arg('error', 0.01)}",
        )
    if most is not None and not sequential:
        raise InputError(
            "ends a sequential test", argument="most", remedy=f"pass {arg('sequential', True)} too"
        )
    if non_inferior is not None:
        if a is not None or b is not None or error is not None:
            raise InputError(
                f"{arg('non_inferior', non_inferior)} is a question of its own",
                concerning="non_inferior",
                remedy="leave out the accuracies and the error",
            )
        return _non_inferior(non_inferior, n, discordance, power, level)
    if (a is None) != (b is None):
        raise InputError(
            "a and b are two accuracies",
            concerning="a",
            remedy=f"pass both, for example {arg('a', 0.99)}, {arg('b', 0.995)}",
        )
    if a is not None and b is not None:
        if error is not None:
            raise InputError(
                "a and b ask for a difference, error for an acceptance plan",
                concerning="a",
                remedy="pass one of them",
            )
        return _difference(a, b, n, discordance, power, level, paired)
    if error is not None:
        sure = level if confidence is None else confidence
        fixed = _acceptance(error, sure, failures, n, power, level)
        return _with_sequential(fixed, error, sure, most) if sequential else fixed
    if n is not None:
        return _with_cases(n, discordance, power, level)
    raise InputError(
        "nothing to go by",
        concerning="error",
        remedy=(
            f"pass two accuracies ({arg('a', 0.99)}, {arg('b', 0.995)}), an error to show "
            f"({arg('error', 0.01)}), a margin ({arg('non_inferior', 0.01)}) or the cases "
            f"there are ({arg('n', 800)})"
        ),
    )


def _non_inferior(
    margin: float, n: int | None, discordance: float | None, power: float, level: float
) -> SampleSize:
    """Plan to show that a model, as good in truth, is not worse by more than a margin."""
    shares = _DISCORDANCES if discordance is None else (discordance,)
    scenarios = []
    for psi in shares:
        formula = non_inferiority_rows(margin, psi, power=power, alpha=1 - level)
        held = None
        if n is not None:
            held = non_inferiority_power(n, margin, psi, alpha=1 - level)
        scenarios.append(
            Scenario(
                name=_ALIKE, discordance=psi, formula=formula, rows=math.ceil(formula), power=held
            )
        )
    return SampleSize(
        verdict=_margin_verdict(margin, n, power, scenarios),
        n=n,
        power=power,
        level=level,
        scenarios=tuple(scenarios),
        margin=margin,
    )


def _margin_verdict(
    margin: float, n: int | None, power: float, scenarios: list[Scenario]
) -> Verdict:
    claim = f"that a model as good as another is not worse by more than {size_text(margin)}"
    first, last = scenarios[0], scenarios[-1]
    where = [
        f"{s.rows} cases where they disagree on {percent(s.discordance or 0)}"
        for s in dict.fromkeys((first, last))
    ]
    if n is None:
        text = f"To show {claim} with probability {level_text(power)} takes {' and '.join(where)}."
        return Verdict(outcome=Outcome.PASS, sentence=text)
    chances = [s.power or 0.0 for s in scenarios]
    between = " to ".join(dict.fromkeys(chance_text(p) for p in (min(chances), max(chances))))
    enough = min(chances) >= power
    tail = "enough" if enough else f"{last.rows} cases are needed at worst"
    return Verdict(
        outcome=Outcome.PASS if enough else Outcome.UNDECIDED,
        sentence=f"{n} cases show {claim} with probability {between}, by how often they "
        f"disagree: {tail}.",
    )


_CLOSEST = 1e-9


def _difference(
    a: float,
    b: float,
    n: int | None,
    discordance: float | None,
    power: float,
    level: float,
    paired: bool,
) -> SampleSize:
    for name, value in (("a", a), ("b", b)):
        if not 0 <= value <= 1:
            raise InputError(
                "must be a share between 0 and 1",
                argument=name,
                value=f"{value:g}",
                remedy=f"for {value:g} % write {value / 100:g}" if 1 < value <= 100 else "",
            )
    if a != b and abs(a - b) < _CLOSEST:
        raise InputError(
            f"a and b must differ by at least {_CLOSEST:g}, got {a:g} and {b:g}; a smaller "
            "difference takes more cases than any test set has",
            concerning="a",
        )
    if a == b:
        raise InputError(
            f"a and b must differ, got {a:g} twice; no number of cases shows a difference that is "
            "not there",
            concerning="a",
        )
    scenarios = []
    if paired:
        scenarios = [
            _paired_scenario(name, psi, abs(a - b), n, power, 1 - level)
            for name, psi in _overlaps(a, b, discordance)
        ]
    scenarios.append(_unpaired_scenario(a, b, n, power, 1 - level))
    return SampleSize(
        verdict=_difference_verdict(a, b, n, power, scenarios),
        a=a,
        b=b,
        n=n,
        power=power,
        level=level,
        paired=paired,
        scenarios=tuple(scenarios),
        widths=() if n is None else _widths(n, (1 - a, 1 - b), level),
        expected_errors=() if n is None else (1 - a, 1 - b),
    )


def _overlaps(a: float, b: float, stated: float | None) -> list[tuple[str, float]]:
    """Return the shares of discordant cases that two accuracies allow, the smallest first."""
    low, high = min(a, b), max(a, b)
    least, most = high - low, min(low + high, (1 - low) + (1 - high))
    if stated is not None:
        if not least - 1e-12 <= stated <= most + 1e-12:
            raise InputError(
                f"must lie between {least:g} and {most:g} for accuracies of {a:g} and {b:g}",
                argument="discordance",
                value=f"{stated:g}",
            )
        return [(_STATED, min(max(stated, least), most))]
    return [
        (_NESTED, least),
        (_INDEPENDENT, low * (1 - high) + high * (1 - low)),
        (_DISJOINT if a + b >= 1 else "no right answer in common", most),
    ]


def _paired_scenario(
    name: str, psi: float, delta: float, n: int | None, power: float, alpha: float
) -> Scenario:
    shares = (psi + delta) / 2, max(0.0, (psi - delta) / 2)
    return Scenario(
        name=name,
        discordance=psi,
        formula=connor_rows(*shares, power=power, alpha=alpha),
        rows=mcnemar_rows(*shares, power=power, alpha=alpha),
        power=None if n is None else mcnemar_power(n, *shares, alpha=alpha),
    )


def _unpaired_scenario(a: float, b: float, n: int | None, power: float, alpha: float) -> Scenario:
    formula = two_sample_rows(a, b, power=power, alpha=alpha)
    exact = boschloo_rows(a, b, power=power, alpha=alpha) if formula <= MOST_EXACT else None
    has = None
    if n is not None:
        form = boschloo_power if n <= MOST_EXACT else two_sample_power
        has = form(n, a, b, alpha=alpha)
    return Scenario(
        name=_UNPAIRED,
        discordance=None,
        formula=formula,
        rows=math.ceil(formula) if exact is None else exact,
        power=has,
    )


def chance_text(p: float) -> str:
    """Write a probability as a percentage that is neither 0 nor 100.

    Examples
    --------
    >>> chance_text(0.2145), chance_text(0.99999), chance_text(0.00001)
    ('21 %', 'over 99 %', 'below 1 %')
    """
    if not 0.01 <= p <= 0.99:
        return "below 1 %" if p < 0.5 else "over 99 %"
    return f"{100 * p:.0f} %"


def _difference_verdict(
    a: float, b: float, n: int | None, power: float, scenarios: list[Scenario]
) -> Verdict:
    claim = f"{percent(a)} against {percent(b)} right"
    best, worst = scenarios[0], max(scenarios, key=lambda s: s.rows)
    if n is None:
        return Verdict(outcome=Outcome.PASS, sentence=_needed(claim, power, scenarios))
    chances = [s.power or 0.0 for s in scenarios if s.paired == best.paired]
    between = " to ".join(dict.fromkeys(chance_text(p) for p in (min(chances), max(chances))))
    each = "the same for both models" if best.paired else "for each model"
    shown = min(chances) >= power
    verdict = "enough" if shown else "too few"
    tail = f"{best.rows} cases are needed at best"
    if not shown and max(chances) >= power:
        verdict, tail = "enough only if the errors overlap well", f"{worst.rows} cases suffice"
    sentence = f"{n} cases, {each}, show {claim} with probability {between}: {verdict}"
    return Verdict(
        outcome=Outcome.PASS if shown else Outcome.UNDECIDED,
        sentence=f"{sentence}." if shown else f"{sentence}; {tail}.",
    )


def _needed(claim: str, power: float, scenarios: list[Scenario]) -> str:
    by = {s.name: s.rows for s in scenarios}
    start = f"To show {claim} with probability {level_text(power)}"
    if _NESTED in by:
        return (
            f"{start} takes {by[_NESTED]} cases if the better model errs only where the other does "
            f"too, {by[_INDEPENDENT]} cases if their errors are independent; with other cases for "
            f"each model, {by[_UNPAIRED]} cases each, {2 * by[_UNPAIRED]} cases in all."
        )
    if _STATED in by:
        return (
            f"{start} takes {by[_STATED]} cases that both models answer, or {by[_UNPAIRED]} "
            "cases for each model apart."
        )
    return f"{start} takes {by[_UNPAIRED]} cases for each model."


def _acceptance(
    error: float, confidence: float, failures: int | None, n: int | None, power: float, level: float
) -> SampleSize:
    acceptance = acceptance_plan(error, confidence, failures)
    return SampleSize(
        verdict=_acceptance_verdict(acceptance, n, failures),
        error=error,
        confidence=confidence,
        n=n,
        power=power,
        level=level,
        acceptance=acceptance,
        widths=() if n is None else _widths(n, (error,), level),
        expected_errors=() if n is None else (error,),
    )


def _with_sequential(
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


def _with_cases(n: int, discordance: float | None, power: float, level: float) -> SampleSize:
    shares = _DISCORDANCES if discordance is None else (discordance,)
    sizes = tuple(
        Detectable(psi, detectable_difference(n, psi, power=power, alpha=1 - level))
        for psi in shares
    )
    return SampleSize(
        verdict=_cases_verdict(n, sizes, power, level),
        n=n,
        power=power,
        level=level,
        detectable=sizes,
        widths=_widths(n, _ERRORS, level),
        expected_errors=_ERRORS,
    )


def _cases_verdict(n: int, sizes: tuple[Detectable, ...], power: float, level: float) -> Verdict:
    middle = sizes[len(sizes) // 2]
    where = f"where two models differ on {percent(middle.discordance)} of the cases"
    wide = _widths(n, (0.1,), level)[0]
    reach = f"an error of 10 % is known to within {percent(wide.low)} to {percent(wide.high)}"
    if middle.difference is None:
        sentence = f"{n} cases show no difference {where}, however large; {reach}."
        return Verdict(outcome=Outcome.UNDECIDED, sentence=sentence)
    sentence = (
        f"{n} cases show a difference of {percent(middle.difference)} or more with probability "
        f"{level_text(power)}, {where}; {reach}."
    )
    return Verdict(outcome=Outcome.PASS, sentence=sentence)


def _widths(n: int, errors: tuple[float, ...], level: float) -> tuple[Interval, ...]:
    return tuple(clopper_pearson(round(e * n), n, level) for e in errors)


def _between(name: str, value: float) -> None:
    if not 0 < value < 1:
        remedy = f"; for {value:g} % write {value / 100:g}" if 1 < value < 100 else ""
        raise InputError(
            f"{name} must lie strictly between 0 and 1",
            concerning=name,
            value=f"{value:g}",
            remedy=str(remedy),
        )


def _whole(name: str, value: int) -> int:
    if isinstance(value, bool) or int(value) != value or value < 1:
        raise InputError(
            f"{name} must be a whole number of at least 1", concerning=name, value=str(value)
        )
    return int(value)
