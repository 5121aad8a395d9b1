"""EditedKNN against leave-one-out votes in plain Python and by scikit-learn."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.datasets import load_iris
from sklearn.model_selection import LeaveOneOut, cross_val_predict
from sklearn.neighbors import KNeighborsClassifier
from sklearn.utils.estimator_checks import parametrize_with_checks

from referee.errors import InputError
from referee.learners.neighbours.reducing import EditedKNN


@parametrize_with_checks([EditedKNN(), EditedKNN(k=1)])
def test_scikit_learn_finds_nothing_to_object_to(estimator, check):
    check(estimator)


def voted(X, y, k):
    kept = []
    for i in range(len(X)):
        near = sorted((sum((X[i] - X[j]) ** 2), j) for j in range(len(X)) if j != i)[:k]
        votes = [y[j] for _, j in near]
        if max(sorted(set(votes)), key=votes.count) == y[i]:
            kept.append(i)
    return kept


@given(
    st.lists(
        st.tuples(st.integers(0, 5), st.integers(0, 2), st.integers(0, 2)), min_size=4, max_size=25
    ),
    st.integers(1, 3),
)
@settings(max_examples=80, deadline=None)
def test_kept_cases_against_plain_votes(drawn, k):
    table = np.array(drawn, dtype=float)
    X, y = table[:, :2], table[:, 2].astype(int)
    expected = voted(X, y, k)
    if not expected:
        with pytest.raises(InputError, match=f"editing with k={k} drops all {len(X)} cases"):
            EditedKNN(k).fit(X, y)
        return
    assert EditedKNN(k).fit(X, y).kept_.tolist() == expected


@pytest.mark.parametrize("k", [1, 3, 5, 11])
def test_against_leave_one_out_of_scikit_learn(k):
    X, y = load_iris(return_X_y=True)
    X = X + np.random.default_rng(0).normal(scale=1e-3, size=X.shape)  # no ties
    voted = cross_val_predict(KNeighborsClassifier(k), X, y, cv=LeaveOneOut())
    model = EditedKNN(k).fit(X, y)
    np.testing.assert_array_equal(model.kept_, np.flatnonzero(voted == y))
    rule = KNeighborsClassifier(1).fit(X[voted == y], y[voted == y])
    np.testing.assert_array_equal(model.predict(X), rule.predict(X))


@pytest.mark.parametrize("k", [0, -1, 2.5, True, "3"])
def test_impossible_k(k):
    with pytest.raises(InputError, match="k must be a whole number of at least 1"):
        EditedKNN(k).fit([[0.0], [1.0]], [0, 1])


def test_more_neighbours_than_other_cases():
    with pytest.raises(
        InputError, match=r"k must not exceed the 2 other cases.*got 3; use a small"
    ):
        EditedKNN(3).fit([[0.0], [1.0], [2.0]], [0, 1, 1])


def test_identical_rows_of_one_class_are_kept():
    assert EditedKNN().fit([[1.0]] * 5, ["a"] * 5).n_kept_ == 5
