"""The shortcut for KNeighborsClassifier against scikit-learn's own fits: the same answers."""

import warnings

import numpy as np
import pandas as pd
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from scipy import sparse
from sklearn.datasets import load_iris
from sklearn.neighbors import KNeighborsClassifier as Neighbours
from sklearn.neighbors import RadiusNeighborsClassifier

import referee
from referee.core import Dataset
from referee.core.shared_work import SteppedAside
from referee.learners import KNN
from referee.learners.shortcuts import neighbours as shortcuts
from referee.learners.shortcuts.plain_refit import plain_plan
from referee.learners.shortcuts.shortcut import shortcut_of
from referee.resampling import Bootstrap, CrossValidation, Holdout, LeaveOneOut

PLANS = {
    "cv": CrossValidation(4, stratify="best effort"),
    "loo": LeaveOneOut(),
    "holdout": Holdout(0.3, repetitions=3, stratify=False),
    "bootstrap": Bootstrap(3),
}
MODELS = {
    "plain": Neighbours(),
    "1": Neighbours(1),
    "even": Neighbours(4, leaf_size=3),
    "most": Neighbours(14),
    "distance": Neighbours(4, weights="distance"),
    "manhattan": Neighbours(3, metric="manhattan"),
    "chebyshev": Neighbours(3, metric="chebyshev", algorithm="kd_tree"),
    "p3": Neighbours(3, p=3),
    "ball": Neighbours(5, algorithm="ball_tree"),
    "brute": Neighbours(5, algorithm="brute"),
    "brute distance": Neighbours(5, algorithm="brute", weights="distance"),
    "threads": Neighbours(5, n_jobs=2),
}
ODD = ["normal", "grid", "same", "offset", "copies", "tenths", "whole numbers", "columns first"]


