"""Selected against scikit-learn's SequentialFeatureSelector, plain loops and pure noise."""

import numpy as np
import pandas as pd
import pytest
from sklearn.datasets import load_iris, load_wine
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
from sklearn.feature_selection import SequentialFeatureSelector
from sklearn.model_selection import KFold, cross_val_predict
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.tree import DecisionTreeClassifier
from sklearn.utils.estimator_checks import parametrize_with_checks

import referee
from referee.choosing.selection import Selected
from referee.choosing.selection_path import SelectionStep, kept_step
from referee.core import Dataset
from referee.core.plan import Part
from referee.core.results import Estimate
from referee.errors import FitError, InputError
from referee.learners.neighbours.knn import KNN
from referee.resampling import CrossValidation


@parametrize_with_checks(
    [
        Selected(GaussianNB(), by=2, random_state=0),
        Selected(KNeighborsClassifier(1), direction="backward", by=2, random_state=0),
    ]
)
def test_scikit_learn_finds_nothing_to_object_to(estimator, check):
    check(estimator)


def noisy_wine():
    X, y = load_wine(return_X_y=True)
    rng = np.random.default_rng(0)
    return StandardScaler().fit_transform(X) + rng.normal(scale=0.7, size=X.shape), y


def pairs(X, y, folds=5):
    plan = CrossValidation(folds).plan(Dataset.of(X, y), 0)
    return [(s.train, s.test) for s in plan.part(Part.MAIN)]


def right_answers(model, X, y):
    """Whole numbers, so that scikit-learn's means over folds tie where the counts do."""
    return int((model.predict(X) == y).sum())


@pytest.mark.parametrize("direction", ["forward", "backward"])
@pytest.mark.parametrize(
    "learner",
    [
        KNN(5),
        KNeighborsClassifier(5),
        KNeighborsClassifier(3, weights="distance"),
        GaussianNB(),
        LinearDiscriminantAnalysis(),
    ],
    ids=str,
)
def test_features_against_scikit_learn(direction, learner):
    X, y = noisy_wine()
    folds = pairs(X, y)
    ours = Selected(learner, direction=direction, n_features=4, stop="end", by=folds).fit(X, y)
    theirs = SequentialFeatureSelector(
        learner, n_features_to_select=4, direction=direction, cv=folds, scoring=right_answers
    ).fit(X, y)
    np.testing.assert_array_equal(ours.support_, theirs.get_support())


@pytest.mark.parametrize("direction", ["forward", "backward"])
def test_the_path_against_a_plain_loop(direction):
    X, y = noisy_wine()
    X = X[:, :6]
    folds = pairs(X, y)
    model = Selected(KNN(3), direction=direction, by=folds, stop="best").fit(X, y)
    held = set() if direction == "forward" else set(range(6))
    for step in model.path_.steps:
        if step.column is not None:
            tried = sorted(held) if direction == "backward" else sorted(set(range(6)) - held)
            errors = [np.mean(answers(X, y, folds, held ^ {c}) != y) for c in tried]
            assert step.column == tried[int(np.argmin(errors))]
            held = held ^ {step.column}
        assert sorted(step.features) == sorted(held)
        assert step.error.value == pytest.approx(np.mean(answers(X, y, folds, held) != y))
        assert step.error.interval.low < step.error.value < step.error.interval.high
        assert step.error.n == len(y)
    assert len(model.path_.steps) == 6
    lowest = min(s.error.value for s in model.path_.steps)
    assert model.path_.steps[model.path_.kept].error.value == lowest


def answers(X, y, folds, columns):
    return cross_val_predict(KNN(3), X[:, sorted(columns)], y, cv=folds)


def test_predictions_are_those_of_the_learner_on_its_features():
    X, y = load_iris(return_X_y=True)
    model = Selected(KNN(5), n_features=2, stop="end", random_state=0).fit(X, y)
    alone = KNN(5).fit(X[:, model.features_], y)
    some = X[:, model.features_]
    np.testing.assert_array_equal(model.predict(X), alone.predict(some))
    np.testing.assert_array_equal(model.predict_proba(X), alone.predict_proba(some))
    assert not hasattr(model, "decision_function")
    assert hasattr(Selected(LinearDiscriminantAnalysis()), "decision_function")


