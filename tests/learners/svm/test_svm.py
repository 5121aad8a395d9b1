"""SVM against libsvm: objectives, values, weights, several classes, precision and bad input."""

import tracemalloc
import warnings

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.calibration import CalibratedClassifierCV
from sklearn.datasets import load_iris
from sklearn.exceptions import ConvergenceWarning
from sklearn.model_selection import cross_val_predict
from sklearn.svm import SVC
from sklearn.utils.estimator_checks import (
    check_estimator,
    check_sample_weight_equivalence_on_dense_data,
)

from referee import kernels
from referee.errors import InputError
from referee.kernels.given import check_matrix
from referee.learners import SVM
from referee.learners.svm.indefinite import IndefiniteKernelWarning

KERNELS = {
    "gaussian": kernels.Gaussian(gamma=0.2),
    "gaussian scale": kernels.Gaussian(),
    "linear": kernels.Linear(),
    "polynomial": kernels.Polynomial(degree=2),
    "laplacian": kernels.Laplacian(gamma=0.3),
    "intersection": kernels.HistogramIntersection(),
    "chi2": kernels.ChiSquared(),
    "exp-chi2": kernels.ExpChiSquared(gamma=0.5),
    "sum": kernels.Gaussian(gamma=0.1) + 0.1 * kernels.Linear() + 1,
}


def noisy(n, d, seed):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, d))
    y = (X[:, 0] + rng.normal(size=n) > 0).astype(int)
    y[:2] = 0, 1
    return X, y, rng


def libsvm(K, y, bounds, tol=1e-5):
    """The dual objective, in double precision, and the values of libsvm's solution."""
    model = SVC(C=1.0, kernel="precomputed", tol=tol).fit(K, y, sample_weight=bounds)
    b = np.zeros(len(y))
    b[model.support_] = model.dual_coef_[0]
    signs = np.where(y == 1, 1.0, -1.0)
    return signs @ b - 0.5 * b @ K @ b, K @ b + model.intercept_[0]


def objective(model, K, y):
    b = model.solutions_[0].signed
    return np.where(y == 1, 1.0, -1.0) @ b - 0.5 * b @ K @ b


