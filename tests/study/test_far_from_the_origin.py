"""Risks do not depend on where the origin is, nor on the units, and say how exact they are."""

import numpy as np
import pytest
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis, QuadraticDiscriminantAnalysis
from sklearn.naive_bayes import GaussianNB
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from referee.study import GaussianTask, true_risk
from referee.study.truth.quadric import Quadric
from referee.study.truth.rules import rule_inside

MEANS = np.array([[0.0, 0.0], [1.0, 1.0], [0.0, 2.0]])
SPREADS = np.array([[[1.0, 0.3], [0.3, 2.0]], [[0.5, -0.2], [-0.2, 1.0]], np.eye(2)])
OFFSETS = [1e4, 1e6, 1e8]


def shifted(offset, k):
    return GaussianTask(MEANS[:k] + offset, SPREADS[:k])


@pytest.mark.parametrize("offset", OFFSETS)
@pytest.mark.parametrize(("k", "method"), [(2, "quadratic form"), (2, "slices"), (3, "slices")])
def test_the_bayes_risk_does_not_move_with_the_origin(k, method, offset):
    # The offsets are whole numbers, so that the shifted means are exact.
    here, there = shifted(0.0, k).bayes_risk(method), shifted(offset, k).bayes_risk(method)
    assert there.value == pytest.approx(here.value, abs=here.error + there.error + 1e-14)


@pytest.mark.parametrize("offset", OFFSETS)
def test_importance_sampling_does_not_move_with_the_origin(offset):
    here, there = (shifted(o, 3).bayes_risk("importance sampling") for o in (0.0, offset))
    assert there.value == pytest.approx(here.value, abs=1e-9)


@pytest.mark.parametrize("offset", OFFSETS)
@pytest.mark.parametrize("model", [QuadraticDiscriminantAnalysis, GaussianNB])
def test_a_fitted_model_is_computed_far_from_the_origin(model, offset):
    X, y = shifted(0.0, 2).sample(200, 1)
    X = np.round(X * 2**20) / 2**20  # So that adding the offset rounds nothing.
    here = true_risk(shifted(0.0, 2), model().fit(X, y))
    there = true_risk(shifted(offset, 2), model().fit(X + offset, y))
    assert there.method == here.method == "quadratic form"
    # The means that the model itself computes are rounded at this offset.
    assert there.value == pytest.approx(here.value, abs=1e-16 * offset + 1e-13)


@pytest.mark.parametrize("offset", OFFSETS)
def test_a_linear_rule_says_how_many_digits_it_lost(offset):
    class Line:
        coef_, intercept_ = np.array([[1.0, 0.7]]), np.array([-1.7 * offset - 0.85])
        classes_ = np.array([0, 1])

        def predict(self, X):
            return (np.asarray(X) @ self.coef_[0] + self.intercept_[0] > 0).astype(int)

    class Near(Line):
        intercept_ = np.array([-0.85])

    here, there = true_risk(shifted(0.0, 2), Near()), true_risk(shifted(offset, 2), Line())
    assert abs(there.value - here.value) <= there.error + here.error
    assert 1e-17 * offset < there.error < 1e-15 * offset


@pytest.mark.parametrize("offset", OFFSETS)
def test_a_pipeline_far_from_the_origin(offset):
    X, y = shifted(0.0, 2).sample(200, 1)
    made = [
        true_risk(
            shifted(o, 2),
            make_pipeline(StandardScaler(), LinearDiscriminantAnalysis()).fit(X + o, y),
        )
        for o in (0.0, offset)
    ]
    assert made[1].value == pytest.approx(made[0].value, abs=1e-15 * offset + 1e-12)


def test_a_linear_map_that_stretches_moves_the_risk_within_the_stated_error():
    rng = np.random.default_rng(0)
    for d in (2, 3, 5):
        half = rng.normal(size=(d, d)) / 10
        means, spreads = rng.normal(size=(2, d)), np.array([np.eye(d), np.eye(d) + half @ half.T])
        one, other = (np.linalg.qr(rng.normal(size=(d, d)))[0] for _ in range(2))
        map_ = one * np.logspace(0, 3.5, d) @ other
        plain = GaussianTask(means, spreads).bayes_risk("quadratic form")
        task = GaussianTask(means @ map_.T, map_ @ spreads @ map_.T)
        made = task.bayes_risk("quadratic form")
        assert abs(made.value - plain.value) <= made.error
        assert 1e-13 < made.error < 1e-7


def test_units_cost_no_digits():
    units = np.array([1e-3, 1e3])
    task = GaussianTask(MEANS[:2] * units, SPREADS[:2] * np.outer(units, units))
    made, plain = task.bayes_risk(), shifted(0.0, 2).bayes_risk()
    assert made.value == pytest.approx(plain.value, abs=1e-14)
    assert made.error < 1e-14


def test_a_quadric_about_another_origin_is_the_same_function():
    rng = np.random.default_rng(0)
    A, b, o, X = (
        np.diag([1.0, -2.0]),
        rng.normal(size=2),
        rng.normal(size=2),
        rng.normal(size=(9, 2)),
    )
    g = Quadric(A, b, 0.3, o)
    np.testing.assert_allclose(g(X), Quadric(A, b, 0.3)(X - o))
    np.testing.assert_allclose(g.substituted(np.zeros(2), np.eye(2))(X), g(X))
    np.testing.assert_allclose((g - Quadric(A, b, 0.1))(X), g(X) - Quadric(A, b, 0.1)(X))


def test_a_rule_is_read_about_the_means_of_the_model():
    X, y = shifted(0.0, 3).sample(200, 0)
    model = QuadraticDiscriminantAnalysis().fit(X + 1e7, y)
    fresh = shifted(1e7, 3).sample(2000, 1)[0]
    np.testing.assert_array_equal(rule_inside(model, 2).predict(fresh), model.predict(fresh))
