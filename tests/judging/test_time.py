"""Cases in time: the rival, intervals of every measure, and bundles that remember the order."""

import numpy as np
import pytest
from sklearn.linear_model import LinearRegression
from sklearn.naive_bayes import GaussianNB

import referee
from referee.resampling import CrossValidation


def _turning(n=200):
    """Return data whose first quarter is of class 0 and whose rest is of class 1."""
    y = (np.arange(n) >= n // 4).astype(int)
    X = np.random.default_rng(0).normal(size=(n, 2))
    X[:, 0] += 2 * y
    X[::20, 0] *= -1
    y[::10] ^= 1
    return X, y


def test_rival_is_the_best_constant_and_not_the_first_majority():
    X, y = _turning()
    e = referee.evaluate(GaussianNB(), X, y, time=np.arange(len(y)))
    tested = e.predictions.unseen.cases
    assert e.guessing.value == np.mean(y[tested] == 0)
    assert "always answering 1" in e.verdict.sentence


@pytest.mark.parametrize("seed", range(6))
def test_no_rival_refitted_to_the_rows_before_errs_less(seed):
    """Classes come and go in runs; a guesser answers what was commonest before each block."""
    rng = np.random.default_rng(seed)
    y = np.repeat(rng.integers(0, 3, 12), 20)
    y[:9] = np.arange(9) % 3
    X = rng.normal(size=(240, 2))
    e = referee.evaluate(GaussianNB(), X, y, by=CrossValidation(8, forward=True))
    unseen = e.predictions.unseen
    commonest = [np.bincount(y[s.train]).argmax() for s in e.plan.splits]
    assert e.guessing.value <= np.mean(y[unseen.case] != np.array(commonest)[unseen.split])


def test_rival_of_a_rising_quantity_is_the_best_constant():
    """The mean of the first rows was a straw man: every later block lies far above it."""
    rng = np.random.default_rng(0)
    y = np.arange(200) / 20 + rng.normal(size=200)
    X = rng.normal(size=(200, 2))
    e = referee.evaluate(LinearRegression(), X, y, time=np.arange(200), measures=["rmse"])
    tested = y[e.predictions.unseen.cases]
    assert e.guessing.value == pytest.approx(tested.std())
    first = y[e.plan.splits[0].train].mean()
    assert e.guessing.value < 0.7 * np.sqrt(np.mean((tested - first) ** 2))


def test_every_measure_is_wider_where_errors_persist():
    rng = np.random.default_rng(5)
    y = np.cumsum(rng.random(400) >= 0.95) % 2
    hard = (np.arange(400) // 50) % 2
    score = y + rng.normal(0, np.where(hard, 1.5, 0.3))
    answers = (score > 0.5).astype(int)
    asked = ["error", "tpr", "balanced_accuracy", "mcc", "auc", "average_precision", "brier"]
    given = {"y_score": np.clip(score, 0, 1), "measures": asked, "pos_label": 1}
    plain = referee.evaluate_predictions(y, answers, **given)
    timed = referee.evaluate_predictions(y, answers, time=np.arange(400), **given)
    for name in asked:
        one, two = plain.estimates[name], timed.estimates[name]
        assert one.value == two.value
        assert two.interval.low <= two.value <= two.interval.high
        assert two.interval.width > 1.05 * one.interval.width, name


def test_rows_without_time_that_only_go_forward_are_in_time_too():
    X, y = _turning()
    e = referee.evaluate(GaussianNB(), X, y, by=CrossValidation(5, forward=True))
    assert e.error.interval.method == "serial"


def test_a_bundle_knows_the_order(tmp_path):
    rng = np.random.default_rng(0)
    y = rng.integers(0, 2, 120)
    e = referee.evaluate_predictions(y, np.where(np.arange(120) < 20, 1 - y, y), time=range(120))
    e.to_bundle(tmp_path / "b.zip")
    assert referee.verify(tmp_path / "b.zip").verdict.outcome.value == "pass"
