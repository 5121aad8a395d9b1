"""The fit loop against scikit-learn's own, and its promises about seeds, errors and warnings."""

import warnings

import numpy as np
import pandas as pd
import polars as pl
import pytest
from scipy import sparse
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.datasets import load_breast_cancer, load_iris, load_wine
from sklearn.ensemble import RandomForestClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import cross_val_predict
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC
from sklearn.tree import DecisionTreeClassifier

from referee.core import Dataset, Part
from referee.errors import FitError, InputError, PlanError
from referee.fitting.run import run
from referee.resampling import Bootstrap, CrossValidation, Holdout

MODELS = {
    "logistic": make_pipeline(StandardScaler(), LogisticRegression()),
    "knn": KNeighborsClassifier(),
    "tree": DecisionTreeClassifier(random_state=3),
    "nb": GaussianNB(),
    "svc": SVC(),
}
LOADERS = {"iris": load_iris, "wine": load_wine, "cancer": load_breast_cancer}


def main_splits(plan):
    return [(s.train, s.test) for s in plan.part(Part.MAIN)]


def by_case(run_):
    """Return the predicted labels in the order of the cases, from one pass of cross-validation."""
    table = run_.predictions.of_part(Part.MAIN)
    out = np.empty(table.n, dtype=object)
    out[table.case] = np.asarray(table.classes, dtype=object)[table.predicted]
    return out


@pytest.mark.parametrize("loader", LOADERS)
@pytest.mark.parametrize("model", MODELS)
def test_predictions_against_cross_val_predict(model, loader):
    X, y = LOADERS[loader](return_X_y=True)
    plan = CrossValidation(5).plan(Dataset.of(X, y), seed=4)
    ours = by_case(run(MODELS[model], Dataset.of(X, y), plan))
    theirs = cross_val_predict(MODELS[model], X, y, cv=main_splits(plan))
    assert ours.tolist() == theirs.tolist()


@pytest.mark.parametrize("form", ["strings", "pandas", "polars", "sparse", "int32", "bool"])
def test_predictions_against_cross_val_predict_for_every_kind_of_input(form):
    X, y = load_wine(return_X_y=True)
    if form == "strings":
        y = np.array(["rot", "weiß", "rosé"])[y]
    elif form == "pandas":
        index = np.arange(1000, 1000 + len(y))[::-1]
        X, y = pd.DataFrame(X, index=index).add_prefix("c"), pd.Series(y, index=index)
    elif form == "polars":
        X, y = pl.DataFrame(X), pl.Series(y)
    elif form == "sparse":
        X = sparse.coo_matrix(X)
    elif form == "int32":
        X, y = X.astype(np.float32), y.astype(np.int32)
    else:
        y = y > 0
    model = LogisticRegression(max_iter=20) if form == "sparse" else MODELS["logistic"]
    data = Dataset.of(X, y)
    plan = CrossValidation(4).plan(data, seed=1)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # twenty iterations do not converge, here and there alike
        ours = by_case(run(model, data, plan))
        X_ = X.tocsr() if form == "sparse" else X
        theirs = cross_val_predict(model, X_, np.asarray(y), cv=main_splits(plan))
    assert ours.tolist() == theirs.tolist()


def test_scores_against_cross_val_predict():
    X, y = load_iris(return_X_y=True)
    data = Dataset.of(X, y)
    plan = CrossValidation(5).plan(data)
    table = run(GaussianNB(), data, plan, scores=True).predictions.of_part(Part.MAIN)
    theirs = cross_val_predict(GaussianNB(), X, y, cv=main_splits(plan), method="predict_proba")
    np.testing.assert_allclose(table.scores, theirs[table.case])


