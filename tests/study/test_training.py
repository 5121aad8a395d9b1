"""What answers cost, whatever order the classes have."""

import numpy as np
import pytest
from sklearn.naive_bayes import GaussianNB

from referee.study import GaussianTask
from referee.study.training import mean_cost, trained


def test_classes_in_another_order_than_their_names():
    task = GaussianTask([[0.0], [1.0]], np.eye(1), costs=[[0, 1], [7, 0]], classes=("z", "a"))
    X, y = task.sample(60, 0)
    made = trained(GaussianNB(), X, y)
    answers = made.model.predict(X)
    expected = np.mean(np.where(y == answers, 0, np.where(y == "a", 7, 1)))
    assert mean_cost(task, made.predictions) == pytest.approx(expected)
