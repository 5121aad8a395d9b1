"""A document on a terminal, or as plain text."""

from __future__ import annotations

import math
from collections import Counter
from io import StringIO
from typing import TYPE_CHECKING

from referee.core.results import Outcome, Severity
from referee.report.document import (
    Bars,
    Block,
    Curves,
    Document,
    Dots,
    Facts,
    Findings,
    Histogram,
    Paragraph,
    Ranks,
    Table,
)
from referee.report.scale import Scale

if TYPE_CHECKING:
    from rich.console import Console

__all__ = ["print_document", "to_plain_text"]

_WIDTH = 100
_INDENT = "  "
_OUTCOME_STYLE = {
    Outcome.PASS: "bold green",
    Outcome.FAIL: "bold red",
    Outcome.UNDECIDED: "bold yellow",
}
_SEVERITY_STYLE = {Severity.SERIOUS: "bold red", Severity.WARNING: "yellow", Severity.NOTE: "cyan"}


def to_plain_text(document: Document, width: int = _WIDTH) -> str:
    """Return the document without colours, at most `width` columns wide."""
    from rich.console import Console

    out = StringIO()
    print_document(document, Console(file=out, width=width, color_system=None, soft_wrap=False))
    return "\n".join(line.rstrip() for line in out.getvalue().splitlines())


def print_document(document: Document, console: Console) -> None:
    """Print the document; colour only where the console has it."""
    from rich.padding import Padding
    from rich.text import Text

    title = Text(document.title, style="bold")
    console.print(Text.assemble(title, "  ", (document.subtitle, "dim")))
    style = _OUTCOME_STYLE.get(document.verdict.outcome, "bold green")
    style = "bold" if document.label else style
    word = Text(document.word, style=style)
    console.print(Padding(Text.assemble(word, "  ", document.verdict.sentence), (1, 0, 0, 2)))
    for section in document.sections:
        # Curves and dots need finer ink than characters; their numbers stand in a table.
        if all(isinstance(block, (Curves, Dots)) for block in section.blocks):
            continue
        console.print()
        console.print(Text(section.title, style="bold underline"))
        for block in section.blocks:
            _print_block(block, console)


def _print_block(block: Block, console: Console) -> None:
    from rich.padding import Padding
    from rich.text import Text

    if isinstance(block, Paragraph):
        console.print(Padding(Text(block.text), (0, 0, 0, 2)))
    elif isinstance(block, Table):
        _print_table(block, console)
    elif isinstance(block, Bars):
        _print_bars(block, console)
    elif isinstance(block, Ranks):
        _print_ranks(block, console)
    elif isinstance(block, Histogram):
        _print_histogram(block, console)
    elif isinstance(block, Findings):
        _print_findings(block, console)
    elif isinstance(block, Facts):
        for key, value in block.facts:
            console.print(Padding(Text.assemble((f"{key:<9}", "dim"), value), (0, 0, 0, 2)))


def _print_table(block: Table, console: Console) -> None:
    from rich import box
    from rich.padding import Padding
    from rich.table import Table as RichTable
    from rich.text import Text

    table = RichTable(
        box=box.SIMPLE_HEAD,
        pad_edge=False,
        show_edge=False,
        header_style="dim",
        padding=(0, 1) if _fits(block, console.width) else (0, 1, 0, 0),
    )
    for column in block.columns:
        table.add_column(
            Text(column.title), justify="right" if column.numeric else "left", overflow="fold"
        )
    for row in block.rows:
        table.add_row(*(Text(cell) for cell in row))
    console.print(Padding(table, (0, 0, 0, 2)))
    if block.caption:
        console.print(Padding(Text(block.caption, style="dim"), (0, 0, 0, 2)))


def _fits(block: Table, width: int) -> bool:
    """Tell whether the widest words of all columns stand side by side with room between."""
    from rich.cells import cell_len

    needed = 0
    for number, column in enumerate(block.columns):
        cells = [column.title, *(row[number] for row in block.rows)]
        needed += max((cell_len(word) for cell in cells for word in cell.split()), default=0)
    return needed + 3 * (len(block.columns) - 1) + len(_INDENT) <= width


