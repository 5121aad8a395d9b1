"""The interval of a mean of the classes' error rates, as balanced accuracy and informedness are.

Two forms, and the outer end on each side. *Squares*: each class's own limits, combined as
independent errors are: point - sqrt(sum P² (e - l)²), point + sqrt(sum P² (u - e)²). Where several
classes show one or two errors each, its lower end is too high: each class on its own says little,
all of them together more. *Scaled*: the limits of all errors among all cases of the classes that
show both errors and right answers, in standard errors of a binomial count, times the standard error
of the mean.

A class's limits are the exact ones with a part of the correction for whole counts taken off, up to
a fifth of a case: what several classes' counts add up to jumps less than any of them. One class
alone, and classes of five cases or fewer, keep all of it.

Coverage at 95 %, every table enumerated over rates from .001 to .999: at least .950 for two to four
classes of 5 to 100 cases; mean .992 (5 + 5), .986 (10 + 10), .979 (20 + 20), .971 (50 + 50), .966
(100 + 100), where half of the rates are below .15 or above .9. Thirty classes of five cases: .939
where each errs on half. Squares alone fall to .91, limits that hold for all classes at once cover
1.000.

References
----------
Newcombe (1998), Statistics in Medicine 17. Dobson, Kuulasmaa, Eberle and Scherer (1991),
Statistics in Medicine 10. Zou and Donner (2008), Statistics in Medicine 27.
"""

from __future__ import annotations

import math

import numpy as np
from scipy import special

from referee.core.arrays import Codes, Floats
from referee.core.results import Interval, Target
from referee.intervals import works
from referee.intervals.measure_interval import MeasureInterval
from referee.intervals.one_set.dependent.effective_n import effective_n
from referee.intervals.one_set.proportion import clopper_pearson

__all__ = ["CLASS_RATES", "class_sizes", "mean_of_rates"]


_LESS = 0.2
"""Of large classes so much of a case is taken off the correction for whole counts."""


def mean_of_rates(rates: Floats, sizes: Floats, level: float = 0.95) -> Interval:
    """Return the interval of the mean of independent classes' rates.

    Parameters
    ----------
    rates, sizes : arrays
        The error rate of each class, and how many independent cases it rests on.

    Examples
    --------
    >>> i = mean_of_rates(np.array([0.0, 0.0, 0.0]), np.array([50.0, 50.0, 50.0]))
    >>> i.low, round(i.high, 3)
    (0.0, 0.037)
    """
    e, n = np.clip(np.asarray(rates, float), 0.0, 1.0), np.asarray(sizes, float)
    point, share = float(e.mean()), 1 / len(e)
    if len(e) == 1:
        alone = clopper_pearson(point * n[0], n[0], level)
        return Interval(low=alone.low, high=alone.high, level=level, method=CLASS_RATES.name)
    own = np.array([_limits(p * m, m, level) for p, m in zip(e, n, strict=True)])
    down, up = share * (e - own[:, 0]), share * (own[:, 1] - e)
    low = point - math.sqrt(float(down @ down))
    high = point + math.sqrt(float(up @ up))
    # Cases of a class that is always right, or never, would make the others' errors look rarer.
    mixed = (e > 0) & (e < 1)
    total, errors = float(n[mixed].sum()), float(e[mixed] @ n[mixed])
    spread = errors * (1 - errors / max(total, 1e-300))
    if spread > 1e-12:
        least, most = _limits(min(errors, total), total, level, float(n[mixed].min()))
        scale = share * math.sqrt(float(np.sum(e * (1 - e) / n)) / spread)
        low = min(low, point + scale * (total * least - errors))
        high = max(high, point + scale * (total * most - errors))
    return Interval(low=max(0.0, low), high=min(1.0, high), level=level, method=CLASS_RATES.name)


