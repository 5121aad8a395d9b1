"""What dependent cases are worth: against a plain loop, and by simulation."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

import referee
from referee.intervals import clopper_pearson, effective_n
from referee.intervals.one_set.dependent.effective_n import worth_of_groups


def by_loop(values, weights, groups, level=0.95):
    """p (1 - p) over the linearised variance of a ratio of group sums, one group at a time."""
    total = sum(weights)
    p = sum(w * v for w, v in zip(weights, values, strict=True)) / total
    names = sorted(set(groups))
    G = len(names)
    residuals, sizes = [], []
    for g in names:
        rows = [i for i in range(len(values)) if groups[i] == g]
        others = [i for i in range(len(values)) if groups[i] != g]
        rest = sum(weights[i] for i in others)
        residuals.append(sum(weights[i] * values[i] for i in others) / rest - p)
        sizes.append(sum(weights[i] for i in rows))
    variance = (G - 1) / G * sum(r**2 for r in residuals)  # leave each group out in turn
    kish = total**2 / sum(w * w for w in weights)
    as_one = total**2 / sum(x * x for x in sizes)
    quantile = 1 - (1 - level) / 2
    shrink = stats.norm.ppf(quantile) / stats.t(as_one - 1).ppf(quantile)
    return max(as_one, min(kish, p * (1 - p) / variance) * shrink**2)


@pytest.mark.parametrize("seed", range(12))
@pytest.mark.parametrize("weighted", [False, True])
def test_against_a_plain_loop(seed, weighted):
    rng = np.random.default_rng(seed)
    groups = rng.integers(rng.integers(3, 15), size=80)
    values = (rng.random(80) < 0.1 + 0.6 * (groups % 2)).astype(float)
    weights = rng.random(80) + 0.1 if weighted else np.ones(80)
    level = rng.choice([0.8, 0.95])
    made = effective_n(values, weights=weights if weighted else None, groups=groups, level=level)
    assert made == pytest.approx(by_loop(values, weights, groups, level))


@given(st.lists(st.floats(0.01, 10), min_size=1, max_size=40))
def test_weights_alone_against_kish(weights):
    w = np.array(weights)
    made = effective_n(np.zeros(len(w)), weights=w)
    assert made == pytest.approx(1 / sum((x / sum(weights)) ** 2 for x in weights))
    assert made <= len(w) + 1e-9


def test_errors_on_heavy_cases_against_the_variance_of_a_ratio():
    """Two in a hundred weigh 50: Kish's number covered .86 to .92, and was called exact."""
    rng = np.random.default_rng(0)
    held = kish_held = 0
    truth = (0.02 * 50 * 0.5 + 0.98 * 0.05) / (0.02 * 50 + 0.98)
    for _ in range(400):
        heavy = rng.random(600) < 0.02
        w = np.where(heavy, 50.0, 1.0)
        values = (rng.random(600) < np.where(heavy, 0.5, 0.05)).astype(float)
        p, kish = np.average(values, weights=w), w.sum() ** 2 / np.sum(w**2)
        n = effective_n(values, weights=w)
        parts = (w * (values - p)) ** 2
        df = parts.sum() ** 2 / np.sum(parts**2) - 1
        shrink = (stats.norm.ppf(0.975) / stats.t.ppf(0.975, df)) ** 2
        own = p * (1 - p) * w.sum() ** 2 / parts.sum() * shrink
        assert n == pytest.approx(min(max(own, w.sum() / 50), kish))
        held += truth in clopper_pearson(p * n, n)
        kish_held += truth in clopper_pearson(p * kish, kish)
    assert held / 400 >= 0.95 > kish_held / 400


@pytest.mark.parametrize("scale", [1e-300, 1e-20, 7.0, 1e300])
def test_the_scale_of_weights_does_not_matter(scale):
    rng = np.random.default_rng(3)
    values, w = (rng.random(50) < 0.3).astype(float), rng.random(50) + 0.1
    groups = np.arange(50) % 12
    for options in ({}, {"groups": groups}):
        plain = effective_n(values, weights=w, **options)
        assert effective_n(values, weights=w * scale, **options) == pytest.approx(plain)


def test_no_weights_and_no_groups_is_n():
    assert effective_n(np.zeros(17)) == 17


def test_groups_of_one_are_worth_about_n():
    rng = np.random.default_rng(0)
    values = (rng.random(400) < 0.3).astype(float)
    made = effective_n(values, groups=np.arange(400))
    assert 380 < made <= 400


def test_copies_are_worth_their_groups():
    rng = np.random.default_rng(1)
    once = (rng.random(200) < 0.3).astype(float)
    made = effective_n(np.repeat(once, 25), groups=np.repeat(np.arange(200), 25))
    assert made == pytest.approx(effective_n(once, groups=np.arange(200)))


