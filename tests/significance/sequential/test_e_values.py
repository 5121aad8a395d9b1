"""E-values: expectation at most 1 under the hypothesis by enumeration, and what they show."""

import itertools
import math

import numpy as np
import pytest

from referee.errors import InputError
from referee.intervals.sequential import betting
from referee.significance.sequential import (
    difference_e_process,
    non_inferiority_e_process,
    pair_e_process,
    pair_log_e,
)


@pytest.mark.parametrize("a", [0.5, 1, 3])
@pytest.mark.parametrize("m", [0, 1, 2, 9, 40])
def test_pair_e_values_have_expectation_one_by_enumeration(m: int, a: float) -> None:
    b = np.arange(m + 1)
    chances = np.array([math.comb(m, i) for i in b]) / 2.0**m
    for alternative in ("two-sided", "less", "greater"):
        e = np.exp(pair_log_e(b, m - b, a=a, alternative=alternative))  # type: ignore[arg-type]
        assert np.dot(chances, e) == pytest.approx(1)


@pytest.mark.parametrize("coin", [0.5, 0.6, 0.9])
def test_one_sided_pair_e_values_by_enumeration_inside_the_hypothesis(coin: float) -> None:
    m = 12
    b = np.arange(m + 1)
    chances = np.array([math.comb(m, i) for i in b]) * coin**b * (1 - coin) ** (m - b)
    e = np.exp(pair_log_e(b, m - b, alternative="less"))
    assert np.dot(chances, e) <= 1 + 1e-12


def test_pair_p_value_is_valid_at_all_times_by_recursion() -> None:
    alive, rejected = np.ones(1), 0.0
    for m in range(1, 2001):
        alive = np.convolve(alive, [0.5, 0.5])
        b = np.arange(m + 1)
        out = pair_log_e(b, m - b) >= math.log(5)
        rejected += alive[out].sum()
        alive[out] = 0
    assert 0.05 < rejected <= 0.2


@pytest.mark.parametrize("alternative", ["two-sided", "less", "greater"])
@pytest.mark.parametrize("shares", [(0.2, 0.6, 0.2), (0.3, 0.1, 0.6), (0.1, 0.9, 0)])
def test_difference_e_values_by_enumeration(shares: tuple[float, ...], alternative: str) -> None:
    values, n = (-1.0, 0.0, 1.0), 7
    truth = float(np.dot(values, shares))
    expectation = np.zeros(n)
    for sequence in itertools.product(range(3), repeat=n):
        chance = math.prod(shares[i] for i in sequence)
        if chance:
            process = difference_e_process(
                [values[i] for i in sequence],
                margin=truth,
                alternative=alternative,  # type: ignore[arg-type]
            )
            expectation += chance * np.exp(process.log_e)
    # Bets on both sides of the true mean are fair games.
    assert expectation == pytest.approx(np.ones(n))


def test_difference_rejects_where_the_sequence_excludes() -> None:
    rng = np.random.default_rng(3)
    differences = rng.choice([-1, 0, 1], 800, p=[0.1, 0.6, 0.3])
    process = difference_e_process(differences)
    sequence = betting(differences, bounds=(-1, 1), times=np.arange(1, 801))
    excluded = sequence.first_above(0)
    assert excluded is not None
    first = process.first_rejection()
    assert first is not None
    assert first <= excluded


def test_non_inferiority_at_the_margin_by_simulation() -> None:
    rng = np.random.default_rng(5)
    rejected = 0
    for _ in range(300):
        second = rng.random(400) < 0.1
        first = np.where(rng.random(400) < 0.05 / 0.9, True, second)  # .05 worse
        rejected += non_inferiority_e_process(first, second, 0.05, level=0.8).p_value <= 0.2
    assert rejected / 300 <= 0.2


@pytest.mark.slow
def test_non_inferiority_at_the_margin_over_many_cases() -> None:
    rng = np.random.default_rng(6)
    rejected = 0
    for _ in range(2000):
        second = rng.random(2000) < 0.1
        first = np.where(rng.random(2000) < 0.05 / 0.9, True, second)
        rejected += non_inferiority_e_process(first, second, 0.05).p_value <= 0.05
    assert rejected / 2000 <= 0.05


def test_models_that_never_disagree_show_nothing() -> None:
    same = np.array([True, False] * 20)
    process = pair_e_process(same, same)
    assert process.p_value == 1
    assert process.e_value == 1
    assert process.first_rejection() is None


def test_many_disagreements_do_not_overflow() -> None:
    process = pair_e_process(np.ones(5000), np.zeros(5000))
    assert process.e_value == math.inf
    assert process.p_value == pytest.approx(0, abs=1e-300)
    assert math.isfinite(process.evidence.statistic)
    assert process.frame()["p_value"].is_monotonic_decreasing


def test_swapping_the_models_swaps_the_sides() -> None:
    rng = np.random.default_rng(0)
    one, two = rng.random((2, 300)) < [[0.1], [0.2]]
    less = pair_e_process(one, two, alternative="less")
    greater = pair_e_process(two, one, alternative="greater")
    assert less.log_e == pytest.approx(greater.log_e)
    both = pair_e_process(one, two)
    other = pair_e_process(one, two, alternative="greater")
    assert both.log_e == pytest.approx(np.logaddexp(less.log_e, other.log_e) - math.log(2))


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: pair_e_process([1, 0], [1]), "same cases, got 2 and 1"),
        (lambda: pair_e_process([], []), "at least one case"),
        (lambda: pair_e_process([2], [0]), "True and False"),
        (lambda: pair_e_process([1], [0], alternative="more"), "'less' or 'greater'"),  # type: ignore[arg-type]
        (lambda: difference_e_process([0.1], margin=1), "margin must lie strictly between"),
        (lambda: difference_e_process([3.0]), "differences must lie between -1 and 1"),
        (lambda: non_inferiority_e_process([1], [0], -0.1), "margin must lie between 0 and 1"),
        (lambda: non_inferiority_e_process([2], [0], 0.1), "first must lie between 0 and 1"),
    ],
)
def test_bad_input(make, message: str) -> None:  # type: ignore[no-untyped-def]
    with pytest.raises(InputError, match=message):
        make()
