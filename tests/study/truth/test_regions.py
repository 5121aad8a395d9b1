"""Rules of several quadrics: what a projection may and may not change."""

import numpy as np
import pytest

from referee.study import GaussianTask
from referee.study.truth.bayes_risk import bayes_discriminants
from referee.study.truth.quadric import Quadric
from referee.study.truth.regions import projected, risk_of_quadrics


def hidden(d, seed=0):
    """Three classes that differ in two directions of d, seen through a random linear map."""
    rng = np.random.default_rng(seed)
    map_ = rng.normal(size=(d, d))
    means = np.zeros((3, d))
    means[1, 0], means[2, 1] = 2.0, 1.5
    covariances = np.array([np.eye(d)] * 3)
    covariances[1, :2, :2] = [[2.0, 0.4], [0.4, 0.6]]
    flat = GaussianTask(means[:, :2], covariances[:, :2, :2], [0.2, 0.3, 0.5])
    return flat, GaussianTask(means @ map_.T, map_ @ covariances @ map_.T, [0.2, 0.3, 0.5])


@pytest.mark.parametrize("d", [3, 7])
def test_directions_that_do_not_matter_are_found(d):
    flat, deep = hidden(d)
    assert projected(deep.means, deep.covariances, bayes_discriminants(deep))[0].shape == (3, 2)
    assert deep.bayes_risk().method == "slices"
    assert deep.bayes_risk().value == pytest.approx(flat.bayes_risk().value, abs=1e-9)


def test_no_formula_for_three_quadrics_in_three_dimensions():
    rng = np.random.default_rng(0)
    rules = [Quadric(np.diag(rng.random(3)), rng.normal(size=3), 0.0) for _ in range(3)]
    args = np.zeros((2, 3)), np.array([np.eye(3)] * 2), np.ones((2, 3))
    assert risk_of_quadrics(*args, rules) is None


def test_one_decision_costs_what_it_costs():
    rule = Quadric(np.zeros((2, 2)), np.zeros(2), 0.0)
    args = np.zeros((2, 2)), np.array([np.eye(2)] * 2), np.array([[0.1], [0.3]])
    assert risk_of_quadrics(*args, [rule]).value == pytest.approx(0.4)
