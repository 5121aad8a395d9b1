"""R007: an estimate that leans on the training error of a learner that has none."""

import numpy as np
import pytest
from sklearn.neighbors import KNeighborsClassifier

import referee
from referee.core import Severity
from referee.resampling import Bootstrap


def noisy():
    rng = np.random.default_rng(0)
    y = rng.permutation(np.repeat([0, 1], 20))
    return rng.normal(size=(40, 2)), y


@pytest.mark.parametrize("estimator", [".632+", ".632", "optimism"])
def test_fires_for_an_interpolator_under_an_estimate_that_uses_its_training_error(estimator):
    e = referee.evaluate(
        KNeighborsClassifier(1), *noisy(), by=Bootstrap(10, estimator), random_state=0
    )
    found = next(f for f in e.findings if f.code == "R007")
    assert found.severity is Severity.WARNING
    assert "out-of-bag" in found.remedy


def test_silent_for_out_of_bag_and_for_other_schemes():
    for by in (Bootstrap(10, "out-of-bag"), 5):
        e = referee.evaluate(KNeighborsClassifier(1), *noisy(), by=by, random_state=0)
        assert "R007" not in [f.code for f in e.findings]


def test_fires_where_contradictory_copies_leave_a_trace_of_training_error():
    X, y = noisy()
    X, y = np.r_[X, X[:1]], np.r_[y, 1 - y[:1]]
    e = referee.evaluate(KNeighborsClassifier(1), X, y, by=Bootstrap(20), random_state=0)
    assert e.training_error.value > 0
    assert "R007" in [f.code for f in e.findings]
    assert e.error.method == "bootstrap, out-of-bag"


def test_silent_for_a_learner_with_a_single_training_error():
    X = np.arange(40.0).reshape(-1, 1)
    y = (X[:, 0] >= 20).astype(int)
    y[3] = 1  # three neighbours outvote it
    e = referee.evaluate(KNeighborsClassifier(3), X, y, by=Bootstrap(10), random_state=0)
    assert e.training_error.value == pytest.approx(1 / 40)
    assert "R007" not in [f.code for f in e.findings]
