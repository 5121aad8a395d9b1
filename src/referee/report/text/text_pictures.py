"""Pictures drawn with characters: intervals, ranks, a histogram, a confusion matrix."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable
from typing import TYPE_CHECKING

from referee.core.showing.numbers import count_text
from referee.report.document import Bars, Block, Column, Histogram, Matrix, Ranks, Table
from referee.report.short_names import distinct_names
from referee.report.text.scale import Scale
from referee.report.text.text_lines import INDENT, print_prose
from referee.report.typesetting import typeset_cell

if TYPE_CHECKING:
    from rich.console import Console

__all__ = ["as_table", "print_picture"]

_MOST_CLASSES = 8
_LEAST = 20
"""A shorter scale shows nothing."""


def print_picture(block: Block, console: Console) -> None:
    """Print what characters can draw; curves and plans need finer ink."""
    if isinstance(block, Bars):
        _print_bars(block, console)
    elif isinstance(block, Ranks):
        _print_ranks(block, console)
    elif isinstance(block, Histogram):
        _print_histogram(block, console)


def as_table(block: Matrix) -> Table | None:
    """Return a confusion matrix as a table; None where it has too many classes for one."""
    if len(block.names) > _MOST_CLASSES:
        return None
    columns = (Column("true class"), *(Column(f"as {n}", numeric=True) for n in block.names))
    rows = tuple(
        (name, *(typeset_cell(count_text(count)) for count in counts))
        for name, counts in zip(block.names, block.counts, strict=True)
    )
    return Table(columns, rows, caption=block.caption)


def _fitted(names: Iterable[str], width: int) -> list[str]:
    """Return names that take exactly so many columns; some characters take two."""
    from rich.cells import cell_len, set_cell_size

    return [set_cell_size(name, width) for name in distinct_names(names, width, cell_len)]


def _print_bars(block: Bars, console: Console) -> None:
    from rich.cells import cell_len
    from rich.text import Text

    if not block.bars:
        return
    label = min(24, max(cell_len(b.label) for b in block.bars))
    value = max(len(b.text) for b in block.bars)
    room = console.width - label - value - 8
    scale = Scale.of(block, min(60, room) if room >= _LEAST else console.width - 2 * len(INDENT))
    above = console.width - value - 3 * len(INDENT)
    names = _fitted((b.label for b in block.bars), label if room >= _LEAST else above)
    for bar, name in zip(block.bars, names, strict=True):
        drawn = Text(scale.draw(bar), style="dim" if bar.muted else "bold")
        if room >= _LEAST:
            line = Text.assemble(f"{INDENT}{name}  ", drawn)
            line.append(f"  {bar.text:>{value}}")
        else:
            # On a narrow terminal the name stands above its bar.
            console.print(Text(f"{INDENT}{name}{INDENT}{bar.text:>{value}}"), no_wrap=True)
            line = Text.assemble(INDENT, drawn)
        console.print(line, no_wrap=True)
    before = f"{INDENT}{'':<{label}}  " if room >= _LEAST else INDENT
    console.print(Text(f"{before}{scale.axis()}", style="dim"), no_wrap=True)
    print_prose(Text(block.caption, style="dim"), console)


def _print_ranks(block: Ranks, console: Console) -> None:
    """Print each model at its place on one line from 1 to k, and the ties as bars."""
    from rich.cells import cell_len
    from rich.text import Text

    k = len(block.names)
    label = min(24, max(cell_len(name) for name in block.names), console.width - 32)
    beside = max(len(block.text(name)) for name in block.names)
    width = max(_LEAST, min(60, console.width - label - beside - 8))

    def at(rank: float) -> int:
        return round((rank - 1) / (k - 1) * (width - 1))

    order = sorted(block.names, key=block.rank)
    for name, shown in zip(order, _fitted(order, label), strict=True):
        line = [" "] * width
        line[at(block.rank(name))] = "●"
        console.print(
            Text(f"{INDENT}{shown}  {''.join(line)}  {block.text(name)}"),
            no_wrap=True,
        )
    for clique in block.cliques:
        ends = [at(block.rank(name)) for name in clique]
        tie = " " * min(ends) + "━" * (max(ends) - min(ends) + 1)
        console.print(Text(f"{INDENT}{'':<{label}}  {tie}", style="bold"), no_wrap=True)
    axis = [" "] * width
    for place, text in block.marks or ((1.0, "1"), (float(k), str(k))):
        start = min(max(0, at(place) - len(text) // 2), width - len(text))
        axis[start : start + len(text)] = text
    console.print(Text(f"{INDENT}{'':<{label}}  {''.join(axis)}", style="dim"), no_wrap=True)
    print_prose(Text(block.caption, style="dim"), console)


def _print_histogram(block: Histogram, console: Console) -> None:
    """Print columns of eighths of a character, and a mark below at the value to be judged."""
    from rich.text import Text

    values = [v for v in block.values if math.isfinite(v)]
    low, high = min([*values, block.mark]), max([*values, block.mark])
    width = max(_LEAST, min(60, console.width - 8))

    def at(value: float) -> int:
        return round((value - low) / ((high - low) or 1.0) * (width - 1))

    counts = Counter(at(v) for v in values)
    most = max(counts.values(), default=1)
    eighths = [math.ceil(8 * counts[column] / most) for column in range(width)]
    line = "".join(" ▁▂▃▄▅▆▇█"[e] for e in eighths)
    console.print(Text(f"{INDENT}{line}", style="dim"), no_wrap=True)
    place = at(block.mark)
    text = " " * place + f"▲ {block.mark_label}"
    if place >= width // 2:
        text = f"{block.mark_label} ▲".rjust(place + 1)
    console.print(Text(f"{INDENT}{text}", style="bold"), no_wrap=True)
    ends = f"{low:.3g}".ljust(width // 2) + f"{high:.3g}".rjust(width - width // 2)
    console.print(Text(f"{INDENT}{ends}", style="dim"), no_wrap=True)
    print_prose(Text(block.caption, style="dim"), console)
