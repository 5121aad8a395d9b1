"""Every kernel of the catalogue against scikit-learn, exact fractions and its own rows."""

import copy
import math
import pickle
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from sklearn.base import BaseEstimator, clone
from sklearn.metrics.pairwise import (
    additive_chi2_kernel,
    chi2_kernel,
    laplacian_kernel,
    linear_kernel,
    polynomial_kernel,
    rbf_kernel,
)

import referee
from referee.errors import InputError
from referee.kernels import (
    CATALOGUE,
    ChiSquared,
    ExpChiSquared,
    Gaussian,
    HistogramIntersection,
    Laplacian,
    Linear,
    Polynomial,
    Precomputed,
)

KERNELS = [
    Linear(),
    Polynomial(),
    Polynomial(degree=1, offset=0.0),
    Polynomial(degree=5, scale=0.3, offset=2.0),
    Gaussian(),
    Gaussian(gamma=0.7),
    Laplacian(),
    Laplacian(gamma=0.4),
    HistogramIntersection(),
    ChiSquared(),
    ExpChiSquared(gamma=0.6),
]


def histograms(n, d, seed=0):
    X = np.random.default_rng(seed).exponential(size=(n, d))
    X[np.random.default_rng(seed + 1).random((n, d)) < 0.3] = 0.0
    return X


AGAINST = [
    (Linear(), linear_kernel),
    (Polynomial(), lambda X, Z: polynomial_kernel(X, Z, degree=3, gamma=1, coef0=1)),
    (
        Polynomial(degree=4, scale=0.5, offset=0.25),
        lambda X, Z: polynomial_kernel(X, Z, degree=4, gamma=0.5, coef0=0.25),
    ),
    (Gaussian(gamma=0.7), lambda X, Z: rbf_kernel(X, Z, gamma=0.7)),
    (Laplacian(gamma=0.7), lambda X, Z: laplacian_kernel(X, Z, gamma=0.7)),
    (ExpChiSquared(gamma=0.7), lambda X, Z: chi2_kernel(X, Z, gamma=0.7)),
]


@pytest.mark.parametrize(("kernel", "theirs"), AGAINST, ids=lambda k: "" if callable(k) else str(k))
@pytest.mark.parametrize("shape", [(1, 1, 1), (3, 5, 2), (600, 1030, 7)])
def test_gram_against_scikit_learn(kernel, theirs, shape):
    n, m, d = shape
    X, Z = histograms(n, d), histograms(m, d, seed=7)
    np.testing.assert_allclose(kernel.gram(X, Z), theirs(X, Z), rtol=1e-11, atol=1e-13)
    np.testing.assert_allclose(kernel.gram(Z), theirs(Z, Z), rtol=1e-11, atol=1e-13)


def test_the_additive_chi_squared_kernel_of_scikit_learn_is_another_function():
    X, Z = histograms(20, 6), histograms(30, 6, seed=4)
    sums = X.sum(axis=1)[:, None] + Z.sum(axis=1)
    ours = 4 * ChiSquared().gram(X, Z) - sums
    np.testing.assert_allclose(ours, additive_chi2_kernel(X, Z), atol=1e-12)


@pytest.mark.parametrize("far", [1e4, 1e6, 1e9, 1e12])
@pytest.mark.parametrize("gamma", [1e-3, 0.5, 30.0])
def test_gaussian_values_do_not_suffer_from_rows_far_away(gamma, far):
    # Oracle: differences, which are exact to a unit of rounding wherever values do not vanish.
    X = np.random.default_rng(0).normal(size=(80, 3))
    X[3, 0] = far
    X[5:9] = far + np.arange(12).reshape(4, 3)
    Z = np.vstack([X[::2] + 1, -X[:7]])
    for rows, others in ((X, X), (X, Z), (Z, X)):
        exact = np.exp(-gamma * ((rows[:, None] - others) ** 2).sum(axis=2))
        given = Gaussian(gamma=gamma).gram(rows, None if others is rows else others)
        np.testing.assert_allclose(given, exact, rtol=0, atol=4e-12)
    prepared = Gaussian(gamma=gamma).prepare(X)
    exact = np.exp(-gamma * ((X[:, None] - X) ** 2).sum(axis=2))
    np.testing.assert_allclose(prepared.block(np.arange(80)), exact, rtol=0, atol=4e-12)
    assert np.abs(prepared.block(np.arange(80)) - exact).max() <= prepared.rounding + 1e-15


