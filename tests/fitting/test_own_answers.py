"""A model's own answers are used, whatever scores say."""

import numpy as np
import pytest
from sklearn.datasets import load_breast_cancer
from sklearn.ensemble import RandomForestClassifier
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import Pipeline
from sklearn.preprocessing import StandardScaler

import referee

X, Y = load_breast_cancer(return_X_y=True)
X, Y = X[:120], Y[:120]


class Flip(Pipeline):
    """Answers the other class."""

    def predict(self, X):
        return 1 - super().predict(X)


@pytest.mark.parametrize(
    "last", [KNeighborsClassifier(), RandomForestClassifier(5, random_state=0)]
)
def test_a_subclass_of_a_pipeline_answers_for_itself(last):
    model = Flip([("scale", StandardScaler()), ("last", last)])
    with_scores, without = (
        referee.evaluate(model, X, Y, by=3, random_state=0, measures=m).error.value
        for m in (None, ["error"])
    )
    assert with_scores == without > 0.5


def test_an_altered_instance_answers_for_itself():
    class Same(KNeighborsClassifier):
        def predict(self, X):
            return np.zeros(len(X), dtype=int)

    e = referee.evaluate(Same(), X, Y, by=3, random_state=0)
    assert e.error.value == pytest.approx((Y != 0).mean())
