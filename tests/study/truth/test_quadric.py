"""Quadrics against scipy's densities and by substitution."""

import numpy as np
import pytest
from scipy import stats

from referee.study.truth.quadric import Quadric, log_density


def spread(rng, d):
    root = rng.normal(size=(d, d + 2))
    return root @ root.T


@pytest.mark.parametrize("d", [1, 2, 5])
def test_log_density_against_scipy(d):
    rng = np.random.default_rng(d)
    mean, covariance, X = rng.normal(size=d), spread(rng, d), rng.normal(size=(20, d))
    expected = stats.multivariate_normal(mean, covariance).logpdf(X)
    np.testing.assert_allclose(log_density(mean, covariance)(X), expected, rtol=1e-11)


def test_substitution_is_composition():
    rng = np.random.default_rng(0)
    g = Quadric(spread(rng, 3), rng.normal(size=3), 0.7)
    offset, matrix, z = rng.normal(size=3), rng.normal(size=(3, 2)), rng.normal(size=(9, 2))
    np.testing.assert_allclose(g.substituted(offset, matrix)(z), g(offset + z @ matrix.T))


def test_differences_and_shifts():
    X = np.random.default_rng(0).normal(size=(9, 2))
    one, other = Quadric(np.eye(2), np.ones(2), 1.0), Quadric(-np.eye(2), np.zeros(2), 3.0)
    np.testing.assert_allclose((one - other)(X), one(X) - other(X))
    np.testing.assert_allclose((one + 2.5)(X), one(X) + 2.5)
