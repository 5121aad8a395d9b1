"""Training and test tables put together, against rows written by hand."""

import numpy as np
import pytest

from referee.errors import TableError
from referee.sources.tables import read_table, stack


@pytest.fixture
def read(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)

    def write_and_read(name, content):
        (tmp_path / name).write_text(content)
        return read_table(name)

    return write_and_read


def test_columns_are_matched_by_name(read):
    both = stack(read("a.csv", "x,y\n1,u\n2,v\n"), read("b.csv", "y,x\nw,3\n"))
    assert both.n_train == 2
    assert both.table.columns == ("x", "y")
    assert both.table.column("x").tolist() == [1, 2, 3]
    assert both.table.labels("y").tolist() == ["u", "v", "w"]
    assert both.table.place(2) == "b.csv, line 2"
    assert both.table.path == "a.csv + b.csv"


def test_a_column_is_numeric_only_if_numeric_in_both(read):
    both = stack(read("a.csv", "x,y\n1,5\n2.5,6\n?,7\n"), read("b.csv", "x,y\nten,8\n"))
    assert both.table.column("x").tolist() == ["1", "2.5", None, "ten"]
    assert both.table.column("y").dtype == np.float64


def test_missing_labels_are_named_in_both_files(read):
    both = stack(read("a.csv", "x,y\n1,u\n2,\n"), read("b.csv", "x,y\n3,?\n"))
    with pytest.raises(TableError, match=r"2 of 3 .*\(a\.csv, line 3; b\.csv, line 2\)"):
        both.table.labels("y")


@pytest.mark.parametrize(
    ("train", "test", "parts"),
    [
        ("x,y\n1,2\n", "x,z\n1,2\n", ["lacks 'y'", "in addition 'z'"]),
        ("x,y\n1,2\n", "x\n1\n", ["lacks 'y'"]),
        ("1,2\n", "1,2,3\n", ["3 columns", "has 2"]),
        ("x,y\n1,2\n", "1,2\n", ["a.csv has a header", "b.csv has none"]),
        ("1,2\n", "x,y\n1,2\n", ["b.csv has a header", "a.csv has none"]),
    ],
)
def test_different_columns_are_refused(read, train, test, parts):
    first, second = read("a.csv", train), read("b.csv", test)
    with pytest.raises(TableError) as caught:
        stack(first, second)
    for part in ["a.csv", "b.csv", *parts]:
        assert part in str(caught.value)


def test_sparse_features_keep_their_numbers_whatever_occurs_in_each_file(read):
    train = read("a.svm", "1 0:1 2:3\n-1 1:2\n")
    test = read("b.svm", "1 1:5\n")  # alone, this file would seem to count from 1
    both = stack(train, test)
    expected = [[1, 0, 3], [0, 2, 0], [0, 5, 0]]
    assert both.table.features().toarray().tolist() == expected
    assert test.features().toarray().tolist() == [[5]]


def test_sparse_and_dense_do_not_mix(read):
    with pytest.raises(TableError, match="only one is an svmlight file"):
        stack(read("a.svm", "1 1:1\n"), read("b.csv", "target\n1\n"))
