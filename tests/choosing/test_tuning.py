"""Tuned against GridSearchCV on the same folds, its rule of one standard error, and bad grids."""

import numpy as np
import pandas as pd
import pytest
from sklearn.base import is_regressor
from sklearn.datasets import load_diabetes, load_iris
from sklearn.linear_model import Perceptron, Ridge
from sklearn.model_selection import GridSearchCV, KFold
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC
from sklearn.tree import DecisionTreeClassifier
from sklearn.utils.estimator_checks import parametrize_with_checks

import referee
from referee.choosing.tuning import Tuned
from referee.choosing.tuning_path import Candidate, kept_candidate
from referee.core import Dataset
from referee.core.plan import Part
from referee.core.results import Estimate
from referee.errors import InputError, ModelError
from referee.resampling import CrossValidation

X, Y = load_iris(return_X_y=True)
X = X + np.random.default_rng(0).normal(scale=0.8, size=X.shape)
KS = {"n_neighbors": [1, 3, 7, 15]}


@parametrize_with_checks(
    [
        Tuned(GaussianNB(), {"var_smoothing": [1e-9, 1e-3]}, by=2),
        Tuned(Ridge(), {"alpha": [0.1, 1.0]}, by=2),
    ]
)
def test_scikit_learn_finds_nothing_to_object_to(estimator, check):
    check(estimator)


def pairs(folds=5):
    plan = CrossValidation(folds).plan(Dataset.of(X, Y), 0)
    return [(s.train, s.test) for s in plan.part(Part.MAIN)]


@pytest.mark.parametrize(
    ("learner", "grid"),
    [
        (KNeighborsClassifier(), KS),
        (KNeighborsClassifier(), [KS, {"weights": ["distance"], "n_neighbors": [5]}]),
        (make_pipeline(StandardScaler(), SVC()), {"svc__C": [0.1, 1], "svc__gamma": [0.1, 1]}),
    ],
    ids=["knn", "two grids", "pipeline"],
)
def test_choice_and_scores_against_grid_search(learner, grid):
    """Folds of equal size, so that means over folds and over cases agree."""
    ours = Tuned(learner, grid, by=pairs()).fit(X, Y)
    theirs = GridSearchCV(learner, grid, cv=pairs()).fit(X, Y)
    errors = [c.score.value for c in ours.path_.candidates]
    np.testing.assert_allclose(errors, 1 - theirs.cv_results_["mean_test_score"])
    assert (
        ours.best_params_ == ours.path_.candidates[int(np.argmin(np.round(errors, 9)))].parameters
    )
    assert 1 + ours.best_score_ == pytest.approx(theirs.best_score_)
    alone = theirs.estimator.set_params(**ours.best_params_).fit(X, Y)
    np.testing.assert_array_equal(ours.predict(X), alone.predict(X))


def test_the_path_has_intervals_and_can_be_shown():
    model = Tuned("knn", KS, random_state=0).fit(X, Y)
    frame = model.path_.frame()
    assert list(frame.n_neighbors) == KS["n_neighbors"]
    assert (frame.low < frame.error).all()
    assert (frame.error < frame.high).all()
    assert frame.kept.sum() == 1
    assert model.path_.pictures[0].x_label == "n_neighbors"
    assert "that figure chose among" in " ".join(model.path_.to_text().split())
    several = Tuned("knn", {**KS, "weights": ["uniform", "distance"]}, by=3).fit(X, Y)
    assert several.path_.pictures[0].x_label == "candidate"


def test_parameters_of_the_last_step_need_no_prefix():
    short = Tuned(make_pipeline(StandardScaler(), SVC()), {"C": [0.1, 1]}, random_state=0)
    long = Tuned(make_pipeline(StandardScaler(), SVC()), {"svc__C": [0.1, 1]}, random_state=0)
    one, two = short.fit(X, Y), long.fit(X, Y)
    assert one.best_params_["C"] == two.best_params_["svc__C"]
    np.testing.assert_array_equal(one.predict(X), two.predict(X))


