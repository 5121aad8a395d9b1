"""What fits are told besides features and labels: weights, parameters, rows to watch."""

import numpy as np
import pytest
import sklearn
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.datasets import make_classification
from sklearn.ensemble import HistGradientBoostingClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import zero_one_loss
from sklearn.model_selection import GridSearchCV, StratifiedKFold
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

import referee
from referee.errors import InputError

X, Y = make_classification(240, 5, flip_y=0.2, random_state=0)
WEIGHT = np.random.default_rng(1).uniform(0.1, 5, 240)
FOLDS = [(a, b) for a, b in StratifiedKFold(4).split(X, Y)]


class Recorder(ClassifierMixin, BaseEstimator):
    """Writes down which rows it is given; the first feature numbers them."""

    def __init__(self, calls=None, shift=0):
        self.calls, self.shift = calls, shift

    def __sklearn_clone__(self):
        return Recorder(self.calls, self.shift)

    def fit(self, X, y, sample_weight=None, eval_set=None, note=None):
        self.classes_ = np.unique(y)
        watched = None if eval_set is None else eval_set[0][0][:, 0]
        self.calls.append((X[:, 0], sample_weight, watched, note))
        return self

    def predict(self, X):
        return np.full(len(X), self.classes_[0])


NUMBERED = np.column_stack([np.arange(240.0), X])


def by_hand(model, weight):
    wrong = np.empty(240)
    for train, test in FOLDS:
        model.fit(X[train], Y[train], sample_weight=weight[train])
        wrong[test] = model.predict(X[test]) != Y[test]
    return np.average(wrong, weights=weight)


def test_weights_go_into_every_fit_where_asked():
    model = LogisticRegression(C=0.1)
    e = referee.evaluate(model, X, Y, by=FOLDS, sample_weight=WEIGHT, weights_in_fit=True)
    assert e.error.value == pytest.approx(by_hand(LogisticRegression(C=0.1), WEIGHT))
    assert "weights in every fit" in e.how


def test_weights_stay_out_of_the_fit_unless_asked():
    calls = []
    referee.evaluate(Recorder(calls), NUMBERED, Y, by=FOLDS, sample_weight=WEIGHT)
    assert all(weight is None for _, weight, _, _ in calls)


@pytest.mark.parametrize(
    "model",
    [
        make_pipeline(StandardScaler(), LogisticRegression()),
        GridSearchCV(LogisticRegression(), {"C": [0.1, 1]}, cv=3),
        GridSearchCV(
            make_pipeline(StandardScaler(), LogisticRegression()),
            {"logisticregression__C": [0.1, 1]},
            cv=3,
        ),
    ],
)
def test_weights_reach_the_model_inside_pipelines_and_searches(model):
    with_weights, without = (
        referee.evaluate(
            model, X, Y, by=FOLDS, sample_weight=WEIGHT, weights_in_fit=fit, random_state=0
        )
        for fit in (True, False)
    )
    differ = with_weights.predictions.scores != without.predictions.scores
    assert differ.any()


def test_a_fit_without_weights_is_refused_before_it_begins():
    with pytest.raises(InputError, match=r"KNeighborsClassifier.*takes no sample_weight"):
        referee.evaluate(KNeighborsClassifier(), X, Y, sample_weight=WEIGHT, weights_in_fit=True)
    with pytest.raises(InputError, match="needs sample_weight"):
        referee.evaluate(LogisticRegression(), X, Y, weights_in_fit=True)


def test_fit_params_are_cut_to_the_training_rows():
    calls = []
    params = {"sample_weight": list(WEIGHT), "note": "whole"}
    referee.evaluate(Recorder(calls), NUMBERED, Y, by=FOLDS, fit_params=params)
    for rows, weight, _, note in calls:
        assert weight == pytest.approx(WEIGHT[rows.astype(int)])
        assert note == "whole"


def test_fit_params_that_fit_does_not_take_are_refused():
    with pytest.raises(InputError, match="does not take"):
        referee.evaluate(LogisticRegression(), X, Y, fit_params={"colour": 1})
    pipe = make_pipeline(StandardScaler(), LogisticRegression())
    with pytest.raises(InputError, match="logisticregression__sample_weight"):
        referee.evaluate(pipe, X, Y, fit_params={"sample_weight": WEIGHT})
    with pytest.raises(InputError, match=r"eval_share=0\.1"):
        referee.evaluate(Recorder([]), NUMBERED, Y, fit_params={"eval_set": [(X, Y)]})


def test_metadata_routing_is_followed():
    with sklearn.config_context(enable_metadata_routing=True):
        asking = LogisticRegression(C=0.1).set_fit_request(sample_weight=True)
        pipe = make_pipeline(StandardScaler().set_fit_request(sample_weight=False), asking)
        e = referee.evaluate(asking, X, Y, by=FOLDS, fit_params={"sample_weight": WEIGHT})
        plain = by_hand(LogisticRegression(C=0.1).set_fit_request(sample_weight=True), WEIGHT)
        weighted = np.average(e.predictions.unseen.wrong, weights=WEIGHT[e.predictions.unseen.case])
        assert weighted == pytest.approx(plain)
        referee.evaluate(pipe, X, Y, by=FOLDS, fit_params={"sample_weight": WEIGHT})
        with pytest.raises(InputError, match="cannot be routed"):
            referee.evaluate(LogisticRegression(), X, Y, fit_params={"sample_weight": WEIGHT})


def test_rows_to_watch_come_from_the_training_set_alone():
    calls = []
    referee.evaluate(Recorder(calls), NUMBERED, Y, by=FOLDS, eval_share=0.25, random_state=0)
    train = {frozenset(a.tolist()) for a, _ in FOLDS} | {frozenset(range(240))}
    for rows, _, watched, _ in calls:
        together = frozenset(int(r) for r in np.concatenate([rows, watched]))
        assert together in train
        assert not set(rows) & set(watched)
        assert len(watched) == pytest.approx(0.25 * len(together), abs=1)


def test_rows_to_watch_are_whole_groups():
    calls, groups = [], np.arange(240) // 6
    referee.evaluate(Recorder(calls), NUMBERED, Y, by=4, groups=groups, eval_share=0.25)
    for rows, _, watched, _ in calls:
        assert not set(groups[rows.astype(int)]) & set(groups[watched.astype(int)])


def test_a_real_booster_stops_early_inside_a_pipeline():
    booster = HistGradientBoostingClassifier(
        max_iter=200, early_stopping=True, n_iter_no_change=3, random_state=0
    )
    pipe = make_pipeline(StandardScaler(), booster)
    e = referee.evaluate(pipe, X, Y, by="holdout", eval_share=0.2, random_state=0)
    assert e.model is None or e.model[-1].n_iter_ < 200
    assert "early stopping watched on 20.0 %" in e.how
    with pytest.raises(InputError, match="takes neither eval_set nor X_val"):
        referee.evaluate(LogisticRegression(), X, Y, eval_share=0.2)


def test_the_same_numbers_for_any_number_of_jobs():
    booster = HistGradientBoostingClassifier(max_iter=30, early_stopping=True)
    one, two = (
        referee.evaluate(booster, X, Y, by=3, eval_share=0.2, random_state=0, n_jobs=jobs)
        for jobs in (1, 2)
    )
    assert np.array_equal(one.predictions.scores, two.predictions.scores)
    assert zero_one_loss(Y, np.zeros(240)) > one.error.value
