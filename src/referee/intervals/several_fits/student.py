"""Student's t over splits: the textbook interval, and the one corrected for shared training rows.

References
----------
Mitchell (1997), Machine Learning, chapter 5. Nadeau and Bengio (2003), Machine Learning 52.
"""

from __future__ import annotations

import math

import numpy as np
import scipy

from referee.core.arrays import Floats
from referee.core.results import Interval, Target, check_level
from referee.core.situation import Situation
from referee.errors import InputError, arg
from referee.intervals import works
from referee.intervals.risk import NORMAL, RiskInterval, RiskSample, both_targets

__all__ = ["CORRECTED_T", "STUDENT_T", "corrected_t", "student_t"]

_STUDENT_FLAG = (
    "ignores that training sets overlap and covers less than it says; use corrected-t or "
    "effective-jeffreys"
)


def student_t(
    means: Floats,
    level: float = 0.95,
    *,
    weights: Floats | None = None,
    greatest: float = 1.0,
) -> Interval:
    """Return mean ± t s / sqrt(k) over k fold means, flagged.

    Folds of different sizes count by their `weights`; no loss exceeds `greatest`.

    Treats the folds as independent although their training sets overlap.

    Examples
    --------
    >>> i = student_t(np.array([0.09, 0.10, 0.11]))
    >>> round(i.low, 4), round(i.high, 4)
    (0.0752, 0.1248)
    """
    k = _count(means)
    shares = _shares(weights, k)
    spread = _deviation(means, shares) / math.sqrt(k)
    return _around(means, shares, spread, level, "student-t", _STUDENT_FLAG, greatest)


def corrected_t(
    means: Floats,
    n_train: float,
    n_test: float,
    level: float = 0.95,
    *,
    weights: Floats | None = None,
    greatest: float = 1.0,
) -> Interval:
    """Return mean ± t s sqrt(1/J + n_test/n_train) over J splits (Nadeau and Bengio).

    Splits of different sizes count by their `weights`; no loss exceeds `greatest`.

    Examples
    --------
    >>> i = corrected_t(np.array([0.09, 0.10, 0.11]), n_train=90, n_test=10)
    >>> round(i.low, 4), round(i.high, 4)
    (0.0713, 0.1287)
    """
    k = _count(means)
    if not (n_train > 0 and n_test > 0):
        raise InputError(
            "n_train and n_test must be positive",
            concerning="n_train",
            value=f"{n_train} and {n_test}",
        )
    shares = _shares(weights, k)
    spread = _deviation(means, shares) * math.sqrt(1 / k + n_test / n_train)
    return _around(means, shares, spread, level, "corrected-t", "", greatest)


def _count(means: Floats) -> int:
    if len(means) < 2:
        raise InputError(_too_few(len(means)), concerning="means")
    return len(means)


def _too_few(splits: int) -> str:
    other = arg("interval", "clopper-pearson")
    return f"a t interval needs at least 2 splits, got {splits}; use {other}"


def _shares(weights: Floats | None, k: int) -> Floats:
    return np.full(k, 1 / k) if weights is None else np.asarray(weights / np.sum(weights))


def _deviation(means: Floats, shares: Floats) -> float:
    """Return the standard deviation of fold means about their weighted mean."""
    if np.all(means == means[0]):
        return 0.0  # and not what rounding makes of it
    k, centre = len(means), float(shares @ means)
    return math.sqrt(k / (k - 1) * float(shares @ (means - centre) ** 2))


def _around(
    means: Floats,
    shares: Floats,
    spread: float,
    level: float,
    method: str,
    flag: str,
    greatest: float,
) -> Interval:
    half = float(scipy.stats.t.ppf((1 + check_level(level)) / 2, len(means) - 1)) * spread
    # A mean lies among its values; rounding could put it a hair beyond 0 or 1.
    centre = float(np.clip(shares @ means, means.min(), means.max()))
    if spread == 0:
        flag = "all splits gave the same value, so the interval has no width; " + (
            flag or "use clopper-pearson on a test set"
        )
    return Interval(
        low=max(0.0, centre - half),
        high=min(greatest, centre + half),
        level=level,
        method=method,
        target=Target.EXPECTED,
        flag=flag,
    )


def _refusal(situation: Situation) -> str | None:
    return _too_few(situation.fits) if situation.fixed else None


def _refusal_of_student(situation: Situation) -> str | None:
    if situation.repetitions > 1 or not situation.partition:
        return (
            "student-t over repeated splits counts the same cases many times and covers far less "
            f"than it says; use {arg('interval', 'corrected-t')} or 'effective-jeffreys'"
        )
    return _refusal(situation)


def _split_means(sample: RiskSample) -> tuple[Floats, Floats]:
    """Return the mean loss of each split and its weight, so that they pool to the estimate."""
    losses = sample.losses
    defined = ~np.isnan(losses.per_split)
    return losses.per_split[defined], losses.split_weights[defined]


def _student_of(sample: RiskSample) -> Interval:
    means, weights = _split_means(sample)
    return student_t(means, sample.level, weights=weights, greatest=sample.losses.greatest)


def _corrected_of(sample: RiskSample) -> Interval:
    losses = sample.losses
    means, weights = _split_means(sample)
    n_train, n_test = float(np.mean(losses.n_train)), float(np.mean(losses.split_sizes))
    return corrected_t(
        means, n_train, n_test, sample.level, weights=weights, greatest=losses.greatest
    )


STUDENT_T = RiskInterval(
    "student-t",
    title="Student's t over splits, which ignores that training sets overlap",
    citations=(works.NADEAU_BENGIO,),
    formula=r"""$\bar e$ is the mean and $s$ the standard deviation of $k$ fold errors.

$$
\bar e \pm t_{k-1} \, \frac{s}{\sqrt{k}}
$$
""",
    target=Target.EXPECTED,
    assumptions=("folds are independent, which they are not", NORMAL),
    flag=_STUDENT_FLAG,
    refusal=_refusal_of_student,
    compute=_student_of,
    by="one pass",
    tried=both_targets("10x10", first_pass=True),
)
CORRECTED_T = RiskInterval(
    "corrected-t",
    title="the t interval corrected for overlapping training sets",
    citations=(works.NADEAU_BENGIO,),
    formula=r"""$\bar e$ is the mean and $s$ the standard deviation of the errors of $J$ splits,
each of which trains on $n_1$ cases and tests $n_2$.

$$
\bar e \pm t_{J-1} \, s \sqrt{\frac{1}{J} + \frac{n_2}{n_1}}
$$
""",
    target=Target.EXPECTED,
    assumptions=(
        "splits are correlated by the share of the cases that they test, a rule of thumb",
        NORMAL,
    ),
    refusal=_refusal,
    compute=_corrected_of,
    tried=both_targets("25 x 90/10"),
)
