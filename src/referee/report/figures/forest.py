"""Values with their intervals, one below the other."""

from __future__ import annotations

from typing import Any

from referee.report.document import Bars
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
    ax.set_yticks(range(len(bars.bars)), [b.label[:28] for b in reversed(bars.bars)])
    ax.set_ylim(-0.6, len(bars.bars) - 0.4)
    ax.set_xlim(left=0)
    ax.xaxis.set_major_formatter(PercentFormatter(1.0, decimals=None))
    ax.set_xlabel(bars.caption, fontsize=9)
    ax.spines[["top", "right", "left"]].set_visible(False)
    ax.tick_params(axis="y", length=0)
    return ax


def bars_svg(bars: Bars) -> str:
    """Return the picture as SVG that takes its ink from the page, so it is legible in the dark."""
    height = 34 * len(bars.bars) + 30
    left, right, width = 150, 70, 640
    top = Scale.of(bars.bars, 60).top

    def x(value: float) -> float:
        return left + value / top * (width - left - right)

    from xml.sax.saxutils import escape, quoteattr

    parts = [
        f'<svg viewBox="0 0 {width} {height}" role="img" aria-label={quoteattr(bars.caption)} '
        'class="bars" preserveAspectRatio="xMinYMin meet">'
    ]
    for row, bar in enumerate(bars.bars):
        y = 20 + 34 * row
        kind = "muted" if bar.muted else "ink"
        label = bar.label if len(bar.label) <= 20 else bar.label[:19] + "…"
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
    parts.append(f'<text x="{left}" y="{base + 4}" text-anchor="middle">0 %</text>')
    parts.append(
        f'<text x="{width - right}" y="{base + 4}" text-anchor="middle">{100 * top:.3g} %</text>'
        "</g></svg>"
    )
    return "".join(parts)
