"""The bootstrap of a statistic: against scipy, and formulas written out again from the books."""

import math

import numpy as np
import pytest
from scipy import stats

from referee.errors import InputError, Refusal
from referee.intervals import (
    Bootstrapped,
    abc_mean,
    basic,
    bca,
    bootstrap_mean,
    percentile,
)
from referee.intervals.one_set.bootstrap import bootstrap as module

RNG = np.random.default_rng(20)
SKEWED = RNG.exponential(size=60)
LOSSES = (RNG.random(80) < 0.2).astype(float)


def bare(replicates, value=0.0):
    return Bootstrapped(value, np.asarray(replicates, float), np.array([]))


def bca_by_the_book(value, replicates, jackknife, level):
    """Efron and Tibshirani (1993), equations 14.9, 14.10, 14.14, 14.15, read again."""
    B = len(replicates)
    ordered = sorted(replicates)
    smaller = sum(r < value for r in replicates) + sum(r == value for r in replicates) / 2
    z0 = stats.norm.ppf(smaller / B)
    mean = sum(jackknife) / len(jackknife)
    top = sum((mean - j) ** 3 for j in jackknife)
    bottom = 6 * sum((mean - j) ** 2 for j in jackknife) ** 1.5
    a = top / bottom
    ends = []
    for q in ((1 - level) / 2, (1 + level) / 2):
        z = stats.norm.ppf(q)
        alpha = stats.norm.cdf(z0 + (z0 + z) / (1 - a * (z0 + z)))
        k = math.floor((B + 1) * min(alpha, 1 - alpha) + 1e-9)
        rank = k if alpha <= 0.5 else B + 1 - k
        ends.append(ordered[rank - 1])
    return tuple(ends)


def test_percentile_takes_ranks_50_and_951_of_1000():
    shuffled = RNG.permutation(np.arange(1, 1001.0))
    made = percentile(bare(shuffled), 0.90)
    assert (made.low, made.high) == (50, 951)


@pytest.mark.parametrize(
    ("B", "level", "ranks"),
    [
        (999, 0.95, (25, 975)),
        (1999, 0.95, (50, 1950)),
        (2000, 0.95, (50, 1951)),
        (10, 0.95, (1, 10)),
    ],
)
def test_percentile_ranks_by_hand(B, level, ranks):
    made = percentile(bare(np.arange(1.0, B + 1)), level)
    assert (made.low, made.high) == ranks


def test_percentile_ranks_are_symmetric_for_every_level():
    for B in (99, 200, 1000, 1001):
        for level in np.linspace(0.05, 0.99, 95):
            made = percentile(bare(np.arange(1.0, B + 1)), float(level))
            assert made.low + made.high == B + 1


def test_basic_is_the_percentile_interval_reflected():
    drawn = bootstrap_mean(SKEWED, rounds=999, random_state=1)
    p, b = percentile(drawn, 0.9), basic(drawn, 0.9)
    assert b.low == pytest.approx(2 * drawn.value - p.high)
    assert b.high == pytest.approx(2 * drawn.value - p.low)


@pytest.mark.parametrize("values", [SKEWED, LOSSES], ids=["skewed", "losses"])
@pytest.mark.parametrize("level", [0.8, 0.95])
def test_bca_against_the_book_with_the_same_replicates(values, level):
    drawn = bootstrap_mean(values, rounds=1999, random_state=2)
    n = len(values)
    jackknife = [float(np.delete(values, i).mean()) for i in range(n)]
    assert drawn.jackknife == pytest.approx(jackknife)
    made = bca(drawn, level)
    expected = bca_by_the_book(drawn.value, drawn.replicates, jackknife, level)
    assert (made.low, made.high) == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize(
    ("form", "theirs"), [(percentile, "percentile"), (basic, "basic"), (bca, "BCa")]
)
def test_against_scipy_within_monte_carlo_error(form, theirs):
    oracle = stats.bootstrap(
        (SKEWED,), np.mean, n_resamples=20_000, method=theirs, rng=np.random.default_rng(3)
    )
    drawn = bootstrap_mean(SKEWED, rounds=20_000, random_state=4)
    made = form(drawn)
    # The sd of a .025 quantile of 20,000 draws is about .019 standard errors; allow five, twice.
    slack = 0.15 * oracle.standard_error
    assert made.low == pytest.approx(oracle.confidence_interval.low, abs=slack)
    assert made.high == pytest.approx(oracle.confidence_interval.high, abs=slack)
    assert drawn.standard_error == pytest.approx(oracle.standard_error, rel=0.05)