def _fitted(name: str, width: int) -> str:
    """Return a name that takes exactly so many columns; some characters take two."""
    from rich.cells import cell_len, set_cell_size

    shown = " ".join(name.split())
    if cell_len(shown) > width:
        shown = set_cell_size(shown, width - 1).rstrip() + "…"
    return set_cell_size(shown, width)


def _print_bars(block: Bars, console: Console) -> None:
    from rich.cells import cell_len
    from rich.padding import Padding
    from rich.text import Text

    if not block.bars:
        return
    label = min(24, max(cell_len(b.label) for b in block.bars))
    value = max(len(b.text) for b in block.bars)
    width = max(20, min(60, console.width - label - value - 8))
    scale = Scale.of(block, width)
    for bar in block.bars:
        line = Text(f"{_INDENT}{_fitted(bar.label, label)}  ")
        line.append(scale.draw(bar), style="dim" if bar.muted else "bold")
        line.append(f"  {bar.text:>{value}}")
        console.print(line, no_wrap=True)
    console.print(Text(f"{_INDENT}{'':<{label}}  {scale.axis()}", style="dim"), no_wrap=True)
    console.print(Padding(Text(block.caption, style="dim"), (0, 0, 0, 2)))


def _print_ranks(block: Ranks, console: Console) -> None:
    """Print each model at its average rank on one line from 1 to k, and the ties as bars."""
    from rich.cells import cell_len
    from rich.padding import Padding
    from rich.text import Text

    k = len(block.names)
    label = min(24, max(cell_len(name) for name in block.names))
    width = max(20, min(60, console.width - label - 12))

    def at(rank: float) -> int:
        return round((rank - 1) / (k - 1) * (width - 1))

    for name in sorted(block.names, key=block.rank):
        line = [" "] * width
        line[at(block.rank(name))] = "●"
        console.print(
            Text(f"{_INDENT}{_fitted(name, label)}  {''.join(line)}  {block.rank(name):.2f}"),
            no_wrap=True,
        )
    for clique in block.cliques:
        ends = [at(block.rank(name)) for name in clique]
        tie = " " * min(ends) + "━" * (max(ends) - min(ends) + 1)
        console.print(Text(f"{_INDENT}{'':<{label}}  {tie}", style="bold"), no_wrap=True)
    axis = f"1{k:>{width - 1}}"
    console.print(Text(f"{_INDENT}{'':<{label}}  {axis}", style="dim"), no_wrap=True)
    console.print(Padding(Text(block.caption, style="dim"), (0, 0, 0, 2)))


def _print_histogram(block: Histogram, console: Console) -> None:
    """Print columns of eighths of a character, and a mark below at the value to be judged."""
    from rich.padding import Padding
    from rich.text import Text

    values = [v for v in block.values if math.isfinite(v)]
    low, high = min([*values, block.mark]), max([*values, block.mark])
    width = max(20, min(60, console.width - 8))

    def at(value: float) -> int:
        return round((value - low) / ((high - low) or 1.0) * (width - 1))

    counts = Counter(at(v) for v in values)
    most = max(counts.values(), default=1)
    eighths = [math.ceil(8 * counts[column] / most) for column in range(width)]
    line = "".join(" ▁▂▃▄▅▆▇█"[e] for e in eighths)
    console.print(Text(f"{_INDENT}{line}", style="dim"), no_wrap=True)
    place = at(block.mark)
    text = " " * place + f"▲ {block.mark_label}"
    if place >= width // 2:
        text = f"{block.mark_label} ▲".rjust(place + 1)
    console.print(Text(f"{_INDENT}{text}", style="bold"), no_wrap=True)
    ends = f"{low:.3g}".ljust(width // 2) + f"{high:.3g}".rjust(width - width // 2)
    console.print(Text(f"{_INDENT}{ends}", style="dim"), no_wrap=True)
    console.print(Padding(Text(block.caption, style="dim"), (0, 0, 0, 2)))


def _print_findings(block: Findings, console: Console) -> None:
    from rich.padding import Padding
    from rich.text import Text

    for f in block.findings:
        head = Text(f"{f.code} {f.severity.value}", style=_SEVERITY_STYLE[f.severity])
        text = Text.assemble(head, f"  {f.title}: {f.message} ", (f.remedy, "italic"))
        console.print(Padding(text, (0, 0, 0, 2)))
