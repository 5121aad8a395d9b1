"""Models by name, against the classes and parameters of scikit-learn."""

import sys
import types

import pytest
from sklearn.base import BaseEstimator, ClassifierMixin, is_classifier, is_regressor
from sklearn.ensemble import BaggingClassifier, RandomForestClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GridSearchCV
from sklearn.neighbors import KNeighborsClassifier
from sklearn.neural_network import MLPClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC

from referee.errors import ModelError
from referee.learners import CATALOGUE, model_from_name, name_of


@pytest.mark.parametrize("name", CATALOGUE)
def test_every_short_name_is_a_new_model(name):
    model = model_from_name(name)
    assert is_classifier(model) or is_regressor(model)
    assert model is not model_from_name(name)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("1nn", KNeighborsClassifier(n_neighbors=1)),
        (" logistic ", LogisticRegression(max_iter=1000)),
        ("logistic(C=0.1)", LogisticRegression(max_iter=1000, C=0.1)),
        ("logistic(max_iter=5)", LogisticRegression(max_iter=5)),
        ("sklearn.svm:SVC", SVC()),
        ("sklearn.svm:SVC()", SVC()),
        ("sklearn.svm:SVC(C=10, kernel='linear')", SVC(C=10, kernel="linear")),
        ("svm(class_weight={0: 1, 1: 2.5})", SVC(class_weight={0: 1, 1: 2.5})),
        ("svm(coef0=-1, shrinking=False)", SVC(coef0=-1, shrinking=False)),
        ("knn(metric='m(1)')", KNeighborsClassifier(metric="m(1)")),
        ("knn(3)", KNeighborsClassifier(3)),
        (
            "sklearn.neural_network:MLPClassifier(hidden_layer_sizes=(10, 5))",
            MLPClassifier(hidden_layer_sizes=(10, 5)),
        ),
    ],
)
def test_parameters_against_the_constructor(text, expected):
    model = model_from_name(text)
    assert type(model) is type(expected)
    assert model.get_params() == expected.get_params()


class Stubborn(ClassifierMixin, BaseEstimator):
    def __init__(self, folds=3):
        raise RuntimeError("not today")

    def fit(self, X, y):
        return self

    def predict(self, X):
        return X


class Duck:
    def fit(self, X, y):
        return self

    def predict(self, X):
        return X


@pytest.fixture
def own_models(monkeypatch):
    module = types.ModuleType("own_models")
    module.Stubborn, module.Duck, module.THREE = Stubborn, Duck, 3
    monkeypatch.setitem(sys.modules, "own_models", module)


BAD = {
    "": ["is not a name", "package.module:ClassName"],
    "forrest": ["'forrest'", "did you mean 'forest'"],
    "zzz": ["'zzz'", "known are 'majority'"],
    "sklearn.svm.SVC": ["'sklearn.svm.SVC'", "sklearn.svm:SVC"],
    "sklearn.svm:": ["'sklearn.svm:'", "package.module:ClassName"],
    "sklearn.smv:SVC": ["module 'sklearn.smv'", "cannot be imported", "installed"],
    "sklearn.svm:SVCC": ["no class 'SVCC'", "did you mean 'SVC'"],
    "sklearn.svm:l1_min_c": ["'l1_min_c'", "function", "not a class"],
    "svm(kernal='rbf')": ["SVC has no parameter 'kernal'", "did you mean 'kernel'"],
    "svm(C=open('x'))": ["\"open('x')\" is not a literal", "SVC(C=10"],
    "svm(C=__import__('os').getpid())": ["is not a literal", "__import__"],
    "svm(C=10**9)": ["'10 ** 9' is not a literal"],
    "svm(kernel=rbf)": ["'rbf' is not a literal", "kernel='rbf'"],
    "svm(**{'C': 1})": ["**{'C': 1}", "is not a literal"],
    "svm(*[1])": ["'*[1]' is not a literal"],
    "svm(C=1": ["'svm(C=1'", "package.module:ClassName"],
    "svm(C=)": ["'(C=)' is not a list of parameters"],
    "svm(C=1)(2)": ["'(C=1)(2)' is not a list of parameters"],
    "svm(C=1).fit(2)": ["'(C=1).fit(2)' is not a list of parameters"],
    "svm[0]": ["'svm[0]'"],
    "1nn(3)": ["KNeighborsClassifier refused", "multiple values"],
    "sklearn.preprocessing:StandardScaler": ["StandardScaler", "no predict method"],
    "sklearn.cluster:KMeans": ["KMeans is not a scikit-learn classifier"],
    "own_models:Stubborn": ["Stubborn refused", "RuntimeError: not today"],
    "own_models:Duck": ["Duck is not a scikit-learn classifier", "ClassifierMixin"],
    "own_models:THREE": ["'THREE'", "int, not a class"],
}


@pytest.mark.parametrize("text", BAD)
@pytest.mark.usefixtures("own_models")
def test_messages_show_the_offending_part_and_a_remedy(text):
    with pytest.raises(ModelError) as caught:
        model_from_name(text)
    for part in BAD[text]:
        assert part in str(caught.value)


def test_nothing_is_evaluated(tmp_path):
    target = tmp_path / "made"
    with pytest.raises(ModelError):
        model_from_name(f"svm(C=open({str(target)!r}, 'w'))")
    assert not target.exists()


def test_names_of_models():
    search = GridSearchCV(make_pipeline(StandardScaler(), SVC()), {"svc__C": [1, 10]})
    assert name_of(SVC()) == "SVC"
    assert name_of(make_pipeline(StandardScaler(), SVC())) == "SVC"
    assert name_of(search) == "GridSearchCV(SVC)"


def test_a_forest_is_not_named_after_its_trees():
    assert name_of(RandomForestClassifier()) == "RandomForestClassifier"
    assert name_of(BaggingClassifier(SVC())) == "BaggingClassifier(SVC)"


def test_a_model_whose_parameters_cannot_be_read_has_a_name_all_the_same():
    class Broken:
        def get_params(self, deep=True):
            raise RuntimeError("no")

    assert name_of(Broken()) == "Broken"
