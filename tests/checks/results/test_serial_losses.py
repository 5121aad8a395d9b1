"""R017: errors that come in stretches of time, and none where they do not."""

import numpy as np
import pytest

import referee
from referee.intervals.one_set.dependent.serial_n import slow_movement


def test_a_stretch_of_errors_is_told_with_what_the_cases_are_worth():
    y = np.arange(300) % 2
    answers = y.copy()
    answers[100:160] ^= np.random.default_rng(0).integers(0, 2, 60)
    e = referee.evaluate_predictions(y, answers, time=np.arange(300))
    finding = next(f for f in e.findings if f.code == "R017")
    assert f"count as {e.error.interval.n_effective:.0f} independent ones" in finding.message
    assert e.error.interval.method == "serial"
    assert e.error.interval.n_effective < 100


def test_independent_errors_are_found_as_rarely_as_the_threshold_says():
    chances = []
    for seed in range(3000):
        losses = (np.random.default_rng([7, seed]).random(200) < 0.2).astype(float)
        chances.append(slow_movement(losses, np.arange(200)).chance)
    assert np.mean(np.array(chances) < 1e-3) < 0.003
    assert np.mean(np.array(chances) < 0.05) < 0.06
    rng = np.random.default_rng(7)
    y = rng.integers(0, 2, 200)
    e = referee.evaluate_predictions(y, y ^ (rng.random(200) < 0.2), time=np.arange(200))
    assert "R017" not in {f.code for f in e.findings}


def test_order_of_the_rows_does_not_matter():
    rng = np.random.default_rng(1)
    y, when = rng.integers(0, 2, 200), rng.permutation(200)
    answers = np.where(when < 40, 1 - y, y)
    order = np.argsort(when)
    one = referee.evaluate_predictions(y, answers, time=when)
    two = referee.evaluate_predictions(y[order], answers[order], time=when[order])
    # Sums in another order may differ in the last bit.
    ends = [(e.error.interval.low, e.error.interval.high) for e in (one, two)]
    assert ends[0] == pytest.approx(ends[1], rel=1e-12)
    assert "R017" in {f.code for f in one.findings}
