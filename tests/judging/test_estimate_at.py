"""Another level or method of an estimate, against an evaluation that asks for it."""

import copy
import pickle

import numpy as np
import pytest
from sklearn.naive_bayes import GaussianNB

import referee
from referee.core.results import Estimate
from referee.errors import InputError, Refusal

RNG = np.random.default_rng(0)
Y = np.arange(80) % 2
X = RNG.normal(size=(80, 3)) + Y[:, None]
GROUPS = np.arange(80) // 4


def evaluated(**options):
    return referee.evaluate(GaussianNB(), X, Y, random_state=0, **options)


@pytest.mark.parametrize(
    "options",
    [{"by": 5}, {"by": "holdout"}, {"by": "bootstrap"}, {"by": 5, "costs": (1, 5)},
     {"by": 5, "groups": GROUPS}],
    ids=["folds", "holdout", "bootstrap", "costs", "groups"],
)  # fmt: skip
def test_another_level_against_an_evaluation_at_that_level(options):
    plain, other = evaluated(**options), evaluated(**options, level=0.8)
    for name, estimate in plain.estimates.items():
        assert estimate.at() == estimate
        assert estimate.at(level=0.8) == other.estimates[name]
        assert estimate.at(level=0.8).at(level=0.95) == estimate


def test_another_method_against_an_evaluation_by_that_method():
    truth, answers, scores = Y, RNG.integers(0, 2, 80), RNG.random(80)
    plain = referee.evaluate_predictions(truth, answers, y_score=scores)
    for name, method in (("error", "wilson"), ("tpr", "wald"), ("mcc", "basic"), ("auc", "delong")):
        other = referee.evaluate_predictions(truth, answers, y_score=scores, interval=method)
        assert plain.estimates[name].at(method=method) == other.estimates[name]


def test_under_priors():
    e = referee.evaluate_predictions(Y, 1 - Y, priors=[0.1, 0.9], costs=(1, 2))
    for estimate in e.estimates.values():
        assert estimate.at() == estimate
    with pytest.raises(Refusal, match="its own is 'stratified-joint'"):
        e.error.at(method="wilson")


def test_a_method_that_the_measure_does_not_have_is_refused():
    e = referee.evaluate_predictions(Y, RNG.integers(0, 2, 80))
    with pytest.raises(Refusal, match="mcc has no interval by 'wilson'; its own is 'bca'"):
        e.estimates["mcc"].at(method="wilson")
    with pytest.raises(Refusal, match="at least 2 splits"):
        e.error.at(method="corrected-t")
    with pytest.raises(InputError, match="did you mean 'wilson'"):
        e.error.at(method="willson")
    with pytest.raises(InputError, match=r"for 95 % write 0\.95"):
        e.error.at(level=95)


@pytest.mark.parametrize("copied", [copy.deepcopy, lambda e: pickle.loads(pickle.dumps(e))])
def test_a_copy_is_equal_and_says_that_it_does_not_remember(copied):
    error = referee.evaluate_predictions(Y, 1 - Y).error
    assert copied(error) == error
    assert repr(copied(error)) == repr(error)
    with pytest.raises(Refusal, match=r"does not remember the predictions .* ask again"):
        copied(error).at(level=0.9)
    with pytest.raises(Refusal, match="not copied or unpickled"):
        Estimate(name="error", value=0.1, n=10, method="test set").at()


def test_an_own_measure_is_asked_again_too():
    def agreement(y_true, y_pred):
        return float(np.mean(np.asarray(y_true) == np.asarray(y_pred)))

    truth = np.arange(100) % 2
    answers = np.where(np.arange(100) < 20, 1 - truth, truth)
    result = referee.evaluate_predictions(truth, answers, measures=[agreement], random_state=0)
    own = result.estimates["agreement"]
    wider = own.at(level=0.99)
    assert wider.value == own.value
    assert wider.interval.low < own.interval.low
