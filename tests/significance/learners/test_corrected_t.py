"""The corrected t, against its formula and Student's t as a limit."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from referee.core.results import Target
from referee.errors import InputError
from referee.intervals import corrected_t as corrected_interval
from referee.significance.learners.corrected_t import corrected_contrast, corrected_t

D = np.array([0.03, -0.01, 0.05, 0.02, 0.04, 0.0])
lists = st.lists(st.integers(-20, 20).map(lambda i: i / 50), min_size=2, max_size=30)


@pytest.mark.parametrize(("n_train", "n_test"), [(90, 10), (60, 30), (50, 50)])
def test_against_the_formula_of_nadeau_and_bengio(n_train, n_test):
    J = len(D)
    mean = sum(D) / J
    s2 = sum((d - mean) ** 2 for d in D) / (J - 1)
    t = mean / ((1 / J + n_test / n_train) * s2) ** 0.5
    made = corrected_t(D, n_train, n_test)
    assert (made.statistic, made.df) == (pytest.approx(t), J - 1)
    assert made.p_value == pytest.approx(2 * stats.t(J - 1).sf(abs(t)))
    assert (made.test, made.target, made.n) == ("corrected-t", Target.EXPECTED, n_train + n_test)


def test_against_scipy_without_overlap():
    made = corrected_t(D, 1e15, 1)
    oracle = stats.ttest_1samp(D, 0)
    assert (made.statistic, made.p_value) == pytest.approx((oracle.statistic, oracle.pvalue))


def test_interval_against_the_interval_of_one_learner():
    means = np.array([0.31, 0.22, 0.27, 0.35])
    made = corrected_contrast(means, 75, 25).interval()
    oracle = corrected_interval(means, 75, 25)
    assert (made.low, made.high) == pytest.approx((oracle.low, oracle.high))


@given(d=lists)
def test_swapping_the_models_negates(d):
    made, swapped = (corrected_t(sign * np.array(d), 90, 10) for sign in (1, -1))
    assert swapped.statistic == -made.statistic
    assert swapped.p_value == made.p_value


def test_where_nothing_varied():
    assert corrected_t(np.zeros(5), 80, 20).p_value == 1
    assert corrected_t(np.zeros(5), 80, 20).flag == ""
    same = corrected_t(np.full(7, 0.1), 80, 20)
    assert same.p_value == 0
    assert "same difference" in same.flag


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: corrected_t(np.array([0.1]), 9, 1), "at least 2 splits"),
        (lambda: corrected_t(np.zeros((2, 2)), 9, 1), r"got shape \(2, 2\)"),
        (lambda: corrected_t(np.array([0.1, np.nan]), 9, 1), "must be finite"),
        (lambda: corrected_t(D, 0, 1), "n_train and n_test must be positive, got 0 and 1"),
    ],
)
def test_bad_arguments(call, message):
    with pytest.raises(InputError, match=message):
        call()
