"""Rivals that answer without looking: always the commonest class, always the cheapest one."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from referee.core.arrays import Floats, Label
from referee.core.plan import Plan
from referee.core.predictions import Predictions
from referee.core.results import Estimate, Interval
from referee.intervals.catalogue import risk_interval
from referee.intervals.one_set.priors import KNOWN, checked_priors
from referee.intervals.risk import RiskSample
from referee.measures import Costs, Losses

__all__ = ["cheapest_answer", "guessing_error"]


def guessing_error(
    predictions: Predictions, level: float, priors: Any = None, plan: Plan | None = None
) -> tuple[Estimate, Label]:
    """Return the error of always answering the commonest class, on the tested cases.

    Commonest among the rows the plan trains on first; a guesser knows no test labels. Bare
    predictions have no training rows, so there it is the commonest right answer, a strict rival.
    Where priors are given that error is known: all but the largest of them. In time a class that
    was common once may become rare, and the majority of the first training rows is a straw man;
    there too it is the commonest right answer. No constant beats it, nor does answering what was
    commonest in the rows before each block: every right answer of that rule adds a case to the
    largest class so far, so it has at most as many as the class that is the largest in the end.
    """
    in_time = plan is not None and predictions.moment is not None
    shares = _known_shares(predictions, priors, plan, tested=in_time)
    commonest = int(np.argmax(shares))
    guess = Estimate(
        name="guessing",
        value=1 - float(shares[commonest]),
        n=predictions.n,
        method="always the class of the largest prior" if priors is not None
        else "always the commonest class",
        greater_is_better=False,
    )  # fmt: skip
    label = predictions.classes[commonest]
    if priors is not None:
        return replace(guess, interval=_known(guess.value, level)), label
    return _share(guess, predictions, commonest, level, wrong_on_others=True), label


def cheapest_answer(
    predictions: Predictions,
    costs: Costs,
    positive: Label,
    level: float,
    priors: Any = None,
    plan: Plan | None = None,
) -> tuple[Estimate, Label]:
    """Return the cost of the better of "always positive" and "never positive", on the tested cases.

    Which of the two is cheaper follows from the rows the plan trains on first, or from the priors.

    Examples
    --------
    >>> table = Predictions.of(["ill"] * 20 + ["well"] * 80, ["ill"] * 100)
    >>> cost, answer = cheapest_answer(table, Costs(1, 10), "ill", 0.95)
    >>> cost.value, answer
    (0.8, 'ill')
    """
    at = predictions.classes.index(positive)
    in_time = plan is not None and predictions.moment is not None
    shares = _known_shares(predictions, priors, plan, tested=in_time)
    always = costs.false_positive * (1 - shares[at]) <= costs.false_negative * shares[at]
    others = [c for c in np.argsort(-shares, kind="stable") if c != at]
    label = positive if always else predictions.classes[others[0]]
    price = costs.false_positive if always else costs.false_negative
    cost = Estimate(
        name="cost",
        value=price * float(1 - shares[at] if always else shares[at]),
        n=predictions.n,
        method="always the cheapest answer",
        greater_is_better=False,
    )
    if priors is not None:
        return replace(cost, interval=_known(cost.value, level)), label
    share = _share(cost, predictions, at, level, wrong_on_others=bool(always))
    assert share.interval is not None
    low, high = price * share.interval.low, price * share.interval.high
    return replace(
        share, value=price * share.value, interval=replace(share.interval, low=low, high=high)
    ), label


def _known_shares(
    predictions: Predictions, priors: Any, plan: Plan | None, *, tested: bool = False
) -> Floats:
    """Return the classes' shares as somebody knows them who has seen no test label.

    Or, where it is the `tested` cases that count, as they turn out to be.
    """
    if priors is not None:
        return checked_priors(priors, predictions.classes)
    counts = _counts(predictions, plan, tested=tested)
    return np.asarray(counts / counts.sum())


def _counts(predictions: Predictions, plan: Plan | None, *, tested: bool = False) -> Floats:
    if plan is None and predictions.counts_suffice:
        return np.asarray(predictions.cell_counts.sum(axis=1), dtype=float)
    rows: Any = plan.splits[0].train if plan else slice(None)
    if tested and len(predictions.unseen.case):
        rows = predictions.unseen.cases
    weight = None if predictions.weight is None else predictions.weight[rows]
    k = len(predictions.classes)
    return np.bincount(predictions.truth[rows], weights=weight, minlength=k).astype(float)


def _known(value: float, level: float) -> Interval:
    return Interval(low=value, high=value, level=level, method=KNOWN.name)


def _share(
    estimate: Estimate, predictions: Predictions, at: int, level: float, *, wrong_on_others: bool
) -> Estimate:
    """Return the share of tested cases on which a constant answer is wrong, with its interval.

    Wrong on all classes but the one at `at`, or on that one only.
    """
    losses = _losses(predictions, at, wrong_on_others)
    interval = risk_interval(RiskSample(losses=losses, level=level))
    return replace(estimate, value=losses.mean, n=losses.n, interval=interval)


def _losses(predictions: Predictions, at: int, wrong_on_others: bool) -> Losses:
    if predictions.counts_suffice:
        own = int(predictions.cell_counts[at].sum())
        return Losses.of_counts(predictions.n - own if wrong_on_others else own, predictions.n)
    tested = predictions.unseen.cases
    rows = tested if tested.size else np.arange(predictions.n)
    wrong = (predictions.truth[rows] != at) == wrong_on_others
    return Losses(
        value=wrong.astype(float),
        case=rows,
        split=np.zeros_like(rows),
        repetition=np.zeros_like(rows),
        n_train=np.zeros(len(rows)),
        groups=None if predictions.groups is None else predictions.groups[rows],
        weight=None if predictions.weight is None else predictions.weight[rows],
        moment=None if predictions.moment is None else predictions.moment[rows],
    )
