"""A Dataset: features, target and what is known about the rows, checked once, at the door."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from referee.core.arrays import Anything, Codes, Features, Floats, Label, Rows
from referee.core.fingerprint import fingerprint
from referee.core.labels.label_sets import as_members, label_names
from referee.core.labels.labels import (
    as_labels,
    classes_of,
    encode,
    is_missing,
    refuse_many_classes,
    refuse_misaligned,
    rows_text,
)
from referee.core.labels.task import as_numbers
from referee.errors import InputError

__all__ = ["Dataset", "moments", "take_rows"]


def take_rows(X: Features, rows: Rows) -> Features:
    """Return the given rows of an array, a pandas or polars frame, or a sparse matrix.

    Examples
    --------
    >>> take_rows(np.arange(6).reshape(3, 2), np.array([2, 0])).tolist()
    [[4, 5], [0, 1]]
    """
    if isinstance(X, np.ndarray) and X.flags.c_contiguous and X.dtype != object:
        return X.take(rows, axis=0)  # the same, in half of the time
    return X.iloc[rows] if hasattr(X, "iloc") else X[rows]


@dataclass(frozen=True, eq=False)
class Dataset:
    """Features and target of the cases, ready to be split.

    Make one with `Dataset.of`, which validates; nothing below re-checks.

    Attributes
    ----------
    X : array, DataFrame or sparse matrix
        The features as the user gave them; preprocessing belongs inside the model.
    y : array
        The labels as the user names them, or quantities; of label sets a column of 0 and 1 for
        each label.
    classes : tuple
        The distinct labels, sorted; empty where the target holds quantities or label sets.
    codes : array of int
        Positions of `y` in `classes`; all 0 for quantities and label sets, which are one stratum.
    groups : array of int or None
        Which cases belong together (patient, document ...), as codes.
    time : array or None
        When each case was observed.
    sample_weight : array of float or None
        How much each case counts in the estimates.
    labels : tuple of str
        The names of the labels, where a case may have several.

    Examples
    --------
    >>> data = Dataset.of([[1.0], [2.0], [3.0]], ["a", "b", "a"])
    >>> data.n, data.classes, data.class_counts.tolist()
    (3, ('a', 'b'), [2, 1])
    """

    X: Features
    y: Anything
    classes: tuple[Label, ...]
    codes: Codes
    groups: Codes | None = None
    time: Anything | None = None
    sample_weight: Floats | None = None
    labels: tuple[str, ...] = ()

    @classmethod
    def of(
        cls,
        X: Any,
        y: Any,
        *,
        groups: Any = None,
        time: Any = None,
        sample_weight: Any = None,
        numeric: bool = False,
        sets: bool = False,
    ) -> Dataset:
        """Check everything once and return the dataset.

        `numeric` says that the target holds quantities, `sets` that it holds sets of labels.

        Raises
        ------
        InputError
            Naming the argument, the row, the value and the remedy.
        """
        labels = _checked_target(y, numeric, sets)
        for other, name in ((y, "y"), (groups, "groups"), (time, "time")):
            refuse_misaligned(X, other, f"X and {name}")
        features = _checked_features(X, len(labels))
        classes = () if numeric or sets else _checked_classes(labels)
        if numeric:
            refuse_constant(labels, "y")
        return cls(
            X=features,
            y=labels,
            classes=classes,
            codes=encode(labels, classes, "y") if classes else np.zeros(len(labels), np.intp),
            groups=group_codes(groups, len(labels)),
            time=_checked_time(time, len(labels)),
            sample_weight=checked_weights(sample_weight, len(labels)),
            labels=_names_of_labels(y, labels) if sets else (),
        )

    @property
    def n(self) -> int:
        """The number of cases."""
        return len(self.y)

    @property
    def numeric(self) -> bool:
        """Whether the target holds quantities, not classes or sets of labels."""
        return not self.classes and not self.labels

    @property
    def truth(self) -> Anything:
        """The right answers as predictions are held against them: codes, quantities or flags."""
        return self.codes if self.classes else self.y

    @property
    def strata(self) -> int:
        """How many kinds of cases splits keep in proportion: the classes; 1 without them."""
        return max(1, len(self.classes))

    def stratum(self, at: int) -> str:
        """Name one kind of cases in a message."""
        return f"class {self.classes[at]!r}" if self.classes else "the target"

    @cached_property
    def class_counts(self) -> Codes:
        """How many cases each class has, in the order of `classes`."""
        return np.bincount(self.codes, minlength=len(self.classes))

    @property
    def n_features(self) -> int:
        """The number of columns of X."""
        return int(self.X.shape[1]) if len(self.X.shape) > 1 else 1

    @cached_property
    def columns(self) -> tuple[str, ...]:
        """The names of the columns; numbered from 0 where X has none."""
        names = getattr(self.X, "columns", range(self.n_features))
        return tuple(str(c) for c in names)

    def name_rows(self, rows: Anything) -> str:
        """Name rows by the index of X where it says more than their position."""
        index = getattr(self.X, "index", None)
        if index is None or not index.name:
            return rows_text(rows)
        return rows_text(index.to_numpy()[rows], word=str(index.name))

    @cached_property
    def task(self) -> str:
        """A fingerprint of the labels: a plan made for other data does not carry it."""
        return fingerprint([self.y])

    @cached_property
    def fingerprint(self) -> str:
        """A fingerprint of features, labels and what is known about the rows."""
        known = [self.groups, self.time, self.sample_weight]
        return fingerprint([_raw(self.X), self.y, *(k for k in known if k is not None)])


def _checked_target(y: Any, numeric: bool, sets: bool) -> Anything:
    if numeric:
        return as_numbers(y, "y")
    return as_members(y, "y").astype(np.intp) if sets else as_labels(y, "y")


def _names_of_labels(y: Any, members: Anything) -> tuple[str, ...]:
    """Return the labels' names, refusing labels of which nothing could be learned."""
    if np.all(members == members[0]):
        raise InputError(
            f"holds one label set only ({len(members)} rows)",
            argument="y",
            remedy="a classifier can be judged only where cases differ in their labels",
        )
    return label_names(y) or tuple(str(column) for column in range(members.shape[1]))


