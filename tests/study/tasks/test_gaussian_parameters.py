"""Messages for what is no Gaussian task."""

import numpy as np
import pytest

from referee.errors import InputError
from referee.measures.formulas.cost import Costs
from referee.study import GaussianTask

PAIR = [[0.0, 0.0], [1.0, 1.0]]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (
            (PAIR, [np.eye(2), [[1, 2], [2, 1]]]),
            "class 1 is not positive definite.*eigenvalue is -1",
        ),
        ((PAIR, [[[1, 1], [1, 1]], np.eye(2)]), "class 0 is not positive definite"),
        ((PAIR, [np.eye(2), [[1, 0.5], [0, 1]]]), r"class 1 is not symmetric.*\(0, 1\).*0.5 and 0"),
        ((PAIR, np.eye(3)), r"shape \(2, 2, 2\), or \(2, 2\) shared.*got \(3, 3\)"),
        (([[0.0, 0.0]], np.eye(2)), "two classes or more"),
        ((PAIR, np.eye(2), [0.5, 0.6]), "sum to 1, got 1.1"),
        ((PAIR, np.eye(2), [1.0, 0.0]), "above 0, got 0; leave that class out"),
        ((PAIR, np.eye(2), [1.0]), "2 numbers"),
        ((PAIR, np.eye(2), None, [[0, 1, 2]]), r"costs must have shape \(2, 2\)"),
        ((PAIR, np.eye(2), None, [[0, -1], [1, 0]]), "not be negative, got -1"),
        ((PAIR, np.eye(2), None, [[2, 1], [1, 0]]), "right answer for class 0"),
        (([[0.0], [1.0], [2.0]], np.eye(1), None, Costs(1, 2)), "3 by 3 matrix"),
        (([[0.0, np.nan], [1, 1]], np.eye(2)), "means must be finite"),
        (([[0.0], [1.0, 2.0]], np.eye(2)), "means must be an array of numbers"),
    ],
)
def test_messages(arguments, message):
    with pytest.raises(InputError, match=message):
        GaussianTask(*arguments)


def test_names_of_classes():
    with pytest.raises(InputError, match="2 different classes"):
        GaussianTask(PAIR, np.eye(2), classes=("a", "a"))


def test_parameters_cannot_be_changed_behind_the_task():
    task = GaussianTask(PAIR, np.eye(2))
    with pytest.raises(ValueError, match="read-only"):
        task.means[0] = 3