@pytest.mark.parametrize("seed", range(20))
def test_random_problems_against_libsvm(seed):
    rng = np.random.default_rng(seed)
    n, d = int(rng.integers(20, 200)), int(rng.integers(1, 10))
    X, y, rng = noisy(n, d, seed)
    if seed % 4 == 1:
        X[n // 2 :] = X[: n - n // 2]  # duplicated rows
    C = 10.0 ** rng.uniform(-3, 2)
    weights = rng.uniform(0.2, 2, n) if seed % 3 == 0 else np.ones(n)
    for name, kernel in KERNELS.items():
        points = np.abs(X) if name in ("intersection", "chi2", "exp-chi2") else X
        K = kernel.gram(points)
        model = SVM(kernel, C=C, tol=1e-5).fit(points, y, sample_weight=weights)
        best, values = libsvm(K, y, C * weights)
        assert objective(model, K, y) == pytest.approx(best, rel=1e-6), name
        # |f - f*| is at most the square root of 2 gap k(x, x), and that of the bias.
        slack = 2 * np.sqrt(2 * model.solutions_[0].gap * np.diagonal(K).max()) + 1e-3
        assert np.abs(model.decision_function(points) - values).max() < slack, name


@pytest.mark.parametrize("C", [1e-3, 1.0, 1e2, 1e4])
@pytest.mark.parametrize("name", ["gaussian", "gaussian scale", "laplacian"])
def test_unscaled_features_against_libsvm(name, C):
    X, y, _ = noisy(150, 6, 3)
    X = X * np.array([1e-3, 1e4, 1e-3, 1e4, 1.0, 1.0])
    kernel = KERNELS[name]
    K = kernel.gram(X)
    model = SVM(kernel, C=C, tol=1e-5).fit(X, y)
    best, _ = libsvm(K, y, np.full(150, C))
    assert objective(model, K, y) >= best * (1 - 1e-6)
    assert model.solutions_[0].slope_error <= 0.1 * 1e-5


def test_unscaled_linear_problems_fall_back_to_double_precision():
    X, y, _ = noisy(80, 3, 4)
    X = X * np.array([1e-3, 1e4, 1.0])
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        model = SVM("linear", C=1e-3, max_iter=200_000).fit(X, y)
    solution = model.solutions_[0]
    assert solution.precision == "double"
    b = solution.signed
    exact = np.where(y == 1, 1.0, -1.0) - X @ (X.T @ b)
    np.testing.assert_allclose(solution.slopes, exact, atol=1e-4)


def test_scaled_problems_stay_in_single_precision():
    X, y, _ = noisy(300, 5, 5)
    solution = SVM("gaussian").fit(X, y).solutions_[0]
    assert solution.precision == "single"
    assert 0 < solution.slope_error < 1e-5


def test_large_costs_go_on_in_double_precision_and_reach_libsvms_optimum():
    X, y, _ = noisy(200, 3, 6)
    kernel = kernels.Gaussian(gamma=0.05)
    model = SVM(kernel, C=1e4, tol=1e-4).fit(X, y)
    K = kernel.gram(X)
    best, _ = libsvm(K, y, np.full(200, 1e4), tol=1e-4)
    assert model.solutions_[0].precision == "double"
    assert objective(model, K, y) >= best * (1 - 1e-6)


def test_estimator_checks_of_scikit_learn():
    why = 'gamma="scale" counts rows, as in scikit-learn, so that copies change it; tol is loose'
    failing = {"check_sample_weight_equivalence_on_dense_data": why}
    check_estimator(SVM(), expected_failed_checks=failing, on_fail="raise", on_skip=None)


def test_weights_are_copies_for_a_kernel_of_its_own_and_a_tight_tolerance():
    check_sample_weight_equivalence_on_dense_data(
        "SVM", SVM(kernels.Gaussian(gamma=0.1), tol=1e-11)
    )


@pytest.mark.parametrize("how", ["ovo", "ovr"])
def test_iris_against_libsvm_pair_by_pair_and_class_by_class(how):
    X, y = load_iris(return_X_y=True)
    model = SVM(kernels.Gaussian(gamma=0.25), multiclass=how, tol=1e-6).fit(X, y)
    assert model.dual_coef_.shape == (3, len(model.support_))
    values = model.task_values(X)
    tasks = [(0, 1), (0, 2), (1, 2)] if how == "ovo" else [(None, c) for c in range(3)]
    for column, (first, second) in enumerate(tasks):
        rows = np.isin(y, (first, second)) if how == "ovo" else np.ones(len(y), dtype=bool)
        theirs = SVC(gamma=0.25, tol=1e-6).fit(X[rows], y[rows] == second)
        np.testing.assert_allclose(values[:, column], theirs.decision_function(X), atol=1e-4)
    assert model.decision_function(X).shape == (150, 3)
    assert (model.predict(X) == model.decision_function(X).argmax(axis=1)).all()


def test_votes_are_those_of_scikit_learn():
    X, y = load_iris(return_X_y=True)
    X = X + np.random.default_rng(0).normal(size=X.shape)
    ours = SVM(kernels.Gaussian(gamma=0.25), tol=1e-6).fit(X, y)
    theirs = SVC(gamma=0.25, tol=1e-6, break_ties=True).fit(X, y)
    np.testing.assert_allclose(ours.decision_function(X), theirs.decision_function(X), atol=1e-4)
    np.testing.assert_array_equal(ours.predict(X), theirs.predict(X))


def test_class_weights_against_libsvm():
    X, y, _ = noisy(120, 4, 7)
    for weight in ("balanced", {0: 3.0, 1: 0.5}):
        ours = SVM(kernels.Gaussian(gamma=0.3), class_weight=weight, tol=1e-6).fit(X, y)
        theirs = SVC(gamma=0.3, class_weight=weight, tol=1e-6).fit(X, y)
        np.testing.assert_allclose(
            ours.decision_function(X), theirs.decision_function(X), atol=1e-4
        )


def test_precomputed_kernels_give_the_machine_of_the_kernel():
    X, y, _ = noisy(100, 4, 8)
    kernel = kernels.Gaussian(gamma=0.3)
    direct = SVM(kernel).fit(X[:70], y[:70])
    given = SVM("precomputed").fit(kernel.gram(X[:70]), y[:70])
    np.testing.assert_allclose(
        given.decision_function(kernel.gram(X[70:], X[:70])), direct.decision_function(X[70:])
    )
    folds = cross_val_predict(SVM("precomputed"), kernel.gram(X), y, cv=4)
    np.testing.assert_array_equal(folds, cross_val_predict(SVM(kernel), X, y, cv=4))


def test_scda_with_bias_is_the_machine_of_k_plus_1():
    X, y, _ = noisy(90, 3, 9)
    kernel = kernels.Gaussian(gamma=0.5)
    lifted = SVM(kernel, solver="scda", tol=1e-7, random_state=0).fit(X, y)
    plain = SVM(kernel + 1, bias=False, solver="smo", tol=1e-7).fit(X, y)
    assert plain.intercept_ == [0.0]
    np.testing.assert_allclose(lifted.decision_function(X), plain.decision_function(X), atol=1e-5)


@pytest.mark.parametrize("solver", ["working-set", "smo", "scda"])
@pytest.mark.parametrize("seed", [None, 3])
def test_the_same_bits_for_a_random_state_and_without_one(solver, seed):
    X, y, _ = noisy(300, 4, 10)
    one, two = (SVM(solver=solver, random_state=seed).fit(X, y) for _ in range(2))
    np.testing.assert_array_equal(one.dual_coef_, two.dual_coef_)
    np.testing.assert_array_equal(one.intercept_, two.intercept_)


def test_probabilities_are_those_of_calibrated_classifier_cv():
    X, y, _ = noisy(120, 3, 11)
    model = SVM(probability=True).fit(X, y)
    theirs = CalibratedClassifierCV(SVM(), cv=5, ensemble=False).fit(X, y)
    np.testing.assert_array_equal(model.predict_proba(X), theirs.predict_proba(X))
    assert not hasattr(SVM().fit(X, y), "predict_proba")


def test_kernels_of_texts():
    def common(x, z):
        return float(len(set(x) & set(z)))

    words = ["cat", "tack", "actor", "dog", "good", "do"]
    model = SVM(kernels.FromFunction(common)).fit(words, list("aaabbb"))
    assert model.predict(["act", "god"]).tolist() == ["a", "b"]


@pytest.mark.parametrize("kernel", ["gaussian", kernels.Gaussian() + kernels.Linear()], ids=str)
def test_rows_of_weight_0_do_not_count(kernel):
    X, y, rng = noisy(120, 3, 17)
    kept = np.arange(120) % 3 > 0
    X[~kept] *= 1e3
    one = SVM(kernel, probability=True).fit(X, y, sample_weight=kept.astype(float))
    two = SVM(kernel, probability=True).fit(X[kept], y[kept])
    assert one.kernel_ == two.kernel_
    new = rng.normal(size=(20, 3))
    np.testing.assert_array_equal(one.decision_function(new), two.decision_function(new))
    np.testing.assert_array_equal(one.predict_proba(new), two.predict_proba(new))
    np.testing.assert_array_equal(one.support_, np.flatnonzero(kept)[two.support_])


def test_rows_of_weight_0_of_a_matrix_do_not_count():
    X, y, rng = noisy(90, 3, 18)
    kept, new = np.arange(90) % 3 > 0, rng.normal(size=(20, 3))
    k = kernels.Gaussian(gamma=0.3)
    one = SVM("precomputed", probability=True).fit(k.gram(X), y, sample_weight=1.0 * kept)
    two = SVM("precomputed", probability=True).fit(k.gram(X[kept]), y[kept])
    np.testing.assert_allclose(
        one.predict_proba(k.gram(new, X)), two.predict_proba(k.gram(new, X[kept])), atol=1e-9
    )


def test_folds_of_probabilities_look_at_positive_weights():
    X, y, _ = noisy(30, 2, 19)
    weights = np.ones(30)
    weights[np.flatnonzero(y == 1)[1:]] = 0.0
    with pytest.raises(InputError, match="positive weight"):
        SVM(probability=True).fit(X, y, sample_weight=weights)


@pytest.mark.parametrize("solver", ["working-set", "smo", "scda"])
def test_the_course_goes_on_where_a_fit_turns_to_double_precision(solver):
    X, y, _ = noisy(200, 3, 6)
    kernel = kernels.Gaussian(gamma=0.05)
    options = {"C": 1e4, "tol": 1e-4, "solver": solver, "max_iter": 30_000, "random_state": 0}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        solution = SVM(kernel, record=True, **options).fit(X, y).solutions_[0]
    assert solution.precision == "double"
    trace = solution.trace
    assert trace.iterations[-1] == solution.iterations <= 30_000
    assert trace.kernel_evaluations[-1] == solution.kernel_evaluations
    assert (np.diff(trace.iterations) >= 0).all()
    assert trace.iterations[0] == 0
    assert trace.objective[-1] == pytest.approx(solution.objective)


@pytest.mark.parametrize("solver", ["working-set", "smo", "scda"])
@pytest.mark.parametrize("most", [1, 7, 500])
def test_no_more_steps_than_allowed(solver, most):
    X, y, _ = noisy(200, 3, 6)
    with pytest.warns(ConvergenceWarning, match=f"stopped after {most} steps"):
        model = SVM("gaussian", C=1e5, tol=1e-6, solver=solver, max_iter=most).fit(X, y)
    assert model.solutions_[0].iterations == most


@pytest.mark.parametrize("bias", [True, False])
@pytest.mark.parametrize("C", [1.0, 100.0, 3000.0])
def test_stated_objective_and_gap_against_double_precision(C, bias):
    X, y, _ = noisy(400, 4, 20)
    kernel = kernels.Gaussian(gamma=0.2)
    model = SVM(kernel, C=C, bias=bias).fit(X, y)
    solution, K = model.solutions_[0], kernel.gram(X)
    best = objective(model, K, y)
    assert solution.objective == pytest.approx(best, rel=1e-6)
    b, signs = solution.signed, np.where(y == 1, 1.0, -1.0)
    hinge = np.maximum(0, 1 - signs * (K @ b + solution.intercept)).sum()
    assert solution.gap == pytest.approx(0.5 * b @ K @ b + C * hinge - best, rel=1e-3, abs=1e-9)


def common(x, z):
    return float(len(set(x) & set(z)))


WORDS = ["cat", "tack", "actor", "dog", "good", "do"] * 4


@pytest.mark.parametrize("solver", ["auto", "scda"])
@pytest.mark.parametrize(
    "kernel",
    [
        kernels.FromFunction(common) + 1,
        kernels.FromFunction(common) * kernels.FeatureMap(len),
        2 * kernels.FeatureMap(len) + kernels.exp(0.1 * kernels.FromFunction(common)),
    ],
    ids=lambda v: "" if callable(v) else str(v),
)
def test_compositions_of_kernels_of_texts_are_those_of_their_matrix(kernel, solver):
    K = kernel.gram(WORDS)
    direct = SVM(kernel, solver=solver, random_state=0).fit(WORDS, list("aaabbb") * 4)
    given = SVM("precomputed", solver=solver, random_state=0).fit(K, list("aaabbb") * 4)
    new = ["act", "god", "tic"]
    np.testing.assert_allclose(
        direct.decision_function(new), given.decision_function(kernel.gram(new, WORDS)), atol=1e-9
    )
    SVM(kernel, solver=solver, probability=True).fit(WORDS, list("aaabbb") * 4).predict_proba(new)


@pytest.mark.parametrize("solver", ["auto", "scda"])
@pytest.mark.parametrize(
    ("kernel", "made"),
    [
        (2 * kernels.Precomputed(), lambda K: 2 * K),
        (kernels.Precomputed() + 1, lambda K: K + 1),
        (kernels.exp(0.1 * kernels.Precomputed()), lambda K: np.exp(0.1 * K)),
        (
            kernels.Precomputed() * kernels.Precomputed() + kernels.Precomputed(),
            lambda K: K * K + K,
        ),
    ],
    ids=lambda v: "" if callable(v) else str(v),
)
def test_compositions_of_a_matrix_are_the_matrix_composed(kernel, made, solver):
    X, y, _ = noisy(90, 3, 15)
    K = kernels.Linear().gram(X) + 0.5
    one = SVM(kernel, solver=solver, random_state=0).fit(K[:60, :60], y[:60])
    two = SVM("precomputed", solver=solver, random_state=0).fit(made(K[:60, :60]), y[:60])
    np.testing.assert_allclose(
        one.decision_function(K[60:, :60]), two.decision_function(made(K[60:, :60])), atol=1e-8
    )
    np.testing.assert_array_equal(
        cross_val_predict(SVM(kernel), K, y, cv=4),
        cross_val_predict(SVM("precomputed"), made(K), y, cv=4),
    )


def test_memory_stays_within_the_cache():
    X, y, _ = noisy(3000, 4, 12)
    model = SVM(kernels.Gaussian(gamma=0.2), cache_mb=2).fit(X, y)
    big = SVM(kernels.Gaussian(gamma=0.2)).fit(X, y)
    assert model.solutions_[0].kernel_evaluations > big.solutions_[0].kernel_evaluations
    assert model.solutions_[0].objective == pytest.approx(big.solutions_[0].objective, rel=1e-5)


@pytest.mark.parametrize("far", [1e6, 1e9, 1e12])
def test_values_do_not_depend_on_other_rows_of_the_batch(far):
    X, _, rng = noisy(100, 2, 14)
    y = (X[:, 0] * X[:, 1] > 0).astype(int)
    model = SVM(kernels.Gaussian(gamma=0.5), C=10.0).fit(X, y)
    new = rng.normal(size=(50, 2))
    alone = model.decision_function(new)
    among = model.decision_function(np.vstack([new, [[far, 0.0]] * 60]))[:50]
    np.testing.assert_allclose(among, alone, rtol=0, atol=1e-10)


def test_a_training_row_far_away_leaves_libsvms_machine():
    X, _, rng = noisy(100, 2, 14)
    y = (X[:, 0] * X[:, 1] > 0).astype(int)
    X[0, 0] = 1e9
    new = rng.normal(size=(50, 2))
    ours = SVM(kernels.Gaussian(gamma=0.5), C=10.0, tol=1e-6).fit(X, y)
    theirs = SVC(C=10.0, kernel="precomputed", tol=1e-6)
    theirs.fit(np.exp(-0.5 * ((X[:, None] - X) ** 2).sum(axis=2)), y)
    values = theirs.decision_function(np.exp(-0.5 * ((new[:, None] - X) ** 2).sum(axis=2)))
    np.testing.assert_allclose(ours.decision_function(new), values, atol=1e-4)


@pytest.mark.parametrize(("how", "solver"), [("ovo", "auto"), ("ovr", "auto"), ("ovo", "smo")])
def test_memory_stays_within_the_cache_where_a_fit_turns_to_double_precision(how, solver):
    X, y, _ = noisy(6000, 3, 12)
    y = np.where(X[:, 1] > 1, 2, y) if how == "ovr" else y
    model = SVM(kernels.Gaussian(gamma=0.01), C=1e4, tol=1e-4, cache_mb=16, max_iter=4000)
    model.set_params(multiclass=how, solver=solver)
    tracemalloc.start()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        model.fit(X, y)
    peak = tracemalloc.get_traced_memory()[1] / 2**20
    tracemalloc.stop()
    assert {s.precision for s in model.solutions_} == {"double"}
    assert peak < 16 + 6000 * 2500 / 2**20  # and no more than 2.5 kB a case


def test_a_precomputed_matrix_is_checked_without_another_one():
    X, _, _ = noisy(1500, 3, 12)
    K = kernels.Gaussian(gamma=0.2).gram(X)
    tracemalloc.start()
    check_matrix(K)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < K.nbytes / 4


def test_clones_keep_kernels():
    model = clone(SVM(kernels.Gaussian(gamma=0.3) + 1))
    assert str(model.kernel) == str(kernels.Gaussian(gamma=0.3) + 1)


X, Y, _ = noisy(30, 2, 13)


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"C": 0}, ["C must be", "0"]),
        ({"C": -1.0}, ["C must be", "-1.0"]),
        ({"C": float("nan")}, ["C must be"]),
        ({"C": "big"}, ["C must be", "'big'"]),
        ({"kernel": "gausian"}, ["'gausian'", "did you mean 'gaussian'"]),
        ({"kernel": 3}, ["kernel must be", "3"]),
        ({"solver": "newton"}, ["'newton'", "'smo'"]),
        ({"multiclass": "all"}, ["'ovo' or 'ovr'"]),
        ({"tol": 0}, ["tol must be a finite number greater than 0"]),
        ({"cache_mb": -1}, ["cache_mb must be a finite number greater than 0"]),
        ({"cache_mb": float("inf")}, ["cache_mb must be a finite number"]),
        ({"tol": float("inf")}, ["tol must be a finite number"]),
        ({"tol": True}, ["tol must be a finite number", "True"]),
        ({"C": True}, ["C must be", "True"]),
        ({"C": np.float64(-1)}, ["C must be", "got -1.0"]),
        ({"max_iter": float("inf")}, ["max_iter must be a whole number of at least 1"]),
        ({"max_iter": 0.5}, ["max_iter must be a whole number", "0.5"]),
        ({"kernel": common}, ["kernels.FromFunction(common)"]),
    ],
)
def test_bad_options_are_named(options, words):
    with pytest.raises(InputError) as caught:
        SVM(**options).fit(X, Y)
    assert all(word in str(caught.value) for word in words)


