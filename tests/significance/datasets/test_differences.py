"""Differences freed of rounding noise."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee.errors import InputError
from referee.significance.datasets.differences import checked_differences

scores = st.lists(st.tuples(st.integers(0, 1000), st.integers(0, 1000)), min_size=1, max_size=20)


@given(pairs=scores)
def test_ties_of_decimal_scores_against_whole_numbers(pairs):
    first, second = np.array(pairs).T
    whole = first - second
    made = checked_differences(first / 1000 - second / 1000)
    assert np.array_equal(np.sign(made), np.sign(whole))
    for i in range(len(whole)):
        assert np.array_equal(np.abs(made) == abs(made[i]), np.abs(whole) == abs(whole[i]))
    assert made == pytest.approx(whole / 1000)


@given(pairs=scores)
def test_swapping_the_models_negates(pairs):
    d = np.array([a / 1000 - b / 1000 for a, b in pairs])
    assert np.array_equal(checked_differences(-d), -checked_differences(d))


@pytest.mark.parametrize("bad", [[], [[0.1]], [np.nan], [np.inf, 1.0]])
def test_bad_arguments(bad):
    with pytest.raises(InputError, match="differences must be"):
        checked_differences(np.array(bad))
