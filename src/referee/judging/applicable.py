"""Which measures an evaluation computes: those asked for, or those that apply unasked."""

from __future__ import annotations

from typing import Any

from referee.core.arrays import Label
from referee.core.predictions import Predictions
from referee.errors import InputError
from referee.measures import ERROR, MEASURES, Measure, are_probabilities, as_measures

__all__ = ["applicable"]


def applicable(
    measures: Any,
    predictions: Predictions,
    positive: Label | None,
    *,
    priors: bool = False,
    costs: bool = False,
) -> tuple[Measure, ...]:
    """Return the measures to compute: those asked for, or all that apply here unasked.

    Under class priors only measures that do not depend on the classes' shares apply. Costs ask for
    the measures that need them.
    """
    asked = as_measures(measures)
    if asked is None:
        return tuple(
            m
            for m in MEASURES.values()
            if (costs or not m.costs) and _applies(m, predictions, positive, priors)
        )
    priced = [m for m in MEASURES.values() if m.costs] if costs and not priors else []
    wanted = tuple({m.name: m for m in (ERROR, *asked, *priced)}.values())
    odd = next((m.name for m in wanted if priors and m.of_shares), None)
    if odd is not None:
        raise InputError(
            f"{odd} depends on the classes' shares in the test set, which priors replace; "
            "leave out one of them"
        )
    return wanted


def _applies(m: Measure, p: Predictions, positive: Label | None, priors: bool) -> bool:
    if (m.positive and positive is None) or (priors and m.of_shares):
        return False
    if m.scores and p.scores is None:
        return False
    if m.one_fit and p.situation.fits > 1:
        return False
    # Looking at every probability is the dearest question, so it comes last.
    return m.shown(p, positive) and (not m.probabilities or are_probabilities(p.unseen, positive))
