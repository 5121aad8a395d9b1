"""Cases in time: the long-run variance against loops and AR(1), coverage where labels persist."""

import numpy as np
import pytest

from referee.core.predictions import Predictions
from referee.intervals.catalogue import risk_interval
from referee.intervals.one_set.dependent.serial import FEW_MOMENTS
from referee.intervals.one_set.dependent.serial_n import serial_n, slow_movement
from referee.intervals.one_set.proportion import clopper_pearson
from referee.intervals.risk import RiskSample
from referee.measures.losses import Losses


def test_slow_movement_is_the_mean_of_squared_cosine_sums():
    rng = np.random.default_rng(3)
    values = rng.random(150)
    away, n, cosines = values - values.mean(), 150, 6  # half the root of 150
    squares = []
    for j in range(1, cosines + 1):
        total = sum(np.cos(np.pi * j * (t + 0.5) / n) * away[t] for t in range(n))
        squares.append((np.sqrt(2 / n) * total) ** 2)
    expected = np.mean(squares) / np.var(values)
    slow = slow_movement(values, np.arange(n))
    assert slow.cosines == cosines
    assert slow.ratio == pytest.approx(expected)


def test_long_run_variance_of_an_autoregression_is_known():
    rng = np.random.default_rng(0)
    steps = rng.standard_normal((200, 2200))
    series = np.zeros_like(steps)
    for t in range(1, steps.shape[1]):
        series[:, t] = 0.6 * series[:, t - 1] + steps[:, t]
    ratios = [slow_movement(row[200:], np.arange(2000)).ratio for row in series]
    assert np.mean(ratios) == pytest.approx((1 + 0.6) / (1 - 0.6), rel=0.1)


def test_cases_of_one_moment_count_together():
    values = np.array([1.0, 1, 0, 0, 1, 1, 0, 0, 1, 1, 0, 0])
    together = slow_movement(values, np.repeat(np.arange(6), 2))
    sums = values.reshape(6, 2).sum(axis=1)
    assert together.ratio == pytest.approx(2 * slow_movement(sums / 2, np.arange(6)).ratio)


@pytest.mark.parametrize("scale", [1e-300, 1.0, 1e300])
def test_neither_scale_of_weights_nor_order_of_rows_matters(scale):
    rng = np.random.default_rng(1)
    values, when, w = rng.integers(0, 2, 80) * 1.0, np.arange(80), rng.uniform(1, 3, 80)
    order = rng.permutation(80)
    plain = serial_n(values, when, weights=w)
    assert serial_n(values[order], when[order], weights=scale * w[order]) == pytest.approx(plain)


def test_without_variation_or_moments_nothing_tells():
    assert slow_movement(np.zeros(50), np.arange(50)).ratio == 1
    assert serial_n(np.array([0.0, 1, 1]), np.zeros(3, int)) == 3
    assert 0 < serial_n(np.zeros(50), np.arange(50)) < 50


def persistent(n, stay, errors, rng):
    """Return labels that stay with a probability, and answers that err by class."""
    flips = rng.random(n) >= stay
    flips[0] = rng.random() < 0.5
    y = np.cumsum(flips) % 2
    return y, y ^ (rng.random(n) < np.where(y == 1, errors[1], errors[0]))


def coverage(n, stay, errors, rounds):
    """Return how often the exact interval and ours hold the error, and our cases' worth."""
    truth, plain, ours, worth = sum(errors) / 2, 0, 0, 0.0
    for r in range(rounds):
        y, answers = persistent(n, stay, errors, np.random.default_rng([n, r]))
        table = Predictions.of(y, answers, time=np.arange(n), labels=[0, 1])
        i = risk_interval(RiskSample(losses=Losses.of(table)))
        naive = clopper_pearson(int((y != answers).sum()), n)
        assert i.method == "serial"
        plain += naive.low <= truth <= naive.high
        ours += i.low <= truth <= i.high
        worth += i.n_effective
    return plain / rounds, ours / rounds, worth / rounds


def test_covers_where_labels_persist_smoke():
    plain, ours, worth = coverage(300, 0.95, (0.05, 0.35), 100)
    assert plain < 0.85 < 0.88 < ours
    assert worth < 150


@pytest.mark.slow
def test_coverage_where_labels_persist():
    """Print coverage of the exact interval and of ours, labels staying with a probability."""
    print("\nstay  n     error by class   exact   serial   worth")
    for stay in (0.5, 0.9, 0.95):
        for n in (50, 100, 300, 1000):
            for errors in ((0.1, 0.1), (0.05, 0.35)):
                plain, ours, worth = coverage(n, stay, errors, 600)
                print(f"{stay:<5} {n:<5} {errors!s:<16} {plain:.3f}   {ours:.3f}    {worth:.0f}")
                assert ours >= 0.90


def test_few_moments_are_flagged_and_many_are_not():
    for n, flagged in ((199, True), (200, False)):
        y, answers = persistent(n, 0.9, (0.1, 0.2), np.random.default_rng(0))
        made = risk_interval(
            RiskSample(losses=Losses.of(Predictions.of(y, answers, time=np.arange(n))))
        )
        assert made.method == "serial"
        assert ("fewer than 200 moments" in made.flag) is flagged


@pytest.mark.slow
def test_coverage_where_one_of_two_lasting_classes_errs():
    """Print coverage below and from the number of moments on at which nothing is flagged.

    A short time may show one class alone, and with it none of the errors, or all.
    """
    print("\nstay  n     error by class   exact   serial   worth")
    for n in (50, 100, 150, 200, 300, 1000):
        plain, ours, worth = coverage(n, 0.95, (0.0, 0.6), 1000)
        print(f"0.95  {n:<5} (0.0, 0.6)       {plain:.3f}   {ours:.3f}    {worth:.0f}")
        assert n < FEW_MOMENTS or ours >= 0.92
