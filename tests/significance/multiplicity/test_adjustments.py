"""Adjusted p-values, against statsmodels."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from statsmodels.stats.multitest import multipletests

from referee.errors import InputError
from referee.significance import ADJUSTMENTS

NAMES = {"holm": "holm", "hochberg": "simes-hochberg", "benjamini-hochberg": "fdr_bh"}
values = st.lists(st.integers(0, 100).map(lambda i: i / 100), min_size=1, max_size=20)


@pytest.mark.parametrize("name", ADJUSTMENTS)
@given(p=values)
def test_against_statsmodels(name, p):
    assert ADJUSTMENTS[name].compute(p) == pytest.approx(multipletests(p, method=NAMES[name])[1])


@pytest.mark.parametrize("name", ADJUSTMENTS)
@given(p=values, order=st.randoms())
def test_in_the_given_order_never_smaller(name, p, order):
    adjust = ADJUSTMENTS[name].compute
    positions = list(range(len(p)))
    order.shuffle(positions)
    made = adjust(p)
    assert np.all(made >= np.array(p) - 1e-15)
    assert adjust(np.array(p)[positions]) == pytest.approx(made[positions])


@pytest.mark.parametrize("name", ADJUSTMENTS)
def test_one_and_none(name):
    assert ADJUSTMENTS[name].compute([0.03]).tolist() == [0.03]
    assert ADJUSTMENTS[name].compute([]).tolist() == []


@pytest.mark.parametrize("name", ADJUSTMENTS)
@pytest.mark.parametrize("bad", [float("nan"), -0.1, 1.1])
def test_bad_arguments(name, bad):
    with pytest.raises(InputError, match=f"between 0 and 1, got {bad} at position 1"):
        ADJUSTMENTS[name].compute([0.5, bad])
    with pytest.raises(InputError, match=r"got shape \(1, 1\)"):
        ADJUSTMENTS[name].compute([[0.5]])
