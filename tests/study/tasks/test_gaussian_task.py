"""GaussianTask against scipy's densities, Bayes' theorem and the formulas of the notes."""

import numpy as np
import pytest
from scipy import stats

from referee.errors import InputError
from referee.measures.formulas.cost import Costs
from referee.study import EXAMPLES, GaussianTask, two_normals

THREE = GaussianTask(
    [[0, 0], [2, 0], [0, 2]],
    [np.eye(2), 2 * np.eye(2), [[1, 0.5], [0.5, 1]]],
    [0.5, 0.3, 0.2],
    classes=("a", "b", "c"),
)


def points(n=50, d=2, seed=0):
    return np.random.default_rng(seed).normal(size=(n, d))


def test_densities_against_scipy():
    made = THREE.densities(points())
    for code in range(3):
        normal = stats.multivariate_normal(THREE.means[code], THREE.covariances[code])
        np.testing.assert_allclose(made.conditional[:, code], normal.pdf(points()), rtol=1e-12)
    np.testing.assert_allclose(made.joint, made.conditional * THREE.priors)
    np.testing.assert_allclose(made.marginal, made.joint.sum(axis=1))


def test_posteriors_are_bayes_theorem_and_do_not_break_far_away():
    made = THREE.densities(points())
    np.testing.assert_allclose(THREE.posteriors(points()), made.joint / made.marginal[:, None])
    far = THREE.posteriors([[1e6, 0.0]])
    assert np.isfinite(far).all()
    assert far.sum() == pytest.approx(1)


@pytest.mark.parametrize("number", EXAMPLES)
def test_discriminants_of_the_notes(number):
    task, X = EXAMPLES[number], 0.5 + 0.3 * points()
    joint = task.densities(X).joint
    log_ratio = np.log(joint[:, 1]) - np.log(joint[:, 0])
    q = task.quadric
    by_hand = -0.5 * np.einsum("ij,jk,ik->i", X, q.A, X) + X @ q.b + q.c
    np.testing.assert_allclose(task.g_hat(X), log_ratio, rtol=1e-8, atol=1e-8)
    np.testing.assert_allclose(by_hand, task.g_hat(X), rtol=1e-8, atol=1e-8)
    np.testing.assert_allclose(task.g_tilde(X), joint[:, 1] - joint[:, 0])
    np.testing.assert_allclose(task.g_bar(X), task.g_tilde(X) / joint.sum(axis=1), atol=1e-12)
    np.testing.assert_allclose(task.g_bar(X), np.tanh(task.g_hat(X) / 2), atol=1e-12)
    np.testing.assert_array_equal(task.predict(X), np.where(task.g_hat(X) > 0, 1, -1))


def test_a_b_c_as_the_notes_write_them():
    task = EXAMPLES[1]
    inverse = np.linalg.inv(task.covariances)
    log_det = np.log(np.linalg.det(task.covariances))
    m = task.means
    np.testing.assert_allclose(task.quadric.A, inverse[1] - inverse[0], atol=1e-8)
    np.testing.assert_allclose(task.quadric.b, m[1] @ inverse[1] - m[0] @ inverse[0])
    c = -0.5 * m[1] @ inverse[1] @ m[1] + 0.5 * m[0] @ inverse[0] @ m[0]
    c += -0.5 * log_det[1] + 0.5 * log_det[0] + np.log(55 / 65)
    assert task.quadric.c == pytest.approx(c)


def test_equal_covariances_give_a_hyperplane():
    assert not two_normals(1.0, 4).quadric.A.any()


def test_costs_move_the_threshold():
    task = GaussianTask([[-1.0], [1.0]], np.eye(1), costs=Costs(1, 5))
    assert task.threshold == pytest.approx(np.log(1 / 5))
    border = task.threshold / 2  # g_hat(x) = 2 x
    assert task.predict([[border - 1e-9], [border + 1e-9]]).tolist() == [0, 1]


def test_a_general_cost_matrix_takes_the_least_expected_cost():
    costs = np.array([[0, 1, 9], [4, 0, 1], [2, 2, 0]])
    task = GaussianTask(THREE.means, THREE.covariances, THREE.priors, costs)
    expected = [min(range(3), key=lambda j: p @ costs[:, j]) for p in task.posteriors(points())]
    assert task.predict(points()).tolist() == expected


def test_samples_have_the_moments():
    X, y = EXAMPLES[1].sample_per_class([100_000, 100_000], 0)
    for code, label in enumerate((-1, 1)):
        rows = X[y == label]
        np.testing.assert_allclose(rows.mean(axis=0), EXAMPLES[1].means[code], atol=0.003)
        np.testing.assert_allclose(np.cov(rows.T), EXAMPLES[1].covariances[code], atol=6e-4)
    assert np.mean(EXAMPLES[1].sample(100_000, 0)[1] == 1) == pytest.approx(55 / 120, abs=0.007)


def test_one_feature_needs_no_brackets():
    task = GaussianTask([0.0, 3.0], [1.0, 4.0])
    assert task.covariances.shape == (2, 1, 1)
    assert task.predict([0.0, 3.0]).tolist() == [0, 1]


@pytest.mark.parametrize("name", ["quadric", "threshold"])
def test_two_classes_only(name):
    with pytest.raises(InputError, match="defined for two classes, the task has 3"):
        getattr(THREE, name)
    with pytest.raises(InputError, match="g_bar is defined for two classes"):
        THREE.g_bar(points())


@pytest.mark.filterwarnings("error")
def test_the_threshold_where_no_decision_matters():
    for costs in ([[0, 0], [0, 0]], [[1, 1], [1, 1]]):
        assert GaussianTask([[0.0], [1.0]], np.eye(1), costs=costs).threshold == 0
