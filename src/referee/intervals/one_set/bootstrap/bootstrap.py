"""The bootstrap of a statistic: variance, bias, percentile, basic and BCa intervals.

These judge a statistic of given cases (a mean loss, a rate). The bootstrap that trains a model on
each resample is a resampling scheme: see `referee.resampling.bootstrap`.

References
----------
Efron and Tibshirani (1993), An Introduction to the Bootstrap, chapters 6, 10, 12-14.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np
from scipy import special

from referee.core.arrays import Codes, Floats
from referee.core.randomness import RandomState, integer_seed
from referee.core.results import Interval, Target, check_level
from referee.errors import InputError, Refusal
from referee.intervals import works
from referee.intervals.measure_interval import MeasureInterval
from referee.intervals.risk import RiskInterval, RiskSample, of_several_models

__all__ = [
    "ABC",
    "BASIC",
    "BCA",
    "CASE_LOGIT_T",
    "CLUSTER_LOGIT_T",
    "PERCENTILE",
    "RESAMPLED",
    "STRATIFIED_LOGIT_T",
    "Bootstrapped",
    "abc_mean",
    "basic",
    "bca",
    "bootstrap_mean",
    "logit_t",
    "logit_t_of",
    "percentile",
]

_MANY = 5_000
_CHUNK = 2_000_000
"""Most counts drawn at once, which bounds memory whatever the number of replicates."""


@dataclass(frozen=True, eq=False)
class Bootstrapped:
    """A statistic, its bootstrap replicates and its jackknife values.

    Attributes
    ----------
    value : float
        The statistic of all units.
    replicates, jackknife : arrays of float
        Its values on resamples, and without each unit in turn.
    times : array of int or None
        How many units each jackknife value stands for, where alike ones are held once.

    Examples
    --------
    >>> b = Bootstrapped(2.0, np.array([2.1, 2.3, 1.9, 2.5]), np.array([]))
    >>> round(b.bias, 3), round(b.bias_corrected, 3)
    (0.2, 1.8)
    """

    value: float
    replicates: Floats
    jackknife: Floats
    times: Codes | None = None

    @property
    def variance(self) -> float:
        """The sample variance of the replicates, with B - 1."""
        return float(np.var(self.replicates, ddof=1))

    @property
    def standard_error(self) -> float:
        """The square root of the variance."""
        return math.sqrt(self.variance)

    @property
    def constant(self) -> bool:
        """Whether the replicates are all the same but for rounding."""
        return bool(np.ptp(self.replicates) <= 1e-9 * max(1.0, abs(self.value)))

    @property
    def bias(self) -> float:
        """The mean of the replicates minus the value."""
        return float(np.mean(self.replicates)) - self.value

    @property
    def bias_corrected(self) -> float:
        """The value minus its bias; worth using only where the bias is not small."""
        return self.value - self.bias

    @property
    def bias_is_small(self) -> bool:
        """Whether the bias is below a quarter of the standard error (Efron and Tibshirani)."""
        return abs(self.bias) <= 0.25 * self.standard_error


def percentile(b: Bootstrapped, level: float = 0.95) -> Interval:
    """Return the percentile interval: ranks k and B + 1 - k, k = floor((B + 1) alpha).

    With B = 1000 and alpha = .05 those are the 50th and the 951st; 50th and 950th would not be
    symmetric.

    Examples
    --------
    >>> i = percentile(Bootstrapped(500.0, np.arange(1, 1001.0), np.array([])), level=0.90)
    >>> i.low, i.high
    (50.0, 951.0)
    """
    alpha = (1 - check_level(level)) / 2
    low, high = _at(b.replicates, alpha), _at(b.replicates, 1 - alpha)
    return Interval(low=low, high=high, level=level, method="percentile")


def basic(b: Bootstrapped, level: float = 0.95) -> Interval:
    """Return the basic interval: the percentile interval reflected about the value."""
    p = percentile(b, level)
    low, high = 2 * b.value - p.high, 2 * b.value - p.low
    return Interval(low=low, high=high, level=level, method="basic")


def bca(b: Bootstrapped, level: float = 0.95) -> Interval:
    """Return the bias-corrected and accelerated interval; needs the jackknife values.

    Examples
    --------
    >>> rng = np.random.default_rng(0)
    >>> b = bootstrap_mean(rng.exponential(size=50), rounds=999, random_state=0)
    >>> i = bca(b)
    >>> i.low < b.value < i.high
    True
    """
    check_level(level)
    if not len(b.replicates):
        raise Refusal(
            "the measure is undefined in every resample, so the bootstrap gives no interval",
            remedy="test more cases of every class",
        )
    if b.constant:
        return Interval(
            low=b.value,
            high=b.value,
            level=level,
            method="bca",
            flag="every replicate is the same, so the interval has no width; use clopper-pearson",
        )
    # Replicates that equal the value but for rounding are ties: otherwise the order of the cases
    # and the scale of their weights would decide on which side they fall.
    away = b.replicates - b.value
    tied = np.abs(away) <= 1e-9 * max(abs(b.value), float(np.ptp(b.replicates)))
    below = np.mean((away < 0) & ~tied) + 0.5 * np.mean(tied)
    z0 = float(special.ndtri(np.clip(below, 1e-9, 1 - 1e-9)))
    a = _acceleration(b.jackknife, b.times)
    low, high = (_at(b.replicates, _shifted(q, z0, a)) for q in _tails(level))
    return Interval(low=low, high=high, level=level, method="bca")


def logit_t(
    value: float, replicates: Floats, units: int, n: int, level: float = 0.95
) -> tuple[float, float]:
    """Return value ± t sd / [value (1 - value)] on the logit scale, for a measure within [0, 1].

    Percentiles of a few cases' bootstrap fall short for average precision and partial area; a slow
    test of `judging.ranked` prints the coverage of this form. The t quantile has the smallest
    class's units less one degrees of freedom. A value of 0 or 1 is moved inwards by a quarter of
    1 / n², below the smallest step a measure of n ranked cases can take: an edge of the order 1 / n
    would put the values next to 1 outside of their own interval.

    Examples
    --------
    >>> low, high = logit_t(0.8, np.random.default_rng(0).normal(0.8, 0.05, 500), 30, 60)
    >>> round(low, 2), round(high, 2)
    (0.68, 0.88)
    """
    # The sd of the logits themselves would be ruled by the replicates that lie at the edge.
    return logit_t_of(value, float(np.std(replicates, ddof=1)), units, n, level)


def logit_t_of(
    value: float, sd: float, units: float, n: int, level: float = 0.95
) -> tuple[float, float]:
    """Return the same from the replicates' standard deviation, where that is known without them.

    Examples
    --------
    >>> low, high = logit_t_of(0.8, 0.001, 30_000, 60_000)
    >>> round(low, 4), round(high, 4)
    (0.798, 0.802)
    """
    edge = 0.25 / n**2
    inside = float(np.clip(value, edge, 1 - edge))
    spread = sd / (inside * (1 - inside))
    centre = float(special.logit(inside))
    half = float(special.stdtrit(max(units - 1, 1), (1 + check_level(level)) / 2)) * spread
    return float(special.expit(centre - half)), float(special.expit(centre + half))


def bootstrap_mean(
    values: Floats,
    *,
    weights: Floats | None = None,
    groups: Codes | None = None,
    rounds: int = 2000,
    worth: float = 1.0,
    random_state: RandomState = None,
) -> Bootstrapped:
    """Bootstrap the (weighted) mean of values, drawing cases, or whole groups where given.

    Below 1, `worth` is the share of them that is drawn, where n are worth fewer independent ones.

    Examples
    --------
    >>> b = bootstrap_mean(np.array([0.0, 1.0, 1.0, 0.0]), rounds=500, random_state=1)
    >>> b.value, len(b.replicates)
    (0.5, 500)
    """
    units = _units(values, weights, groups)
    sums, sizes = _in_one_order(*units)
    rng = np.random.default_rng(integer_seed(random_state))
    draws = max(1, round(worth * len(sums)))
    if draws == len(sums) >= _MANY:
        # Compiled loops take a second to load and pay from here on.
        from referee.intervals.one_set.bootstrap.draws import mean_replicates

        many = mean_replicates(sums, sizes, _checked_rounds(rounds), integer_seed(random_state))
        return Bootstrapped(float(sums.sum() / sizes.sum()), many, _left_out(*units))
    replicates = _draw(sums, sizes, draws, _checked_rounds(rounds), rng)
    return Bootstrapped(float(sums.sum() / sizes.sum()), replicates, _left_out(*units))


def abc_mean(
    values: Floats,
    *,
    weights: Floats | None = None,
    groups: Codes | None = None,
    worth: float = 1.0,
    level: float = 0.95,
) -> Interval:
    """Return the ABC interval of a (weighted) mean: what BCa tends to, without resampling.

    Parameters
    ----------
    values, weights, groups : arrays
        As in `bootstrap_mean`.
    worth : float
        How many independent units one of these is worth; widens the interval below 1.

    Notes
    -----
    With u the units' influences on the mean, sd² = sum u² and a = sum u³ / (6 sd³), an end is the
    mean + sd w / (1 - a w)², w = a + z (Efron and Tibshirani 1993, chapter 22; for a mean the bias
    and the curvature vanish).

    Examples
    --------
    >>> values = np.random.default_rng(0).exponential(size=50)
    >>> i, j = abc_mean(values), bca(bootstrap_mean(values, rounds=9999, random_state=0))
    >>> bool(abs(i.low - j.low) < 0.02 and abs(i.high - j.high) < 0.02)
    True
    """
    check_level(level)
    sums, sizes = _units(values, weights, groups)
    mean = float(sums.sum() / sizes.sum())
    influence = (sums - mean * sizes) / sizes.sum()
    squares = influence**2
    sd = math.sqrt(float(np.sum(squares)))
    flat = sd <= 1e-12 * max(1.0, abs(mean))  # and its cube may vanish
    a = 0.0 if flat else float(np.sum(squares * influence)) / (6 * sd**3)
    sd, a = sd / math.sqrt(worth), a / math.sqrt(worth)
    ends = []
    for tail in _tails(level):
        w = a + float(special.ndtri(tail))
        ends.append(mean + sd * w / max(1 - a * w, 0.1) ** 2)
    return Interval(low=ends[0], high=ends[1], level=level, method="abc")


def _in_one_order(sums: Floats, sizes: Floats) -> tuple[Floats, Floats]:
    """Return units in the order of their values: what is drawn shall not depend on how they came.

    Weights are compared as shares of the largest, to nine digits, so that their scale does not
    matter. Differences that lean to the other side are ordered from the other end, so that two
    models that change places change the sign of every replicate and nothing else.
    """
    lean = -1.0 if sums.sum() < 0 else 1.0
    mean, size = lean * sums / np.maximum(sizes, np.finfo(float).tiny), sizes / sizes.max()
    order = np.lexsort((np.round(size, 9), np.round(mean, 9)))
    return sums[order], sizes[order]


def _left_out(sums: Floats, sizes: Floats) -> Floats:
    """Return the mean without each unit in turn."""
    rest = np.maximum(sizes.sum() - sizes, np.finfo(float).tiny)
    return np.asarray((sums.sum() - sums) / rest)


def _units(values: Floats, weights: Floats | None, groups: Codes | None) -> tuple[Floats, Floats]:
    w = np.ones(len(values)) if weights is None else weights
    if groups is None:
        return values * w, w
    _, unit = np.unique(groups, return_inverse=True)
    sums = np.bincount(unit, weights=values * w)
    return sums.astype(float), np.bincount(unit, weights=w).astype(float)


def _draw(sums: Floats, sizes: Floats, draws: int, rounds: int, rng: np.random.Generator) -> Floats:
    n = len(sums)
    block = max(1, min(rounds, _CHUNK // n))
    out: list[Floats] = []
    for start in range(0, rounds, block):
        counts = rng.multinomial(draws, np.full(n, 1 / n), size=min(block, rounds - start))
        out.append((counts @ sums) / np.maximum(counts @ sizes, np.finfo(float).tiny))
    return np.concatenate(out)


def _checked_rounds(rounds: int) -> int:
    if not isinstance(rounds, (int, np.integer)) or rounds < 1:
        raise InputError(
            "must be a whole number of at least 1", argument="rounds", value=repr(rounds)
        )
    return int(rounds)


def _at(replicates: Floats, q: float) -> float:
    """Return the replicate at rank floor((B + 1) q), counted from the nearer end."""
    ordered = np.sort(replicates)
    b = len(ordered)
    from_low = math.floor((b + 1) * min(q, 1 - q) + 1e-9)
    rank = from_low if q <= 0.5 else b + 1 - from_low
    return float(ordered[min(max(rank, 1), b) - 1])


def _tails(level: float) -> tuple[float, float]:
    return (1 - level) / 2, (1 + level) / 2


def _shifted(q: float, z0: float, a: float) -> float:
    z = z0 + float(special.ndtri(q))
    return float(special.ndtr(z0 + z / (1 - a * z)))


def _acceleration(jackknife: Floats, times: Codes | None = None) -> float:
    weight = np.ones(len(jackknife)) if times is None else times
    if weight.sum() < 2:
        raise InputError("bca needs the jackknife values", remedy="make them with bootstrap_mean")
    d = np.average(jackknife, weights=weight) - jackknife
    scale = float(np.sum(weight * d**2)) ** 1.5
    return 0.0 if scale == 0 else float(np.sum(weight * d**3)) / (6 * scale)


def _of_mean_loss(
    form: Callable[[Bootstrapped, float], Interval],
) -> Callable[[RiskSample], Interval]:
    def compute(sample: RiskSample) -> Interval:
        losses = sample.losses
        drawn = bootstrap_mean(
            losses.per_case,
            weights=losses.case_weight,
            groups=losses.case_group,
            random_state=sample.seed,
        )
        interval = form(drawn, sample.level)
        flag = interval.flag
        if interval.low == interval.high:
            flag = flag or _NO_WIDTH
        return replace(
            interval,
            low=max(0.0, interval.low),
            high=min(sample.losses.greatest, interval.high),
            flag=flag,
        )

    return compute


_NO_WIDTH = "the interval has no width, which no sample can justify; use clopper-pearson"

PERCENTILE = RiskInterval(
    "percentile",
    title="bootstrap percentiles",
    formula=r"""$\theta^*_{(1)} \le \ldots \le \theta^*_{(B)}$ are the values of $B$ resamples of
