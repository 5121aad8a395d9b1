"""A histogram of what chance gave, and the value that is to be judged."""

from __future__ import annotations

from typing import Any
from xml.sax.saxutils import escape, quoteattr

import numpy as np

from referee.core.arrays import Codes, Floats
from referee.report.document import Histogram
from referee.report.figures.style import COLUMN, MUTED, PALETTE, dress, key, shortened

__all__ = ["bins_of", "draw_histogram", "histogram_svg"]

_MOST = 40


def bins_of(block: Histogram) -> tuple[Floats, Codes]:
    """Return edges and counts; values that occur in few distinct sizes get a bin each.

    Examples
    --------
    >>> edges, counts = bins_of(Histogram((0.5, 0.5, 0.75), 0.0, "observed", "", ""))
    >>> edges.tolist(), counts.tolist()
    ([0.375, 0.625, 0.875], [2, 1])
    """
    values = np.asarray(block.values)
    distinct = np.unique(values.round(12))
    if len(distinct) == 0:
        return np.array([0.0, 1.0]), np.array([0])
    step = float(np.diff(distinct).min()) if len(distinct) > 1 else 0.0
    many = round((distinct[-1] - distinct[0]) / step) + 1 if step else 1
    if step and many <= _MOST:
        edges = distinct[0] + step * (np.arange(many + 1) - 0.5)
        return edges, np.histogram(values, edges)[0]
    found, edges = np.histogram(values, min(_MOST, max(1, len(distinct))))
    return edges, found


def draw_histogram(block: Histogram, ax: Any = None) -> Any:
    """Draw on matplotlib axes and return them."""
    import matplotlib.pyplot as plt

    if ax is None:
        _, ax = plt.subplots(figsize=(1.5 * COLUMN, 1.1 * COLUMN), layout="constrained")
    edges, counts = bins_of(block)
    ax.stairs(counts, edges, fill=True, color=MUTED, alpha=0.55, label="relabelled")
    ax.axvline(block.mark, color=PALETTE[1], lw=2, label=block.mark_label)
    dress(ax, block.x_label, "relabellings")
    ax.set_title(shortened(block.caption, 90), fontsize=8, loc="left")
    key(ax)
    return ax


def histogram_svg(block: Histogram) -> str:
    """Return the picture as SVG that takes its ink from the page."""
    edges, counts = bins_of(block)
    low, high = min(float(edges[0]), block.mark), max(float(edges[-1]), block.mark)
    wide, deep, left, top = 640, 200, 20, 26

    def x(value: float) -> float:
        return left + (value - low) / ((high - low) or 1.0) * (wide - 2 * left)

    base = top + deep
    bars = "".join(
        f'<rect class="rope" x="{x(a):.1f}" y="{base - deep * c / max(1, counts.max()):.1f}" '
        f'width="{max(1.0, x(b) - x(a)):.1f}" height="{deep * c / max(1, counts.max()):.1f}"/>'
        for a, b, c in zip(edges[:-1], edges[1:], counts, strict=True)
        if c
    )
    ends = "".join(
        f'<text x="{x(v):.1f}" y="{base + 18}" text-anchor="{anchor}">{v:.3g}</text>'
        for v, anchor in ((low, "start"), (high, "end"))
    )
    anchor = "start" if block.mark < (low + high) / 2 else "end"
    return (
        f'<svg viewBox="0 0 {wide} {base + 40}" role="img" aria-label={quoteattr(block.caption)} '
        f'class="bars" preserveAspectRatio="xMinYMin meet">{bars}'
        f'<g class="axis"><path d="M{left} {base}H{wide - left}"/>{ends}'
        f'<text x="{wide / 2:.0f}" y="{base + 34}" text-anchor="middle">{escape(block.x_label)}'
        f'</text></g><g class="ink"><path d="M{x(block.mark):.1f} {top - 4}V{base}"/>'
        f'<text x="{x(block.mark):.1f}" y="{top - 10}" text-anchor="{anchor}">'
        f"{escape(block.mark_label)} {block.mark:.3g}</text></g></svg>"
    )
