"""Label sets: what a case has when it may have several labels at once, or none.

A set of labels is one answer: right when every label is right. So sets are held as classes are,
by a code for each distinct one, and all that judges errors of classes judges them, too. What the
labels of a set are is remembered beside it (`LabelSets.members`), for measures that look inside.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from referee.core.arrays import Anything, Codes, Flags
from referee.core.labels.labels import is_missing, rows_text
from referee.errors import InputError, arg, nearest

__all__ = ["LabelSets", "as_members", "holds_label_sets", "label_names"]

_SETS = (list, tuple, set, frozenset)


@dataclass(frozen=True, eq=False)
class LabelSets:
    """Labels, and which of them each distinct set holds.

    Attributes
    ----------
    labels : tuple of str
        The names of the labels.
    members : array of bool, one row per distinct set
        Whether the set holds each label.

    Examples
    --------
    >>> sets, (truth, answers) = LabelSets.coded(
    ...     ("dog", "cat"), np.array([[1, 0], [1, 1]], bool), np.array([[1, 0], [0, 0]], bool)
    ... )
    >>> [sets.names[c] for c in truth], [sets.names[c] for c in answers]
    (['{dog}', '{dog, cat}'], ['{dog}', '{}'])
    """

    labels: tuple[str, ...]
    members: Flags

    @classmethod
    def coded(cls, labels: Sequence[str], *members: Flags) -> tuple[LabelSets, list[Codes]]:
        """Return the distinct rows of some tables of flags, and each row's code among them."""
        every = np.concatenate(members)
        packed = np.packbits(every, axis=1)
        kinds = packed.view(np.dtype((np.void, packed.shape[1]))).ravel()
        _, first, codes = np.unique(kinds, return_index=True, return_inverse=True)
        ends = np.cumsum([len(m) for m in members])[:-1]
        parts = np.split(codes.ravel().astype(np.intp), ends)
        return cls(tuple(labels), every[first].astype(bool)), parts

    @property
    def names(self) -> tuple[str, ...]:
        """How each set is written; sets that would be written alike are refused."""
        written = tuple(
            "{" + ", ".join(np.asarray(self.labels, dtype=object)[row]) + "}"
            for row in self.members
        )
        if len(set(written)) < len(written):
            comma = next(label for label in self.labels if ", " in label)
            raise InputError(
                f"the label {comma!r} holds a comma, and two label sets would be written alike",
                concerning="labels",
                remedy="rename it",
            )
        return written


def holds_label_sets(values: Any) -> bool:
    """Tell whether values are sets of labels: flags in several columns, or a collection a row.

    Examples
    --------
    >>> holds_label_sets([[1, 0], [0, 0]]), holds_label_sets([{"dog"}, set()])
    (True, True)
    >>> holds_label_sets(["dog", "cat"]), holds_label_sets([[1.5, 0], [0, 0]])
    (False, False)
    """
    if _rows_of_names(values) is not None:
        return True
    array = _table(values)
    return array is not None and bool(_are_flags(array).all())


def label_names(values: Any) -> tuple[str, ...] | None:
    """Return the names of the labels where values have them: columns, or members of sets."""
    rows = _rows_of_names(values)
    if rows is not None:
        return tuple(sorted({str(label) for row in rows for label in row}))
    columns = getattr(values, "columns", None)
    return None if columns is None else tuple(str(c) for c in columns)


def as_members(values: Any, argument: str, labels: Sequence[str] | None = None) -> Flags:
    """Return which labels each row holds, a column per label, or say what is wrong.

    Parameters
    ----------
    values : array-like, DataFrame, sparse matrix or sequence of collections
        A column of 0 and 1 (or flags) for each label, or the names of each row's labels.
    argument : str
        How the caller calls the values.
    labels : sequence of str, optional
        The names of the labels in order; needed where rows are collections.

    Examples
    --------
    >>> as_members([["dog"], [], ["cat", "dog"]], "y", ("cat", "dog")).astype(int).tolist()
    [[0, 1], [0, 0], [1, 1]]
    >>> as_members([[0, 2], [1, 0]], "y")
    Traceback (most recent call last):
    ...
    referee.errors.InputError: y must hold 0 or 1 for every label, got 2 in row 0, column 1; \
write 1 where a case has the label
    """
    rows = _rows_of_names(values)
    if rows is not None:
        return _of_names(rows, argument, tuple(labels or label_names(values) or ()))
    array = _table(values)
    if array is None:
        raise InputError(
            "must hold a column of 0 and 1 for each label, or the labels of each row",
            argument=argument,
            value=f"shape {np.shape(values)}",
            remedy="with one label a row, leave out " + arg("task", "multilabel"),
        )
    if labels is not None:
        array = _in_order(values, array, argument, labels)
    flags = _are_flags(array)
    if not flags.all():
        row, column = (int(i) for i in np.argwhere(~flags)[0])
        _refuse_cell(array[row, column], row, _column_name(values, column), argument)
    return np.asarray(array == 1, dtype=bool)


