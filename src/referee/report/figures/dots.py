"""Rows of dots with their limits, such as the coverage of every method in every cell."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any
from xml.sax.saxutils import escape

import numpy as np

from referee.core.showing.pictures import Dot, Dots
from referee.report.figures.style import (
    MUTED,
    PALETTE,
    SMALL,
    TEXT,
    all_shortened,
    dress,
    shortened,
)
from referee.report.figures.svg import WIDE, framed
from referee.report.short_names import distinct_names

if TYPE_CHECKING:
    from matplotlib.figure import Figure

__all__ = ["dots_figure", "dots_svg", "draw_dots"]

_ROW = 0.3
"""Height of a row in inches."""


def draw_dots(block: Dots, ax: Any = None) -> Any:
    """Draw on matplotlib axes and return them."""
    if ax is None:
        return dots_figure([block]).axes[0]
    count = len(block.rows)
    ax.axvline(block.mark, color=PALETTE[1], lw=1.2, zorder=1)
    for at, row in enumerate(block.rows):
        y = count - 1 - at
        if at % 2:
            ax.axhspan(y - 0.5, y + 0.5, color=MUTED, alpha=0.08, lw=0, zorder=0)
        places = y + _spread(len(row.dots))
        for dot, place in zip(row.dots, places, strict=True):
            _draw_dot(ax, dot, float(place), block.span)
        if row.dots:
            mean = float(np.clip(np.mean([d.value for d in row.dots]), *block.span))
            ax.plot([mean, mean], [y - 0.46, y + 0.46], color=PALETTE[4], lw=1.8, zorder=4)
    ax.set_yticks(range(count), all_shortened((r.label for r in reversed(block.rows)), 44))
    ax.set_ylim(-0.6, count - 0.4)
    margin = 0.02 * (block.span[1] - block.span[0])
    ax.set_xlim(block.span[0] - margin, block.span[1] + margin)
    dress(ax, f"{block.x_label} (line: nominal {block.mark:g}; black bar: mean of the cells)", "")
    ax.tick_params(axis="y", length=0, labelsize=SMALL)
    grey = f"\ngrey: {block.muted_label}" if _any_muted(block) else ""
    ax.set_title(shortened(block.caption, 110) + grey, fontsize=TEXT, loc="left")
    return ax


def dots_figure(blocks: Sequence[Dots]) -> Figure:
    """Return one figure with the blocks below each other, each as high as its rows."""
    import matplotlib.pyplot as plt

    heights = [0.9 + _ROW * len(block.rows) for block in blocks]
    figure, places = plt.subplots(
        len(blocks),
        1,
        figsize=(7.2, sum(heights)),
        layout="constrained",
        squeeze=False,
        gridspec_kw={"height_ratios": heights},
    )
    for block, ax in zip(blocks, places[:, 0], strict=True):
        draw_dots(block, ax=ax)
    return figure


def dots_svg(block: Dots, width: int = WIDE) -> str:
    """Return the picture as SVG that takes its ink from the page."""
    high = 30
    wide, right, top = width, 20, 26
    left = 230 if width >= WIDE else 130
    base = top + high * len(block.rows)

    def x(value: float) -> float:
        low, most = block.span
        return left + (min(max(value, low), most) - low) / (most - low) * (wide - left - right)

    parts = [
        f'<g class="axis"><path d="M{left} {base}H{wide - right}M{x(block.mark):.1f} {top - 6}'
        f'V{base}"/>'
    ]
    parts += [
        f'<text x="{x(value):.1f}" y="{base + 16}" text-anchor="middle">{value:g}</text>'
        for value in (*block.span, block.mark)
    ]
    parts.append(
        f'<text x="{(left + wide) / 2:.0f}" y="{base + 34}" text-anchor="middle">'
        f"{escape(block.x_label)}</text></g>"
    )
    labels = distinct_names((row.label for row in block.rows), 34 if width >= WIDE else 18)
    for at, (row, label) in enumerate(zip(block.rows, labels, strict=True)):
        y = top + high * (at + 0.5)
        parts.append(
            f'<text x="{left - 10}" y="{y + 4:.0f}" text-anchor="end">{escape(label)}</text>'
        )
        for dot, place in zip(row.dots, y + high * _spread(len(row.dots)), strict=True):
            kind = "muted" if dot.muted else "ink"
            description = f"{dot.label}: {dot.value:.3f} ({dot.low:.3f} to {dot.high:.3f})"
            parts.append(
                f'<g class="{kind}"><title>{escape(description)}</title><path stroke-width="0.5" '
                f'd="M{x(dot.low):.1f} {place:.1f}H{x(dot.high):.1f}"/>'
                f'<circle cx="{x(dot.value):.1f}" cy="{place:.1f}" r="1.6"/></g>'
            )
    description = "; ".join(f"{row.label}: {len(row.dots)} dots" for row in block.rows)
    return framed(wide, base + 40, block.caption, parts, description=description)


def _spread(count: int) -> Any:
    """Return where the dots of a row lie, from its top to its bottom."""
    return np.linspace(0.36, -0.36, count) if count > 1 else np.zeros(count)


def _draw_dot(ax: Any, dot: Dot, y: float, span: tuple[float, float]) -> None:
    colour = MUTED if dot.muted else PALETTE[0]
    low, high = np.clip([dot.low, dot.high], *span)
    ax.plot([low, high], [y, y], color=colour, lw=0.5, alpha=0.45, zorder=2)
    if dot.value < span[0]:
        ax.plot(span[0], y, "<", color=colour, ms=3.2, mew=0, zorder=3)
    elif dot.value > span[1]:
        ax.plot(span[1], y, ">", color=colour, ms=3.2, mew=0, zorder=3)
    else:
        ax.plot(dot.value, y, "o", color=colour, ms=2.4, mew=0, zorder=3)


def _any_muted(block: Dots) -> bool:
    return any(dot.muted for row in block.rows for dot in row.dots)