@pytest.mark.parametrize("kernel", [HistogramIntersection(), ChiSquared(), ExpChiSquared()])
def test_histograms_too_large_for_their_sums_are_refused(kernel):
    huge = np.array([[1e308, 1e308], [1.0, 2.0]])
    with pytest.raises(InputError, match=r"overflow in float64: X or Z holds 1e\+308"):
        kernel.gram(huge)
    with pytest.raises(InputError, match="overflow in float32"):
        kernel.gram(huge / 1e270, dtype=np.float32)
    assert np.isfinite(kernel.gram(huge / 1e10)).all()


FRACTIONS = {
    "linear": (Linear(), lambda x, z: sum(a * b for a, b in zip(x, z, strict=True))),
    "polynomial": (
        Polynomial(degree=3, scale=0.5, offset=2.0),
        lambda x, z: (2 + Fraction(1, 2) * sum(a * b for a, b in zip(x, z, strict=True))) ** 3,
    ),
    "intersection": (
        HistogramIntersection(),
        lambda x, z: sum(min(a, b) for a, b in zip(x, z, strict=True)),
    ),
    "chi2": (
        ChiSquared(),
        lambda x, z: sum(a * b / (a + b) for a, b in zip(x, z, strict=True) if a + b),
    ),
    "gaussian": (
        Gaussian(gamma=0.25),
        lambda x, z: math.exp(-sum((a - b) ** 2 for a, b in zip(x, z, strict=True)) / 4),
    ),
    "laplacian": (
        Laplacian(gamma=0.25),
        lambda x, z: math.exp(-sum(abs(a - b) for a, b in zip(x, z, strict=True)) / 4),
    ),
    "exp-chi2": (
        ExpChiSquared(gamma=0.25),
        lambda x, z: math.exp(
            -sum((a - b) ** 2 / (a + b) for a, b in zip(x, z, strict=True) if a + b) / 4
        ),
    ),
}


@pytest.mark.parametrize("name", FRACTIONS)
@pytest.mark.parametrize(("dtype", "rtol"), [(np.float64, 4e-15), (np.float32, 3e-6)])
def test_values_against_fractions(name, dtype, rtol):
    kernel, exact = FRACTIONS[name]
    rng = np.random.default_rng(3)
    X = rng.integers(0, 5, size=(9, 6)) / 4.0
    expected = [
        [float(exact([Fraction(a) for a in x], [Fraction(b) for b in z])) for z in X] for x in X
    ]
    np.testing.assert_allclose(kernel.gram(X, dtype=dtype), expected, rtol=rtol, atol=1e-12)


EXTREMES = [1e-300, 1e-160, 1e-30, 1.0, 1e30, 1e150]


@pytest.mark.parametrize("size", EXTREMES)
def test_chi_squared_stays_exact_at_extreme_scales(size):
    X = size * histograms(6, 5)
    expected = size * ChiSquared().gram(histograms(6, 5))
    np.testing.assert_allclose(ChiSquared().gram(X), expected, rtol=1e-13)


def test_chi_squared_of_very_different_scales_against_fractions():
    X = np.array([[1e-200, 3.0, 0.0], [1e-190, 1e200, 0.0], [1e-200, 0.0, 5e-324]])
    _, exact = FRACTIONS["chi2"]
    expected = [
        [float(exact([Fraction(a) for a in x], [Fraction(b) for b in z])) for z in X] for x in X
    ]
    np.testing.assert_allclose(ChiSquared().gram(X), expected, rtol=1e-13)


