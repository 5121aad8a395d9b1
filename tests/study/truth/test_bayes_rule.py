"""The Bayes rule goes through evaluate like any classifier."""

import numpy as np
import pytest
from sklearn.base import clone

import referee
from referee.errors import InputError
from referee.study import EXAMPLES, BayesRule


def test_it_can_be_evaluated():
    X, y = EXAMPLES[1].sample(400, 0)
    made = referee.evaluate(BayesRule(EXAMPLES[1]), X, y, by=5, random_state=0)
    assert made.error.value == pytest.approx(np.mean(EXAMPLES[1].predict(X) != y))


def test_it_can_be_cloned_and_gives_posteriors():
    rule = clone(BayesRule(EXAMPLES[1]))
    X, y = EXAMPLES[1].sample(20, 0)
    rule.fit(X, y)
    np.testing.assert_allclose(rule.predict_proba(X), EXAMPLES[1].posteriors(X))
    assert rule.classes_.tolist() == [-1, 1]


def test_strange_labels_are_refused():
    with pytest.raises(InputError, match="y holds 7, no class of the task"):
        BayesRule(EXAMPLES[1]).fit([[0, 0]], [7])
