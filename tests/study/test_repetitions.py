"""Repetitions have seeds of their own, so that any number of jobs gives the same numbers."""

import numpy as np
import pytest

from referee.errors import InputError
from referee.study.repetitions import mean_of, repeated


def test_any_number_of_jobs_gives_the_same_numbers():
    def once(seed):
        return np.random.default_rng(seed).normal(size=2)

    np.testing.assert_array_equal(repeated(once, 6, 3), repeated(once, 6, 3, n_jobs=2))
    assert len(np.unique(repeated(once, 6, 3))) == 12


def test_one_repetition_has_no_standard_error():
    with pytest.raises(InputError, match="at least 2, got 1"):
        repeated(float, 1)


def test_the_standard_error():
    values = np.random.default_rng(0).normal(size=400)
    assert mean_of(values).standard_error == pytest.approx(values.std(ddof=1) / 20)
