"""What the cases there are can show: differences, and how wide intervals are."""

from __future__ import annotations

from referee.core.results import Outcome, Verdict
from referee.core.showing.numbers import level_text, percent
from referee.planning.power import (
    detectable_difference,
)
from referee.planning.sizes.result import Detectable, SampleSize, widths

__all__ = ["DISCORDANCES", "given_cases"]

DISCORDANCES = (0.01, 0.02, 0.05, 0.1, 0.2)


_ERRORS = (0.01, 0.05, 0.1, 0.2, 0.5)


def given_cases(n: int, discordance: float | None, power: float, level: float) -> SampleSize:
    """Return what a number of cases can show."""
    shares = DISCORDANCES if discordance is None else (discordance,)
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
        widths=widths(n, _ERRORS, level),
        expected_errors=_ERRORS,
    )


def _cases_verdict(n: int, sizes: tuple[Detectable, ...], power: float, level: float) -> Verdict:
    middle = sizes[len(sizes) // 2]
    where = f"where two models differ on {percent(middle.discordance)} of the cases"
    wide = widths(n, (0.1,), level)[0]
    reach = (
        f"an error of 10 % seen on them has a {level_text(level)} interval from "
        f"{percent(wide.low)} to {percent(wide.high)}"
    )
    if middle.difference is None:
        sentence = f"{n} cases show no difference {where}, however large; {reach}."
        return Verdict(outcome=Outcome.UNDECIDED, sentence=sentence)
    sentence = (
        f"{n} cases show a difference of {percent(middle.difference)} or more with probability "
        f"{level_text(power)}, {where}; {reach}."
    )
    return Verdict(outcome=Outcome.PASS, sentence=sentence)