@pytest.mark.parametrize("measure", ["balanced_accuracy", "mcc", "log_loss", "auc"])
def test_any_measure(measure):
    two = (Y > 0).astype(int)
    model = Tuned("knn", KS, measure=measure, random_state=0).fit(X, two)
    values = [c.score.value for c in model.path_.candidates]
    best = min(values) if measure == "log_loss" else max(values)
    assert model.best_score_ == (-best if measure == "log_loss" else best)
    made = referee.evaluate(model, X, two, by=3, random_state=0)
    assert made.search.measure == measure
    assert made.search.nested == made.estimates[measure].value


def candidates(*values, name="error", n=100):
    up = name == "accuracy"
    return [
        Candidate(
            parameters={"k": i},
            score=Estimate(name=name, value=v, n=n, method="given", greater_is_better=up),
        )
        for i, v in enumerate(values)
    ]


@pytest.mark.parametrize(
    ("values", "name", "keep", "kept"),
    [
        ((0.4, 0.2, 0.2, 0.3), "error", "best", 1),
        ((0.6, 0.8, 0.8, 0.7), "accuracy", "best", 1),
        ((0.25, 0.23, 0.2, 0.3), "error", "one-se", 1),  # one standard error is 0.04
        ((0.4, 0.25, 0.2, 0.3), "error", "one-se", 2),
        ((0.6, 0.77, 0.8, 0.8), "accuracy", "one-se", 1),
        ((float("nan"), 0.3, 0.2, 0.3), "error", "best", 2),
        ((0.0, 0.0, 0.5), "error", "one-se", 0),
    ],
)
def test_which_candidate_is_kept(values, name, keep, kept):
    assert kept_candidate(candidates(*values, name=name), keep)[0] == kept


def test_one_standard_error_prefers_what_comes_first():
    best = Tuned("knn", KS, random_state=0).fit(X, Y)
    simple = Tuned("knn", {"n_neighbors": KS["n_neighbors"][::-1]}, keep="one-se", random_state=0)
    simple.fit(X, Y)
    kept = simple.path_.best.score
    limit = -best.best_score_ + best.path_.best.standard_error
    assert kept.value <= limit + 1e-12
    earlier = simple.path_.candidates[: simple.path_.kept]
    assert all(c.score.value > limit for c in earlier)


def test_groups_keep_a_copy_from_choosing():
    """Copies of patients make one neighbour look perfect, unless groups are known."""
    rng = np.random.default_rng(0)
    groups = np.repeat(np.arange(25), 4)
    y = np.repeat(rng.permutation(np.arange(25) % 2), 4)
    copies = np.repeat(rng.normal(size=(25, 3)), 4, axis=0) + rng.normal(scale=0.01, size=(100, 3))
    blind = Tuned("knn", {"n_neighbors": [1, 25]}, random_state=0).fit(copies, y)
    grouped = Tuned("knn", {"n_neighbors": [1, 25]}, random_state=0).fit(copies, y, groups=groups)
    assert blind.best_score_ > -0.05
    assert grouped.best_score_ < -0.3
    assert grouped.path_.best.score.interval.method == "clustered"


def test_random_learners_repeat_themselves_and_jobs_change_nothing():
    tree = DecisionTreeClassifier(max_features=1)
    one, two = (
        Tuned(tree, {"max_depth": [1, 3]}, random_state=1, n_jobs=jobs).fit(X, Y) for jobs in (1, 2)
    )
    assert [c.score for c in one.path_.candidates] == [c.score for c in two.path_.candidates]


def test_frames_with_text_and_methods_of_the_learner():
    frame = pd.DataFrame(X, columns=list("abcd"))
    model = Tuned("knn", KS, random_state=0).fit(frame, Y)
    assert list(model.feature_names_in_) == list("abcd")
    assert model.predict_proba(frame).shape == (150, 3)
    assert not hasattr(model, "decision_function")
    assert hasattr(Tuned("svm", {"C": [1]}), "decision_function")
    assert not hasattr(Tuned("svm", {"C": [1]}), "predict_proba")


