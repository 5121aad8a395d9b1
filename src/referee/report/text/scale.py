"""Intervals drawn with characters on one scale."""

from __future__ import annotations

import math
from dataclasses import dataclass

from referee.report.document import Bar, Bars
from referee.report.typesetting import typeset_cell

__all__ = ["Scale"]

_STEPS = (0.01, 0.02, 0.05, 0.1, 0.2, 0.25, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0)
_BEYOND = (2, 3, 5, 10)


@dataclass(frozen=True)
class Scale:
    """From 0 (or, for differences, from -top) to `top`, over `width` characters.

    Examples
    --------
    >>> scale = Scale(top=0.5, width=21)
    >>> scale.draw(Bar("a", 0.2, 0.1, 0.3, "20 %"))
    '    ├───●───┤        '
    >>> scale.axis()
    '0 %              50 %'
    >>> signed = Scale(top=0.05, width=31, signed=True)
    >>> signed.draw(Bar("a - b", 0.02, 0.01, 0.03, "+2 points"))
    '               ┊  ├──●──┤      '
    >>> signed.axis()
    '−5 points      0       5 points'
    """

    top: float
    width: int
    signed: bool = False
    percent: bool = True

    @classmethod
    def of(cls, block: Bars, width: int) -> Scale:
        """Return the smallest round scale that holds all bars."""
        reach = [abs(end) for b in block.bars for end in (b.low, b.value, b.high)]
        highest = max((r for r in reach if math.isfinite(r)), default=1.0)
        return cls(_round_up(max(highest, block.rope)), width, block.signed, block.percent)

    @property
    def bottom(self) -> float:
        """The value at the left end."""
        return -self.top if self.signed else 0.0

    def share(self, value: float) -> float:
        """Return how far along the scale a value lies, from 0 to 1."""
        return min(1.0, max(0.0, (value - self.bottom) / (self.top - self.bottom)))

    def draw(self, bar: Bar) -> str:
        """Return the bar as a line of characters."""
        low, value, high = (self._at(v) for v in (bar.low, bar.value, bar.high))
        line = [" "] * self.width
        if self.signed:
            line[self._at(0.0)] = "┊"
        line[low : high + 1] = "─" * (high + 1 - low)
        line[low], line[high] = "├", "┤"
        line[value] = "●"
        return "".join(line)

    def axis(self) -> str:
        """Return the ends of the scale, and 0 where it lies between."""
        left, right = self.labels
        if not self.signed:
            return f"{left}{right:>{self.width - len(left)}}"
        middle = self._at(0.0)
        return f"{left:<{middle}}0{right:>{self.width - middle - 1}}"

    @property
    def labels(self) -> tuple[str, str]:
        """What is written at the two ends."""
        if not self.percent:
            return typeset_cell(f"{self.bottom:g}"), typeset_cell(f"{self.top:g}")
        unit = "points" if self.signed else "%"
        bottom, top = (typeset_cell(f"{100 * end:.3g} {unit}") for end in (self.bottom, self.top))
        return bottom, top

    @property
    def middle(self) -> str:
        """What is written in the middle."""
        value = (self.bottom + self.top) / 2
        return f"{100 * value:.3g} %" if self.percent else f"{value:.3g}"

    def _at(self, value: float) -> int:
        return round(self.share(value) * (self.width - 1))


def _round_up(value: float) -> float:
    for step in _STEPS:
        if step >= value:
            return step
    power = 10.0 ** math.floor(math.log10(value))
    return next(step * power for step in (1, *_BEYOND) if step * power >= value)
