"""risk: the mean of any loss per case, with its interval."""

from __future__ import annotations

from typing import Any

import numpy as np

from referee.core.arrays import Floats
from referee.core.dataset import checked_weights, group_codes
from referee.core.labels.labels import as_labels, rows_text
from referee.core.randomness import RandomState
from referee.core.results import Estimate, check_level
from referee.errors import InputError, named
from referee.intervals.one_set.bootstrap import bootstrap
from referee.measures.formulas.loss import Loss, loss_named

__all__ = ["risk"]


def risk(
    y_true: Any,
    y_pred: Any,
    loss: str | Loss = "zero-one",
    *,
    groups: Any = None,
    sample_weight: Any = None,
    level: float = 0.95,
    random_state: RandomState = 0,
) -> Estimate:
    """Return the mean of a loss over the cases, with its BCa bootstrap interval.

    Parameters
    ----------
    y_true, y_pred : array-like
        Right answers and predictions, case by case.
    loss : {"zero-one", "quadratic"} or callable
        A callable takes both arrays and returns one finite number per case.
    groups, sample_weight : array-like, optional
        Groups are drawn as wholes; weights say how much each case counts.
    level, random_state
        Confidence level and seed of the bootstrap.

    Examples
    --------
    >>> import referee
    >>> late = lambda truth, answer: abs(truth - answer)
    >>> r = referee.risk([1, 2, 3, 4] * 10, [1, 2, 4, 4] * 10, late)
    >>> r.value, r.n
    (0.25, 40)
    """
    truth, answers = as_labels(y_true, "y_true"), as_labels(y_pred, "y_pred")
    if len(truth) != len(answers):
        raise InputError(
            f"has {len(truth)} rows and {named('y_pred')} has {len(answers)}", argument="y_true"
        )
    form = loss_named(loss) if isinstance(loss, str) else loss
    values = _checked(form(truth, answers), len(truth))
    drawn = bootstrap.bootstrap_mean(
        values,
        weights=checked_weights(sample_weight, len(truth)),
        groups=group_codes(groups, len(truth)),
        random_state=random_state,
    )
    flat = bool(np.ptp(drawn.replicates) == 0)
    return Estimate(
        name="risk",
        value=drawn.value,
        n=len(truth),
        method="test set",
        interval=None if flat else bootstrap.bca(drawn, check_level(level)),
        reason="every case has the same loss, so resampling shows no variation" if flat else "",
        greater_is_better=False,
        assumptions=("groups are independent" if groups is not None else "cases are independent",),
    )


def _checked(values: Any, n: int) -> Floats:
    array = np.asarray(values, dtype=float)
    if array.shape != (n,):
        raise InputError(
            f"loss must return one number for each of {n} cases", value=str(array.shape)
        )
    bad = np.flatnonzero(~np.isfinite(array))
    if bad.size:
        raise InputError("loss must be finite", value=str(array[bad[0]]), place=rows_text(bad[:1]))
    return array