def _limits(
    errors: float, n: float, level: float, smallest: float | None = None
) -> tuple[float, float]:
    """Return exact limits but for a part of the correction for whole counts.

    How large a part is told by the smallest class that the errors are of.

    Examples
    --------
    >>> [round(end, 4) for end in _limits(0, 5, 0.95)], round(clopper_pearson(0, 5).high, 4)
    ([0.0, 0.5218], 0.5218)
    """
    tail, less = (1 - level) / 2, _LESS * max(0.0, 1 - 5 / (n if smallest is None else smallest))
    low, high = 0.0, 1.0
    if errors > 0:
        low = float(special.betaincinv(errors + less, n - errors + 1 - less, tail))
    if errors < n:
        high = float(special.betaincinv(errors + 1 - less, n - errors + less, 1 - tail))
    return min(low, errors / n), max(high, errors / n)


def class_sizes(
    losses: Floats,
    truth: Codes,
    classes: int,
    *,
    weights: Floats | None = None,
    groups: Codes | None = None,
    level: float = 0.95,
) -> Floats:
    """Return how many independent cases each class's error rate rests on.

    Each class has its own number, from its own losses. Where groups hold cases of several classes
    and these err together, all numbers are reduced until they give the variance of the mean.

    Parameters
    ----------
    losses, truth : arrays
        The loss and the true class of each case.
    """
    sizes = np.empty(classes)
    for c in range(classes):
        mine = truth == c
        sizes[c] = effective_n(
            losses[mine],
            weights=None if weights is None else weights[mine],
            groups=None if groups is None else groups[mine],
            level=level,
        )
    if groups is None:
        return sizes
    return np.asarray(np.maximum(1.0, sizes / _together(losses, truth, classes, weights, groups)))


def _together(
    losses: Floats, truth: Codes, classes: int, weights: Floats | None, groups: Codes
) -> float:
    """Return by what factor errors that classes share within groups raise the variance."""
    w = np.ones(len(losses)) if weights is None else weights / np.max(weights)
    _, unit = np.unique(groups, return_inverse=True)
    by_class = np.zeros((int(unit.max()) + 1, classes))
    for c in range(classes):
        mine = truth == c
        total = float(w[mine].sum())
        away = w[mine] * (losses[mine] - float(np.average(losses[mine], weights=w[mine])))
        by_class[:, c] = np.bincount(unit[mine], weights=away / total, minlength=len(by_class))
    apart = float(np.sum(by_class**2))
    return max(1.0, float(np.sum(by_class.sum(axis=1) ** 2)) / apart) if apart > 0 else 1.0


CLASS_RATES = MeasureInterval(
    "class-rates",
    title="nearly exact limits of the classes' rates, combined as independent errors are",
    formula=r"""Class $j$ of $k$ has $n_j$ cases (or is worth so many) and error rate $e_j$;
$\bar e$ is the mean of the $e_j$. With $x_j = n_j e_j$ errors and
$\delta_j = \max(0, 1 - 5 / n_j) / 5$ its limits are

$$
l_j = B(\alpha/2;\; x_j + \delta_j,\; n_j - x_j + 1 - \delta_j), \quad
u_j = B(1 - \alpha/2;\; x_j + 1 - \delta_j,\; n_j - x_j + \delta_j),
$$

where $B$ is a quantile of the beta law; $\delta_j = 0$ gives the exact (Clopper-Pearson) ones.

$$
\left[\, \bar e - \frac{1}{k} \sqrt{\sum_j (e_j - l_j)^2},\quad
\bar e + \frac{1}{k} \sqrt{\sum_j (u_j - e_j)^2} \,\right]
$$

Each end is moved out to that of a second form. With $x$ errors of $n$ cases in
the classes that show both errors and right answers, and $l$ and $u$
the limits of $x / n$, made in the same way with the
smallest $\delta_j$ of those classes:

$$
\left[\, \bar e - s \, (x - n l),\quad \bar e + s \, (n u - x) \,\right], \quad
s = \frac{1}{k} \sqrt{\frac{\sum_j e_j (1 - e_j) / n_j}{x (1 - x / n)}}
$$
""",
    measured=(
        "Every table of two to four classes of 5 to 100 cases enumerated: at least .950, on "
        "average .992 (5 + 5 cases) to .966 (100 + 100) (`pytest -m slow "
        "tests/intervals/one_set/test_class_rates.py -s`)."
    ),
    citations=(works.NEWCOMBE,),
    target=Target.FIXED,
    at_size=None,
)
