"""How scores are written for people: shares as percentages, others as finely as they are known."""

from __future__ import annotations

import math

from referee.core.showing.numbers import percent, signed_span, size_text, span

__all__ = ["Writing"]


class Writing:
    """Writes scores of one kind.

    Parameters
    ----------
    shares : bool
        Whether they are shares, which people read as percentages.
    width : float
        How wide the interval around them is; it says which digits mean anything.

    Examples
    --------
    >>> Writing(True).value(0.7312), Writing(True).span(0.701, 0.759)
    ('73.1 %', '70.1 to 75.9 %')
    >>> seconds = Writing(False, width=0.42)
    >>> seconds.value(12.3456), seconds.span(12.1, 12.52), seconds.size(-1.5, sign=True)
    ('12.35', '12.10 to 12.52', '-1.50')
    """

    def __init__(self, shares: bool, width: float = 0.0) -> None:
        self.shares = shares
        self.digits = 3
        if math.isfinite(width) and width > 0:
            self.digits = min(12, max(0, 1 - math.floor(math.log10(width))))

    def value(self, value: float) -> str:
        """Return a score."""
        if math.isnan(value):
            return "undefined"
        return percent(value) if self.shares else f"{value:z.{self.digits}f}"

    def span(self, low: float, high: float) -> str:
        """Return an interval of scores."""
        if self.shares:
            return span(low, high)
        return f"{low:z.{self.digits}f} to {high:z.{self.digits}f}"

    def size(self, value: float, *, sign: bool = False) -> str:
        """Return the size of a difference: points for shares."""
        if self.shares:
            return size_text(value, sign=sign)
        text = f"{value:{'+' if sign else ''}z.{self.digits}f}"
        return text if float(text) or not value else f"{value:{'+' if sign else ''}.1g}"

    def apart(self, low: float, high: float) -> str:
        """Return an interval of differences."""
        if self.shares:
            return signed_span(low, high)
        return f"{low:z.{self.digits}f} to {high:z.{self.digits}f}"
