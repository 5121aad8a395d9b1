"""The halves-calibrated t, against its formula written out in plain loops."""

import math
import statistics

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from referee.core.results import Target
from referee.errors import InputError
from referee.significance.learners.calibrated_t import calibrated_contrast, calibrated_t, inflation


def drawn(seed, repetitions=4, n=24, halvings=3, shift=0.0):
    """Return differences in -1, 0, 1 and halves of them."""
    rng = np.random.default_rng(seed)
    main = rng.choice([-1.0, 0.0, 1.0], size=(repetitions, n), p=[0.2 - shift, 0.6, 0.2 + shift])
    halves = []
    for _ in range(halvings):
        order = rng.permutation(n)
        inside = rng.choice([-1.0, 0.0, 1.0], size=n)
        halves.append((inside[order[: n // 2]], inside[order[n // 2 :]]))
    return main, halves


def written_out(main, halves):
    R, n, M = len(main), len(main[0]), len(halves)
    D_r = [statistics.mean(row) for row in main]
    V1 = statistics.mean(statistics.variance(row) / n for row in main)
    S2 = statistics.variance(D_r)
    h = [statistics.mean(row[i] for row in main) for i in range(n)]
    V_case = statistics.variance(h) / n
    gaps = sum((statistics.mean(a) - statistics.mean(b)) ** 2 for a, b in halves)
    v = sum(statistics.variance(x) / len(x) for pair in halves for x in pair)
    phi = gaps / v if v else 1.0
    SE2 = max(V_case, phi * V1 - (1 - 1 / R) * S2)
    return statistics.mean(D_r), math.sqrt(SE2), 1 / (1 / M + 1 / (n - 1))


@pytest.mark.parametrize("seed", range(8))
def test_against_the_formula_written_out(seed):
    main, halves = drawn(seed, shift=0.1)
    made = calibrated_contrast(main, halves)
    value, se, df = written_out(main.tolist(), [(a.tolist(), b.tolist()) for a, b in halves])
    assert (made.value, made.se, made.df) == pytest.approx((value, se, df))
    evidence = calibrated_t(main, halves)
    assert evidence == made.evidence()
    assert evidence.p_value == pytest.approx(2 * stats.t.sf(abs(value / se), df))
    assert (evidence.test, evidence.target, evidence.n) == ("calibrated-t", Target.EXPECTED, 24)


def test_both_arms_of_the_maximum_are_reached():
    main, _ = drawn(0)
    quiet = [(np.tile([1.0, -1.0], 6), np.tile([1.0, -1.0], 6))]
    assert inflation(quiet) == 0
    per_case = main.mean(axis=0)
    assert calibrated_contrast(main, quiet).se == pytest.approx(stats.sem(per_case))
    loud = [(np.append(np.ones(11), 0.0), np.append(-np.ones(11), 0.0))]
    between = np.var(main.mean(axis=1), ddof=1)
    of_one = np.mean(np.var(main, axis=1, ddof=1)) / 24
    expected = inflation(loud) * of_one - 0.75 * between
    assert calibrated_contrast(main, loud).se ** 2 == pytest.approx(expected)
    assert expected > stats.sem(per_case) ** 2


@settings(max_examples=40, deadline=None)
@given(seed=st.integers(0, 10_000), groups=st.booleans())
def test_swapping_the_models_negates(seed, groups):
    main, halves = drawn(seed)
    more = {}
    if groups:
        half = np.arange(12) // 3
        more = {"groups": np.arange(24) // 3, "half_groups": [(half, half + 4)] * len(halves)}
    made = calibrated_t(main, halves, **more)
    swapped = calibrated_t(-main, [(-a, -b) for a, b in halves], **more)
    assert swapped.statistic == -made.statistic
    assert swapped.p_value == made.p_value


@settings(max_examples=40, deadline=None)
@given(seed=st.integers(0, 10_000))
def test_the_order_of_cases_halves_and_repetitions_is_of_no_consequence(seed):
    main, halves = drawn(seed)
    rng = np.random.default_rng(seed)
    shuffled = main[rng.permutation(len(main))][:, rng.permutation(main.shape[1])]
    turned = [(b, a) for a, b in halves[::-1]]
    made, other = calibrated_contrast(main, halves), calibrated_contrast(shuffled, turned)
    assert (other.value, other.se, other.df) == pytest.approx((made.value, made.se, made.df))


def test_groups_of_one_case_are_no_groups():
    main, halves = drawn(3)
    alone = [(np.arange(12), np.arange(12, 24))] * len(halves)
    made = calibrated_contrast(main, halves, groups=np.arange(24), half_groups=alone)
    plain = calibrated_contrast(main, halves)
    assert (made.value, made.se, made.df) == pytest.approx((plain.value, plain.se, plain.df))


def test_copied_cases_count_once_as_groups():
    # Every case five times over, copies in one group: the standard error must not shrink.
    main, halves = drawn(4)
    copied = np.repeat(main, 5, axis=1)
    halves5 = [(np.repeat(a, 5), np.repeat(b, 5)) for a, b in halves]
    unit = np.repeat(np.arange(12), 5)
    made = calibrated_contrast(
        copied, halves5, groups=np.repeat(np.arange(24), 5), half_groups=[(unit, unit)] * 3
    )
    plain = calibrated_contrast(main, halves)
    assert (made.se, made.df) == pytest.approx((plain.se, plain.df))
    assert "groups are independent" in made.assumptions[0]
    assert "groups" in made.flag


def test_where_nothing_varied():
    nothing = np.zeros((10, 20))
    made = calibrated_t(nothing, [(np.zeros(10), np.zeros(10))])
    assert (made.statistic, made.p_value, made.flag) == (0, 1, "")
    assert inflation([(np.zeros(5), np.zeros(5)), (np.zeros(5), np.zeros(5))]) == 1
    always = calibrated_t(nothing + 1, [(np.ones(10), np.ones(10))])
    assert always.p_value == 0
    assert "same difference" in always.flag


def test_no_halving_varied_though_cases_did():
    main, _ = drawn(5)
    made = calibrated_contrast(main, [(np.zeros(12), np.zeros(12))])
    between = np.var(main.mean(axis=1), ddof=1)
    of_one = np.mean(np.var(main, axis=1, ddof=1)) / 24
    least = stats.sem(main.mean(axis=0)) ** 2
    assert made.se**2 == pytest.approx(max(least, of_one - 0.75 * between))


def test_one_repetition():
    main, halves = drawn(6, repetitions=1)
    made = calibrated_contrast(main, halves)
    once = np.var(main[0], ddof=1) / 24
    assert made.se**2 == pytest.approx(max(1, inflation(halves)) * once)


def test_says_what_it_does_not_promise():
    main, halves = drawn(7)
    text = " ".join(calibrated_t(main, halves).assumptions)
    assert "not guaranteed" in text
    assert "no unbiased estimate" in text


MAIN, HALVES = drawn(0)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: calibrated_t(MAIN, []), "at least 1 halving, got 0"),
        (lambda: calibrated_t(MAIN[0], HALVES), r"shape \(repetitions, cases\), got \(24,\)"),
        (lambda: calibrated_t(MAIN[:, :1], HALVES), "main must have at least 2 cases, got 1"),
        (lambda: calibrated_t(MAIN, [(MAIN[0], MAIN[0, :1])]), "each half must have at least 2"),
        (lambda: calibrated_t(MAIN + np.nan, HALVES), "main must hold finite differences"),
        (lambda: calibrated_t(MAIN, HALVES, groups=np.arange(24)), "go together"),
        (
            lambda: calibrated_t(MAIN, HALVES, groups=np.arange(23), half_groups=[]),
            "main has 24 cases and 23 groups",
        ),
        (
            lambda: calibrated_t(MAIN, HALVES, groups=np.arange(24), half_groups=[]),
            "3 halvings need as many pairs of groups, got 0",
        ),
    ],
)
def test_bad_arguments(call, message):
    with pytest.raises(InputError, match=message):
        call()
