"""True risks: formulas against simulation, simulation against counting."""

import numpy as np
import pytest
from scipy import stats
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis, QuadraticDiscriminantAnalysis
from sklearn.linear_model import LogisticRegression
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier

from referee.errors import InputError
from referee.measures.cost import Costs
from referee.study import (
    EXAMPLES,
    BayesRule,
    GaussianTask,
    HeavyTails,
    Rings,
    Xor,
    true_risk,
    two_normals,
)

THREE = GaussianTask(np.eye(3, 6) * 2, np.eye(6), [0.2, 0.3, 0.5], classes=("a", "b", "c"))
DEAR = GaussianTask([[0, 0], [1, 1]], [np.eye(2), 2 * np.eye(2)], [0.8, 0.2], Costs(1, 6))


def fitted(model, task, n=80):
    return model.fit(*task.sample(n, 0))


@pytest.mark.parametrize(
    ("task", "model", "method"),
    [
        (EXAMPLES[1], LinearDiscriminantAnalysis(), "normal distribution of a linear rule"),
        (EXAMPLES[1], QuadraticDiscriminantAnalysis(), "quadratic form"),
        (EXAMPLES[3], GaussianNB(), "quadratic form"),
        (two_normals(1.0, 10), QuadraticDiscriminantAnalysis(), "quadratic form"),
        (DEAR, LogisticRegression(), "normal distribution of a linear rule"),
        (DEAR, QuadraticDiscriminantAnalysis(), "quadratic form"),
        (THREE, LinearDiscriminantAnalysis(), "slices"),
        (THREE, LogisticRegression(), "slices"),
    ],
)
def test_formulas_against_simulation(task, model, method):
    fitted(model, task)
    exact = true_risk(task, model)
    assert exact.method == method
    assert exact.exact
    drawn = true_risk(task, model, method="Monte Carlo", n_samples=50_000)
    assert abs(exact.value - drawn.value) < 4 * drawn.standard_error
    assert exact.value >= task.bayes_risk().value - 1e-12


@pytest.mark.parametrize("task", [Xor(flip=0.1), Rings(), HeavyTails(), EXAMPLES[2], DEAR])
def test_simulation_against_counting(task):
    model = fitted(KNeighborsClassifier(5), task, 100)
    drawn = true_risk(task, model, n_samples=50_000)
    X, y = task.sample(200_000, 5)
    codes = {c: i for i, c in enumerate(task.classes)}
    costs = np.array(
        [task.cost_matrix[codes[t], codes[p]] for t, p in zip(y, model.predict(X), strict=True)]
    )
    error = np.hypot(drawn.standard_error, costs.std() / np.sqrt(len(costs)))
    assert abs(drawn.value - costs.mean()) < 4 * error


def test_only_the_surplus_is_drawn_so_that_good_rules_are_known_well():
    task = two_normals(1.0, 2)
    drawn = true_risk(
        task, fitted(LinearDiscriminantAnalysis(), task), method="Monte Carlo", n_samples=20_000
    )
    counting = np.sqrt(0.16 * 0.84 / 20_000)
    assert drawn.standard_error < counting / 5


def test_a_linear_rule_by_hand():
    # Border at x = 0.5 between normals at -1 and 1.
    class Half:
        coef_, intercept_, classes_ = np.array([[2.0]]), np.array([-1.0]), np.array([0, 1])

        def predict(self, X):
            return (np.asarray(X)[:, 0] > 0.5).astype(int)

    expected = (stats.norm.sf(1.5) + stats.norm.cdf(-0.5)) / 2
    assert true_risk(two_normals(1.0), Half()).value == pytest.approx(expected, abs=1e-14)


def test_the_bayes_rule_has_the_bayes_risk():
    made = true_risk(EXAMPLES[1], BayesRule(EXAMPLES[1]), n_samples=10_000)
    assert made.value == pytest.approx(EXAMPLES[1].bayes_risk().value, abs=1e-12)
    # Not one disagreement in 10 000 draws is no proof that there is none.
    assert made.standard_error > 0


def test_a_rule_that_knows_two_of_three_classes():
    X, y = THREE.sample(300, 0)
    model = LinearDiscriminantAnalysis().fit(X[y != "c"], y[y != "c"])
    exact = true_risk(THREE, model)
    assert exact.value > 0.5
    drawn = true_risk(THREE, model, method="Monte Carlo", n_samples=50_000)
    assert abs(exact.value - drawn.value) < 4 * drawn.standard_error


def test_messages():
    model = fitted(KNeighborsClassifier(1), EXAMPLES[1])
    with pytest.raises(InputError, match="no formula is known"):
        true_risk(EXAMPLES[1], model, method="exact")
    with pytest.raises(InputError, match="n_samples must be a whole number of at least 4"):
        true_risk(EXAMPLES[1], model, n_samples=3)
    with pytest.raises(InputError, match="no class of the task"):
        true_risk(two_normals(1.0, 2), model)
    with pytest.raises(InputError, match="method must be"):
        true_risk(EXAMPLES[1], model, method="guess")


def test_the_seed_decides():
    model = fitted(KNeighborsClassifier(3), EXAMPLES[1])
    one, two, other = (true_risk(EXAMPLES[1], model, random_state=s).value for s in (1, 1, 2))
    assert one == two != other
