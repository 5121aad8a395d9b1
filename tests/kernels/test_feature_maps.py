"""Explicit feature maps against the kernels they belong to."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from referee.errors import InputError
from referee.kernels import (
    MAPS_OF_TWICE_THE_PRODUCT,
    FeatureMap,
    Gaussian,
    HistogramIntersection,
    Linear,
    Polynomial,
    explicit_map,
)

X = np.random.default_rng(2).integers(0, 5, size=(8, 3)).astype(float)

KERNELS = [
    Linear(),
    Polynomial(degree=1),
    Polynomial(degree=4),
    Polynomial(degree=3, scale=0.5, offset=2.0),
    Polynomial(degree=3, offset=0.0),
    HistogramIntersection(),
    2 * Linear() + 3,
    Linear() * Polynomial(degree=2) + HistogramIntersection(),
    FeatureMap(np.cumsum),
    FeatureMap(np.sum) * Linear(),
]


@pytest.mark.parametrize("kernel", KERNELS, ids=str)
def test_inner_products_of_images_are_kernel_values(kernel):
    phi = explicit_map(kernel, 3, largest=4)
    images = phi(X)
    assert images.shape == (8, len(phi))
    np.testing.assert_allclose(images @ images.T, kernel.gram(X), rtol=1e-12)


@given(
    degree=st.integers(1, 5), features=st.integers(1, 4), offset=st.sampled_from([0.0, 1.0, 2.5])
)
@settings(deadline=None, max_examples=30)
def test_polynomial_maps_have_the_size_of_theory(degree, features, offset):
    kernel = Polynomial(degree=degree, offset=offset)
    phi = explicit_map(kernel, features)
    size = (
        math.comb(features + degree, degree) if offset else math.comb(features + degree - 1, degree)
    )
    assert len(phi) == size == len(set(phi.names))
    Y = np.random.default_rng(0).normal(size=(4, features))
    np.testing.assert_allclose(phi(Y) @ phi(Y).T, kernel.gram(Y), atol=1e-8)


def test_the_notes_three_maps_differ_and_have_one_kernel():
    Y = np.array([[-1.5], [0.0], [2.0]])
    widths = set()
    for kernel in MAPS_OF_TWICE_THE_PRODUCT.values():
        np.testing.assert_allclose(kernel.gram(Y), 2 * Y @ Y.T)
        np.testing.assert_allclose(kernel.gram(Y), (2 * Linear()).gram(Y))
        widths.add(len(explicit_map(kernel, 1)))
    assert widths == {1, 2, 3}


def test_a_turned_map_has_the_same_kernel():
    phi = explicit_map(Polynomial(degree=2), 3)
    turn = np.linalg.qr(np.random.default_rng(1).normal(size=(len(phi), len(phi))))[0]
    turned = FeatureMap(lambda x: phi([x])[0] @ turn)
    assert not np.allclose(phi(X), phi(X) @ turn)
    np.testing.assert_allclose(turned.gram(X), Polynomial(degree=2).gram(X))


BAD = [
    (lambda: explicit_map(Gaussian(1.0), 2), "no finite feature map of Gaussian"),
    (lambda: explicit_map(Linear(), 0), "features must be a whole number of at least 1, got 0"),
    (lambda: explicit_map(Polynomial(degree=9), 30), "more than 100000"),
    (lambda: explicit_map(HistogramIntersection(), 2), "give largest"),
    (
        lambda: explicit_map(HistogramIntersection(), 1, largest=3)([[2.0], [4.0]]),
        "whole numbers up to largest=3, got 4.0 in row 1, column 0",
    ),
    (
        lambda: explicit_map(HistogramIntersection(), 1, largest=3)([[0.5]]),
        "whole numbers up to largest=3, got 0.5",
    ),
    (lambda: explicit_map(Linear(), 2)([[1.0]]), "X must have 2 columns, got 1"),
]


@pytest.mark.parametrize(("make", "message"), BAD)
def test_bad_input_is_named(make, message):
    with pytest.raises(InputError, match=message):
        make()
