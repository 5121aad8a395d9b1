"""The mean of class rates: coverage by enumeration, groups and weights by simulation."""

import itertools

import numpy as np
import pytest
from scipy import stats

import referee
from referee.intervals.one_set.class_rates import class_sizes, mean_of_rates
from referee.intervals.one_set.proportion import clopper_pearson

RATES = np.array([0.001, 0.01, 0.03, 0.06, 0.1, 0.2, 0.35, 0.5, 0.7, 0.9, 0.97, 0.995])


def enumerated(sizes, rates=RATES, level=0.95):
    """Return the coverage at every combination of rates, from all tables of counts."""
    tables = list(itertools.product(*(range(n + 1) for n in sizes)))
    n = np.array(sizes, float)
    ends = np.array(
        [(i.low, i.high) for i in (mean_of_rates(np.array(t) / n, n, level) for t in tables)]
    ).reshape(*(m + 1 for m in sizes), 2)
    coverage = []
    for truth in itertools.product(rates, repeat=len(sizes)):
        mean = np.mean(truth)
        held = (ends[..., 0] <= mean + 1e-12) & (mean <= ends[..., 1] + 1e-12)
        chance = held.astype(float)
        for m, p in zip(sizes[::-1], truth[::-1], strict=True):
            chance = chance @ stats.binom.pmf(np.arange(m + 1), m, p)
        coverage.append(float(chance))
    return np.array(coverage)


@pytest.mark.parametrize("sizes", [(5, 5), (5, 20), (10, 10), (20, 20), (5, 5, 5)])
def test_covers_by_enumeration(sizes):
    """Limits that hold for all classes at once cover 1.000 and more; squares alone .91."""
    coverage = enumerated(sizes)
    assert coverage.min() >= 0.945
    assert coverage.mean() <= 0.994


@pytest.mark.parametrize("sizes", [(5, 5, 20), (5, 5, 50)])
def test_a_large_class_without_errors_does_not_hide_those_of_small_ones(sizes):
    """With errors of 10, 10 and .1 % coverage was .939."""
    assert enumerated(sizes, np.array([0.001, 0.03, 0.08, 0.1, 0.15, 0.5])).min() >= 0.95


@pytest.mark.slow
@pytest.mark.parametrize(
    "sizes", [(5, 100), (20, 100), (50, 50), (100, 100), (10, 10, 10), (5, 10, 30), (20, 20, 20)]
)
def test_covers_by_more_enumeration(sizes):
    coverage = enumerated(sizes)
    print(sizes, f"least {coverage.min():.4f}, mean {coverage.mean():.4f}")
    assert coverage.min() >= 0.95
    if min(sizes) >= 50:
        assert coverage.mean() <= 0.975


@pytest.mark.parametrize("n", [20, 30])
def test_mean_coverage_over_evenly_spread_rates(n):
    """It was .977 and .973 with the whole correction for whole counts."""
    coverage = enumerated((n, n), np.r_[0.001, np.linspace(0.01, 0.99, 40), 0.999])
    assert coverage.min() >= 0.95
    assert coverage.mean() <= {20: 0.973, 30: 0.969}[n]


def test_equal_classes_without_errors_against_hoeffding():
    """The interval is never below the exact one of all cases, which equal classes attain."""
    for n in (5, 20, 100):
        got = mean_of_rates(np.zeros(3), np.full(3, float(n)))
        assert got.high >= clopper_pearson(0, 3 * n).high
        assert got.high <= clopper_pearson(0, n).high


def test_one_class_is_clopper_and_pearson():
    got, exact = mean_of_rates(np.array([0.3]), np.array([40.0])), clopper_pearson(12, 40)
    assert (got.low, got.high) == pytest.approx((exact.low, exact.high))


def test_informedness_of_a_perfect_class_among_three():
    truth = np.repeat([0, 1, 2], 30)
    answers = np.where(truth == 2, 2, 1 - truth)  # the other two are always confused
    made = referee.evaluate_predictions(
        truth, answers, measures=["informedness", "balanced_accuracy"], pos_label=2
    ).estimates
    assert made["informedness"].value == 1
    assert made["informedness"].interval.high == 1
    assert 0.86 < made["informedness"].interval.low < 0.95
    assert made["balanced_accuracy"].interval.low < 1 / 3 < made["balanced_accuracy"].interval.high


def drawn(rng, kind):
    """Return truth, loss, weights and groups of 240 cases, and the true mean of the class rates."""
    if kind == "weights":
        truth = np.arange(240) % 2
        heavy = rng.random(240) < 0.1
        weight = np.where(heavy, 10.0, 1.0)
        wrong = rng.random(240) < np.where(heavy, 0.5, 0.1)
        return truth, wrong, weight, None, (0.1 * 10 * 0.5 + 0.9 * 0.1) / 1.9
    groups = np.repeat(np.arange(24), 10)
    truth = np.tile([0, 1], 120)
    bad = rng.random(24) < 0.25
    wrong = rng.random(240) < np.where(bad[groups], 0.6, 0.05)
    return truth, wrong, None, groups, 0.25 * 0.6 + 0.75 * 0.05


@pytest.mark.parametrize("kind", ["weights", "groups"])
def test_covers_with_weights_and_groups_by_simulation(kind):
    """It was .66 with weights and .87 with groups."""
    rng = np.random.default_rng(1)
    held, rounds = 0, 300
    for _ in range(rounds):
        truth, wrong, weight, groups, mean = drawn(rng, kind)
        loss = wrong.astype(float)
        sizes = class_sizes(loss, truth, 2, weights=weight, groups=groups)
        rates = [
            np.average(loss[truth == c], weights=None if weight is None else weight[truth == c])
            for c in (0, 1)
        ]
        held += mean in mean_of_rates(np.array(rates), sizes)
    assert held / rounds >= 0.93


def test_groups_that_share_classes_and_errors_count_once():
    truth, groups = np.tile([0, 1], 100), np.repeat(np.arange(20), 10)
    loss = (groups < 5).astype(float)
    apart = class_sizes(loss, truth, 2, groups=groups + 20 * truth)
    shared = class_sizes(loss, truth, 2, groups=groups)
    assert shared == pytest.approx(apart / 2)
