"""Kernels the user gives against the functions they are made of."""

import numpy as np
import pytest

from referee.errors import InputError
from referee.kernels import FeatureMap, FromFunction, Linear, Polynomial, edit_distance

X = np.random.default_rng(0).normal(size=(7, 2))
WORDS = ["", "a", "cat", "tack", "dog"]


def squares(x):
    return [x[0] ** 2, np.sqrt(2) * x[0] * x[1], x[1] ** 2]


def test_a_feature_map_of_squares_is_the_homogeneous_polynomial_kernel():
    theirs = Polynomial(degree=2, offset=0.0)
    np.testing.assert_allclose(FeatureMap(squares).gram(X), theirs.gram(X))
    np.testing.assert_allclose(FeatureMap(squares).diagonal(X), theirs.diagonal(X))
    rows = FeatureMap(squares).prepare(X)
    np.testing.assert_allclose(rows.block([3]), theirs.gram(X)[[3]])
    np.testing.assert_allclose(rows.against(X[:2]), theirs.gram(X[:2], X))


def test_a_number_for_a_point_gives_f_times_f():
    lengths = np.array([len(w) for w in WORDS])
    np.testing.assert_array_equal(FeatureMap(len).gram(WORDS), np.outer(lengths, lengths))


def test_functions_of_any_objects():
    def near(x, z):
        return 1 / (1 + edit_distance(x, z))

    kernel = FromFunction(near)
    expected = [[near(x, z) for z in WORDS] for x in WORDS]
    np.testing.assert_allclose(kernel.gram(WORDS), expected)
    np.testing.assert_allclose(kernel.gram(WORDS, ["a"]), np.array(expected)[:, [1]])
    np.testing.assert_allclose(kernel.prepare(WORDS).block([2, 0]), np.array(expected)[[2, 0]])
    np.testing.assert_allclose(kernel.diagonal(WORDS), 1.0)


def test_functions_see_rows_of_a_table():
    kernel = FromFunction(lambda x, z: float(x @ z))
    np.testing.assert_allclose(kernel.gram(X), Linear().gram(X))
    assert str(kernel) == "k(x, x')"


def test_a_function_that_is_not_symmetric_stays_so():
    K = FromFunction(lambda x, z: len(x)).gram(WORDS)
    assert K[1, 2] == 1
    assert K[2, 1] == 3


BAD = [
    (lambda: FeatureMap(3), "phi must be a function of one point, got 3"),
    (
        lambda: FeatureMap(lambda x: list(range(len(x)))).gram(["a", "bc"]),
        "vectors of one length, got 1 numbers for point 0 of X and 2 for point 1",
    ),
    (
        lambda: FeatureMap(lambda x: list(range(len(x)))).gram(["a"], ["bc"]),
        "vectors of one length|same number of columns",
    ),
    (lambda: FeatureMap(str).gram([1, 2]).shape and FeatureMap(lambda x: "b").gram([1]), "got 'b'"),
    (lambda: FeatureMap(lambda x: [[1.0]]).gram([1]), "a vector of finite numbers"),
    (lambda: FeatureMap(lambda x: [np.nan]).gram([1]), "a vector of finite numbers"),
    (lambda: FromFunction("k"), "function must take two points, got 'k'"),
    (lambda: FromFunction(lambda x, z: "b").gram(["a"]), "must return a number, got 'b' for 'a'"),
    (lambda: FromFunction(lambda x, z: None).gram(["a"]), "must return a number, got None"),
    (lambda: FromFunction(lambda x, z: np.inf).gram(["a"]), "must return finite numbers, got inf"),
    (lambda: FromFunction(edit_distance).gram("words"), r"X must be a list of points, got 'words'"),
    (lambda: FromFunction(edit_distance).gram(3), "X must be a list of points, got 3"),
]


@pytest.mark.parametrize(("make", "message"), BAD)
def test_bad_functions_are_named(make, message):
    with pytest.raises(InputError, match=message):
        make()
