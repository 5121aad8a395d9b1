"""Class labels: from whatever the user has to codes, and never losing the names."""

from __future__ import annotations

import re
from collections.abc import Hashable, Sequence
from typing import Any

import numpy as np

from referee.core.arguments import check_scalar
from referee.core.arrays import Anything, Codes, Label
from referee.core.machine.blocks import blocks
from referee.core.machine.limits import LONGEST_LABEL, MOST_CLASSES
from referee.errors import InputError, arg, nearest

__all__ = [
    "as_labels",
    "classes_of",
    "encode",
    "is_missing",
    "positive_class",
    "refuse_many_classes",
    "refuse_misaligned",
    "rows_text",
]

_HALF = re.compile("[\ud800-\udfff]")
_CONVENTIONAL_POSITIVES = ({0, 1}, {-1, 1})

_WIDEST_RANGE = 1 << 16
"""Whole numbers that lie closer together are looked up in a table, not sorted or searched."""


def rows_text(rows: Sequence[int] | Anything, most: int = 5, word: str = "row") -> str:
    """Name the first few rows, counted from 0, and how many there are.

    Examples
    --------
    >>> rows_text([3, 5])
    'rows 3, 5'
    >>> rows_text([4])
    'row 4'
    >>> rows_text(range(100), most=2)
    'rows 0, 1 and 98 more'
    """
    shown = ", ".join(str(r) for r in list(rows)[:most])
    more = f" and {len(rows) - most} more" if len(rows) > most else ""
    return f"{word}{'s' if len(rows) > 1 else ''} {shown}{more}"


def as_labels(values: Any, argument: str) -> Anything:
    """Return labels as a one-dimensional array, or say what is wrong with them.

    Parameters
    ----------
    values : array-like
        Strings, integers, booleans or integral floats; list, numpy, pandas or polars.
    argument : str
        The name the caller knows the values by, for the message.

    Examples
    --------
    >>> as_labels(["spam", "ham"], "y").tolist()
    ['spam', 'ham']
    >>> as_labels([1.0, float("nan")], "y")
    Traceback (most recent call last):
    ...
    referee.errors.InputError: y is missing in row 1; drop these rows or fill in their labels
    """
    if hasattr(values, "toarray"):
        dense = f"{argument}.toarray()"
        raise InputError(
            "is sparse", argument=argument, remedy=f"pass it dense, for example {dense}"
        )
    array = _one_dimensional(values, argument)
    if array.dtype.kind == "O" or array.dtype.kind not in "biufSU":
        array = _plain_objects(array, argument)
    elif array.dtype.kind == "U" and _may_be_odd(array):
        _refuse_odd_texts(array.tolist(), argument)
    if array.dtype.kind == "f":
        array = _integral(array, argument)
    return array


def _one_dimensional(values: Any, argument: str) -> Anything:
    try:
        array = np.asarray(values)
        if array.dtype.kind in "SU" and not isinstance(values, np.ndarray):
            # numpy writes the 1 and the nan of ["a", 1, nan] as text; keep what they are.
            array = np.asarray(values, dtype=object)
    except ValueError:
        raise InputError(
            "must hold one label a row; its rows have different lengths", argument=argument
        ) from None
    if array.ndim == 2 and array.shape[1] == 1:
        array = array[:, 0]
    if array.ndim != 1:
        raise InputError(
            "must be one-dimensional",
            argument=argument,
            value=f"shape {array.shape}",
            remedy="pass one label a row",
        )
    if array.size == 0:
        raise InputError("is empty", argument=argument, remedy="at least one case is needed")
    return array


def _plain_objects(array: Anything, argument: str) -> Anything:
    if len(array) >= _WIDEST_RANGE:
        texts = _texts(array, argument)
        if texts is not None:
            return texts
    for row, value in enumerate(array):
        if not isinstance(value, Hashable):
            raise InputError(
                f"holds an unhashable label in row {row}: {value!r}",
                argument=argument,
                remedy="labels must be strings, numbers or booleans",
            )
    missing = [r for r, v in enumerate(array) if is_missing(v)]
    if missing:
        _refuse_missing(missing, argument)
    kinds = {"number" if _is_number(v) else "text" for v in array}
    if "text" in kinds:
        _refuse_odd_texts([v for v in array if isinstance(v, str)], argument)
    if len(kinds) > 1:
        odd = next(r for r, v in enumerate(array) if _is_number(v) != _is_number(array[0]))
        raise InputError(
            f"mixes text and numbers: row 0 is {array[0]!r}, row {odd} is {array[odd]!r}",
            argument=argument,
            remedy="convert all labels to one kind",
        )
    return np.array([str(v) if kinds == {"text"} else v for v in array])


