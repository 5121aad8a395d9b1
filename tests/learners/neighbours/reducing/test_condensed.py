"""CondensedKNN against the textbook loop in plain Python."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.datasets import load_iris
from sklearn.utils.estimator_checks import parametrize_with_checks

from referee.errors import InputError
from referee.learners.neighbours.reducing import CondensedKNN


@parametrize_with_checks([CondensedKNN(), CondensedKNN(passes="single")])
def test_scikit_learn_finds_nothing_to_object_to(estimator, check):
    check(estimator)


def textbook(X, y, single):
    """Hart's STORE and GRABBAG, as sorted rows; equal distances go to the first row."""
    store, bag, moved = [], list(range(len(X))), True
    while moved:
        moved, left = False, []
        for i in bag:
            ranked = sorted((sum((X[i] - X[s]) ** 2), s) for s in store)
            if ranked and y[ranked[0][1]] == y[i]:
                left.append(i)
            else:
                store.append(i)
                moved = True
        bag = left
        if single:
            break
    return sorted(store)


drawn_cases = st.integers(1, 25).flatmap(
    lambda n: st.tuples(
        st.lists(st.tuples(st.integers(0, 5), st.integers(0, 2)), min_size=n, max_size=n),
        st.lists(st.integers(0, 2), min_size=n, max_size=n),
    )
)


@given(drawn_cases, st.booleans())
@settings(max_examples=80, deadline=None)
def test_kept_cases_against_the_textbook(drawn, single):
    X, y = np.array(drawn[0], dtype=float), np.array(drawn[1])
    model = CondensedKNN(passes="single" if single else "until-consistent").fit(X, y)
    assert model.kept_.tolist() == textbook(X, y, single)


@given(drawn_cases)
@settings(max_examples=80, deadline=None)
def test_hart_is_consistent_but_for_cases_in_the_place_of_another_class(drawn):
    X, y = np.array(drawn[0], dtype=float), np.array(drawn[1])
    model = CondensedKNN().fit(X, y)
    _, place = np.unique(X, axis=0, return_inverse=True)
    first = np.array([np.flatnonzero(place.ravel() == p)[0] for p in place.ravel()])
    np.testing.assert_array_equal(model.predict(X), y[first])
    conflicting = np.array([len(set(y[place.ravel() == p])) > 1 for p in place.ravel()])
    wrong = model.predict(X) != y
    assert not wrong[~conflicting].any()
    assert np.isin(np.flatnonzero(wrong), model.kept_).all()


@pytest.mark.parametrize("seed", range(3))
def test_against_the_textbook_on_iris_in_any_order(seed):
    X, y = load_iris(return_X_y=True)
    order = np.random.default_rng(seed).permutation(len(X))
    X, y = X[order], y[order]
    model = CondensedKNN().fit(X, y)
    assert model.kept_.tolist() == textbook(X, y, False)
    assert model.n_kept_ < 35
    assert CondensedKNN(passes="single").fit(X, y).n_kept_ <= model.n_kept_


def test_the_single_pass_need_not_be_consistent():
    X = np.arange(6.0)[:, None]
    y = np.array([0, 0, 0, 1, 1, 1])
    assert (CondensedKNN(passes="single").fit(X, y).predict(X) != y).any()


def test_identical_rows_and_one_class():
    same = CondensedKNN().fit([[1.0]] * 4, [2, 1, 1, 2])
    assert same.kept_.tolist() == [0, 1, 2]
    assert same.predict([[0.0]]).tolist() == [2]
    assert CondensedKNN().fit([[1.0], [2.0]], [5, 5]).kept_.tolist() == [0]


def test_unknown_passes():
    with pytest.raises(InputError, match="passes must be 'until-consistent' or 'single', got 2"):
        CondensedKNN(passes=2).fit([[0.0]], [0])
