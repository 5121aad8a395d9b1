"""Preview: the lines of a file around the one that is wrong."""

from __future__ import annotations

from dataclasses import dataclass

from referee.arena.pages.request.form import UploadedFile
from referee.arena.problem import Problem

__all__ = ["Cell", "Preview", "PreviewLine", "preview_of"]

_AROUND, _CELLS, _LONGEST = 3, 20, 120
"""Lines before and after, cells of a line, characters of a cell."""


@dataclass(frozen=True)
class Cell:
    """A cell, and whether it is the one that is wrong."""

    text: str
    wrong: bool


@dataclass(frozen=True)
class PreviewLine:
    """A line, and whether it is the one that is wrong."""

    number: int
    cells: tuple[Cell, ...]
    wrong: bool


@dataclass(frozen=True)
class Preview:
    """A few lines of a file."""

    name: str
    lines: tuple[PreviewLine, ...]


def preview_of(file: UploadedFile, problem: Problem) -> Preview | None:
    r"""Return the header and the lines around a fault; None for a file that is not text.

    Examples
    --------
    >>> file = UploadedFile("answers.csv", b"id,prediction\nc1,cat\nc2,cow\n")
    >>> problem = Problem(422, "'cow' is none of the classes", line=3, column="prediction")
    >>> [(line.number, line.wrong) for line in preview_of(file, problem).lines]
    [(1, False), (2, False), (3, True)]
    >>> [cell.wrong for cell in preview_of(file, problem).lines[2].cells]
    [False, True]
    """
    if file.content[:4] == b"PAR1" or not file.content:
        return None
    lines = file.content.decode("utf-8-sig", errors="replace").splitlines()
    if not lines:
        return None
    columns = lines[0].split(",")
    at = columns.index(problem.column) if problem.column in columns else None
    wrong = problem.line
    centre = min(max(wrong or 1, 1), len(lines))
    numbers = range(max(1, centre - _AROUND), min(len(lines), centre + _AROUND) + 1)
    shown = [
        _line(number, lines[number - 1], wrong == number, at) for number in sorted({1, *numbers})
    ]
    return Preview(file.name, tuple(shown))


def _line(number: int, text: str, wrong: bool, at: int | None) -> PreviewLine:
    cells = text[: _CELLS * _LONGEST].split(",")[:_CELLS]
    return PreviewLine(
        number,
        tuple(Cell(cell[:_LONGEST], wrong and k == at) for k, cell in enumerate(cells)),
        wrong,
    )
