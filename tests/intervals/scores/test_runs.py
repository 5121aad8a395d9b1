"""Items and runs: the split of the variance, against analysis of variance and simulation."""

import numpy as np
import pytest
from scipy import stats

from referee.core.results import Interval
from referee.core.scores.score_numbers import Writing
from referee.core.scores.scores import ItemScores, Scores
from referee.errors import InputError
from referee.intervals.scores.runs import run_split
from referee.judging.scores.advice import runs_advice


def split_of(table):
    """Split scores of a balanced table, items in rows."""
    n, runs = table.shape
    items = ItemScores(values=table.mean(axis=1))
    return run_split(items, table.ravel(), np.repeat(np.arange(n), runs))


def test_balanced_runs_against_one_way_analysis_of_variance():
    rng = np.random.default_rng(0)
    table = rng.normal(size=(30, 4)) + rng.normal(size=(30, 1))
    made = split_of(table)
    within = table.var(axis=1, ddof=1).mean()
    f = stats.f_oneway(*table).statistic
    between = within * (f - 1) / 4
    assert made.run_variance == pytest.approx(within)
    assert made.variance == pytest.approx(table.mean(axis=1).var(ddof=1) / 30)
    assert made.between == pytest.approx(between / 30)
    assert made.within == pytest.approx(within / 4 / 30)
    assert made.floor == pytest.approx(np.sqrt(between / 30))


def test_more_runs_and_more_items_against_the_components():
    made = split_of(np.random.default_rng(1).normal(size=(50, 3)) + np.arange(50)[:, None] / 10)
    items, runs = made.between * 50, made.run_variance
    assert made.with_runs(5) ** 2 == pytest.approx(items / 50 + runs / (50 * 8))
    assert made.with_items(25) ** 2 == pytest.approx((items + runs / 3) / 75)
    assert made.with_runs(10**9) == pytest.approx(made.floor, rel=1e-6)
    assert made.items_for(6) == 100


def test_unequal_numbers_of_runs_split_without_bias():
    rng = np.random.default_rng(2)
    counts = np.tile([1, 2, 3, 6], 10)
    item = np.repeat(np.arange(40), counts)
    found = []
    for _ in range(800):
        scores = rng.normal(size=40)[item] * 0.5 + rng.normal(size=len(item))
        means = np.bincount(item, scores) / counts
        found.append(run_split(ItemScores(values=means), scores, item))
    h = np.mean(1 / counts)
    assert np.mean([s.variance for s in found]) == pytest.approx((0.25 + h) / 40, rel=0.05)
    assert np.mean([s.within for s in found]) == pytest.approx(h / 40, rel=0.05)
    assert np.mean([s.between for s in found]) == pytest.approx(0.25 / 40, rel=0.15)


def test_parts_add_up_and_never_fall_below_zero():
    same = split_of(np.tile([0.0, 1.0], (20, 1)))
    assert same.between == 0
    assert same.within + same.between == pytest.approx(same.variance)
    only_items = split_of(np.repeat(np.arange(20.0)[:, None], 3, axis=1))
    assert only_items.within == 0
    assert only_items.share_of_runs == 0
    assert only_items.with_runs(3) == pytest.approx(only_items.se)


def test_one_run_an_item_cannot_be_split():
    with pytest.raises(InputError, match="no item has more than one run"):
        run_split(ItemScores(values=np.array([1.0, 2.0])), np.array([1.0, 2.0]), np.array([0, 1]))


def test_advice_prefers_items_and_says_so_in_numbers():
    table = (np.random.default_rng(3).random((40, 3)) < 0.6).astype(float)
    made = split_of(table)
    told = runs_advice(made, Interval(low=0.5, high=0.7, level=0.95, method="x"), Writing(True))
    assert "3 more runs of each of the 40 items" in told
    assert "40 more items with 3 runs each" in told
    assert made.with_items(made.items_for(3)) <= made.with_runs(3)


def test_whole_scores_reach_the_same_split():
    table = {"item": [1, 1, 2, 2, 3], "run": [1, 2, 1, 2, 1], "score": [1, 0, 1, 1, 0]}
    scores = Scores.of(table)
    items = scores.of_model("model")
    made = run_split(items, scores.score, scores.item)
    assert (made.fewest, made.most) == (1, 2)
    assert made.run_variance == pytest.approx(0.25)