def test_bad_data_are_named():
    with pytest.raises(InputError, match=r"one class only \(0.0\)"):
        SVM().fit(X, np.zeros(30))
    with pytest.raises(ValueError, match="NaN"):
        SVM().fit(np.where(X > 1, np.nan, X), Y)
    with pytest.raises(InputError, match="negative"):
        SVM("chi2").fit(X, Y)
    with pytest.raises(InputError, match="square"):
        SVM("precomputed").fit(X, Y)
    with pytest.raises(InputError, match="symmetric"):
        SVM("precomputed").fit(np.triu(np.ones((30, 30))), Y)
    with pytest.raises(InputError, match="weights must not be negative"):
        SVM().fit(X, Y, sample_weight=np.linspace(-1, 1, 30))
    with pytest.raises(InputError, match="class 0 has no case of positive weight"):
        SVM().fit(X, Y, sample_weight=Y)
    with pytest.raises(InputError, match="at least two cases"):
        SVM(probability=True).fit(X[:5], [0, 0, 0, 0, 1])


def test_an_indefinite_kernel_trains_with_a_witness():
    K = 1.0 - ((X[:, None] - X) ** 2).sum(axis=2)
    with pytest.warns(IndefiniteKernelWarning, match="not positive definite"):
        model = SVM("precomputed", max_iter=10_000).fit(K, Y)
    t, rows = model.witness_.vector, model.witness_.rows
    assert t @ K[np.ix_(rows, rows)] @ t == pytest.approx(model.witness_.value)
    assert model.witness_.value < 0
    assert SVM("precomputed").fit(X @ X.T, Y).witness_ is None