the cases (or groups).

$$
[\, \theta^*_{(k)},\; \theta^*_{(B + 1 - k)} \,], \quad k = \lfloor (B + 1) \, \alpha / 2 \rfloor
$$
""",
    citations=(works.EFRON_TIBSHIRANI_BOOK,),
    target=Target.FIXED,
    compute=_of_mean_loss(percentile),
    reservation=of_several_models,
)
BASIC = RiskInterval(
    "basic",
    title="the basic bootstrap",
    formula=r"""$\theta$ is the value of the cases, and
$\theta^*_{(1)} \le \ldots \le \theta^*_{(B)}$ are those of $B$ resamples of the cases (or groups).

$$
[\, 2 \theta - \theta^*_{(B + 1 - k)},\; 2 \theta - \theta^*_{(k)} \,], \quad
k = \lfloor (B + 1) \, \alpha / 2 \rfloor
$$
""",
    citations=(works.DAVISON,),
    target=Target.FIXED,
    compute=_of_mean_loss(basic),
    reservation=of_several_models,
)
BCA = RiskInterval(
    "bca",
    title="the BCa bootstrap",
    formula=r"""$\theta$ is the value of the cases, $\theta_{(i)}$ that without case (or group) $i$,
and $\bar\theta$ the mean of these. $z_0$ is the normal quantile of the share of resamples below
$\theta$, ties counting half.

