"""Student's t over splits, against scipy and statsmodels."""

import numpy as np
import pytest
from scipy import stats
from sklearn.tree import DecisionTreeClassifier
from statsmodels.stats.weightstats import DescrStatsW

import referee
from referee.core.results import Target
from referee.errors import InputError
from referee.intervals import corrected_t, student_t

MEANS = np.array([0.31, 0.22, 0.27, 0.35, 0.19, 0.25, 0.30])


@pytest.mark.parametrize("level", [0.5, 0.9, 0.95, 0.99])
def test_student_t_against_statsmodels(level):
    made = student_t(MEANS, level)
    assert (made.low, made.high) == pytest.approx(DescrStatsW(MEANS).tconfint_mean(1 - level))
    assert made.target is Target.EXPECTED


@pytest.mark.parametrize("level", [0.5, 0.9, 0.95, 0.99])
def test_student_t_against_scipy(level):
    oracle = stats.ttest_1samp(MEANS, 0).confidence_interval(level)
    made = student_t(MEANS, level)
    assert (made.low, made.high) == pytest.approx((oracle.low, oracle.high))


@pytest.mark.parametrize(("n_train", "n_test"), [(90, 10), (60, 30), (50, 50)])
def test_corrected_t_against_the_formula_of_nadeau_and_bengio(n_train, n_test):
    J = len(MEANS)
    mean = sum(MEANS) / J
    s2 = sum((m - mean) ** 2 for m in MEANS) / (J - 1)
    half = stats.t(J - 1).isf(0.025) * ((1 / J + n_test / n_train) * s2) ** 0.5
    made = corrected_t(MEANS, n_train, n_test)
    assert (made.low, made.high) == pytest.approx((mean - half, mean + half))


def test_the_correction_widens():
    assert corrected_t(MEANS, 90, 10).width > student_t(MEANS).width


def test_ends_stay_within_0_and_1():
    made = student_t(np.array([0.0, 0.0, 0.3]))
    assert made.low == 0
    made = corrected_t(np.array([1.0, 1.0, 0.6]), 10, 10)
    assert made.high == 1


def test_flags():
    assert "overlap" in student_t(MEANS).flag
    assert corrected_t(MEANS, 90, 10).flag == ""
    for made in (student_t(np.full(5, 0.2)), corrected_t(np.full(5, 0.2), 80, 20)):
        assert made.low == pytest.approx(made.high)
        assert "no width" in made.flag


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: student_t(np.array([0.1])), "at least 2 splits, got 1"),
        (lambda: corrected_t(np.array([0.1]), 9, 1), "at least 2 splits, got 1"),
        (lambda: corrected_t(MEANS, 0, 1), "n_train and n_test must be positive, got 0 and 1"),
        (lambda: corrected_t(MEANS, 9, -1), "n_train and n_test must be positive, got 9 and -1"),
        (lambda: student_t(MEANS, 95), "for 95 % write 0.95"),
    ],
)
def test_bad_arguments(call, message):
    with pytest.raises(InputError, match=message):
        call()


@pytest.mark.parametrize("name", ["corrected-t", "student-t"])
def test_uneven_folds_count_by_their_size(name):
    # One group of 300 cases and 19 of 10; the learner errs on the large one only.
    groups = np.repeat(np.arange(20), [300] + [10] * 19)
    x = np.tile([-1.0, 1.0], len(groups) // 2)
    X = np.column_stack([x, groups == 0])
    y = ((x > 0) ^ (groups == 0)).astype(int)
    model = DecisionTreeClassifier(random_state=0)
    made = referee.evaluate(model, X, y, groups=groups, by=20, interval=name, random_state=0).error
    assert made.value > 0.5
    assert made.interval.low <= made.value <= made.interval.high
    fold = made.interval
    sizes = np.array([300.0] + [10.0] * 19)
    means = np.array([1.0] + [0.0] * 19)
    shares = sizes / sizes.sum()
    centre = shares @ means
    assert made.value == pytest.approx(centre)
    sd = np.sqrt(20 / 19 * shares @ (means - centre) ** 2)
    factor = 1 / 20 if name == "student-t" else 1 / 20 + sizes.mean() / (shares @ (490 - sizes))
    half = stats.t.ppf(0.975, 19) * sd * np.sqrt(factor)
    assert fold.low == pytest.approx(max(0, centre - half))