def _tanh(x, z):
    return np.tanh(2 * x @ z - 1)


@pytest.mark.parametrize(
    "kernel", [2 * kernels.FromFunction(_tanh), kernels.FromFunction(_tanh) + 0.01], ids=str
)
def test_indefinite_functions_are_found_inside_compositions(kernel):
    assert np.linalg.eigvalsh(kernel.gram(X))[0] < -1e-3
    with pytest.warns(IndefiniteKernelWarning, match="not positive definite"):
        SVM(kernel, max_iter=10_000).fit(X, Y)


def test_one_bad_pair_in_a_large_matrix_is_found():
    points, y, _ = noisy(700, 3, 16)
    K = kernels.Gaussian(gamma=5.0).gram(points)
    K[3, 8] = K[8, 3] = 1.1  # neither is among the 128 cases that are decomposed
    with pytest.warns(IndefiniteKernelWarning, match="for 2 training cases"):
        model = SVM("precomputed").fit(K, y)
    assert model.witness_.rows.tolist() == [3, 8]
    assert model.witness_.value == pytest.approx(-0.1)


def test_a_function_that_is_not_symmetric_is_named():
    with pytest.raises(InputError, match="not symmetric: it is"):
        SVM(kernels.FromFunction(lambda x, z: float(x[0] * z[1]))).fit(X, Y)


def test_an_unfinished_fit_warns_with_the_gap():
    with pytest.warns(ConvergenceWarning, match="duality gap of"):
        model = SVM(max_iter=3).fit(X, Y)
    assert not model.solutions_[0].converged
    assert model.solutions_[0].iterations == 3
