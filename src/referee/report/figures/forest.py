"""Values with their intervals, one below the other."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any
from xml.sax.saxutils import escape

from referee.report.document import Bars
from referee.report.figures.style import all_shortened, shortened
from referee.report.figures.svg import WIDE, framed, words
from referee.report.short_names import distinct_names
from referee.report.text.scale import Scale
from referee.report.typesetting import typeset_cell

__all__ = ["bars_svg", "draw_bars"]

_INK, _MUTED = "#0b5394", "#8a8a8a"


def draw_bars(bars: Bars, ax: Any = None) -> Any:
    """Draw the bars on matplotlib axes and return the axes."""
    import matplotlib.pyplot as plt
    from matplotlib.ticker import PercentFormatter

    if ax is None:
        _, ax = plt.subplots(figsize=(6.5, 0.6 + 0.42 * len(bars.bars)), layout="constrained")
    for at, bar in enumerate(reversed(bars.bars)):
        colour = _MUTED if bar.muted else _INK
        ax.plot([bar.low, bar.high], [at, at], color=colour, lw=2, solid_capstyle="butt")
        ax.plot([bar.low, bar.high], [at, at], "|", color=colour, ms=10, mew=2)
        ax.plot(bar.value, at, "o", color=colour, ms=7)
    if bars.signed:
        ax.axvline(0, color=_MUTED, lw=1, ls=":")
        if bars.rope > 0:
            ax.axvspan(-bars.rope, bars.rope, color=_MUTED, alpha=0.15, lw=0)
    ax.set_yticks(range(len(bars.bars)), all_shortened((b.label for b in reversed(bars.bars)), 28))
    ax.set_ylim(-0.6, len(bars.bars) - 0.4)
    if not bars.signed:
        ax.set_xlim(left=0)
    if bars.percent:
        # A difference of shares is in points; the caption says so, and "%" would mislead.
        symbol = None if bars.signed else "%"
        ax.xaxis.set_major_formatter(PercentFormatter(1.0, decimals=None, symbol=symbol))
    ax.set_xlabel(shortened(bars.caption, 200), fontsize=9)
    ax.spines[["top", "right", "left"]].set_visible(False)
    ax.tick_params(axis="y", length=0)
    return ax


def bars_svg(bars: Bars, width: int = WIDE) -> str:
    """Return the picture as SVG; on a narrow one the labels stand above the bars."""
    above = width < WIDE
    most = 34 if above else 30
    letters = max((min(len(b.label), most) for b in bars.bars), default=0)
    figures = max((len(b.text) for b in bars.bars), default=0)
    left = 8.0 if above else max(70, 24 + 7.6 * letters)
    right = 8.0 if above else max(30, 20 + 7.6 * figures)
    row = 46 if above else 34
    height = row * len(bars.bars) + 30
    scale = Scale.of(bars, 60)

    def x(value: float) -> float:
        return left + scale.share(value) * (width - left - right)

    parts = [_grid(x, scale, height - 26)]
    if bars.signed:
        parts.append(_zero(x, bars.rope, height))
    labels = distinct_names((b.label for b in bars.bars), most - figures if above else most)
    for number, (bar, label) in enumerate(zip(bars.bars, labels, strict=True)):
        y = row * number + (34 if above else 20)
        at = (4, width - 4, y - 14) if above else (left - 12, width - right + 12, y + 4)
        parts.append(
            f'<g class="{"muted" if bar.muted else "ink"}">'
            f"<title>{escape(bar.label)}: {escape(bar.text)}</title>"
            f"{words(at[0], at[2], label, 'start' if above else 'end')}"
            f'<path d="M{x(bar.low):.1f} {y}H{x(bar.high):.1f}M{x(bar.low):.1f} {y - 7}v14'
            f'M{x(bar.high):.1f} {y - 7}v14"/>'
            f'<circle cx="{x(bar.value):.1f}" cy="{y}" r="5"/>'
            f"{words(at[1], at[2], bar.text, 'end' if above else 'start')}</g>"
        )
    return framed(width, height, bars.caption, parts, description=_description(bars))


def _grid(x: Callable[[float], float], scale: Scale, base: float) -> str:
    """Return light lines at quarters of the scale, and what its ends and middle are."""
    ends = (scale.bottom, scale.top)
    quarters = [ends[0] + (ends[1] - ends[0]) * k / 4 for k in range(5)]
    lines = "".join(f"M{x(v):.1f} 4V{base:.0f}" for v in quarters)
    left, right = scale.labels
    middle = "0" if scale.signed else scale.middle
    named = zip((quarters[0], quarters[2], quarters[4]), (left, middle, right), strict=True)
    anchors = iter(("start", "middle", "end"))
    texts = "".join(words(x(v), base + 18, text, next(anchors)) for v, text in named)
    return f'<g class="axis"><path d="{lines}"/>{texts}</g>'


def _description(bars: Bars) -> str:
    sentences = [f"{b.label}: {b.text}, from {_set(b.low)} to {_set(b.high)}" for b in bars.bars]
    return "; ".join(sentences) + "."


def _zero(x: Callable[[float], float], rope: float, height: int) -> str:
    """Return the line at no difference, and the shade over those that do not matter."""
    base = height - 26
    shade = ""
    if rope > 0:
        wide = x(rope) - x(-rope)
        shade = f'<rect class="rope" x="{x(-rope):.1f}" y="4" width="{wide:.1f}" height="{base}"/>'
    return f'{shade}<path class="rule" d="M{x(0):.1f} 4V{base + 4}"/>'


def _set(value: float) -> str:
    return typeset_cell(f"{value:.3g}")
