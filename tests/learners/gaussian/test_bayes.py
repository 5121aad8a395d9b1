"""GaussianBayes against closed forms, scikit-learn's classifiers and plain loops of itself."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import multivariate_normal
from sklearn.base import clone
from sklearn.datasets import load_iris, load_wine
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis as Lda
from sklearn.discriminant_analysis import QuadraticDiscriminantAnalysis as Qda
from sklearn.naive_bayes import GaussianNB
from sklearn.utils.estimator_checks import parametrize_with_checks

from referee.core import Dataset
from referee.core.shared_work import SharedWork
from referee.errors import InputError
from referee.learners.gaussian.bayes import GaussianBayes
from referee.learners.shortcuts.plain_refit import plain_plan
from referee.resampling import Bootstrap, CrossValidation, Holdout, LeaveOneOut

EVERY = [
    GaussianBayes(covariance, shrinkage=shrinkage)
    for covariance in ("full", "shared", "diagonal")
    for shrinkage in (0.0, 0.3, "auto")
]


@parametrize_with_checks(EVERY)
def test_scikit_learn_finds_nothing_to_object_to(estimator, check):
    check(estimator)


@pytest.mark.parametrize("priors", [(float("nan"), 1.0), ("a", "b"), (0.5, float("inf"))])
def test_priors_that_are_none(priors):
    with pytest.raises(InputError, match="priors must"):
        GaussianBayes(priors=priors).fit([[0.0], [1.0], [3.0], [5.0]], [0, 0, 1, 1])


def noisy_iris():
    X, y = load_iris(return_X_y=True)
    # QDA refuses eigenvalues below 1e-4, which iris has in some folds.
    return X + np.random.default_rng(0).normal(scale=0.2, size=X.shape), y


PRIORS = (0.2, 0.3, 0.5)


@pytest.mark.parametrize(
    ("ours", "theirs"),
    [
        (GaussianBayes(), Qda()),
        (GaussianBayes(priors=PRIORS), Qda(priors=PRIORS)),
        (GaussianBayes(shrinkage=0.2), Qda(solver="eigen", shrinkage=0.2)),
        (GaussianBayes(shrinkage="auto"), Qda(solver="eigen", shrinkage="auto")),
        (GaussianBayes("shared"), Lda()),
        (GaussianBayes("shared"), Lda(solver="lsqr")),
        (GaussianBayes("shared", priors=PRIORS), Lda(priors=PRIORS)),
        (GaussianBayes("shared", shrinkage=0.2), Lda(solver="lsqr", shrinkage=0.2)),
        (GaussianBayes("shared", shrinkage=1), Lda(solver="lsqr", shrinkage=1)),
        (GaussianBayes("shared", shrinkage="auto"), Lda(solver="lsqr", shrinkage="auto")),
        (GaussianBayes("diagonal"), GaussianNB(var_smoothing=0)),
        (GaussianBayes("diagonal", priors=PRIORS), GaussianNB(var_smoothing=0, priors=PRIORS)),
    ],
    ids=str,
)
def test_probabilities_against_scikit_learn(ours, theirs):
    X, y = noisy_iris()
    ours, theirs = ours.fit(X, y), theirs.fit(X, y)
    np.testing.assert_allclose(ours.predict_proba(X), theirs.predict_proba(X), atol=1e-10)
    np.testing.assert_array_equal(ours.predict(X), theirs.predict(X))


@pytest.mark.parametrize("covariance", ["full", "shared", "diagonal"])
def test_posteriors_against_normal_densities(covariance):
    X, y = noisy_iris()
    model = GaussianBayes(covariance).fit(X, y)
    matrices = {
        "full": list(model.covariances_),
        "shared": [model.covariances_] * 3,
        "diagonal": [np.diag(v) for v in model.covariances_],
    }[covariance]
    joint = np.stack(
        [
            p * multivariate_normal(m, C).pdf(X)
            for p, m, C in zip(model.priors_, model.means_, matrices, strict=True)
        ],
        axis=1,
    )
    expected = joint / joint.sum(axis=1, keepdims=True)
    np.testing.assert_allclose(model.predict_proba(X), expected, atol=1e-10)
    np.testing.assert_allclose(np.exp(model.predict_log_proba(X)), expected, atol=1e-10)


def test_estimates_against_numpy():
    X, y = noisy_iris()
    full = GaussianBayes().fit(X, y)
    shared = GaussianBayes("shared").fit(X, y)
    within = np.zeros((4, 4))
    for c in range(3):
        C = np.cov(X[y == c].T, bias=True)
        np.testing.assert_allclose(full.covariances_[c], C)
        np.testing.assert_allclose(full.means_[c], X[y == c].mean(axis=0))
        within += np.mean(y == c) * C
    np.testing.assert_allclose(shared.covariances_, within)
    np.testing.assert_allclose(
        GaussianBayes("diagonal").fit(X, y).covariances_[1], X[y == 1].var(axis=0)
    )
    C = full.covariances_[0]
    np.testing.assert_allclose(
        GaussianBayes(shrinkage=0.25).fit(X, y).covariances_[0],
        0.75 * C + 0.25 * np.trace(C) / 4 * np.eye(4),
    )


def test_decision_function_of_two_classes_is_the_log_ratio():
    X, y = noisy_iris()
    model = GaussianBayes().fit(X[y > 0], y[y > 0])
    p = model.predict_proba(X)
    np.testing.assert_allclose(model.decision_function(X), np.log(p[:, 1] / p[:, 0]), atol=1e-6)
    assert GaussianBayes().fit(X, y).decision_function(X).shape == (150, 3)


@pytest.mark.parametrize(
    ("model", "X", "y", "says"),
    [
        (
            GaussianBayes(),
            np.eye(6),
            list("aaaabb"),
            r"class 'a' \(4 cases, 6 features\) is singular; use shrinkage=0.1 "
            r"\(of standardised features\) or "
            "covariance='shared' or 'diagonal'",
        ),
        (
            GaussianBayes("diagonal"),
            [[1.0], [2.0], [5.0]],
            list("aab"),
            r"class 'b' \(1 cases, 1 features\) is singular; use shrinkage=0.1 "
            r"\(of standardised features\) or "
            "covariance='shared'",
        ),
        (
            GaussianBayes("shared"),
            np.c_[np.arange(6.0), np.ones(6)],
            list("aaabbb"),
            r"shared covariance of 2 classes \(6 cases, 2 features\) is singular; use shrinkage",
        ),
        (GaussianBayes("round"), np.eye(4), [0, 0, 1, 1], "got 'round'"),
        (GaussianBayes(shrinkage=1.5), np.eye(4), [0, 0, 1, 1], "between 0 and 1.*got 1.5"),
        (GaussianBayes(shrinkage="some"), np.eye(4), [0, 0, 1, 1], "'auto', got 'some'"),
        (GaussianBayes(priors=[0.5, 0.6]), np.eye(4), [0, 0, 1, 1], "sum to 1.*sum 1.1"),
        (GaussianBayes(priors=[1.0]), np.eye(4), [0, 0, 1, 1], "each of the 2 classes"),
        (GaussianBayes(), np.eye(4), [1, 1, 1, 1], "one class only"),
    ],
)
def test_what_cannot_be_fitted_is_refused_with_a_remedy(model, X, y, says):
    with pytest.raises(InputError, match=says):
        model.fit(X, y)


def test_units_do_not_matter_against_standardised_features():
    X, y = load_wine(return_X_y=True)
    rescaled = X * 10.0 ** np.linspace(-5, 5, X.shape[1])
    for covariance in ("full", "shared", "diagonal"):
        plain = GaussianBayes(covariance).fit(X, y).predict_proba(X)
        other = GaussianBayes(covariance).fit(rescaled, y).predict_proba(rescaled)
        np.testing.assert_allclose(plain, other, atol=1e-7)


PLANS = {
    "cv": CrossValidation(3, halves=1),
    "loo": LeaveOneOut(),
    "holdout": Holdout(0.3, repetitions=2),
    "bootstrap": Bootstrap(3),
}


@pytest.mark.parametrize("columns", [1, 13])
@pytest.mark.parametrize("scheme", PLANS)
@pytest.mark.parametrize("model", [m for m in EVERY if m.shrinkage != "auto"], ids=str)
@settings(max_examples=2, deadline=None)
@given(seed=st.integers(0, 10_000), k=st.integers(2, 4))
def test_a_plan_in_one_go_against_a_plain_loop(model, scheme, columns, seed, k):
    rng = np.random.default_rng(seed)
    codes = np.arange(48) % k
    X = (rng.normal(size=(48, 3)) + 0.5 * codes[:, None]) * [1.0, 100.0, 0.01]
    data = Dataset.of(X, codes)
    plan = PLANS[scheme].plan(data, seed)
    columns = min(columns, 2) if scheme == "loo" else columns
    Y = np.column_stack([codes, *(rng.permutation(codes) for _ in range(columns - 1))])
    assert isinstance(model, SharedWork)
    try:
        theirs = plain_plan(clone(model), X, Y, plan, classes=data.classes, scores=True)
    except InputError:  # a bootstrap drew too few different rows of a class
        with pytest.raises(InputError, match="singular"):
            model.predict_plan(X, Y, plan, classes=data.classes, scores=True)
        return
    ours = model.predict_plan(X, Y, plan, classes=data.classes, scores=True)
    for mine, other in zip(ours, theirs, strict=True):
        np.testing.assert_array_equal(mine.predicted, other.predicted)
        np.testing.assert_allclose(mine.scores, other.scores, atol=1e-8)


def test_a_singular_split_raises_as_a_plain_loop_does():
    X = np.random.default_rng(0).normal(size=(20, 3))
    codes = np.r_[np.zeros(4, int), np.ones(16, int)]
    plan = LeaveOneOut().plan(Dataset.of(X, codes))
    with pytest.raises(InputError, match=r"class 0 \(3 cases, 3 features\) is singular"):
        GaussianBayes().predict_plan(X, codes, plan, classes=(0, 1))


def test_automatic_shrinkage_over_a_plan_is_a_plain_loop():
    X, y = noisy_iris()
    data = Dataset.of(X, y)
    plan = CrossValidation(3).plan(data)
    model = GaussianBayes(shrinkage="auto")
    ours = model.predict_plan(X, data.codes, plan, classes=data.classes)
    for output, split in zip(ours, plan.splits, strict=True):
        theirs = clone(model).fit(X[split.train], y[split.train]).predict(X[split.test])
        np.testing.assert_array_equal(output.predicted[:, 0], theirs)
