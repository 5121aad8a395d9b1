"""Which measures an evaluation computes: those asked for, or those that apply unasked."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, TypeAlias

from referee.core.arrays import Label
from referee.core.predictions import Predictions
from referee.errors import InputError
from referee.judging.scored_tally import ScoredTally
from referee.measures import ERROR, MEASURES, Measure, are_probabilities, as_measures

__all__ = ["Measures", "applicable"]

Measures: TypeAlias = "str | Measure | Callable[..., Any] | Sequence[Any] | None"
"""Names, measures, functions of truth and predictions, scikit-learn metrics or scorers."""


def applicable(
    measures: Any,
    predictions: Predictions,
    positive: Label | None,
    *,
    claimed: Sequence[Measure] = (),
    priors: bool = False,
    costs: bool = False,
) -> tuple[Measure, ...]:
    """Return the measures to compute: those asked for, or all that apply here unasked, and claimed.

    Under class priors only measures that do not depend on the classes' shares apply. Costs ask for
    the measures that need them.
    """
    asked = as_measures(measures)
    # Under priors the cost is computed from the classes' rates, not from the cases.
    claimed = [m for m in claimed if not (priors and m.costs)]
    if predictions.numeric:
        shown = (
            m for m in MEASURES.values() if m.suits(predictions) and m.shown(predictions, None)
        )
        return _checked((*(shown if asked is None else asked), *claimed), priors)
    if asked is None:
        unasked = tuple(
            m
            for m in MEASURES.values()
            if m.suits(predictions)
            and (costs or not m.costs)
            and _applies(m, predictions, positive, priors)
        )
        return _checked((*unasked, *claimed), priors)
    priced = [m for m in MEASURES.values() if m.costs] if costs and not priors else []
    return _checked((ERROR, *asked, *claimed, *priced), priors)


def _checked(measures: Sequence[Measure], priors: bool) -> tuple[Measure, ...]:
    wanted = tuple({m.name: m for m in measures}.values())
    odd = next((m.name for m in wanted if priors and m.of_shares), None)
    if odd is not None:
        raise InputError(
            f"{odd} depends on the classes' shares in the test set, which priors replace",
            concerning="priors",
            remedy="leave out one of them",
        )
    return wanted


def _applies(m: Measure, p: Predictions, positive: Label | None, priors: bool) -> bool:
    if (m.positive and positive is None) or (priors and m.of_shares):
        return False
    if m.scores and not p.scored:
        return False
    if m.one_fit and p.situation.fits > 1:
        return False
    # Looking at every probability is the dearest question, so it comes last.
    return m.shown(p, positive) and (not m.probabilities or _probable(p, positive))


def _probable(p: Predictions, positive: Label | None) -> bool:
    if isinstance(p, ScoredTally):
        return bool(p.losses) and len(p.classes) == 2
    return are_probabilities(p.unseen, positive)
