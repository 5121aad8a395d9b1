"""Costs of reduced rules against comparisons by hand, and where they are known."""

import numpy as np
import pytest
from sklearn.datasets import load_iris
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

import referee
from referee.comparing.reduction import reduction_cost
from referee.core.randomness import child
from referee.errors import InputError
from referee.learners.neighbours.knn import KNN
from referee.learners.neighbours.reducing import (
    BoundaryKNN,
    CondensedKNN,
    EditedKNN,
    PrototypeKNN,
)
from referee.resampling import Holdout


def two_classes(n=120, seed=0):
    rng = np.random.default_rng(seed)
    y = np.arange(n) % 2
    return rng.normal(size=(n, 2)) + y[:, None], y


def test_the_border_costs_nothing():
    X, y = two_classes()
    made = reduction_cost(BoundaryKNN(), X, y, by="5x5", random_state=0)
    assert made.cost.value == 0
    assert made.kept == BoundaryKNN().fit(X, y).n_kept_ < made.cases == 120


def test_against_a_comparison_by_hand():
    X, y = two_classes()
    made = reduction_cost(CondensedKNN(), X, y, by="5x5", random_state=3)
    by_hand = referee.compare(
        {"a": CondensedKNN(), "b": KNN(1)}, X, y, by="5x5", random_state=child(3, 0)
    )
    assert made.cost.value == pytest.approx(by_hand.pair("a", "b").difference.value)
    assert made.cost.interval.low == pytest.approx(by_hand.pair("a", "b").difference.interval.low)
    assert made.cost.value == pytest.approx(made.error.value - made.full_error.value)
    assert f"keeps {made.kept} of 120 cases" in made.conclusion
    assert made.frame().cost[0] == made.cost.value


def test_editing_lowers_the_error_where_classes_overlap():
    """Wilson: the edited rule tends to a lower error than the nearest neighbour."""
    X, y = two_classes(600)
    made = reduction_cost(EditedKNN(), X, y, by="4x5", random_state=0)
    assert made.cost.interval.high < 0


def test_pipelines_and_single_splits():
    X, y = load_iris(return_X_y=True)
    rule = make_pipeline(StandardScaler(), PrototypeKNN(2, random_state=0))
    made = reduction_cost(rule, X, y, by=Holdout(0.5), random_state=0)
    assert made.kept == 6
    assert made.name == "PrototypeKNN"
    assert made.cost.interval is not None


def test_a_rule_that_keeps_all():
    X, y = two_classes()
    with pytest.raises(InputError, match=r"rule must report n_kept_.*KNN does not"):
        reduction_cost(KNN(1), X, y, by="2x2", random_state=0)
