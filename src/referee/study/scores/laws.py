"""Laws of scores whose mean is known: one number per item, alike within clusters and runs."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from scipy import special

from referee.core.arrays import Codes, Floats

__all__ = ["LAWS", "Law", "cluster_codes", "drawn_items"]


@dataclass(frozen=True)
class Law:
    """A law of scores.

    Attributes
    ----------
    name : str
        What it is called.
    quantile : callable
        From uniform numbers to scores.
    mean : float
        Its mean.
    low, high : float
        Its limits; infinite where there are none.
    right : float or None
        The share of ones, where scores are 0 and 1.
    """

    name: str
    quantile: Callable[[Floats], Floats]
    mean: float
    low: float = 0.0
    high: float = 1.0
    right: float | None = None


def _binary(share: float) -> Law:
    return Law(
        f"0/1, {share:g} right",
        lambda u: (u > 1 - share).astype(float),
        share,
        right=share,
    )


def _mostly(zeros: float, ones: float) -> Law:
    """Return some zeros, many ones, and partial credit in between."""
    middle = 1 - zeros - ones

    def quantile(u: Floats) -> Floats:
        return np.clip((u - zeros) / middle, 0.0, 1.0)

    name = f"mostly 0/1, {zeros:g} zeros and {ones:g} ones"
    return Law(name, quantile, ones + middle / 2)


def _beta(a: float, b: float, word: str) -> Law:
    return Law(
        f"{word}, Beta({a:g}, {b:g})",
        lambda u: np.asarray(special.betaincinv(a, b, u), dtype=float),
        a / (a + b),
    )


def _steps(values: tuple[float, ...], shares: tuple[float, ...], name: str) -> Law:
    ends, worth = np.cumsum(shares)[:-1], np.array(values)

    def quantile(u: Floats) -> Floats:
        return worth[np.searchsorted(ends, u, side="right")]

    return Law(name, quantile, float(np.dot(values, shares)), min(values), max(values))


def _gamma(shape: float) -> Law:
    return Law(
        f"no limits, gamma {shape:g}",
        lambda u: np.asarray(special.gammaincinv(shape, u), dtype=float),
        shape,
        -math.inf,
        math.inf,
    )


_EXPONENTIAL = Law("no limits, exponential", lambda u: -np.log1p(-u), 1.0, -math.inf, math.inf)

LAWS = {
    "tuning": (
        _binary(0.7),
        _binary(0.9),
        _mostly(0.3, 0.6),
        _mostly(0.05, 0.9),
        Law("uniform", lambda u: u, 0.5),
        _beta(0.5, 4, "skewed"),
        _EXPONENTIAL,
    ),
    "fresh": (
        _binary(0.8),
        _binary(0.95),
        _mostly(0.15, 0.75),
        _steps((0.0, 0.25, 0.5, 0.75, 1.0), (0.05, 0.05, 0.1, 0.2, 0.6), "quarters"),
        _steps((1.0, 2.0, 3.0, 4.0, 5.0), (0.5, 0.2, 0.15, 0.1, 0.05), "stars, 1 to 5"),
        _beta(0.4, 0.4, "both ends"),
        _beta(1, 6, "skewed"),
        _gamma(0.7),
    ),
    "confirming": (
        _binary(0.85),
        _binary(0.97),
        _binary(0.65),
        _binary(0.92),
        _binary(0.93),
        _binary(0.99),
        _mostly(0.1, 0.85),
        _steps((0.0, 1 / 3, 2 / 3, 1.0), (0.15, 0.1, 0.15, 0.6), "thirds"),
    ),
    "rare": (_binary(0.9), _binary(0.97)),
}
"""The laws on which forms and constants were chosen, others that played no part in it, those on
which the leaning of differences was confirmed after it had been chosen, and those of clusters of
which few are bad throughout: a sample may show none of them, and no interval that is not guaranteed
can know."""


def cluster_codes(n: int, clusters: int, *, unequal: bool, fresh: bool = False) -> Codes:
    """Return the cluster of each item; unequal ones shrink by a power law, fresh ones evenly."""
    if not unequal:
        return np.arange(n) % clusters
    order = np.arange(1, clusters + 1)
    share = np.linspace(3.0, 0.3, clusters) if fresh else order**-0.7
    sizes = np.maximum(1, np.floor(share / share.sum() * n)).astype(int)
    sizes[0] += n - sizes.sum()
    if sizes[0] < 1:  # more clusters than a tiny n has room for
        return np.arange(n) % clusters
    return np.repeat(np.arange(clusters), sizes)


def drawn_items(
    law: Law,
    rng: np.random.Generator,
    shape: tuple[int, int],
    *,
    clusters: Codes | None = None,
    alike: float = 0.0,
    runs: int = 1,
    origin: str = "tuning",
) -> Floats:
    """Return mean scores of items, a row for each data set.

    Items of one cluster are alike by `alike`: of 0/1 scores the intraclass correlation, their
    shares of ones being Beta over clusters in tuning cells, logit-normal in others (rare: many
    items copy one answer); otherwise the correlation of normal scores behind them. Runs of one item
    are correlated by one half in the same way.
    """
    if law.right is not None:
        if origin == "rare" and clusters is not None:
            return _copied(law.right, rng, shape, clusters, alike)
        return _drawn_shares(law.right, rng, shape, clusters, alike, runs, origin != "tuning")
    size = (shape[0], shape[1], runs)
    own = rng.standard_normal(shape)
    if clusters is not None and alike > 0:
        common = rng.standard_normal((shape[0], int(clusters.max()) + 1))[:, clusters]
        own = math.sqrt(alike) * common + math.sqrt(1 - alike) * own
    if runs == 1:
        return law.quantile(special.ndtr(own))
    each = math.sqrt(0.5) * own[:, :, None] + math.sqrt(0.5) * rng.standard_normal(size)
    return np.asarray(law.quantile(special.ndtr(each)).mean(axis=2))


def _copied(
    right: float, rng: np.random.Generator, shape: tuple[int, int], clusters: Codes, alike: float
) -> Floats:
    """Return 0/1 scores of which a share in each cluster copy one answer."""
    own = rng.random(shape) < right
    common = (rng.random((shape[0], int(clusters.max()) + 1)) < right)[:, clusters]
    copies = rng.random(shape) < math.sqrt(alike)
    return np.where(copies, common, own).astype(float)


def _drawn_shares(
    right: float,
    rng: np.random.Generator,
    shape: tuple[int, int],
    clusters: Codes | None,
    alike: float,
    runs: int,
    fresh: bool,
) -> Floats:
    chance = np.full(shape, right)
    if clusters is not None and alike > 0:
        groups = (shape[0], int(clusters.max()) + 1)
        chance = _varied(right, alike, rng, groups, fresh)[:, clusters]
    if runs == 1:
        return (rng.random(shape) < chance).astype(float)
    # Items differ in difficulty: the runs of one item are correlated by one half.
    eps = 1e-9
    level = np.clip(chance, eps, 1 - eps)
    item = np.asarray(rng.beta(level, 1 - level))
    return rng.binomial(runs, item) / runs


def _varied(
    right: float, alike: float, rng: np.random.Generator, shape: tuple[int, int], fresh: bool
) -> Floats:
    """Return shares of ones with the mean `right` and the intraclass correlation `alike`."""
    if not fresh:
        k = (1 - alike) / alike
        return np.asarray(rng.beta(right * k, (1 - right) * k, shape))
    centre, spread = _logit_normal(right, alike)
    return np.asarray(special.expit(centre + spread * rng.standard_normal(shape)))


def _logit_normal(right: float, alike: float) -> tuple[float, float]:
    """Return centre and spread of the logit-normal law with this mean and correlation."""
    from scipy import optimize

    nodes, weights = np.polynomial.hermite_e.hermegauss(120)
    weights = weights / weights.sum()

    def centre_at(spread: float) -> float:
        def off(centre: float) -> float:
            return float(weights @ special.expit(centre + spread * nodes)) - right

        return float(optimize.brentq(off, -600, 600))

    def excess(spread: float) -> float:
        p = special.expit(centre_at(spread) + spread * nodes)
        return float(weights @ p**2) - right**2 - alike * right * (1 - right)

    spread = float(optimize.brentq(excess, 0.01, 30))
    return centre_at(spread), spread