def test_decision_values_of_two_classes_against_cross_val_predict():
    X, y = load_breast_cancer(return_X_y=True)
    data = Dataset.of(X, y)
    plan = CrossValidation(3).plan(data)
    model = make_pipeline(StandardScaler(), SVC())
    table = run(model, data, plan, scores=True).predictions.of_part(Part.MAIN)
    cv = main_splits(plan)
    theirs = cross_val_predict(model, X, y, cv=cv, method="decision_function")
    np.testing.assert_allclose(table.scores[:, 1], theirs[table.case])
    np.testing.assert_allclose(table.scores[:, 0], -theirs[table.case])


def test_seen_against_counting_by_hand():
    X, y = load_iris(return_X_y=True)
    data = Dataset.of(X, y)
    plan = Bootstrap(5).plan(data, seed=2)
    table = run(GaussianNB(), data, plan).predictions
    at = 0
    for split in plan.splits:
        times = [int(np.sum(split.train == case)) for case in split.test]
        assert table.seen[at : at + len(split.test)].tolist() == times
        at += len(split.test)
    assert at == len(table.case)


def test_same_numbers_for_any_number_of_jobs_with_an_unseeded_forest():
    X, y = load_wine(return_X_y=True)
    y = np.where(np.arange(len(y)) % 5 == 0, 1, y)  # noise, so that forests disagree
    data = Dataset.of(X, y)
    plan = CrossValidation(4).plan(data)
    forest = make_pipeline(StandardScaler(), RandomForestClassifier(5, max_features=1))
    tables = [run(forest, data, plan, seed=9, n_jobs=n).predictions for n in (None, 1, 2, -1)]
    for table in tables[1:]:
        assert table.predicted.tolist() == tables[0].predicted.tolist()
    other = run(forest, data, plan, seed=10).predictions
    assert other.predicted.tolist() != tables[0].predicted.tolist()


def test_a_seeded_model_is_left_alone_against_cross_val_predict():
    X, y = load_wine(return_X_y=True)
    data = Dataset.of(X, y)
    plan = CrossValidation(4).plan(data)
    model = RandomForestClassifier(3, random_state=7)
    ours = by_case(run(model, data, plan, seed=123))
    assert ours.tolist() == cross_val_predict(model, X, y, cv=main_splits(plan)).tolist()
    assert model.random_state == 7
    assert not hasattr(model, "classes_")


class FailsOn(ClassifierMixin, BaseEstimator):
    """Raises when the training set lacks the row whose first feature is `value`."""

    def __init__(self, value=0.0):
        self.value = value

    def fit(self, X, y):
        if self.value not in X[:, 0]:
            raise ZeroDivisionError("the well is dry\nand more lines")
        self.classes_ = np.unique(y)
        return self

    def predict(self, X):
        return np.full(len(X), self.classes_[0])


@pytest.mark.parametrize("n_jobs", [1, 2])
def test_a_model_that_raises_names_split_model_and_cause(n_jobs):
    X = np.arange(40.0).reshape(-1, 1)
    data = Dataset.of(X, [0, 1] * 20)
    plan = CrossValidation(4).plan(data)
    bad = next(i for i, s in enumerate(plan.splits) if 17.0 in X[s.test, 0])
    with pytest.raises(FitError) as caught:
        run(FailsOn(17.0), data, plan, name="my model", n_jobs=n_jobs)
    assert str(caught.value) == (
        f"my model failed in split {bad} (30 training rows): ZeroDivisionError: the well is dry "
        "and more lines"
    )


class Warns(GaussianNB):
    def fit(self, X, y, sample_weight=None):
        warnings.warn("each time", UserWarning, stacklevel=1)
        warnings.warn("each time", UserWarning, stacklevel=1)
        if 0.0 in X[:, 0]:
            warnings.warn("old", DeprecationWarning, stacklevel=1)
        return super().fit(X, y)


