"""The notes' t over folds, against scipy; what it refuses."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from referee.core.calibration_record import calibrated
from referee.core.results import Target
from referee.errors import InputError, Refusal
from referee.significance.learners.kfold_t import kfold_contrast, kfold_t

D = np.array([0.03, -0.01, 0.05, 0.02, 0.04, 0.0, 0.01, 0.02, -0.02, 0.06])
lists = st.lists(st.integers(-20, 20).map(lambda i: i / 50), min_size=2, max_size=30)


def test_against_scipy():
    oracle = stats.ttest_1samp(D, 0)
    made = kfold_t(D, n=200)
    assert (made.statistic, made.p_value) == pytest.approx((oracle.statistic, oracle.pvalue))
    assert (made.df, made.n, made.target) == (9, 200, Target.EXPECTED)
    interval = kfold_contrast(D).interval()
    assert (interval.low, interval.high) == pytest.approx(oracle.confidence_interval())


def test_says_its_measured_size():
    record = calibrated("kfold-t", quantity="size")
    assert f"{record.mean:.3f} on average" in kfold_t(D).flag
    assert f"{record.worst:.3f} at worst" in kfold_t(D).flag


@given(d=lists)
def test_swapping_the_models_negates(d):
    made, swapped = (kfold_t(sign * np.array(d)) for sign in (1, -1))
    assert swapped.statistic == -made.statistic
    assert swapped.p_value == made.p_value


def test_where_nothing_varied():
    assert kfold_t(np.zeros(5)).p_value == 1
    assert "same" not in kfold_t(np.zeros(5)).flag
    assert kfold_t(np.full(10, 0.1)).p_value == 0
    assert "same difference" in kfold_t(np.full(10, 0.1)).flag


def test_refusals_name_the_alternative():
    with pytest.raises(Refusal, match=r"every case 10 times.*use calibrated-t or corrected-t"):
        kfold_t(np.tile(D, 10), repetitions=10)
    with pytest.raises(Refusal, match=r"repeated holdouts.*use corrected-t"):
        kfold_t(D, resampled=True)


def test_bad_arguments():
    with pytest.raises(InputError, match="at least 2 of them"):
        kfold_t(D[:1])
    with pytest.raises(InputError, match="must be finite"):
        kfold_t(np.array([0.1, np.inf]))
