"""The betting sequence against a plain grid, and its error by enumeration of all sequences."""

import itertools
import math

import numpy as np
import pytest

from referee.errors import InputError
from referee.intervals import clopper_pearson
from referee.intervals.sequential import betting, betting_interval


def by_grid(scores: list[float], level: float, n: int | None) -> tuple[float, float]:
    """The hedged capital of Waudby-Smith and Ramdas on a grid of means, case by case."""
    alpha, grid = 1 - level, np.linspace(0.0005, 0.9995, 1000)
    up, down = np.ones(1000), np.ones(1000)
    # Beside the plug-in bettor, eight who stake a constant share of what could be lost.
    shares = 0.005 * 180 ** (np.arange(8)[:, None] / 7)
    ups, downs = np.ones((8, 1000)), np.ones((8, 1000))
    dead = np.zeros(1000, dtype=bool)
    variance, total, squares = 0.25, 0.5, 0.25
    for t, score in enumerate(scores, 1):
        length = t * math.log(t + 1) if n is None else n
        stake = math.sqrt(2 * math.log(2 / alpha) / (variance * length))
        up *= 1 + np.minimum(stake, 0.75 / grid) * (score - grid)
        down *= 1 - np.minimum(stake, 0.75 / (1 - grid)) * (score - grid)
        ups *= 1 - shares + shares * score / grid
        downs *= 1 - shares + shares * (1 - score) / (1 - grid)
        if n is None:
            won = np.maximum(up + ups.mean(axis=0), down + downs.mean(axis=0)) / 2
        else:
            won = np.maximum(up, down)
        dead |= won / 2 >= 1 / alpha
        for wealth in (up, down, ups, downs):
            np.minimum(wealth, 1e100, out=wealth)  # what is dead stays dead
        total += score
        squares += (score - total / (t + 1)) ** 2
        variance = squares / (t + 1)
    alive = grid[~dead]
    return float(alive.min()), float(alive.max())


@pytest.mark.parametrize("seed", range(4))
def test_sequence_against_grid(seed: int) -> None:
    rng = np.random.default_rng(seed)
    scores = [(rng.random(150) < 0.1) * 1.0, rng.beta(2, 5, 150)][seed % 2]
    low, high = by_grid(list(scores), 0.95, None)
    i = betting(scores).interval
    assert i.low == pytest.approx(low, abs=0.0011)
    assert i.high == pytest.approx(high, abs=0.0011)


@pytest.mark.parametrize("seed", range(4))
def test_interval_against_grid_in_the_seeded_order(seed: int) -> None:
    rng = np.random.default_rng(seed)
    scores = [(rng.random(150) < 0.1) * 1.0, rng.beta(2, 5, 150)][seed % 2]
    order = np.random.default_rng(3).permutation(np.sort(scores))
    low, high = by_grid(list(order), 0.95, 150)
    i = betting_interval(scores, random_state=3)
    assert i.low == pytest.approx(low, abs=0.0011)
    assert i.high == pytest.approx(high, abs=0.0011)


@pytest.mark.parametrize("shares", [(0.7, 0.2, 0.1), (0.05, 0.05, 0.9), (0.5, 0, 0.5)])
def test_error_over_all_times_by_enumeration_of_all_sequences(shares: tuple[float, ...]) -> None:
    values, n, level = (0.0, 0.5, 1.0), 8, 0.5
    truth = float(np.dot(values, shares))
    missed = 0.0
    for sequence in itertools.product(range(3), repeat=n):
        chance = math.prod(shares[i] for i in sequence)
        if chance:
            s = betting([values[i] for i in sequence], level, times=[n])
            missed += chance * bool(truth < s.low[-1] or truth > s.high[-1] or s.flag)
    assert missed <= 1 - level


def test_coverage_of_the_interval_by_simulation() -> None:
    rng = np.random.default_rng(1)
    for draw, truth in [
        (lambda: (rng.random(50) < 0.02) * 1.0, 0.02),
        (lambda: rng.beta(0.1, 0.4, 50), 0.2),
    ]:
        missed = sum(truth not in betting_interval(draw(), 0.8) for _ in range(400))
        assert missed / 400 <= 0.2


@pytest.mark.slow
@pytest.mark.parametrize("truth", [0.02, 0.3])
def test_error_over_a_thousand_times_by_simulation(truth: float) -> None:
    rng = np.random.default_rng(2)
    for draw in (
        lambda: (rng.random(1000) < truth) * 1.0,
        lambda: rng.beta(truth, 1 - truth, 1000),
    ):
        missed = 0
        for _ in range(2000):
            i = betting(draw(), 0.9, times=[1000])
            missed += bool(truth < i.low[-1] or truth > i.high[-1])
        assert missed / 2000 <= 0.1


def test_path_is_what_each_time_alone_gives() -> None:
    scores = np.random.default_rng(0).random(120)
    path = betting(scores)
    for n in (1, 10, 120):
        alone = betting(scores[:n]).interval
        assert (path.low[n - 1], path.high[n - 1]) == pytest.approx((alone.low, alone.high))
    thin = betting(scores, times=[10, 120])
    assert thin.low == pytest.approx(path.low[[9, 119]])
    plain = betting(scores, running=False)
    assert np.all(plain.low <= path.low + 1e-9)
    assert np.all(plain.high >= path.high - 1e-9)


def test_order_does_not_matter_for_a_fixed_number() -> None:
    scores = np.random.default_rng(0).random(60)
    one, two = betting_interval(scores), betting_interval(scores[::-1])
    assert (one.low, one.high) == (two.low, two.high)
    assert "random order" in one.basis


def test_narrow_where_scores_vary_little() -> None:
    scores = 0.3 + 0.02 * np.random.default_rng(0).random(500)
    assert betting_interval(scores).width < clopper_pearson(150, 500).width / 4


@pytest.mark.parametrize("scores", [[0.0], [1.0], [0.5], [0.0] * 50, [1.0] * 50, [0.25] * 50])
def test_degenerate_scores(scores: list[float]) -> None:
    for i in (betting_interval(scores), betting(scores).interval):
        assert 0 <= i.low <= scores[0] <= i.high <= 1
        assert i.width > 0
        assert not i.flag


def test_drift_is_flagged() -> None:
    sequence = betting(np.concatenate([np.zeros(500), np.ones(500)]))
    assert "drift" in sequence.flag
    assert sequence.low[-1] <= sequence.high[-1]


def test_capital_beyond_floating_point() -> None:
    i = betting_interval(np.full(100_000, 0.5))
    assert 0.499 < i.low < 0.5 < i.high < 0.501


def test_bounds_are_a_change_of_scale() -> None:
    scores = np.random.default_rng(0).random(80)
    one, two = betting(scores).interval, betting(4 * scores - 1, bounds=(-1, 3)).interval
    assert (two.low, two.high) == pytest.approx((4 * one.low - 1, 4 * one.high - 1))


@pytest.mark.parametrize("times", [[], [0], [3, 2], [11], [1.5]])
def test_bad_times(times: list[float]) -> None:
    with pytest.raises(InputError, match="times must"):
        betting(np.zeros(10), times=times)


def test_bad_scores() -> None:
    with pytest.raises(InputError, match="bounds= that hold by definition"):
        betting_interval([0.5, 1.5])
