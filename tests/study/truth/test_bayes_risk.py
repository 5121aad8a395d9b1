"""The Bayes risk by independent routes."""

import numpy as np
import pytest
from scipy import stats
from scipy.integrate import quad
from scipy.special import erfc

from referee.errors import InputError
from referee.measures.formulas.cost import Costs
from referee.study import EXAMPLES, GaussianTask, two_normals

ROUTES = ("quadratic form", "slices")


@pytest.mark.parametrize("number", EXAMPLES)
def test_two_routes_for_the_examples(number):
    form, slices = (EXAMPLES[number].bayes_risk(route) for route in ROUTES)
    assert form.value == pytest.approx(slices.value, abs=1e-12)
    assert max(form.error, slices.error) < 1e-11


@pytest.mark.parametrize("d", [1, 2, 7, 100])
@pytest.mark.parametrize("s", [0.0, 0.3, 2.0, 8.0])
def test_two_normals_in_any_dimension(s, d):
    exact = erfc(s / np.sqrt(2)) / 2
    assert two_normals(s, d).bayes_risk().value == pytest.approx(exact, rel=1e-12)
    assert two_normals(s, d).bayes_risk("quadratic form").value == pytest.approx(exact, rel=1e-12)


@pytest.mark.parametrize("costs", [None, Costs(1, 5), [[0.2, 1.0], [3.0, 0.1]]])
@pytest.mark.parametrize("prior", [0.5, 0.05])
def test_one_covariance_with_priors_and_costs(prior, costs):
    covariance = np.array([[2.0, 0.6], [0.6, 1.0]])
    task = GaussianTask([[0, 0], [1, 1]], covariance, [1 - prior, prior], costs)
    values = [task.bayes_risk(r).value for r in ("closed form", *ROUTES[:1])]
    if costs is None or isinstance(costs, Costs):
        values.append(task.bayes_risk("slices").value)
    np.testing.assert_allclose(values, values[0], atol=1e-12)
    # A third route: along the direction that matters, least expected cost integrated.
    gap = task.means[1] @ np.linalg.solve(covariance, task.means[1])
    line = GaussianTask([[0.0], [np.sqrt(gap)]], np.eye(1), task.priors, task.cost_matrix)

    def least(x):
        return float((line.densities([[x]]).joint @ line.cost_matrix).min())

    integral = quad(least, -12, 14, limit=500, epsabs=1e-11, points=[-1, 0, 1, 2])[0]
    assert values[0] == pytest.approx(integral, abs=1e-8)


@pytest.mark.parametrize("seed", range(8))
def test_random_tasks_of_two_features_by_both_routes(seed):
    rng = np.random.default_rng(seed)
    roots = rng.normal(size=(2, 2, 3))
    task = GaussianTask(
        2 * rng.normal(size=(2, 2)), roots @ roots.transpose(0, 2, 1) + 0.01 * np.eye(2),
        rng.dirichlet([2, 2]), Costs(*rng.uniform(0.2, 3, 2)),
    )  # fmt: skip
    form, slices = (task.bayes_risk(route) for route in ROUTES)
    assert form.value == pytest.approx(slices.value, abs=1e-11)


def test_concentric_classes_of_any_dimension_against_chi_square():
    d, wide = 9, 4.0
    task = GaussianTask(np.zeros((2, d)), [np.eye(d), wide * np.eye(d)])
    cut = d * np.log(wide) / (1 - 1 / wide)
    expected = (stats.chi2.sf(cut, d) + stats.chi2.cdf(cut / wide, d)) / 2
    assert task.bayes_risk().value == pytest.approx(expected, rel=1e-12)


def test_adding_noise_features_changes_nothing():
    task = EXAMPLES[2]
    means = np.hstack([task.means, np.zeros((2, 3))])
    covariances = np.array([np.eye(5)] * 2)
    covariances[:, :2, :2] = task.covariances
    wide = GaussianTask(means, covariances, task.priors)
    for route in ROUTES:
        assert wide.bayes_risk(route).value == pytest.approx(task.bayes_risk().value, abs=1e-12)


def test_classes_that_agree_leave_the_smaller_prior():
    task = GaussianTask(np.zeros((2, 2)), np.eye(2), [0.3, 0.7])
    for route in ("closed form", *ROUTES):
        assert task.bayes_risk(route).value == pytest.approx(0.3)


def test_a_rare_class_that_is_never_answered():
    # Inside a wide cloud a very rare one is nowhere the better answer.
    task = GaussianTask(np.zeros((2, 2)), [np.eye(2), 0.5 * np.eye(2)], [0.9, 0.1])
    assert task.bayes_risk("quadratic form").value == pytest.approx(0.1, abs=1e-15)
    assert task.bayes_risk("slices").value == pytest.approx(0.1, abs=1e-12)


def test_an_answer_that_never_costs_more_is_always_given():
    task = GaussianTask([[0.0], [1.0]], np.eye(1), costs=Costs(0, 5))
    assert task.bayes_risk().value == 0
    assert task.predict([[-9.0], [9.0]]).tolist() == [1, 1]


def test_a_route_that_does_not_apply_is_refused():
    with pytest.raises(InputError, match="'closed form' does not apply"):
        EXAMPLES[1].bayes_risk("closed form")
    with pytest.raises(InputError, match="method must be 'auto' or one of"):
        EXAMPLES[1].bayes_risk("guessing")
