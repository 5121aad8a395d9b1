"""Dataset.of: what it takes, and the message for what it does not."""

import datetime

import numpy as np
import pandas as pd
import polars as pl
import pytest
from scipy import sparse

from referee.core import Dataset
from referee.core.dataset import class_list, take_rows
from referee.errors import InputError

VALUES = np.array([[1.0, 10.0], [2.0, 20.0], [3.0, 30.0], [4.0, 40.0]])
Y = ["a", "b", "a", "b"]
FORMS = {
    "numpy": VALUES,
    "list": VALUES.tolist(),
    "integers": VALUES.astype(int),
    "float32": VALUES.astype("f4"),
    "pandas": pd.DataFrame(VALUES, columns=["u", "v"]),
    "pandas, odd index": pd.DataFrame(VALUES, columns=["u", "v"], index=[9, 9, 7, 0]),
    "polars": pl.DataFrame({"u": VALUES[:, 0], "v": VALUES[:, 1]}),
    "csr": sparse.csr_matrix(VALUES),
    "csc": sparse.csc_array(VALUES),
    "coo": sparse.coo_matrix(VALUES),
}


def dense(X):
    if hasattr(X, "toarray"):
        return X.toarray()
    return np.asarray(X.to_numpy() if hasattr(X, "to_numpy") else X)


@pytest.mark.parametrize("form", FORMS)
def test_features_keep_their_kind_and_their_rows(form):
    data = Dataset.of(FORMS[form], Y)
    assert (data.n, data.n_features) == (4, 2)
    assert dense(data.X) == pytest.approx(VALUES)
    taken = take_rows(data.X, np.array([2, 0, 2]))
    assert dense(taken) == pytest.approx(VALUES[[2, 0, 2]])
    named = form.startswith(("pandas", "polars"))
    assert data.columns == (("u", "v") if named else ("0", "1"))
    assert type(data.X) is type(FORMS[form]) or form in ("list", "csc", "coo")


@pytest.mark.parametrize(
    ("y", "classes"),
    [
        (["a", "b", "a", "b"], ("a", "b")),
        ([1, 0, 1, 0], (0, 1)),
        ([True, False, True, True], (False, True)),
        ([1.0, 3.0, 1.0, 3.0], (1.0, 3.0)),
        (np.array([-1, 1, 1, 1]), (-1, 1)),
        (pd.Series(["x", "y", "x", "y"], dtype="category"), ("x", "y")),
        (pd.Series(["x", "y", "x", "y"], dtype="string"), ("x", "y")),
        (pd.Series([2, 1, 2, 1], dtype="Int64"), (1, 2)),
        (pd.Series([True, False, True, True], dtype="boolean"), (False, True)),
        (pl.Series(["x", "y", "x", "y"]), ("x", "y")),
        (pl.Series(["x", "y", "x", "y"], dtype=pl.Categorical), ("x", "y")),
        (pl.Series([3, 1, 2, 1]), (1, 2, 3)),
        (np.array([["p"], ["q"], ["p"], ["q"]]), ("p", "q")),
        (np.array(["x", "y", "x", "y"], dtype=object), ("x", "y")),
        ([datetime.date(2024, 1, 1), datetime.date(2024, 1, 2)] * 2, ("2024-01-01", "2024-01-02")),
    ],
    ids=str,
)
def test_labels_keep_their_names(y, classes):
    data = Dataset.of(VALUES, y)
    assert data.classes == classes
    assert all(type(a) is type(b) for a, b in zip(data.classes, classes, strict=True))
    assert [data.classes[c] for c in data.codes] == list(data.y)
    assert data.class_counts.sum() == 4


def test_nan_is_left_to_the_model():
    X = VALUES.copy()
    X[1, 1] = np.nan
    assert np.isnan(Dataset.of(X, Y).X[1, 1])


def test_huge_finite_numbers_are_not_infinite():
    assert Dataset.of(np.full((4, 2), 1e308), Y).n == 4
    assert Dataset.of(np.full((4, 2), 3e38, dtype="f4"), Y).n == 4


def test_columns_may_share_a_name():
    X = pd.DataFrame(VALUES, columns=["u", "u"])
    assert Dataset.of(X, Y).columns == ("u", "u")


def with_infinity(form):
    X = VALUES.copy()
    X[2, 1] = -np.inf
    frames = {
        "pandas": lambda: pd.DataFrame(X, columns=["u", "v"]),
        "polars": lambda: pl.DataFrame({"u": X[:, 0], "v": X[:, 1]}),
        "twice": lambda: pd.DataFrame(X, columns=["v", "v"]),
        "csr": lambda: sparse.csr_matrix(X),
        "numpy": lambda: X,
    }
    return frames[form]()


@pytest.mark.parametrize("form", ["numpy", "pandas", "polars", "csr", "twice"])
def test_infinity_is_named_with_row_and_column(form):
    with pytest.raises(InputError) as raised:
        Dataset.of(with_infinity(form), Y)
    column = "1" if form in ("numpy", "csr") else "v"
    assert f"X holds -inf in row 2, column {column}; replace it" in str(raised.value)


