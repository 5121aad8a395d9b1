"""A document on a terminal, or as plain text."""

from __future__ import annotations

from io import StringIO
from typing import TYPE_CHECKING

from referee.core.results import Outcome, Severity
from referee.report.document import (
    Block,
    Curves,
    Document,
    Dots,
    Drawing,
    Facts,
    Findings,
    Matrix,
    Paragraph,
    PlanGrid,
    Table,
)
from referee.report.legible import legible
from referee.report.text_pictures import INDENT, as_table, print_picture

if TYPE_CHECKING:
    from rich.console import Console

__all__ = ["print_document", "to_plain_text"]

_WIDTH = 100
_LONGEST_WORD = 24
"""Longer ones are folded: a name of 300 letters must not take the table for itself."""

_OUTCOME_STYLE = {
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

    document = legible(document)
    title = Text(document.title, style="bold")
    console.print(Text.assemble(title, "  ", (document.subtitle, "dim")))
    style = _OUTCOME_STYLE.get(document.verdict.outcome, "bold green")
    word = Text(document.word, style="bold" if document.label else style)
    console.print(Padding(Text.assemble(word, "  ", document.verdict.sentence), (1, 0, 0, 2)))
    picture = document.headline.picture if document.headline is not None else None
    if picture is not None and _printable(picture):
        console.print()
        print_picture(picture, console)
    for section in document.sections:
        blocks = [block for block in section.blocks if _printable(block)]
        if section.detail or not blocks:
            continue
        console.print()
        console.print(Text(section.title, style="bold underline"))
        for number, block in enumerate(blocks):
            if number and not isinstance(blocks[number - 1], Paragraph | Table):
                console.print()
            _print_block(block, console)


def _printable(block: Block) -> bool:
    """Tell whether characters can show it; curves and dots have their numbers in a table."""
    if isinstance(block, Matrix):
        return as_table(block) is not None
    return not isinstance(block, Curves | Dots | PlanGrid | Drawing)


def _print_block(block: Block, console: Console) -> None:
    from rich.padding import Padding
    from rich.text import Text

    if isinstance(block, Paragraph):
        console.print(Padding(Text(block.text), (0, 0, 0, 2)))
    elif isinstance(block, Table):
        _print_table(block, console)
    elif isinstance(block, Matrix):
        table = as_table(block)
        assert table is not None
        _print_table(table, console)
    elif isinstance(block, Findings):
        _print_findings(block, console)
    elif isinstance(block, Facts):
        _print_facts(block, console)
    else:
        print_picture(block, console)


def _print_table(block: Table, console: Console) -> None:
    from rich.padding import Padding
    from rich.text import Text

    if _least_width(block) <= console.width:
        _print_columns(block, console)
    else:
        _print_stacked(block, console)
    if block.caption:
        console.print(Padding(Text(block.caption, style="dim"), (0, 0, 0, 2)))


def _print_columns(block: Table, console: Console) -> None:
    from rich import box
    from rich.padding import Padding
    from rich.table import Table as RichTable
    from rich.text import Text

    table = RichTable(box=box.SIMPLE_HEAD, pad_edge=False, show_edge=False, header_style="dim")
    for number, column in enumerate(block.columns):
        table.add_column(
            Text(column.title),
            justify="right" if column.numeric else "left",
            overflow="fold",
            min_width=_least_column(block, number),
        )
    for row in block.rows:
        table.add_row(*(Text(cell) for cell in row))
    console.print(Padding(table, (0, 0, 0, 2)))


def _print_stacked(block: Table, console: Console) -> None:
    """Print each row as a small list, where the columns do not stand side by side."""
    from rich.cells import cell_len
    from rich.padding import Padding
    from rich.text import Text

    first, *others = block.columns
    wide = min(_LONGEST_WORD, max((cell_len(c.title) for c in others), default=0))
    for row in block.rows:
        name = Text.assemble((f"{first.title} " if first.numeric else "", "dim"), (row[0], "bold"))
        console.print(Padding(name, (0, 0, 0, 2)))
        for column, cell in zip(others, row[1:], strict=True):
            line = Text.assemble((f"{column.title:<{wide}}  ", "dim"), cell)
            console.print(Padding(line, (0, 0, 0, 4)))


def _least_width(block: Table) -> int:
    """Return how wide the table is at least if no number and no word is broken."""
    columns = range(len(block.columns))
    return sum(_least_column(block, n) for n in columns) + 3 * (len(columns) - 1) + len(INDENT)


def _least_column(block: Table, number: int) -> int:
    from rich.cells import cell_len

    column = block.columns[number]
    cells = [row[number] for row in block.rows]
    words = [word for cell in cells for word in ([cell] if column.numeric else cell.split())]
    words += column.title.split()
    return min(_LONGEST_WORD, max((cell_len(word) for word in words), default=1))


def _print_findings(block: Findings, console: Console) -> None:
    from rich.padding import Padding
    from rich.text import Text

    for f in block.findings:
        head = Text(f"{f.code} {f.severity.value}", style=_SEVERITY_STYLE[f.severity])
        text = Text.assemble(head, f"  {f.title}: {f.message} ", (f.remedy, "italic"))
        console.print(Padding(text, (0, 0, 0, 2)))


def _print_facts(block: Facts, console: Console) -> None:
    from rich.padding import Padding
    from rich.table import Table as RichTable
    from rich.text import Text

    grid = RichTable.grid(padding=(0, 2, 0, 0))
    grid.add_column(style="dim", no_wrap=True)
    grid.add_column(overflow="fold")
    for key, value in block.facts:
        grid.add_row(Text(key), Text(value))
    console.print(Padding(grid, (0, 0, 0, 2)))
