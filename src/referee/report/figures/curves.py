"""Curves over one axis, with bars where a value is uncertain."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import count
from typing import Any
from xml.sax.saxutils import escape, quoteattr

from referee.report.document import Curve, Curves
from referee.report.figures.style import COLUMN, MUTED, dress, key, shortened, stroke

__all__ = ["curves_svg", "draw_curves"]


_MUTED_DASHES = (":", (0, (6, 3)), (0, (6, 2, 1, 2)))


def draw_curves(block: Curves, ax: Any = None) -> Any:
    """Draw the curves on matplotlib axes and return them."""
    import matplotlib.pyplot as plt

    if ax is None:
        _, ax = plt.subplots(figsize=(1.5 * COLUMN, 1.1 * COLUMN), layout="constrained")
    for number, curve in _numbered(block):
        if curve.muted:
            dashes = _MUTED_DASHES[number % len(_MUTED_DASHES)]
            ax.plot(curve.x, curve.y, color=MUTED, lw=1, ls=dashes, label=curve.label)
            continue
        look = stroke(number)
        ax.errorbar(
            curve.x, curve.y, yerr=_reach(curve), label=curve.label, color=look.color,
            linestyle=look.linestyle, lw=1.4, capsize=2, marker="o",
            ms=7 if len(curve.x) == 1 else 2.5,
        )  # fmt: skip
    if block.logarithmic:
        ax.set_xscale("log")
        ax.minorticks_off()
    ticks = _ticks(block)
    ax.set_xticks(ticks, [f"{t:g}" for t in ticks])
    if min((y for c in block.curves for y in c.y), default=0.0) >= 0:
        ax.set_ylim(bottom=0)
    dress(ax, block.x_label, block.y_label)
    key(ax)
    ax.set_title(shortened(block.caption, 90), fontsize=8, loc="left")
    return ax


def curves_svg(block: Curves) -> str:
    """Return the picture as SVG that takes its ink from the page."""
    frame = _Frame.of(block)
    parts = [
        f'<svg viewBox="0 0 {_WIDTH} {frame.height}" role="img" '
        f'aria-label={quoteattr(block.caption)} class="bars" preserveAspectRatio="xMinYMin meet">',
        frame.axes(block),
    ]
    for row, (number, curve) in enumerate(_numbered(block)):
        look = f"cm cm{number % 3}" if curve.muted else f"c{number % 6}"
        parts.append(
            f'<g class="curve {look}">{_line(curve, frame)}{_entry(curve, row, frame)}</g>'
        )
    return "".join([*parts, "</svg>"])


_WIDTH, _LEFT, _RIGHT, _TOP, _DEEP = 640, 62, 14, 12, 260


@dataclass(frozen=True)
class _Frame:
    """Where numbers lie in the picture."""

    x: Callable[[float], float]
    y: Callable[[float], float]
    ticks: Sequence[float]
    levels: Sequence[float]
    height: int

    @classmethod
    def of(cls, block: Curves) -> _Frame:
        xs = [x for c in block.curves for x in c.x]
        ends = [v for c in block.curves for v in (*c.y, *c.low, *c.high) if math.isfinite(v)]
        bottom, top = min(0.0, *ends), max(ends)
        levels = _round_levels(bottom, top if top > bottom else bottom + 1)
        scaled = math.log if block.logarithmic else float
        low, high = scaled(min(xs)), scaled(max(xs))

        def x(value: float) -> float:
            share = (scaled(value) - low) / (high - low) if high > low else 0.5
            return _LEFT + 10 + share * (_WIDTH - _LEFT - _RIGHT - 20)

        def y(value: float) -> float:
            return _TOP + _DEEP * (levels[-1] - value) / (levels[-1] - levels[0])

        rows = (len(block.curves) + 1) // 2
        return cls(x, y, _ticks(block), levels, _TOP + _DEEP + 52 + 22 * rows)

    def axes(self, block: Curves) -> str:
        base = _TOP + _DEEP
        grid = "".join(f"M{_LEFT} {self.y(v):.1f}H{_WIDTH - _RIGHT}" for v in self.levels)
        marks = "".join(f"M{self.x(t):.1f} {base}v5" for t in self.ticks)
        words = [
            f'<text x="{_LEFT - 8}" y="{self.y(v) + 4:.1f}" text-anchor="end">{v:g}</text>'
            for v in self.levels
        ]
        words += [
            f'<text x="{self.x(t):.1f}" y="{base + 18}" text-anchor="middle">{t:g}</text>'
            for t in self.ticks
        ]
        middle = (_LEFT + _WIDTH - _RIGHT) / 2
        words.append(
            f'<text x="{middle:.0f}" y="{base + 36}" text-anchor="middle">'
            f"{escape(block.x_label)}</text>"
        )
        words.append(
            f'<text transform="translate(14 {_TOP + _DEEP / 2:.0f}) rotate(-90)" '
            f'text-anchor="middle">{escape(block.y_label)}</text>'
        )
        return f'<g class="axis"><path d="{grid}{marks}"/>{"".join(words)}</g>'


def _line(curve: Curve, frame: _Frame) -> str:
    points = [(frame.x(x), frame.y(y)) for x, y in zip(curve.x, curve.y, strict=True)]
    path = "M" + "L".join(f"{x:.1f} {y:.1f}" for x, y in points)
    bars = "".join(
        f"M{frame.x(x):.1f} {frame.y(low):.1f}V{frame.y(high):.1f}"
        for x, low, high in zip(curve.x, curve.low, curve.high, strict=False)
        if high > low
    )
    radius = 6 if len(points) == 1 else 3
    dots = "".join(f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{radius}"/>' for x, y in points)
    whisker = f'<path class="whisker" d="{bars}"/>' if bars else ""
    return f'<title>{escape(curve.label)}</title><path d="{path}"/>{whisker}{dots}'


def _entry(curve: Curve, row: int, frame: _Frame) -> str:
    """Return the curve's line of the legend, which stands below the picture in two columns."""
    x = _LEFT + (row % 2) * 290
    y = _TOP + _DEEP + 58 + 22 * (row // 2)
    return (
        f'<path d="M{x} {y - 4}h34"/>'
        f'<text x="{x + 42}" y="{y}">{escape(shortened(curve.label, 34))}</text>'
    )


def _numbered(block: Curves) -> list[tuple[int, Curve]]:
    """Return the curves, each with its number among those that are muted or not as it is."""
    counts = {True: count(), False: count()}
    return [(next(counts[c.muted]), c) for c in block.curves]


def _reach(curve: Curve) -> list[list[float]] | None:
    """Return how far the bars reach below and above the points."""
    if not curve.low:
        return None
    below = [y - low for y, low in zip(curve.y, curve.low, strict=True)]
    return [below, [high - y for y, high in zip(curve.y, curve.high, strict=True)]]


def _ticks(block: Curves) -> list[float]:
    """Return where the axis is marked: at the values themselves, if they are few."""
    values = sorted({x for c in block.curves if not c.muted for x in c.x})
    if len(values) <= 8 or block.logarithmic:
        return values if len(values) <= 12 else values[:: len(values) // 8]
    return [v for v in _round_levels(values[0], values[-1]) if values[0] <= v <= values[-1]]


def _round_levels(low: float, high: float) -> list[float]:
    """Return round numbers from at or below `low` to at or above `high`, about five of them.

    Examples
    --------
    >>> _round_levels(0.0, 0.27)
    [0.0, 0.1, 0.2, 0.3]
    """
    rough = (high - low) / 4
    power = 10.0 ** math.floor(math.log10(rough))
    step = next(s * power for s in (1, 2, 5, 10) if s * power >= rough * (1 - 1e-9))
    first, last = math.floor(low / step + 1e-9), math.ceil(high / step - 1e-9)
    return [round(k * step, 12) for k in range(first, last + 1)]
