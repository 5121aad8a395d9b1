"""Importance sampling against exact routes, also where errors are rare."""

import numpy as np
import pytest

from referee.study import EXAMPLES, GaussianTask, two_normals
from referee.study.truth.importance import overlap_risk

TASKS = {
    "example 1": EXAMPLES[1],
    "example 3": EXAMPLES[3],
    "rare errors": two_normals(5.0, 4),
    "costs with a price for being right": GaussianTask(
        [[0.0], [2.0]], np.eye(1), [0.3, 0.7], costs=[[0.5, 2.0], [3.0, 1.0]]
    ),
}


@pytest.mark.parametrize("name", TASKS)
def test_against_the_exact_route(name):
    task, seen = TASKS[name], []
    for seed in range(10):
        made = overlap_risk(task, draws=20_000, seed=seed)
        assert made.standard_error < 0.02 * made.value
        seen.append((made.value - task.bayes_risk().value) / made.standard_error)
    # Ten independent normal deviates: their mean and their spread.
    assert abs(np.mean(seen)) < 4 / np.sqrt(10)
    assert 0.3 < np.std(seen, ddof=1) < 2.0


def test_general_costs_of_three_classes_against_plain_simulation():
    costs = [[0, 1, 4], [2, 0, 1], [1, 5, 0]]
    task = GaussianTask([[0, 0, 0], [1.5, 0, 0], [0, 1.5, 1]], np.eye(3), [0.3, 0.3, 0.4], costs)
    made = task.bayes_risk()
    assert made.method == "importance sampling"
    X, _ = task.sample(200_000, 1)
    least = task.expected_costs(X).min(axis=1)
    error = np.hypot(made.standard_error, least.std() / np.sqrt(len(X)))
    assert abs(made.value - least.mean()) < 4 * error


def test_the_same_seed_gives_the_same_number():
    one, other = (overlap_risk(EXAMPLES[2], draws=1000, seed=3).value for _ in range(2))
    assert one == other
