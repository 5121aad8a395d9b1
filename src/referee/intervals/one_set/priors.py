"""The error with given class priors: error counting in each class, weighted.

References
----------
Fukunaga (1990), Introduction to Statistical Pattern Recognition, section 5.4.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from referee.core.arrays import Floats, Label
from referee.core.results import Interval, check_level
from referee.errors import InputError, named
from referee.intervals.measure_interval import MeasureInterval
from referee.intervals.one_set.proportion import clopper_pearson

__all__ = [
    "KNOWN",
    "STRATIFIED_JOINT",
    "PriorWeighted",
    "checked_priors",
    "prior_weighted",
    "priors_in_order",
]

STRATIFIED_JOINT = MeasureInterval(
    "stratified-joint",
    title="exact intervals of all classes at once, weighted",
    formula=r"""Class $j$ of $k$ has prior $P_j$; $l_j$ and $u_j$ are the exact (Clopper-Pearson)
limits of its error rate at level $1 - \alpha / k$, so that those of all classes hold at once.

$$
\left[\, \sum_j P_j \, l_j,\quad \sum_j P_j \, u_j \,\right]
$$
""",
    measured=(
        "Guaranteed, as all limits hold at once: at least .950 wherever two classes were "
        "enumerated (`pytest -m slow tests/intervals/one_set/test_priors.py`)."
    ),
    at_size=None,
)
KNOWN = MeasureInterval("known", title="no interval, for the value is known", at_size=None)


@dataclass(frozen=True, eq=False)
class PriorWeighted:
    """The error of a class-stratified test set, each class weighted by its prior.

    Attributes
    ----------
    value : float
        e = sum P_i e_i.
    variance : float
        sum P_i² e_i (1 - e_i) / N_i.
    interval : Interval
        From Clopper-Pearson limits that hold for all classes at once: never covers less than its
        level.
    """

    value: float
    variance: float
    interval: Interval


def prior_weighted(
    errors: Floats, sizes: Floats, priors: Floats, level: float = 0.95
) -> PriorWeighted:
    """Return e = sum P_i e_i with its variance and interval.

    Parameters
    ----------
    errors, sizes : arrays
        Errors counted and cases tested in each class.
    priors : array
        The share of each class where the classifier will be used.

    Examples
    --------
    >>> r = prior_weighted(np.array([5, 10]), np.array([50, 50]), np.array([0.5, 0.5]))
    >>> round(r.value, 4), round(r.variance, 6)
    (0.15, 0.00125)
    """
    errors, sizes = np.asarray(errors, float), np.asarray(sizes, float)
    priors = np.asarray(priors, float)
    empty = np.flatnonzero((sizes == 0) & (priors > 0))
    if empty.size:
        raise InputError(
            f"class number {empty[0]} has prior {priors[empty[0]]:g} but no test case; its error "
            "cannot be estimated",
            concerning="priors",
        )
    used = sizes > 0
    P, e, n = priors[used], errors[used] / sizes[used], sizes[used]
    value = float(P @ e)
    variance = float(np.sum(P**2 * e * (1 - e) / n))
    interval = _joint(errors[used], n, P, check_level(level))
    return PriorWeighted(value, variance, interval)


def checked_priors(priors: Any, classes: Sequence[Label]) -> Floats:
    """Return priors in the order of `classes`, from a sequence or a mapping.

    Examples
    --------
    >>> checked_priors({"ill": 0.1, "well": 0.9}, ("ill", "well")).tolist()
    [0.1, 0.9]
    """
    if isinstance(priors, Mapping):
        unknown = [k for k in priors if k not in classes]
        missing = [c for c in classes if c not in priors]
        if unknown or missing:
            raise InputError(
                f"{named('priors')} must name each of the classes {', '.join(map(repr, classes))} "
                "once; "
                + "; ".join(
                    f"{what} {', '.join(map(repr, names))}"
                    for what, names in (("missing is", missing), ("unknown is", unknown))
                    if names
                ),
                concerning="priors",
            )
        priors = [priors[c] for c in classes]
    try:
        array = np.asarray(priors, dtype=float)
    except (TypeError, ValueError):
        array = np.empty(0)
    if array.shape != (len(classes),) or np.any(~np.isfinite(array)) or np.any(array < 0):
        raise InputError(
            f"must be {len(classes)} numbers of at least 0, one per class",
            argument="priors",
            value=repr(priors),
        )
    if not math.isclose(float(array.sum()), 1, abs_tol=1e-6):
        raise InputError(
            "must sum to 1",
            argument="priors",
            value=f"{array.sum():g}",
            remedy="divide them by their sum",
        )
    return np.asarray(array / array.sum())


def priors_in_order(priors: Any, classes: Sequence[Label]) -> tuple[float, ...]:
    """Return priors as they were given, checked and in the order of `classes`.

    Examples
    --------
    >>> priors_in_order({"well": 0.9, "ill": 0.1}, ("ill", "well"))
    (0.1, 0.9)
    """
    checked_priors(priors, classes)
    given = [priors[c] for c in classes] if isinstance(priors, Mapping) else priors
    return tuple(np.asarray(given, dtype=float).tolist())


def _joint(x: Floats, n: Floats, P: Floats, level: float) -> Interval:
    """Weight limits that hold for all classes at once (Bonferroni): sure, and wide."""
    each = 1 - (1 - level) / len(x)
    limits = [clopper_pearson(xi, ni, each) for xi, ni in zip(x, n, strict=True)]
    return Interval(
        low=float(P @ np.array([i.low for i in limits])),
        high=min(1.0, float(P @ np.array([i.high for i in limits]))),
        level=level,
        method=STRATIFIED_JOINT.name,
    )