def _texts(array: Anything, argument: str) -> Anything | None:
    """Return many texts as an array of their own type, looking at each distinct one once.

    None where there is something else among them.
    """
    from pandas import factorize
    from pandas.api.types import infer_dtype

    if infer_dtype(array, skipna=False) != "string":
        return None
    codes, distinct = factorize(array)
    _refuse_odd_texts([str(text) for text in distinct], argument)
    return np.asarray([str(text) for text in distinct])[codes]


def _may_be_odd(array: Anything) -> bool:
    """Tell whether texts deserve a closer look, from their characters all at once."""
    if array.dtype.itemsize > 4 * LONGEST_LABEL:
        return True
    characters = np.ascontiguousarray(array).view(np.uint32)
    return bool(((characters >= 0xD800) & (characters <= 0xDFFF)).any())


def _refuse_odd_texts(texts: Sequence[str], argument: str) -> None:
    """Refuse labels that are no names of classes: very long ones, and halves of characters."""
    longest = max(texts, key=len, default="")
    if len(longest) > LONGEST_LABEL:
        raise InputError(
            f"holds a label of {len(longest)} characters ({longest[:40]!r}...), and a class's name "
            f"has at most {LONGEST_LABEL}",
            argument=argument,
            remedy="give the classes short names; texts to be classified are features",
        )
    half = next((t for t in set(texts) if not t.isascii() and _HALF.search(t)), None)
    if half is not None:
        raise InputError(
            f"holds the label {half!r}, in which one half of a character is no text",
            argument=argument,
            remedy="write the whole character, or remove it",
        )


def _is_number(value: Any) -> bool:
    return isinstance(value, (int, float, np.number, np.bool_))


def is_missing(value: Any) -> bool:
    """Tell whether one value is None, a NaN, a NaT or pandas' NA.

    Examples
    --------
    >>> [is_missing(v) for v in (None, float("nan"), "nan", 0)]
    [True, True, False, False]
    """
    try:
        return value is None or bool(value != value)
    except TypeError:  # pandas' NA has no truth value
        return True


def _integral(array: Anything, argument: str) -> Anything:
    missing = np.flatnonzero(np.isnan(array))
    if missing.size:
        _refuse_missing(missing, argument)
    odd = np.flatnonzero(~np.isfinite(array) | (array != np.round(array)))
    if odd.size:
        raise InputError(
            f"holds the number {array[odd[0]]} in row {odd[0]}: that is a quantity, not a class",
            argument=argument,
            remedy="bin the target, name its classes, or predict it with a regressor",
        )
    return array


def _refuse_missing(rows: Sequence[int] | Anything, argument: str) -> None:
    raise InputError(
        "is missing",
        argument=argument,
        place=rows_text(rows),
        remedy="drop these rows or fill in their labels",
    )


def refuse_misaligned(first: Any, second: Any, names: str) -> None:
    """Refuse two pandas objects whose indexes hold the same labels in another order."""
    one, two = getattr(first, "index", None), getattr(second, "index", None)
    if one is None or two is None or not hasattr(one, "equals") or not hasattr(two, "equals"):
        return
    if len(one) == len(two) and not one.equals(two) and one.sort_values().equals(two.sort_values()):
        raise InputError(
            f"{names} have the same index in another order",
            concerning="y_true",
            remedy="align them, for example by .loc",
        )


def classes_of(labels: Anything) -> tuple[Label, ...]:
    """Return the distinct labels in sorted order, as plain Python values.

    Examples
    --------
    >>> import numpy as np
    >>> classes_of(np.array(["b", "a", "b"]))
    ('a', 'b')
    """
    dense = _dense_range(labels)
    if dense is None:
        return tuple(np.unique(labels).tolist())
    low, high = dense
    present = np.zeros(high - low + 1, dtype=bool)
    for rows in blocks(len(labels)):
        present[_from(labels[rows], low)] = True
    return tuple((np.flatnonzero(present) + low).astype(labels.dtype).tolist())


def _dense_range(labels: Anything) -> tuple[int, int] | None:
    """Return the least and the largest of many whole numbers that lie close together."""
    if labels.dtype.kind not in "biu" or len(labels) < _WIDEST_RANGE:
        return None
    low, high = int(labels.min()), int(labels.max())
    return (low, high) if high - low < _WIDEST_RANGE else None


