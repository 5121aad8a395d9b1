"""Intervals for a single proportion: x errors among n cases.

All forms take a fractional `errors` and `n`, so that an effective sample size can be put in; with
whole numbers they are the textbook intervals.

Coverage at n = 100, by exact enumeration, the minimum over true p from .005 to .995: Wald .39,
Jeffreys .88, Wilson .89, Agresti-Coull .94, Clopper-Pearson .95. Over all p Wald falls to 0 and
Wilson to .84. Only Clopper-Pearson keeps its promise for every p and n; it is the default.

References
----------
Clopper and Pearson (1934), Biometrika 26. Wilson (1927), JASA 22. Agresti and Coull (1998), The
American Statistician 52. Brown, Cai and DasGupta (2001), Statistical Science 16.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace

from scipy import special

from referee.core.results import Interval, Target, check_level
from referee.core.situation import Situation
from referee.errors import InputError
from referee.intervals import works
from referee.intervals.one_set.dependent.effective_n import worth_of_groups
from referee.intervals.risk import RiskInterval, RiskSample, both_targets, of_several_models

__all__ = [
    "AGRESTI_COULL",
    "CLOPPER_PEARSON",
    "JEFFREYS",
    "WALD",
    "WILSON",
    "agresti_coull",
    "clopper_pearson",
    "jeffreys",
    "reaching_none",
    "wald",
    "wilson",
]

_WALD_FLAG = "covers far less than it says where errors are few; use clopper-pearson or wilson"


def clopper_pearson(
    errors: float, n: float, level: float = 0.95, *, target: Target = Target.FIXED
) -> Interval:
    """Return the exact interval: covers at least as often as it says, for every p and n.

    Examples
    --------
    >>> i = clopper_pearson(15, 148)
    >>> round(i.low, 4), round(i.high, 4)
    (0.0578, 0.1617)
    """
    alpha = 1 - _checked(errors, n, level)
    low = 0.0 if errors == 0 else _beta(errors, n - errors + 1, alpha / 2)
    high = 1.0 if errors == n else _beta(errors + 1, n - errors, 1 - alpha / 2)
    return _interval(low, high, level, "clopper-pearson", target)


def wilson(
    errors: float, n: float, level: float = 0.95, *, target: Target = Target.FIXED
) -> Interval:
    """Return the score interval: right on average, a little short for some p.

    Examples
    --------
    >>> i = wilson(15, 148)
    >>> round(i.low, 4), round(i.high, 4)
    (0.0624, 0.1605)
    """
    z = _quantile(_checked(errors, n, level))
    p = errors / n
    centre = (p + z * z / (2 * n)) / (1 + z * z / n)
    half = z / (1 + z * z / n) * math.sqrt(p * (1 - p) / n + z * z / (4 * n * n))
    low = 0.0 if errors == 0 else max(0.0, centre - half)
    high = 1.0 if errors == n else min(1.0, centre + half)
    return _interval(low, high, level, "wilson", target)


def agresti_coull(
    errors: float, n: float, level: float = 0.95, *, target: Target = Target.FIXED
) -> Interval:
    """Return the adjusted Wald interval: add z²/2 successes and failures, then Wald.

    Examples
    --------
    >>> i = agresti_coull(13, 16)
    >>> round(i.low, 4), round(i.high, 4)
    (0.562, 0.942)
    """
    z = _quantile(_checked(errors, n, level))
    m = n + z * z
    p = (errors + z * z / 2) / m
    half = z * math.sqrt(p * (1 - p) / m)
    return _interval(max(0.0, p - half), min(1.0, p + half), level, "agresti-coull", target)


def jeffreys(
    errors: float, n: float, level: float = 0.95, *, target: Target = Target.FIXED
) -> Interval:
    """Return the equal-tailed interval under Jeffreys' prior, with whole tails at the ends.

    The lower end is 0 below half an error and the upper end 1 above n minus a half, as in Brown,
    Cai and DasGupta.

    Examples
    --------
    >>> i = jeffreys(13, 16)
    >>> round(i.low, 4), round(i.high, 4)
    (0.5792, 0.9442)
    """
    alpha = 1 - _checked(errors, n, level)
    a, b = errors + 0.5, n - errors + 0.5
    low = 0.0 if errors < 0.5 else _beta(a, b, alpha / 2)
    high = 1.0 if n - errors < 0.5 else _beta(a, b, 1 - alpha / 2)
    # At very low levels the equal-tailed interval may miss the estimate itself.
    return _interval(min(low, errors / n), max(high, errors / n), level, "jeffreys", target)


def wald(
    errors: float, n: float, level: float = 0.95, *, target: Target = Target.FIXED
) -> Interval:
    """Return p ± z sqrt(p (1 - p) / n), the error bar of the textbooks, flagged.

    Examples
    --------
    >>> i = wald(12, 40)
    >>> round((i.high - i.low) / 2, 2)
    0.14
    >>> i.flag
    'covers far less than it says where errors are few; use clopper-pearson or wilson'
    """
    z = _quantile(_checked(errors, n, level))
    p = errors / n
    half = z * math.sqrt(p * (1 - p) / n)
    return Interval(
        low=max(0.0, p - half),
        high=min(1.0, p + half),
        level=level,
        method="wald",
        target=target,
        flag=_WALD_FLAG,
    )


def _checked(errors: float, n: float, level: float) -> float:
    if not 0 < n < math.inf:
        raise InputError(
            "must be positive and finite",
            argument="n",
            value=str(n),
            remedy="an interval needs at least one case",
        )
    if not 0 <= errors <= n:
        raise InputError(f"must lie between 0 and n = {n}", argument="errors", value=str(errors))
    return check_level(level)


def _quantile(level: float) -> float:
    return float(special.ndtri((1 + level) / 2))


def _beta(a: float, b: float, q: float) -> float:
    return float(special.betaincinv(a, b, q))


def _interval(low: float, high: float, level: float, method: str, target: Target) -> Interval:
    return Interval(low=float(low), high=float(high), level=level, method=method, target=target)


def _at_independent_cases(form: Callable[..., Interval]) -> Callable[[RiskSample], Interval]:
    def compute(sample: RiskSample) -> Interval:
        n = sample.independent_cases
        target = Target.FIXED if sample.fits == 1 else sample.target
        errors = min(sample.losses.mean, 1.0) * n
        interval = form(errors, n, sample.level, target=target)
        return replace(reaching_none(interval, sample), n_effective=n)

    return compute


def reaching_none(interval: Interval, sample: RiskSample, cost: float = 1.0) -> Interval:
    """Return an interval of groups, widened to what no error, or nothing else, would have shown.

    Groups without an error may be all alike inside, and count as one case each; errors spread over
    the groups show that they are not. Without this more errors could lower the upper end.

    Parameters
    ----------
    cost : float
        By what factor several fits reduce the number of independent cases.
    """
    losses = sample.losses
    if losses.case_group is None:
        return interval
    few = max(1.0, worth_of_groups(losses.case_group, losses.case_weight) / cost)
    reach = clopper_pearson(0.0, few, sample.level).high
    return replace(interval, low=min(interval.low, 1 - reach), high=max(interval.high, reach))


def _exact_no_more(situation: Situation) -> str:
    """Return why the interval is not exact: several models, or unequal weights."""
    if situation.fixed and situation.weighted and not situation.grouped:
        return "is exact for cases of equal weight only; use weighted"
    return of_several_models(situation)


_COUNTS = r"Of $n$ cases $x$ were answered wrongly, $\hat p = x/n$"
_NORMAL = rf"{_COUNTS}; $z$ is the normal quantile at $1 - \alpha/2$."
_BETA = rf"{_COUNTS}; $B$ is a quantile of the beta law."

CLOPPER_PEARSON = RiskInterval(
    "clopper-pearson",
    of_losses="0/1",
    title="the exact interval",
    citations=(works.CLOPPER_PEARSON,),
    formula=_BETA
    + r"""