@pytest.mark.parametrize("kernel", KERNELS, ids=str)
@pytest.mark.parametrize("dtype", [np.float64, np.float32])
def test_prepared_rows_are_rows_of_the_gram_matrix(kernel, dtype):
    X = histograms(1100, 5)
    rows = kernel.prepare(X, dtype)
    chosen = np.array([1099, 0, 3, 3, 700])
    block = rows.block(chosen)
    assert block.dtype == dtype
    assert rows.evaluations == 5 * 1100
    whole = kernel.gram(X, dtype=dtype)
    scale = np.abs(whole).max()
    tolerance = scale * (2e-6 if dtype == np.float32 else 1e-14)
    np.testing.assert_allclose(block, whole[chosen], atol=tolerance, rtol=0)
    np.testing.assert_allclose(rows.against(X[chosen]), block, atol=tolerance, rtol=0)
    np.testing.assert_allclose(rows.diagonal, np.diagonal(kernel.gram(X)), rtol=1e-12)
    np.testing.assert_allclose(kernel.diagonal(X), rows.diagonal)
    out = np.empty_like(block)
    assert rows.block(chosen, out=out) is out
    np.testing.assert_array_equal(out, block)


@pytest.mark.parametrize("kernel", KERNELS, ids=str)
def test_single_precision_errs_no_more_than_it_says(kernel):
    for factor in (1e-3, 1.0, 10.0):
        X = factor * histograms(300, 8)
        error = np.abs(kernel.gram(X, dtype=np.float32) - kernel.gram(X)).max()
        stated = kernel.prepare(X, np.float32).rounding
        assert error <= stated
        assert stated <= 1e-2 * max(np.abs(kernel.gram(X)).max(), 1e-30)


def test_rows_say_when_single_precision_is_not_enough():
    X = 1e4 * histograms(50, 8)
    assert Gaussian(gamma=1.0).prepare(X, np.float32).rounding > 0.5
    assert Gaussian(gamma=1.0).prepare(X, np.float64).rounding < 1e-4


@pytest.mark.parametrize("kernel", KERNELS, ids=str)
def test_values_do_not_depend_on_threads_and_are_symmetric(kernel):
    X = histograms(1300, 6)
    K = kernel.gram(X)
    np.testing.assert_array_equal(K, K.T)
    np.testing.assert_array_equal(K, kernel.gram(X, n_jobs=2))
    np.testing.assert_array_equal(kernel.gram(X, X[:3]), kernel.gram(X, X[:3], n_jobs=3))


def test_a_shift_far_from_0_costs_the_gaussian_kernel_no_digits():
    X = histograms(40, 3)
    np.testing.assert_allclose(
        Gaussian(gamma=1.0).gram(X + 2.0**20), Gaussian(gamma=1.0).gram(X), atol=1e-9
    )


DEGENERATE = arrays(
    np.float64,
    st.tuples(st.integers(1, 7), st.integers(1, 3)),
    elements=st.sampled_from([0.0, 0.0, 1.0, 0.5, 3.0, 1e-3, 100.0]),
)


@pytest.mark.parametrize("kernel", KERNELS, ids=str)
@given(X=DEGENERATE)
@settings(deadline=None, max_examples=25)
def test_positive_semidefinite_on_degenerate_data(kernel, X):
    K = kernel.gram(X)
    np.testing.assert_array_equal(K, K.T)
    least = np.linalg.eigvalsh(K)[0]
    assert least >= -1e-12 * len(X) * max(np.trace(K), 1e-300)
    assert (np.diagonal(K)[:, None] * np.diagonal(K) - K**2 >= -1e-9 * np.trace(K) ** 2).all()


@pytest.mark.parametrize("kernel", KERNELS, ids=str)
def test_kernels_are_values(kernel):
    again = pickle.loads(pickle.dumps(kernel))
    assert again == kernel == copy.deepcopy(kernel)
    assert hash(again) == hash(kernel)
    assert eval(repr(kernel), vars(referee.kernels)) == kernel
    assert kernel != 3 * kernel


class Holder(BaseEstimator):
    def __init__(self, kernel=None):
        self.kernel = kernel


@pytest.mark.parametrize("kernel", KERNELS, ids=str)
def test_scikit_learn_clones_them(kernel):
    assert clone(Holder(kernel)).kernel == kernel


@pytest.mark.parametrize("name", CATALOGUE)
def test_catalogue_entries_work_with_defaults(name):
    kernel = CATALOGUE[name]()
    assert np.isfinite(kernel.gram([[1.0, 0.5], [0.5, 2.0]])).all()
    assert kernel.formula == str(kernel)