def _of_names(rows: Sequence[Collection[Any]], argument: str, labels: tuple[str, ...]) -> Flags:
    at = {label: column for column, label in enumerate(labels)}
    members = np.zeros((len(rows), len(labels)), dtype=bool)
    for number, row in enumerate(rows):
        for label in row:
            if is_missing(label) or str(label) not in at:
                raise InputError(
                    f"holds the label {label!r} in row {number}, which is none of "
                    f"{', '.join(map(repr, labels[:12]))}{nearest(str(label), labels)}",
                    argument=argument,
                    remedy=f"correct it, or name all labels with {arg('labels')}",
                )
            members[number, at[str(label)]] = True
    return members


def _rows_of_names(values: Any) -> Sequence[Collection[Any]] | None:
    """Return rows that are collections of names; None where they are something else."""
    if hasattr(values, "columns") or hasattr(values, "toarray"):
        return None
    if isinstance(values, np.ndarray) and values.dtype != object:
        return None
    if isinstance(values, (str, bytes)) or not hasattr(values, "__len__") or not len(values):
        return None
    try:
        rows = list(values)
    except TypeError:
        return None
    if not all(isinstance(row, _SETS) for row in rows):
        return None
    # Rows of numbers, all of one length, are columns of flags.
    listed = not any(isinstance(row, (set, frozenset)) for row in rows)
    numbers = all(isinstance(v, (int, float, np.number, np.bool_)) for row in rows for v in row)
    if listed and numbers and len({len(row) for row in rows}) == 1 and len(rows[0]):
        return None
    return rows


def _table(values: Any) -> Anything | None:
    """Return values of two or more columns as an array; None where they are none."""
    if hasattr(values, "toarray"):
        values = values.toarray()
    try:
        array = np.asarray(values)
    except ValueError:
        return None
    return array if array.ndim == 2 and array.shape[1] > 1 and len(array) else None


def _are_flags(array: Anything) -> Flags:
    """Return which cells are 0, 1, False or True."""
    if array.dtype.kind == "b":
        return np.ones(array.shape, dtype=bool)
    if array.dtype.kind in "iuf":
        return np.asarray((array == 0) | (array == 1))
    if array.dtype.kind != "O":
        return np.zeros(array.shape, dtype=bool)
    number = (int, float, np.number, np.bool_)
    cells = [isinstance(v, number) and v in (0, 1) for v in array.ravel()]
    return np.asarray(cells, dtype=bool).reshape(array.shape)


def _in_order(values: Any, array: Anything, argument: str, labels: Sequence[str]) -> Anything:
    """Return the columns in the order of the labels; by position where they have no names."""
    own = label_names(values)
    if own is not None and set(own) == set(labels) and len(own) == len(labels):
        return array[:, [own.index(label) for label in labels]]
    if own is not None or array.shape[1] != len(labels):
        raise InputError(
            f"must have a column for each of the {len(labels)} labels "
            f"({', '.join(map(repr, labels[:12]))})",
            argument=argument,
            value=f"{array.shape[1]} columns" + (f" ({', '.join(own[:12])})" if own else ""),
        )
    return array


def _column_name(values: Any, column: int) -> str:
    names = label_names(values)
    return repr(names[column]) if names else str(column)


def _refuse_cell(value: Any, row: int, column: str, argument: str) -> None:
    if is_missing(value):
        raise InputError(
            "is missing",
            argument=argument,
            place=f"{rows_text([row])}, column {column}",
            remedy="fill it in, or drop the row",
        )
    raise InputError(
        "must hold 0 or 1 for every label",
        argument=argument,
        value=f"{value!r}" if isinstance(value, str) else f"{value}",
        place=f"row {row}, column {column}",
        remedy="write 1 where a case has the label",
    )
