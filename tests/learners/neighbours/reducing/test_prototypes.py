"""PrototypeKNN against k-means of scikit-learn and against means in closed form."""

import numpy as np
import pytest
from sklearn.datasets import load_iris
from sklearn.neighbors import KNeighborsClassifier, NearestCentroid
from sklearn.utils.estimator_checks import parametrize_with_checks

from referee.errors import InputError
from referee.learners.neighbours.reducing import PrototypeKNN


@parametrize_with_checks([PrototypeKNN(random_state=0), PrototypeKNN(3, representative="mean")])
def test_scikit_learn_finds_nothing_to_object_to(estimator, check):
    check(estimator)


def test_one_mean_for_each_class_against_nearest_centroid():
    X, y = load_iris(return_X_y=True)
    model = PrototypeKNN(1, representative="mean", random_state=0).fit(X, y)
    np.testing.assert_allclose(model.cases_, NearestCentroid().fit(X, y).centroids_)
    np.testing.assert_array_equal(model.predict(X), NearestCentroid().fit(X, y).predict(X))
    assert model.kept_ is None
    assert model.n_kept_ == 3


def test_cases_are_the_nearest_of_their_class_to_the_means():
    X, y = load_iris(return_X_y=True)
    means = PrototypeKNN(4, representative="mean", random_state=0).fit(X, y)
    cases = PrototypeKNN(4, random_state=0).fit(X, y)
    nearest = set()
    for mean, code in zip(means.cases_, means.codes_, strict=True):
        rows = np.flatnonzero(y == code)
        nearest.add(rows[((X[rows] - mean) ** 2).sum(axis=1).argmin()])
    assert cases.kept_.tolist() == sorted(nearest)
    np.testing.assert_array_equal(y[cases.kept_], cases.codes_)


def test_as_many_prototypes_as_cases_are_the_cases():
    X, y = load_iris(return_X_y=True)
    X = X + np.random.default_rng(0).normal(scale=1e-3, size=X.shape)
    model = PrototypeKNN(50, random_state=0).fit(X, y)
    assert model.n_kept_ == 150
    rule = KNeighborsClassifier(1).fit(X, y)
    grid = X + 0.1
    np.testing.assert_array_equal(model.predict(grid), rule.predict(grid))


def test_identical_rows_leave_one_prototype_each():
    model = PrototypeKNN(5, random_state=0).fit([[1.0]] * 3 + [[2.0]] * 3, list("aaabbb"))
    assert model.kept_.tolist() == [0, 3]


def test_the_same_seed_gives_the_same_prototypes():
    X, y = load_iris(return_X_y=True)
    first, second = (PrototypeKNN(5, random_state=7).fit(X, y) for _ in range(2))
    np.testing.assert_array_equal(first.kept_, second.kept_)


@pytest.mark.parametrize("number", [0, -2, 1.5, "many"])
def test_impossible_numbers(number):
    with pytest.raises(InputError, match="per_class must be a whole number of at least 1"):
        PrototypeKNN(number).fit([[0.0], [1.0]], [0, 1])


def test_unknown_representative():
    with pytest.raises(InputError, match="representative must be 'case' or 'mean', got 'median'"):
        PrototypeKNN(representative="median").fit([[0.0], [1.0]], [0, 1])
