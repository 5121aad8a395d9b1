"""KNN against scikit-learn's KNeighborsClassifier and plain counting."""

import warnings

import numpy as np
import pytest
from sklearn.datasets import (
    load_breast_cancer,
    load_digits,
    load_iris,
    load_wine,
    make_blobs,
    make_circles,
    make_moons,
)
from sklearn.neighbors import KNeighborsClassifier
from sklearn.utils.estimator_checks import check_estimator

import referee
from referee.errors import InputError
from referee.learners import KNN


def _data():
    rng = np.random.default_rng(0)
    iris, wine, cancer, digits = (
        f(return_X_y=True) for f in (load_iris, load_wine, load_breast_cancer, load_digits)
    )
    noise = rng.normal(size=(300, 18)), rng.integers(0, 3, 300)
    grid = rng.integers(0, 4, (300, 3)).astype(float), rng.integers(0, 2, 300)
    copies = np.repeat(rng.normal(size=(60, 4)), 5, axis=0), rng.integers(0, 3, 300)
    return {
        "iris": iris,
        "wine": wine,
        "cancer": cancer,
        "digits": (digits[0][:500], digits[1][:500]),
        "moons": make_moons(300, noise=0.3, random_state=0),
        "circles": make_circles(300, noise=0.2, factor=0.5, random_state=0),
        "blobs": make_blobs(300, 25, centers=5, cluster_std=6.0, random_state=0),
        "noise": noise,
        "grid": grid,
        "copies": copies,
    }


DATA = _data()
METRICS = [("euclidean", 2), ("manhattan", 2), ("chebyshev", 2), ("minkowski", 3)]


def untied(theirs, rows, k):
    """Cases whose k nearest rows are the same whoever breaks ties, with room for rounding."""
    distances = theirs.kneighbors(rows, min(k + 1, theirs.n_samples_fit_))[0]
    if distances.shape[1] == k:
        return np.ones(len(rows), dtype=bool)
    return distances[:, k] > distances[:, k - 1] * (1 + 1e-9) + 1e-9


@pytest.mark.parametrize("name", DATA)
@pytest.mark.parametrize("weights", ["uniform", "distance"])
@pytest.mark.parametrize("metric", METRICS, ids=[m[0] for m in METRICS])
def test_predictions_against_scikit_learn(name, metric, weights):
    X, y = DATA[name]
    fit, ask = np.arange(len(y)) % 3 > 0, np.arange(len(y)) % 3 == 0
    for k in (1, 4, 15):
        ours = KNN(k, metric=metric[0], p=metric[1], weights=weights).fit(X[fit], y[fit])
        theirs = KNeighborsClassifier(
            k, metric=metric[0], p=metric[1], weights=weights, algorithm="kd_tree"
        ).fit(X[fit], y[fit])
        same = untied(theirs, X[ask], k)
        mine, other = ours.predict_proba(X[ask]), theirs.predict_proba(X[ask])
        np.testing.assert_allclose(mine[same], other[same], rtol=0, atol=1e-9)
        lead = np.diff(np.sort(other, axis=1)[:, -2:], axis=1)[:, 0]
        sure = same & ((lead > 1e-9) | (weights == "uniform"))
        predicted = ours.predict(X[ask])
        np.testing.assert_array_equal(predicted[sure], theirs.predict(X[ask])[sure])


@pytest.mark.parametrize("name", ["grid", "copies", "iris"])
@pytest.mark.parametrize("k", [1, 4, 15])
def test_ties_against_the_stated_rule_counted_plainly(name, k):
    X, y = DATA[name]
    model = KNN(k).fit(X, y)
    for x, predicted in zip(X[::7], model.predict(X[::7]), strict=True):
        squares = np.zeros(len(X))
        for j in range(X.shape[1]):
            squares += (X[:, j] - x[j]) ** 2
        votes = np.bincount(y[np.lexsort((np.arange(len(X)), squares))[:k]])
        assert predicted == votes.argmax()


@pytest.mark.parametrize("metric", ["seuclidean", "mahalanobis", "cosine"])
def test_metrics_with_other_coordinates_against_scikit_learn(metric):
    X, y = DATA["wine"]
    given = {
        "seuclidean": {"V": X.var(axis=0, ddof=1)},
        "mahalanobis": {"VI": np.linalg.inv(np.cov(X, rowvar=False))},
        "cosine": None,
    }
    theirs = KNeighborsClassifier(
        4, metric=metric, metric_params=given[metric], algorithm="brute"
    ).fit(X, y)
    ours = KNN(4, metric=metric).fit(X, y)
    for mine, other in zip(ours.kneighbors(X + 0.1), theirs.kneighbors(X + 0.1), strict=True):
        np.testing.assert_allclose(mine, other, rtol=1e-6, atol=1e-9)


