"""Features computed inside a pipeline (N3) are computed from the training rows of each fold."""

import numpy as np
from sklearn.decomposition import PCA
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import FunctionTransformer, StandardScaler

import referee
from referee.learners import KNN

FITTED = []


class RecordingPCA(PCA):
    def fit_transform(self, X, y=None):
        made = super().fit_transform(X, y)
        FITTED.append((len(X), self.mean_.copy()))
        return made


def people(n=200):
    """Weight and height; the class depends on their quotient alone."""
    rng = np.random.default_rng(0)
    height = rng.normal(1.7, 0.15, n)
    bmi = rng.normal(25, 3, n)
    return np.column_stack([bmi * height**2, height]), (bmi > 25).astype(int)


def bmi(X):
    return X[:, :1] / X[:, 1:] ** 2


def test_one_feature_by_hand_does_better_than_two_given_ones():
    X, y = people()
    by_hand = make_pipeline(FunctionTransformer(bmi), KNN(5))
    given = make_pipeline(StandardScaler(), KNN(5))
    errors = [
        referee.evaluate(model, X, y, by=5, random_state=0).error.value
        for model in (by_hand, given)
    ]
    assert errors[0] < 0.02 < errors[1]


def test_learned_features_are_learned_in_every_fold():
    X, y = people()
    FITTED.clear()
    made = referee.evaluate(make_pipeline(RecordingPCA(1), KNN(5)), X, y, by=5, random_state=0)
    assert [n for n, _ in FITTED] == [160] * 5 + [200]
    for split, (_, mean) in zip(made.plan.splits, FITTED, strict=True):
        np.testing.assert_allclose(mean, X[split.train].mean(axis=0))