@pytest.mark.parametrize(
    ("model", "message"),
    [
        (Tuned("knn", {}), "grid is empty, so there is nothing to search"),
        (Tuned("knn", []), "grid is empty"),
        (Tuned("knn", {"n_neighbors": []}), "no value to try for 'n_neighbors'"),
        (Tuned("knn", {"n_neighbors": 5}), r"a list of values for 'n_neighbors', got 5; write \[5"),
        (Tuned("knn", "n_neighbors"), "grid must be a mapping of parameters to lists"),
        (Tuned("knn", {"neighbours": [1]}), "KNeighborsClassifier has no parameter 'neighbours'"),
        (Tuned("svm", {"c": [1]}), "SVC has no parameter 'c'; did you mean 'C'?"),
        (
            Tuned(make_pipeline(StandardScaler(), SVC()), {"svc__c": [1]}),
            "Pipeline has no parameter 'svc__c'; did you mean 'svc__C'?",
        ),
        (
            Tuned("knn", {"n_neighbors": [1, 0]}),
            "grid: n_neighbors=0 is refused: The 'n_neighbors'",
        ),
        (Tuned("knn", KS, keep="good"), "keep must be 'best' or 'one-se', got 'good'"),
        (Tuned("knn", KS, measure="acuracy"), "did you mean 'accuracy'"),
        (Tuned("knn", KS, measure="cost"), "'cost' cannot be tuned for"),
        (Tuned("knn", KS, measure="auc"), "auc needs to know the positive class"),
        (Tuned("knn", KS, level=95), "level must lie strictly between 0 and 1"),
        (Tuned("knn", KS, by="resubstitution"), "by must leave cases to test"),
    ],
)
def test_bad_options(model, message):
    with pytest.raises(InputError, match=message):
        model.fit(X, Y)


def test_other_bad_input():
    with pytest.raises(ModelError, match="no model is called 'kn'"):
        Tuned("kn", KS).fit(X, Y)

    class Bare(Perceptron):
        decision_function = property()

    with pytest.raises(InputError, match="log_loss needs scores, and Bare has neither"):
        Tuned(Bare(), {"alpha": [1]}, measure="log_loss").fit(X, Y)
    # Before anything is fitted, and not as the failure of a split.
    with pytest.raises(InputError, match=r"^grid is empty"):
        referee.evaluate(Tuned("knn", {}), X, Y, by=3)


# Quantities


def test_a_regressor_is_tuned_as_a_grid_search_would():
    X, y = load_diabetes(return_X_y=True)
    grid = {"alpha": [0.001, 0.1, 100.0]}
    folds = KFold(5, shuffle=True, random_state=3)
    tuned = Tuned(Ridge(), grid, by=folds, random_state=0).fit(X, y)
    search = GridSearchCV(Ridge(), grid, cv=folds, scoring="neg_mean_absolute_error").fit(X, y)
    assert tuned.best_params_ == search.best_params_
    assert tuned.path_.best.score.name == "mae"
    # Folds of 89 and 88 cases: pooled here, averaged by scikit-learn.
    assert tuned.best_score_ == pytest.approx(search.best_score_, rel=1e-3)
    assert np.allclose(tuned.predict(X), search.predict(X))
    assert tuned.score(X, y) == pytest.approx(search.best_estimator_.score(X, y))
    assert is_regressor(tuned)
    assert not hasattr(tuned, "classes_")


def test_a_tuned_regressor_is_nested_and_its_inflation_shown():
    X, y = load_diabetes(return_X_y=True)
    model = Tuned(Ridge(), {"alpha": [0.01, 1.0, 30.0]}, measure="rmse", random_state=0)
    e = referee.evaluate(model, X, y, by=5, measures=["rmse"], random_state=0)
    assert "nested" in e.how
    assert e.search is not None
    assert e.inflation is not None
    with pytest.raises(InputError, match="error is a measure of classes"):
        Tuned(Ridge(), {"alpha": [1.0]}, measure="error").fit(X, y)
