"""The beta-binomial sequence: ends by numerical integration, error over all times by recursion."""

import math

import numpy as np
import pytest

from referee.errors import InputError
from referee.intervals.sequential import beta_binomial, beta_binomial_at, log_mixture

NODES, WEIGHTS = np.polynomial.legendre.leggauss(600)


def log_ratio(x: float, n: float, p: float, a: float, b: float, side: str) -> float:
    """The mixture's likelihood ratio, by quadrature over the rates q = sin²(angle) it mixes."""
    left, right = {"both": (0, 1), "upper": (0, p), "lower": (p, 1)}[side]
    ends = np.arcsin(np.sqrt([left, right]))
    angles = ends[0] + (NODES + 1) / 2 * (ends[1] - ends[0])
    sine, cosine = np.sin(angles), np.cos(angles)
    prior = WEIGHTS * sine ** (2 * a - 1) * cosine ** (2 * b - 1)
    log = 2 * x * np.log(sine) + 2 * (n - x) * np.log(cosine)
    mixed = np.log(np.dot(prior, np.exp(log - log.max())) / prior.sum()) + log.max()
    return float(mixed - x * math.log(p) - (n - x) * math.log1p(-p))


@pytest.mark.parametrize("side", ["both", "upper", "lower"])
@pytest.mark.parametrize(("x", "n"), [(0, 5), (1, 30), (13, 30), (30, 30), (2.5, 40), (7, 200)])
@pytest.mark.parametrize(("a", "b"), [(0.5, 0.5), (1, 1), (2, 7)])
def test_ends_against_numerical_inversion(
    x: float, n: float, a: float, b: float, side: str
) -> None:
    interval = beta_binomial_at(x, n, 0.9, a=a, b=b, side=side)  # type: ignore[arg-type]
    grid = np.linspace(0, 1, 401)[1:-1]
    inside = np.array([log_ratio(x, n, p, a, b, side) < math.log(10) for p in grid])
    share = x / n
    # A one-sided mixture says nothing about the other side of the estimate.
    asked = {"both": grid >= 0, "upper": grid >= share, "lower": grid <= share}[side]
    claimed = (grid >= interval.low) & (grid <= interval.high)
    assert (inside == claimed)[asked].all()
    for end in (interval.low, interval.high):
        if 0 < end < 1:
            assert log_ratio(x, n, end, a, b, side) == pytest.approx(math.log(10), abs=1e-6)
    assert (interval.low == 0) == (x == 0 or side == "upper")
    assert (interval.high == 1) == (x == n or side == "lower")


def ever_missed(truth: float, cases: int, level: float, side: str) -> float:
    """The probability that a sequence ever excludes the truth, by recursion over (n, x)."""
    alive = np.ones(1)
    missed = 0.0
    for n in range(1, cases + 1):
        alive = np.convolve(alive, [1 - truth, truth])
        x = np.arange(n + 1)
        out = log_mixture(x, n, truth, side=side) >= -math.log(1 - level)  # type: ignore[arg-type]
        missed += alive[out].sum()
        alive[out] = 0
    return missed


@pytest.mark.parametrize("side", ["both", "upper", "lower"])
@pytest.mark.parametrize("truth", [0.01, 0.1, 0.5])
def test_error_over_all_stopping_times_by_recursion(truth: float, side: str) -> None:
    assert ever_missed(truth, 500, 0.8, side) <= 0.2


def test_the_error_is_used_up_where_the_mixture_is_right() -> None:
    """The bound is not empty: a fair share of alpha is spent."""
    assert ever_missed(0.1, 1000, 0.8, "both") > 0.07


@pytest.mark.slow
@pytest.mark.parametrize("side", ["both", "upper", "lower"])
@pytest.mark.parametrize("truth", [0.001, 0.01, 0.1, 0.5, 0.9])
def test_error_over_three_thousand_cases_by_recursion(truth: float, side: str) -> None:
    assert ever_missed(truth, 3000, 0.95, side) <= 0.05


@pytest.mark.parametrize(("truth", "side"), [(0.3, "both"), (0.3, "upper")])
def test_scores_that_are_not_whole_by_simulation(truth: float, side: str) -> None:
    rng = np.random.default_rng(7)
    scores = rng.beta(2 * truth, 2 * (1 - truth), (300, 200))
    missed = sum(
        bool(s.low[-1] > truth or s.high[-1] < truth or s.flag)
        for s in (beta_binomial(row, 0.8, side=side) for row in scores)  # type: ignore[arg-type]
    )
    assert missed / 300 <= 0.2


def test_path_against_single_times() -> None:
    rng = np.random.default_rng(0)
    wrong = rng.random(200) < 0.2
    path = beta_binomial(wrong, running=False)
    for n in (1, 2, 17, 200):
        one = beta_binomial_at(int(wrong[:n].sum()), n)
        assert (path.low[n - 1], path.high[n - 1]) == pytest.approx((one.low, one.high))
    running = beta_binomial(wrong)
    assert running.low == pytest.approx(np.maximum.accumulate(path.low))
    assert running.high == pytest.approx(np.minimum.accumulate(path.high))


def test_one_sided_is_narrower_on_its_side() -> None:
    both, upper = (beta_binomial_at(3, 500, side=side) for side in ("both", "upper"))
    assert upper.high < both.high
    assert upper.low == 0


def test_never_without_the_estimate() -> None:
    for x, n in [(0, 1), (1, 1), (0.5, 1), (1, 10**6), (10**6, 10**6), (5 * 10**5, 10**6)]:
        for level in (0.01, 0.5, 0.999999):
            i = beta_binomial_at(x, n, level)
            assert i.low <= x / n <= i.high


def test_tiny_rates_keep_their_digits() -> None:
    i = beta_binomial_at(1, 10**5)
    assert log_mixture(1, 10**5, i.low) == pytest.approx(math.log(20), abs=1e-9)


def test_drifting_cases_are_flagged() -> None:
    wrong = np.concatenate([np.zeros(2000), np.ones(2000)])
    sequence = beta_binomial(wrong)
    assert "drift" in sequence.flag
    assert sequence.low[-1] <= sequence.high[-1]


def test_a_mean_outside_of_what_earlier_cases_allowed_is_flagged() -> None:
    late = np.concatenate([np.zeros(190), np.ones(10)])
    sequence = beta_binomial(late)
    assert not sequence.flag
    assert sequence.interval.high < sequence.mean[-1]
    assert "outside the interval" in sequence.interval.flag
    assert not beta_binomial(late, running=False).interval.flag


def test_bounds_are_a_change_of_scale() -> None:
    one, two = beta_binomial([0, 1, 1]), beta_binomial([-1, 3, 3], bounds=(-1, 3))
    assert two.high == pytest.approx(4 * one.high - 1)
    assert two.mean == pytest.approx(4 * one.mean - 1)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"scores": []}, "at least one number"),
        ({"scores": [0, 2]}, "got 2.0 at position 1"),
        ({"scores": [0, float("nan")]}, "got nan at position 1"),
        ({"scores": [0, 1], "level": 95}, "for 95 % write 0.95"),
        ({"scores": [0, 1], "a": 0}, "a and b must be positive"),
        ({"scores": [0, 1], "side": "left"}, "'both', 'upper' or 'lower'"),
        ({"scores": [0, 1], "bounds": (1, 0)}, "low < high"),
    ],
)
def test_bad_input(arguments, message: str) -> None:  # type: ignore[no-untyped-def]
    with pytest.raises(InputError, match=message):
        beta_binomial(**arguments)
    with pytest.raises(InputError, match="errors must lie between 0 and n"):
        beta_binomial_at(3, 2)
