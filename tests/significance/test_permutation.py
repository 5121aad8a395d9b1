"""Permutation p-values against counting, enumeration and the uniform distribution."""

from collections import Counter
from fractions import Fraction
from itertools import permutations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee.errors import InputError
from referee.significance.permutation import (
    check_permutations,
    fewest_permutations,
    permutation_p,
)


@given(
    observed=st.integers(0, 5),
    null=st.lists(st.integers(0, 5), min_size=1, max_size=40),
    greater=st.booleans(),
)
def test_against_counting_with_ties(observed, null, greater):
    as_well = sum(v >= observed if greater else v <= observed for v in null)
    made = permutation_p(observed, null, greater_is_better=greater)
    assert made.value == (1 + as_well) / (1 + len(null))
    assert made.exceedances == as_well
    assert not made.stopped


def test_what_is_equal_on_paper_is_a_tie():
    third = 1 - 2 / 3
    assert third != 1 / 3
    assert permutation_p(third, [1 / 3] * 9, greater_is_better=True).value == 1
    assert permutation_p(third, [1 / 3] * 9, greater_is_better=False).value == 1


def test_undefined_values_count_against_the_model():
    made = permutation_p(0.9, [np.nan, 0.5, np.nan], greater_is_better=True)
    assert made.value == 3 / 4


def test_stopping_reads_no_further_than_needed():
    values = iter([0.1, 0.9, 0.2, 0.95, 0.3, 0.99])
    made = permutation_p(0.8, values, greater_is_better=True, stop_after=2)
    assert (made.value, made.stopped, len(made.null)) == (2 / 4, True, 4)
    assert next(values) == 0.3


@pytest.mark.parametrize("h", [None, 1, 3, 10])
def test_size_by_the_exact_distribution_of_ranks(h):
    # Without ties the true labels are equally likely at every rank among m relabellings; given the
    # rank, the order of the others is arbitrary. P(p <= a) <= a must hold for every a.
    m, runs = 19, 4000
    rng = np.random.default_rng(0)
    draws = rng.random((runs, m + 1))
    p = np.array(
        [
            permutation_p(d[0], iter(d[1:]), greater_is_better=True, stop_after=h).value
            for d in draws
        ]
    )
    for a in (0.05, 0.1, 0.25, 0.5, 0.75):
        assert np.mean(p <= a) <= a + 4 * np.sqrt(a * (1 - a) / runs)
    if h is None:
        assert np.mean(p <= 0.05) == pytest.approx(0.05, abs=0.015)


@pytest.mark.parametrize("h", [None, 1, 2, 3, 6])
def test_size_by_enumeration(h):
    """Every order of the true value among m others, and of those, equally likely: exact."""
    m = 6
    orders = list(permutations(range(m + 1)))
    found = Counter(
        Fraction(
            permutation_p(d[0], iter(d[1:]), greater_is_better=True, stop_after=h).value
        ).limit_denominator(m + 1)
        for d in orders
    )
    assert sum(found.values()) == len(orders)
    for p in found:
        share = Fraction(sum(n for q, n in found.items() if q <= p), len(orders))
        assert share <= p


@pytest.mark.parametrize(("level", "least"), [(0.95, 19), (0.99, 99), (0.9, 9), (0.5, 1)])
def test_the_fewest_permutations(level, least):
    assert fewest_permutations(level) == least
    assert 1 / (1 + least) <= 1 - level + 1e-12
    check_permutations(least, level)
    with pytest.raises(InputError, match=f"at least {least}"):
        check_permutations(least - 1, level)


def test_a_number_that_is_none():
    with pytest.raises(InputError, match="permutations must be a whole number"):
        check_permutations(99.5, 0.95)
