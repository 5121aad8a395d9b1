"""R002: test cases that also stand in the training set."""

import numpy as np
import pandas as pd
import polars as pl
import pytest
from scipy import sparse

from referee.checks import Context
from referee.checks.data import overlap
from referee.checks.data.overlap import check, copies, equal_rows, row_identity
from referee.core import Dataset, Part, Severity
from referee.resampling import CrossValidation, FromPairs


def distinct(n=100):
    rng = np.random.default_rng(0)
    return rng.normal(size=(n, 3)), np.arange(n) % 2


def brute_force(X, plan):
    """Return the tested and the copied cases by comparing every row with every other."""
    tested, copied = set(), set()
    for split in plan.part(Part.MAIN):
        for case in set(split.test.tolist()) - set(split.train.tolist()):
            tested.add(case)
            if any(np.array_equal(X[case], X[other]) for other in split.train):
                copied.add(case)
    return tested, copied


@pytest.mark.parametrize("n_copies", [1, 3, 10])
def test_copies_against_brute_force(n_copies):
    X, y = distinct(40)
    X[-n_copies:] = X[:n_copies]
    data = Dataset.of(X, y)
    plan = CrossValidation(4).plan(data, seed=1)
    tested, copied = (set(np.flatnonzero(flags).tolist()) for flags in copies(data, plan))
    assert (tested, copied) == brute_force(X, plan)


def test_serious_from_a_twentieth_on_with_count_and_rows():
    X, y = distinct(100)
    X[97:] = X[:3]
    data = Dataset.of(X, y)
    rows = np.arange(100)
    pairs = [(rows[:50], rows[50:]), (rows[50:], rows[:50])]
    found = check(Context(data=data, plan=FromPairs(pairs).plan(data)))
    assert (found.code, found.severity) == ("R002", Severity.SERIOUS)
    assert "6 of 100 tested cases (6.00 %)" in found.message
    assert found.rows == (0, 1, 2, 97, 98)


def test_a_warning_below_a_twentieth():
    X, y = distinct(100)
    X[99] = X[0]
    data = Dataset.of(X, y)
    rows = np.arange(100)
    found = check(Context(data=data, plan=FromPairs([(rows[:50], rows[50:])]).plan(data)))
    assert found.severity is Severity.WARNING
    assert "1 of 50 tested cases (2.00 %)" in found.message


def test_silent_where_copies_stay_together_or_differ_in_a_digit():
    X, y = distinct(100)
    X[99] = X[0]
    data = Dataset.of(X, y)
    rows = np.arange(100)
    together = FromPairs([(rows[1:99], rows[[0, 99]])]).plan(data)
    assert check(Context(data=data, plan=together)) is None
    X[99, 2] = np.nextafter(X[99, 2], 2)
    data = Dataset.of(X, y)
    plan = CrossValidation(5).plan(data)
    assert check(Context(data=data, plan=plan)) is None


def test_groups_that_hold_the_copies_silence_it():
    X, y = distinct(60)
    X = np.repeat(X[:30], 2, axis=0)
    data = Dataset.of(X, np.repeat(y[:30], 2), groups=np.repeat(np.arange(30), 2))
    assert check(Context(data=data, plan=CrossValidation(5).plan(data))) is None
    loose = Dataset.of(X, np.repeat(y[:30], 2))
    found = check(Context(data=loose, plan=CrossValidation(5).plan(loose)))
    assert found.severity is Severity.SERIOUS


@pytest.mark.parametrize("form", ["array", "object", "pandas", "polars", "sparse"])
def test_row_identity_is_the_same_for_every_kind_of_table(form):
    X = np.array([[1.0, 0.0], [2.0, np.nan], [1.0, 0.0], [2.0, np.nan], [0.0, 1.0]])
    made = {
        "array": lambda: X,
        "object": lambda: X.astype(object),
        "pandas": lambda: pd.DataFrame(X, columns=["a", "b"]),
        "polars": lambda: pl.DataFrame(X),
        "sparse": lambda: sparse.csr_matrix(X),
    }[form]()
    assert row_identity(made).tolist() == [0, 1, 0, 1, 2]


def test_row_identity_of_words_and_dates():
    frame = pd.DataFrame(
        {"word": ["a", None, "a", "b"], "day": pd.to_datetime(["2020-01-01"] * 3 + ["2021-01-01"])}
    )
    assert row_identity(frame).tolist() == [0, 1, 0, 2]


def test_stored_zeros_do_not_make_sparse_rows_differ():
    X = sparse.csr_matrix((np.array([1.0, 0.0, 1.0]), ([0, 0, 1], [0, 1, 0])), shape=(2, 2))
    assert row_identity(X).tolist() == [0, 0]


@pytest.mark.parametrize("mixing", ["well", "everything alike"])
@pytest.mark.parametrize("kind", ["f8", "f4", "f2", "i8", "i1", "?", "c16", "U3", "S5", "M8[s]"])
def test_equal_rows_against_comparing_cells(kind, mixing, monkeypatch):
    if mixing != "well":
        monkeypatch.setattr(overlap, "_mixed", lambda n, columns: np.zeros(n, dtype=np.uint64))
    columns = [c.astype(kind) for c in np.random.default_rng(0).integers(-1, 3, (3, 200))]
    if kind.startswith("f"):
        columns[0][columns[0] == 0] *= np.where(np.arange((columns[0] == 0).sum()) % 2, -1, 1)
    known = {}
    expected = [
        known.setdefault(row, len(known))
        for row in zip(*(column.tolist() for column in columns), strict=True)
    ]
    assert equal_rows(200, columns).tolist() == expected
    assert row_identity(np.column_stack(columns)).tolist() == expected
