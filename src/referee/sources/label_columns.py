"""Label sets in tables: a column of 0 and 1 for each label, or the names of a case in one cell.

Columns are named by a pattern with one star, as ``true_*``: what the star stands for is the label.
In a single column names are parted by a separator, and an empty cell is a case without labels.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from referee.core.arrays import Anything, Flags
from referee.errors import InputError, TableError, arg, named, nearest
from referee.sources.tables import Table

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["LabelColumns", "asks_for_label_sets", "model_title"]

_FLAGS = {"1": True, "true": True, "0": False, "false": False}


def asks_for_label_sets(column: str, separator: str | None, task: str) -> bool:
    """Tell whether a column is one of several for the labels, or holds several of them a cell.

    Examples
    --------
    >>> asks_for_label_sets("true_*", None, "auto"), asks_for_label_sets("topic", None, "auto")
    (True, False)
    """
    sets = "*" in column or separator is not None or task == "multilabel"
    if sets and task not in ("auto", "multilabel"):
        raise InputError(
            f"{column!r} asks for several labels a case, and {arg('task', task)} for one",
            concerning="task",
            remedy="leave out one of them",
        )
    return sets


def model_title(pattern: str) -> str:
    """Return what a model is called whose answers stand in such columns.

    Examples
    --------
    >>> model_title("new_*"), model_title("tags")
    ('new', 'tags')
    """
    return pattern.replace("*", "").strip(" _-.:") or pattern


@dataclass(frozen=True, eq=False)
class LabelColumns:
    """Tables in which each pattern is one column of texts, and what those texts stand for.

    Attributes
    ----------
    tables : tuple of Table
        As they were, with a column called like the pattern instead of those it stands for.
    labels : tuple of str
        All labels.
    sets : mapping of str to frozenset of str
        The labels that each text stands for.
    """

    tables: tuple[Table, ...]
    labels: tuple[str, ...]
    sets: Mapping[str, frozenset[str]]

    @classmethod
    def of(
        cls, tables: Sequence[Table], patterns: Sequence[str], separator: str | None
    ) -> LabelColumns:
        """Read label sets from every table that has them."""
        if separator is not None and not separator:
            raise InputError("is empty", argument="separator", remedy="for example ';'")
        read = [
            {p: _members(t, p, separator) for p in dict.fromkeys(patterns) if _has(t, p)}
            for t in tables
        ]
        for pattern in patterns:
            if not any(pattern in columns for columns in read):
                _refuse_nothing(tables[0], pattern, separator)
        labels = _labels(tables, read)
        sets: dict[str, frozenset[str]] = {}
        folded = []
        for table, columns in zip(tables, read, strict=True):
            values = dict(table.values)
            for pattern, members in columns.items():
                for column in _matching(table, pattern):
                    values.pop(column, None)
                values[pattern] = np.array(
                    [_known(row, labels, sets) for row in members], dtype=object
                )
            folded.append(replace(table, values=values))
        return cls(tuple(folded), labels, sets)

    def of_texts(self, texts: Anything) -> list[frozenset[str]]:
        """Return the label sets of some texts."""
        return [self.sets[str(text)] for text in texts]

    def flags(self, pattern: str) -> pd.DataFrame:
        """Return a column of 0 and 1 for each label, from the first table."""
        import pandas as pd

        rows = self.of_texts(self.tables[0].values[pattern])
        return pd.DataFrame({label: [int(label in row) for row in rows] for label in self.labels})


def _has(table: Table, pattern: str) -> bool:
    return bool(_matching(table, pattern)) if "*" in pattern else pattern in table.columns


def _matching(table: Table, pattern: str) -> dict[str, str]:
    """Return the columns that a pattern stands for, with the label of each."""
    if "*" not in pattern:
        return {}
    start, _, end = pattern.partition("*")
    if "*" in end:
        raise InputError(
            f"{pattern!r} has more than one star",
            remedy="write one, as 'true_*'",
        )
    inner = len(start) + len(end)
    return {
        column: column[len(start) : len(column) - len(end)]
        for column in table.columns
        if len(column) > inner and column.startswith(start) and column.endswith(end)
    }


def _members(table: Table, pattern: str, separator: str | None) -> list[frozenset[str]]:
    if "*" not in pattern:
        return _of_cells(table, pattern, separator)
    matching = _matching(table, pattern)
    flags = np.column_stack([_flags(table, column) for column in matching])
    names = np.array(list(matching.values()), dtype=object)
    return [frozenset(names[row]) for row in flags]


def _of_cells(table: Table, column: str, separator: str | None) -> list[frozenset[str]]:
    if separator is None:
        raise InputError(
            f"column {column!r} holds one text a case",
            concerning="separator",
            remedy=f"say what parts its labels with {named('separator')}, or name a column for "
            "each label, as 'true_*'",
        )
    import pandas as pd

    cells = table.column(column)
    return [
        frozenset()
        if pd.isna(cell)
        else frozenset(p.strip() for p in _text(cell).split(separator) if p.strip())
        for cell in cells
    ]


def _text(cell: Any) -> str:
    return str(int(cell)) if isinstance(cell, float) and cell.is_integer() else str(cell)


def _flags(table: Table, column: str) -> Flags:
    values = table.complete(column)
    known = [_FLAGS.get(_text(value).strip().lower()) for value in values.tolist()]
    odd = next((row for row, flag in enumerate(known) if flag is None), None)
    if odd is not None:
        raise TableError(
            f"{table.place(odd)}, column {column!r}: {_text(values[odd])!r} is neither 0 "
            "nor 1; write 1 where a case has the label; of several quantities judge one "
            "column at a time",
            at=table.place(odd),
        )
    return np.array(known, dtype=bool)


def _labels(
    tables: Sequence[Table], read: Sequence[Mapping[str, list[frozenset[str]]]]
) -> tuple[str, ...]:
    """Return all labels: those that columns are named by, which must agree, or that cells hold."""
    named_ones: dict[str, tuple[str, ...]] = {}
    seen: dict[str, None] = {}
    for table, columns in zip(tables, read, strict=True):
        for pattern, rows in columns.items():
            if "*" in pattern:
                named_ones[pattern] = tuple(_matching(table, pattern).values())
            seen |= dict.fromkeys(sorted({label for row in rows for label in row}))
    if not named_ones:
        return tuple(sorted(seen))
    (first, labels), *others = named_ones.items()
    for pattern, other in others:
        odd = sorted(set(other) ^ set(labels))
        if odd:
            raise TableError(
                f"the columns {first!r} and {pattern!r} must stand for the same labels, and "
                f"{odd[0]!r} is in one of them only",
                remedy="add the column or rename it",
            )
    return labels + tuple(label for label in seen if label not in labels)


def _refuse_nothing(table: Table, pattern: str, separator: str | None) -> None:
    if "*" in pattern:
        raise TableError(
            f"{table.path} has no column {pattern!r} stands for",
            at=str(table.path),
            remedy=nearest(pattern.replace("*", ""), table.columns),
        )
    table.resolve(pattern)


def _known(row: frozenset[str], labels: Sequence[str], sets: dict[str, frozenset[str]]) -> str:
    """Return how a label set is written, and remember it."""
    text = "{" + ", ".join(label for label in labels if label in row) + "}"
    if sets.setdefault(text, row) != row:
        raise InputError(
            f"two label sets would be written {text}",
            remedy="rename labels that hold a comma",
        )
    return text
