"""Shared work inside the fit loop: the same Predictions with and without, and the same errors."""

import warnings

import numpy as np
import pandas as pd
import pytest
from sklearn.datasets import load_breast_cancer, load_iris, load_wine
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis as Lda
from sklearn.discriminant_analysis import QuadraticDiscriminantAnalysis as Qda
from sklearn.linear_model import LogisticRegression
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.svm import SVC, LinearSVC

import referee
from referee.core import Dataset
from referee.errors import FitError
from referee.fitting.run import run
from referee.learners.gaussian.bayes import GaussianBayes
from referee.learners.svm.svm import SVM
from referee.resampling import Bootstrap, CrossValidation, Holdout, LeaveOneOut, Resubstitution

MODELS = {
    "lda": Lda(),
    "lda lsqr": Lda(solver="lsqr", shrinkage=0.1),
    "qda": Qda(reg_param=0.1),
    "nb": GaussianNB(),
    "bayes": GaussianBayes(shrinkage=0.1),
}
SCHEMES = {
    "cv": CrossValidation(5),
    "repeated": CrossValidation(4, 3),
    "loo": LeaveOneOut(),
    "bootstrap": Bootstrap(5),
    "holdouts": Holdout(0.3, repetitions=4),
}


def test_a_subclass_is_fitted_plainly():
    class Contrary(GaussianBayes):
        def predict(self, X):
            return self.classes_[1 - np.searchsorted(self.classes_, super().predict(X))]

    X, y = load_breast_cancer(return_X_y=True)
    straight, contrary = (
        referee.evaluate(model(shrinkage=0.1), X, y, by=5, random_state=0)
        for model in (GaussianBayes, Contrary)
    )
    assert "shared work" in straight.how
    assert "shared work" not in contrary.how
    assert contrary.error.value == pytest.approx(1 - straight.error.value)


def test_an_altered_instance_is_fitted_plainly(monkeypatch):
    model = GaussianBayes(shrinkage=0.1)
    X, y = load_iris(return_X_y=True)
    data = Dataset.of(X, y)
    model.predict = lambda rows: np.zeros(len(rows), dtype=int)
    assert run(model, data, CrossValidation(5).plan(data)).how == "by fitting every split"


def both(model, data, plan, monkeypatch, **options):
    """Run with shared work and without."""
    shared = run(model, data, plan, **options)
    monkeypatch.setenv("REFEREE_SHORTCUTS", "0")
    monkeypatch.delattr(GaussianBayes, "predict_plan")
    plain = run(model, data, plan, **options)
    assert plain.how == "by fitting every split"
    return shared, plain


def assert_same(shared, plain):
    for name in ("case", "split", "seen", "predicted", "n_train", "repetition"):
        one, two = getattr(shared.predictions, name), getattr(plain.predictions, name)
        np.testing.assert_array_equal(one, two)
        assert one.dtype == two.dtype
    assert shared.predictions.part == plain.predictions.part
    assert (shared.predictions.scores is None) == (plain.predictions.scores is None)
    if plain.predictions.scores is not None:
        np.testing.assert_allclose(
            shared.predictions.scores, plain.predictions.scores, rtol=0, atol=1e-9
        )
    assert shared.warned == plain.warned
    assert (shared.model is None) == (plain.model is None)


@pytest.mark.parametrize("scores", [False, True])
@pytest.mark.parametrize("scheme", SCHEMES)
@pytest.mark.parametrize("name", MODELS)
def test_predictions_with_shared_work_against_fitting_every_split(
    name, scheme, scores, monkeypatch
):
    X, y = load_wine(return_X_y=True)
    X, y = X[::2, :6], np.array(["rot", "weiß", "rosé"])[y[::2]]
    data = Dataset.of(X, y)
    plan = SCHEMES[scheme].plan(data, seed=2)
    shared, plain = both(MODELS[name], data, plan, monkeypatch, scores=scores)
    shortcut = "" if name == "bayes" else f" (shortcut for {type(MODELS[name]).__name__})"
    assert shared.how == f"by shared work{shortcut}"
    assert_same(shared, plain)


@pytest.mark.parametrize("classes", [2, 3])
@pytest.mark.parametrize("scores", [False, True])
@pytest.mark.parametrize("scheme", ["repeated", "bootstrap", "holdouts"])
@pytest.mark.parametrize("model", [SVC(C=3.0), SVC(kernel="linear"), SVM(C=3.0)], ids=str)
def test_decision_values_with_shared_work_against_fitting_every_split(
    model, scheme, scores, classes, monkeypatch
):
    X, y = load_iris(return_X_y=True)
    X, y = X[y < classes][::2], np.array(["rot", "weiß", "rosé"])[y[y < classes][::2]]
    X = X + np.random.default_rng(0).normal(size=X.shape)
    data = Dataset.of(X, y)
    many = {"bootstrap": Bootstrap(15), "holdouts": Holdout(0.3, repetitions=14)}
    plan = many.get(scheme, SCHEMES[scheme]).plan(data, seed=2)
    shared = run(model, data, plan, scores=scores)
    monkeypatch.setenv("REFEREE_SHORTCUTS", "0")
    monkeypatch.delattr(SVM, "predict_plan")
    plain = run(model, data, plan, scores=scores)
    assert "shared work" in shared.how
    assert plain.how == "by fitting every split"
    assert_same(shared, plain)
    if scores:
        np.testing.assert_array_equal(shared.predictions.scores, plain.predictions.scores)


def test_scores_of_linear_svc_are_left_to_plain_fits():
    X, y = load_iris(return_X_y=True)
    data = Dataset.of(X, y)
    plan = CrossValidation(5).plan(data)
    assert run(LinearSVC(), data, plan, scores=True).how == "by fitting every split"


