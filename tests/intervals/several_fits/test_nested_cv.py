"""The nested cross-validation interval, against the paper's algorithm run without any shortcut."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
from sklearn.tree import DecisionTreeClassifier

import referee
from referee.core import Dataset, Part
from referee.core.results import Target
from referee.errors import Refusal
from referee.fitting.run import run
from referee.intervals import nested_cv, nested_error
from referee.measures import Losses
from referee.resampling import NestedCrossValidation


def gaussians(n, seed, apart=1.0, d=2):
    rng = np.random.default_rng(seed)
    y = np.arange(n) % 2
    X = rng.standard_normal((n, d))
    X[:, 0] += apart * (2 * y - 1)
    return X, y


def published(partitions, loss_of, n, level=0.95):
    """Algorithm 1 and the corrections of Bates, Hastie and Tibshirani, K^2 fits a repetition.

    `partitions` holds lists of folds; ``loss_of(train, test)`` fits and returns losses.
    """
    es, a, b, cv = [], [], [], []
    everyone = set(range(n))
    K = len(partitions[0])
    for folds in partitions:
        for out in folds:
            rest = [f for f in folds if f is not out]
            inner = []
            for test in rest:
                train = sorted(everyone - set(out) - set(test))
                inner += list(loss_of(train, test))
            outer = loss_of(sorted(everyone - set(out)), out)
            a.append((np.mean(inner) - np.mean(outer)) ** 2)
            b.append(np.var(outer, ddof=1) / len(out))
            es += inner
            cv += list(outer)
    mse = (K - 1) / K * (np.mean(a) - np.mean(b))
    se = np.std(es, ddof=1) / math.sqrt(n)
    width = min(max(math.sqrt(max(mse, 0)), se), math.sqrt(K) * se)
    bias = (1 + (K - 2) / K) * (np.mean(es) - np.mean(cv))
    point = np.mean(es) - bias
    half = stats.norm.isf((1 - level) / 2) * width
    return point, point - half, point + half, mse


def direct(model, X, y, plan, level=0.95):
    """The published interval for the folds of a plan."""
    main = plan.part(Part.MAIN)
    repetitions = sorted({s.repetition for s in main})
    partitions = [[s.test for s in main if s.repetition == r] for r in repetitions]

    def loss_of(train, test):
        return (model.fit(X[train], y[train]).predict(X[test]) != y[test]).astype(float)

    return published(partitions, loss_of, len(y), level)


@pytest.mark.parametrize(
    "model",
    [LinearDiscriminantAnalysis(), DecisionTreeClassifier(random_state=0)],
    ids=["lda", "tree"],
)
@pytest.mark.parametrize(("n", "K", "R"), [(40, 4, 3), (53, 5, 2), (60, 10, 1), (31, 3, 2)])
def test_against_the_published_algorithm(model, n, K, R):
    X, y = gaussians(n, seed=n)
    e = referee.evaluate(model, X, y, by=NestedCrossValidation(K, R), random_state=3, level=0.9)
    point, low, high, _ = direct(model, X, y, e.plan, 0.9)
    assert e.error.value == pytest.approx(point)
    assert (e.error.interval.low, e.error.interval.high) == pytest.approx(
        (max(0, low), min(1, high))
    )
    assert (e.error.interval.method, e.error.interval.target) == ("nested-cv", Target.CONDITIONAL)


def test_the_estimate_of_the_mse_is_the_published_one_where_it_is_not_clipped():
    seen = set()
    for seed in range(12):
        X, y = gaussians(36, seed=seed)
        data = Dataset.of(X, y)
        plan = NestedCrossValidation(4, 2).plan(data, seed)
        model = DecisionTreeClassifier(random_state=0)
        table = run(model, data, plan).predictions
        found = nested_error(Losses.of(table.unseen), Losses.of(table.of_part(Part.NESTED)))
        assert found.mean_squared_error == pytest.approx(direct(model, X, y, plan)[3])
        se = np.std(Losses.of(table.of_part(Part.NESTED)).value, ddof=1) / 6
        kind = "low" if found.mean_squared_error < se**2 else "inside"
        kind = "high" if found.mean_squared_error > 4 * se**2 else kind
        seen.add(kind)
    assert {"low", "inside"} <= seen


def random_losses(K, R, n, rate, seed):
    """Outer and inner losses without any model, and the same for the published algorithm."""
    rng = np.random.default_rng(seed)
    partitions = [np.array_split(rng.permutation(n), K) for _ in range(R)]
    table = {}

    def loss_of(train, test):
        key = (tuple(train), tuple(test))
        if key not in table:
            table[key] = (rng.random(len(test)) < rate).astype(float)
        return table[key]

    outer, inner = [], []
    everyone = set(range(n))
    split = pair = 0
    for r, folds in enumerate(partitions):
        for i, a in enumerate(folds):
            train = sorted(everyone - set(a))
            outer += [(v, c, split, r) for v, c in zip(loss_of(train, a), a, strict=True)]
            split += 1
            for b in folds[i + 1 :]:
                train = sorted(everyone - set(a) - set(b))
                for f in (a, b):
                    inner += [(v, c, pair, r) for v, c in zip(loss_of(train, f), f, strict=True)]
                pair += 1

    def losses(rows):
        value, case, split_, r_ = map(np.array, zip(*rows, strict=True))
        return Losses(value, case, split_, r_, np.zeros(len(value)))

    return losses(outer), losses(inner), published(partitions, loss_of, n)


@settings(max_examples=40, deadline=None)
@given(
    K=st.integers(3, 6),
    R=st.integers(1, 3),
    n=st.integers(14, 40),
    rate=st.sampled_from([0.0, 0.02, 0.3, 0.9, 1.0]),
    seed=st.integers(0, 999),
)
def test_any_losses_against_the_published_algorithm(K, R, n, rate, seed):
    outer, inner, (point, low, high, mse) = random_losses(K, R, n, rate, seed)
    made = nested_cv(outer, inner)
    assert nested_error(outer, inner).mean_squared_error == pytest.approx(mse, abs=1e-12)
    assert made.centre == pytest.approx(min(1, max(0, point)))
    assert 0 <= made.low <= made.centre <= made.high <= 1
    if 0 <= point <= 1:
        assert (made.low, made.high) == pytest.approx((max(0, low), min(1, high)))
    if rate in (0.0, 1.0):
        assert made.width == 0
        assert "no width" in made.flag


def test_few_errors_are_flagged():
    outer, inner, _ = random_losses(5, 2, 40, 0.05, 1)
    assert "fewer than 5" in nested_cv(outer, inner).flag
    outer, inner, _ = random_losses(5, 2, 40, 0.4, 1)
    assert nested_cv(outer, inner).flag == ""


def test_the_value_says_that_it_is_corrected_and_what_the_plain_mean_is():
    X, y = gaussians(60, seed=2, apart=0.5)
    e = referee.evaluate(
        LinearDiscriminantAnalysis(), X, y, by=NestedCrossValidation(4, 2), random_state=0
    )
    plain = e.predictions.unseen.wrong.mean()
    assert f"the plain mean is {plain:.4f}" in e.error.method
    assert e.error.value == e.error.interval.centre != plain
    accuracy = e.estimates["accuracy"]
    assert accuracy.value == pytest.approx(1 - e.error.value)
    assert f"the plain mean is {1 - plain:.4f}" in accuracy.method


def test_groups_weights_and_single_cases_are_refused():
    outer, inner, _ = random_losses(4, 1, 20, 0.3, 0)
    fields = (outer.value, outer.case, outer.split, outer.repetition, outer.n_train)
    with pytest.raises(Refusal, match="clustered"):
        nested_cv(Losses(*fields, groups=outer.case // 2), inner)
    with pytest.raises(Refusal, match="effective-jeffreys"):
        nested_cv(Losses(*fields, weight=np.ones(20)), inner)
    with pytest.raises(Refusal, match="at least 2 cases in each fold, got 1"):
        nested_cv(
            Losses(outer.value, outer.case, outer.case, outer.repetition, outer.n_train), inner
        )
