"""The standard error of the out-of-bag error, from the bootstrap table itself.

References
----------
Efron and Tibshirani (1997), JASA 92, section 5 (the delta-method-after-bootstrap).
"""

from __future__ import annotations

import numpy as np
from scipy import stats

from referee.core.arrays import Floats, Rows
from referee.core.results import Interval, Target, check_level

__all__ = ["efron_tibshirani", "out_of_bag_standard_error"]


def out_of_bag_standard_error(wrong: Floats, drawn: Rows) -> float:
    """Return the standard error of the leave-one-out bootstrap error.

    Parameters
    ----------
    wrong : array of shape (rounds, n)
        The loss of every case in every round.
    drawn : array of shape (rounds, n)
        How often each case was drawn into the training set of each round.

    Notes
    -----
    D_i = (2 + 1/(n-1)) (E_i - Err1)/n + sum_b (N_i^b - mean_b N_i) q^b / sum_b I_i^b, where
    q^b = (1/n) sum_i I_i^b Q_i^b and I marks out-of-bag cases; se = sqrt(sum D_i²).
    """
    n = wrong.shape[1]
    out = (drawn == 0).astype(float)
    times = out.sum(axis=0)
    tested = times > 0
    per_case = np.where(tested, (out * wrong).sum(axis=0) / np.maximum(times, 1), 0.0)
    err1 = per_case[tested].mean()
    q = (out * wrong).mean(axis=1)
    covariance = ((drawn - drawn.mean(axis=0)) * q[:, None]).sum(axis=0)
    first = (2 + 1 / (n - 1)) * (per_case - err1) / n
    influence = np.where(tested, first + covariance / np.maximum(times, 1), 0.0)
    return float(np.sqrt(np.sum(influence**2)))


def efron_tibshirani(value: float, standard_error: float, level: float = 0.95) -> Interval:
    """Return value ± z se, within [0, 1].

    Examples
    --------
    >>> i = efron_tibshirani(0.2, 0.05)
    >>> round(i.low, 3), round(i.high, 3)
    (0.102, 0.298)
    """
    half = float(stats.norm.ppf((1 + check_level(level)) / 2)) * standard_error
    flag = (
        "the standard error is zero, so the interval has no width; use interval='effective-"
        "jeffreys' with cross-validation"
        if standard_error == 0
        else ""
    )
    return Interval(
        low=max(0.0, value - half),
        high=min(1.0, value + half),
        level=level,
        method="efron-tibshirani",
        target=Target.EXPECTED,
        flag=flag,
    )
