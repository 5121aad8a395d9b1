"""R001: the training error is not a result."""

import numpy as np
from sklearn.naive_bayes import GaussianNB

import referee
from referee.checks import Context
from referee.checks.results.training_error import check
from referee.core import Predictions, Severity


def overlapping(n=40):
    rng = np.random.default_rng(0)
    y = np.repeat([0, 1], n // 2)
    return rng.normal(size=(n, 1)) + y[:, None], y


def test_fires_where_every_case_was_trained_on_with_the_training_error():
    X, y = overlapping()
    e = referee.evaluate(GaussianNB(), X, y, by="resubstitution")
    by_hand = np.mean(GaussianNB().fit(X, y).predict(X) != y)
    found = e.findings[0]
    assert (found.code, found.severity) == ("R001", Severity.SERIOUS)
    assert f"{100 * by_hand:.1f} %" in found.message


def test_fires_where_index_pairs_test_the_training_rows():
    X, y = overlapping()
    rows = np.arange(40)
    e = referee.evaluate(GaussianNB(), X, y, by=[(rows, rows)])
    assert e.findings[0].code == "R001"
    assert not e.error.defined


def test_silent_where_a_single_case_was_not_trained_on():
    X, y = overlapping()
    rows = np.arange(40)
    e = referee.evaluate(GaussianNB(), X, y, by=[(rows[1:], rows)])
    assert "R001" not in [f.code for f in e.findings]
    assert e.error.n == 1
    assert check(Context(predictions=Predictions.of([0, 1], [0, 1]))) is None
    assert check(Context()) is None
