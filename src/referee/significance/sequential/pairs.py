"""McNemar's question at any time: do two fixed models err equally often on the same cases?

Only cases on which exactly one of them errs speak. If both err equally often, each of those is a
fair coin, and the beta-binomial mixture over all unfair coins, relative to the fair one, is an
e-value:

    e = B(b + a, c + a) / B(a, a) * 2^(b + c).

For one-sided questions the mixture is over coins that favour that side alone.

References
----------
Robbins (1970), Annals of Mathematical Statistics 41. McNemar (1947), Psychometrika 12.
"""

from __future__ import annotations

from typing import Any, Literal, TypeAlias, get_args

import numpy as np

from referee.core.arrays import Floats
from referee.errors import InputError
from referee.intervals.sequential.beta_binomial import Side, log_mixture
from referee.significance.sequential.e_process import EProcess

__all__ = ["Alternative", "pair_e_process", "pair_log_e"]

Alternative: TypeAlias = Literal["two-sided", "less", "greater"]
_SIDES: dict[str, Side] = {"two-sided": "both", "less": "upper", "greater": "lower"}
_NULLS = {
    "two-sided": "both models err equally often on new cases",
    "less": "the first model errs at least as often as the second on new cases",
    "greater": "the first model errs at most as often as the second on new cases",
}


def pair_log_e(
    first_only: Any, second_only: Any, *, a: float = 0.5, alternative: Alternative = "two-sided"
) -> Any:
    """Return the log e-value of cases on which only the first, and only the second model erred.

    Examples
    --------
    >>> round(float(np.exp(pair_log_e(16, 6))), 2)
    1.77
    >>> float(pair_log_e(0, 0))
    0.0
    """
    if alternative not in get_args(Alternative):
        raise InputError(
            f"alternative must be 'two-sided', 'less' or 'greater', got {alternative!r}"
        )
    first, second = (np.asarray(v, dtype=float) for v in (first_only, second_only))
    return log_mixture(first, first + second, 0.5, a=a, b=a, side=_SIDES[alternative])


def pair_e_process(
    first_wrong: Any,
    second_wrong: Any,
    *,
    a: float = 0.5,
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
    (0.016, 98)
    """
    first, second = (_flags(w) for w in (first_wrong, second_wrong))
    if first.shape != second.shape:
        raise InputError(
            f"both models must be judged on the same cases, got {first.size} and {second.size}"
        )
    if not first.size:
        raise InputError("an e-process needs at least one case, got none")
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
        raise InputError("errors must be a list of True and False, one for each case")
    return values.astype(bool)
