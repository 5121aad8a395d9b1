"""The algebra of kernels: its laws on random compositions, its formulas, what it refuses."""

import math
import pickle

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import referee
from referee import kernels
from referee.errors import InputError
from referee.kernels import (
    ChiSquared,
    ExpChiSquared,
    FromFunction,
    Gaussian,
    HistogramIntersection,
    Laplacian,
    Linear,
    Polynomial,
    Precomputed,
    exp,
    is_positive_definite,
)

X = np.abs(np.random.default_rng(5).normal(size=(9, 3)))
Z = np.abs(np.random.default_rng(6).normal(size=(4, 3)))


def dot(x, z):
    return float(np.dot(x, z))


LEAVES = st.sampled_from(
    [
        Linear(),
        Polynomial(degree=2),
        Gaussian(gamma=0.5),
        Gaussian(),
        Laplacian(gamma=0.3),
        HistogramIntersection(),
        ChiSquared(),
        ExpChiSquared(gamma=2.0),
        FromFunction(dot),
    ]
)
NUMBERS = st.sampled_from([0.25, 0.5, 1.0, 2.0, 3.5])
KERNELS = st.recursive(
    LEAVES,
    lambda inner: st.one_of(
        st.builds(lambda a, b: a + b, inner, inner),
        st.builds(lambda a, b: a * b, inner, inner),
        st.builds(lambda k, a: a * k, inner, NUMBERS),
        st.builds(lambda k, a: k + a, inner, NUMBERS),
        st.builds(lambda k: exp(0.01 * k), inner),
        st.builds(lambda k: k**2, inner),
    ),
    max_leaves=4,
)


@given(first=KERNELS, second=KERNELS, number=NUMBERS)
@settings(deadline=None, max_examples=60)
def test_gram_matrices_follow_the_algebra(first, second, number):
    one, two = first.gram(X, Z), second.gram(X, Z)
    close = {"rtol": 1e-9, "atol": 1e-12}
    np.testing.assert_allclose((first + second).gram(X, Z), one + two, **close)
    np.testing.assert_allclose((first * second).gram(X, Z), one * two, **close)
    np.testing.assert_allclose((number * first).gram(X, Z), number * one, **close)
    np.testing.assert_allclose((first + number).gram(X, Z), one + number, **close)
    np.testing.assert_allclose((number + first).gram(X, Z), one + number, **close)
    np.testing.assert_allclose((first**3).gram(X, Z), one**3, **close)
    np.testing.assert_allclose((first + second).gram(X, Z), (second + first).gram(X, Z), **close)


@given(kernel=KERNELS)
@settings(deadline=None, max_examples=60)
def test_compositions_are_kernels_and_values(kernel):
    K = kernel.gram(X)
    np.testing.assert_allclose(K, K.T, rtol=1e-12)
    assert np.linalg.eigvalsh((K + K.T) / 2)[0] >= -1e-11 * np.trace(K)
    np.testing.assert_allclose(kernel.diagonal(X), np.diagonal(K), rtol=1e-9)
    rows = kernel.prepare(X)
    np.testing.assert_allclose(rows.block([4, 0]), K[[4, 0]], rtol=1e-11)
    np.testing.assert_allclose(rows.against(Z), kernel.resolved(X).gram(Z, X), rtol=1e-9)
    assert pickle.loads(pickle.dumps(kernel)) == kernel
    assert hash(pickle.loads(pickle.dumps(kernel))) == hash(kernel)


@given(kernel=KERNELS)
@settings(deadline=None, max_examples=60)
def test_the_python_of_a_kernel_makes_it_again(kernel):
    if "FromFunction" in repr(kernel):
        return
    assert eval(repr(kernel), vars(referee.kernels)) == kernel


@given(kernel=KERNELS)
@settings(deadline=None, max_examples=12)
def test_no_composition_is_accused(kernel):
    result = is_positive_definite(kernel, "histograms", tries=12)
    assert result, str(result)


@given(kernel=KERNELS)
@settings(deadline=None, max_examples=40)
def test_single_precision_errs_no_more_than_compositions_say(kernel):
    stated = kernel.prepare(X, np.float32).rounding
    error = np.abs(kernel.gram(X, dtype=np.float32) - kernel.gram(X)).max()
    assert np.isnan(stated) or error <= stated


def test_the_exponential_is_the_limit_of_its_series():
    K = Linear().gram(X)
    series = sum((Linear() ** p).gram(X) / math.factorial(p) for p in range(1, 40))
    np.testing.assert_allclose(exp(Linear()).gram(X), 1 + series)
    np.testing.assert_allclose(exp(Linear()).gram(X), np.exp(K))


def test_a_power_of_a_shifted_inner_product_is_the_polynomial_kernel():
    np.testing.assert_allclose(((Linear() + 1) ** 3).gram(X), Polynomial(degree=3).gram(X))


FORMULAS = [
    (Gaussian(gamma=1.0), "exp(-|x - x'|^2)"),
    (Gaussian(), "exp(-gamma[scale] |x - x'|^2)"),
    (Polynomial(degree=2, scale=0.5, offset=0.0), "(0.5 <x, x'>)^2"),
    (2 * (Linear() + 1), "2 (<x, x'> + 1)"),
    ((Linear() + Linear()) * Gaussian(1.0), "(<x, x'> + <x, x'>) exp(-|x - x'|^2)"),
    (2 * ChiSquared(), "2 (sum_j x_j x'_j / (x_j + x'_j))"),
    (exp(Linear() + 0.5), "exp(<x, x'> + 0.5)"),
    (sum([Linear(), Linear()]), "<x, x'> + <x, x'>"),
    (Precomputed() + 1, "K[x, x'] + 1"),
]


@pytest.mark.parametrize(("kernel", "formula"), FORMULAS, ids=lambda f: str(f))
def test_formulas(kernel, formula):
    assert str(kernel) == formula


def test_neutral_numbers_change_nothing():
    assert Linear() + 0 == Linear() == 1 * Linear()


BAD = [
    (lambda: -1 * Linear(), "scaled by a number greater than 0 only, got -1"),
    (lambda: 0 * Linear(), "scaled by a number greater than 0 only, got 0"),
    (lambda: Linear() + -0.5, "added to a kernel must be at least 0, got -0.5"),
    (lambda: Linear() + "a", "a kernel or a finite number, got 'a'"),
    (lambda: Linear() * float("inf"), "a kernel or a finite number, got inf"),
    (lambda: Linear() ** 0.5, "the exponent of a kernel must be a whole number of at least 1"),
    (lambda: exp(3), "kernels.exp takes a kernel, got 3"),
    (lambda: Precomputed() + Linear(), "cannot be combined"),
    (lambda: exp(Linear()).gram([[100.0]]), r"exp\(k\) overflows in float64: k reaches 10000"),
    (lambda: exp(Linear()).gram([[10.0]], dtype=np.float32), "or use dtype=float64"),
]


@pytest.mark.parametrize(("make", "message"), BAD)
def test_what_is_no_kernel_is_refused(make, message):
    with pytest.raises(InputError, match=message):
        make()


def test_precomputed_matrices_follow_the_algebra_too():
    K = Linear().gram(X)
    np.testing.assert_allclose((2 * Precomputed() + 1).gram(K), 2 * K + 1)
    rows = exp(0.1 * Precomputed()).prepare(K)
    np.testing.assert_allclose(rows.against(Linear().gram(Z, X)), np.exp(0.1 * Z @ X.T))


def test_kernels_are_reached_from_the_top():
    assert referee.kernels is kernels
    assert referee.kernels is kernels