def test_both_infinities_are_refused_without_a_warning():
    with pytest.raises(InputError, match="X holds inf in row 0, column 0"):
        Dataset.of([[np.inf], [-np.inf], [0.0]], [0, 1, 0])


@pytest.mark.parametrize(
    ("X", "message"),
    [
        (np.zeros((4, 2, 2)), "X must have two dimensions (cases, features), got shape (4, 2, 2)"),
        (np.zeros(4), "got shape (4,); for a single feature write X.reshape(-1, 1)"),
        (pd.Series([1, 2, 3, 4]), "for a single feature write X.reshape(-1, 1)"),
        (None, "got shape ()"),
        (np.zeros((5, 2)), "X has 5 rows and y has 4; they must describe the same cases"),
        (pd.DataFrame(np.zeros((3, 2))), "X has 3 rows and y has 4"),
        (sparse.csr_matrix((5, 2)), "X has 5 rows and y has 4"),
        (np.zeros((4, 0)), "X has no columns; at least one feature is needed"),
        (pd.DataFrame(index=range(4)), "X has no columns"),
        ([[1], [1, 2], [1], [1]], "X must be a table; its rows have different lengths"),
    ],
    ids=lambda v: "",
)
def test_bad_features(X, message):
    with pytest.raises(InputError) as raised:
        Dataset.of(X, Y)
    assert message in str(raised.value)


@pytest.mark.parametrize(
    ("y", "message"),
    [
        (["a"] * 4, "y holds one class only ('a', 4 rows)"),
        ([0, 1, 0], "X has 4 rows and y has 3"),
        ([], "y is empty; at least one case is needed"),
        (["a", None, "b", "a"], "y is missing in row 1; drop these rows or fill in their labels"),
        ([0, 1, np.nan, np.nan], "y is missing in rows 2, 3; drop these rows"),
        (["a", "b", float("nan"), "a"], "y is missing in row 2"),
        (pd.Series(["a", "b", None, "a"], dtype="string"), "y is missing in row 2"),
        (pd.Series([1, 2, None, 1], dtype="Int64"), "y is missing in row 2"),
        (pl.Series(["a", None, "b", "a"]), "y is missing in row 1"),
        (pd.to_datetime(["2024-01-01", None, "2024-01-02", "2024-01-02"]), "y is missing in row 1"),
        ([0, 1, 0.5, 1], "y holds the number 0.5 in row 2: that is a quantity, not a class"),
        ([0, 1, np.inf, 1], "y holds the number inf in row 2"),
        (["a", 1, "b", "a"], "y mixes text and numbers: row 0 is 'a', row 1 is 1"),
        (
            np.array([1, 2, "b", 1], dtype=object),
            "y mixes text and numbers: row 0 is 1, row 2 is 'b'; convert all labels to one kind",
        ),
        (
            np.array([1, datetime.date(2024, 1, 1), 1, 2], dtype=object),
            "row 1 is datetime.date(2024, 1, 1)",
        ),
        ([{"a": 1}, {}, {}, {}], "y holds an unhashable label in row 0: {'a': 1}"),
        ([[1], [1, 2], [1], [1]], "y must hold one label a row; its rows have different lengths"),
        (np.zeros((4, 2)), "y must be one-dimensional, got shape (4, 2); pass one label a row"),
        (np.zeros((4, 1, 1)), "y must be one-dimensional, got shape (4, 1, 1)"),
        ("abcd", "y must be one-dimensional, got shape ()"),
        (None, "y must be one-dimensional, got shape ()"),
        (sparse.csr_matrix([[0], [1], [0], [1]]), "y is sparse; pass it dense"),
    ],
    ids=lambda v: "",
)
def test_bad_labels(y, message):
    with pytest.raises(InputError) as raised:
        Dataset.of(VALUES, y)
    assert message in str(raised.value)


@pytest.mark.parametrize(
    ("groups", "codes"),
    [
        (["p2", "p1", "p2", "p1"], [1, 0, 1, 0]),
        ([7, 7, 3, 3], [1, 1, 0, 0]),
        ([0.5, 1.5, 0.5, 2.5], [0, 1, 0, 2]),
        (pd.Series(["x", "y", "x", "y"], index=[4, 3, 2, 1]), [0, 1, 0, 1]),
        (pl.Series([1, 2, 2, 2]), [0, 1, 1, 1]),
        ([True, False, True, False], [1, 0, 1, 0]),
    ],
    ids=str,
)
def test_groups_become_codes(groups, codes):
    assert Dataset.of(VALUES, Y, groups=groups).groups.tolist() == codes