$$
[\, B(\alpha/2;\; x,\; n - x + 1),\quad B(1 - \alpha/2;\; x + 1,\; n - x) \,]
$$
""",
    compute=_at_independent_cases(clopper_pearson),
    of_counts=clopper_pearson,
    reservation=_exact_no_more,
)
WILSON = RiskInterval(
    "wilson",
    of_losses="0/1",
    title="the score interval",
    citations=(works.WILSON,),
    formula=_NORMAL
    + r"""

$$
\frac{\hat p + \frac{z^2}{2n}}{1 + \frac{z^2}{n}} \pm
\frac{z}{1 + \frac{z^2}{n}} \sqrt{\frac{\hat p (1 - \hat p)}{n} + \frac{z^2}{4 n^2}}
$$
""",
    compute=_at_independent_cases(wilson),
    of_counts=wilson,
    reservation=of_several_models,
    tried=both_targets("10x10", first_pass=True),
)
AGRESTI_COULL = RiskInterval(
    "agresti-coull",
    of_losses="0/1",
    title="the adjusted Wald interval",
    citations=(works.AGRESTI_COULL,),
    formula=_NORMAL
    + r"""

$$
\tilde n = n + z^2, \quad \tilde p = \frac{x + z^2/2}{\tilde n}, \quad
\tilde p \pm z \sqrt{\tilde p (1 - \tilde p) / \tilde n}
$$
""",
    compute=_at_independent_cases(agresti_coull),
    of_counts=agresti_coull,
    reservation=of_several_models,
)
JEFFREYS = RiskInterval(
    "jeffreys",
    of_losses="0/1",
    title="Jeffreys' interval",
    citations=(works.BROWN,),
    formula=_BETA
    + r"""

$$
[\, B(\alpha/2;\; x + \frac{1}{2},\; n - x + \frac{1}{2}),\quad
B(1 - \alpha/2;\; x + \frac{1}{2},\; n - x + \frac{1}{2}) \,]
$$
""",
    compute=_at_independent_cases(jeffreys),
    of_counts=jeffreys,
    at_size=jeffreys,
    reservation=of_several_models,
)
WALD = RiskInterval(
    "wald",
    of_losses="0/1",
    title="the Wald interval, which covers too rarely",
    citations=(works.BROWN,),
    formula=_NORMAL
    + r"""

$$
\hat p \pm z \sqrt{\hat p (1 - \hat p) / n}
$$
""",
    flag=_WALD_FLAG,
    compute=_at_independent_cases(wald),
    of_counts=wald,
    reservation=of_several_models,
)
