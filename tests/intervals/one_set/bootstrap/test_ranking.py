"""Replicates of rankings, against plain loops that draw, sort and call scikit-learn."""

import tracemalloc

import numpy as np
import pytest
from scipy import stats
from sklearn import metrics

from referee.intervals.one_set.bootstrap.ranking import (
    MEASURES,
    _area,
    bootstrap_auc,
    bootstrap_ranking,
    bootstrap_roc,
)
from referee.measures import auc_k, partial_auc, roc_curve


def made_up(m, n, seed=0, digits=None):
    rng = np.random.default_rng(seed)
    positive = rng.permutation(np.arange(m + n) < m)
    scores = rng.normal(size=m + n) + 1.2 * positive
    return positive, scores if digits is None else scores.round(digits)


def measured(positive, scores, k, high):
    """The four measures of one resample, by scikit-learn where it has them."""
    curve = roc_curve(positive, scores)
    return (
        metrics.roc_auc_score(positive, scores),
        auc_k(curve, k),
        partial_auc(curve, 0, high),
        metrics.average_precision_score(positive, scores),
    )


def by_loop(positive, scores, rounds, *, k=50, high=0.1, seed=1):
    rng = np.random.default_rng(seed)
    hits, misses = np.flatnonzero(positive), np.flatnonzero(~positive)
    out = []
    for _ in range(rounds):
        rows = np.append(rng.choice(hits, len(hits)), rng.choice(misses, len(misses)))
        out.append(measured(positive[rows], scores[rows], k, high))
    return np.array(out)


def same_distribution(ours, theirs):
    """Means and spreads within Monte Carlo error, and the distributions alike."""
    for one, other in zip(ours.T, theirs.T, strict=True):
        se = np.sqrt(one.var() / len(one) + other.var() / len(other))
        assert one.mean() == pytest.approx(other.mean(), abs=4.5 * se + 1e-12)
        assert one.std() == pytest.approx(other.std(), rel=4.5 * np.sqrt(0.75 / len(other)))
        assert stats.ks_2samp(one, other).pvalue > 1e-4


@pytest.mark.parametrize(
    ("m", "n", "digits", "k"),
    [(30, 60, None, 5), (30, 60, 0, 5), (2, 5, None, 2), (8, 1100, 1, 50), (1100, 40, 1, 50)],
)
def test_replicates_against_a_loop_over_sklearn(m, n, digits, k):
    positive, scores = made_up(m, n, digits=digits)
    ours = bootstrap_ranking(positive, scores, k=k, rounds=4000, seed=3)
    same_distribution(ours, by_loop(positive, scores, 250, k=k))


@pytest.mark.parametrize("digits", [None, 0])
def test_the_area_alone_is_the_first_column_exactly(digits):
    for m, n in [(1, 1), (3, 9), (40, 50), (1200, 1500)]:
        positive, scores = made_up(m, n, digits=digits)
        alone = bootstrap_auc(positive, scores, rounds=50, seed=7)
        every = bootstrap_ranking(positive, scores, rounds=50, seed=7)
        assert (alone == every[:, 0]).all()


def test_the_spread_of_areas_against_delong():
    positive, scores = made_up(1500, 2000)
    below = np.searchsorted(np.sort(scores[~positive]), scores[positive]) / 2000
    above = 1 - np.searchsorted(np.sort(scores[positive]), scores[~positive]) / 1500
    expected = np.sqrt(below.var() / 1500 + above.var() / 2000)
    drawn = bootstrap_auc(positive, scores, rounds=8000, seed=5)
    assert drawn.std() == pytest.approx(expected, rel=0.04)
    assert drawn.mean() == pytest.approx(below.mean(), abs=5 * expected / np.sqrt(8000))


def test_one_case_a_class_has_one_resample():
    positive, scores = np.array([True, False]), np.array([0.2, 0.7])
    drawn = bootstrap_ranking(positive, scores, rounds=20)
    assert (drawn == drawn[0]).all()
    assert drawn[0].tolist() == [0, 0, 0, 0.5]


def test_constant_scores_never_vary_but_in_precision():
    positive = np.arange(60) < 20
    drawn = bootstrap_ranking(positive, np.zeros(60), rounds=50, k=10)
    np.testing.assert_allclose(drawn[:, 0], 0.5)
    np.testing.assert_allclose(drawn[:, 1], 11 / 2 / 41)
    np.testing.assert_allclose(drawn[:, 2], 0.005)
    np.testing.assert_allclose(drawn[:, 3], 1 / 3)


def test_a_perfect_ranking_stays_perfect():
    positive = np.arange(100) < 30
    drawn = bootstrap_ranking(positive, -np.arange(100.0), rounds=50)
    np.testing.assert_allclose(drawn, np.tile([1, 1, 0.1, 1], (50, 1)))


@pytest.mark.parametrize("k", [1, 7, 40, 41])
@pytest.mark.parametrize("high", [0.03, 0.5, 1.0])
@pytest.mark.parametrize("digits", [None, 0])
def test_each_single_replicate_against_the_measures_themselves(k, high, digits):
    """Groups of one case, and a loop that draws them with the same generator."""
    positive, scores = made_up(25, 40, digits=digits)
    groups = np.random.default_rng(3).permutation(65)
    ours = bootstrap_ranking(positive, scores, k=k, high=high, rounds=20, seed=11, groups=groups)
    rng = np.random.default_rng(11)
    for row in ours:
        drawn = rng.multinomial(65, np.full(65, 1 / 65))
        times = drawn[groups]
        resample = np.repeat(positive, times), np.repeat(scores, times)
        assert row == pytest.approx(measured(*resample, k, high), abs=1e-12)