def refuse_many_classes(classes: Sequence[Label], argument: str) -> None:
    """Refuse labels that are no classes but names of cases, or more than can be told apart."""
    if len(classes) > MOST_CLASSES:
        raise InputError(
            f"holds {len(classes)} classes, and at most {MOST_CLASSES} can be judged",
            argument=argument,
            remedy="name another column if these are ids, or merge rare classes",
        )


def encode(
    labels: Anything,
    classes: Sequence[Label],
    argument: str,
    remedy: str = "",
    dtype: Any = np.intp,
) -> Codes:
    """Turn labels into positions in `classes`, as numbers of the given type.

    Examples
    --------
    >>> import numpy as np
    >>> encode(np.array(["b", "a"]), ("a", "b"), "y_pred").tolist()
    [1, 0]
    >>> encode(np.array(["b", "x"]), ("a", "b"), "y_pred")
    Traceback (most recent call last):
    ...
    referee.errors.InputError: y_pred has the label 'x' in row 1, which is not among the classes \
'a', 'b'; correct it, or name all classes with labels=
    """
    remedy = remedy or f"correct it, or name all classes with {arg('labels')}"
    known = np.asarray(classes)
    if known.dtype.kind != labels.dtype.kind and "U" in (known.dtype.kind, labels.dtype.kind):
        _refuse_unknown(labels, 0, classes, argument, remedy)
    dense = _dense_range(labels) if known.dtype.kind in "biu" else None
    if dense is not None:
        looked_up = _looked_up(labels, known, *dense, dtype)
        if looked_up is not None:
            return looked_up
    if labels.dtype == known.dtype and known.dtype.kind in "iu" and _gapless(classes):
        codes = labels - known[0]
        # Below 0 they would be very large numbers without a sign.
        if codes.view(f"u{codes.itemsize}").max(initial=0) < len(known):
            return np.asarray(codes, dtype=dtype)
    order = np.argsort(known)
    at = np.searchsorted(known[order], labels)
    codes = order[np.minimum(at, len(known) - 1)]
    wrong = np.flatnonzero(known[codes] != labels)
    if wrong.size:
        _refuse_unknown(labels, int(wrong[0]), classes, argument, remedy)
    return np.asarray(codes, dtype=dtype)


def _gapless(classes: Sequence[Label]) -> bool:
    """Tell whether the classes are whole numbers, each one more than the last: as 0, 1, 2."""
    first = classes[0]
    return isinstance(first, int) and tuple(classes) == tuple(range(first, first + len(classes)))


def _looked_up(labels: Anything, known: Anything, low: int, high: int, dtype: Any) -> Codes | None:
    """Return the codes of close whole numbers by one look into a table; None where one is new."""
    position = np.full(high - low + 1, -1, dtype=dtype)
    within = [(at, int(value)) for at, value in enumerate(known) if low <= value <= high]
    position[[value - low for _, value in within]] = [at for at, _ in within]
    codes = np.empty(len(labels), dtype=dtype)
    for rows in blocks(len(labels)):
        np.take(position, _from(labels[rows], low), out=codes[rows], mode="clip")
        if codes[rows].min() < 0:
            return None
    return codes


def _from(numbers: Anything, low: int) -> Anything:
    """Return how far whole numbers lie above the least of them."""
    wide = numbers.astype(np.int64, copy=False)
    return wide - low if low else wide


def _refuse_unknown(
    labels: Anything, row: int, classes: Sequence[Label], argument: str, remedy: str
) -> None:
    names = ", ".join(repr(c) for c in classes)
    raise InputError(
        f"has the label {labels[row].item()!r} in row {row}, which is not among the classes "
        f"{names}",
        argument=argument,
        remedy=remedy,
    )


def positive_class(classes: Sequence[Label], pos_label: Label | None) -> Label | None:
    """Return the positive class if it is stated or conventional, else None.

    Only the pairs 0/1, -1/1 and False/True have a positive class by convention; anything else
    must be stated, because a wrong guess turns every rate around.

    Examples
    --------
    >>> positive_class((0, 1), None)
    1
    >>> positive_class(("benign", "malignant"), None) is None
    True
    >>> positive_class(("benign", "malignant"), "malignant")
    'malignant'
    """
    if pos_label is not None:
        check_scalar("pos_label", pos_label)
        for known in classes:
            if known == pos_label or str(known) == str(pos_label):
                return known
        names = ", ".join(repr(c) for c in classes)
        close = nearest(str(pos_label), classes)
        hint = close if "did you mean" in close else ""
        raise InputError(
            f"must be one of the classes {names}",
            argument="pos_label",
            value=f"{pos_label!r}{hint}",
        )
    if len(classes) == 2 and set(classes) in _CONVENTIONAL_POSITIVES:
        return max(classes)
    return None
