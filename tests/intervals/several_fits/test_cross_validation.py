"""The effective number of cases of a cross-validation, against its formula written out again."""

import math

import numpy as np
import pytest
from scipy import stats

from referee.core.results import Target
from referee.errors import Refusal
from referee.intervals import effective_jeffreys, effective_size
from referee.measures import Losses

C, E = Target.CONDITIONAL, Target.EXPECTED


def table(n, R, seed, *, rate=0.2, instability=0.3):
    """Random losses of n cases in R repetitions: some cases always wrong, some now and then."""
    rng = np.random.default_rng(seed)
    wrong = np.repeat(rng.random(n)[None] < rate, R, axis=0)
    flip = rng.random((R, n)) < instability * rng.random(n)
    return np.where(flip, ~wrong, wrong).astype(float)


def losses_of(rows, **more):
    R, n = rows.shape
    return Losses(
        value=rows.ravel(),
        case=np.tile(np.arange(n), R),
        split=np.concatenate([10 * r + np.arange(n) % 10 for r in range(R)]),
        repetition=np.repeat(np.arange(R), n),
        n_train=np.full(R * n, n - n // 10),
        **more,
    )


def transcribed(rows, halves, target, level=0.95):
    """C3, E2 and the ten-fit forms as the methods page states them."""
    R, n = rows.shape
    p = rows.sum() / rows.size
    q = min(max(p, 0.25 / n), 1 - 0.25 / n)
    if R == 1:
        n_eff = n / 1.5 if target is C else n / 2
    else:
        h = [sum(rows[r][i] for r in range(R)) / R for i in range(n)]
        U = (R / (R - 1)) * (sum(x * (1 - x) for x in h) / n) / (q * (1 - q))
        U = min(max(U, 0.0), 1.0)
        p50 = halves.sum() / halves.size
        flagged = U > 0.5 or abs(p50 - q) > 0.75 * math.sqrt(q * (1 - q) / n)
        c = 1.75 if target is E else (2.0 if flagged else 1.25)
        n_eff = n / (c * (1 + U / 2))
    x = p * n_eff
    beta = stats.beta(x + 0.5, n_eff - x + 0.5)
    low = 0.0 if x < 0.5 else beta.ppf((1 - level) / 2)
    high = 1.0 if n_eff - x < 0.5 else beta.ppf((1 + level) / 2)
    return n_eff, low, high


@pytest.mark.parametrize("target", [C, E])
@pytest.mark.parametrize("instability", [0.0, 0.2, 0.9])
@pytest.mark.parametrize("rate", [0.0, 0.02, 0.2, 0.6, 1.0])
@pytest.mark.parametrize("shift", [0.0, 0.05, 0.3])
def test_repeated_against_the_transcribed_formula(target, instability, rate, shift):
    for seed, n in enumerate((20, 57, 150)):
        rows = table(n, 10, seed, rate=rate, instability=instability)
        halves = table(n, 10, seed + 50, rate=min(1, rate + shift), instability=instability)
        n_eff, low, high = transcribed(rows, halves, target, 0.9)
        both = losses_of(rows), losses_of(halves)
        size = effective_size(both[0], halves=both[1], target=target)
        made = effective_jeffreys(both[0], 0.9, halves=both[1], target=target)
        assert size.n_effective == pytest.approx(n_eff)
        assert made.n_effective == pytest.approx(n_eff)
        assert (made.low, made.high) == pytest.approx((low, high), abs=1e-9)
        assert (made.target, made.method) == (target, "effective-jeffreys")


@pytest.mark.parametrize("target", [C, E])
@pytest.mark.parametrize("rate", [0.0, 0.1, 0.5])
def test_single_pass_against_the_transcribed_formula(target, rate):
    rows = table(80, 1, 3, rate=rate)
    n_eff, low, high = transcribed(rows, None, target)
    made = effective_jeffreys(losses_of(rows), target=target)
    assert made.n_effective == pytest.approx(n_eff)
    assert (made.low, made.high) == pytest.approx((low, high), abs=1e-9)
    assert math.isnan(effective_size(losses_of(rows)).instability)


def test_a_steady_learner_costs_a_quarter_and_an_unstable_one_twice_and_half():
    steady = np.repeat((np.arange(100) < 20)[None], 10, axis=0).astype(float)
    coin = np.tile(np.array([[0.0] * 100, [1.0] * 100]), (5, 1))
    assert effective_size(losses_of(steady), halves=losses_of(steady)).n_effective == 80
    size = effective_size(losses_of(coin), halves=losses_of(coin))
    assert (size.instability, size.flagged) == (1.0, True)
    assert size.n_effective == pytest.approx(100 / 3)


def test_a_steep_learning_curve_raises_the_flag():
    steady = np.repeat((np.arange(100) < 20)[None], 10, axis=0).astype(float)
    worse = np.repeat((np.arange(100) < 24)[None], 10, axis=0).astype(float)  # 4 > .75 * 4 points
    size = effective_size(losses_of(steady), halves=losses_of(worse))
    assert size.flagged
    assert size.n_effective == 50


def test_without_halves_a_repeated_one_counts_as_a_single_pass():
    steady = np.repeat((np.arange(90) < 20)[None], 10, axis=0).astype(float)
    assert effective_size(losses_of(steady)).n_effective == pytest.approx(60)


def test_equal_weights_change_nothing_and_unequal_ones_cost_by_kish():
    rows = table(60, 10, 1)
    weights = np.random.default_rng(2).random(60) + 0.1
    plain = effective_jeffreys(losses_of(rows), halves=losses_of(rows))
    equal = effective_jeffreys(losses_of(rows, weight=np.full(600, 2.0)), halves=losses_of(rows))
    assert (equal.low, equal.high) == pytest.approx((plain.low, plain.high))
    weighted = losses_of(rows, weight=np.tile(weights, 10))
    made = effective_jeffreys(weighted)
    kish = weights.sum() ** 2 / (weights**2).sum() / 60
    assert made.n_effective == pytest.approx(effective_size(weighted).n_effective * kish)


def test_a_stated_size_replaces_the_number_of_cases():
    # Cases answered "positive" differ between repetitions: 60 in all, say, and 40 in each.
    rows = table(60, 10, 1)
    losses = losses_of(rows, size=40)
    made, plain = effective_jeffreys(losses), effective_jeffreys(losses_of(rows))
    assert made.n_effective == pytest.approx(plain.n_effective * 40 / 60)


def test_groups_are_refused():
    losses = losses_of(table(30, 2, 0), groups=np.tile(np.arange(30) // 3, 2))
    with pytest.raises(Refusal, match="interval='clustered'"):
        effective_jeffreys(losses)
