"""True risks: formulas against simulation, simulation against counting."""

import numpy as np
import pandas as pd
import pytest
from scipy import stats
from sklearn.compose import ColumnTransformer
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis, QuadraticDiscriminantAnalysis
from sklearn.linear_model import LogisticRegression
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import FunctionTransformer, MinMaxScaler, StandardScaler

from referee.errors import InputError
from referee.measures.formulas.cost import Costs
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


def test_a_rare_class_whose_errors_are_dear_against_the_exact_value():
    s, p = 3.0, 1e-6

    class Late:
        def predict(self, X):
            return (X[:, 0] > 0.8 * s).astype(int)

    task = GaussianTask([[-s, 0], [s, 0]], np.eye(2), [1 - p, p], [[0, 1], [1 / p, 0]])
    truth = (1 - p) * stats.norm.sf(1.8 * s) + stats.norm.cdf(-0.2 * s)
    made = [true_risk(task, Late(), n_samples=20_000, random_state=i) for i in range(20)]
    z = np.array([(r.value - truth) / r.standard_error for r in made])
    assert np.abs(z).max() < 4.5
    assert 0.5 < z.std() < 1.6
    assert max(r.standard_error for r in made) < 0.05 * truth


@pytest.mark.parametrize("seed", range(4))
def test_clipping_is_not_taken_for_affine(seed):
    task = GaussianTask([[-0.5, 0], [0.5, 0]], [[1, 0.8], [0.8, 1]])
    X, y = task.sample(1000, seed)
    scaled, clipped = (
        make_pipeline(MinMaxScaler(clip=clip), LogisticRegression(C=1e6)).fit(X, y)
        for clip in (False, True)
    )
    assert true_risk(task, scaled).exact
    assert not true_risk(task, clipped, n_samples=1000).exact


def test_preprocessing_that_bends_only_where_a_rare_class_is():
    task = GaussianTask([[0.0, 0], [30, 0]], np.eye(2), [1 - 1e-6, 1e-6])

    def bent(X):
        return np.where(X > 25, -X, X)

    X, y = GaussianTask(task.means, np.eye(2)).sample(100, 0)
    model = make_pipeline(FunctionTransformer(bent), LogisticRegression()).fit(X, y)
    assert not true_risk(task, model, n_samples=1000).exact


def test_sparse_coefficients_are_read():
    task = two_normals(1.0, 2)
    model = fitted(LogisticRegression(), task)
    dense = true_risk(task, model)
    assert true_risk(task, model.sparsify()).value == dense.value


@pytest.mark.filterwarnings("ignore::RuntimeWarning")
def test_a_model_without_a_density_is_simulated():
    task = two_normals(1.0, 2)
    X, y = task.sample(100, 0)
    X[:, 1] = 0
    made = true_risk(task, GaussianNB(var_smoothing=0).fit(X, y), n_samples=1000)
    assert made.method == "Monte Carlo"


@pytest.mark.filterwarnings("error")
def test_models_fitted_on_a_table_are_asked_with_a_table():
    task = two_normals(1.0, 2)
    X, y = task.sample(100, 0)
    table = pd.DataFrame(X, columns=["a", "b"])
    chosen = ColumnTransformer([("s", StandardScaler(), ["a", "b"])])
    for model in (LogisticRegression(), make_pipeline(chosen, LogisticRegression())):
        exact = true_risk(task, model.fit(table, y))
        assert exact.exact
        drawn = true_risk(task, model, method="Monte Carlo", n_samples=20_000)
        assert abs(exact.value - drawn.value) < 4 * drawn.standard_error


def test_huge_costs():
    plain = GaussianTask([[0.0], [1.0]], [[[1.0]], [[2.0]]], costs=[[0, 1], [1e-3, 0]])
    huge = GaussianTask([[0.0], [1.0]], [[[1.0]], [[2.0]]], costs=[[0, 1e300], [1e297, 0]])
    for model in (fitted(GaussianNB(), plain), fitted(KNeighborsClassifier(3), plain)):
        one, other = (true_risk(t, model, n_samples=2000) for t in (plain, huge))
        assert other.value / 1e300 == pytest.approx(one.value)
        assert other.uncertainty / 1e300 == pytest.approx(one.uncertainty)
        assert len(str(other)) < 80


def test_labels_of_two_types():
    task = GaussianTask([[0, 0], [1, 1]], np.eye(2), classes=(0, "x"))
    X, y = task.sample(50, 0)
    assert set(y.tolist()) == {0, "x"}
    rule = BayesRule(task).fit(X, y)
    assert rule.predict_proba(X).shape == (50, len(rule.classes_))
    assert true_risk(task, rule, n_samples=1000).value == pytest.approx(task.bayes_risk().value)


@pytest.mark.parametrize("task", [two_normals(1.0, 2), DEAR])
def test_the_standard_error_of_a_simulation_against_its_spread_over_seeds(task):
    model = fitted(LogisticRegression(), task, n=20)
    made = [
        true_risk(task, model, method="Monte Carlo", n_samples=1000, random_state=seed)
        for seed in range(120)
    ]
    spread = np.std([r.value for r in made], ddof=1)
    stated = np.sqrt(np.mean([r.standard_error**2 for r in made]))
    assert stated == pytest.approx(spread, rel=0.2)