def test_variance_and_bias_against_numpy():
    replicates = np.array([2.1, 2.3, 1.9, 2.5])
    b = bare(replicates, 2.0)
    assert b.variance == pytest.approx(np.var(replicates, ddof=1))
    assert b.standard_error == pytest.approx(np.std(replicates, ddof=1))
    assert b.bias == pytest.approx(0.2)
    assert b.bias_corrected == pytest.approx(1.8)
    assert not b.bias_is_small
    assert bare([1.0, 3.0, 2.1], 2.0).bias_is_small


def test_standard_error_of_a_mean_against_theory():
    drawn = bootstrap_mean(SKEWED, rounds=20_000, random_state=5)
    assert drawn.standard_error == pytest.approx(np.std(SKEWED) / math.sqrt(60), rel=0.03)
    assert abs(drawn.bias) < 5 * drawn.standard_error / math.sqrt(20_000)


def test_weighted_mean_against_a_plain_loop():
    weights = RNG.random(30)
    values = RNG.random(30)
    drawn = bootstrap_mean(values, weights=weights, rounds=5000, random_state=6)
    rng = np.random.default_rng(7)
    loop = []
    for _ in range(5000):
        rows = rng.integers(30, size=30)
        loop.append(np.average(values[rows], weights=weights[rows]))
    assert drawn.value == pytest.approx(np.average(values, weights=weights))
    assert drawn.replicates.mean() == pytest.approx(np.mean(loop), abs=6 * np.std(loop) / 70)
    assert drawn.replicates.std() == pytest.approx(np.std(loop), rel=0.08)


def test_groups_against_a_plain_loop_that_draws_whole_groups():
    groups = RNG.integers(8, size=60)
    values = (groups % 3 == 0) * 0.5 + RNG.random(60) * 0.5
    drawn = bootstrap_mean(values, groups=groups, rounds=5000, random_state=8)
    rng = np.random.default_rng(9)
    names = np.unique(groups)
    loop = []
    for _ in range(5000):
        rows = np.concatenate([np.flatnonzero(groups == g) for g in rng.choice(names, len(names))])
        loop.append(values[rows].mean())
    assert drawn.replicates.mean() == pytest.approx(np.mean(loop), abs=6 * np.std(loop) / 70)
    assert drawn.replicates.std() == pytest.approx(np.std(loop), rel=0.08)
    left_out = [values[groups != g].mean() for g in names]
    assert drawn.jackknife == pytest.approx(left_out)


def test_equal_weights_and_groups_of_one_change_nothing():
    plain = bootstrap_mean(LOSSES, rounds=200, random_state=1)
    weighted = bootstrap_mean(LOSSES, weights=np.full(80, 3.0), rounds=200, random_state=1)
    grouped = bootstrap_mean(LOSSES, groups=np.arange(80), rounds=200, random_state=1)
    assert weighted.replicates == pytest.approx(plain.replicates)
    assert grouped.replicates == pytest.approx(plain.replicates)


def test_seeds_decide_and_blocks_do_not(monkeypatch):
    first = bootstrap_mean(LOSSES, rounds=300, random_state=11).replicates
    again = bootstrap_mean(LOSSES, rounds=300, random_state=11).replicates
    other = bootstrap_mean(LOSSES, rounds=300, random_state=12).replicates
    monkeypatch.setattr(module, "_CHUNK", 80 * 7)
    in_blocks = bootstrap_mean(LOSSES, rounds=300, random_state=11).replicates
    assert np.array_equal(first, again)
    assert np.array_equal(first, in_blocks)
    assert not np.array_equal(first, other)


