"""A document on a terminal, or as plain text."""

from __future__ import annotations

from io import StringIO
from typing import TYPE_CHECKING

from referee.core.results import Severity
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
from referee.report.text.text_lines import INDENT, held, print_prose, wrapped
from referee.report.text.text_pictures import as_table, print_picture

if TYPE_CHECKING:
    from rich.console import Console

__all__ = ["print_document", "to_plain_text"]

_WIDTH = 100
_BETWEEN = 3
"""Blanks between two columns."""
_LONGEST_WORD = 24
"""Longer ones are folded: a name of 300 letters must not take the table for itself."""

_TONE_STYLE = {"pass": "bold green", "fail": "bold red", "undecided": "bold yellow", "": "bold"}
_SEVERITY_STYLE = {Severity.SERIOUS: "bold red", Severity.WARNING: "yellow", Severity.NOTE: "cyan"}


def to_plain_text(document: Document, width: int = _WIDTH) -> str:
    """Return the document without colours, at most `width` columns wide."""
    from rich.console import Console

    out = StringIO()
    print_document(document, Console(file=out, width=width, color_system=None, soft_wrap=False))
    return "\n".join(line.rstrip() for line in out.getvalue().splitlines())


def print_document(document: Document, console: Console) -> None:
    """Print the document; colour only where the console has it."""
    from rich.text import Text

    document = legible(document)
    title = Text(document.title, style="bold")
    print_prose(Text.assemble(title, "  ", (document.subtitle, "dim")), console, indent=0)
    word = Text(document.word, style=_TONE_STYLE[document.tone])
    console.print()
    print_prose(Text.assemble(word, "  ", document.verdict.sentence), console)
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
    from rich.text import Text

    if isinstance(block, Paragraph):
        print_prose(Text(block.text), console)
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
    from rich.text import Text

    widths = _widths(block, console.width - len(INDENT))
    if widths is None:
        _print_stacked(block, console)
    else:
        _print_columns(block, widths, console)
    if block.caption:
        print_prose(Text(block.caption, style="dim"), console)


def _print_columns(block: Table, widths: list[int], console: Console) -> None:
    from rich import box
    from rich.padding import Padding
    from rich.table import Table as RichTable
    from rich.text import Text

    table = RichTable(box=box.SIMPLE_HEAD, pad_edge=False, show_edge=False, header_style="dim")
    for column, width in zip(block.columns, widths, strict=True):
        table.add_column(
            wrapped(Text(column.title), console, width),
            justify="right" if column.numeric else "left",
            width=width,
        )
    for row in block.rows:
        cells = zip(row, widths, strict=True)
        table.add_row(*(wrapped(Text(cell), console, width) for cell, width in cells))
    console.print(Padding(table, (0, 0, 0, 2)))


def _print_stacked(block: Table, console: Console) -> None:
    """Print each row as a small list, where the columns do not stand side by side."""
    from rich.cells import cell_len
    from rich.text import Text

    first, *others = block.columns
    wide = min(_LONGEST_WORD, max((cell_len(c.title) for c in others), default=0))
    for row in block.rows:
        print_prose(Text.assemble((f"{first.title} ".lstrip(), "dim"), (row[0], "bold")), console)
        for column, cell in zip(others, row[1:], strict=True):
            line = Text.assemble((f"{column.title:<{wide}}  ", "dim"), cell)
            if line.cell_len <= console.width - 2 * len(INDENT):
                print_prose(line, console, indent=2 * len(INDENT))
            else:
                print_prose(Text(column.title, style="dim"), console, indent=2 * len(INDENT))
                print_prose(Text(cell), console, indent=3 * len(INDENT))


def _widths(block: Table, room: int) -> list[int] | None:
    """Return how wide each column is; None where numbers or words would have to be broken.

    What is too much is taken from the widest column that can still give.
    """
    room -= _BETWEEN * (len(block.columns) - 1)
    least = [_least_column(block, n) for n in range(len(block.columns))]
    if sum(least) > room:
        return None
    widths = [_whole_column(block, n) for n in range(len(block.columns))]
    excess = sum(widths) - room
    while excess > 0:
        giving = [n for n in range(len(widths)) if widths[n] > least[n]]
        widest = max(giving, key=widths.__getitem__)
        widths[widest] -= 1
        excess -= 1
    return widths


def _whole_column(block: Table, number: int) -> int:
    from rich.cells import cell_len

    texts = [block.columns[number].title, *(row[number] for row in block.rows)]
    return max(1, *(cell_len(text) for text in texts))


def _least_column(block: Table, number: int) -> int:
    """Return how wide a column is at least if no number and no word is broken."""
    from rich.cells import cell_len

    column = block.columns[number]
    cells = [held(row[number]) for row in block.rows]
    words = [word for cell in cells for word in ([cell] if column.numeric else cell.split())]
    words += held(column.title).split()
    return min(_LONGEST_WORD, max((cell_len(word) for word in words), default=1))


def _print_findings(block: Findings, console: Console) -> None:
    from rich.text import Text

    for f in block.findings:
        head = Text(f"{f.code} {f.severity.value}", style=_SEVERITY_STYLE[f.severity])
        text = Text.assemble(head, f"  {f.title}: {f.message} ", (f.remedy, "italic"))
        print_prose(text, console)


def _print_facts(block: Facts, console: Console) -> None:
    from rich.cells import cell_len
    from rich.padding import Padding
    from rich.table import Table as RichTable
    from rich.text import Text

    keys = max((cell_len(key) for key, _ in block.facts), default=0)
    room = max(1, console.width - 2 * len(INDENT) - keys)
    grid = RichTable.grid(padding=(0, 2, 0, 0))
    grid.add_column(style="dim", no_wrap=True)
    grid.add_column()
    for key, value in block.facts:
        grid.add_row(Text(key), wrapped(Text(value), console, room))
    console.print(Padding(grid, (0, 0, 0, 2)))
