"""R018: leave-one-out of a majority rule on balanced classes."""

import numpy as np
from sklearn.dummy import DummyClassifier
from sklearn.naive_bayes import GaussianNB

import referee


def test_a_majority_rule_left_out_errs_on_all_and_is_told():
    X, y = np.random.default_rng(0).normal(size=(40, 2)), np.tile([0, 1], 20)
    e = referee.evaluate(DummyClassifier(), X, y, by="loo")
    assert e.error.value == 1
    assert "R018" in {f.code for f in e.findings}
    folds = referee.evaluate(DummyClassifier(), X, y, by="cv")
    assert folds.error.value == 0.5
    assert "R018" not in {f.code for f in folds.findings}


def test_unequal_classes_and_learners_that_look_are_spared():
    X, y = np.random.default_rng(0).normal(size=(40, 2)), np.tile([0, 1, 1, 1], 10)
    assert not [f for f in _loo(DummyClassifier(), X, y) if f.code == "R018"]
    balanced = np.tile([0, 1], 20)
    X[:, 0] += 3 * balanced
    assert not [f for f in _loo(GaussianNB(), X, balanced) if f.code == "R018"]


def _loo(model, X, y):
    return referee.evaluate(model, X, y, by="loo").findings
