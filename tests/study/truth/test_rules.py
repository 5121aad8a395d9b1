"""Rules read from fitted models answer as the models do."""

import numpy as np
import pytest
from sklearn.decomposition import PCA
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis, QuadraticDiscriminantAnalysis
from sklearn.linear_model import LogisticRegression, RidgeClassifier
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import PolynomialFeatures, StandardScaler
from sklearn.svm import SVC, LinearSVC

from referee.learners.gaussian.bayes import GaussianBayes
from referee.study import GaussianTask
from referee.study.truth.rules import rule_inside

MODELS = [
    LinearDiscriminantAnalysis(),
    QuadraticDiscriminantAnalysis(reg_param=0.1),
    GaussianNB(),
    LogisticRegression(),
    RidgeClassifier(),
    LinearSVC(),
    make_pipeline(StandardScaler(), PCA(2), LinearDiscriminantAnalysis()),
    make_pipeline(StandardScaler(), QuadraticDiscriminantAnalysis()),
]


def sample(k, d=3):
    rng = np.random.default_rng(k)
    roots = rng.normal(size=(k, d, d + 1))
    task = GaussianTask(rng.normal(size=(k, d)), roots @ roots.transpose(0, 2, 1))
    return task, *task.sample(200, 0)


@pytest.mark.parametrize("k", [2, 3])
@pytest.mark.parametrize("model", MODELS, ids=lambda m: str(m)[:40])
def test_the_rule_answers_as_the_model(model, k):
    task, X, y = sample(k)
    rule = rule_inside(model.fit(X, y), 3)
    fresh, _ = task.sample(2000, 1)
    assert rule.same_as(model.predict(fresh), fresh)
    np.testing.assert_array_equal(rule.predict(fresh), model.predict(fresh))


def test_three_machines_that_vote_are_not_taken_for_a_rule():
    _, X, y = sample(3)
    model = SVC(kernel="linear").fit(X, y)  # One against one: three hyperplanes, not three scores.
    rule = rule_inside(model, 3)
    assert rule is None or not rule.same_as(model.predict(X), X)


def test_curved_preprocessing_is_found_out():
    _, X, y = sample(2)
    model = make_pipeline(PolynomialFeatures(2), LogisticRegression(max_iter=2000)).fit(X, y)
    assert rule_inside(model, 3) is None


def test_models_without_a_rule():
    _, X, y = sample(2)
    assert rule_inside(KNeighborsClassifier().fit(X, y), 3) is None
    assert rule_inside(object(), 3) is None


@pytest.mark.parametrize("covariance", ["full", "shared", "diagonal"])
@pytest.mark.parametrize("k", [2, 3])
def test_our_own_gaussian_rule(covariance, k):
    # Three classes and three features: variances have the shape of a shared matrix.
    _, X, y = sample(k)
    model = GaussianBayes(covariance=covariance).fit(X, y)
    np.testing.assert_array_equal(rule_inside(model, 3).predict(X), model.predict(X))
