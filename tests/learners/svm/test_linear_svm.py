"""LinearSVM against liblinear."""

import numpy as np
import pytest
from scipy import sparse
from sklearn.datasets import load_iris
from sklearn.exceptions import ConvergenceWarning
from sklearn.svm import LinearSVC
from sklearn.utils.estimator_checks import (
    check_estimator,
    check_sample_weight_equivalence_on_dense_data,
    check_sample_weight_equivalence_on_sparse_data,
)

from referee.errors import InputError
from referee.learners import LinearSVM

IRIS = load_iris(return_X_y=True)


def test_estimator_checks_of_scikit_learn():
    why = "equal up to tol only, which is loose here"
    failing = {
        "check_sample_weight_equivalence_on_dense_data": why,
        "check_sample_weight_equivalence_on_sparse_data": why,
    }
    model = LinearSVM(max_iter=1_000_000, tol=1e-2)
    check_estimator(model, expected_failed_checks=failing, on_fail="raise", on_skip=None)


def test_weights_are_copies_at_a_tight_tolerance():
    model = LinearSVM(max_iter=1_000_000, tol=1e-9)
    check_sample_weight_equivalence_on_dense_data("LinearSVM", model)
    check_sample_weight_equivalence_on_sparse_data("LinearSVM", model)


@pytest.mark.parametrize("kind", ["dense", "sparse"])
@pytest.mark.parametrize("loss", ["hinge", "squared_hinge"])
@pytest.mark.parametrize("bias", [True, False])
def test_iris_against_liblinear(bias, loss, kind):
    X, y = IRIS
    rows = sparse.csr_matrix(X) if kind == "sparse" else X
    options = {"loss": loss, "tol": 1e-7, "max_iter": 1_000_000}
    ours = LinearSVM(C=0.3, bias=bias, **options).fit(rows, y)
    theirs = LinearSVC(C=0.3, fit_intercept=bias, dual=True, random_state=0, **options)
    theirs.fit(rows, y)
    np.testing.assert_allclose(ours.coef_, theirs.coef_, atol=2e-4)
    np.testing.assert_allclose(
        ours.decision_function(rows), theirs.decision_function(rows), atol=1e-3
    )
    np.testing.assert_array_equal(ours.predict(rows), theirs.predict(rows))


@pytest.mark.parametrize("columns", [np.int32, np.int64])
@pytest.mark.parametrize("rows", [np.int32, np.int64])
def test_places_of_any_width_in_a_sparse_matrix(rows, columns):
    X, y = IRIS
    made = sparse.csr_matrix(X)
    made.indices, made.indptr = made.indices.astype(columns), made.indptr.astype(rows)
    dense = LinearSVM(tol=1e-6, max_iter=100_000).fit(X, y)
    given = LinearSVM(tol=1e-6, max_iter=100_000).fit(made, y)
    np.testing.assert_allclose(given.coef_, dense.coef_, atol=1e-8)


def test_class_weights_against_liblinear():
    X, y = IRIS[0][50:], IRIS[1][50:]
    options = {"tol": 1e-7, "max_iter": 1_000_000, "class_weight": {1: 2.0, 2: 0.5}}
    ours = LinearSVM(**options).fit(X, y)
    theirs = LinearSVC(loss="hinge", dual=True, random_state=0, **options).fit(X, y)
    np.testing.assert_allclose(ours.coef_, theirs.coef_, atol=1e-3)


def test_coefficients_are_sums_over_support_vectors():
    X, y = IRIS[0][:100], IRIS[1][:100]
    model = LinearSVM().fit(X, y)
    np.testing.assert_allclose(model.coef_, model.dual_coef_ @ X[model.support_], atol=1e-10)


def test_the_same_bits_for_a_random_state_and_without_one():
    X, y = IRIS
    for seed in (None, 5):
        one, two = (LinearSVM(random_state=seed, tol=1.0).fit(X, y) for _ in range(2))
        np.testing.assert_array_equal(one.coef_, two.coef_)


def test_rows_of_weight_0_do_not_count():
    X, y = IRIS[0][:100], IRIS[1][:100]
    kept = np.arange(100) % 3 > 0
    one = LinearSVM().fit(X, y, sample_weight=kept.astype(float))
    np.testing.assert_array_equal(one.coef_, LinearSVM().fit(X[kept], y[kept]).coef_)


def test_bad_input_is_named():
    X, y = IRIS
    with pytest.raises(InputError, match="C must be"):
        LinearSVM(C=0).fit(X, y)
    with pytest.raises(InputError, match="loss must be"):
        LinearSVM(loss="log").fit(X, y)
    for tol in (-1, True, float("inf")):
        with pytest.raises(InputError, match="tol must be a finite number greater than 0"):
            LinearSVM(tol=tol).fit(X, y)
    for most in (0, 0.5, float("inf"), "many"):
        with pytest.raises(InputError, match="max_iter must be a whole number of at least 1"):
            LinearSVM(max_iter=most).fit(X, y)
    with pytest.raises(InputError, match="one class"):
        LinearSVM().fit(X, np.zeros(150))
    with pytest.raises(ValueError, match="infinity"):
        LinearSVM().fit(np.where(X > 7, np.inf, X), y)
    with pytest.warns(ConvergenceWarning, match="duality gap of"):
        LinearSVM(max_iter=1).fit(X, y)
