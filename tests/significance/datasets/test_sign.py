"""The sign test, against scipy's binomial test and enumeration."""

from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from referee.errors import InputError
from referee.significance.datasets.sign import sign_test

lists = st.lists(st.sampled_from([-0.2, -0.1, 0.0, 0.1]), min_size=1, max_size=25)


@pytest.mark.parametrize(("wins", "losses"), [(5, 0), (11, 3), (7, 7), (1, 0), (20, 9)])
def test_against_scipy_without_ties(wins, losses):
    made = sign_test(np.array([0.1] * wins + [-0.1] * losses))
    oracle = stats.binomtest(wins, wins + losses)
    assert made.p_value == pytest.approx(oracle.pvalue)
    assert (made.statistic, made.n) == (max(wins, losses), wins + losses)


def test_ties_are_split_and_an_odd_one_dropped():
    even = np.array([0.1] * 9 + [-0.1] + [0.0] * 4)
    assert sign_test(even).p_value == pytest.approx(stats.binomtest(11, 14).pvalue)
    assert sign_test(np.append(even, 0.0)).p_value == sign_test(even).p_value
    assert sign_test(np.zeros(6)).p_value == 1
    assert sign_test(np.zeros(1)).p_value == 1


def test_rounding_does_not_break_ties():
    assert sign_test(np.array([0.3 - (0.1 + 0.2), 0.3 - 0.1])).statistic == 1


@pytest.mark.parametrize("chance_of_a_tie", [0.0, 0.2, 0.6])
def test_keeps_its_level_by_enumeration(chance_of_a_tie):
    n = 7
    chances = {0: chance_of_a_tie, 1: (1 - chance_of_a_tie) / 2, -1: (1 - chance_of_a_tie) / 2}
    outcomes = [
        (np.prod([chances[s] for s in signs]), sign_test(np.array(signs, dtype=float)).p_value)
        for signs in product((-1, 0, 1), repeat=n)
    ]
    for level in (0.02, 0.05, 0.2):
        assert sum(chance for chance, p in outcomes if p <= level) <= level + 1e-12


@given(d=lists)
def test_swapping_the_models_keeps_p(d):
    assert sign_test(np.array(d)) == sign_test(-np.array(d))


def test_bad_arguments():
    with pytest.raises(InputError, match=r"got shape \(0,\)"):
        sign_test(np.array([]))
    with pytest.raises(InputError, match="must be finite"):
        sign_test(np.array([np.nan]))
