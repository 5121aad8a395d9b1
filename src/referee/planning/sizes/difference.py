"""Cases to show a difference of two accuracies, by how much the models' errors overlap."""

from __future__ import annotations

import math

from referee.core.results import Outcome, Verdict
from referee.core.showing.numbers import level_text, percent
from referee.errors import InputError
from referee.planning.boschloo_power import MOST_EXACT, boschloo_power, boschloo_rows
from referee.planning.power import (
    connor_rows,
    mcnemar_power,
    mcnemar_rows,
    two_sample_power,
    two_sample_rows,
)
from referee.planning.sizes.result import SampleSize, Scenario, chance_text, widths

__all__ = ["difference_size"]

_NESTED = "nested errors"


_INDEPENDENT = "independent errors"


_DISJOINT = "no error in common"


_STATED = "the stated discordance"


_UNPAIRED = "different cases for each model"


_CLOSEST = 1e-9


def difference_size(
    a: float,
    b: float,
    n: int | None,
    discordance: float | None,
    power: float,
    level: float,
    paired: bool,
) -> SampleSize:
    """Return how many cases tell two accuracies apart, for each way their errors may overlap."""
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
        widths=() if n is None else widths(n, (1 - a, 1 - b), level),
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
        verdict, tail = (
            "enough only if both err on much the same cases",
            f"{worst.rows} cases suffice",
        )
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
