"""A histogram of what chance gave, and the value that is to be judged."""

from __future__ import annotations

from typing import Any

import numpy as np

from referee.core.arrays import Codes, Floats
from referee.report.document import Histogram
from referee.report.figures.style import COLUMN, MUTED, PALETTE, dress, key, shortened
from referee.report.figures.svg import WIDE, framed, words

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
    counts, edges = np.histogram(values, min(_MOST, max(1, len(distinct))))
    return edges, counts


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


def histogram_svg(block: Histogram, width: int = WIDE) -> str:
    """Return the picture as SVG that takes its ink from the page."""
    edges, counts = bins_of(block)
    low, high = min(float(edges[0]), block.mark), max(float(edges[-1]), block.mark)
    deep, left, top = 200, 20, 26

    def x(value: float) -> float:
        return left + (value - low) / ((high - low) or 1.0) * (width - 2 * left)

    base = top + deep
    most = max(1, counts.max())
    parts = [
        f'<rect class="bin" x="{x(a):.1f}" y="{base - deep * c / most:.1f}" '
        f'width="{max(1.0, x(b) - x(a)):.1f}" height="{deep * c / most:.1f}"/>'
        for a, b, c in zip(edges[:-1], edges[1:], counts, strict=True)
        if c
    ]
    parts.append(
        f'<g class="axis"><path d="M{left} {base}H{width - left}"/>'
        f"{words(x(low), base + 18, f'{low:.3g}')}{words(x(high), base + 18, f'{high:.3g}', 'end')}"
        f"{words(width / 2, base + 34, block.x_label, 'middle')}</g>"
    )
    anchor = "start" if block.mark < (low + high) / 2 else "end"
    mark = f"{block.mark_label} {block.mark:.3g}"
    parts.append(
        f'<g class="ink"><path d="M{x(block.mark):.1f} {top - 4}V{base}"/>'
        f"{words(x(block.mark), top - 10, mark, anchor)}</g>"
    )
    description = f"{len(block.values)} values from {edges[0]:.3g} to {edges[-1]:.3g}; {mark}."
    return framed(width, base + 40, block.caption, parts, description=description)
