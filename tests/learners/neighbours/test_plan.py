"""Shared work of KNN against fitting split by split."""

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from referee.core import Dataset, Plan, Split
from referee.core.shared_work import SharedWork
from referee.errors import InputError
from referee.learners import KNN
from referee.learners.neighbours import plan as plan_module
from referee.learners.neighbours.walk import SETTLED, SHORT, walk
from referee.learners.shortcuts.plain_refit import plain_plan
from referee.resampling import Bootstrap, CrossValidation, Holdout, LeaveOneOut

PLANS = {
    "cv": CrossValidation(4, stratify="best effort"),
    "repeated cv": CrossValidation(3, 2, stratify="best effort"),
    "loo": LeaveOneOut(),
    "holdout": Holdout(0.3, repetitions=2, stratify=False),
    "bootstrap": Bootstrap(3),
}
MODELS = {
    "5": KNN(5),
    "1": KNN(1),
    "log": KNN("log"),
    "distance": KNN(4, weights="distance"),
    "function": KNN(4, weights=lambda d: np.exp(-d)),
    "manhattan": KNN(3, metric="manhattan"),
    "minkowski": KNN(3, metric="minkowski", p=3),
    "cosine": KNN(3, metric="cosine"),
    "seuclidean": KNN(3, metric="seuclidean"),
    "approximate": KNN(3, eps=0.5),
}


def assert_same(model, X, Y, plan, classes):
    ours = model.predict_plan(X, Y, plan, classes=classes, scores=True)
    plain = plain_plan(model, X, Y, plan, classes=classes, scores=True)
    for mine, other in zip(ours, plain, strict=True):
        np.testing.assert_array_equal(mine.predicted, other.predicted)
        np.testing.assert_array_equal(mine.scores, other.scores)


def columns(codes, m, rng):
    return np.column_stack([codes, *(rng.permutation(codes) for _ in range(m - 1))])


@pytest.mark.parametrize("scheme", PLANS)
@pytest.mark.parametrize("name", MODELS)
def test_any_options_and_plan_against_plain_fits(name, scheme):
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(45, 3)) + 2, rng.integers(0, 3, 45)
    data = Dataset.of(X, y)
    plan = PLANS[scheme].plan(data, seed=1)
    Y = columns(data.codes, 2 if scheme == "loo" else 9, rng)
    assert_same(MODELS[name], X, Y, plan, data.classes)


@settings(max_examples=60, deadline=None, suppress_health_check=list(HealthCheck))
@given(
    seed=st.integers(0, 2**32 - 1),
    side=st.integers(1, 4),
    d=st.integers(1, 5),
    k=st.sampled_from([1, 2, 5, 12]),
    scheme=st.sampled_from(["cv", "holdout", "bootstrap", "shuffled"]),
    weights=st.sampled_from(["uniform", "distance"]),
)
def test_whole_grids_where_everything_ties_against_plain_fits(seed, side, d, k, scheme, weights):
    rng = np.random.default_rng(seed)
    n = int(rng.integers(20, 50))
    X, y = rng.integers(0, side, (n, d)).astype(float), np.arange(n) % 3
    data = Dataset.of(X, y)
    if scheme == "shuffled":
        order = rng.permutation(n)
        plan = Plan((Split(order[5:], order[:5]), Split(order[:-5], order)), n, "given", "")
    else:
        plan = PLANS[scheme].plan(data, seed=1)
    assert_same(KNN(k, weights=weights), X, columns(data.codes, 2, rng), plan, data.classes)


def test_lists_that_run_short_are_searched_deeper(monkeypatch):
    rng = np.random.default_rng(1)
    X, y = rng.normal(size=(80, 2)), rng.integers(0, 2, 80)
    data = Dataset.of(X, y)
    near = np.argsort(X[:, 0])  # training rows that are all far from the tested ones
    plan = Plan((Split(near[60:], near[:30]), Split(near[20:], near[:20])), 80, "given", "")
    monkeypatch.setattr(plan_module, "_LISTED", 300)
    assert_same(KNN(7), X, data.codes[:, None], plan, data.classes)


def test_small_blocks_give_the_same(monkeypatch):
    rng = np.random.default_rng(2)
    X, y = rng.normal(size=(40, 2)), rng.integers(0, 3, 40)
    data = Dataset.of(X, y)
    for name in ("_PAIRS", "_VOTES", "_TIMES"):
        monkeypatch.setattr(plan_module, name, 25)
    plan = Bootstrap(4).plan(data, 0)
    assert_same(KNN(3), X, columns(data.codes, 9, rng), plan, data.classes)


def test_three_hundred_classes():
    rng = np.random.default_rng(3)
    X, codes = rng.normal(size=(700, 2)), np.arange(700) % 300
    plan = Plan((Split(np.arange(650), np.arange(650, 700)),), 700, "given", "")
    assert_same(KNN(2), X, codes[:, None], plan, tuple(range(300)))


def test_k_beyond_the_training_rows_of_a_fold_names_it():
    X, y = np.arange(12.0)[:, None], np.arange(12) % 2
    data = Dataset.of(X, y)
    plan = CrossValidation(2, halves=0).plan(data, 0)
    with pytest.raises(InputError, match="training rows of split 0, 6"):
        KNN(7).predict_plan(X, data.codes[:, None], plan, classes=data.classes)


def test_it_is_shared_work():
    assert isinstance(KNN(), SharedWork)


@pytest.mark.parametrize(
    ("length", "need", "state"), [(3, 2, SHORT), (6, 4, SHORT), (6, 3, SETTLED)]
)
def test_a_list_that_ends_before_enough_rows_are_found_is_short(length, need, state):
    # Six cases on a line, of which rows 3, 4 and 5 are trained on; the case is row 0.
    pair, status = np.zeros(1, dtype=np.int64), np.zeros(1, dtype=np.int8)
    walk(
        pair, pair, pair, np.array([need]), np.array([[0, 0, 0, 1, 1, 1]]), np.zeros(6, np.int64),
        np.arange(6.0)[None, :length] ** 2, np.arange(6)[None, :length], 0.0, np.zeros(6), 6,
        np.zeros((1, need), np.int32), np.empty((0, 0)), np.empty(1), status,
    )  # fmt: skip
    assert status[0] == state
