"""Paired differences of bounded scores at any time: is one model better, or not worse by a margin?

One bettor (two for a two-sided question, with half the capital each) stakes against "the mean
difference is `margin`", as in the betting confidence sequence: wherever that sequence excludes the
margin, the evidence has reached 1 / alpha.

References
----------
Waudby-Smith and Ramdas (2024), Estimating means of bounded random variables by betting, JRSS B 86.
"""

from __future__ import annotations

import math
from typing import Any, get_args

import numpy as np

from referee.core.arrays import Floats
from referee.core.results import Evidence, Target
from referee.errors import InputError, arg
from referee.intervals import works
from referee.intervals.sequential.sequence import check_scores
from referee.significance.comparison_test import ComparisonSituation, ComparisonTest, Setting
from referee.significance.samples import SequentialSample
from referee.significance.sequential.e_process import ASSUMPTIONS, EProcess
from referee.significance.sequential.pairs import Alternative

__all__ = ["BETTING_SEQUENTIAL", "difference_e_process", "non_inferiority_e_process"]


def difference_e_process(
    differences: Any,
    *,
    margin: float = 0.0,
    bounds: tuple[float, float] = (-1.0, 1.0),
    alternative: Alternative = "two-sided",
    level: float = 0.95,
) -> EProcess:
    """Return the evidence against a mean difference of `margin`, after every case.

    Parameters
    ----------
    differences : array of float
        Score of the first model minus that of the second, case by case in the order they came.
    margin : float
        The difference of the hypothesis.
    bounds : tuple of float
        Between which differences lie by definition: (-1, 1) for losses between 0 and 1.
    alternative : {"two-sided", "less", "greater"}
        What is to be shown: a mean other than the margin, below it, or above it.
    level : float
        Stakes are set for this level; the evidence is valid at any other.

    Examples
    --------
    >>> rng = np.random.default_rng(0)
    >>> differences = rng.choice([-1, 0, 0, 0, 0, 1, 1], 500)
    >>> difference_e_process(differences, alternative="greater").p_value < 0.05
    True
    """
    if alternative not in get_args(Alternative):
        raise InputError(
            "must be 'two-sided', 'less' or 'greater'",
            argument="alternative",
            value=repr(alternative),
        )
    low, high = bounds
    values = check_scores(differences, bounds, "differences")
    if not low < margin < high:
        raise InputError(
            f"margin must lie strictly between {low:g} and {high:g}",
            concerning="margin",
            value=f"{margin:g}",
        )
    from referee.intervals.sequential.capital import stakes  # loads compiled code

    bets = stakes(values, 1 - level, fixed_n=False)
    return EProcess(
        n=np.arange(1, len(values) + 1),
        log_e=_log_e(values, bets, (margin - low) / (high - low), alternative),
        test="betting-sequential",
        null=f"the mean difference is {_NULL[alternative]} {margin:g} on new cases",
        alternative=alternative,
    )


_NULL = {"two-sided": "exactly", "less": "at least", "greater": "at most"}


def _log_e(values: Floats, bets: Floats, mean: float, alternative: Alternative) -> Floats:
    from referee.intervals.sequential.capital import log_capitals  # loads compiled code

    if alternative != "two-sided":
        return log_capitals(values, bets, mean, above=alternative == "greater")
    sides = (log_capitals(values, bets, mean, above=above) for above in (True, False))
    return np.asarray(np.logaddexp(*sides) - math.log(2))


def non_inferiority_e_process(
    first: Any,
    second: Any,
    margin: float,
    *,
    bounds: tuple[float, float] = (0.0, 1.0),
    level: float = 0.95,
) -> EProcess:
    """Return the evidence that the first model loses less than a margin more than the second.

    Parameters
    ----------
    first, second : array of float
        Losses of both models, case by case in the order they came.
    margin : float
        The largest excess that does not matter; above 0 for "not worse", 0 for "better".
    bounds : tuple of float
        Between which a loss lies by definition.
    level : float
        Stakes are set for this level; the evidence is valid at any other.

    Examples
    --------
    >>> rng = np.random.default_rng(0)
    >>> wrong = rng.random((2, 2000)) < 0.1
    >>> non_inferiority_e_process(*wrong, margin=0.05).p_value < 0.05
    True
    """
    one, two = (np.asarray(v, dtype=float) for v in (first, second))
    if one.shape != two.shape:
        raise InputError(
            "both models must be judged on the same cases",
            concerning="second",
            value=f"{one.size} and {two.size}",
        )
    for name, values in (("first", one), ("second", two)):
        check_scores(values, bounds, name)
    width = bounds[1] - bounds[0]
    if not 0 <= margin < width:
        raise InputError(
            f"margin must lie between 0 and {width:g}", concerning="margin", value=f"{margin:g}"
        )
    return difference_e_process(
        one - two, margin=margin, bounds=(-width, width), alternative="less", level=level
    )


def _compute(sample: SequentialSample) -> Evidence:
    return difference_e_process(
        sample.differences, bounds=(-sample.bound, sample.bound), level=sample.level
    ).evidence


def _refusal(situation: ComparisonSituation) -> str | None:
    if situation.counts_cases or (situation.measure is not None and situation.measure.bounded_loss):
        return None
    return (
        f"no test that holds at all times is known for {situation.measure_name}; compare "
        f"{arg('measure', 'error')}, a rate of a class, 'brier' or 'cost', or leave out "
        f"{arg('sequential', True)}"
    )


BETTING_SEQUENTIAL = ComparisonTest(
    "betting-sequential",
    title="an e-value by betting on the paired differences, valid at all times",
    formula=r"""$K^+$ is the capital of one who stakes on differences of losses above 0, case by
case, and $K^-$ of one who stakes on those below; both stake as in the
[betting interval](../intervals-that-belong-to-a-measure/betting.md), and each begins with 1.

$$
e = \frac{1}{2} K^+ + \frac{1}{2} K^-, \quad p = \min\left(1,\; 1 / \max e\right)
$$

The maximum is over all cases so far.
""",
    measured=(
        "E-values have expectation at most 1, by enumeration; of 2000 models at the margin at most"
        " .05 were called non-inferior within 2000 cases (`pytest -m slow "
        "tests/significance/sequential/test_e_values.py`)."
    ),
    label="betting e-value",
    citations=(works.WAUDBY_SMITH_RAMDAS,),
    target=Target.FIXED,
    assumptions=ASSUMPTIONS,
    setting=Setting.ONE_BY_ONE,
    refusal=_refusal,
    compute=_compute,
)
