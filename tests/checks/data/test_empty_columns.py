"""R009: columns that tell nothing."""

import numpy as np
import pandas as pd
import polars as pl
import pytest
from scipy import sparse

from referee.checks import Context
from referee.checks.data.empty_columns import check
from referee.core import Dataset, Severity

Y = [0, 1] * 3
NAN = float("nan")


def found(X):
    return check(Context(data=Dataset.of(X, Y)))


def test_fires_for_missing_and_constant_columns_and_names_them():
    X = pd.DataFrame({"good": range(6), "none": [NAN] * 6, "same": [7] * 6, "word": ["a"] * 6})
    result = found(X)
    assert (result.code, result.severity) == ("R009", Severity.NOTE)
    assert result.message == "entirely missing (1): none; constant (2): same, word."


def test_columns_of_an_array_are_numbered():
    X = np.c_[np.arange(6.0), np.zeros(6), np.full(6, NAN)]
    assert found(X).message == "entirely missing (1): 2; constant (1): 1."


@pytest.mark.parametrize(
    "gone",
    [
        [NAN] * 6,
        pd.array([None] * 6, dtype="string"),
        pd.array([None] * 6, dtype="Int64"),
        np.array([NAN] * 6, dtype=object),
        np.array([None] * 6, dtype=object),
        pd.to_datetime([None] * 6),
    ],
    ids=["float", "string", "Int64", "object nan", "object None", "NaT"],
)
def test_every_kind_of_missing_value_of_pandas(gone):
    X = pd.DataFrame({"good": range(6), "gone": gone})
    assert found(X).message == "entirely missing (1): gone."


@pytest.mark.parametrize("kind", [pl.Float64, pl.String, pl.Int64, pl.Null])
def test_every_kind_of_missing_value_of_polars(kind):
    X = pl.DataFrame({"good": range(6), "gone": pl.Series([None] * 6, dtype=kind)})
    assert found(X).message == "entirely missing (1): gone."


def test_many_columns_are_not_all_listed():
    assert found(np.zeros((6, 20))).message.endswith("0, 1, 2, 3, 4, 5, 6, 7 and 12 more.")


def test_silent_where_one_value_differs_or_is_missing():
    X = pd.DataFrame({"a": [1, 1, 1, 1, 1, 2], "b": [NAN] * 5 + [1.0], "c": ["x"] * 5 + [None]})
    assert found(X) is None
    assert found(sparse.csr_matrix(np.zeros((6, 2)))) is None
    assert check(Context()) is None
