"""Cases to show that a model is not worse than another by more than a margin."""

from __future__ import annotations

import math

from referee.core.results import Outcome, Verdict
from referee.core.showing.numbers import level_text, percent, size_text
from referee.planning.non_inferiority import non_inferiority_power, non_inferiority_rows
from referee.planning.sizes.given_cases import DISCORDANCES
from referee.planning.sizes.result import SampleSize, Scenario, chance_text

__all__ = ["margin_size"]

_ALIKE = "the same error in truth"


def margin_size(
    margin: float, n: int | None, discordance: float | None, power: float, level: float
) -> SampleSize:
    """Plan to show that a model, as good in truth, is not worse by more than a margin."""
    shares = DISCORDANCES if discordance is None else (discordance,)
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
