"""Every task with known truth keeps the same promises."""

import numpy as np
import pytest

from referee.errors import InputError
from referee.study import CATALOGUE, EXAMPLES, Task
from referee.study.tasks.task import codes_of

TASKS = {**{name: make() for name, make in CATALOGUE.items()}, "example 2": EXAMPLES[2]}


@pytest.fixture(params=TASKS)
def task(request):
    return TASKS[request.param]


def many(task):
    """As many cases as a test of moderate length bears."""
    return min(100_000, 2_000_000 // task.n_features)


def test_it_is_a_task(task):
    assert isinstance(task, Task)


def test_the_seed_decides_the_sample(task):
    (X, y), (again, same) = task.sample(50, 3), task.sample(50, 3)
    np.testing.assert_array_equal(X, again)
    np.testing.assert_array_equal(y, same)
    assert X.shape == (50, task.n_features)
    assert not np.array_equal(X, task.sample(50, 4)[0])


def test_counts_per_class(task):
    counts = [7 + i for i in range(len(task.classes))]
    X, y = task.sample_per_class(counts, 0)
    assert [int((y == c).sum()) for c in task.classes] == counts
    assert len(X) == sum(counts)


def test_the_bayes_rule_has_the_bayes_risk_on_a_large_sample(task):
    X, y = task.sample(many(task), 1)
    seen = np.mean(task.predict(X) != y)
    expected = task.bayes_risk().value
    assert abs(seen - expected) < 4 * np.sqrt(expected * (1 - expected) / len(y))


def test_posteriors_are_calibrated(task):
    X, y = task.sample(many(task), 2)
    p = task.posteriors(X)[:, 1]
    np.testing.assert_allclose(task.posteriors(X).sum(axis=1), 1)
    hit = y == task.classes[1]
    for low, high in ((0, 0.1), (0.1, 0.5), (0.5, 0.9), (0.9, 1)):
        rows = (p >= low) & (p <= high)
        if rows.sum() > 50:
            gap = hit[rows].mean() - p[rows].mean()
            assert (
                abs(gap) < 4.5 * np.sqrt(p[rows].mean() * (1 - p[rows].mean()) / rows.sum()) + 1e-9
            )


def test_no_posterior_can_beat_the_bayes_risk(task):
    X, _ = task.sample(many(task), 3)
    least = task.expected_costs(X).min(axis=1)
    gap = least.mean() - task.bayes_risk().value
    assert abs(gap) < 4 * least.std() / np.sqrt(len(X))


def test_messages(task):
    with pytest.raises(InputError, match="n must be a whole number of at least 1, got 0"):
        task.sample(0)
    with pytest.raises(InputError, match="counts must give a number for each of 2 classes"):
        task.sample_per_class([1])
    with pytest.raises(InputError, match="columns"):
        task.posteriors(np.zeros((3, task.n_features + 1)))
    with pytest.raises(InputError, match="'c' is no class of the task"):
        codes_of(task, np.array(["c"]))
