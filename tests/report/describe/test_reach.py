"""What a number of cases could detect, against a search over all counts."""

import numpy as np
import pytest
from scipy import stats
from sklearn.naive_bayes import GaussianNB

import referee
from referee.core.results import Estimate, Interval
from referee.core.showing.numbers import percent
from referee.intervals.reach import Reach
from referee.report.describe.reach import reach_of_evaluation


@pytest.mark.parametrize("n", [5, 30, 100])
@pytest.mark.parametrize("bound", [0.02, 0.37, 0.5])
def test_largest_error_against_scipys_interval_of_every_count(n, bound):
    below = [
        k
        for k in range(n)
        if stats.binomtest(k, n).proportion_ci(0.95, method="exact").high < bound
    ]
    seen = estimate(0.0, 0.0, 0.1, n).interval
    assert Reach(seen, n).largest_below(bound) == (max(below) / n if below else None)


def estimate(value, low, high, n=100):
    i = Interval(low=low, high=high, level=0.95, method="clopper-pearson")
    return Estimate(name="error", value=value, n=n, method="test set", interval=i)


def test_says_the_rule_of_three_and_the_largest_error():
    paragraph, bars = reach_of_evaluation(estimate(0.1, 0.05, 0.18), estimate(0.5, 0.4, 0.6))
    assert "at most 3.62 %" in paragraph.text  # 1 - .025 ** (1 / 100)
    assert "Errors up to 30.0 %" in paragraph.text
    exact = stats.binomtest(10, 100).proportion_ci(0.95, method="exact")
    ten = next(b for b in bars.bars if b.label == "error 10 %")
    assert (ten.low, ten.high) == pytest.approx((exact.low, exact.high))


def test_says_why_where_there_is_no_interval():
    bare = Estimate(name="error", value=0.1, n=9, method="m", reason="seen in training")
    (paragraph,) = reach_of_evaluation(bare, bare)
    assert "seen in training" in paragraph.text


@pytest.mark.parametrize("by", [5, "bootstrap", "holdout"])
def test_agrees_with_the_interval_of_a_run_without_errors(by):
    x = np.r_[np.zeros(45), np.ones(45)]
    made = referee.evaluate(GaussianNB(), x[:, None], x.astype(int), by=by, random_state=0)
    assert made.error.value == 0
    paragraph, _ = reach_of_evaluation(made.error, made.guessing)
    assert f"at most {percent(made.error.interval.high)}" in paragraph.text
    few = [f.message for f in made.findings if f.code == "R006"]
    assert all(f"up to {percent(made.error.interval.high)}" in message for message in few)


def test_under_priors_it_cannot_be_said():
    made = referee.evaluate_predictions([0, 1] * 45, [0, 1] * 45, priors=[0.1, 0.9])
    (paragraph,) = reach_of_evaluation(made.error, made.guessing)
    assert "cannot be said" in paragraph.text
