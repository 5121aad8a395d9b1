"""A confidence sequence: an interval after every case, all of which hold at once."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from referee.core.arrays import Flags, Floats, Rows
from referee.core.results import Interval
from referee.core.showing.numbers import level_text
from referee.core.showing.pictures import Curve, Curves
from referee.errors import InputError

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["EMPTY_FLAG", "ConfidenceSequence", "check_scores", "intersected"]

EMPTY_FLAG = (
    "intervals of different times exclude each other: either the one error in so many that the "
    "level allows, or the cases drift and have no one mean; what is shown is the last interval "
    "before that"
)
OUTSIDE_FLAG = (
    "the mean of all cases lies outside the interval, which earlier cases have narrowed: either "
    "the one error in so many that the level allows, or the cases drift and have no one mean"
)
_POINTS = 400
"""How many points of a sequence are drawn at most."""


@dataclass(frozen=True, kw_only=True, eq=False)
class ConfidenceSequence:
    """Intervals after 1, 2, 3 ... cases that hold at all times together.

    So one may look whenever one likes and stop when one has seen enough: the interval at that
    moment keeps its level, whatever the reason to stop.

    Attributes
    ----------
    n : array of int
        After how many cases.
    mean : array of float
        The mean of the scores so far.
    low, high : array of float
        The ends.
    level : float
        The probability that the truth lies in all of them.
    method : str
        The catalogue name.
    side : {"both", "upper", "lower"}
        Whether the sequence bounds from both sides, or spends all its error on one.
    running : bool
        Whether each interval is cut with all those before it.
    flag : str
        Why the sequence should not be trusted, where that is so; empty otherwise.
    """

    n: Rows
    mean: Floats
    low: Floats
    high: Floats
    level: float
    method: str
    side: str = "both"
    running: bool = True
    flag: str = ""

    @property
    def interval(self) -> Interval:
        """The last interval."""
        outside = not self.low[-1] <= self.mean[-1] <= self.high[-1]
        return Interval(
            low=float(self.low[-1]),
            high=float(self.high[-1]),
            level=self.level,
            method=self.method,
            flag=self.flag or (OUTSIDE_FLAG if outside else ""),
        )

    def complement(self) -> ConfidenceSequence:
        """Return the sequence of 1 minus the quantity (error to accuracy and back)."""
        side = {"upper": "lower", "lower": "upper"}.get(self.side, self.side)
        return replace(self, mean=1 - self.mean, low=1 - self.high, high=1 - self.low, side=side)

    def first_below(self, limit: float) -> int | None:
        """Return after how many cases the upper end was first below a limit; None for never.

        Examples
        --------
        >>> from referee.intervals.sequential import beta_binomial
        >>> beta_binomial(np.zeros(1000), side="upper").first_below(0.01)
        377
        """
        return self._first(self.high < limit)

    def first_above(self, limit: float) -> int | None:
        """Return after how many cases the lower end was first above a limit; None for never."""
        return self._first(self.low > limit)

    def _first(self, reached: Flags) -> int | None:
        return int(self.n[np.argmax(reached)]) if reached.any() else None

    def frame(self) -> pd.DataFrame:
        """Return one row a time: n, mean, low, high."""
        import pandas as pd

        return pd.DataFrame({"n": self.n, "mean": self.mean, "low": self.low, "high": self.high})

    def picture(
        self, label: str = "error", limit: float | None = None, limit_label: str = "limit"
    ) -> Curves:
        """Return the band over the cases, with the mean in it and a limit where there is one."""
        at = _spread(len(self.n))
        x, mean, low, high = (
            tuple(float(v) for v in values[at])
            for values in (self.n, self.mean, self.low, self.high)
        )
        curves = [
            Curve(f"{level_text(self.level)} at all times", x, mean, low, high, kind="band"),
            Curve(label, x, mean, kind="line"),
        ]
        if limit is not None:
            curves.append(Curve(limit_label, x, (limit,) * len(x), muted=True, kind="line"))
        caption = f"{label} over the cases as they came, with the interval that holds at all times"
        return Curves(tuple(curves), caption, "cases", y_label=label, logarithmic=x[-1] > 100)


def _spread(length: int) -> Rows:
    """Return positions to draw: all of a short sequence, else ever wider steps."""
    if length <= _POINTS:
        return np.arange(length)
    return np.unique(np.geomspace(1, length, _POINTS).round().astype(np.intp)) - 1


def check_scores(scores: object, bounds: tuple[float, float], name: str = "scores") -> Floats:
    """Return scores scaled from their bounds to 0 ... 1; refused where one lies outside."""
    low, high = bounds
    if not -np.inf < low < high < np.inf:
        raise InputError(
            "must be two finite numbers, low < high", argument="bounds", value=str(bounds)
        )
    values = np.asarray(scores, dtype=float)
    if values.ndim != 1 or not values.size:
        raise InputError(
            f"{name} must be a list of at least one number", concerning=name, value=str(values.size)
        )
    outside = ~((values >= low) & (values <= high))
    if outside.any():
        at = int(np.argmax(outside))
        raise InputError(
            f"{name} must lie between {low:g} and {high:g}",
            concerning=name,
            value=f"{values[at]} at position {at}",
            remedy="pass bounds= that hold by definition, not by what was seen",
        )
    return (values - low) / (high - low)


def intersected(low: Floats, high: Floats) -> tuple[Floats, Floats, str]:
    """Return each interval cut with all before it, and a flag where nothing is left.

    Examples
    --------
    >>> low, high, flag = intersected(np.array([0.1, 0.0]), np.array([0.9, 0.8]))
    >>> low.tolist(), high.tolist(), flag
    ([0.1, 0.1], [0.9, 0.8], '')
    """
    lows, highs = np.maximum.accumulate(low), np.minimum.accumulate(high)
    empty = lows > highs
    if not empty.any():
        return lows, highs, ""
    last = max(int(np.argmax(empty)) - 1, 0)
    lows[last:], highs[last:] = lows[last], highs[last]
    return lows, highs, EMPTY_FLAG