def test_a_frame_and_two_classes_against_fitting_every_split(monkeypatch):
    X, y = load_breast_cancer(return_X_y=True, as_frame=True)
    data = Dataset.of(X, y)
    plan = CrossValidation(5).plan(data)
    shared, plain = both(Lda(), data, plan, monkeypatch, scores=True)
    assert "shared" in shared.how
    assert_same(shared, plain)
    assert list(shared.model.feature_names_in_) == list(X.columns)


@pytest.mark.parametrize(
    ("model", "scheme"),
    [
        (LogisticRegression(max_iter=1000), CrossValidation(3)),
        (GaussianNB(), Holdout(0.3)),
        (GaussianNB(), Resubstitution()),
    ],
)
def test_every_split_is_fitted_where_nothing_is_shared_or_gained(model, scheme):
    X, y = load_iris(return_X_y=True)
    data = Dataset.of(X, y)
    assert run(model, data, scheme.plan(data)).how == "by fitting every split"


def test_warnings_are_counted_as_ever():
    # Priors that sum to 1.2: each fit of LDA warns.
    X, y = load_iris(return_X_y=True)
    data = Dataset.of(X, y)
    done = run(Lda(priors=[0.4, 0.4, 0.4]), data, CrossValidation(4).plan(data))
    assert list(done.warned.values()) == [5]
    assert done.how == "by fitting every split"


def test_errors_name_the_split_as_ever():
    # QDA refuses the class of three cases in the split that lacks one of them.
    X = np.random.default_rng(0).normal(size=(40, 2))
    y = np.r_[[0] * 3, [1] * 37]
    data = Dataset.of(X, y)
    with pytest.raises(FitError, match=r"model failed in split 0 \(39 training rows\): LinAlg"):
        run(Qda(), data, LeaveOneOut().plan(data))


def test_shared_work_that_breaks_leads_to_plain_fits():
    class Broken(GaussianNB):
        def predict_plan(self, X, Y, plan, *, classes, scores=False):
            raise ZeroDivisionError

    X, y = load_iris(return_X_y=True)
    data = Dataset.of(X, y)
    plan = CrossValidation(4).plan(data)
    broken, plain = run(Broken(), data, plan), run(GaussianNB(), data, plan)
    assert broken.how == "by fitting every split"
    assert broken.predictions.predicted.tolist() == plain.predictions.predicted.tolist()


def test_shared_work_that_warns_leads_to_plain_fits():
    class Warns(GaussianBayes):
        def predict_plan(self, X, Y, plan, *, classes, scores=False):
            warnings.warn("hm", UserWarning, stacklevel=1)
            return super().predict_plan(X, Y, plan, classes=classes, scores=scores)

    X, y = load_iris(return_X_y=True)
    data = Dataset.of(X, y)
    assert run(Warns(), data, CrossValidation(4).plan(data)).how == "by fitting every split"


@pytest.mark.parametrize("name", ["lda", "nb"])
def test_a_whole_evaluation_with_and_without_shortcuts(name, monkeypatch):
    X, y = load_breast_cancer(return_X_y=True)
    X = pd.DataFrame(X[:, :10])
    shared = referee.evaluate(MODELS[name], X, y, by="5x2", random_state=0)
    monkeypatch.setenv("REFEREE_SHORTCUTS", "0")
    plain = referee.evaluate(MODELS[name], X, y, by="5x2", random_state=0)
    for measure, estimate in plain.estimates.items():
        assert shared.estimates[measure].value == pytest.approx(estimate.value, abs=1e-9)
        assert shared.estimates[measure].interval == estimate.interval or (
            shared.estimates[measure].interval.low == pytest.approx(estimate.interval.low, abs=1e-9)
        )


def test_warnings_of_single_splits_are_counted_as_ever(monkeypatch):
    # The solver lsqr warns where a class has one training row: in one or two of the folds.
    X = np.random.default_rng(1).normal(size=(60, 2))
    data = Dataset.of(X, np.r_[[0] * 2, [1] * 28, [2] * 30])
    plan = CrossValidation(5, stratify="best effort").plan(data, seed=0)
    shared, plain = both(Lda(solver="lsqr"), data, plan, monkeypatch)
    assert plain.warned
    assert_same(shared, plain)


def test_where_answers_are_dear_the_model_on_all_rows_is_trained_and_not_asked(monkeypatch):
    data = Dataset.of(*load_iris(return_X_y=True))  # with ties, and rows that are equal
    plan, model = CrossValidation(5).plan(data), KNeighborsClassifier()
    shared = run(model, data, plan, scores=True)
    monkeypatch.setenv("REFEREE_SHORTCUTS", "0")
    plain = run(model, data, plan, scores=True)
    assert "shared work" in shared.how
    assert plain.how == "by fitting every split"
    ours, theirs = shared.predictions.resubstitution, plain.predictions.resubstitution
    np.testing.assert_array_equal(ours.predicted, theirs.predicted)
    np.testing.assert_allclose(ours.scores, theirs.scores, atol=1e-12)
    assert (shared.model.predict(data.X) == plain.model.predict(data.X)).all()
    monkeypatch.delenv("REFEREE_SHORTCUTS")
    asked = []
    answer = KNeighborsClassifier.predict_proba
    monkeypatch.setattr(
        KNeighborsClassifier,
        "predict_proba",
        lambda self, X: asked.append(len(X)) or answer(self, X),
    )
    run(KNeighborsClassifier(), data, plan, scores=True)
    assert len(data.y) not in asked