@pytest.mark.parametrize(
    ("groups", "message"),
    [
        (["a", None, "b", "a"], "groups is missing in row 1; give every row a group"),
        ([1, np.nan, 2, np.nan], "groups is missing in rows 1, 3"),
        (["a", float("nan"), "b", "a"], "groups is missing in row 1"),
        (pd.Series(["a", None, "b", "b"], dtype="string"), "groups is missing in row 1"),
        ([1, 1, 1, 1], "groups has only one group"),
        ([1, 2, 3], "groups must have one value for each of the 4 rows, got shape (3,)"),
        (np.zeros((4, 2)), "groups must have one value for each of the 4 rows, got shape (4, 2)"),
        ([[1], [1, 2], [1], [1]], "groups must have one value for each of the 4 rows"),
        ("abcd", "groups must have one value for each of the 4 rows, got shape ()"),
    ],
    ids=lambda v: "",
)
def test_bad_groups(groups, message):
    with pytest.raises(InputError) as raised:
        Dataset.of(VALUES, Y, groups=groups)
    assert message in str(raised.value)


@pytest.mark.parametrize(
    "time",
    [
        [3, 1, 2, 2],
        [0.5, 1.5, 2.5, 3.5],
        pd.to_datetime(["2024-01-01", "2024-01-03", "2024-01-02", "2024-01-02"]),
        pd.to_datetime(["2024-01-01", "2024-01-03"] * 2).tz_localize("UTC"),
        pl.Series([datetime.date(2024, 1, d) for d in (1, 3, 2, 2)]),
        ["2024-01-01", "2024-01-03", "2024-01-02", "2024-01-02"],
    ],
    ids=lambda v: type(v).__name__,
)
def test_times_that_can_be_ordered(time):
    made = Dataset.of(VALUES, Y, time=time).time
    assert len(made) == 4
    assert made[0] <= made[1] or list(time) == [3, 1, 2, 2]


@pytest.mark.parametrize(
    ("time", "message"),
    [
        ([None, 1, 2, 3], "time is missing in row 0; drop these rows or fill it in"),
        ([np.nan, 1, 2, np.nan], "time is missing in rows 0, 3"),
        (pd.to_datetime(["2024-01-01", None] * 2), "time is missing in rows 1, 3"),
        (pd.Series([1, None, 2, 2], dtype="Int64"), "time is missing in row 1"),
        (np.array([1, "a", 2, 2], dtype=object), "time cannot be put in order"),
        ([1, 2, 3], "time must have one value for each of the 4 rows, got shape (3,)"),
    ],
    ids=lambda v: "",
)
def test_bad_times(time, message):
    with pytest.raises(InputError) as raised:
        Dataset.of(VALUES, Y, time=time)
    assert message in str(raised.value)


@pytest.mark.parametrize(
    ("weights", "message"),
    [
        ([1, -1, 1, 1], "sample_weight must be finite and not negative, got -1.0 in row 1"),
        ([1, 1, np.nan, 1], "got nan in row 2"),
        ([1, 1, 1, np.inf], "got inf in row 3"),
        ([None, 1, 1, 1], "got nan in row 0"),
        ([0, 0, 0, 0], "sample_weight is 0 in every row; nothing would count"),
        ([1, 1], "sample_weight must have one value for each of the 4 rows, got shape (2,)"),
        (["a", "b", "c", "d"], "sample_weight must hold numbers"),
        (3.0, "sample_weight must have one value for each of the 4 rows, got shape ()"),
    ],
    ids=lambda v: "",
)
def test_bad_weights(weights, message):
    with pytest.raises(InputError) as raised:
        Dataset.of(VALUES, Y, sample_weight=weights)
    assert message in str(raised.value)


def test_good_weights_become_floats():
    data = Dataset.of(VALUES, Y, sample_weight=pd.Series([1, 0, 2, 3]))
    assert data.sample_weight.tolist() == [1.0, 0.0, 2.0, 3.0]
    assert data.sample_weight.dtype == float


@pytest.mark.parametrize("form", FORMS)
def test_fingerprints_see_every_value(form):
    first, again = Dataset.of(FORMS[form], Y), Dataset.of(FORMS[form], Y)
    assert first.fingerprint == again.fingerprint
    assert first.task == again.task
    other = Dataset.of(FORMS[form], ["a", "b", "b", "b"])
    assert first.fingerprint != other.fingerprint
    assert first.task != other.task
    changed = VALUES.copy()
    changed[3, 1] += 1
    if form == "numpy":
        assert Dataset.of(changed, Y).fingerprint != first.fingerprint
        assert Dataset.of(changed, Y).task == first.task
    if form == "csr":
        moved = Dataset.of(sparse.csr_matrix(changed), Y)
        assert moved.fingerprint != first.fingerprint


def test_class_list():
    assert class_list(("a", 1), (3, 1)) == "'a' (3), 1 (1)"


def test_errors_of_features_carry_their_fields():
    X = np.ones((4, 2))
    X[2, 1] = np.inf
    with pytest.raises(InputError) as caught:
        Dataset.of(X, [0, 1, 0, 1])
    error = caught.value
    assert (error.argument, error.place) == ("X", "row 2, column 1")
    assert error.remedy.startswith("replace it by a finite number")
    with pytest.raises(InputError) as caught:
        Dataset.of(np.ones((4, 2, 2)), [0, 1, 0, 1])
    assert (caught.value.argument, caught.value.value) == ("X", "shape (4, 2, 2)")
