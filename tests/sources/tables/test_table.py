"""Columns, labels and features of a table, against values written by hand."""

import numpy as np
import pandas as pd
import pytest

from referee.errors import TableError
from referee.sources.tables import Source, Table


def text(*cells):
    return np.array(cells, dtype=object)


def table(values, *, header=True, start=2):
    n = len(next(iter(values.values())))
    return Table(values, (Source("data.csv", range(start, start + n)),), header=header)


@pytest.mark.parametrize(
    ("name", "column"), [("1", "1"), ("3", "3"), ("-1", "3"), ("-3", "1"), ("last", "3")]
)
def test_counted_columns(name, column):
    assert table({c: np.zeros(2) for c in "123"}, header=False).resolve(name) == column


@pytest.mark.parametrize("name", ["0", "4", "-4", "-0", "age", "first"])
def test_columns_counted_too_far(name):
    with pytest.raises(TableError, match=rf"data\.csv has no column '{name}'; .* 1 to 3, or -1"):
        table({c: np.zeros(2) for c in "123"}, header=False).resolve(name)


def test_last_is_the_last_column_with_a_header_too():
    assert table({"age": np.zeros(2), "sex": np.zeros(2)}).resolve("last") == "sex"


@pytest.mark.parametrize("name", ["-1", "1"])
def test_named_columns_are_not_counted(name):
    with pytest.raises(TableError, match=f"no column '{name}'; known are 'age', 'sex'"):
        table({"age": np.zeros(2), "sex": np.zeros(2)}).resolve(name)


def test_unknown_column_suggests_the_nearest():
    with pytest.raises(TableError, match=r"no column 'diagnoses'; did you mean 'diagnosis'\?"):
        table({"age": np.zeros(2), "diagnosis": np.zeros(2)}).column("diagnoses")


@pytest.mark.parametrize(
    ("column", "labels", "kind"),
    [
        (np.array([0.0, 1.0, -1.0]), [0, 1, -1], "i"),
        (text("0", "1", "-1"), [0, 1, -1], "i"),
        (text("01", "1", "2"), ["01", "1", "2"], "U"),
        (text("yes", "no", "1"), ["yes", "no", "1"], "U"),
        (text("99999999999999999999", "1", "2"), ["99999999999999999999", "1", "2"], "U"),
    ],
)
def test_labels_are_integers_or_words(column, labels, kind):
    found = table({"y": column}).labels("y")
    assert (found.tolist(), found.dtype.kind) == (labels, kind)


@pytest.mark.parametrize(
    ("column", "parts"),
    [
        (np.array([1.0, 2.5]), ["line 3", "'y'", "2.5", "number to predict"]),
        (np.array([1.0, 2.0**53]), ["line 3", "'y'", "9007199254740992", "too large"]),
        (np.array([1.0, np.nan]), ["line 3", "'y'", "1 of 2 labels are missing"]),
        (text(*[None] * 7, "a"), ["lines 2, 3, 4, 5, 6 and 2 more", "7 of 8", "delete"]),
    ],
)
def test_columns_that_are_no_labels(column, parts):
    with pytest.raises(TableError) as caught:
        table({"y": column}).labels("y")
    for part in ["data.csv", *parts]:
        assert part in str(caught.value)


def test_features_keep_kinds_order_and_missing_values():
    data = table({"b": np.array([1.0, np.nan]), "y": np.array([0.0, 1.0]), "a": text("x", None)})
    frame = data.features(drop=["y"])
    expected = pd.DataFrame({"b": [1.0, np.nan]})
    expected["a"] = pd.Series(["x", None], dtype=object)
    expected.index = pd.Index([2, 3], name="line")
    pd.testing.assert_frame_equal(frame, expected)
    assert frame["a"].iloc[1] is None


def test_no_feature_left():
    with pytest.raises(TableError, match=r"data\.csv has no column left .*'y' is set aside"):
        table({"y": np.zeros(2)}).features(drop=["y"])
