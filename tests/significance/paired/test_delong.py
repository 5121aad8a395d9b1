"""DeLong's tests, against double loops over all pairs, Obuchowski's formulas and simulation."""

import math

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from scipy import stats

from referee.errors import InputError
from referee.significance import (
    paired_delong,
    paired_delong_contrast,
    unpaired_delong,
    unpaired_delong_contrast,
)

CASES = st.lists(
    st.tuples(st.booleans(), st.integers(-3, 3), st.integers(-3, 3)), min_size=2, max_size=40
)


def split(cases):
    positive = np.array([c[0] for c in cases])
    assume(positive.any() and not positive.all())
    return positive, *(np.array([c[i] for c in cases], float) for i in (1, 2))


def psi(positive, scores):
    x, y = scores[positive], scores[~positive]
    return np.array([[(a > b) + (a == b) / 2 for b in y] for a in x], float)


def paired_by_loops(positive, first, second):
    """Difference and variance, equations 3 to 9 of the paper: the covariance matrix by hand."""
    one, two = psi(positive, first), psi(positive, second)
    v10 = np.cov(one.mean(axis=1), two.mean(axis=1))
    v01 = np.cov(one.mean(axis=0), two.mean(axis=0))
    s = v10 / one.shape[0] + v01 / one.shape[1]
    return one.mean() - two.mean(), s[0, 0] + s[1, 1] - 2 * s[0, 1]


def binormal(rng, m, n, area, rho):
    positive = np.arange(m + n) < m
    a = rng.normal(size=m + n)
    b = rho * a + math.sqrt(1 - rho**2) * rng.normal(size=m + n)
    shift = math.sqrt(2) * stats.norm.ppf(area) * positive
    return positive, a + shift, b + shift


@settings(deadline=None, max_examples=60)
@given(CASES)
def test_paired_against_double_loops(cases):
    positive, first, second = split(cases)
    assume(min(positive.sum(), (~positive).sum()) > 1)
    difference, variance = paired_by_loops(positive, first, second)
    made = paired_delong_contrast(positive, first, second)
    assert made.value == pytest.approx(difference, abs=1e-12)
    if variance > 1e-12:
        assert made.se**2 == pytest.approx(variance, abs=1e-12)


@settings(deadline=None, max_examples=60)
@given(CASES, st.booleans())
def test_swapping_models_negates_the_difference_and_keeps_p(cases, grouped):
    positive, first, second = split(cases)
    groups = np.arange(len(positive)) // 3 if grouped else None
    one = paired_delong_contrast(positive, first, second, groups)
    other = paired_delong_contrast(positive, second, first, groups)
    assert other.value == pytest.approx(-one.value, abs=1e-14)
    assert other.evidence().p_value == pytest.approx(one.evidence().p_value, abs=1e-9)
    assert 0 <= one.evidence().p_value <= 1


@settings(deadline=None, max_examples=40)
@given(CASES)
def test_unpaired_swaps_and_is_never_nan(cases):
    positive, first, second = split(cases)
    one = unpaired_delong_contrast(positive, first, ~positive, second)
    other = unpaired_delong_contrast(~positive, second, positive, first)
    assert other.value == pytest.approx(-one.value, abs=1e-14)
    assert one.evidence().p_value == pytest.approx(other.evidence().p_value)
    assert not math.isnan(one.evidence().p_value)


def test_normal_law_is_the_papers_and_t_a_little_more_careful():
    positive, first, second = binormal(np.random.default_rng(2), 30, 40, 0.8, 0.3)
    difference, variance = paired_by_loops(positive, first, second)
    z = difference / math.sqrt(variance)
    assert paired_delong(positive, first, second, law="z").p_value == pytest.approx(
        2 * stats.norm.sf(abs(z))
    )
    made = paired_delong(positive, first, second)
    assert made.p_value == pytest.approx(2 * stats.t.sf(abs(z), 29))
    assert (made.test, made.df, made.n, made.flag) == ("delong-paired", 29, 70, "")


def test_normal_law_is_flagged_where_a_class_is_small():
    positive, first, second = binormal(np.random.default_rng(2), 10, 40, 0.8, 0.3)
    assert "too often" in paired_delong(positive, first, second, law="z").flag


def obuchowski(positive, first, second, groups):
    """Obuchowski (1997): variance of the difference from group sums, written out."""
    one, two = psi(positive, first), psi(positive, second)
    m, n = one.shape
    x, y = one.mean(1) - two.mean(1), one.mean(0) - two.mean(0)
    d = x.mean()
    gx, gy = groups[positive], groups[~positive]

    def total(values, owner, g):
        return sum(v - d for v, o in zip(values, owner, strict=True) if o == g)

    a, b, every = set(gx), set(gy), set(groups)
    s10 = len(a) / (len(a) - 1) * sum(total(x, gx, g) ** 2 for g in a) / m**2
    s01 = len(b) / (len(b) - 1) * sum(total(y, gy, g) ** 2 for g in b) / n**2
    cross = sum(total(x, gx, g) * total(y, gy, g) for g in every)
    return s10 + s01 + 2 * len(every) / (len(every) - 1) * cross / (m * n)


