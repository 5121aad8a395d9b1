"""risk: the mean of any loss, against scipy's bootstrap."""

import numpy as np
import pytest
from scipy import stats

import referee
from referee import InputError

RNG = np.random.default_rng(0)
TRUTH, ANSWERS = RNG.integers(10, size=200), RNG.integers(10, size=200)


def distance(truth, answers):
    return abs(truth - answers)


def test_interval_against_scipy():
    ours = referee.risk(TRUTH, ANSWERS, distance)
    losses = abs(TRUTH - ANSWERS)
    theirs = stats.bootstrap((losses,), np.mean, method="BCa", n_resamples=9999, rng=1)
    assert ours.value == pytest.approx(losses.mean())
    low, high = theirs.confidence_interval
    assert (ours.interval.low, ours.interval.high) == pytest.approx((low, high), abs=0.05)


def test_names_and_weights():
    weight = RNG.random(200)
    made = referee.risk(TRUTH, ANSWERS, sample_weight=weight)
    assert made.value == pytest.approx(np.average(TRUTH != ANSWERS, weights=weight))
    squared = referee.risk(TRUTH, ANSWERS, "quadratic")
    assert squared.value == pytest.approx(np.mean((TRUTH - ANSWERS) ** 2))


def test_groups_widen_the_interval_of_copies():
    alone = referee.risk(TRUTH, ANSWERS, distance)
    copied = [np.repeat(v, 5) for v in (TRUTH, ANSWERS, np.arange(200))]
    grouped = referee.risk(copied[0], copied[1], distance, groups=copied[2])
    assert grouped.interval.width == pytest.approx(alone.interval.width, rel=0.1)


def test_no_variation_gives_no_interval():
    made = referee.risk([1, 2, 3], [1, 2, 3], distance)
    assert made.value == 0
    assert made.interval is None
    assert "no variation" in made.reason


@pytest.mark.parametrize(
    ("loss", "says"),
    [
        (lambda t, a: 1.0, "one number for each of 200 cases"),
        (lambda t, a: np.full(200, np.nan), "must be finite, got nan in row 0"),
        ("hinge", "loss 'hinge' is unknown"),
    ],
)
def test_useless_losses_are_refused(loss, says):
    with pytest.raises(InputError, match=says):
        referee.risk(TRUTH, ANSWERS, loss)
    with pytest.raises(InputError, match="y_pred has 3"):
        referee.risk(TRUTH, [1, 2, 3], distance)
