"""The betting interval and confidence sequence of a mean of bounded scores.

Two parties start with half the capital each, one staking on scores above m, one on scores below.
The sequence holds all m against which neither has reached 2 / alpha times its start; so it contains
the mean at all times at once, with probability 1 - alpha, for *every* distribution between the
bounds. Unlike bounds that know the range alone it narrows where scores vary little.

With a fixed number of cases the same holds for the last interval, and the stakes are set for that
number alone (plug-in bettors only). The interval then depends on the order in which the bettor
sees the cases. Where they came in no order a random one is drawn from a seed that is fixed
beforehand; it is part of the method.

References
----------
Waudby-Smith and Ramdas (2024), Estimating means of bounded random variables by betting, JRSS B 86
(hedged capital, predictable plug-in stakes).
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import numpy as np

from referee.core.arrays import Floats, Rows
from referee.core.randomness import RandomState, integer_seed
from referee.core.results import Interval, Target, check_level
from referee.errors import InputError
from referee.intervals import works
from referee.intervals.measure_interval import MeasureInterval
from referee.intervals.sequential.sequence import ConfidenceSequence, check_scores, intersected

__all__ = ["BETTING", "FORMULA", "MEASURED", "betting", "betting_interval"]

_TIMES = 150
_HALVINGS = 44


def betting(
    scores: Any,
    level: float = 0.95,
    *,
    bounds: tuple[float, float] = (0.0, 1.0),
    running: bool = True,
    times: Any = None,
) -> ConfidenceSequence:
    """Return intervals of the mean that hold after every case at once.

    Parameters
    ----------
    scores : array of float
        One per case, in the order in which the cases came.
    level : float
        The probability that all intervals hold.
    bounds : tuple of float
        Between which all scores lie, by definition and not by what was seen.
    running : bool
        Whether each interval is cut with all those before it, which is free.
    times : array of int or None
        After how many cases intervals are wanted; by default after each of up to 150, of more
        after 150 numbers that grow by equal factors. They hold at the times between, too.

    Examples
    --------
    >>> rng = np.random.default_rng(0)
    >>> i = betting(0.3 + 0.1 * rng.random(1000)).interval
    >>> round(i.low, 3), round(i.high, 3)
    (0.349, 0.356)
    """
    values = check_scores(scores, bounds)
    alpha = 1 - check_level(level)
    at = _checked_times(times, len(values))
    table = _Table(
        values, _capital().stakes(values, alpha, fixed_n=False), math.log(2 / alpha), plug_in=0.5
    )
    low, high, flag = table.path(at, running)
    least, width = bounds[0], bounds[1] - bounds[0]
    return ConfidenceSequence(
        n=at,
        mean=least + width * np.cumsum(values)[at - 1] / at,
        low=least + width * low,
        high=least + width * high,
        level=level,
        method="betting",
        running=running,
        flag=flag,
    )


def betting_interval(
    scores: Any,
    level: float = 0.95,
    *,
    bounds: tuple[float, float] = (0.0, 1.0),
    random_state: RandomState = 0,
    target: Target = Target.FIXED,
) -> Interval:
    """Return the interval of the mean of a fixed number of bounded scores; guaranteed.

    Parameters
    ----------
    scores : array of float
        One per case; their order does not matter.
    level : float
        Holds for every distribution between the bounds and every number of cases.
    bounds : tuple of float
        Between which all scores lie, by definition.
    random_state : int, Generator or RandomState
        The order in which the bettor sees the cases is drawn from it.
    target : Target
        What the scores speak about.

    Examples
    --------
    >>> i = betting_interval([0.0] * 95 + [1.0] * 5)
    >>> round(i.low, 4), round(i.high, 4)
    (0.0066, 0.1167)
    """
    values = check_scores(scores, bounds)
    alpha = 1 - check_level(level)
    seed = integer_seed(random_state)
    # Sorted first, so that the same scores in any order give the same interval.
    values = np.random.default_rng(seed).permutation(np.sort(values))
    table = _Table(
        values, _capital().stakes(values, alpha, fixed_n=True), math.log(2 / alpha), plug_in=1.0
    )
    low, high, flag = table.path(np.array([len(values)]), running=True)
    least, width = bounds[0], bounds[1] - bounds[0]
    return Interval(
        low=float(least + width * low[-1]),
        high=float(least + width * high[-1]),
        level=level,
        method="betting",
        target=target,
        flag=flag,
        basis=f"cases were taken in a random order, drawn with seed {seed}",
    )


@dataclass(frozen=True, eq=False)
class _Table:
    """Where the bets are placed: scores, stakes, what must be won, and who has the capital."""

    scores: Floats
    bets: Floats
    need: float
    plug_in: float

    def path(self, times: Rows, running: bool) -> tuple[Floats, Floats, str]:
        """Return the ends at some times, and a flag where nothing is left between them."""
        low = self._lower(times, running)
        high = 1 - replace(self, scores=1 - self.scores)._lower(times, running)
        return intersected(low, high) if running else (low, high, "")

    def _lower(self, times: Rows, running: bool) -> Floats:
        """Return the lower ends: the capital falls as m rises, so halving closes in on them."""
        path = np.zeros(len(times))
        last = 0.0
        for position, stop in enumerate(times):
            won = partial(self._ever_won if running else self._won, int(stop))
            low = last if running else 0.0
            if won(low + 1e-12):
                high = 1.0
                for _ in range(_HALVINGS):
                    middle = (low + high) / 2
                    low, high = (middle, high) if won(middle) else (low, middle)
            path[position] = last = low
        return path

    def _ever_won(self, stop: int, mean: float) -> bool:
        capital = _capital()
        shares = capital.SHARES[:0] if self.plug_in == 1 else capital.SHARES
        return bool(
            capital.reaches(self.scores, self.bets, shares, self.plug_in, stop, mean, self.need)
        )

    def _won(self, stop: int, mean: float) -> bool:
        scores, bets = self.scores[:stop], self.bets[:stop]
        log = _capital().log_capitals(scores, bets, mean, above=True, plug_in=self.plug_in)
        return bool(log[-1] >= self.need)


def _checked_times(times: Any, n: int) -> Rows:
    if times is None:
        if n <= _TIMES:
            return np.arange(1, n + 1)
        return np.unique(np.geomspace(1, n, _TIMES).round().astype(np.intp))
    at = np.atleast_1d(np.asarray(times))
    if not np.issubdtype(at.dtype, np.integer) or not at.size:
        raise InputError("must be whole numbers of cases", argument="times", value=repr(times))
    if at.min() < 1 or at.max() > n or np.any(np.diff(at) <= 0):
        raise InputError(
            f"must rise from at least 1 to at most {n} cases", argument="times", value=repr(times)
        )
    return at.astype(np.intp)


FORMULA = r"""$x_1, x_2, \ldots$ are the scores in order, brought to 0 to 1, and $v_i$ their
variance so far ($v_0 = \frac{1}{4}$). Who stakes $\lambda_i$ on case $i$, on scores above $m$,
makes of 1

