"""The critical-difference diagram: average ranks on a line, tied where not shown to differ.

References
----------
Demsar (2006), Journal of Machine Learning Research 7, figure 1.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from referee.report.document import Ranks
from referee.report.figures.style import shortened
from referee.report.figures.svg import WIDE, fitted, framed, words

__all__ = ["draw_ranks", "ranks_svg"]

_INK, _BAR = "#1a1a1a", "#0b5394"


@dataclass(frozen=True)
class _Line:
    """A line; x in ranks, y in rows downwards from the axis."""

    x: tuple[float, float]
    y: tuple[float, float]
    bar: bool = False


@dataclass(frozen=True)
class _Words:
    """A text at a place; `side` says where it lies from there."""

    x: float
    y: float
    text: str
    side: str = "centre"


def draw_ranks(block: Ranks, ax: Any = None) -> Any:
    """Draw the diagram on matplotlib axes and return them."""
    import matplotlib.pyplot as plt

    lines, words, depth = _layout(block, shortened)
    if ax is None:
        _, ax = plt.subplots(figsize=(6.5, 0.9 + 0.3 * depth), layout="constrained")
    for line in lines:
        wide, colour = (4.0, _BAR) if line.bar else (1.0, _INK)
        ax.plot(line.x, line.y, color=colour, lw=wide, solid_capstyle="butt", clip_on=False)
    align = {"left": "right", "right": "left", "centre": "center"}
    for word in words:
        ax.text(word.x, word.y, word.text, ha=align[word.side], va="center", fontsize=9)
    k = len(block.names)
    margin = 0.45 * (k - 1)
    ax.set_xlim(1 - margin, k + margin)
    ax.set_ylim(depth + 0.5, -2.2)
    ax.axis("off")
    ax.set_title(block.caption, fontsize=9, loc="left", wrap=True)
    return ax


def ranks_svg(block: Ranks, width: int = WIDE) -> str:
    """Return the diagram as SVG that takes its ink from the page."""
    most = 20 if width >= WIDE else 9
    lines, texts, depth = _layout(block, lambda name: fitted(name, most))
    side, row, top = 24 + 7.4 * (most + 6), 22, 56
    side = min(side, 0.36 * width)
    k = len(block.names)

    def x(rank: float) -> float:
        return side + (rank - 1) / (k - 1) * (width - 2 * side)

    def y(level: float) -> float:
        return top + row * level

    parts = []
    for line in lines:
        path = f"M{x(line.x[0]):.1f} {y(line.y[0]):.1f}L{x(line.x[1]):.1f} {y(line.y[1]):.1f}"
        kind = "tie" if line.bar else "rule"
        parts.append(f'<path class="{kind}" d="{path}"/>')
    anchor = {"left": "end", "right": "start", "centre": "middle"}
    parts += [words(x(t.x), y(t.y) + 4, t.text, anchor[t.side]) for t in texts]
    told = "; ".join(f"{name}: {block.rank(name):.2f}" for name in block.names) + "."
    return framed(width, y(depth + 0.6), block.caption, parts, told=told)


def _layout(block: Ranks, called: Callable[[str], str]) -> tuple[list[_Line], list[_Words], float]:
    """Return lines and words, and how deep they reach; `called` fits names to the picture."""
    k = len(block.names)
    lines = [_Line((1, k), (0, 0))]
    words = []
    for mark in range(1, k + 1):
        lines.append(_Line((mark, mark), (0, -0.25)))
        words.append(_Words(mark, -0.65, str(mark)))
    reach = min(float(k), 1 + block.difference)
    lines.append(_Line((1, reach), (-1.35, -1.35), bar=True))
    words.append(_Words((1 + reach) / 2, -1.85, f"critical difference {block.difference:.2f}"))
    ties = [(min(r), max(r)) for r in ([block.rank(m) for m in c] for c in block.cliques)]
    lines += [
        _Line((a - 0.03, b + 0.03), (0.45 + 0.4 * i, 0.45 + 0.4 * i), bar=True)
        for i, (a, b) in enumerate(ties)
    ]
    start = 1.0 + 0.4 * len(ties)
    order = sorted(block.names, key=block.rank)
    left = order[: (k + 1) // 2]
    right = order[(k + 1) // 2 :][::-1]
    for names, edge, way in ((left, 1.0, "left"), (right, float(k), "right")):
        end = edge + (-0.06 if way == "left" else 0.06) * (k - 1)
        for i, name in enumerate(names):
            rank, level = block.rank(name), start + i
            lines += [_Line((rank, rank), (0, level)), _Line((rank, end), (level, level))]
            shown = called(name)
            label = f"{shown}  {rank:.2f}" if way == "left" else f"{rank:.2f}  {shown}"
            words.append(_Words(end, level, f" {label} ", way))
    return lines, words, start + len(left) - 1