def _checked_classes(labels: Anything) -> tuple[Label, ...]:
    classes = classes_of(labels)
    refuse_many_classes(classes, "y")
    if len(classes) < 2:
        raise InputError(
            f"holds one class only ({classes[0]!r}, {len(labels)} rows)",
            argument="y",
            remedy="a classifier can be judged only where there are at least two classes",
        )
    return classes


def refuse_constant(numbers: Floats, argument: str) -> None:
    """Refuse quantities that are all the same: nothing is left to be predicted."""
    if np.all(numbers == numbers[0]):
        raise InputError(
            f"holds one value only ({numbers[0]:g}, {len(numbers)} rows)",
            argument=argument,
            remedy="a regressor can be judged only where the target varies",
        )


def _raw(X: Features) -> Any:
    if hasattr(X, "tocsr"):
        rows = X.tocsr()
        return np.concatenate([rows.data, rows.indices, rows.indptr, rows.shape])
    if hasattr(X, "iloc") and np.asarray(X.iloc[:1].to_numpy()).dtype == object:
        return X  # as one array it would hold an object for every number
    if hasattr(X, "to_numpy"):
        return np.asarray(X.to_numpy())
    return np.asarray(X)


def _checked_features(X: Any, n: int) -> Features:
    if hasattr(X, "collect"):
        raise InputError("is a lazy frame", argument="X", remedy="pass X.collect()")
    if hasattr(X, "tocsr"):
        X = X.tocsr()
    elif not hasattr(X, "columns"):
        X = _as_matrix(X)
    if X.ndim == 1 if isinstance(X, np.ndarray) else False:
        return _texts(X, n)
    if len(X.shape) != 2:
        raise InputError(
            "must have two dimensions (cases, features)",
            argument="X",
            value=f"shape {tuple(X.shape)}",
            remedy="flatten each case to one row, for example X.reshape(len(X), -1)",
        )
    if X.shape[0] != n:
        raise _of_other_cases(X.shape[0], n)
    if X.shape[1] == 0:
        raise InputError("has no columns", argument="X", remedy="at least one feature is needed")
    _refuse_infinite(X)
    return X


def _texts(X: Anything, n: int) -> Anything:
    if len(X) != n:
        raise _of_other_cases(len(X), n)
    return X


def _of_other_cases(rows: int, n: int) -> InputError:
    return InputError(
        f"has {rows} rows and y has {n}",
        argument="X",
        remedy="they must describe the same cases",
    )


def _as_matrix(X: Any) -> Anything:
    try:
        array = np.asarray(X)
    except ValueError:
        raise InputError("must be a table; its rows have different lengths", argument="X") from None
    if array.ndim == 1 and all(isinstance(v, str) for v in array):
        return array  # documents, for a model that begins with a vectoriser
    if array.ndim == 1:
        raise InputError(
            "must have two dimensions (cases, features)",
            argument="X",
            value=f"shape {array.shape}",
            remedy="for a single feature write X.reshape(-1, 1)",
        )
    return array


def _refuse_infinite(X: Features) -> None:
    for name, column in _float_columns(X):
        bad = np.flatnonzero(np.isinf(column))
        if bad.size:
            raise InputError(
                f"holds {column[bad[0]]}",
                argument="X",
                place=f"{rows_text(bad[:1])}, column {name}",
                remedy="replace it by a finite number, or by NaN if the model handles missing "
                "values",
            )