@pytest.mark.parametrize("n_jobs", [1, 2])
def test_warnings_are_counted_once_a_fit_and_kept_from_the_user(n_jobs):
    X = np.arange(40.0).reshape(-1, 1)
    data = Dataset.of(X, [0, 1] * 20)
    plan = CrossValidation(4).plan(data)
    done = run(Warns(), data, plan, n_jobs=n_jobs)  # a warning let through would be an error here
    assert done.warned == {"each time": 5, "old": 4}


def test_the_model_of_all_rows_against_fitting_it_by_hand():
    X, y = load_iris(return_X_y=True)
    data = Dataset.of(X, y)
    done = run(GaussianNB(), data, CrossValidation(3).plan(data))
    np.testing.assert_array_equal(done.model.theta_, GaussianNB().fit(X, y).theta_)
    assert run(GaussianNB(), data, Holdout(0.3).plan(data)).model is None


class Answers(GaussianNB):
    """Gives its answers in an odd form."""

    def __init__(self, form="object"):
        super().__init__()
        self.form = form

    def predict(self, X):
        right = super().predict(X)
        return {
            "object": right.astype(object),
            "column": right.reshape(-1, 1),
            "list": right.tolist(),
            "short": right[:-1],
            "unknown": np.full(len(right), "neither"),
        }[self.form]


@pytest.mark.parametrize("form", ["object", "column", "list"])
def test_odd_but_right_answers_are_read_against_plain_ones(form):
    X, y = load_iris(return_X_y=True)
    data = Dataset.of(X, np.array(["a", "b", "c"])[y])
    plan = CrossValidation(3).plan(data)
    plain = run(GaussianNB(), data, plan).predictions.predicted
    assert run(Answers(form), data, plan).predictions.predicted.tolist() == plain.tolist()


@pytest.mark.parametrize(("form", "says"), [("short", "49 answers for 50"), ("unknown", "neither")])
def test_wrong_answers_are_refused_by_name(form, says):
    X, y = load_iris(return_X_y=True)
    data = Dataset.of(X, np.array(["a", "b", "c"])[y])
    with pytest.raises((FitError, InputError), match=says):
        run(Answers(form), data, CrossValidation(3).plan(data), name="odd")


@pytest.mark.parametrize(
    ("model", "says"),
    [(GaussianNB, r"GaussianNB\(\)"), (object(), "no fit"), (StandardScaler(), "no predict")],
)
def test_what_is_no_classifier_is_refused(model, says):
    data = Dataset.of([[0.0], [1.0]] * 5, [0, 1] * 5)
    with pytest.raises(InputError, match=says):
        run(model, data, CrossValidation(2).plan(data))


def test_a_plan_of_other_data_and_no_jobs_are_refused():
    data = Dataset.of([[0.0], [1.0]] * 5, [0, 1] * 5)
    other = Dataset.of([[0.0], [1.0]] * 5, [1, 0] * 5)
    with pytest.raises(PlanError, match="other data"):
        run(GaussianNB(), data, CrossValidation(2).plan(other))
    with pytest.raises(InputError, match="n_jobs must not be 0"):
        run(GaussianNB(), data, CrossValidation(2).plan(data), n_jobs=0)


class Recorder(ClassifierMixin, BaseEstimator):
    """A model that notes the seed of every fit."""

    seeds = []  # noqa: RUF012

    def __init__(self, random_state=None):
        self.random_state = random_state

    def fit(self, X, y):
        self.seeds.append(self.random_state)
        self.classes_ = np.unique(y)
        return self

    def predict(self, X):
        return np.full(len(X), self.classes_[0])


def test_every_split_is_trained_with_a_seed_of_its_own():
    data = Dataset.of(*load_iris(return_X_y=True))
    plan = CrossValidation(5, 2).plan(data, 0)
    seeds = []
    for _ in range(2):
        Recorder.seeds.clear()
        run(Recorder(), data, plan, seed=7)
        seeds.append(list(Recorder.seeds))
    assert None not in seeds[0]
    assert len(set(seeds[0])) == len(seeds[0]) == plan.fits
    assert seeds[0] == seeds[1]
