"""Permutation tests of targets that hold no classes: quantities, and several labels a case."""

import numpy as np
import pytest
from scipy import stats
from sklearn.dummy import DummyRegressor
from sklearn.linear_model import LinearRegression, Ridge
from sklearn.metrics import mean_absolute_error
from sklearn.model_selection import KFold, cross_val_predict
from sklearn.tree import DecisionTreeClassifier

import referee
from referee.core.dataset import Dataset
from referee.errors import InputError
from referee.permuting.permuting import Permuting


def line(n=40, slope=1.0, seed=0):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, 2))
    return X, slope * X[:, 0] + rng.normal(size=n)


def test_p_counts_relabellings_that_do_as_well():
    X, y = line(slope=0.7)
    folds = KFold(4, shuffle=True, random_state=1)
    made = referee.permutation_test(
        LinearRegression(), X, y, permutations=99, by=folds, random_state=0
    )
    again = cross_val_predict(LinearRegression(), X, y, cv=folds)
    assert made.measure.name == "mae"
    assert made.observed == pytest.approx(mean_absolute_error(y, again))
    assert made.exceedances == np.sum(made.null <= made.observed)
    assert made.p_value == (1 + made.exceedances) / 100
    assert "found structure: the features say something about the target" in str(made.verdict)
    assert "runs on shuffled quantities" in str(made.verdict)


def test_relabellings_are_the_quantities_in_another_order():
    X, y = line()
    permuting = Permuting(Dataset.of(X, y, numeric=True), seed=3)
    first, second = permuting.dataset(0), permuting.dataset(1)
    assert sorted(first.y) == sorted(y) == sorted(second.y)
    assert not np.array_equal(first.y, second.y)
    assert first.numeric


def test_quantities_of_whole_groups_stay_together():
    X, y = line(30)
    group = np.repeat(np.arange(10), 3)
    whole = Permuting(Dataset.of(X, y[group], groups=group, numeric=True), seed=3)
    assert whole.unit == "groups"
    dealt = whole.dataset(0).y.reshape(10, 3)
    assert np.all(dealt == dealt[:, :1])
    within = Permuting(Dataset.of(X, y, groups=group, numeric=True), seed=3)
    assert within.unit == "cases within groups"
    for g in range(10):
        assert sorted(within.dataset(0).y[group == g]) == sorted(y[group == g])


@pytest.mark.slow
def test_p_is_uniform_where_there_is_nothing_to_find():
    """By Ridge on noise; the law of p under the null is that of a rank among 20."""
    rng = np.random.default_rng(5)
    p = []
    for seed in range(60):
        X, y = rng.normal(size=(24, 1)), rng.gamma(1.0, size=24)
        made = referee.permutation_test(Ridge(), X, y, permutations=19, by=3, random_state=seed)
        p.append(made.p_value)
    assert stats.binomtest(int(np.sum(np.array(p) <= 0.2)), 60, 0.2).pvalue > 0.005


def test_label_sets_are_shuffled_whole():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(60, 3))
    Y = (X + 0.5 * rng.normal(size=X.shape) > 0).astype(int)
    model = DecisionTreeClassifier(max_depth=4, random_state=0)
    made = referee.permutation_test(model, X, Y, permutations=39, random_state=0)
    assert made.measure.name == "error"
    assert made.p_value == 1 / 40
    micro = referee.permutation_test(
        model, X, Y, permutations=19, measure="micro_label_f1", random_state=0
    )
    assert micro.p_value == 1 / 20


def test_a_bundle_of_quantities_holds(tmp_path):
    X, y = line()
    made = referee.permutation_test(Ridge(), X, y, permutations=19, random_state=0)
    made.to_bundle(tmp_path / "p.zip")
    assert referee.verify(tmp_path / "p.zip").verdict.shown


def test_what_does_not_suit_is_refused():
    X, y = line()
    with pytest.raises(InputError, match="within the classes, and the target holds none"):
        referee.permutation_test(Ridge(), X, y, null="features")
    with pytest.raises(InputError, match="error is a measure of classes"):
        referee.permutation_test(Ridge(), X, y, measure="error")
    with pytest.raises(InputError, match="costs is for classes"):
        referee.permutation_test(Ridge(), X, y, costs=(1, 2))
    with pytest.raises(InputError, match="the model is a regressor"):
        referee.permutation_test(DummyRegressor(), X, np.repeat(["a", "b"], 20))
