"""The verdict where one class has nearly all cases, and the error hardly tells models apart.

With 98 % of the cases in one class a model that finds most of the others, at the price of a few
false alarms, errs more often than one that finds none. There the sentence leads with a measure that
does not depend on the classes' shares: the AUC where there are scores, else balanced accuracy.
"""

from __future__ import annotations

from referee.core.arrays import Label
from referee.core.results import Estimate, Outcome, Verdict
from referee.core.showing.numbers import level_text, percent, span
from referee.errors import named
from referee.measures.matrix import BALANCED_ACCURACY
from referee.measures.measure import Measure
from referee.measures.rankings import AUC

__all__ = ["LEADS", "is_lopsided", "judge_lopsided"]

LEADS = (AUC, BALANCED_ACCURACY)
"""What the sentence may lead with, in this order."""

_COMMONEST = 5.0
"""How many times the cases of all others the commonest class must have."""


def is_lopsided(guessing: Estimate) -> bool:
    """Tell whether one class has more than five times as many cases as all others together."""
    return guessing.defined and guessing.value < 1 / (1 + _COMMONEST)


def judge_lopsided(
    name: str,
    measure: Measure,
    lead: Estimate,
    error: Estimate,
    guessing: Estimate,
    *,
    classes: int,
    how: str,
    guess: Label,
) -> Verdict:
    """Return the verdict on the claim that the model tells the classes apart better than chance.

    Where it does, but its answers err more often than the commonest class given always, nothing is
    decided: what an error of each kind costs would have to be said.
    """
    i, e, g = lead.interval, error.interval, guessing.interval
    assert i is not None
    assert e is not None
    assert g is not None
    assert measure.by_chance is not None
    ability, chance = measure.ability.format(percent(lead.value)), measure.by_chance(classes)
    worse = e.low > g.high
    if i.low > chance:
        outcome, word = Outcome.PASS, "better than chance"
        outcome = Outcome.UNDECIDED if worse else outcome
    elif i.high < chance or worse:
        outcome = Outcome.FAIL
        word = "worse than chance" if i.high < chance else "not shown to be better than chance"
    else:
        outcome, word = Outcome.UNDECIDED, "not shown to be better than chance"
    text = (
        f"{name} {ability}, {level_text(i.level)} interval {span(i.low, i.high)}; {how}, "
        f"n = {error.n}): {word}, which gives {percent(chance)}. It errs on {percent(error.value)} "
        f"({span(e.low, e.high)}), always answering {guess!r} on {percent(guessing.value)}; with "
        f"{percent(1 - guessing.value)} of the cases in one class the error says little about a "
        "model"
    )
    if worse:
        remedy = f"say what errors cost ({named('costs')}) or what to judge by ({named('claim')})"
        text += f". Its answers err more often than that one answer: {remedy}"
    return Verdict(outcome=outcome, sentence=f"{text}.")