def test_frames_keep_their_names():
    bunch = load_iris(as_frame=True)
    model = Selected("nb", n_features=2, stop="end", random_state=0).fit(bunch.data, bunch.target)
    assert list(model.feature_names_in_) == list(bunch.data.columns)
    assert list(model.learner_.feature_names_in_) == list(bunch.data.columns[model.features_])
    assert set(model.path_.frame().added) == set(bunch.data.columns[model.features_])
    assert model.predict(bunch.data).shape == (150,)


def test_a_random_learner_repeats_itself():
    X, y = load_iris(return_X_y=True)
    one, two = (
        Selected(DecisionTreeClassifier(max_features=1), random_state=1).fit(X, y) for _ in range(2)
    )
    np.testing.assert_array_equal(one.features_, two.features_)
    assert one.path_.steps[0].error == two.path_.steps[0].error


def steps(*errors, drop=False):
    sizes = range(len(errors), 0, -1) if drop else range(1, len(errors) + 1)
    return tuple(
        SelectionStep(
            column=0,
            name="",
            features=tuple(range(size)),
            error=Estimate(name="error", value=e, n=100, method="given"),
        )
        for size, e in zip(sizes, errors, strict=True)
    )


@pytest.mark.parametrize(
    ("errors", "drop", "stop", "kept"),
    [
        ((0.4, 0.2, 0.2, 0.3), False, "best", 1),
        ((0.3, 0.2, 0.2, 0.4), True, "best", 2),
        ((0.4, 0.23, 0.2, 0.3), False, "one-se", 1),  # one standard error is 0.04
        ((0.4, 0.25, 0.2, 0.3), False, "one-se", 2),
        ((0.2, 0.23, 0.235, 0.3), True, "one-se", 2),
        ((0.4, 0.3, 0.2), False, "end", 2),
        ((0.4, 0.3, 0.2), False, 0.3, 1),
        ((0.4, 0.3, 0.2), False, 0.1, 2),
        ((0.1, 0.12, 0.15, 0.3), True, 0.15, 2),
    ],
)
def test_stopping_rules(errors, drop, stop, kept):
    assert kept_step(steps(*errors, drop=drop), stop)[0] == kept


def test_paths_end_where_the_rest_cannot_matter():
    X, y = load_iris(return_X_y=True)
    reached = Selected(KNN(5), stop=0.1, random_state=0).fit(X, y)
    assert len(reached.path_.steps) == 1
    assert reached.path_.steps[0].error.value <= 0.1
    dropped = Selected(KNN(5), stop=0.045, direction="backward", random_state=0).fit(X, y)
    assert all(s.error.value <= 0.045 for s in dropped.path_.steps[: dropped.path_.kept + 1])
    zero = np.column_stack([y, X])
    assert len(Selected(KNN(1), stop="best").fit(zero, y).path_.steps) == 1


def test_validation_around_it_is_nested_and_does_not_leak():
    """Oracle: on pure noise the error of anything is one half."""
    rng = np.random.default_rng(0)
    errors = []
    for _ in range(12):
        X, y = rng.normal(size=(40, 60)), rng.permutation(np.arange(40) % 2)
        model = Selected(KNN(1), n_features=3, stop="end", random_state=0)
        made = referee.evaluate(model, X, y, by=5, random_state=0)
        errors.append(made.error.value)
        assert made.model.path_.steps[-1].error.value < 0.45
    mean, spread = np.mean(errors), np.std(errors, ddof=1) / np.sqrt(12)
    assert abs(mean - 0.5) < 3 * spread + 0.01


def test_every_fold_selects_for_itself():
    chosen = []

    class Recording(Selected):
        def fit(self, X, y, groups=None):
            super().fit(X, y, groups)
            chosen.append((len(X), tuple(self.features_)))
            return self

    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(40, 30)), rng.permutation(np.arange(40) % 2)
    referee.evaluate(Recording(KNN(1), n_features=2, stop="end"), X, y, by=5, random_state=0)
    assert [n for n, _ in chosen] == [32] * 5 + [40]
    assert len({features for _, features in chosen}) > 1


SEEN = []


