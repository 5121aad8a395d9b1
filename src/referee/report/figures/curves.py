"""Curves over one axis, with bars where a value is uncertain."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import count
from typing import Any
from xml.sax.saxutils import escape

from referee.report.document import Curve, Curves
from referee.report.figures.style import COLUMN, MUTED, all_shortened, dress, key, shortened, stroke
from referee.report.figures.svg import WIDE, framed, words
from referee.report.short_names import distinct_names

__all__ = ["curves_svg", "draw_curves"]


_MUTED_DASHES = (":", (0, (6, 3)), (0, (6, 2, 1, 2)))


def draw_curves(block: Curves, ax: Any = None) -> Any:
    """Draw the curves on matplotlib axes and return them."""
    import matplotlib.pyplot as plt

    if ax is None:
        wide = COLUMN if block.square else 1.5 * COLUMN
        _, ax = plt.subplots(figsize=(wide, 1.1 * COLUMN), layout="constrained")
    labels = all_shortened((curve.label for curve in block.curves), 40)
    for (number, curve), label in zip(_numbered(block), labels, strict=True):
        if curve.kind == "band":
            colour = stroke(number).color
            ax.fill_between(curve.x, curve.low, curve.high, color=colour, alpha=0.16, label=label)
            continue
        if curve.muted:
            dashes = _MUTED_DASHES[number % len(_MUTED_DASHES)]
            ax.plot(curve.x, curve.y, color=MUTED, lw=1, ls=dashes, label=label)
            continue
        look = stroke(number)
        if curve.kind == "line":
            ax.plot(curve.x, curve.y, color=look.color, ls=look.linestyle, lw=1.4, label=label)
            continue
        ax.errorbar(
            curve.x, curve.y, yerr=_reach(curve), label=label, color=look.color,
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


def curves_svg(block: Curves, width: int = WIDE) -> str:
    """Return the picture as SVG that takes its ink from the page."""
    frame = _Frame.of(block, min(width, _SQUARE) if block.square else width)
    parts = [frame.axes(block)]
    labels = distinct_names((c.label for c in block.curves), 34 if frame.columns == 2 else 32)
    for row, (number, curve) in enumerate(_numbered(block)):
        look = f"cm cm{number % 3}" if curve.muted else f"c{number % 6}"
        drawn = _area(curve, frame) if curve.kind == "band" else _line(curve, frame)
        parts.append(f'<g class="curve {look}">{drawn}{_entry(curve, labels[row], row, frame)}</g>')
    kind = "picture square" if block.square else "picture"
    return framed(
        frame.width, frame.height, block.caption, parts, description=_description(block), kind=kind
    )


_LEFT, _RIGHT, _TOP, _DEEP, _SQUARE = 62, 14, 12, 260, 380


@dataclass(frozen=True)
class _Frame:
    """Where numbers lie in the picture."""

    x: Callable[[float], float]
    y: Callable[[float], float]
    ticks: Sequence[float]
    levels: Sequence[float]
    width: int
    base: float
    columns: int
    height: int

    @classmethod
    def of(cls, block: Curves, width: int) -> _Frame:
        xs = [x for c in block.curves for x in c.x]
        ends = [v for c in block.curves for v in (*c.y, *c.low, *c.high) if math.isfinite(v)]
        bottom, top = min(0.0, *ends), max(ends)
        levels = _round_levels(bottom, top if top > bottom else bottom + 1)
        scaled = math.log if block.logarithmic else float
        low, high = scaled(min(xs)), scaled(max(xs))
        deep = width - _LEFT - _RIGHT - 20 if block.square else _DEEP

        def x(value: float) -> float:
            share = (scaled(value) - low) / (high - low) if high > low else 0.5
            return _LEFT + 10 + share * (width - _LEFT - _RIGHT - 20)

        def y(value: float) -> float:
            return _TOP + deep * (levels[-1] - value) / (levels[-1] - levels[0])

        columns = 2 if width >= WIDE else 1
        rows = math.ceil(len(block.curves) / columns)
        base = _TOP + deep
        return cls(x, y, _ticks(block), levels, width, base, columns, round(base) + 52 + 22 * rows)

    def axes(self, block: Curves) -> str:
        base, right = self.base, self.width - _RIGHT
        grid = "".join(f"M{_LEFT} {self.y(v):.1f}H{right}" for v in self.levels)
        shown = self._spaced()
        marks = "".join(f"M{self.x(t):.1f} {base:.0f}v5" for t in shown)
        texts = [words(_LEFT - 8, self.y(v) + 4, f"{v:g}", "end") for v in self.levels]
        texts += [words(self.x(t), base + 18, f"{t:g}", "middle") for t in shown]
        texts.append(words((_LEFT + right) / 2, base + 36, block.x_label, "middle"))
        texts.append(
            f'<g transform="translate(14 {(_TOP + base) / 2:.0f}) rotate(-90)">'
            f"{words(0, 0, block.y_label, 'middle')}</g>"
        )
        return f'<g class="axis"><path d="{grid}{marks}"/>{"".join(texts)}</g>'

    def _spaced(self) -> list[float]:
        """Return the ticks whose numbers do not run into each other."""
        shown: list[float] = []
        for tick in self.ticks:
            if not shown or self.x(tick) - self.x(shown[-1]) >= 7.0 * len(f"{tick:g}") + 8:
                shown.append(tick)
        return shown


def _area(curve: Curve, frame: _Frame) -> str:
    """Return the shaded area between the limits."""
    upper = [f"{frame.x(x):.1f} {frame.y(v):.1f}" for x, v in zip(curve.x, curve.high, strict=True)]
    lower = [f"{frame.x(x):.1f} {frame.y(v):.1f}" for x, v in zip(curve.x, curve.low, strict=True)]
    path = "M" + "L".join([*upper, *reversed(lower)]) + "Z"
    return f'<title>{escape(curve.label)}</title><path class="area" d="{path}"/>'


def _line(curve: Curve, frame: _Frame) -> str:
    points = [(frame.x(x), frame.y(y)) for x, y in zip(curve.x, curve.y, strict=True)]
    path = "M" + "L".join(f"{x:.1f} {y:.1f}" for x, y in points)
    named = f'<title>{escape(curve.label)}</title><path d="{path}"/>'
    if curve.kind == "line":
        return named
    bars = "".join(
        f"M{frame.x(x):.1f} {frame.y(low):.1f}V{frame.y(high):.1f}"
        for x, low, high in zip(curve.x, curve.low, curve.high, strict=False)
        if high > low
    )
    radius = 6 if len(points) == 1 else 3
    dots = "".join(f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{radius}"/>' for x, y in points)
    whisker = f'<path class="whisker" d="{bars}"/>' if bars else ""
    return f"{named}{whisker}{dots}"


def _entry(curve: Curve, label: str, row: int, frame: _Frame) -> str:
    """Return the curve's line of the legend, which stands below the picture."""
    x = _LEFT + (row % frame.columns) * 290
    y = frame.base + 58 + 22 * (row // frame.columns)
    swatch = f'<path d="M{x} {y - 4:.0f}h34"/>'
    if curve.kind == "band":
        swatch = f'<path class="area" d="M{x} {y - 11:.0f}h34v14h-34z"/>'
    return f"{swatch}{words(x + 42, y, label)}"


def _description(block: Curves) -> str:
    """Say where each curve begins and ends."""
    sentences = []
    for curve in block.curves:
        ends = f"{curve.y[0]:.3g} at {curve.x[0]:.3g} to {curve.y[-1]:.3g} at {curve.x[-1]:.3g}"
        sentences.append(f"{curve.label}: from {ends}")
    return f"{block.y_label} by {block.x_label}. " + "; ".join(sentences) + "."


def _numbered(block: Curves) -> list[tuple[int, Curve]]:
    """Return the curves, each with its number among those that are muted or not as it is."""
    counts = {True: count(), False: count()}
    numbered, last = [], 0
    for curve in block.curves:
        # A band is drawn first and has the colour of the line that follows.
        number = last if curve.kind == "band" else next(counts[curve.muted])
        last = number + 1 if curve.kind != "band" and not curve.muted else last
        numbered.append((number, curve))
    return numbered


def _reach(curve: Curve) -> list[list[float]] | None:
    """Return how far the bars reach below and above the points."""
    if not curve.low:
        return None
    below = [y - low for y, low in zip(curve.y, curve.low, strict=True)]
    return [below, [high - y for y, high in zip(curve.y, curve.high, strict=True)]]


def _ticks(block: Curves) -> list[float]:
    """Return where the axis is marked: at the values themselves, if they are few."""
    values = sorted({x for c in block.curves if not c.muted for x in c.x})
    if len(values) <= 8 or (block.logarithmic and len(values) <= 12):
        return values
    if block.logarithmic:
        return _round_powers(values[0], values[-1])
    return [v for v in _round_levels(values[0], values[-1]) if values[0] <= v <= values[-1]]


def _round_powers(low: float, high: float) -> list[float]:
    """Return powers of ten between two values; with their halves and fifths if they are few.

    Examples
    --------
    >>> _round_powers(1, 2000), _round_powers(30, 400)
    ([1.0, 10.0, 100.0, 1000.0], [50.0, 100.0, 200.0])
    """
    first, last = math.floor(math.log10(low)), math.ceil(math.log10(high))
    for steps in ((1,), (1, 2, 5)):
        every = [s * 10.0**k for k in range(first, last + 1) for s in steps]
        inside = [v for v in every if low <= v <= high]
        if len(inside) >= 3:
            break
    return inside or [low, high]


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