def test_no_variation_is_flagged():
    made = bca(bootstrap_mean(np.zeros(20), rounds=100, random_state=0))
    assert (made.low, made.high) == (0, 0)
    assert "no width" in made.flag


@pytest.mark.parametrize("rounds", [0, -1, 2.5, "many"])
def test_bad_rounds(rounds):
    with pytest.raises(InputError, match="rounds must be a whole number of at least 1"):
        bootstrap_mean(LOSSES, rounds=rounds, random_state=0)


@pytest.mark.parametrize("form", [percentile, basic, bca])
def test_bad_level(form):
    with pytest.raises(InputError, match=r"for 90 % write 0\.9"):
        form(bootstrap_mean(LOSSES, rounds=20, random_state=0), 90)


def test_bca_without_what_it_needs():
    with pytest.raises(InputError, match="jackknife"):
        bca(bare([0.1, 0.2]))
    with pytest.raises(Refusal, match="undefined in every resample"):
        bca(bare([]))


def test_many_cases_against_few_at_a_time():
    # Above some thousand cases counts are drawn in a compiled loop; the distribution must agree.
    values = np.random.default_rng(0).exponential(size=6000)
    weights = np.random.default_rng(1).random(6000)
    b = bootstrap_mean(values, weights=weights, rounds=2000, random_state=3)
    rng = np.random.default_rng(4)
    plain = []
    for _ in range(1000):
        rows = rng.integers(6000, size=6000)
        plain.append(np.average(values[rows], weights=weights[rows]))
    assert b.value == pytest.approx(np.average(values, weights=weights))
    assert b.replicates.mean() == pytest.approx(np.mean(plain), abs=3 * np.std(plain) / 30)
    assert b.standard_error == pytest.approx(np.std(plain), rel=0.08)


@pytest.mark.parametrize("level", [0.8, 0.95])
def test_abc_against_scipy_bca(level):
    values = np.random.default_rng(2).exponential(size=80)
    ours = abc_mean(values, level=level)
    theirs = stats.bootstrap(
        (values,), np.mean, method="BCa", n_resamples=20_000, confidence_level=level, rng=1
    ).confidence_interval
    width = theirs.high - theirs.low
    assert (ours.low, ours.high) == pytest.approx((theirs.low, theirs.high), abs=0.04 * width)


def test_abc_of_weights_and_groups_against_the_bootstrap():
    rng = np.random.default_rng(3)
    values, weights = rng.exponential(size=200), rng.random(200)
    for options in ({"weights": weights}, {"groups": np.arange(200) // 4}):
        ours = abc_mean(values, **options)
        theirs = bca(bootstrap_mean(values, rounds=9999, random_state=0, **options))
        width = theirs.width
        assert (ours.low, ours.high) == pytest.approx((theirs.low, theirs.high), abs=0.05 * width)


def test_abc_of_half_the_worth_is_wider_by_its_root():
    values = np.random.default_rng(4).normal(size=500)
    ratio = abc_mean(values, worth=0.5).width / abc_mean(values).width
    assert ratio == pytest.approx(2**0.5, rel=0.01)


def test_bca_depends_neither_on_the_scale_of_weights_nor_on_the_order_of_cases():
    """Replicates that equal the value but for rounding once fell on either side of it."""
    rng = np.random.default_rng(0)
    values = (rng.random(40) < 0.2).astype(float)
    weights = rng.choice([0.1, 0.3, 0.7], size=40)
    drawn = [
        bootstrap_mean(values, weights=weights * scale, rounds=2000, random_state=3)
        for scale in (1.0, 3.0, 1 / 3, 1e-7, 1e9)
    ]
    ends = np.array([(i.low, i.high) for i in map(bca, drawn)])
    assert np.ptp(ends, axis=0).max() < 1e-9
    # The same replicates but for their last bits.
    wobble = Bootstrapped(
        drawn[0].value,
        drawn[0].replicates * (1 + 1e-15 * rng.choice([-1, 0, 1], size=2000)),
        drawn[0].jackknife,
    )
    assert bca(wobble).low == pytest.approx(bca(drawn[0]).low, rel=1e-12)
    assert bca(wobble).high == pytest.approx(bca(drawn[0]).high, rel=1e-12)
