"""Values with their intervals, one below the other."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from referee.report.document import Bars
from referee.report.figures.style import shortened
from referee.report.scale import Scale

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
    ax.set_yticks(range(len(bars.bars)), [shortened(b.label, 28) for b in reversed(bars.bars)])
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


def bars_svg(bars: Bars) -> str:
    """Return the picture as SVG that takes its ink from the page, so it is legible in the dark."""
    height = 34 * len(bars.bars) + 30
    longest = max((min(len(b.label), 30) for b in bars.bars), default=0)
    left, right, width = max(90, 24 + round(7.6 * longest)), 70, 640
    scale = Scale.of(bars, 60)

    def x(value: float) -> float:
        return left + scale.share(value) * (width - left - right)

    from xml.sax.saxutils import escape, quoteattr

    parts = [
        f'<svg viewBox="0 0 {width} {height}" role="img" aria-label={quoteattr(bars.caption)} '
        'class="bars" preserveAspectRatio="xMinYMin meet">'
    ]
    if bars.signed:
        parts.append(_zero(x, bars.rope, height))
    for row, bar in enumerate(bars.bars):
        y = 20 + 34 * row
        kind = "muted" if bar.muted else "ink"
        label = bar.label if len(bar.label) <= 30 else bar.label[:29] + "…"
        parts.append(
            f'<g class="{kind}"><title>{escape(bar.label)}: {escape(bar.text)}</title>'
            f'<text x="{left - 12}" y="{y + 4}" text-anchor="end">{escape(label)}</text>'
            f'<path d="M{x(bar.low):.1f} {y}H{x(bar.high):.1f}M{x(bar.low):.1f} {y - 7}v14'
            f'M{x(bar.high):.1f} {y - 7}v14"/>'
            f'<circle cx="{x(bar.value):.1f}" cy="{y}" r="5"/>'
            f'<text x="{width - right + 12}" y="{y + 4}">{escape(bar.text)}</text></g>'
        )
    base = height - 14
    parts.append(f'<g class="axis"><path d="M{left} {base - 12}H{width - right}"/>')
    ends = zip((left, width - right), scale.labels, strict=True)
    parts += [
        f'<text x="{at}" y="{base + 4}" text-anchor="middle">{label}</text>' for at, label in ends
    ]
    return "".join([*parts, "</g></svg>"])


def _zero(x: Callable[[float], float], rope: float, height: int) -> str:
    """Return the line at no difference, and the shade over those that do not matter."""
    base = height - 26
    shade = ""
    if rope > 0:
        wide = x(rope) - x(-rope)
        shade = f'<rect class="rope" x="{x(-rope):.1f}" y="4" width="{wide:.1f}" height="{base}"/>'
    return f'{shade}<g class="axis"><path d="M{x(0):.1f} 4V{base + 4}"/></g>'
