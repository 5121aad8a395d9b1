"""Shared work of SVM against plain fits: the same codes, whatever the data and the plan."""

import numpy as np
import pytest
from hypothesis import HealthCheck, given, reject, settings
from hypothesis import strategies as st
from sklearn.base import clone
from sklearn.datasets import load_breast_cancer

from referee import kernels
from referee.core import Dataset, Plan
from referee.core.plan import Split
from referee.core.shared_work import SharedWork
from referee.errors import PlanError
from referee.learners import SVM, LinearSVM
from referee.learners.shortcuts.plain_refit import plain_plan
from referee.learners.svm.cache import whole
from referee.learners.svm.cases import cases_of
from referee.learners.svm.shared_kernel import SharedKernel
from referee.resampling import Bootstrap, CrossValidation, Holdout

MODELS = {
    "gaussian": SVM(kernels.Gaussian(gamma=0.3)),
    "scale": SVM(kernels.Gaussian(), C=20.0),
    "linear": SVM("linear", C=0.1),
    "one against the rest": SVM(kernels.Gaussian(gamma=0.3), multiclass="ovr"),
    "smo": SVM(kernels.Laplacian(gamma=0.3), solver="smo", class_weight="balanced"),
    "no bias": SVM(kernels.Gaussian(gamma=0.3) + 1, bias=False),
}
PLANS = {
    "cv": CrossValidation(4, stratify="best effort"),
    "holdout": Holdout(0.3, repetitions=2, stratify=False),
    "bootstrap": Bootstrap(12),
}


def answers(work, *arguments, **options):
    """The codes of every split, or the message of what is raised."""
    try:
        return [o.predicted.tolist() for o in work(*arguments, **options)]
    except Exception as error:
        return str(error)