class SeesGroups(Selected):
    def fit(self, X, y, groups=None):
        SEEN.append(groups)
        return super().fit(X, y, groups)


@pytest.mark.parametrize("wrap", [lambda m: m, lambda m: make_pipeline(StandardScaler(), m)])
def test_groups_reach_the_inner_folds(wrap):
    rng = np.random.default_rng(0)
    groups = np.repeat(np.arange(20), 4)
    y = np.repeat(rng.permutation(np.arange(20) % 2), 4)
    X = rng.normal(size=(80, 3))
    SEEN.clear()
    referee.evaluate(wrap(SeesGroups(KNN(1), by=4)), X, y, groups=groups, by=5, random_state=0)
    assert [len(np.unique(g)) for g in SEEN] == [16] * 5 + [20]
    # A feature that names the group looks perfect unless the inner folds keep groups whole.
    named = np.column_stack([groups, X])
    blind = Selected(KNN(1), n_features=1, stop="end", by=4, random_state=0).fit(named, y)
    told = Selected(KNN(1), n_features=1, stop="end", by=4, random_state=0).fit(named, y, groups)
    assert blind.path_.steps[0].error.value < 0.05
    assert told.path_.steps[0].error.value > 0.2
    assert told.path_.steps[0].error.interval.method == "clustered"


def test_a_class_too_rare_for_the_folds_is_spread_as_far_as_it_goes():
    X, y = load_iris(return_X_y=True)
    rows = np.r_[:50, 50:100, 100:102]
    model = Selected(KNN(3), by=5, random_state=0).fit(X[rows], y[rows])
    assert model.path_.steps[0].error.n == 102


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"n_features": 5}, "n_features must not exceed the 4 features of X, got 5"),
        ({"n_features": 0}, "n_features must be a whole number of at least 1, or None, got 0"),
        ({"n_features": -3}, "at least 1, or None, got -3"),
        ({"n_features": 2.5}, "at least 1, or None, got 2.5"),
        ({"n_features": True}, "at least 1, or None, got True"),
        ({"direction": "sideways"}, "direction must be 'forward' or 'backward', got 'sideways'"),
        ({"stop": "soon"}, "stop must be 'best', 'one-se', 'end' or an error between 0 and 1"),
        ({"stop": 5}, "an error between 0 and 1, got 5"),
        ({"stop": "end"}, "stop='end' needs n_features"),
        ({"by": 1}, "folds must be a whole number of at least 2, got 1"),
        ({"by": "resubstitution"}, "by must leave cases to test"),
        ({"level": 95}, "level must lie strictly between 0 and 1"),
    ],
)
def test_bad_options(options, message):
    X, y = load_iris(return_X_y=True)
    with pytest.raises(InputError, match=message):
        Selected(KNN(3), **options).fit(X, y)


def test_more_neighbours_than_training_rows_of_a_fold():
    X, y = load_iris(return_X_y=True)
    with pytest.raises(FitError, match="k must be at most the number of training rows"):
        Selected(KNN(121), by=5, random_state=0).fit(X, y)


def test_one_class_and_identical_rows():
    with pytest.raises(InputError, match="one class only"):
        Selected(KNN(1)).fit([[0.0], [1.0]], [1, 1])
    model = Selected(KNN(1), by=2, random_state=0).fit(np.ones((8, 2)), np.arange(8) % 2)
    assert model.features_.tolist() == [0]


def test_columns_of_text_need_a_learner_that_takes_them():
    X = pd.DataFrame({"a": list("uvuvuvuv"), "b": np.arange(8.0)})
    with pytest.raises(FitError, match="could not convert string to float"):
        Selected(KNN(1), by=2).fit(X, [0, 1] * 4)


def test_inner_splits_that_tear_groups_apart_are_refused():
    rng = np.random.default_rng(0)
    X, y, groups = rng.normal(size=(40, 3)), np.arange(40) % 2, np.repeat(np.arange(10), 4)
    torn = Selected(KNN(1), by=KFold(5, shuffle=True, random_state=0))
    with pytest.raises(InputError, match="one group on both sides"):
        torn.fit(X, y, groups=groups)
    Selected(KNN(1), by=5).fit(X, y, groups=groups)
