"""Probabilities of quadratic forms against chi-square distributions, tails and simulation."""

from itertools import pairwise

import numpy as np
import pytest
from scipy import stats

from referee.study.truth.quadratic_form import positive_probability
from referee.study.truth.quadric import Quadric


def beyond(weights, radius2):
    """The set sum w_j x_j² > radius2 as a quadric."""
    return Quadric(-2 * np.diag(weights), np.zeros(len(weights)), -radius2)


@pytest.mark.parametrize("d", [1, 2, 3, 8, 40])
@pytest.mark.parametrize("q", [1e-30, 1e-12, 1e-3, 0.3, 0.9, 1 - 1e-9])
def test_against_the_chi_square_distribution(d, q):
    radius2 = stats.chi2.isf(q, d)
    made = positive_probability(beyond(np.ones(d), radius2), np.zeros(d), np.eye(d))
    # Relative accuracy, in tails that a sum of oscillations could not see.
    assert made.value == pytest.approx(stats.chi2.sf(radius2, d), rel=1e-11)
    assert made.error < 1e-13


@pytest.mark.parametrize("d", [1, 2, 5])
@pytest.mark.parametrize("shift", [0.1, 3.0, 12.0])
def test_against_the_noncentral_chi_square_distribution(d, shift):
    mean = np.zeros(d)
    mean[0] = shift
    for radius2 in (0.2, 4.0, 60.0, 250.0):
        made = positive_probability(beyond(np.ones(d), radius2), mean, np.eye(d))
        assert made.value == pytest.approx(stats.ncx2.sf(radius2, d, shift**2), abs=1e-11)


def test_against_the_f_distribution():
    # P(chi2_3 / 3 > 2.5 chi2_5 / 5): curvatures of both signs, and a cut at 0.
    made = positive_probability(
        beyond(np.r_[np.ones(3) / 3, -2.5 * np.ones(5) / 5], 0.0), np.zeros(8), np.eye(8)
    )
    assert made.value == pytest.approx(stats.f.sf(2.5, 3, 5), rel=1e-12)


def test_against_a_parabola():
    # y > x² with independent normals: one dimension is left to integrate.
    from scipy.integrate import quad

    parabola = Quadric(np.diag([2.0, 0.0]), np.array([0.0, 1.0]), 0.0)
    expected = quad(lambda x: stats.norm.pdf(x) * stats.norm.sf(x * x), -12, 12, epsabs=1e-14)[0]
    made = positive_probability(parabola, np.zeros(2), np.eye(2))
    assert made.value == pytest.approx(expected, abs=1e-13)


def test_against_a_cone_through_the_mean():
    # x y > 0 for correlation r: 1/2 + arcsin(r) / pi. The cut and the mean fall together.
    for r in (-0.9, 0.0, 0.5):
        product = Quadric(np.array([[0.0, -1.0], [-1.0, 0.0]]), np.zeros(2), 0.0)
        made = positive_probability(product, np.zeros(2), np.array([[1, r], [r, 1]]))
        assert made.value == pytest.approx(0.5 + np.arcsin(r) / np.pi, abs=1e-13)


def test_a_plane_is_a_normal_distribution_and_a_slight_bend_changes_little():
    plane = Quadric(np.zeros((3, 3)), np.array([1.0, 2.0, 2.0]), -1.5)
    exact = stats.norm.sf(0.5)
    assert positive_probability(plane, np.zeros(3), np.eye(3)).value == pytest.approx(exact)
    for bend in (1e-12, -1e-9, 1e-6):
        bent = Quadric(bend * np.diag([1.0, -2.0, 0.5]), plane.b, plane.c)
        made = positive_probability(bent, np.zeros(3), np.eye(3)).value
        assert made == pytest.approx(exact, abs=2 * abs(bend) + 1e-13)


def test_what_cannot_happen_has_probability_0_and_its_opposite_1():
    inside = Quadric(2 * np.eye(2), np.zeros(2), -1.0)
    assert positive_probability(inside, np.ones(2), np.eye(2)).value == 0
    outside = Quadric(-2 * np.eye(2), np.zeros(2), 1.0)
    assert positive_probability(outside, np.ones(2), np.eye(2)).value == 1


