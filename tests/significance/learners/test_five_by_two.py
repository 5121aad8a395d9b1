"""5 × 2 cv tests, against the formulas written out and the law of normal differences."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from scipy import stats

from referee.core.calibration_record import calibrated
from referee.errors import InputError
from referee.significance import (
    five_by_two_f,
    five_by_two_t,
)

tables = arrays(float, (5, 2), elements=st.integers(-20, 20).map(lambda i: i / 40))


def written_out(d):
    variances = []
    for a, b in d:
        m = (a + b) / 2
        variances.append((a - m) ** 2 + (b - m) ** 2)
    return d[0][0] / (sum(variances) / 5) ** 0.5, (d**2).sum() / (2 * sum(variances))


def test_against_the_formulas_of_dietterich_and_alpaydin():
    d = np.random.default_rng(0).normal(0.05, 0.1, (5, 2))
    t, f = written_out(d)
    made = five_by_two_t(d, n=100)
    assert made.statistic == pytest.approx(t)
    assert made.p_value == pytest.approx(2 * stats.t.sf(abs(t), 5))
    assert (made.df, made.n, five_by_two_f(d, n=100).n) == (5, 100, 100)
    assert five_by_two_f(d).statistic == pytest.approx(f)
    assert five_by_two_f(d).p_value == pytest.approx(stats.f.sf(f, 10, 5))


@given(d=tables)
def test_swapping_the_models_negates(d):
    made, swapped = five_by_two_t(d), five_by_two_t(-d)
    assert swapped.statistic == -made.statistic
    assert swapped.p_value == made.p_value
    assert five_by_two_f(d) == five_by_two_f(-d)


def test_the_t_depends_on_the_order_of_folds_and_says_so_the_f_does_not():
    d = np.random.default_rng(2).normal(0.05, 0.1, (5, 2))
    assert five_by_two_t(d).p_value != five_by_two_t(d[:, ::-1]).p_value
    assert five_by_two_f(d).statistic == pytest.approx(five_by_two_f(d[::-1, ::-1]).statistic)
    assert "order of the folds" in five_by_two_t(d).flag
    for test, evidence in (("5x2cv-t", five_by_two_t(d)), ("5x2cv-f", five_by_two_f(d))):
        assert f"{calibrated(test, quantity='size').worst:.3f} at worst" in evidence.flag


def test_where_nothing_varied():
    for test in (five_by_two_t, five_by_two_f):
        assert test(np.zeros((5, 2))).p_value == 1
        assert test(np.zeros((5, 2))).statistic == 0
        same = test(np.full((5, 2), 0.1))
        assert (same.p_value, same.statistic) == (0, np.inf)
        assert "cannot be told" in same.flag
    first_is_zero = np.array([[0.0, 0.0]] + [[0.1, 0.1]] * 4)
    assert five_by_two_t(first_is_zero).p_value == 1


def test_bad_arguments():
    with pytest.raises(InputError, match=r"shape \(5, 2\), 5 halvings by 2 folds, got \(2, 5\)"):
        five_by_two_t(np.zeros((2, 5)))
    with pytest.raises(InputError, match="must be finite"):
        five_by_two_f(np.full((5, 2), np.nan))
