"""The search for counterexamples: it finds the notes' suspects and accuses no kernel."""

import math
from fractions import Fraction
from itertools import product

import numpy as np
import pytest

from referee.errors import InputError
from referee.kernels import (
    SUSPECTS,
    Asymmetry,
    ChiSquared,
    ExpChiSquared,
    FeatureMap,
    FromFunction,
    Gaussian,
    HistogramIntersection,
    Laplacian,
    Linear,
    Polynomial,
    Precomputed,
    Witness,
    edit_distance,
    exp,
    is_positive_definite,
)
from referee.kernels.refuting.witness import _judged, is_negative

VALID = [
    Linear(),
    Polynomial(),
    Polynomial(degree=7),
    Gaussian(gamma=1.0),
    Gaussian(gamma=1e-4),
    Gaussian(gamma=100.0),
    Gaussian(),
    Laplacian(gamma=1.0),
    HistogramIntersection(),
    ChiSquared(),
    ExpChiSquared(gamma=0.5),
    exp(Linear()),
    exp(0.01 * Linear()) * Gaussian(gamma=0.1) + 2,
    FeatureMap(np.sum),
    FromFunction(lambda x, z: math.exp(-float(((x - z) ** 2).sum()))),
    FromFunction(lambda x, z: math.cos(float((x - z).sum()))),
    FromFunction(lambda x, z: 1.0),
    FromFunction(lambda x, z: 0.0),
]


@pytest.mark.parametrize("kernel", VALID, ids=str)
def test_kernels_are_not_accused(kernel):
    for seed in (0, 1):
        result = is_positive_definite(kernel, tries=40, random_state=seed)
        assert result, str(result)
        assert not result.settled
        assert "no counterexample in" in str(result)


@pytest.mark.parametrize("name", SUSPECTS)
def test_the_notes_suspects_are_found_by_any_seed(name):
    kernel, where = SUSPECTS[name]
    for seed in range(5):
        result = is_positive_definite(kernel, where, random_state=seed)
        assert not result
        assert result.settled
        witness = result.counterexample
        assert isinstance(witness, Witness)
        assert witness.value + witness.bound < 0
        K = np.array([[kernel.function(x, z) for z in witness.points] for x in witness.points])
        t = np.array(witness.weights)
        assert float(t @ K @ t) == pytest.approx(witness.value, rel=1e-6)


def test_two_points_refute_one_minus_the_squared_distance_exactly():
    kernel, where = SUSPECTS["1 - |x - x'|^2"]
    witness = is_positive_definite(kernel, where).counterexample
    assert len(witness.points) == 2
    assert witness.exact
    assert witness.bound == 0.0


def power_of_e(m):
    """Enclose exp(-m) in fractions: the alternating series of 1 / e brackets it."""
    series, term = Fraction(0), Fraction(1)
    for k in range(30):
        series += term
        term /= -(k + 1)
    low, high = sorted((series, series + term))
    return low**m, high**m


NINETEEN = [
    "ab",
    "ba",
    "aaa",
    "aab",
    "aba",
    "abb",
    "baa",
    "bab",
    "bba",
    "bbb",
    "aaab",
    "aabb",
    "abab",
    "abba",
    "abbb",
    "baab",
    "baba",
    "ababa",
    "babab",
]
"""The smallest set known at which exp(-edit distance) fails, found by annealing."""


@pytest.mark.parametrize(("where", "size"), [("strings", 20), (NINETEEN, 19)])
def test_exp_of_edit_distance_is_refuted_in_interval_arithmetic(where, size):
    kernel, _ = SUSPECTS["exp(-edit distance)"]
    witness = is_positive_definite(kernel, where).counterexample
    weights = [Fraction(t) for t in witness.weights]
    high = Fraction(0)
    for a, x in zip(weights, witness.points, strict=True):
        for b, z in zip(weights, witness.points, strict=True):
            ends = [a * b * end for end in power_of_e(edit_distance(x, z))]
            high += max(ends)
    assert high < 0
    assert all(t == int(t) for t in witness.weights)
    assert len(witness.points) == size


@pytest.mark.parametrize(("letters", "longest", "least"), [("a", 6, 0.479), ("ab", 3, 0.125)])
def test_exp_of_edit_distance_is_definite_on_the_shortest_strings(letters, longest, least):
    words = ["".join(p) for m in range(longest + 1) for p in product(letters, repeat=m)]
    kernel, _ = SUSPECTS["exp(-edit distance)"]
    assert np.linalg.eigvalsh(kernel.gram(words))[0] == pytest.approx(least, abs=5e-4)
    assert is_positive_definite(kernel, words).settled


