"""The sentence on models over several data sets: two of them, all, or each against a control."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
import scipy

from referee.core.arrays import Floats
from referee.core.results import Evidence, Outcome, Verdict
from referee.core.showing.numbers import p_text
from referee.significance.bayes import Posterior
from referee.significance.datasets.critical_difference import (
    CriticalDifference,
)
from referee.significance.datasets.dataset_test import DatasetTest, Role

if TYPE_CHECKING:
    import pandas as pd


__all__ = ["equivalent_within", "ranks_verdict", "score_differences", "with_direction"]


def score_differences(frame: pd.DataFrame, first: str, second: str) -> Floats:
    """Return the first model's scores minus the second's, one for each data set."""
    return np.asarray(frame[first].to_numpy(float) - frame[second].to_numpy(float))


def with_direction(verdict: Verdict, measure: str, up: bool) -> Verdict:
    """Add to the sentence what was compared and which way is better."""
    way = "greater" if up else "smaller"
    sentence = verdict.sentence.replace("data sets", f"data sets ({measure}, {way} is better)", 1)
    return replace(verdict, sentence=sentence)


def equivalent_within(
    verdict: Verdict, posterior: Posterior | None, rope: float, level: float
) -> Verdict:
    """Return EQUIVALENT where the posterior has the difference within the rope at the level."""
    if posterior is None or rope == 0 or posterior.equivalent < level:
        return verdict
    text = (
        f"The models are equivalent within {rope:g} over {posterior.n} data sets: posterior "
        f"probability {posterior.equivalent:.3g} (Bayesian signed rank)."
    )
    return Verdict(outcome=Outcome.EQUIVALENT, sentence=text)


def ranks_verdict(
    critical: CriticalDifference,
    tests: Mapping[Role, DatasetTest],
    pairs: Mapping[tuple[str, str], Evidence],
    omnibus: Evidence,
    frame: pd.DataFrame,
    up: bool,
    alpha: float,
) -> Verdict:
    """Return the verdict that tests and average ranks give."""
    if len(critical.names) == 2:
        first, second = critical.names
        lead = _lead(score_differences(frame, first, second)) * (1 if up else -1)
        return _of_two(critical, tests[Role.PAIR], next(iter(pairs.values())), lead, alpha)
    tested = f"{tests[Role.ALL].called} = {omnibus.statistic:.3g}, {p_text(omnibus.p_value)}"
    if critical.control is not None and not critical.alike:
        return _against_control(critical, tested)
    return _of_many(critical, tested)


def _lead(differences: Floats) -> float:
    """Return the sum of signed ranks: above 0 where they favour larger values of the first."""
    return float(np.sum(np.sign(differences) * scipy.stats.rankdata(np.abs(differences))))


def _of_two(
    critical: CriticalDifference,
    test: DatasetTest,
    evidence: Evidence,
    lead: float,
    alpha: float,
) -> Verdict:
    best, other = critical.names if lead >= 0 else critical.names[::-1]
    n = critical.n
    tested = f"{test.called} = {evidence.statistic:g}, {p_text(evidence.p_value)}"
    if evidence.p_value <= alpha:
        outcome = Outcome.FIRST if best == critical.names[0] else Outcome.SECOND
        text = f"{best} is better than {other} over {n} data sets: {tested}."
        return Verdict(outcome=outcome, sentence=text)
    reach = test.can_show(n, alpha)
    text = (
        f"No difference was shown between {best} and {other} over {n} data sets: {tested}"
        f"{'; ' if reach else ''}{reach}."
    )
    return Verdict(outcome=Outcome.UNDECIDED, sentence=text)


def _against_control(critical: CriticalDifference, tested: str) -> Verdict:
    """Judge every model against the control, and nothing else."""
    control = critical.control
    assert control is not None
    others = [m for m in critical.order if m != control]
    apart = [m for m in others if critical.differ(m, control)]
    above = [m for m in apart if critical.rank(m) < critical.rank(control)]
    below = [m for m in apart if m not in above]
    sides = [(above, "better than it"), (below, "worse than it")]
    result = " and ".join(f"{', '.join(names)} {how}" for names, how in sides if names)
    result = result or "none is told apart from it"
    text = (
        f"Against {control} (average rank {critical.rank(control):.2f}) over {critical.n} data "
        f"sets: {result}; average ranks must differ by {critical.difference:.2f} "
        f"({critical.method}); {tested}."
    )
    outcome = Outcome.SECOND if above else Outcome.UNDECIDED
    return Verdict(outcome=Outcome.FIRST if len(below) == len(others) else outcome, sentence=text)


def _of_many(critical: CriticalDifference, tested: str) -> Verdict:
    names, n = critical.order, critical.n
    apart = f"average ranks must differ by {critical.difference:.2f} ({critical.method})"
    ranks = ", ".join(f"{m} {critical.rank(m):.2f}" for m in names[:6])
    ranks += " …" if len(names) > 6 else ""
    if critical.alike:
        text = f"No difference was shown between {len(names)} models over {n} data sets: {tested}"
        return Verdict(outcome=Outcome.UNDECIDED, sentence=f"{text}; {apart}; they are {ranks}.")
    near = [m for m in names if m == names[0] or not critical.differ(m, names[0])]
    if len(near) == 1:
        text = f"{names[0]} is better than each of the other {len(names) - 1} over {n} data sets"
        return Verdict(outcome=Outcome.FIRST, sentence=f"{text}: {tested}; {apart}: {ranks}.")
    others = [m for m in near if m != names[0]]
    shared = f"{', '.join(others)} {'is' if len(others) == 1 else 'are'} not"
    shared = "no other is" if len(near) == len(names) else shared
    text = (
        f"The {len(names)} models differ over {n} data sets ({tested}), but {shared} told apart "
        f"from {names[0]}, the best by rank: {apart}; they are {ranks}."
    )
    return Verdict(outcome=Outcome.UNDECIDED, sentence=text)