@st.composite
def problems(draw):
    """Data with ties, duplicates, rare classes and odd scales."""
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    n, d, k = draw(st.integers(12, 60)), draw(st.integers(1, 6)), draw(st.integers(2, 4))
    codes = rng.integers(0, k, n)
    codes[:k] = np.arange(k)
    X = rng.normal(size=(n, d)) + draw(st.sampled_from([0.0, 0.7, 5.0])) * codes[:, None]
    odd = draw(st.sampled_from(["plain", "whole", "copies", "scales", "offset"]))
    if odd == "whole":
        X = np.round(X)
    elif odd == "copies":
        X[n // 2 :] = X[: n - n // 2]
    elif odd == "scales":
        X = X * 10.0 ** rng.uniform(-2, 1, d)
    elif odd == "offset":
        X = X + 1e3
    return X, np.array(["ant", "bee", "cat", "doe"])[codes], rng


@pytest.mark.parametrize("name", MODELS)
@settings(max_examples=12, deadline=None, suppress_health_check=list(HealthCheck))
@given(problem=problems(), scheme=st.sampled_from(sorted(PLANS)))
def test_any_data_and_plan_against_plain_fits(name, problem, scheme):
    X, y, rng = problem
    data, model = Dataset.of(X, y), MODELS[name]
    if name == "linear" and np.abs(X).max() > 100:
        reject()  # a plain fit takes minutes
    try:
        plan = PLANS[scheme].plan(data, seed=int(rng.integers(1000)))
    except PlanError:
        reject()
    Y = np.column_stack([data.codes, rng.permutation(data.codes)])
    ours = answers(model.predict_plan, X, Y, plan, classes=data.classes)
    theirs = answers(plain_plan, model, X, Y, plan, classes=data.classes)
    assert ours == theirs


@pytest.mark.parametrize("folds", [5, 15])
def test_breast_cancer_without_a_single_refit(folds):
    X, y = load_breast_cancer(return_X_y=True)
    data = Dataset.of((X - X.mean(axis=0)) / X.std(axis=0), y)
    plan = CrossValidation(folds).plan(data, seed=0)
    Y = np.column_stack([data.codes, np.random.default_rng(0).permutation(data.codes)])
    model = SVM(kernels.Gaussian(gamma=1 / 30))
    outputs = model.predict_plan(data.X, Y, plan, classes=data.classes)
    assert sum(o.refits for o in outputs) == 0
    theirs = plain_plan(model, data.X, Y, plan, classes=data.classes)
    for mine, other in zip(outputs, theirs, strict=True):
        np.testing.assert_array_equal(mine.predicted, other.predicted)


@pytest.mark.parametrize("name", MODELS)
@pytest.mark.parametrize("k", [2, 3])
def test_scores_are_decision_values_of_plain_fits_to_the_last_bit(k, name):
    rng = np.random.default_rng(3)
    y = np.arange(90) % k
    X = rng.normal(size=(90, 3)) + 0.4 * y[:, None]
    data, model = Dataset.of(X, y), MODELS[name]
    plan = CrossValidation(15).plan(data, seed=0)
    Y = np.column_stack([data.codes, rng.permutation(data.codes)])
    assert model.score_method == "decision_function"
    outputs = model.predict_plan(X, Y, plan, classes=data.classes, scores=True)
    for split, output in zip(plan.splits, outputs, strict=True):
        assert output.refits == 0
        for column, codes in enumerate(Y.T):
            fitted = clone(model).fit(X[split.train], codes[split.train])
            values = fitted.decision_function(X[split.test])
            values = np.column_stack([-values, values]) if k == 2 else values
            np.testing.assert_array_equal(output.scores[:, column], values)
            np.testing.assert_array_equal(
                output.predicted[:, column], fitted.predict(X[split.test])
            )


@pytest.mark.parametrize(
    "kernel",
    [
        kernels.Gaussian(gamma=0.05),
        kernels.Laplacian(gamma=0.1),
        kernels.Linear(),
        kernels.Polynomial(degree=3),
        kernels.Gaussian(gamma=0.05) * kernels.Linear() + 1,
    ],
)
def test_a_shared_kernel_is_each_splits_own_to_the_last_bit(kernel):
    rng = np.random.default_rng(0)
    X = rng.normal(size=(700, 9)) + 3
    shared = SharedKernel.of(kernel, X)
    for size in (3, 100, 257, 511, 640):
        rows = rng.choice(700, size)
        own = whole(cases_of(kernel, X[rows]), np.float32)
        np.testing.assert_array_equal(shared.rows(rows).store, own)


class Shaky(kernels.Linear):
    """A kernel whose values depend, by a little, on the block they are computed in."""

    def band(self, left, right, out, start):
        super().band(left, right, out, start)
        out[:, start : start + len(right)] *= 1 + 2e-13 * len(right)


def test_values_that_depend_on_their_block_are_not_shared():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(300, 4)) + 3
    shared = SharedKernel.of(Shaky(), X)
    assert shared.K is not None
    for size in (40, 150, 280):
        rows = rng.choice(300, size)
        own = whole(cases_of(Shaky(), X[rows]), np.float32)
        np.testing.assert_array_equal(shared.rows(rows).store, own)


def test_a_case_on_the_boundary_is_left_to_a_plain_fit():
    X, Y = np.array([[-1.0], [1.0], [0.0]]), np.array([[0], [1], [1]])
    plan = Plan((Split(train=np.array([0, 1]), test=np.array([2])),), 3, "one", "one split")
    model = SVM(kernels.Gaussian(gamma=0.3))
    assert model.fit(X[:2], Y[:2, 0]).decision_function(X[2:]) == pytest.approx(0, abs=1e-12)
    assert model.predict_plan(X, Y, plan, classes=(0, 1))[0].refits == 1


@pytest.mark.parametrize(
    "model", [SVM(solver="scda", random_state=0), SVM(probability=True), LinearSVM(tol=0.1)]
)
def test_machines_that_cannot_share_fit_plainly(model):
    rng = np.random.default_rng(1)
    X = rng.normal(size=(40, 2))
    data = Dataset.of(X, X[:, 0] > 0)
    plan = CrossValidation(3).plan(data, seed=0)
    assert isinstance(model, SharedWork)
    outputs = model.predict_plan(X, data.codes[:, None], plan, classes=data.classes)
    assert all(o.refits == 1 for o in outputs)


def test_one_class_raises_as_a_plain_fit_does():
    X = np.arange(12.0)[:, None]
    data = Dataset.of(X, np.arange(12) > 9)
    plan = Holdout(0.5, stratify=False).plan(data, seed=1)
    Y = np.zeros((12, 1), dtype=int)
    with pytest.raises(ValueError, match="one class"):
        SVM().predict_plan(X, Y, plan, classes=data.classes)