@pytest.mark.parametrize("seed", range(8))
def test_groups_against_obuchowski(seed):
    rng = np.random.default_rng(seed)
    group = np.sort(rng.integers(12, size=80))
    positive = rng.random(80) < 0.4
    shared = rng.normal(size=12)[group] * (seed % 3)
    first = rng.normal(size=80) + positive + shared
    second = rng.normal(size=80) + positive
    made = paired_delong_contrast(positive, first, second, group)
    expected = obuchowski(positive, first, second, group)
    assert made.se**2 == pytest.approx(expected, rel=1e-9)


def test_copies_tell_no_more_than_the_originals():
    positive, first, second = binormal(np.random.default_rng(0), 30, 30, 0.8, 0.0)
    four = [np.repeat(v, 4) for v in (positive, first, second)]
    copied = paired_delong_contrast(*four, np.repeat(np.arange(60), 4))
    original = paired_delong_contrast(positive, first, second)
    assert copied.se == pytest.approx(original.se, rel=1e-9)
    assert copied.df == original.df


def test_identical_scores_have_p_one():
    positive = np.arange(20) < 8
    scores = np.sin(np.arange(20.0))
    made = paired_delong(positive, scores, 3 * scores + 1)
    assert (made.p_value, made.statistic) == (1.0, 0.0)


def test_a_spread_that_cannot_be_seen_is_bounded_not_nothing():
    """Perfect against constant: every case is placed apart by one half, the variance is 0."""
    positive = np.arange(20) < 10
    made = paired_delong_contrast(positive, -np.arange(20.0), np.zeros(20))
    assert made.value == 0.5
    bound = 1 - (10 * 0.5 / 12) ** 2  # of each class, with a case for and a case against
    assert made.se == pytest.approx(math.sqrt(2 * bound / 12))
    assert "largest possible" in made.flag
    assert made.evidence().p_value > 0.05


def test_perfect_against_reversed_is_shown_with_ten_cases_each():
    positive, scores = np.arange(20) >= 10, np.arange(20.0)
    made = paired_delong(positive, scores, -scores)
    # Swapping the models' scores case by case gives 2 of 2^20 as far out.
    assert 2 / 2**20 < made.p_value < 0.005


@pytest.mark.parametrize(("m", "n"), [(1, 1), (1, 30), (30, 1)])
def test_one_case_in_a_class_shows_nothing_and_says_so(m, n):
    rng = np.random.default_rng(1)
    positive = np.arange(m + n) < m
    made = paired_delong(positive, rng.normal(size=m + n), rng.normal(size=m + n))
    assert made.p_value > 0.3
    assert "one case only" in made.flag
    apart = unpaired_delong(positive, rng.normal(size=m + n), ~positive, rng.normal(size=m + n))
    assert "one case only" in apart.flag


def test_one_group_in_a_class_says_so():
    positive, first, second = binormal(np.random.default_rng(0), 10, 30, 0.8, 0.0)
    group = np.where(positive, 0, np.arange(40))
    assert "one group only" in paired_delong(positive, first, second, group).flag


def test_what_is_refused():
    positive = np.arange(6) < 3
    with pytest.raises(InputError, match="same cases, got 6 and 5"):
        paired_delong(positive, np.arange(6.0), np.arange(5.0))
    with pytest.raises(InputError, match="law must be 't' or 'z', got 'x'"):
        paired_delong(positive, np.arange(6.0), np.arange(6.0), law="x")
    with pytest.raises(InputError, match="one entry a case, got 2 for 6"):
        paired_delong(positive, np.arange(6.0), np.arange(6.0), [1, 2])


def size(m, n, area, rho, rounds, seed=0):
    rng = np.random.default_rng(seed)
    rejected = np.zeros(2)
    for _ in range(rounds):
        data = binormal(rng, m, n, area, rho)
        rejected += [paired_delong(*data, law=law).p_value <= 0.05 for law in ("t", "z")]
    return rejected / rounds


def test_size_of_equal_models_by_simulation():
    t, z = size(5, 100, 0.7, 0.0, 400)
    assert t <= 0.07
    assert z > t


@pytest.mark.slow
@pytest.mark.parametrize(("m", "n"), [(5, 100), (10, 10), (10, 100), (20, 100)])
@pytest.mark.parametrize("area", [0.7, 0.9, 0.98])
@pytest.mark.parametrize("rho", [0.0, 0.5, 0.9])
def test_size_over_many_cells(m, n, area, rho, capsys):
    t, z = size(m, n, area, rho, 3000)
    with capsys.disabled():
        print(f"\n{m} + {n}, area {area}, correlation {rho}: t {t:.3f}, z {z:.3f}", end="")
    assert t <= 0.062


@pytest.mark.slow
@pytest.mark.parametrize(("m", "n"), [(5, 100), (10, 10), (10, 100), (50, 50)])
@pytest.mark.parametrize("area", [0.7, 0.9, 0.98])
def test_size_of_unpaired_over_many_cells(m, n, area, capsys):
    rng, positive, rejected = np.random.default_rng(0), np.arange(m + n) < m, 0
    apart = math.sqrt(2) * stats.norm.ppf(area) * positive
    for _ in range(2000):
        first, second = rng.normal(size=(2, m + n)) + apart
        rejected += unpaired_delong(positive, first, positive, second).p_value <= 0.05
    with capsys.disabled():
        print(f"\n{m} + {n} cases each, area {area}: {rejected / 2000:.3f}", end="")
    assert rejected / 2000 <= 0.085
