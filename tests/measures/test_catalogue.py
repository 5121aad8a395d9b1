"""The catalogue of measures says about each what its function does."""

import numpy as np
import pytest

from referee.errors import InputError
from referee.measures import CATALOGUE, DEFAULT, measure_named

WITH_MATRIX = [m for m in CATALOGUE.values() if m.of_matrix is not None]


def test_names_are_keys_and_defaults_are_known():
    assert all(name == m.name for name, m in CATALOGUE.items())
    assert set(DEFAULT) <= set(CATALOGUE)
    assert DEFAULT[0] == "error"


@pytest.mark.parametrize("measure", WITH_MATRIX, ids=lambda m: m.name)
def test_direction_against_a_better_matrix(measure):
    more = (1,) if measure.positive else ()
    worse, better = np.array([[30.0, 20], [20, 30]]), np.array([[45.0, 5], [5, 45]])
    change = measure.of_matrix(better, *more) - measure.of_matrix(worse, *more)
    assert (change > 0) == measure.greater_is_better


@pytest.mark.parametrize("measure", [m for m in WITH_MATRIX if m.given], ids=lambda m: m.name)
def test_shares_are_shares_of_the_cases_they_name(measure):
    matrix = np.array([[7.0, 2, 1], [3, 11, 4], [0, 5, 9]])
    at = 1
    more = (at,) if measure.positive else ()
    positive = np.zeros((3, 3), bool)
    if measure.given == "all":
        inside = ~positive
        right = np.eye(3, dtype=bool)
    else:
        axis = 0 if measure.given == "truth" else 1
        member = np.indices((3, 3))[axis] == at
        inside = member if measure.of_class else ~member
        truth, answer = (np.indices((3, 3))[i] == at for i in (0, 1))
        right = truth == answer
    share = matrix[inside & right].sum() / matrix[inside].sum()
    expected = share if measure.greater_is_better else 1 - share
    assert measure.of_matrix(matrix, *more) == pytest.approx(expected)


def test_a_mistyped_name_is_answered_with_the_nearest():
    with pytest.raises(InputError, match="measure 'mmc' is unknown; did you mean 'mcc'"):
        measure_named("mmc")