@pytest.mark.parametrize("kernel", KERNELS, ids=str)
def test_no_rows_and_no_columns(kernel):
    assert kernel.gram(np.empty((0, 3)), np.ones((2, 3))).shape == (0, 2)
    assert kernel.gram(np.ones((2, 3)), np.empty((0, 3))).shape == (2, 0)
    assert kernel.gram(np.empty((0, 3))).shape == (0, 0)


def test_gamma_by_the_data_is_that_of_scikit_learn():
    from sklearn.svm import SVC

    X = histograms(30, 4)
    y = np.arange(30) % 2
    for gamma in ("scale", "auto"):
        model = SVC(gamma=gamma).fit(X, y)
        assert Gaussian(gamma).resolved(X).gamma == pytest.approx(model._gamma)
        assert Gaussian(gamma).gram(X) == pytest.approx(rbf_kernel(X, gamma=model._gamma))
    assert Gaussian().resolved(np.ones((4, 3))).gamma == SVC().fit(np.ones((4, 3)), y[:4])._gamma


BAD = [
    (lambda: Gaussian(gamma=0.0), "gamma must be greater than 0, got 0.0"),
    (lambda: Gaussian(gamma=-1), "gamma must be greater than 0, got -1"),
    (lambda: Gaussian(gamma="scales"), "gamma must be positive, 'scale' or 'auto', got 'scales'"),
    (lambda: Gaussian(gamma=float("nan")), "gamma must be greater than 0, got nan"),
    (lambda: Laplacian(gamma=True), "gamma must be greater than 0, got True"),
    (lambda: ExpChiSquared(gamma="scale"), "gamma must be a positive number, got 'scale'"),
    (lambda: Polynomial(degree=0), "degree must be a whole number of at least 1, got 0"),
    (lambda: Polynomial(degree=2.5), "degree must be a whole number of at least 1, got 2.5"),
    (lambda: Polynomial(scale=0), "scale must be greater than 0, got 0"),
    (lambda: Polynomial(offset=-1), "offset must be at least 0, got -1"),
    (
        lambda: ChiSquared().gram([[1.0, 2.0], [0.0, -3.0]]),
        "X must not be negative for a kernel of histograms, got -3.0 in row 1, column 1",
    ),
    (
        lambda: HistogramIntersection().prepare([[1.0]]).against([[-1.0]]),
        "Z must not be negative for a kernel of histograms, got -1.0 in row 0, column 0",
    ),
    (
        lambda: Linear().gram([[1.0], [math.nan]]),
        "X must hold finite numbers, got nan in row 1, column 0",
    ),
    (lambda: Linear().gram([[1.0]], [[math.inf]]), "Z must hold finite numbers, got inf in row 0"),
    (lambda: Linear().gram([1.0, 2.0]), "X must be a table with rows and columns"),
    (lambda: Linear().gram([["a"]]), "X must be a table of numbers"),
    (
        lambda: Linear().gram([[1.0]], [[1.0, 2.0]]),
        "X and Z must have the same number of columns, got 1 and 2",
    ),
    (
        lambda: Gaussian(1.0).prepare([[1.0, 2.0]]).against([[1.0]]),
        "X and Z must have the same number of columns, got 2 and 1",
    ),
    (lambda: Linear().gram([[1.0]], dtype=int), "dtype must be numpy.float64 or numpy.float32"),
    (
        lambda: Precomputed().gram([[1.0, 2.0]]),
        r"X must be a square kernel matrix, got shape \(1, 2\)",
    ),
    (
        lambda: Precomputed().gram([[1.0, 2.0], [2.5, 1.0]]),
        "got 2.0 in row 0, column 1 and 2.5 in row 1, column 0",
    ),
    (
        lambda: Precomputed().prepare([[1.0]]).against([[1.0, 2.0]]),
        "all 1 training points, a column for each, got 2 columns",
    ),
    (lambda: Precomputed().gram([[1.0]], [[2.0]]), "Precomputed knows no values among new points"),
]


@pytest.mark.parametrize(("make", "message"), BAD)
def test_bad_input_is_named(make, message):
    with pytest.raises(InputError, match=message):
        make()
