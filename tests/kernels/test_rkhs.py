"""Functions of an RKHS against the laws of a Hilbert space and explicit coordinates."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from referee.errors import InputError
from referee.kernels import (
    FeatureMap,
    Gaussian,
    HistogramIntersection,
    Linear,
    Polynomial,
    RkhsFunction,
    explicit_map,
    section,
)

KERNELS = [Linear(), Polynomial(degree=2), Gaussian(gamma=0.5), HistogramIntersection()]
POINTS = np.array([[0.0, 1.0], [2.0, 0.5], [1.0, 1.0], [2.0, 0.5]])
WEIGHTS = st.lists(st.sampled_from([-2.0, -0.5, 0.0, 1.0, 3.0]), min_size=4, max_size=4)
CASES = {"kernel": st.sampled_from(KERNELS), "a": WEIGHTS, "b": WEIGHTS}


@given(**CASES)
@settings(deadline=None)
def test_the_reproducing_property(kernel, a, b):
    f = RkhsFunction(kernel, POINTS, a)
    for x in np.array([[0.5, 0.5], [2.0, 0.5], [0.0, 0.0]]):
        assert section(kernel, x) @ f == pytest.approx(float(f([x])[0]), abs=1e-12)


@given(**CASES)
@settings(deadline=None)
def test_the_laws_of_an_inner_product(kernel, a, b):
    f, g = RkhsFunction(kernel, POINTS, a), RkhsFunction(kernel, POINTS[::-1], b)
    assert f @ g == pytest.approx(g @ f, abs=1e-9)
    assert (2 * f + g) @ g == pytest.approx(2 * (f @ g) + g @ g, abs=1e-9)
    assert abs(f @ g) <= f.norm * g.norm + 1e-9
    assert (f + g).norm <= f.norm + g.norm + 1e-9
    assert f.distance(g) ** 2 == pytest.approx((f - g) @ (f - g), abs=1e-9)
    np.testing.assert_allclose((f + 3 * g)(POINTS), f(POINTS) + 3 * g(POINTS), atol=1e-12)
    # |f(x)| <= |f| sqrt(k(x, x)): evaluation is continuous.
    assert (np.abs(f(POINTS)) <= f.norm * np.sqrt(kernel.diagonal(POINTS)) + 1e-9).all()


@given(a=WEIGHTS, b=WEIGHTS)
@settings(deadline=None)
def test_norms_against_explicit_coordinates(a, b):
    kernel = Polynomial(degree=3)
    phi = explicit_map(kernel, 2)
    w, v = np.array(a) @ phi(POINTS), np.array(b) @ phi(POINTS)
    f, g = RkhsFunction(kernel, POINTS, a), RkhsFunction(kernel, POINTS, b)
    assert f @ g == pytest.approx(w @ v, abs=1e-8)
    assert f.norm == pytest.approx(np.linalg.norm(w), abs=1e-5)
    np.testing.assert_allclose(f(POINTS), phi(POINTS) @ w, atol=1e-9)


def test_different_sums_can_be_one_function():
    f = RkhsFunction(Linear(), [[1.0], [2.0]], [2.0, -1.0])
    assert f.norm == 0.0
    assert f([[5.0]]).tolist() == [0.0]


def test_strings_are_points_too():
    f = RkhsFunction(FeatureMap(len), ["cat", "horse"], [1.0, 2.0])
    assert f(["ox"]).tolist() == [26.0]
    assert f @ f == 13.0**2


def test_the_empty_sum_is_zero():
    nothing = RkhsFunction(Linear(), [], [])
    assert nothing([[1.0], [2.0]]).tolist() == [0.0, 0.0]
    assert nothing.norm == 0.0


BAD = [
    (lambda: RkhsFunction(Linear(), [[1.0]], [1.0, 2.0]), "a finite number for each of the 1"),
    (lambda: RkhsFunction(Linear(), [[1.0]], [np.nan]), "a finite number for each"),
    (lambda: RkhsFunction(len, [[1.0]], [1.0]), "kernel must be a Kernel"),
    (lambda: RkhsFunction(Gaussian(), [[1.0], [3.0]], [1.0, 1.0]), "depends on the data"),
    (lambda: section(Linear(), [1.0]) + section(Polynomial(), [1.0]), "different spaces"),
]


@pytest.mark.parametrize(("make", "message"), BAD)
def test_bad_input_is_named(make, message):
    with pytest.raises(InputError, match=message):
        make()
