"""Shortcuts of SVC and LinearSVC against scikit-learn's own fits: the same answers, or none."""

import warnings

import numpy as np
import pytest
from hypothesis import HealthCheck, given, reject, settings
from hypothesis import strategies as st
from sklearn.datasets import load_breast_cancer, load_iris
from sklearn.decomposition import PCA
from sklearn.pipeline import make_pipeline
from sklearn.svm import SVC, LinearSVC

from referee.core import Dataset, Part, Plan
from referee.core.shared_work import SteppedAside
from referee.errors import PlanError
from referee.learners.shortcuts import svc as svc_module
from referee.learners.shortcuts.plain_refit import plain_plan
from referee.learners.shortcuts.shortcut import shortcut_of
from referee.learners.svm.solvers.libsvm_steps import inner_products, libsvm_kernel, libsvm_solve
from referee.learners.svm.solvers.squared_hinge import MarginProblem
from referee.resampling import Bootstrap, CrossValidation, Holdout

MODELS = {
    "svc": SVC(),
    "svc C": SVC(C=30.0, gamma=0.2),
    "svc auto": SVC(gamma="auto", shrinking=False, tol=1e-2),
    "svc linear": SVC(kernel="linear", C=0.2),
    "linear svc": LinearSVC(),
    "linear svc C": LinearSVC(C=0.05, dual=False, intercept_scaling=2.0),
    "linear svc through 0": LinearSVC(fit_intercept=False),
}
PLANS = {
    "cv": CrossValidation(4, stratify="best effort"),
    "holdout": Holdout(0.3, repetitions=2, stratify=False),
    "bootstrap": Bootstrap(3),
}


