"""Shared work of candidates against plain fits, candidate by candidate and split by split."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.neighbors import KNeighborsClassifier

from referee.core import Dataset
from referee.core.plan import Part, Plan, Split
from referee.learners.neighbours.candidates import candidates_of
from referee.learners.neighbours.knn import KNN
from referee.learners.shortcuts.plain_refit import plain_plan
from referee.resampling import CrossValidation


def main_splits(data, folds=4, repetitions=1):
    made = CrossValidation(folds, repetitions, stratify="best effort").plan(data, 3)
    return Plan(made.part(Part.MAIN), data.n, "cv", "")


def plainly(model, data, plan, columns):
    outputs = plain_plan(model, data.X[:, columns], data.codes[:, None], plan, classes=data.classes)
    return np.concatenate(
        [o.predicted[:, 0] != data.codes[s.test] for o, s in zip(outputs, plan.splits, strict=True)]
    )


def check(model, data, plan, base, drop, may_doubt=False):
    d = data.X.shape[1]
    columns = base if drop else [c for c in range(d) if c not in base]
    work = candidates_of(model, data.X, data.codes, plan, len(data.classes))
    judged = work.judge(base, columns, drop=drop)
    for at, c in enumerate(columns):
        if judged.doubt[at]:
            assert may_doubt
            continue
        features = [b for b in base if b != c] if drop else [*base, c]
        np.testing.assert_array_equal(judged.wrong[at], plainly(model, data, plan, features))


MODELS = [KNN(1), KNN(4), KNN("log"), KNeighborsClassifier(5), KNeighborsClassifier(3, p=2)]


@pytest.mark.parametrize("model", MODELS, ids=str)
@pytest.mark.parametrize(("base", "drop"), [([], False), ([2], False), ([0, 3, 4], False),
                                            ([1, 2, 5], True), (list(range(6)), True)])  # fmt: skip
@pytest.mark.parametrize("n", [20, 150])
def test_continuous_features_against_plain_fits(model, base, drop, n):
    rng = np.random.default_rng(n)
    y = rng.permutation(np.arange(n) % 3)
    data = Dataset.of(rng.normal(size=(n, 6)) * [1, 5, 0.1, 1, 1, 20] + y[:, None] + 7, y)
    check(model, data, main_splits(data, repetitions=2), base, drop)


@given(
    st.lists(st.tuples(*[st.integers(0, 3)] * 3, st.integers(0, 2)), min_size=8, max_size=24),
    st.integers(1, 4),
    st.sampled_from([([], False), ([1], False), ([0, 2], False), ([0, 1, 2], True)]),
)
@settings(max_examples=80, deadline=None)
def test_ties_of_whole_numbers_against_plain_fits(table, k, step):
    table = np.array(table)
    if len(set(table[:, 3])) < 2:
        return
    data = Dataset.of(table[:, :3].astype(float), table[:, 3])
    odd = np.arange(data.n) % 2
    plan = Plan(
        tuple(Split(np.flatnonzero(odd != f), np.flatnonzero(odd == f)) for f in (0, 1)),
        data.n,
        "given",
        "",
    )  # fmt: skip
    check(KNN(k), data, plan, *step)
    check(KNeighborsClassifier(k), data, plan, *step, may_doubt=True)


@given(
    st.lists(st.tuples(*[st.integers(0, 3)] * 3, st.integers(0, 1)), min_size=8, max_size=24),
    st.integers(1, 4),
)
@settings(max_examples=60, deadline=None)
def test_ties_of_tenths_where_rounding_decides_against_plain_fits(table, k):
    table = np.array(table)
    if len(set(table[:, 3])) < 2:
        return
    data = Dataset.of(table[:, :3] * 0.1 + 0.7, table[:, 3])
    plan = main_splits(data, 2)
    for base, drop in (([], False), ([2], False), ([2, 0], False), ([0, 1, 2], True)):
        check(KNN(k), data, plan, base, drop)
        check(KNeighborsClassifier(k), data, plan, base, drop, may_doubt=True)


def test_every_training_row_may_vote():
    data = Dataset.of(np.random.default_rng(0).normal(size=(12, 3)), np.arange(12) % 2)
    plan = main_splits(data, 2)
    check(KNN(6), data, plan, [], False)
    check(KNN(6), data, plan, [1], False)
    check(KNN(6), data, plan, [0, 1, 2], True)


@pytest.mark.parametrize(
    "model",
    [
        KNN(7),  # more than the training rows of a split
        KNN(3, metric="manhattan"),
        KNN(3, weights="distance"),
        KNN(3, eps=0.5),
        KNN(3, index="hashing"),
        KNN(0),
        KNeighborsClassifier(3, metric="manhattan"),
        KNeighborsClassifier(3, weights="distance"),
        KNeighborsClassifier(3, p=1),
        type("Mine", (KNeighborsClassifier,), {})(3),
        "no model",
    ],
    ids=str,
)
def test_steps_aside(model):
    data = Dataset.of(np.random.default_rng(0).normal(size=(12, 3)), np.arange(12) % 2)
    plan = main_splits(data, 2)
    assert candidates_of(model, data.X, data.codes, plan, 2) is None


def test_steps_aside_for_rows_that_train_twice_and_for_text(monkeypatch):
    rng = np.random.default_rng(0)
    data = Dataset.of(rng.normal(size=(12, 3)), np.arange(12) % 2)
    twice = Plan((Split(np.array([0, 0, 1, 2]), np.array([5])),), 12, "bootstrap", "")
    assert candidates_of(KNN(1), data.X, data.codes, twice, 2) is None
    plan = main_splits(data, 2)
    assert candidates_of(KNN(1), data.X.astype(str), data.codes, plan, 2) is None
    monkeypatch.setenv("REFEREE_SHORTCUTS", "0")
    assert candidates_of(KNeighborsClassifier(1), data.X, data.codes, plan, 2) is None
    assert candidates_of(KNN(1), data.X, data.codes, plan, 2) is not None
