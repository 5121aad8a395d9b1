"""Selection bias against what is known on noise: every rule errs half of the time."""

import numpy as np
import pytest

from referee.errors import InputError
from referee.study import selection_bias


@pytest.fixture(scope="module")
def study():
    return selection_bias(n=40, features=80, kept=(5, 1), repetitions=12, random_state=1)


def test_nested_validation_reports_the_truth(study):
    for step in study.steps:
        assert abs(step.nested.value - 0.5) < 3.5 * step.nested.standard_error + 0.01


def test_leaking_validation_flatters(study):
    assert [s.kept for s in study.steps] == [1, 5]
    assert all(s.leaking.value + 4 * s.leaking.standard_error < 0.5 for s in study.steps)
    assert "inside each fold reports" in study.conclusion


def test_the_same_seed_gives_the_same_numbers_for_any_jobs(study):
    again = selection_bias(n=40, features=80, kept=(1, 5), repetitions=12, random_state=1, n_jobs=2)
    np.testing.assert_array_equal(again.frame(), study.frame())


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"kept": (0,)}, "kept must hold numbers between 1 and the 200 features"),
        ({"kept": (201,)}, "kept must hold numbers between 1 and the 200 features"),
        ({"kept": ()}, "kept must hold numbers"),
        ({"n": 8}, "n must be at least twice the 5 folds"),
        ({"k": 30}, "twice the 30 neighbours, got 50"),
        ({"repetitions": 1}, "repetitions must be a whole number of at least 2"),
    ],
)
def test_bad_requests(options, message):
    with pytest.raises(InputError, match=message):
        selection_bias(**options)
