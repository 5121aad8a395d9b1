"""McNemar's question at any time: do two fixed models err equally often on the same cases?

Only cases on which exactly one of them errs speak. If both err equally often, each of those is a
fair coin, and the beta-binomial mixture over all unfair coins, relative to the fair one, is an
e-value:

    e = B(b + a, c + a) / B(a, a) * 2^(b + c).

The default a = 2 leans a little to coins that are not far from fair, as two models of some worth
are: for a coin of .6 evidence of 20 to 1 takes 220 such cases on average, with a = 1/2 256; for
one of .7 50 and 56, for one of .9 13 and 12 (300 simulated runs each).

For one-sided questions the mixture is over coins that favour that side alone.

References
----------
Robbins (1970), Annals of Mathematical Statistics 41. McNemar (1947), Psychometrika 12.
"""

from __future__ import annotations

from typing import Any, Literal, TypeAlias, get_args

import numpy as np

from referee.core.arrays import Floats
from referee.core.results import Evidence, Target
from referee.errors import InputError
from referee.intervals import works
from referee.intervals.sequential.beta_binomial import Side, log_mixture
from referee.significance.comparison_test import ComparisonSituation, ComparisonTest, Setting
from referee.significance.samples import SequentialSample
from referee.significance.sequential.e_process import ASSUMPTIONS, EProcess

__all__ = ["MCNEMAR_SEQUENTIAL", "Alternative", "pair_e_process", "pair_log_e"]

Alternative: TypeAlias = Literal["two-sided", "less", "greater"]
_SIDES: dict[str, Side] = {"two-sided": "both", "less": "upper", "greater": "lower"}
_NULLS = {
    "two-sided": "both models err equally often on new cases",
    "less": "the first model errs at least as often as the second on new cases",
    "greater": "the first model errs at most as often as the second on new cases",
}


def pair_log_e(
    first_only: Any, second_only: Any, *, a: float = 2.0, alternative: Alternative = "two-sided"
) -> Any:
    """Return the log e-value of cases on which only the first, and only the second model erred.

    Examples
    --------
    >>> round(float(np.exp(pair_log_e(16, 6))), 2)
    2.91
    >>> float(pair_log_e(0, 0))
    0.0
    """
    if alternative not in get_args(Alternative):
        raise InputError(
            "must be 'two-sided', 'less' or 'greater'",
            argument="alternative",
            value=repr(alternative),
        )
    first, second = (np.asarray(v, dtype=float) for v in (first_only, second_only))
    return log_mixture(first, first + second, 0.5, a=a, b=a, side=_SIDES[alternative])


def pair_e_process(
    first_wrong: Any,
    second_wrong: Any,
    *,
    a: float = 2.0,
    alternative: Alternative = "two-sided",
) -> EProcess:
    """Return the evidence that two models differ, after every case.

    Parameters
    ----------
    first_wrong, second_wrong : array of bool
        Whether each model erred, case by case in the order in which the cases came.
    a : float
        The mixture of coins is Beta(a, a); chosen before the first case.
    alternative : {"two-sided", "less", "greater"}
        What is to be shown about the error of the first minus that of the second.

    Examples
    --------
    >>> first = np.array([0, 1, 0, 0, 0, 0, 0, 0, 0, 0] * 12, dtype=bool)
    >>> second = np.array([0, 0, 1, 0, 1, 0, 0, 1, 0, 0] * 12, dtype=bool)
    >>> process = pair_e_process(first, second)
    >>> round(process.p_value, 3), process.first_rejection()
    (0.011, 88)
    """
    first, second = (_flags(w) for w in (first_wrong, second_wrong))
    if first.shape != second.shape:
        raise InputError(
            "both models must be judged on the same cases",
            concerning="second",
            value=f"{first.size} and {second.size}",
        )
    if not first.size:
        raise InputError("an e-process needs at least one case", value="none")
    ones, others = np.cumsum(first & ~second), np.cumsum(second & ~first)
    log_e: Floats = pair_log_e(ones, others, a=a, alternative=alternative)
    return EProcess(
        n=np.arange(1, len(first) + 1),
        log_e=log_e,
        test="mcnemar-sequential",
        null=_NULLS[alternative],
        alternative=alternative,
    )


def _flags(wrong: Any) -> Any:
    values = np.asarray(wrong)
    if values.ndim != 1 or not np.isin(values, (0, 1)).all():
        raise InputError(
            "errors must be a list of True and False, one for each case", concerning="errors"
        )
    return values.astype(bool)


def _compute(sample: SequentialSample) -> Evidence:
    return pair_e_process(sample.differences > 0, sample.differences < 0).evidence


def _refusal(situation: ComparisonSituation) -> str | None:
    if situation.counts_cases:
        return None
    return f"the discordant cases say nothing about {situation.measure_name}"


MCNEMAR_SEQUENTIAL = ComparisonTest(
    "mcnemar-sequential",
    title="the e-value of a beta-binomial mixture on the cases that only one of two models got "
    "right, valid at all times",
    formula=r"""So far $b$ cases only the first model got right, $c$ only the second; $\mathrm{B}$
is the beta function and $a = 2$.

$$
e = 2^{b + c} \, \frac{\mathrm{B}(b + a,\; c + a)}{\mathrm{B}(a, a)}, \quad
p = \min\left(1,\; 1 / \max e\right)
$$

The maximum is over all cases so far.
""",
    measured=(
        "The chance of ever rejecting equal models is at most the level, by recursion over all "
        "courses; e-values have expectation 1 by enumeration (`pytest "
        "tests/significance/sequential/test_e_values.py`)."
    ),
    label="e-value of discordant cases",
    citations=(works.ROBBINS,),
    target=Target.FIXED,
    assumptions=ASSUMPTIONS,
    setting=Setting.ONE_BY_ONE,
    refusal=_refusal,
    compute=_compute,
)
