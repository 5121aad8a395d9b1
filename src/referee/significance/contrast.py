"""Contrast: a difference, its standard error and degrees of freedom; what every t or z test is."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

import numpy as np
import scipy
from scipy import special

from referee.core.results import Evidence, Interval, Target, check_level
from referee.errors import InputError
from referee.intervals.scores.leaning import FARTHEST, careful_statistics, leaning_reach

__all__ = ["Contrast"]


@dataclass(frozen=True, kw_only=True)
class Contrast:
    """A measured difference, first minus second, with what is needed to test it.

    Parameters
    ----------
    value : float
        The difference.
    se : float
        Its standard error; 0 where nothing varied.
    df : float
        Degrees of freedom of the standard error; infinite for a z test.
    test : str
        Catalogue name of the test.
    null : str
        The hypothesis of no difference, in words.
    n : int
        The number of cases it rests on.
    seen : float or None
        The difference as it was seen, where `value` was drawn towards 0; else None.
    lean : float
        By how much the law of the difference leans: a sixth of its skewness, as far as it counts.
        Test and interval are then the more careful of Student's and Willink's.

    Examples
    --------
    >>> c = Contrast(value=-0.025, se=0.01, df=math.inf, test="z", null="equal", n=400)
    >>> round(c.evidence().p_value, 4)
    0.0124
    >>> i = c.interval()
    >>> round(i.low, 4), round(i.high, 4)
    (-0.0446, -0.0054)
    >>> c.swapped.evidence().p_value == c.evidence().p_value
    True
    """

    value: float
    se: float
    df: float
    test: str
    null: str
    n: int
    target: Target = Target.FIXED
    assumptions: tuple[str, ...] = ()
    flag: str = ""
    seen: float | None = None
    lean: float = 0.0

    def __post_init__(self) -> None:
        if not self.se >= 0 or not self.df > 0:
            raise InputError(
                "must be at least 0 and df positive",
                argument="se",
                value=f"{self.se} and {self.df}",
            )

    @property
    def swapped(self) -> Contrast:
        """The contrast of the two in the other order."""
        seen = None if self.seen is None else -self.seen
        return replace(self, value=-self.value, seen=seen, lean=-self.lean)

    @property
    def shown(self) -> float:
        """The difference as it was seen."""
        return self.value if self.seen is None else self.seen

    def evidence(self, null_value: float = 0.0, alternative: str = "two-sided") -> Evidence:
        """Return the test of difference = `null_value`.

        Where nothing varied the statistic is 0 and p is 1 at the null value, infinite and 0 (or
        1, on the wrong side) elsewhere; callers decide whether such data can tell anything.
        """
        away = self.value - null_value
        statistic = (
            away / self.se if self.se > 0 else (math.copysign(math.inf, away) if away else 0)
        )
        return Evidence(
            test=self.test,
            statistic=float(statistic),
            p_value=_p_value(float(statistic), self.df, alternative, self.lean),
            null=self.null,
            n=self.n,
            target=self.target,
            alternative=alternative,
            assumptions=self.assumptions,
            df=None if math.isinf(self.df) else self.df,
            flag=self.flag,
        )

    def interval(self, level: float = 0.95) -> Interval:
        """Return value ± quantile times se, farther on the side to which the difference leans."""
        quantile = self._quantile((1 + check_level(level)) / 2)
        down, up = leaning_reach(quantile, self.lean, FARTHEST)
        flag = self.flag
        if self.se == 0:
            flag = "; ".join(f for f in ("nothing varied, so the interval has no width", flag) if f)
        return Interval(
            low=min(self.value - down * self.se, self.shown),
            high=max(self.value + up * self.se, self.shown),
            level=level,
            method=self.test,
            target=self.target,
            flag=flag,
        )

    def detectable(self, level: float = 0.95, power: float = 0.8) -> float:
        """Return the difference that a test of this precision shows with probability `power`."""
        return self.se * (self._quantile((1 + check_level(level)) / 2) + self._quantile(power))

    def _quantile(self, q: float) -> float:
        return float(special.ndtri(q) if math.isinf(self.df) else special.stdtrit(self.df, q))


def _p_value(statistic: float, df: float, alternative: str, lean: float = 0.0) -> float:
    law = scipy.stats.norm() if math.isinf(df) else scipy.stats.t(df)
    low, high = careful_statistics(np.array([statistic]), np.array([lean]), FARTHEST)
    above, below = float(law.sf(low[0])), float(law.cdf(high[0]))
    if alternative == "two-sided":
        return min(1.0, 2 * min(above, below))
    if alternative == "greater":
        return above
    if alternative == "less":
        return below
    raise InputError(
        "must be 'two-sided', 'less' or 'greater'", argument="alternative", value=repr(alternative)
    )
