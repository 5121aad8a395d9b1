"""A confusion matrix: cells shaded by the share of their row, with counts where there is room."""

from __future__ import annotations

from typing import Any

from referee.core.showing.numbers import count_text
from referee.report.document import Matrix
from referee.report.figures.style import COLUMN, SMALL, TEXT, all_shortened
from referee.report.figures.svg import framed, words
from referee.report.short_names import distinct_names
from referee.report.typesetting import typeset_cell

__all__ = ["draw_matrix", "matrix_svg"]

_COUNTS_UP_TO = 12
_SIDE = 300


def draw_matrix(block: Matrix, ax: Any = None) -> Any:
    """Draw on matplotlib axes and return them."""
    import matplotlib.pyplot as plt

    k = len(block.names)
    if ax is None:
        side = min(7.2, max(COLUMN, 1.1 + 0.36 * k))
        _, ax = plt.subplots(figsize=(side, side), layout="constrained")
    ax.imshow(block.shares, cmap="Blues", vmin=0, vmax=1, interpolation="nearest")
    names = all_shortened(block.names, 14)
    ax.set_xticks(range(k), names, fontsize=SMALL, rotation=90 if k > 3 else 0)
    ax.set_yticks(range(k), names, fontsize=SMALL)
    if k <= _COUNTS_UP_TO:
        for row, (counts, shares) in enumerate(zip(block.counts, block.shares, strict=True)):
            for column, (n, share) in enumerate(zip(counts, shares, strict=True)):
                ink = "white" if share > 0.6 else "black"
                ax.text(column, row, _count(n), ha="center", va="center", fontsize=7, color=ink)
    ax.set_xlabel("predicted class", fontsize=TEXT)
    ax.set_ylabel("true class", fontsize=TEXT)
    return ax


def matrix_svg(block: Matrix) -> str:
    """Return the picture as SVG that takes its ink from the page."""
    k = len(block.names)
    cell = max(14.0, min(64.0, _SIDE / k), _widest_count(block))
    letters = 16 if k <= _COUNTS_UP_TO else 12
    names = distinct_names(block.names, letters)
    margin = 44 + 8.0 * max(len(name) for name in names)
    upright = max(len(name) for name in names) * 8.2 > cell
    top = margin - 10 if upright else 46.0
    middle = top + cell * k / 2
    parts = [
        words(margin, 14, "predicted class") if not upright else words(4, 14, "predicted class →"),
        f'<g transform="translate(14 {middle:.1f}) rotate(-90)">'
        f"{words(0, 0, 'true class', 'middle')}</g>",
        _across(names, margin, top, cell),
    ]
    for row in range(k):
        y = top + cell * row
        parts.append(words(margin - 8, y + cell / 2 + 4, names[row], "end", "name"))
        parts.append(_cells(block, row, margin, y, cell))
    width = max(margin + cell * k + 8, 200)
    height = max(top + cell * k + 8, middle + 40)
    return framed(
        width, height, block.caption, parts, description=_description(block), kind=_kind(k)
    )


def _widest_count(block: Matrix) -> float:
    """Return the room the longest count takes, where counts are written."""
    if len(block.names) > _COUNTS_UP_TO:
        return 0.0
    return 6 + 8.0 * max(len(_count(n)) for row in block.counts for n in row)


def _count(n: float) -> str:
    return typeset_cell(count_text(n))


def _kind(k: int) -> str:
    """Return the classes of the picture: names are set as small as the cells ask for."""
    return "picture matrix" + (" tiny" if k > 24 else " small" if k > _COUNTS_UP_TO else "")


def _across(names: list[str], margin: float, top: float, cell: float) -> str:
    """Return the names of the columns, upright where they are wider than a cell."""
    parts = []
    for column, name in enumerate(names):
        x = margin + cell * (column + 0.5)
        if max(len(n) for n in names) * 8.2 > cell:
            parts.append(
                f'<g transform="translate({x + 4:.1f} {top - 8:.1f}) rotate(-90)">'
                f"{words(0, 0, name, 'start', 'name')}</g>"
            )
        else:
            parts.append(words(x, top - 8, name, "middle", "name"))
    return "".join(parts)


def _cells(block: Matrix, row: int, left: float, y: float, cell: float) -> str:
    parts = []
    few = len(block.names) <= _COUNTS_UP_TO
    for column, (n, share) in enumerate(zip(block.counts[row], block.shares[row], strict=True)):
        x = left + cell * column
        if n or few:
            parts.append(
                f'<rect class="cell" x="{x:.1f}" y="{y:.1f}" width="{cell:.1f}" '
                f'height="{cell:.1f}" fill-opacity="{0.45 * share:.3f}"/>'
            )
        if few and (n or len(block.names) <= 5):
            place = x + cell / 2, y + cell / 2 + (0 if cell > 40 else 4)
            parts.append(words(*place, _count(n), "middle"))
            if cell > 40:
                parts.append(
                    words(place[0], place[1] + 16, f"{100 * share:.0f} %", "middle", "share")
                )
    return "".join(parts)


def _description(block: Matrix) -> str:
    """Say how many of each class were recognised, and what else they were taken for mostly."""
    sentences = []
    for row, name in enumerate(block.names):
        counts = block.counts[row]
        others = [c for c in range(len(counts)) if c != row and counts[c] > 0]
        text = f"{name}: {_count(counts[row])} of {_count(sum(counts))} recognised"
        if others:
            most = max(others, key=counts.__getitem__)
            text += f", {_count(counts[most])} taken for {block.names[most]}"
        sentences.append(text)
    return "; ".join(sentences) + "."