@pytest.mark.parametrize("index", ["brute", "kd_tree", "auto"])
def test_the_index_does_not_change_answers(index):
    X, y = DATA["grid"]
    expected = KNN(5, index="brute").fit(X, y).predict_proba(X)
    np.testing.assert_array_equal(KNN(5, index=index).fit(X, y).predict_proba(X), expected)


def test_functions_as_weights_against_scikit_learn():
    def gaussian(distances):
        return np.exp(-(distances**2))

    X, y = DATA["moons"]
    ours = KNN(9, weights=gaussian).fit(X[::2], y[::2]).predict_proba(X[1::2])
    theirs = KNeighborsClassifier(9, weights=gaussian).fit(X[::2], y[::2])
    np.testing.assert_allclose(ours, theirs.predict_proba(X[1::2]), atol=1e-12)


@pytest.mark.parametrize(("n", "k"), [(1, 1), (2, 1), (3, 2), (1000, 7), (1097, 8)])
def test_k_log_is_the_natural_logarithm_rounded_up(n, k):
    X = np.arange(float(n))[:, None]
    assert KNN("log").fit(X, np.arange(n) % 2).k_ == k


def test_all_rows_identical_answers_with_the_first_rows():
    model = KNN(3).fit(np.ones((6, 2)), list("bbaaaa"))
    assert model.predict([[1.0, 1.0], [5.0, 5.0]]).tolist() == ["b", "b"]


def test_bounds_and_recalls_are_reported():
    X, y = DATA["moons"]
    assert str(KNN().fit(X, y).bound_) == "exact"
    rough = KNN(index="kd_tree", eps=0.5, bound="additive").fit(X, y)
    assert str(rough.bound_).endswith("by at most 0.5")
    # So few rows are compared one by one, which is better than what was asked for.
    assert str(KNN(eps=0.5).fit(X, y).bound_) == "exact"
    hashed = KNN(index="hashing").fit(X, y)
    assert hashed.bound_ is None
    assert hashed.recall_.value > 0.8


@pytest.mark.parametrize("index", ["auto", "kd_tree", "hashing"])
def test_scikit_learn_accepts_the_estimator(index):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of checks skipped for lack of other packages
        check_estimator(KNN(index=index))


def test_evaluate_shares_the_work():
    X, y = DATA["iris"]
    report = referee.evaluate(KNN(3), X, y, by="loo")
    wrong = sum(
        KNN(3).fit(np.delete(X, i, 0), np.delete(y, i)).predict(X[i : i + 1])[0] != y[i]
        for i in range(len(y))
    )
    assert report.error.value == pytest.approx(wrong / len(y))


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"k": 0}, "k must be a whole number of at least 1"),
        ({"k": -2}, "got -2"),
        ({"k": 2.5}, "got 2.5"),
        ({"k": True}, "got True"),
        ({"k": "sqrt"}, "or 'log', got 'sqrt'"),
        ({"k": 9}, "at most the number of training rows, 8"),
        ({"eps": -0.1}, "eps must be a finite number of at least 0, got -0.1"),
        ({"eps": np.nan}, "eps must be"),
        ({"bound": "absolute"}, "'relative' or 'additive'"),
        ({"metric": "euclidian"}, "did you mean 'euclidean'"),
        ({"metric": "minkowski", "p": 0.5}, "p must be a number of at least 1"),
        ({"metric": "seuclidean"}, "column 1 is constant"),
        ({"metric": "mahalanobis"}, "column 1 is constant"),
        ({"metric": "cosine"}, "row 0 is all zeros"),
        ({"weights": "inverse"}, "weights must be"),
        ({"weights": lambda d: d[:, :1]}, "of the shape of the distances"),
        ({"weights": lambda d: 0 * d}, "one of them positive"),
        ({"index": "ball"}, "index must be"),
    ],
)
def test_bad_options_name_argument_value_and_remedy(options, message):
    X = np.column_stack([np.arange(8.0), np.zeros(8)])
    with pytest.raises(InputError, match=message):
        KNN(**options).fit(X, np.arange(8) % 2).predict(X)


def test_linearly_dependent_features_have_no_mahalanobis_distance():
    X = np.random.default_rng(0).normal(size=(30, 2))
    with pytest.raises(InputError, match="linearly dependent"):
        KNN(metric="mahalanobis").fit(np.column_stack([X, X.sum(axis=1)]), np.arange(30) % 2)


def test_missing_values_are_refused():
    with pytest.raises(ValueError, match="NaN"):
        KNN(1).fit([[0.0], [np.nan]], [0, 1])


def test_a_constant_column_has_no_mahalanobis_distance():
    X = np.column_stack([np.full(50, 0.1), np.random.default_rng(0).normal(size=50)])
    with pytest.raises(InputError, match=r"metric='mahalanobis' divides .* column 0 is constant"):
        KNN(1, metric="mahalanobis").fit(X, np.arange(50) % 2)
