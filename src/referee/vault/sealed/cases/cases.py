"""Cases to be sealed: inputs, labels, ids and groups, from a table or from arrays."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from os import PathLike
from typing import Any

import numpy as np
import pandas as pd

from referee.core.arrays import Codes
from referee.core.dataset import Dataset
from referee.core.labels.labels import rows_text
from referee.errors import InputError
from referee.sources.tables import Table, read_table, stack
from referee.vault.sealed.files import cell_text
from referee.vault.sealed.labels.secret_labels import label_text

__all__ = ["Cases", "cases_of_arrays", "cases_of_table"]

_ID_NAMES = ("id", "case", "referee_id")


@dataclass(frozen=True, eq=False)
class Cases:
    """What is to be split and sealed.

    Attributes
    ----------
    columns : dict of str to list of str
        The cells of train.csv and test.csv, without the labels; ids are among them where there
        are any.
    labels : list of str
        The label of each case.
    target : str
        What the column of labels is called.
    id_column : str
        The column of ids; new numbers are put there if it is not among the columns.
    groups : array of int or None
        Which cases belong together.
    n_train : int or None
        How many cases, the first ones, are for training; None where a share is to be drawn.
    place : callable
        From rows to words, for messages.
    """

    columns: dict[str, list[str]]
    labels: list[str]
    target: str
    id_column: str
    groups: Codes | None
    n_train: int | None
    place: Callable[[Sequence[int]], str]

    @property
    def ids(self) -> list[str] | None:
        """The ids, where the cases have any."""
        return self.columns.get(self.id_column)


def cases_of_table(
    path: str | PathLike[str],
    *,
    target: str,
    ids: str | None = None,
    groups: str | None = None,
    test: str | PathLike[str] | None = None,
    header: bool | None = None,
) -> Cases:
    """Read the cases of a table, and those of a test table under them."""
    kind: Any = "auto" if header is None else header
    table, n_train = read_table(path, header=kind), None
    if test is not None:
        both = stack(table, read_table(test, header=kind))
        table, n_train = both.table, both.n_train
    if table.sparse is not None:
        raise InputError(
            f"{table.path}: svmlight files cannot be sealed", remedy="write the table as CSV"
        )
    target = table.resolve(target)
    others = {role: table.resolve(name) for role, name in _named(ids, groups)}
    for role, name in others.items():
        if name == target:
            raise InputError(
                f"target and {role} name the same column, {target!r}",
                concerning="target",
                remedy="correct one",
            )
    return Cases(
        columns={name: _cells(table, name) for name in table.columns if name != target},
        labels=[label_text(value) for value in table.labels(target).tolist()],
        target=target,
        id_column=others.get("id") or _new_name(table.columns),
        groups=None if groups is None else _group_codes(table.complete(groups).tolist()),
        n_train=n_train,
        place=table.places,
    )


def _named(ids: str | None, groups: str | None) -> list[tuple[str, str]]:
    both = (("id", ids), ("groups", groups))
    return [(role, name) for role, name in both if name is not None]


def _cells(table: Table, name: str) -> list[str]:
    return [cell_text(value) for value in table.exact.get(name, table.column(name)).tolist()]


def cases_of_arrays(
    X: Any, y: Any, *, test: tuple[Any, Any] | None = None, ids: Any = None, groups: Any = None
) -> Cases:
    """Take the cases from Python: a frame or matrix of inputs, and as many labels.

    Inputs and labels of test cases of their own come under the others; ids and groups name both.
    """
    n_train = None
    if test is not None:
        n_train, name = len(y), getattr(y, "name", None)
        X, y = _stacked(X, test[0]), pd.Series([*y, *test[1]], name=name)
    data = Dataset.of(X, y, groups=groups)
    if hasattr(data.X, "tocsr"):
        raise InputError(
            "is a sparse matrix, and train.csv would not be",
            argument="X",
            remedy="pass a dense one",
        )
    columns = _columns(data)
    target = str(getattr(y, "name", None) or "target")
    if target in columns:
        raise InputError(
            f"has a column {target!r}, the name of y", argument="X", remedy="drop it, or rename y"
        )
    id_column = _new_name([*columns, target])
    if ids is not None:
        columns[id_column] = _given_ids(ids, data.n)
    return Cases(
        columns=columns,
        labels=[label_text(value) for value in data.y.tolist()],
        target=target,
        id_column=id_column,
        groups=data.groups,
        n_train=n_train,
        place=rows_text,
    )


def _stacked(train: Any, test: Any) -> Any:
    """Return the rows of two frames or matrices, one under the other."""
    if not hasattr(train, "columns"):
        return np.vstack([np.asarray(train), np.asarray(test)])
    if list(train.columns) != list(getattr(test, "columns", ())):
        raise InputError(
            "X and the inputs of the test cases must have the same columns", concerning="X"
        )
    frames = [pd.DataFrame({name: X[name].to_list() for name in X.columns}) for X in (train, test)]
    return pd.concat(frames, ignore_index=True)


def _columns(data: Dataset) -> dict[str, list[str]]:
    X = data.X
    if not hasattr(X, "columns"):
        matrix = np.asarray(X).reshape(data.n, -1)
        return {
            f"x{k}": [cell_text(v) for v in matrix[:, k].tolist()] for k in range(matrix.shape[1])
        }
    return {str(name): [cell_text(value) for value in X[name].to_list()] for name in X.columns}


def _given_ids(ids: Any, n: int) -> list[str]:
    texts = [cell_text(name) for name in (ids.to_list() if hasattr(ids, "to_list") else list(ids))]
    if len(texts) != n:
        raise InputError(
            f"ids must name every case: there are {n} cases and {len(texts)} ids", concerning="ids"
        )
    return texts


def _new_name(columns: Sequence[str]) -> str:
    return next(name for name in _ID_NAMES if name not in columns)


def _group_codes(values: list[Any]) -> Codes:
    numbers: dict[Any, int] = {}
    return np.array([numbers.setdefault(value, len(numbers)) for value in values], dtype=np.intp)