def test_groups_against_a_loop():
    rng = np.random.default_rng(2)
    groups = rng.integers(25, size=150)
    positive = rng.random(150) < 0.3
    scores = (rng.normal(size=150) + positive + rng.normal(size=25)[groups]).round(1)
    ours = bootstrap_ranking(positive, scores, k=10, rounds=3000, seed=4, groups=groups)
    members = [np.flatnonzero(groups == g) for g in np.unique(groups)]
    theirs = []
    for _ in range(250):
        rows = np.concatenate([members[g] for g in rng.integers(len(members), size=len(members))])
        theirs.append(measured(positive[rows], scores[rows], 10, 0.1))
    same_distribution(ours, np.array(theirs))


def test_groups_without_a_class_give_nan_as_often_as_expected():
    positive = np.arange(30) < 3
    drawn = bootstrap_ranking(positive, np.arange(30.0), rounds=4000, groups=np.arange(30) // 3)
    gone = np.isnan(drawn)
    assert (gone.all(axis=1) == gone.any(axis=1)).all()
    # One of ten groups holds all positives.
    expected = 0.9**10
    assert gone[:, 0].mean() == pytest.approx(expected, abs=5 * np.sqrt(expected / 4000))


GRID = np.array([0.0, 0.05, 0.25, 0.5, 0.999, 1.0])


@pytest.mark.parametrize(("m", "n", "digits"), [(30, 60, None), (20, 40, 0), (12, 1100, 1)])
def test_curves_against_a_loop(m, n, digits):
    positive, scores = made_up(m, n, digits=digits)
    ours = bootstrap_roc(positive, scores, GRID, rounds=4000, seed=3)
    rng = np.random.default_rng(1)
    hits, misses = np.flatnonzero(positive), np.flatnonzero(~positive)
    theirs = []
    for _ in range(500):
        rows = np.append(rng.choice(hits, m), rng.choice(misses, n))
        curve = roc_curve(positive[rows], scores[rows])
        theirs.append([height(curve.fpr, curve.tpr, x) for x in GRID])
    theirs = np.array(theirs)
    for one, other in zip(ours.T, theirs.T, strict=True):
        se = np.sqrt(one.var() / len(one) + other.var() / len(other))
        assert one.mean() == pytest.approx(other.mean(), abs=4.5 * se + 1e-12)
        assert one.std() == pytest.approx(other.std(), rel=0.2, abs=1e-12)
    assert (ours[:, -1] == 1).all()
    assert (np.diff(ours, axis=1) >= -1e-12).all()


def height(fpr, tpr, x):
    """The top of the curve at x, straight between vertices."""
    at = np.flatnonzero(fpr <= x)[-1]
    if at == len(fpr) - 1:
        return 1.0
    return tpr[at] + (tpr[at + 1] - tpr[at]) * (x - fpr[at]) / (fpr[at + 1] - fpr[at])


def test_the_same_seed_gives_the_same_replicates_and_others_differ():
    positive, scores = made_up(40, 50)
    first, again, other = (bootstrap_auc(positive, scores, rounds=30, seed=s) for s in (1, 1, 2))
    assert (first == again).all()
    assert (first != other).any()


def test_neither_the_order_of_the_rows_nor_the_scale_of_the_scores_matters():
    positive, scores = made_up(60, 50)
    order = np.random.default_rng(0).permutation(110)
    one = bootstrap_ranking(positive, scores, rounds=5)
    other = bootstrap_ranking(positive[order], np.exp(scores[order]), rounds=5)
    assert (one == other).all()


@pytest.mark.parametrize("form", [bootstrap_auc, bootstrap_ranking])
def test_memory_does_not_grow_with_the_replicates(form):
    positive, scores = made_up(20_000, 30_000)
    form(positive, scores, rounds=1)  # compiled
    peaks = []
    for rounds in (5, 200):
        tracemalloc.start()
        form(positive, scores, rounds=rounds)
        peaks.append(tracemalloc.get_traced_memory()[1])
        tracemalloc.stop()
    assert peaks[1] - peaks[0] < 200 * len(MEASURES) * 8 + 20_000
    assert peaks[1] < 60 * 50_000


def test_pairs_of_long_lanes_are_counted_in_pieces_against_a_running_sum():
    rng = np.random.default_rng(0)
    deep = 8192 + 100  # more than 32 bits hold at once
    counts = rng.integers(0, 11, size=512 * deep).astype(np.uint8)
    mask = np.where(rng.random(512 * deep) < 0.3, 255, 0).astype(np.uint8)
    by_case = (counts.reshape(deep, 512).T.ravel(), mask.reshape(deep, 512).T.ravel())
    hits = np.where(by_case[1] > 0, by_case[0], 0).astype(np.int64)
    misses = by_case[0].astype(np.int64) - hits
    assert _area(counts, mask) == int(misses @ (np.cumsum(hits) - hits))
