"""Data as chance could have given them: what is kept, what moves, and all of it equally likely."""

import math
from collections import Counter

import numpy as np
import pandas as pd
import pytest
from scipy import sparse
from scipy.stats import chisquare

from referee.core import Dataset
from referee.errors import InputError
from referee.permuting.permuting import Permuting


def data(codes, groups=None, X=None):
    X = np.arange(float(len(codes)))[:, None] if X is None else X
    return Dataset.of(X, codes, groups=groups)


def drawn(permuting, times=3000):
    return Counter(tuple(permuting.codes(r).tolist()) for r in range(times))


def test_every_labelling_is_equally_likely():
    found = drawn(Permuting(data([0, 0, 1, 1, 2])))
    assert len(found) == 30  # 5! / (2! 2! 1!)
    assert chisquare(list(found.values())).pvalue > 1e-4
    assert round(math.exp(Permuting(data([0, 0, 1, 1, 2])).log_labellings)) == 30


def test_whole_groups_are_dealt_labels_where_each_has_one():
    made = Permuting(data([0, 0, 1, 1, 0, 0, 1, 1], groups=[1, 1, 2, 2, 3, 3, 4, 4]))
    assert made.unit == "groups"
    labellings = drawn(made, 1200)
    # Two of four groups get label 1.
    assert len(labellings) == 6
    assert (1, 1, 0, 0, 0, 0, 1, 1) in labellings
    assert chisquare(list(labellings.values())).pvalue > 1e-4
    assert round(math.exp(made.log_labellings)) == 6


def test_groups_of_any_size_nearly_keep_the_number_of_cases_of_a_class():
    groups = np.array([1, 1, 1, 2, 2, 3, 4])
    made = Permuting(data([0, 0, 0, 1, 1, 0, 1], groups=groups))
    assert made.unit == "groups of any size"
    labellings = drawn(made, 1200)
    # Each group has one label, and class 1 has its three cases, or one more or less.
    for labels in map(np.array, labellings):
        assert all(len(set(labels[groups == g])) == 1 for g in groups)
        assert abs(labels.sum() - 3) <= 1
    mean = sum(sum(labels) * times for labels, times in labellings.items()) / 1200
    assert mean == pytest.approx(3, abs=0.2)


def test_labels_move_within_groups_where_they_vary_inside():
    codes, groups = [0, 1, 1, 0, 1, 0], [1, 1, 1, 2, 2, 3]
    made = Permuting(data(codes, groups=groups))
    assert made.unit == "cases within groups"
    found = drawn(made, 900)
    assert len(found) == 3 * 2 * 1
    assert chisquare(list(found.values())).pvalue > 1e-4
    assert all(c[5] == 0 for c in found)
    assert round(math.exp(made.log_labellings)) == 6


def test_sampled_labels_come_from_the_shares():
    made = Permuting(data([0] * 30 + [1] * 10), draw="sampled")
    ones = np.array([made.codes(r).sum() for r in range(2000)])
    assert ones.mean() == pytest.approx(10, abs=0.3)
    assert ones.var() == pytest.approx(40 * 0.25 * 0.75, rel=0.15)  # shuffling has no variance


@pytest.mark.parametrize("form", [np.asarray, pd.DataFrame])
def test_columns_are_shuffled_within_classes(form):
    rng = np.random.default_rng(0)
    X = rng.normal(size=(12, 3))
    codes = np.array([0, 1] * 6)
    made = Permuting(data(codes, X=form(X.copy())), null="features")
    moved = made.dataset(0)
    assert type(moved.X) is type(made.data.X)
    new = np.asarray(moved.X)
    for c in (0, 1):
        np.testing.assert_array_equal(np.sort(new[codes == c], axis=0), np.sort(X[codes == c], 0))
    assert not np.array_equal(new, X)
    # The columns went different ways: rows are not kept together.
    assert not any((new == row).all(axis=1).any() for row in X[:4])
    np.testing.assert_array_equal(np.asarray(made.data.X), X)
    np.testing.assert_array_equal(moved.codes, codes)


def test_frames_keep_their_types():
    X = pd.DataFrame({"a": [1, 2, 3, 4], "b": pd.Categorical(["x", "y", "x", "z"])})
    moved = Permuting(data([0, 0, 1, 1], X=X), null="features").dataset(3).X
    assert moved.dtypes.tolist() == X.dtypes.tolist()
    assert list(moved.index) == list(X.index)


def test_a_relabelling_depends_on_its_number_only():
    made = Permuting(data([0, 1] * 10), seed=5)
    later = [made.codes(r).tolist() for r in (7, 3)]
    assert later == [Permuting(data([0, 1] * 10), seed=5).codes(r).tolist() for r in (7, 3)]
    assert later[0] != later[1]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"null": "label"}, "null must be 'labels' or 'features', got 'label'; did you mean"),
        ({"draw": "drawn"}, "labels must be 'shuffled' or 'sampled', got 'drawn'"),
        ({"null": "features", "draw": "sampled"}, "goes with null='labels' only"),
    ],
)
def test_bad_requests(options, message):
    with pytest.raises(InputError, match=message):
        Permuting(data([0, 1, 0, 1]), **options)


def test_groups_and_sparse_features_cannot_be_shuffled_by_column():
    with pytest.raises(InputError, match="cannot keep groups whole"):
        Permuting(data([0, 1, 0, 1], groups=[1, 1, 2, 2]), null="features")
    with pytest.raises(InputError, match="needs an array or a pandas DataFrame"):
        Permuting(data([0, 1, 0, 1], X=sparse.eye(4).tocsr()), null="features")
    with pytest.raises(InputError, match="knows no groups"):
        Permuting(data([0, 1, 0, 1], groups=[1, 1, 2, 2]), draw="sampled")