def made(kind, n, d, rng):
    X = rng.normal(size=(n, d))
    if kind == "grid":
        X = rng.integers(0, 3, (n, d)).astype(float)
    elif kind == "same":
        X[:] = 0.1
    elif kind == "offset":
        X += 1e6
    elif kind == "copies":
        X = X[rng.integers(0, n // 3, n)]
    elif kind == "tenths":
        X = np.round(X, 1)
    elif kind == "whole numbers":
        X = rng.integers(0, 4, (n, d))
    return np.asfortranarray(X) if kind == "columns first" else X


def assert_same(model, X, Y, plan, classes, *, scores=True):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        ours = shortcut_of(model).predict_plan(X, Y, plan, classes=classes, scores=scores)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        plain = plain_plan(model, X, Y, plan, classes=classes, scores=scores)
    for mine, other in zip(ours, plain, strict=True):
        np.testing.assert_array_equal(mine.predicted, other.predicted)
        if scores:
            np.testing.assert_allclose(mine.scores, other.scores, rtol=0, atol=1e-9)
    return ours


@pytest.mark.parametrize("name", MODELS)
@settings(max_examples=12, deadline=None, suppress_health_check=list(HealthCheck))
@given(
    seed=st.integers(0, 2**32 - 1),
    kind=st.sampled_from(ODD),
    d=st.sampled_from([1, 2, 5, 17]),
    scheme=st.sampled_from(sorted(PLANS)),
    scores=st.booleans(),
    m=st.sampled_from([1, 2]),
)
def test_any_data_and_plan_against_the_loop_of_scikit_learn(name, seed, kind, d, scheme, scores, m):
    rng = np.random.default_rng(seed)
    n = int(rng.integers(22, 40))
    X, y = made(kind, n, d, rng), np.array(["ant", "bee", "cat"])[np.arange(n) % 3]
    data = Dataset.of(X, y)
    plan = PLANS[scheme].plan(data, seed=1)
    Y = np.column_stack([data.codes, rng.permutation(data.codes)])[:, :m]
    assert_same(MODELS[name], X, Y, plan, data.classes, scores=scores)


@pytest.mark.parametrize("scheme", PLANS)
@pytest.mark.parametrize("name", ["plain", "distance", "brute", "ball"])
def test_data_without_ties_against_the_loop_without_a_refit(name, scheme):
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(60, 4)), np.arange(60) % 2
    data = Dataset.of(X, y)
    plan = PLANS[scheme].plan(data, 0)
    outputs = assert_same(MODELS[name], X, data.codes[:, None], plan, data.classes)
    assert sum(o.refits for o in outputs) == 0


def test_iris_with_its_ties_asks_only_where_the_choice_can_matter():
    X, y = load_iris(return_X_y=True)
    data = Dataset.of(X, y)
    plan = LeaveOneOut().plan(data)
    Y = data.codes[:, None]
    answers = assert_same(Neighbours(), X, Y, plan, data.classes, scores=False)
    shares = assert_same(Neighbours(), X, Y, plan, data.classes, scores=True)
    assert sum(o.refits for o in answers) == 0
    assert 0 < sum(o.refits for o in shares) < 30


def test_data_frames_against_the_loop():
    X, y = load_iris(return_X_y=True)
    data = Dataset.of(pd.DataFrame(X, columns=list("abcd")), y)
    plan = CrossValidation(3).plan(data, 0)
    assert_same(Neighbours(algorithm="brute"), data.X, data.codes[:, None], plan, data.classes)


@pytest.mark.parametrize("weights", ["uniform", "distance"])
def test_splits_too_large_to_ask_about_are_fitted_plainly(monkeypatch, weights):
    monkeypatch.setattr(shortcuts, "_LARGEST", 10)
    rng = np.random.default_rng(1)
    X, y = made("grid", 40, 2, rng), np.arange(40) % 2
    data = Dataset.of(X, y)
    Y = np.column_stack([data.codes, rng.permutation(data.codes)])
    plan = PLANS["cv"].plan(data, 0)
    outputs = assert_same(Neighbours(weights=weights), X, Y, plan, data.classes)
    assert max(o.refits for o in outputs) == 2


@pytest.mark.parametrize(
    "model",
    [
        Neighbours(metric="cosine"),
        Neighbours(metric=lambda a, b: abs(a - b).sum()),
        Neighbours(metric="precomputed"),
        Neighbours(metric_params={"w": [1, 2]}),
        Neighbours(weights=lambda d: d + 1),
        Neighbours(weights=None),
        Neighbours(p=0.5),
        Neighbours(n_neighbors=0),
        RadiusNeighborsClassifier(),
    ],
)
def test_other_options_have_no_shortcut(model):
    assert shortcut_of(model) is None


@pytest.mark.parametrize("kind", ["sparse", "single", "text", "missing", "k"])
def test_the_twin_steps_aside(kind):
    X = np.arange(40.0).reshape(20, 2)
    data = Dataset.of(X, np.arange(20) % 2)
    odd = {
        "sparse": sparse.csr_matrix(X),
        "single": X.astype(np.float32),
        "text": X.astype(str),
        "missing": np.where(X == 3, np.nan, X),
        "k": X,
    }[kind]
    model = Neighbours(12) if kind == "k" else Neighbours()
    plan = CrossValidation(2, halves=0).plan(data, 0)
    with pytest.raises(SteppedAside):
        shortcut_of(model).predict_plan(odd, data.codes[:, None], plan, classes=data.classes)


def test_evaluate_uses_the_twin_and_gives_the_numbers_of_plain_fits(monkeypatch):
    X, y = load_iris(return_X_y=True)
    shared = referee.evaluate(Neighbours(), X, y, by="loo")
    monkeypatch.setenv("REFEREE_SHORTCUTS", "0")
    plain = referee.evaluate(Neighbours(), X, y, by="loo")
    assert shared.error.value == plain.error.value


def test_rows_with_many_copies_are_fitted_plainly():
    rng = np.random.default_rng(0)
    X = np.vstack([np.zeros((150, 2)), rng.normal(size=(50, 2))])
    y = rng.integers(0, 2, 200)
    data = Dataset.of(X, y)
    plan = PLANS["cv"].plan(data, 0)
    with pytest.raises(SteppedAside, match="so many copies"):
        shortcut_of(Neighbours()).predict_plan(X, data.codes[:, None], plan, classes=data.classes)
    assert "shared work" not in referee.evaluate(KNN(3), X, y, by=5, random_state=0).how


@pytest.mark.parametrize("name", ["distance", "brute distance"])
def test_ties_among_votes_by_distance_on_many_grids(name):
    # Which tied row votes may matter even where it could not change a count of votes.
    for seed in range(25):
        rng = np.random.default_rng(1000 + seed)
        n = int(rng.integers(22, 40))
        X, y = made("whole numbers", n, int(rng.choice([2, 5, 17])), rng), np.arange(n) % 3
        data = Dataset.of(X, y)
        plan = PLANS[sorted(PLANS)[seed % len(PLANS)]].plan(data, seed=1)
        assert_same(MODELS[name], X, data.codes[:, None], plan, data.classes, scores=False)
