"""Models made ready for tables: every catalogue entry on every kind of awkward table."""

import numpy as np
import pandas as pd
import pytest
from scipy import sparse
from sklearn.base import clone, is_classifier
from sklearn.ensemble import HistGradientBoostingClassifier
from sklearn.impute import SimpleImputer
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import Pipeline, make_pipeline
from sklearn.preprocessing import FunctionTransformer, MaxAbsScaler, StandardScaler
from sklearn.svm import SVC
from sklearn.tree import DecisionTreeClassifier

from referee import kernels
from referee.learners import CATALOGUE, SVM, for_table, model_from_name


def words(cells):
    return pd.Series(np.array(cells, dtype=object), dtype=object)


def mixed(n=120):
    """Return a table with everything awkward in it, and labels that two columns tell."""
    generator = np.random.default_rng(7)
    y = generator.integers(0, 2, n)
    number = generator.normal(size=n) + 3 * y
    number[:5] = np.nan
    colour = np.where(y == 1, "red", generator.choice(["green", "blue"], n)).astype(object)
    colour[3] = None
    X = pd.DataFrame(
        {
            "number": number,
            "noise": generator.normal(size=n),
            "colour": words(colour),
            "name": words([f"person {i} of many" for i in range(n)]),
            "day": words([f"2020-01-{i % 28 + 1:02d}" for i in range(n)]),
            "all missing": np.full(n, np.nan),
            "all none": words([None] * n),
            "constant": np.ones(n),
            "constant word": words(["same"] * n),
        }
    )
    return X, y


def surprising(X):
    """Return rows unlike those of the training set in every way that still makes sense."""
    X = X.reset_index(drop=True).copy()
    X.loc[0, "number"] = X.loc[1, "noise"] = np.nan
    if "colour" in X:
        X.loc[0, "colour"], X.loc[1, "name"], X.loc[2, "day"] = "purple", None, "some day"
        X.loc[3, "all none"], X.loc[4, "constant word"] = "surprise", None
    X.loc[5, "all missing"] = 3.0
    return X


CLASSIFIERS = [name for name in CATALOGUE if is_classifier(model_from_name(name))]


@pytest.mark.parametrize("name", sorted(set(CATALOGUE) - set(CLASSIFIERS)))
def test_every_regressor_fits_and_predicts_without_warnings(name):
    X, y = mixed()
    model = for_table(model_from_name(name), X).fit(X[:90], 10.0 * y[:90])
    predicted = model.predict(surprising(X[90:]))
    assert np.isfinite(predicted).all()
    if name not in ("mean", "median"):
        off, guessed = (np.mean((10 * y[90:] - p) ** 2) for p in (predicted, 5.0))
        assert off < guessed


@pytest.mark.parametrize("kind", ["mixed", "numbers with gaps"])
@pytest.mark.parametrize("name", CLASSIFIERS)
def test_every_model_fits_and_predicts_without_warnings(name, kind):
    X, y = mixed()
    if kind == "numbers with gaps":
        X = X[["number", "noise", "all missing", "constant"]]
    estimator = model_from_name(name)
    if "random_state" in estimator.get_params():
        estimator.set_params(random_state=0)
    model = for_table(estimator, X).fit(X[:90], y[:90])
    assert set(model.predict(surprising(X[90:]))) <= {0, 1}
    score = model.score(X[90:], y[90:])
    assert score == 0.5 if name == "majority" else score > 0.6


@pytest.mark.parametrize("name", ["logistic", "boosting", "forest", "knn"])
def test_words_are_used_against_labels_they_determine(name):
    """Oracle: a column of words that equals the label lets the model be right everywhere."""
    y = np.arange(80) % 2
    X = pd.DataFrame({"word": words(np.where(y == 1, "yes", "no")), "noise": np.arange(80.0)})
    model = for_table(model_from_name(name), X).fit(X[:60], y[:60])
    assert model.score(X[60:], y[60:]) == 1.0


def test_mixed_tables_give_the_same_numbers_at_every_fit():
    X, y = mixed(400)
    model = for_table(LogisticRegression(max_iter=1000), X)
    first, second = (clone(model).fit(X, y).predict_proba(X) for _ in range(2))
    np.testing.assert_array_equal(first, second)


def steps(model):
    return [type(step) for _, step in model.steps] if isinstance(model, Pipeline) else []


COMPLETE = pd.DataFrame({"a": [1.0, 2.0], "b": [3.0, 4.0]})
OURS = {
    "log-knn",
    "condensed-knn",
    "edited-knn",
    "prototype-knn",
    "forward-selection",
    "backward-selection",
}
SENSITIVE = {"logistic", "svm", "linear-svm", "knn", "1nn", "mlp"} | OURS
DENSE = {"lda", "qda", "nb", "gaussian", "boosting", "nca-knn"} | OURS


@pytest.mark.parametrize("name", CATALOGUE)
def test_complete_numbers_are_scaled_only_where_scale_matters(name):
    expected = [StandardScaler] if name in SENSITIVE else []
    assert steps(for_table(model_from_name(name), COMPLETE))[:-1] == expected


@pytest.mark.parametrize("name", CATALOGUE)
def test_sparse_features_stay_sparse(name):
    expected = [MaxAbsScaler] if name in SENSITIVE else []
    expected += [FunctionTransformer] if name in DENSE else []
    X = sparse.csr_matrix(COMPLETE.to_numpy())
    assert steps(for_table(model_from_name(name), X))[:-1] == expected


@pytest.mark.parametrize("name", ["lda", "nb", "boosting", "logistic", "knn", "condensed-knn"])
def test_models_that_take_no_sparse_matrix_get_a_dense_one(name):
    rng = np.random.default_rng(0)
    X = sparse.random(60, 8, density=0.5, random_state=0, format="csr")
    y = rng.integers(2, size=60)
    fitted = for_table(model_from_name(name), X).fit(X, y)
    assert fitted.predict(X).shape == (60,)


def test_gaps_are_imputed_only_where_the_model_cannot_take_them():
    X = pd.DataFrame({"a": [1.0, np.nan]})
    assert SimpleImputer in steps(for_table(SVC(), X))
    assert SimpleImputer not in steps(for_table(HistGradientBoostingClassifier(), X))
    assert SimpleImputer not in steps(for_table(DecisionTreeClassifier(), X))


def test_a_pipeline_that_scales_is_not_scaled_again():
    model = make_pipeline(StandardScaler(), SVC())
    assert for_table(model, COMPLETE) is model


def test_means_are_learned_from_training_rows_alone():
    """Oracle: the mean of the training rows, whatever the table that was looked at holds."""
    X = pd.DataFrame({"a": [1.0, 3.0, np.nan, 1000.0]})
    model = for_table(SVC(), X).fit(X[:3], [0, 1, 0])
    assert model.named_steps["simpleimputer"].statistics_.tolist() == [2.0]


def test_the_users_estimator_is_left_alone():
    X, y = mixed()
    estimator = model_from_name("qda")
    before = estimator.get_params()
    for_table(estimator, X).fit(X, y)
    assert estimator.get_params() == before


def test_machines_are_scaled_unless_their_kernel_takes_histograms_or_a_matrix():
    X = pd.DataFrame({"a": [1.0, 2.0], "b": [3.0, 1.0]})
    assert [name for name, _ in for_table(SVM(), X).steps] == ["standardscaler", "svm"]
    for model in (SVM("chi2"), SVM(2 * kernels.ChiSquared() + 1), SVM("precomputed")):
        assert for_table(model, X) is model
