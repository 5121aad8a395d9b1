"""Results of every kind that can be kept, and their bundles."""

import numpy as np
import pytest
from sklearn.dummy import DummyClassifier
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.svm import LinearSVC

import referee
from referee.resampling import Bootstrap


def data(n=60, classes=(0, 1)):
    rng = np.random.default_rng(0)
    codes = rng.permutation(np.arange(n) % len(classes))
    return rng.normal(size=(n, 2)) + codes[:, None], np.array(classes)[codes]


def noise(n=60):
    rng = np.random.default_rng(5)
    return rng.normal(size=(n, 2)), rng.permutation(np.arange(n) % 2)


def fitted(model=None, classes=(0, 1), **options):
    X, y = data(classes=classes)
    return referee.evaluate(model or GaussianNB(), X, y, random_state=0, **options)


def answers(labels, wrong=0.25, n=120, seed=0):
    rng = np.random.default_rng(seed)
    truth = np.arange(n) % len(labels)
    said = np.where(rng.random(n) < wrong, (truth + 1) % len(labels), truth)
    return np.array(labels)[truth], np.array(labels)[said]


def predicted(classes, **options):
    return referee.evaluate_predictions(*answers(classes), **options)


def scores(labels=(0, 1)):
    truth, _ = answers(labels)
    return (truth == labels[1]) + np.random.default_rng(1).normal(size=len(truth))


def compared(**options):
    truth, one = answers(["a", "b"])
    _, two = answers(["a", "b"], wrong=0.1, seed=3)
    _, three = answers(["a", "b"], wrong=0.4, seed=4)
    return referee.compare_predictions(truth, {"one": one, "two": two, "3.x": three}, **options)


def raced(models=None, **options):
    X, y = data()
    models = models or {"nb": GaussianNB(), "1nn": KNeighborsClassifier(1)}
    return referee.compare(models, X, y, **{"by": "3x4", "random_state": 0, **options})


def permuted(**options):
    X, y = data()
    return referee.permutation_test(
        GaussianNB(), X, y, **{"permutations": 39, "random_state": 0, **options}
    )


RANKS = {"a": [0.9, 0.8, 0.7, 0.9, 0.8, 0.6], "b": [0.8, 0.7, 0.6, 0.8, 0.7, 0.5]}

MAKERS = {
    "predictions": lambda: predicted([0, 1], y_score=scores()),
    "text": lambda: predicted(["ham", "spam"], pos_label="spam", level=0.9, max_error=0.4),
    "booleans": lambda: predicted([False, True]),
    "whole floats": lambda: predicted([1.0, 2.0]),
    "emoji": lambda: predicted(["🐱", "👩‍👩‍👧‍👦"], name="🤖 <script>", pos_label="🐱"),
    "forty classes": lambda: predicted([f"class {k}" for k in range(40)]),
    "absent class": lambda: predicted([0, 1], labels=[0, 1, 2]),
    "priors": lambda: predicted(["ill", "well"], priors={"well": 0.9, "ill": 0.1}),
    "priors and costs": lambda: predicted(
        ["ill", "well"], priors=[0.3, 0.7], costs=(1, 10), pos_label="ill"
    ),
    "given groups": lambda: predicted([0, 1], groups=np.arange(120) // 4),
    "given weights": lambda: predicted([0, 1], sample_weight=1 + np.arange(120) % 3),
    "measures": lambda: predicted([0, 1], measures=["mcc", "f2"], interval="wilson"),
    "no errors": lambda: referee.evaluate_predictions([0, 1] * 60, [0, 1] * 60),
    "cv": lambda: fitted(by="3x4"),
    "auto": lambda: fitted(classes=("x", "y", "z")),
    "holdout": lambda: fitted(by="holdout", costs=(1, 5)),
    "bootstrap": lambda: fitted(by=Bootstrap(10)),
    "interpolating bootstrap": lambda: fitted(KNeighborsClassifier(1), by=Bootstrap(10)),
    "resubstitution": lambda: fitted(KNeighborsClassifier(1), by="resubstitution"),
    "groups": lambda: fitted(by=4, groups=np.arange(60) // 3),
    "weights": lambda: fitted(by=4, sample_weight=1.0 + np.arange(60) % 2),
    "time": lambda: fitted(time=np.arange(60), about="expected"),
    "dismissed": lambda: fitted(by=4, dismiss=["R006"], groups=np.arange(60) // 3),
    "three given": compared,
    "non-inferior": lambda: compared(claim="non-inferior", rope=0.2),
    "unpaired": lambda: referee.compare_predictions(
        {"a": answers([0, 1])[0], "b": answers([0, 1], n=80)[0]},
        {"a": answers([0, 1])[1], "b": answers([0, 1], n=80)[1]},
    ),
    "given aucs": lambda: referee.compare_predictions(
        answers([0, 1])[0],
        {"a": answers([0, 1])[1], "b": answers([0, 1])[1]},
        y_scores={"a": scores(), "b": -scores()},
        measure="auc",
    ),
    "learners": raced,
    "calibrated": lambda: raced(by="calibrated-cv"),
    "baseline": lambda: raced({"nb": GaussianNB(), "": DummyClassifier()}),
    "split": lambda: raced(by="holdout", rope=0.05),
    "unlike scores": lambda: raced(
        {"nb": GaussianNB(), "svm": LinearSVC()}, by="holdout", measure="auc"
    ),
    "evaluations": lambda: referee.compare(
        {"nb": fitted(by="3x4"), "knn": fitted(KNeighborsClassifier(), by="3x4")}
    ),
    "permutations": permuted,
    "ranked permutations": lambda: permuted(measure="auc"),
    "stopped": lambda: referee.permutation_test(
        GaussianNB(), *noise(), permutations=39, stop_after=3, random_state=0
    ),
    "grouped permutations": lambda: permuted(groups=np.arange(60) // 3),
    "columns": lambda: permuted(null="features"),
    "data sets": lambda: referee.compare_datasets(scores=RANKS, rope=0.01),
    "control": lambda: referee.compare_datasets(
        scores={**RANKS, "c.d": [0.5, 0.6, 0.7, 0.4, 0.3, 0.8]}, control="a", measure="error"
    ),
}
_made = {}


@pytest.fixture
def make():
    return lambda name: _made[name] if name in _made else _made.setdefault(name, MAKERS[name]())


@pytest.fixture(params=MAKERS)
def result(request, make):
    return make(request.param)
