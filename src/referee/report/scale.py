"""Intervals drawn with characters on one scale."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from referee.report.document import Bar

__all__ = ["Scale"]

_STEPS = (0.01, 0.02, 0.05, 0.1, 0.2, 0.25, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0)


@dataclass(frozen=True)
class Scale:
    """From 0 to `top`, over `width` characters.

    Examples
    --------
    >>> scale = Scale(top=0.5, width=21)
    >>> scale.draw(Bar("a", 0.2, 0.1, 0.3, "20 %"))
    '    ├───●───┤        '
    >>> scale.axis()
    '0 %              50 %'
    """

    top: float
    width: int

    @classmethod
    def of(cls, bars: Sequence[Bar], width: int) -> Scale:
        """Return the smallest round scale that holds all bars."""
        highest = max((b.high for b in bars if not math.isnan(b.high)), default=1.0)
        return cls(next((s for s in _STEPS if s >= highest), 1.0), width)

    def draw(self, bar: Bar) -> str:
        """Return the bar as a line of characters."""
        low, value, high = (self._at(v) for v in (bar.low, bar.value, bar.high))
        line = [" "] * self.width
        line[low : high + 1] = "─" * (high + 1 - low)
        line[low], line[high] = "├", "┤"
        line[value] = "●"
        return "".join(line)

    def axis(self) -> str:
        """Return the ends of the scale."""
        right = f"{100 * self.top:g} %"
        return f"0 %{right:>{self.width - 3}}"

    def _at(self, value: float) -> int:
        return min(self.width - 1, max(0, round(value / self.top * (self.width - 1))))
