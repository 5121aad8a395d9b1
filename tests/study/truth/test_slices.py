"""Slices against nested quadrature and closed forms."""

import math

import numpy as np
import pytest
from scipy import stats
from scipy.integrate import dblquad

from referee.study import EXAMPLES, GaussianTask
from referee.study.truth.slices import _roots, risk_by_slices


def dense(task):
    """R_min = the integral of the smallest sum of the other joint densities, by brute force."""
    low = (task.means - 9 * np.sqrt(task.covariances[:, [0, 1], [0, 1]])).min(axis=0)
    high = (task.means + 9 * np.sqrt(task.covariances[:, [0, 1], [0, 1]])).max(axis=0)
    x, y = (np.linspace(a, b, 901) for a, b in zip(low, high, strict=True))
    points = np.column_stack([v.ravel() for v in np.meshgrid(x, y)])
    joint = task.densities(points).joint
    least = (joint @ task.cost_matrix).min(axis=1)
    return least.sum() * (x[1] - x[0]) * (y[1] - y[0])


@pytest.mark.parametrize("number", EXAMPLES)
def test_examples_against_a_grid(number):
    assert EXAMPLES[number].bayes_risk("slices").value == pytest.approx(
        dense(EXAMPLES[number]), abs=5e-6
    )


def test_example_3_against_dblquad():
    # In polar coordinates around the small class, with numbers typed in from the notes.
    def least(angle, radius):
        away = (radius * math.cos(angle) - 0.3) ** 2 + (radius * math.sin(angle) + 0.4) ** 2
        wide = 11 / 12 * math.exp(-away / 0.18) / (2 * math.pi * 0.09)
        narrow = 1 / 12 * math.exp(-(radius**2) / 0.0032) / (2 * math.pi * 0.0016)
        return radius * min(wide, narrow)

    pieces = ((0, 0.09), (0.09, 0.11), (0.11, 0.4))
    made = sum(dblquad(least, a, b, 0, 2 * math.pi, epsabs=1e-8)[0] for a, b in pieces)
    assert EXAMPLES[3].bayes_risk("slices").value == pytest.approx(made, abs=1e-7)


def test_three_classes_and_costs_of_each_class_against_a_grid():
    task = GaussianTask(
        [[0, 0], [2, 0], [1, 2]],
        [np.eye(2), [[1, 0.5], [0.5, 1]], np.diag([0.3, 2])],
        [0.2, 0.5, 0.3],
        costs=[[0, 3, 3], [1, 0, 1], [2, 2, 0]],
    )
    made = task.bayes_risk("slices")
    assert made.value == pytest.approx(dense(task), abs=1e-5)
    assert made.error < 1e-10


def test_one_dimension_against_normal_distribution_functions():
    # Three classes on a line, borders half way.
    task = GaussianTask([0.0, 2.0, 5.0], [1.0, 1.0, 1.0])
    q = stats.norm.sf
    expected = (q(1.0) + (q(1.0) + q(1.5)) + q(1.5)) / 3
    assert task.bayes_risk().value == pytest.approx(expected, abs=1e-14)


def test_a_turned_task_has_the_same_risk():
    task = EXAMPLES[2]
    for angle in (0.3, 1.2):
        turn = np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])
        turned = GaussianTask(task.means @ turn.T, turn @ task.covariances @ turn.T, task.priors)
        assert turned.bayes_risk("slices").value == pytest.approx(
            task.bayes_risk("slices").value, abs=1e-12
        )


@pytest.mark.parametrize(
    ("polynomial", "roots"),
    [
        ((0, 0, 0), []),
        ((0, 0, 1), []),
        ((0, 2, 1), [-0.5]),
        ((1, 0, 1), []),
        ((1, -3, 2), [1, 2]),
        ((1, -1e9, 1), [1e-9, 1e9]),
    ],
)
def test_roots(polynomial, roots):
    np.testing.assert_allclose(sorted(_roots(*map(float, polynomial))), roots, rtol=1e-14)


def test_one_decision_takes_all():
    from referee.study.truth.quadric import Quadric

    rules = [Quadric(np.zeros((1, 1)), np.zeros(1), c) for c in (0.0, 1.0)]
    losses = np.array([[0.0, 0.3], [0.7, 0.0]])
    made = risk_by_slices(np.zeros((2, 1)), np.ones((2, 1, 1)), losses, rules)
    assert made.value == pytest.approx(0.3)


def test_a_narrow_class_is_not_stepped_over():
    # The narrow class is cut d standard deviations from its mean; the wide ones see one line.
    from referee.study.truth.quadric import Quadric

    rng = np.random.default_rng(0)
    flat = np.zeros((2, 2))
    for _ in range(12):
        at, away, way = rng.normal(size=(3, 2)), rng.uniform(0, 4), rng.normal(size=2)
        way /= np.linalg.norm(way)
        variances = np.array([1.0, 2.0, 1e-8])
        covariances = variances[:, None, None] * np.eye(2)
        cut = float(way @ at[2]) - away * 1e-4
        never = Quadric(flat, np.zeros(2), -1e3)
        rules = [Quadric(flat, np.zeros(2), 0.0), never, Quadric(flat, way, -cut)]
        losses = np.array([0.2, 0.2, 0.6])[:, None] * (1 - np.eye(3))
        made = risk_by_slices(at, covariances, losses, rules)
        last = stats.norm.sf((cut - at @ way) / np.sqrt(variances))
        expected = 0.2 * last[0] + 0.2 + 0.6 * (1 - last[2])
        assert made.value == pytest.approx(expected, abs=1e-9)