$$
a = \frac{\sum_i (\bar\theta - \theta_{(i)})^3}
{6 \left(\sum_i (\bar\theta - \theta_{(i)})^2\right)^{3/2}}, \quad
q(\beta) = \Phi\left(z_0 + \frac{z_0 + z_\beta}{1 - a (z_0 + z_\beta)}\right)
$$

The ends are the quantiles of the resamples at $q(\alpha / 2)$ and $q(1 - \alpha / 2)$.
""",
    citations=(works.EFRON,),
    target=Target.FIXED,
    compute=_of_mean_loss(bca),
    reservation=of_several_models,
)
RESAMPLED: dict[str, Callable[[Bootstrapped, float], Interval]] = {
    "percentile": percentile,
    "basic": basic,
    "bca": bca,
}
"""Name -> interval from replicates of any statistic."""

_LOGIT_T = r"""$\theta$ is the value, as a share of the way from the least to the greatest possible,
$s$ the standard deviation of the resamples' values, and $t$ has the units (cases or groups) of the
smallest class less one as degrees of freedom.

$$
\operatorname{logit}^{-1}\left(\operatorname{logit} \theta \pm
t \, \frac{s}{\theta (1 - \theta)}\right)
$$

Each end is moved out to that of the score interval of an area of $\theta$ (`newcombe-auc`), where
that is wider.
"""
"""How it is computed."""

ABC = MeasureInterval(
    "abc",
    title="the ABC interval",
    formula=r"""$\theta$ is the mean of the cases (or groups), and $u_i$ the influence of case $i$