def _float_columns(X: Features) -> list[tuple[Any, Floats]]:
    if hasattr(X, "tocsr"):
        bad = np.flatnonzero(np.isinf(X.data)) if X.dtype.kind == "f" else np.empty(0, int)
        return [(int(X.indices[b]), _at_row(X, b)) for b in bad[:1]]
    if hasattr(X, "columns"):
        # By position: names may occur twice.
        at = (X.iloc[:, j] if hasattr(X, "iloc") else X[c] for j, c in enumerate(X.columns))
        columns = zip(X.columns, map(np.asarray, at), strict=True)
        return [(c, v) for c, v in columns if v.dtype.kind == "f"]
    with np.errstate(over="ignore", invalid="ignore"):
        if X.ndim != 2 or X.dtype.kind != "f" or np.isfinite(np.sum(X)):
            return []
    return [(c, X[:, c]) for c in range(X.shape[1])]


def _at_row(X: Features, position: int) -> Floats:
    column = np.zeros(X.shape[0])
    column[np.searchsorted(X.indptr, position, side="right") - 1] = X.data[position]
    return column


def _vector(values: Any, n: int, argument: str) -> Anything:
    try:
        array = np.asarray(values)
        if array.dtype.kind in "SU" and not isinstance(values, np.ndarray):
            array = np.asarray(values, dtype=object)
    except ValueError:
        raise InputError(
            f"must have one value for each of the {n} rows; its rows have different lengths",
            argument=argument,
        ) from None
    if array.ndim != 1 or len(array) != n:
        raise InputError(
            f"must have one value for each of the {n} rows",
            argument=argument,
            value=f"shape {array.shape}",
        )
    return array


def group_codes(groups: Any, n: int) -> Codes | None:
    """Return groups as codes 0, 1, ..., or None where there are none."""
    if groups is None:
        return None
    array = _vector(groups, n, "groups")
    missing = _missing_rows(array)
    if len(missing):
        raise InputError(
            f"groups is missing in {rows_text(missing)}",
            concerning="groups",
            remedy="give every row a group, its own if need be",
        )
    labels = array if array.dtype.kind == "f" else as_labels(array, "groups")
    names, codes = np.unique(labels, return_inverse=True)
    if len(names) < 2:
        raise InputError(
            f"groups has only one group ({_shown(names[0])}); at least two are needed to keep "
            "training and test cases apart",
            concerning="groups",
        )
    return codes.astype(np.intp)


def _missing_rows(array: Anything) -> Sequence[int] | Anything:
    """Return the rows without a value; whole numbers, flags and texts cannot lack one."""
    if array.dtype.kind in "biuSU":
        return ()
    if array.dtype.kind in "fM":
        return np.flatnonzero(np.isnan(array))
    return [row for row, value in enumerate(array) if is_missing(value)]


def _shown(name: Any) -> str:
    value = name.item()
    return repr(int(value) if isinstance(value, float) and value.is_integer() else value)


def _checked_time(time: Any, n: int) -> Anything | None:
    if time is None:
        return None
    array = _vector(time, n, "time")
    missing = _missing_rows(array)
    if len(missing):
        raise InputError(
            f"time is missing in {rows_text(missing)}",
            concerning="time",
            remedy="drop these rows or fill it in",
        )
    try:
        np.sort(array)
    except TypeError as problem:
        raise InputError(
            f"time cannot be put in order ({problem})",
            concerning="time",
            remedy="give every row a number or a date",
        ) from None
    return array


def moments(time: Any, n: int) -> Codes | None:
    """Return times as places in order: 0 for the first moment, 1 for the next.

    Examples
    --------
    >>> moments([2.5, 1.0, 2.5], 3).tolist()
    [1, 0, 1]
    """
    checked = _checked_time(time, n)
    return None if checked is None else np.unique(checked, return_inverse=True)[1]


def checked_weights(sample_weight: Any, n: int) -> Floats | None:
    """Return weights as floats when they are finite, not negative and not all zero."""
    if sample_weight is None:
        return None
    try:
        weights = _vector(sample_weight, n, "sample_weight").astype(float)
    except (TypeError, ValueError) as problem:
        if isinstance(problem, InputError):
            raise
        raise InputError(f"must hold numbers: {problem}", argument="sample_weight") from None
    bad = np.flatnonzero(~np.isfinite(weights) | (weights < 0))
    if bad.size:
        raise InputError(
            "must be finite and not negative",
            argument="sample_weight",
            value=str(weights[bad[0]]),
            place=rows_text(bad[:1]),
        )
    if not np.any(weights > 0):
        raise InputError(
            "is 0 in every row", argument="sample_weight", remedy="nothing would count"
        )
    largest = float(weights.max())
    # Only their ratios matter, and squares of such weights would overflow or vanish.
    return weights if 1e-100 < largest < 1e100 else np.asarray(weights / largest)


def class_list(classes: Sequence[Label], counts: Sequence[int]) -> str:
    """Say which classes there are and how many cases each has.

    Examples
    --------
    >>> class_list(("a", "b"), (3, 1))
    "'a' (3), 'b' (1)"
    """
    return ", ".join(f"{c!r} ({k})" for c, k in zip(classes, counts, strict=True))