$$
K_n(m) = \prod_{i=1}^{n} \left(1 + \lambda_i (x_i - m)\right), \quad
\lambda_i = \min\left(\sqrt{\frac{2 \log (2 / \alpha)}{v_{i-1} \, d_i}},\; \frac{3}{4 m}\right).
$$

Where the number of cases $n$ is fixed, $d_i = n$. Else $d_i = i \log(1 + i)$, and half of the
capital goes to eight bettors whose stakes are constant. The lower end is the largest $m$ against
which the capital has ever been $2 / \alpha$; the upper end is 1 minus the same for the scores
$1 - x_i$.
"""
"""How it is computed."""

MEASURED = (
    "Of 2000 sequences of 1000 scores, 0/1 and continuous, at most .10 ever left a 90 % sequence "
    "(`pytest -m slow tests/intervals/sequential/test_betting.py`)."
)
"""How often it was right."""

BETTING = MeasureInterval(
    "betting",
    title="the betting confidence sequence, which holds at all times",
    formula=FORMULA,
    measured=MEASURED,
    citations=(works.WAUDBY_SMITH_RAMDAS,),
    target=Target.FIXED,
    at_size=None,
)


def _capital() -> Any:
    """Return the compiled loops; they are imported where they are used, for they cost a second."""
    from referee.intervals.sequential import capital

    return capital