on it, $(e_i - \theta) / n$ for cases of equal weight.

$$
\sigma^2 = \sum_i u_i^2, \quad a = \frac{\sum_i u_i^3}{6 \sigma^3}, \quad
w = a \pm z, \quad \theta + \frac{\sigma w}{(1 - a w)^2}
$$

$z$ is the normal quantile at $1 - \alpha / 2$; the minus gives the lower end.
""",
    measured=(
        "It falls short where few cases do not show a long tail: at 30 cases, a tenth of them of "
        "the rare class, it covers the cost in less than .88 of 150 data sets (`pytest "
        "tests/intervals/one_set/test_mean_loss.py`). Reports print `skewed-beta`."
    ),
    citations=(works.DICICCIO,),
)
STRATIFIED_LOGIT_T = MeasureInterval(
    "stratified-logit-t",
    title="a bootstrap within classes, with t quantiles on the logit scale, or the score interval "
    "of an area where that is wider",
    formula=_LOGIT_T,
    measured=(
        "Partial area, two normals, areas of .8 to .999, 10 + 100 to 100 + 100 cases: at least "
        ".957 in 20 cells (`pytest -m slow tests/judging/estimating/rankings/test_ranked.py -s`)."
    ),
    citations=(works.EFRON_TIBSHIRANI_BOOK, works.NEWCOMBE_AREA),
)
CASE_LOGIT_T = MeasureInterval(
    "case-logit-t",
    title="a bootstrap of cases, with t quantiles on the logit scale, or the score interval of an "
    "area where that is wider",
    formula=_LOGIT_T,
    measured=(
        "Average precision, two normals, areas of .8 to .999, 10 + 100 to 100 + 100 cases drawn at"
        " random: at least .930 in 20 cells (`pytest -m slow "
        "tests/judging/estimating/rankings/test_ranked.py -s`)."
    ),
    citations=(works.EFRON_TIBSHIRANI_BOOK, works.NEWCOMBE_AREA),
)
CLUSTER_LOGIT_T = MeasureInterval(
    "cluster-logit-t",
    title="a bootstrap of whole groups, with t quantiles on the logit scale, or the score interval "
    "of an area where that is wider",
    formula=_LOGIT_T,
    measured=(
        "Not tried on its own: cases, drawn one by one, are covered as `case-logit-t` and "
        "`stratified-logit-t` say."
    ),
    citations=(works.EFRON_TIBSHIRANI_BOOK, works.NEWCOMBE_AREA),
)