@pytest.mark.parametrize("seed", range(6))
def test_against_simulation(seed):
    rng = np.random.default_rng(seed)
    d = int(rng.integers(2, 9))
    half, root = rng.normal(size=(d, d)), rng.normal(size=(d, d + 1))
    g = Quadric(half + half.T, rng.normal(size=d), float(rng.normal()))
    mean, covariance = rng.normal(size=d), root @ root.T / d
    made = positive_probability(g, mean, covariance)
    X = rng.multivariate_normal(mean, covariance, size=200_000)
    seen = np.mean(g(X) > 0)
    assert abs(made.value - seen) < 4 * np.sqrt(seen * (1 - seen) / len(X))


@pytest.mark.parametrize("scale", [1e-8, 1.0, 1e8])
def test_a_positive_factor_changes_nothing(scale):
    g = Quadric(np.diag([1.0, -3.0, 0.2]), np.array([0.3, -1.0, 2.0]), 0.4)
    scaled = Quadric(scale * g.A, scale * g.b, scale * g.c)
    one = positive_probability(g, np.zeros(3), np.eye(3)).value
    assert positive_probability(scaled, np.zeros(3), np.eye(3)).value == pytest.approx(
        one, rel=1e-11
    )


def by_conditioning(curvature, slope, level):
    """P(q > 0) for two variables: given the second, the first decides between two roots."""

    def given_second(z):
        rest = level + slope[1] * z - curvature[1] * z * z / 2
        spread = slope[0] ** 2 + 2 * curvature[0] * rest
        if spread <= 0:
            return float(curvature[0] < 0)
        low, high = sorted((slope[0] + way * np.sqrt(spread)) / curvature[0] for way in (-1, 1))
        between = stats.norm.cdf(high) - stats.norm.cdf(low)
        return between if curvature[0] > 0 else 1 - between

    # The kinks: where the two roots are one. Between kinks the integrand is smooth.
    kinks = np.roots(
        [-curvature[0] * curvature[1], 2 * curvature[0] * slope[1],
         slope[0] ** 2 + 2 * curvature[0] * level]
    )  # fmt: skip
    cuts = np.unique(
        np.r_[-12.0, kinks.real[np.abs(kinks.imag) < 1e-9], np.linspace(-9, 9, 73), 12.0]
    )
    cuts = cuts[np.abs(cuts) <= 12]
    nodes, weights = np.polynomial.legendre.leggauss(60)
    total = 0.0
    for a, b in pairwise(cuts):
        # z = a + (b - a) w² (3 - 2 w) smooths square roots at both ends.
        w = (nodes + 1) / 2
        z = a + (b - a) * w * w * (3 - 2 * w)
        jacobian = (b - a) * 6 * w * (1 - w) / 2
        inner = np.array([given_second(one) for one in z])
        total += float((weights * jacobian * stats.norm.pdf(z) * inner).sum())
    return total


@pytest.mark.parametrize("seed", range(40))
def test_scales_that_differ_by_orders_of_magnitude_against_conditioning(seed):
    rng = np.random.default_rng(seed)
    curvature = rng.choice([-1, 1], 2) * 10 ** rng.uniform(-5, 1, 2)
    slope = rng.choice([-1, 1], 2) * 10 ** rng.uniform(-3, 1, 2)
    level = rng.normal() * 10 ** rng.uniform(-2, 1)
    first = int(np.argmin(np.abs(curvature)))
    order = [first, 1 - first]
    made = positive_probability(Quadric(np.diag(curvature), slope, level), np.zeros(2), np.eye(2))
    assert made.error < 1e-12
    expected = by_conditioning(curvature[order], slope[order], level)
    assert made.value == pytest.approx(expected, abs=2e-9)


def test_a_ridge_between_near_and_far_curvatures_does_not_cost_the_digits():
    # Met in a study of 400 cases a class: the estimated covariances are all but equal. On the arms
    # that other quadrics take, the integrand rises here by more than thirty orders of magnitude.
    curvature = np.array([-0.295305, -0.004351, 0.096404, 0.25483, 0.354716])
    slope = np.array([-0.29219, -0.56175, 1.43728, 2.07975, 1.79279])
    level = -3.82923
    made = positive_probability(Quadric(np.diag(curvature), slope, level), np.zeros(5), np.eye(5))
    draws = np.random.default_rng(0).standard_normal((1_000_000, 5))
    share = np.mean(level + draws @ slope - draws**2 @ curvature / 2 > 0)
    assert made.error < 1e-12
    assert abs(made.value - share) < 4 * np.sqrt(share * (1 - share) / len(draws))
