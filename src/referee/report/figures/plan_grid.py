"""Who trains and who tests: a row for each split, a column for each block of cases."""

from __future__ import annotations

from itertools import chain, groupby
from typing import Any

from referee.report.document import PlanGrid
from referee.report.figures.style import COLUMN, MUTED, PALETTE, all_shortened, dress
from referee.report.figures.svg import WIDE, framed, words

__all__ = ["draw_plan", "plan_svg"]

_LEVELS = 4


def draw_plan(block: PlanGrid, ax: Any = None) -> Any:
    """Draw on matplotlib axes and return them."""
    import matplotlib.pyplot as plt
    from matplotlib.patches import Patch, Rectangle

    rows, columns = len(block.labels), len(block.train[0])
    if ax is None:
        _, ax = plt.subplots(figsize=(1.8 * COLUMN, 0.9 + 0.16 * rows), layout="constrained")
    for row in range(rows):
        for shares, colour in ((block.train[row], MUTED), (block.test[row], PALETTE[0])):
            strength = 0.35 if colour == MUTED else 1.0
            for start, wide, share in _runs(shares):
                box = Rectangle((start, row + 0.1), wide, 0.8)
                box.set(color=colour, alpha=strength * share, lw=0)
                ax.add_patch(box)
    ax.set(xlim=(0, columns), ylim=(rows, 0), xticks=[])
    ax.set_yticks([r + 0.5 for r in range(rows)], all_shortened(block.labels, 14))
    dress(ax, "cases", "fit")
    marks = [Patch(color=MUTED, alpha=0.35, label="trains"), Patch(color=PALETTE[0], label="tests")]
    if _leaves_out(block):
        marks.append(Patch(facecolor="none", edgecolor=MUTED, lw=0.5, label="left out"))
    place = {"loc": "lower right", "bbox_to_anchor": (1, 1)}
    ax.legend(handles=marks, fontsize=7, ncols=len(marks), **place)
    return ax


def plan_svg(block: PlanGrid, width: int = WIDE) -> str:
    """Return the picture as SVG that takes its ink from the page."""
    left, top, high = 12 + 8.0 * max(len(name) for name in block.labels), 24, 14
    rows, columns = len(block.labels), len(block.train[0])
    cell = (width - left - 4) / columns
    parts = [_key(left, width, blank=_leaves_out(block))]
    for row, label in enumerate(block.labels):
        y = top + high * row
        parts.append(words(left - 8, y + 10, label, "end", "dim"))
        for shares, kind in ((block.train[row], "trains"), (block.test[row], "tests")):
            parts += [
                f'<rect class="{kind}" x="{left + cell * start:.1f}" y="{y}" '
                f'width="{cell * wide:.1f}" height="{high - 3}"{_faint(share)}/>'
                for start, wide, share in _runs(shares)
            ]
    return framed(
        width,
        top + high * rows + 4,
        "who trained, who tested",
        parts,
        description=_description(block),
    )


def _key(left: float, width: int, *, blank: bool) -> str:
    left_out = (
        f'<rect class="blank" fill="none" stroke="currentColor" stroke-opacity=".4" '
        f'x="{left + 146.5:.1f}" y="5.5" width="11" height="10"/>'
        f"{words(left + 164, 15, 'left out', 'start', 'dim')}"
    )
    return (
        f'<rect class="trains" x="{left:.1f}" y="5" width="12" height="11"/>'
        f"{words(left + 18, 15, 'trains', 'start', 'dim')}"
        f'<rect class="tests" x="{left + 76:.1f}" y="5" width="12" height="11"/>'
        f"{words(left + 94, 15, 'tests', 'start', 'dim')}"
        f"{left_out if blank else ''}"
        f"{words(width - 4, 15, 'cases →', 'end', 'dim')}"
    )


def _leaves_out(block: PlanGrid) -> bool:
    """Tell whether a block of cases is in neither set of a row, so that nothing is drawn there."""
    cells = zip(chain(*block.train), chain(*block.test), strict=True)
    return any(train == test == 0 for train, test in cells)


def _faint(share: float) -> str:
    return "" if share == 1 else f' opacity="{share:g}"'


def _runs(shares: tuple[float, ...]) -> list[tuple[int, int, float]]:
    """Return start, length and rounded share of neighbouring blocks that look alike.

    Examples
    --------
    >>> _runs((0.0, 1.0, 1.0, 0.1))
    [(1, 2, 1.0), (3, 1, 0.25)]
    """
    runs, at = [], 0
    for share, run in groupby(-(-s * _LEVELS // 1) / _LEVELS for s in shares):
        wide = len(list(run))
        if share > 0:
            runs.append((at, wide, share))
        at += wide
    return runs


def _description(block: PlanGrid) -> str:
    return "; ".join(
        f"{label}: {train} train, {test} test"
        for label, (train, test) in zip(block.labels, block.sizes, strict=True)
    )