@pytest.mark.parametrize("value", [0.0, 1.0])
def test_without_variation_a_group_counts_as_one_case(value):
    made = effective_n(np.full(60, value), groups=np.repeat(np.arange(6), 10))
    assert made == pytest.approx(6)


def test_a_single_group_counts_as_one_case():
    assert effective_n(np.array([0.0, 1.0, 1.0]), groups=np.zeros(3, int)) == 1


def test_names_of_groups_do_not_matter():
    values = np.array([0.0, 1, 1, 0, 0, 1, 0, 0])
    a = effective_n(values, groups=np.array([0, 0, 1, 1, 2, 2, 3, 3]))
    b = effective_n(values, groups=np.array([9, 9, 4, 4, 7, 7, 5, 5]))
    assert a == pytest.approx(b)


def holds(p, mean, n, groups):
    """Whether the interval holds p, never within what no error would have shown."""
    exact, none = clopper_pearson(mean * n, n), clopper_pearson(0, worth_of_groups(groups)).high
    return min(exact.low, 1 - none) <= p <= max(exact.high, none)


def coverage(p, correlation, n_groups, size, rounds, seed):
    """Error rates of groups from a beta distribution with the given correlation."""
    rng = np.random.default_rng(seed)
    spread = 1 / correlation - 1
    groups = np.repeat(np.arange(n_groups), size)
    rates = rng.beta(p * spread, (1 - p) * spread, size=(rounds, n_groups))
    held = 0
    for rate in rates:
        values = (rng.random(len(groups)) < rate[groups]).astype(float)
        n = effective_n(values, groups=groups)
        held += holds(p, values.mean(), n, groups)
    return held / rounds


def test_covers_correlated_cases_by_simulation_smoke():
    assert coverage(0.3, 0.3, 20, 10, 400, 3) >= 0.92


UNEQUAL = {
    "one of 200 and 19 of 2": [200] + [2] * 19,
    "one of 100 and 19 of 10": [100] + [10] * 19,
    "50 of sizes 100 / k": [max(1, 100 // (k + 1)) for k in range(50)],
}


def unequal_coverage(p, correlation, sizes, rounds, seed=4):
    rng = np.random.default_rng(seed)
    spread = 1 / correlation - 1
    groups = np.repeat(np.arange(len(sizes)), sizes)
    held = 0
    for rate in rng.beta(p * spread, (1 - p) * spread, size=(rounds, len(sizes))):
        values = (rng.random(len(groups)) < rate[groups]).astype(float)
        n = effective_n(values, groups=groups)
        held += holds(p, values.mean(), n, groups)
    return held / rounds


@pytest.mark.parametrize("sizes", UNEQUAL)
def test_covers_groups_of_unequal_size_by_simulation_smoke(sizes):
    assert unequal_coverage(0.2, 0.3, UNEQUAL[sizes], 300) >= 0.92


@pytest.mark.slow
@pytest.mark.parametrize("sizes", UNEQUAL)
@pytest.mark.parametrize("p", [0.02, 0.1, 0.3])
@pytest.mark.parametrize("correlation", [0.05, 0.3])
def test_covers_groups_of_unequal_size_by_simulation(p, correlation, sizes):
    assert unequal_coverage(p, correlation, UNEQUAL[sizes], 2000) >= 0.93


@pytest.mark.slow
@pytest.mark.parametrize("p", [0.1, 0.3])
@pytest.mark.parametrize("correlation", [0.05, 0.3, 0.7])
@pytest.mark.parametrize(("n_groups", "size"), [(10, 10), (20, 10), (50, 10), (20, 50)])
def test_covers_correlated_cases_by_simulation(p, correlation, n_groups, size):
    assert coverage(p, correlation, n_groups, size, 3000, 4) >= 0.93


@pytest.mark.slow
@pytest.mark.parametrize(("p", "correlation"), [(0.02, 0.3), (0.02, 0.7), (0.05, 0.7)])
def test_covers_rare_correlated_errors_by_simulation(p, correlation):
    # The rarer the errors, the fewer groups show how alike their cases are.
    assert coverage(p, correlation, 20, 50, 3000, 5) >= 0.93


def test_fewer_groups_that_tell_are_worth_less():
    groups = np.repeat(np.arange(10), 20)
    worth = []
    for hit in (2, 4, 8):  # groups with two errors each
        values = np.zeros(200)
        for g in range(hit):
            values[20 * g : 20 * g + 2] = 1
        worth.append(effective_n(values, groups=groups))
    assert worth == sorted(worth)
    assert worth[0] >= 10


def test_one_error_does_not_make_the_upper_end_smaller_than_none():
    groups = np.repeat(np.arange(10), 100)
    truth, upper = np.arange(1000) % 2, []
    for errors in (0, 1):
        answers = np.where(np.arange(1000) < errors, 1 - truth, truth)
        e = referee.evaluate_predictions(truth, answers, groups=groups).error
        upper.append(e.interval.high)
    assert upper[1] >= upper[0]
