"""The critical-difference diagram: average ranks on a line, tied where not shown to differ.

References
----------
Demsar (2006), Journal of Machine Learning Research 7, figure 1.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from referee.report.document import Ranks
from referee.report.figures.style import all_shortened
from referee.report.figures.svg import WIDE, framed, words
from referee.report.short_names import distinct_names

__all__ = ["draw_ranks", "ranks_svg"]

_INK, _BAR = "#1a1a1a", "#0b5394"
_WIDEST = 800
"""Pixels of the diagram on a page, which it fills: names on both sides leave the axis little."""
_LETTER = 7.8
"""Pixels a letter takes."""
_STUB = 0.06
"""How far lines reach beyond the axis to their names, as a share of it."""
_MOST_NUMBERS = 16
"""More numbers at the axis would run into each other."""


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

    called = dict(zip(block.names, all_shortened(block.names, 18), strict=True))
    lines, words, depth = _layout(block, called)
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
    """Return the diagram as SVG that takes its ink from the page; on a phone as a list."""
    description = "; ".join(f"{name}: {block.text(name)}" for name in block.names) + "."
    drawn, size = _beside(block) if width >= WIDE else _below(block, width)
    return framed(*size, block.caption, drawn, description=description)


def _beside(block: Ranks) -> tuple[list[str], tuple[float, float]]:
    """Return the diagram with names on both sides, and its width and height."""
    called = dict(zip(block.names, distinct_names(block.names, 18), strict=True))
    lines, texts, depth = _layout(block, called)
    beside = max(len(block.text(n)) for n in block.names)
    name = _LETTER * (max(len(c) for c in called.values()) + beside + 3)
    long = (_WIDEST - 2 * name) / (1 + 2 * _STUB)
    place = _Place((_WIDEST - long) / 2, long, len(block.names))
    return _inked(lines, texts, place), (_WIDEST, place.y(depth + 0.6))


def _below(block: Ranks, width: int) -> tuple[list[str], tuple[float, float]]:
    """Return the axis as wide as the picture, and each name above a dot at its rank."""
    place = _Place(14, width - 28, len(block.names))
    lines, texts, level = _axis(block)
    parts = _inked(lines, texts, place)
    order = sorted(block.names, key=block.rank)
    most = int(width / _LETTER) - 7
    for number, (name, shown) in enumerate(zip(order, distinct_names(order, most), strict=True)):
        rank, y = block.rank(name), place.y(level + 0.4 + 1.6 * number)
        end = place.left + place.long
        parts += [
            words(4, y, shown),
            words(width - 4, y, block.text(name), "end"),
            f'<g class="axis"><path d="M{place.left} {y + 13:.1f}H{end}"/></g>',
            f'<g class="ink"><circle cx="{place.x(rank):.1f}" cy="{y + 13:.1f}" r="4"/></g>',
        ]
    return parts, (width, place.y(level + 0.4 + 1.6 * len(order)))


@dataclass(frozen=True)
class _Place:
    """Where ranks and rows lie in an SVG, in pixels."""

    left: float
    long: float
    models: int

    def x(self, rank: float) -> float:
        return self.left + (rank - 1) / (self.models - 1) * self.long

    def y(self, level: float) -> float:
        return 56 + 22 * level


def _inked(lines: list[_Line], texts: list[_Words], place: _Place) -> list[str]:
    x, y = place.x, place.y
    parts = []
    for line in lines:
        path = f"M{x(line.x[0]):.1f} {y(line.y[0]):.1f}L{x(line.x[1]):.1f} {y(line.y[1]):.1f}"
        kind = "tie" if line.bar else "rule"
        parts.append(f'<path class="{kind}" d="{path}"/>')
    anchor = {"left": "end", "right": "start", "centre": "middle"}
    return parts + [words(x(t.x), y(t.y) + 4, t.text, anchor[t.side]) for t in texts]


def _axis(block: Ranks) -> tuple[list[_Line], list[_Words], float]:
    """Return the axis, the critical difference and the ties, and the first free row."""
    k = len(block.names)
    lines = [_Line((1, k), (0, 0))]
    words = []
    every = 1 + (k - 1) // _MOST_NUMBERS
    numbers = [(float(m), str(m) if (m - 1) % every == 0 else "") for m in range(1, k + 1)]
    for mark, text in block.marks or numbers:
        lines.append(_Line((mark, mark), (0, -0.25)))
        words += [_Words(mark, -0.65, text)] if text else []
    if block.difference > 0:
        reach = min(float(k), 1 + block.difference)
        lines.append(_Line((1, reach), (-1.35, -1.35), bar=True))
        words.append(_Words(1, -1.85, f"critical difference {block.difference:.2f}", "right"))
    ties = [(min(r), max(r)) for r in ([block.rank(m) for m in c] for c in block.cliques)]
    lines += [
        _Line((a - 0.03, b + 0.03), (0.45 + 0.4 * i, 0.45 + 0.4 * i), bar=True)
        for i, (a, b) in enumerate(ties)
    ]
    return lines, words, 1.0 + 0.4 * len(ties)


def _layout(block: Ranks, called: Mapping[str, str]) -> tuple[list[_Line], list[_Words], float]:
    """Return lines and words, and how deep they reach; `called` holds names that fit."""
    k = len(block.names)
    lines, words, start = _axis(block)
    order = sorted(block.names, key=block.rank)
    left = order[: (k + 1) // 2]
    right = order[(k + 1) // 2 :][::-1]
    for names, edge, way in ((left, 1.0, "left"), (right, float(k), "right")):
        end = edge + (-_STUB if way == "left" else _STUB) * (k - 1)
        for i, name in enumerate(names):
            rank, level, shown = block.rank(name), start + i, called[name]
            lines += [_Line((rank, rank), (0, level)), _Line((rank, end), (level, level))]
            beside = block.text(name)
            label = f"{shown}  {beside}" if way == "left" else f"{beside}  {shown}"
            words.append(_Words(end, level, f"\u00a0{label}\u00a0", way))
    return lines, words, start + len(left) - 1
