"""Joining by ids, checked against pandas' merge."""

import numpy as np
import pandas as pd
import pytest

from referee.errors import TableError
from referee.sources.tables import Source, Table, aligned


def table(path, ids, **columns):
    if not isinstance(ids, np.ndarray):
        ids = np.array(ids, dtype=object)
    return Table({"id": ids, **columns}, (Source(path, range(2, 2 + len(ids))),))


def test_order_does_not_matter_against_pandas_merge():
    rng = np.random.default_rng(0)
    keys = [f"case {i}" for i in range(50)]
    first, second = rng.permutation(keys), rng.permutation(keys)
    x, y = rng.normal(size=50), rng.normal(size=50)
    a, b = table("a.csv", list(first), x=x), table("b.csv", list(second), y=y)
    joined = aligned([a, b], "id")
    left = pd.DataFrame({"id": first, "x": x})
    merged = left.merge(pd.DataFrame({"id": second, "y": y}), on="id", how="left")
    assert np.array_equal(joined[0].column("x"), merged["x"])
    assert np.array_equal(joined[1].column("y"), merged["y"])


def test_rows_still_know_their_lines():
    a, b = table("a.csv", ["u", "v"]), table("b.csv", ["v", "u"])
    assert aligned([a, b], "id")[1].place(0) == "b.csv, line 3"


def test_numbers_and_words_join():
    a = table("a.csv", np.array([1.0, 2.0, 2.5]))
    b = table("b.csv", ["2.5", "2", "1"])
    assert aligned([a, b], "id")[1].column("id").tolist() == ["1", "2", "2.5"]


def test_mismatching_ids_are_counted_and_the_first_five_named():
    a = table("a.csv", [str(i) for i in range(10)])
    b = table("b.csv", [str(i) for i in range(7, 12)])
    with pytest.raises(TableError) as caught:
        aligned([a, b], "id")
    text = str(caught.value)
    assert "7 of 10 ids of a.csv are not in b.csv: '0', '1', '2', '3', '4' and 2 more" in text
    assert "2 of 5 ids of b.csv are not in a.csv: '10', '11'" in text
    assert "same ids" in text


def test_duplicated_ids_are_named_with_their_lines():
    a, b = table("a.csv", ["u", "v", "u"]), table("b.csv", ["u", "v"])
    with pytest.raises(TableError, match=r"a\.csv, column 'id': 1 ids .*'u' in a\.csv, lines 2, 4"):
        aligned([a, b], "id")


def test_missing_ids_are_refused():
    a, b = table("a.csv", ["u", None]), table("b.csv", ["u", "v"])
    with pytest.raises(TableError, match="missing"):
        aligned([a, b], "id")