@st.composite
def problems(draw):
    """Data with ties, duplicates, constant columns and odd scales."""
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    n, d, k = draw(st.integers(16, 80)), draw(st.integers(1, 6)), draw(st.integers(2, 4))
    codes = rng.integers(0, k, n)
    codes[:k] = np.arange(k)
    X = rng.normal(size=(n, d)) + draw(st.sampled_from([0.0, 0.7, 5.0])) * codes[:, None]
    odd = draw(st.sampled_from(["plain", "whole", "constant", "copies", "scales", "far", "tails"]))
    if odd == "whole":
        X = np.round(X)
    elif odd == "constant":
        X[:, 0] = draw(st.sampled_from([0.0, 3.0]))
    elif odd == "copies":
        X[n // 2 :] = X[: n - n // 2]
    elif odd == "scales":
        X = X * 10.0 ** rng.uniform(-2, 1, d)
    elif odd == "far":
        X = X + 10.0 ** rng.uniform(2, 8)
    elif odd == "tails":
        X = X * np.exp(2 * rng.normal(size=(n, 1)))
    return X, np.array(["ant", "bee", "cat", "doe"])[codes], rng


@pytest.mark.parametrize("name", MODELS)
@settings(max_examples=15, deadline=None, suppress_health_check=list(HealthCheck))
@given(problem=problems(), scheme=st.sampled_from(sorted(PLANS)))
def test_any_data_and_plan_against_the_loop_of_scikit_learn(name, problem, scheme):
    X, y, rng = problem
    data, model = Dataset.of(X, y), MODELS[name]
    if name == "svc linear" and np.abs(X).max() > 100:
        reject()  # a plain fit takes minutes
    try:
        plan = PLANS[scheme].plan(data, seed=int(rng.integers(1000)))
    except PlanError:
        reject()
    Y = np.column_stack([data.codes, *(rng.permutation(data.codes) for _ in range(7))])
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            ours = shortcut_of(model).predict_plan(X, Y, plan, classes=data.classes)
        except (SteppedAside, ValueError):
            return
        theirs = plain_plan(model, X, Y, plan, classes=data.classes)
    for mine, other in zip(ours, theirs, strict=True):
        np.testing.assert_array_equal(mine.predicted, other.predicted)


@pytest.mark.parametrize("seed", range(12))
def test_libsvms_steps_give_its_coefficients_to_the_last_bit(seed):
    rng = np.random.default_rng(seed)
    n, d = int(rng.integers(20, 700)), int(rng.integers(1, 20))
    X = rng.normal(size=(n, d))
    y = (X[:, 0] + rng.normal(size=n) > 0).astype(int)
    if seed % 3 == 1:
        X = np.round(X)
    if seed % 3 == 2:
        X[n // 2 :] = X[: n - n // 2]
    C, gamma = float(10 ** rng.uniform(-2, 2)), 1 / d
    linear = seed % 4 == 3
    model = SVC(C=C, kernel="linear" if linear else "rbf", gamma=gamma).fit(X, y)
    theirs = np.zeros(n)
    theirs[model.support_] = model.dual_coef_[0]

    products, K, own = np.empty((n, n)), np.empty((n, n), np.float32), np.empty(n)
    inner_products(X, products)
    libsvm_kernel(products, np.arange(n), 0.0 if linear else gamma, K, own)
    order = np.concatenate([np.flatnonzero(y == 0), np.flatnonzero(y == 1)])
    signed = np.empty(n)
    signs = np.where(y[order] == 0, 1.0, -1.0)
    rho, steps = libsvm_solve(K, own, order, signs, C, 1e-3, True, signed)
    ours = np.empty(n)
    ours[order] = -signed  # scikit-learn turns the sign of two classes
    np.testing.assert_array_equal(ours, theirs)
    assert rho == model.intercept_[0]
    assert steps == model.n_iter_[0]


@pytest.mark.parametrize("k", [2, 3])
@pytest.mark.parametrize("kernel", ["rbf", "linear"])
@pytest.mark.parametrize("far", [0.0, 1e3, 1e7])
def test_decision_values_of_svc_to_the_last_bit(far, kernel, k):
    rng = np.random.default_rng(5)
    y = np.arange(150) % k
    X = rng.normal(size=(150, 3)) + 0.5 * y[:, None] + (far if kernel == "rbf" else 0.0)
    data, Y, plan = permuted(X, y, 3)
    model = SVC(kernel=kernel, gamma=0.5, C=10.0)
    ours = shortcut_of(model).predict_plan(X, Y, plan, classes=data.classes, scores=True)
    names = np.asarray(data.classes)
    for split, mine in zip(plan.splits, ours, strict=True):
        assert mine.refits == 0
        for column, codes in enumerate(Y.T):
            fitted = SVC(kernel=kernel, gamma=0.5, C=10.0).fit(
                X[split.train], names[codes[split.train]]
            )
            theirs = fitted.decision_function(X[split.test])
            theirs = np.column_stack([-theirs, theirs]) if k == 2 else theirs
            np.testing.assert_array_equal(mine.scores[:, column], theirs)
            answers = names[mine.predicted[:, column]]
            np.testing.assert_array_equal(answers, fitted.predict(X[split.test]))


def permuted(X, y, columns=15):
    data = Dataset.of(X, y)
    rng = np.random.default_rng(0)
    Y = np.column_stack([data.codes, *(rng.permutation(data.codes) for _ in range(columns))])
    main = CrossValidation(5).plan(data, 0).part(Part.MAIN)
    return data, Y, Plan(main, data.n, "cv", "5 folds")


@pytest.mark.parametrize("name", ["svc", "svc C", "svc linear"])
def test_svc_on_real_data_needs_no_refit(name):
    X, y = load_breast_cancer(return_X_y=True)
    data, Y, plan = permuted((X - X.mean(axis=0)) / X.std(axis=0), y, 3)
    ours = shortcut_of(MODELS[name]).predict_plan(data.X, Y, plan, classes=data.classes)
    theirs = plain_plan(MODELS[name], data.X, Y, plan, classes=data.classes)
    assert sum(o.refits for o in ours) == 0
    for mine, other in zip(ours, theirs, strict=True):
        np.testing.assert_array_equal(mine.predicted, other.predicted)


def test_linear_svc_refits_a_minority_of_permuted_labels():
    rng = np.random.default_rng(0)
    y = rng.integers(0, 2, 1000)
    data, Y, plan = permuted(rng.normal(size=(1000, 10)) + 0.2 * y[:, None], y)
    model = LinearSVC()
    ours = shortcut_of(model).predict_plan(data.X, Y, plan, classes=data.classes)
    theirs = plain_plan(model, data.X, Y, plan, classes=data.classes)
    assert sum(o.refits for o in ours) < 0.3 * Y.shape[1] * plan.fits
    for mine, other in zip(ours, theirs, strict=True):
        np.testing.assert_array_equal(mine.predicted, other.predicted)


@pytest.mark.parametrize("seed", range(8))
def test_liblinear_stops_within_the_stated_distance_of_newtons_optimum(seed):
    rng = np.random.default_rng(seed)
    n, d = int(rng.integers(30, 400)), int(rng.integers(1, 12))
    X = rng.normal(size=(n, d)) * 10.0 ** rng.uniform(-1, 1, d)
    y = np.where(rng.random(n) < 0.5, 1.0, -1.0) if seed % 2 else np.sign(X[:, 0] + 0.01)
    C = float(10 ** rng.uniform(-2, 1))
    lifted = np.column_stack([X, np.ones(n)])
    problem = MarginProblem(lifted, C)
    w = problem.solved(y, problem.starts(y[:, None])[:, 0])
    inside = y * (lifted @ w) < 1
    slope = w - 2 * C * lifted[inside].T @ (y - lifted @ w)[inside]
    assert np.abs(slope).max() < 1e-7 * (1 + 2 * C * np.abs(lifted.T @ y).max())
    model = LinearSVC(C=C, dual=False).fit(X, y)
    apart = np.abs(model.decision_function(X) - lifted @ w)
    assert (apart <= problem.doubt(y, w, 1e-4, lifted) + 1e-9).all()


@pytest.mark.parametrize("seed", range(2, 7))
def test_liblinear_may_stop_by_its_objective_and_the_distance_allows_for_it(seed):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(200, 6)) * 10.0 ** rng.uniform(-3, 1, 6)
    y = np.where(rng.random(200) < 0.5, 1.0, -1.0)
    lifted = np.column_stack([X, np.ones(200)])
    problem = MarginProblem(lifted, 1.0)
    w = problem.solved(y, problem.starts(y[:, None])[:, 0])
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        model = LinearSVC(dual=False, tol=1e-13, max_iter=10_000).fit(X, y)
    apart = np.abs(model.decision_function(X) - lifted @ w)
    assert apart.max() > 1e-12  # where the gradient alone would allow for less
    assert (apart <= problem.doubt(y, w, 1e-13, lifted)).all()


@pytest.mark.parametrize("C", [0.1, 10.0])
def test_what_newton_gives_for_heavy_tails_is_the_optimum_or_nothing(C):
    found = 0
    for seed in range(150):
        rng = np.random.default_rng(seed)
        y = np.where(rng.random(60) < 0.5, 1.0, -1.0)
        X = (rng.normal(size=(60, 3)) + 0.5 * y[:, None]) * np.exp(2 * rng.normal(size=(60, 1)))
        problem = MarginProblem(X, C)
        w = problem.solved(y, problem.starts(y[:, None])[:, 0])
        if w is None:
            continue
        found += 1
        slope = w - 2 * C * X.T @ (y * np.maximum(0, 1 - y * (X @ w)))
        assert np.linalg.norm(slope) < 1e-6 * np.linalg.norm(2 * C * X.T @ y)
    assert found > 100


def test_heavy_tails_are_answered_as_liblinear_does():
    model = LinearSVC(C=10.0, tol=1e-6)
    answered = 0
    for seed in range(12):
        rng = np.random.default_rng(seed)
        y = rng.integers(0, 2, 100)
        X = (rng.normal(size=(100, 3)) + 0.5 * y[:, None]) * np.exp(2 * rng.normal(size=(100, 1)))
        data, Y, plan = permuted(X, y, 3)
        try:
            ours = shortcut_of(model).predict_plan(X, Y, plan, classes=data.classes)
        except SteppedAside:
            continue
        answered += 1
        theirs = plain_plan(model, X, Y, plan, classes=data.classes)
        for mine, other in zip(ours, theirs, strict=True):
            np.testing.assert_array_equal(mine.predicted, other.predicted)
    assert answered > 0


@pytest.mark.parametrize(
    "model",
    [
        SVC(kernel="poly"),
        SVC(kernel=lambda a, b: a @ b.T),
        SVC(class_weight="balanced"),
        SVC(max_iter=10),
        SVC(break_ties=True),
        SVC(C=-1),
        LinearSVC(loss="hinge"),
        LinearSVC(dual=True),
        LinearSVC(penalty="l1", dual=False),
        LinearSVC(class_weight={0: 2.0}),
        LinearSVC(max_iter=5),
        make_pipeline(PCA(), SVC()),
    ],
)
def test_other_options_have_no_shortcut(model):
    assert shortcut_of(model) is None


@pytest.mark.parametrize("model", [SVC(decision_function_shape="ovo"), LinearSVC()])
def test_scores_are_left_to_scikit_learn(model):
    X, y = load_iris(return_X_y=True)
    data, Y, plan = permuted(X, y, 1)
    with pytest.raises(SteppedAside):
        shortcut_of(model).predict_plan(X, Y, plan, classes=data.classes, scores=True)


def test_more_features_than_rows_are_left_to_liblinears_dual():
    rng = np.random.default_rng(0)
    data, Y, plan = permuted(rng.normal(size=(30, 60)), rng.integers(0, 2, 30), 1)
    with pytest.raises(SteppedAside):
        shortcut_of(LinearSVC()).predict_plan(data.X, Y, plan, classes=data.classes)


def test_the_optimum_of_a_long_valley_is_left_to_plain_fits():
    rng = np.random.default_rng(0)
    X = np.column_stack([rng.normal(size=(12, 6)), np.ones(12)])
    y = np.where(X[:, 0] > 0, 1.0, -1.0)
    for C, round_ in ((0.01, True), (1e5, False)):
        problem = MarginProblem(X, C)
        w = problem.solved(y, problem.starts(y[:, None])[:, 0])
        assert problem.is_round(y, w) == round_


def test_what_rounding_might_tip_is_left_to_plain_fits(monkeypatch):
    data, Y, plan = permuted(*load_iris(return_X_y=True), 3)
    monkeypatch.setattr(svc_module, "_DOUBT", 1e300)
    ours = shortcut_of(SVC()).predict_plan(data.X, Y, plan, classes=data.classes)
    theirs = plain_plan(SVC(), data.X, Y, plan, classes=data.classes)
    assert sum(o.refits for o in ours) == plan.fits * Y.shape[1]
    for mine, other in zip(ours, theirs, strict=True):
        np.testing.assert_array_equal(mine.predicted, other.predicted)


@pytest.mark.parametrize("scores", [True, False])
def test_a_machine_that_computes_otherwise_is_found_out_and_not_used(scores, monkeypatch):
    data, Y, plan = permuted(*load_breast_cancer(return_X_y=True), 3)
    gamma = svc_module.SvcShortcut._gamma
    factor = 1.01 if scores else 1e6  # scores differ at once, answers only if much is wrong
    monkeypatch.setattr(svc_module.SvcShortcut, "_gamma", lambda s, X: factor * gamma(s, X))
    with pytest.raises(SteppedAside, match="a plain fit gives other"):
        shortcut_of(SVC()).predict_plan(data.X, Y, plan, classes=data.classes, scores=scores)


def test_steps_that_do_not_end_are_left_to_scikit_learn():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(30, 2)) * [1e6, 1e-6]
    data = Dataset.of(X, np.arange(30) % 2)
    plan = CrossValidation(3).plan(data, seed=0)
    with pytest.raises(SteppedAside, match="do not end soon"):
        shortcut_of(SVC(kernel="linear")).predict_plan(
            X, np.column_stack([data.codes] * 9), plan, classes=data.classes, scores=False
        )
