"""Learners with chance in them, judged over several seeds: `evaluate(..., repeats=)`."""

from functools import cache

import numpy as np
import pytest
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.datasets import load_breast_cancer, load_diabetes
from sklearn.linear_model import LogisticRegression
from sklearn.tree import DecisionTreeClassifier, ExtraTreeRegressor

import referee
from referee.core.scores.scores import ItemScores
from referee.errors import InputError
from referee.intervals.scores.effective_beta import effective_beta
from referee.intervals.scores.runs import run_split
from referee.judging.estimating.runs_interval import runs_interval
from referee.measures import Losses

TREE = DecisionTreeClassifier(max_features=2, max_depth=4)


@pytest.fixture(scope="module")
def cancer():
    X, y = load_breast_cancer(return_X_y=True)
    return X[:200], y[:200]


class Guessing(ClassifierMixin, BaseEstimator):
    """Answers as the truth in the only column, but for a share of coins thrown when fitted."""

    def __init__(self, share=0.3, random_state=None):
        self.share, self.random_state = share, random_state

    def fit(self, X, y):
        self.classes_ = np.unique(y)
        return self

    def predict(self, X):
        wrong = np.random.default_rng(self.random_state).random(len(X)) < self.share
        return np.where(wrong, 1 - X[:, 0], X[:, 0]).astype(int)


def test_the_estimate_is_the_mean_over_runs_and_the_first_run_is_unchanged(cancer):
    e = referee.evaluate(TREE, *cancer, by=4, repeats=3, random_state=0)
    one = referee.evaluate(TREE, *cancer, by=4, random_state=0)
    table = e.predictions.unseen
    run = table.repetition[table.split]
    means = [table.wrong[run == r].mean() for r in range(3)]
    assert e.error.value == pytest.approx(np.mean(means))
    assert means[0] == pytest.approx(one.error.value)
    assert len(set(means)) > 1
    assert "4-fold cross-validation, stratified, 3 runs of the learner" in e.how
    assert e.plan.fits == 3 * 4 + (one.plan.fits - 4)


def test_runs_on_one_test_set_have_the_interval_of_scores_with_runs(cancer):
    e = referee.evaluate(TREE, *cancer, by="holdout", repeats=5, random_state=0)
    table = e.predictions.unseen
    cases, at = np.unique(table.case, return_inverse=True)
    each = np.bincount(at, weights=table.wrong) / 5
    alone = effective_beta(ItemScores(values=each, low=0.0, high=1.0, single=False))
    assert e.error.interval.method == "effective-beta"
    assert e.error.interval.width >= alone.width * 0.999
    split = run_split(ItemScores(values=each), table.wrong, at)
    assert e.run_split.within == pytest.approx(split.within)
    assert e.run_split.variance == pytest.approx(split.variance)
    assert len(cases) == e.error.n


def test_pure_chance_is_laid_to_the_seeds():
    """Every case is answered wrongly with the same chance, so cases add nothing of their own."""
    X = np.random.default_rng(0).integers(2, size=(400, 1))
    e = referee.evaluate(Guessing(), X, X[:, 0], by="holdout", repeats=20, random_state=0)
    assert e.error.value == pytest.approx(0.3, abs=0.05)
    assert e.run_split.share_of_runs > 0.75
    assert e.run_split.run_variance == pytest.approx(0.21, rel=0.1)
    assert "seeds make" in e.seeds
    assert e.seeds in str(e).replace("\n  ", " ")


def table_of(wrong):
    """Return the losses of runs (rows) on the same cases (columns)."""
    runs, n = wrong.shape
    return Losses(
        value=wrong.ravel().astype(float),
        case=np.tile(np.arange(n), runs),
        split=np.repeat(np.arange(runs), n),
        repetition=np.repeat(np.arange(runs), n),
        n_train=np.full(runs * n, 100.0),
    )


def held(rng, n, runs, apart, draws):
    """How often the interval holds the error over cases and seeds; whole runs differ by `apart`."""
    hits = 0
    for _ in range(draws):
        hard = rng.beta(1, 4, n)
        shift = apart * rng.normal(size=(runs, 1))
        wrong = rng.random((runs, n)) < np.clip(hard + shift, 0, 1)
        i = runs_interval(table_of(wrong), 0.95)
        hits += i.low <= truth_of(apart) <= i.high
    return hits / draws


@cache
def truth_of(apart):
    rng = np.random.default_rng(99)
    return float(np.clip(rng.beta(1, 4, 10**6) + apart * rng.normal(size=10**6), 0, 1).mean())


def test_runs_that_differ_as_a_whole_widen_the_interval():
    """Coverage of 400 data sets, where seeds shift single cases only, and whole runs."""
    rng = np.random.default_rng(1)
    assert held(rng, 100, 5, 0.0, 400) >= 0.93
    assert held(rng, 100, 5, 0.08, 400) >= 0.91


def test_quantities_have_runs_too():
    X, y = load_diabetes(return_X_y=True)
    model = ExtraTreeRegressor(max_depth=4)
    e = referee.evaluate(model, X, y, by="holdout", repeats=4, random_state=0)
    table = e.predictions.unseen
    assert e.error.value == pytest.approx(np.abs(table.residuals).mean())
    assert e.error.interval.method == "effective-t"
    assert e.seeds.startswith("4 runs with other seeds gave values of the mean absolute error from")


def test_a_bundle_of_runs_holds(tmp_path, cancer):
    e = referee.evaluate(TREE, *cancer, by="holdout", repeats=3, random_state=0)
    e.to_bundle(tmp_path / "e.zip")
    assert referee.verify(tmp_path / "e.zip").verdict.shown


@pytest.mark.parametrize(
    ("model", "options", "message"),
    [
        (TREE, {"repeats": 0}, "repeats must be a whole number of at least 1, got 0"),
        (TREE, {"repeats": 2.5}, "repeats must be a whole number"),
        (LogisticRegression(random_state=0), {"repeats": 3}, "is random and unseeded"),
        (TREE, {"repeats": 3, "by": "bootstrap"}, "goes with a holdout or a cross-validation"),
        (TREE, {"repeats": 3, "by": 5, "max_fits": 10}, "trains 15 models, more than"),
    ],
)
def test_bad_input_is_named(model, options, message, cancer):
    with pytest.raises(InputError, match=message):
        referee.evaluate(model, *cancer, **options)