def test_tanh_is_refuted_by_two_points_on_a_line():
    """By hand: tanh(1.25) tanh(5) < tanh(2)^2, at x = 1/2 and x = 2."""
    assert math.tanh(1.25) * math.tanh(5) < math.tanh(2) ** 2
    result = is_positive_definite(SUSPECTS["tanh(1 + <x, x'>)"][0], [[0.5], [2.0]])
    assert len(result.counterexample.points) == 2


def test_a_sign_is_found():
    result = is_positive_definite(lambda x, z: -float(x @ z))
    assert len(result.counterexample.points) == 1


def test_what_is_not_symmetric_is_no_kernel():
    result = is_positive_definite(lambda x, z: float(x[0] - z[0] + 10))
    assert isinstance(result.counterexample, Asymmetry)
    assert "it is not symmetric" in str(result)


def test_given_points_settle_the_question_for_them():
    kernel, _ = SUSPECTS["1 - |x - x'|^2"]
    near = is_positive_definite(kernel, [[0.0], [0.5]])
    assert near
    assert near.settled
    assert "at the given points" in str(near)
    assert not is_positive_definite(kernel, [[0.0], [0.5], [3.0]])


def test_a_matrix_is_judged_by_its_rows():
    good = Gaussian(1.0).gram(np.random.default_rng(0).normal(size=(30, 2)))
    assert is_positive_definite(Precomputed(), good)
    bad = good.copy()
    bad[3, 7] = bad[7, 3] = 1.5
    result = is_positive_definite(Precomputed(), bad)
    assert set(result.counterexample.points) == {3, 7}


def test_rounding_is_no_counterexample():
    """A singular matrix has eigenvalues below 0 by rounding, of either sign."""
    X = np.random.default_rng(0).normal(size=(60, 2))
    K = Linear().gram(X)
    assert np.linalg.eigvalsh(K)[0] < 0
    assert is_positive_definite(Linear(), X)
    assert is_positive_definite(Precomputed(), K)


def test_many_points_are_searched_in_parts():
    X = np.random.default_rng(0).normal(size=(900, 2))
    result = is_positive_definite(Gaussian(1.0), X, tries=3)
    assert result
    assert result.sets == 3
    assert not result.settled


def test_the_search_can_be_repeated():
    kernel, where = SUSPECTS["tanh(1 + <x, x'>)"]
    one, two = (is_positive_definite(kernel, where, random_state=3) for _ in range(2))
    assert str(one) == str(two)
    assert one.seed == 3


BAD = [
    (lambda: is_positive_definite(3), "kernel must be a Kernel or a function"),
    (lambda: is_positive_definite(Linear(), "words"), "points must be 'numbers', 'histograms'"),
    (lambda: is_positive_definite(Linear(), []), "points must not be empty"),
    (lambda: is_positive_definite(Linear(), tries=0), "tries must be at least 1, got 0"),
    (lambda: is_positive_definite(Linear(), accuracy=-1), "accuracy must be at least 0, got -1"),
    (lambda: is_positive_definite(Precomputed()), "points must be the kernel matrix"),
    (lambda: is_positive_definite(lambda x, z: math.exp(800)), "no finite values at any"),
]


@pytest.mark.parametrize(("make", "message"), BAD)
def test_bad_input_is_named(make, message):
    with pytest.raises(InputError, match=message):
        make()


def barely_negative(x, z):
    """1 for equal points and 1.001 otherwise: the smallest eigenvalue of two points is -.001."""
    return 1.0 if x == z else 1.001


def test_a_negative_eigenvalue_within_the_errors_proves_nothing():
    # Errors of size e may move t'Kt by e (sum |t|)^2 = 2 e for t = (1, -1) / sqrt 2.
    K = np.array([[1.0, 1.001], [1.001, 1.0]])
    assert is_negative(K, 0.0004)
    assert not is_negative(K, 0.0006)


def test_a_witness_within_the_errors_proves_nothing():
    # t = (1, -1): the form is -.002, and errors of size e may add 4 e.
    kernel, t = FromFunction(barely_negative), np.array([1.0, -1.0])
    made = _judged(kernel, [0.0, 1.0], t, 0.0004)
    assert made.value == pytest.approx(-0.002)
    assert made.bound == pytest.approx(4 * 0.0004 * 1.001)
    assert _judged(kernel, [0.0, 1.0], t, 0.0006) is None
