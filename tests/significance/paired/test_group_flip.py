"""The sign-flip test of groups: against all sign patterns, McNemar, and simulation."""

import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from referee.core.results import Target
from referee.errors import InputError
from referee.measures.formulas.paired_counts import PairedCounts
from referee.significance import mcnemar_exact
from referee.significance.paired.group_flip import group_flip, group_sums, smallest_group_p

sums_of_groups = st.lists(st.integers(-6, 6), min_size=1, max_size=11)


def by_all_patterns(sums):
    total = abs(sum(sums))
    patterns = itertools.product((1, -1), repeat=len(sums))
    far = [abs(sum(s * x for s, x in zip(p, sums, strict=True))) >= total - 1e-9 for p in patterns]
    return float(np.mean(far))


def spelt(sums):
    """Cases of -1 and 1 with these sums of groups, and one case of no difference in each."""
    d = np.concatenate([[0.0] + [float(np.sign(s))] * abs(s) for s in sums])
    return d, np.repeat(np.arange(len(sums)), [abs(s) + 1 for s in sums])


@given(sums_of_groups)
@settings(deadline=None)
def test_whole_sums_against_all_sign_patterns(sums):
    assert group_flip(*spelt(sums)).p_value == pytest.approx(by_all_patterns(sums), abs=1e-12)


@given(st.lists(st.integers(-20, 20).map(lambda s: s / 7), min_size=1, max_size=9))
@settings(max_examples=50, deadline=None)
def test_real_sums_against_all_sign_patterns(sums):
    made = group_flip(np.array(sums), np.arange(len(sums)))
    assert made.p_value == pytest.approx(by_all_patterns(sums), abs=1e-12)


@given(st.integers(0, 300), st.integers(0, 300))
@settings(max_examples=60, deadline=None)
def test_groups_of_one_case_are_mcnemar(b, c):
    d = np.array([-1.0] * b + [1.0] * c + [0.0] * 5)
    made = group_flip(d, np.arange(len(d)))
    assert made.p_value == pytest.approx(mcnemar_exact(PairedCounts(5, b, c, 0)).p_value, abs=1e-12)


def test_many_groups_against_durkalskis_chi_square():
    rng = np.random.default_rng(0)
    groups = np.repeat(np.arange(3000), rng.integers(1, 30, 3000))
    d = rng.choice([-1.0, 0, 1], p=[0.1, 0.795, 0.105], size=len(groups))
    sums = group_sums(d, groups)
    chi2 = sums.sum() ** 2 / np.sum(sums**2)
    assert group_flip(d, groups).p_value == pytest.approx(stats.chi2.sf(chi2, 1), abs=0.01)


def test_many_equal_groups_against_the_binomial():
    d = np.array([1.0] * 30_300 + [-1.0] * 29_700)
    made = group_flip(np.repeat(d, 2), np.repeat(np.arange(60_000), 2))
    theirs = stats.binomtest(30_300, 60_000).pvalue
    assert made.p_value == pytest.approx(theirs, rel=1e-9)


def test_far_tails_keep_their_digits():
    d = np.ones(400)
    assert group_flip(d, np.arange(400)).p_value == pytest.approx(2.0**-399, rel=1e-9)


def test_sampled_patterns_against_the_exact_law_and_their_seed():
    rng = np.random.default_rng(3)
    sums = rng.integers(-5, 7, 40)
    exact = group_flip(*spelt(sums)).p_value
    d, groups = spelt(sums)
    nudge = np.where(np.arange(len(d)) % 2 == 0, 1.0, 1.0 + 1e-7)  # no whole numbers any more
    made = group_flip(d * nudge, groups)
    assert made.p_value == pytest.approx(exact, abs=0.02)
    assert made == group_flip(d * nudge, groups, random_state=0)
    assert "9999 random sign patterns" in made.assumptions


@given(sums_of_groups, st.booleans())
@settings(deadline=None)
def test_swapping_the_models_negates_the_statistic_and_keeps_p(sums, real):
    d, groups = spelt(sums)
    d = d * 0.7 if real else d
    made, swapped = group_flip(d, groups), group_flip(-d, groups)
    assert made.statistic == -swapped.statistic
    assert made.p_value == pytest.approx(swapped.p_value, abs=1e-12)
    assert (made.test, made.n, made.target) == ("group-flip", len(d), Target.FIXED)
    assert made.alternative == "two-sided"


def test_names_and_order_of_groups_do_not_matter():
    d = np.array([1.0, 1, 0, -1, 1, 1])
    one = group_flip(d, np.array([0, 0, 1, 1, 2, 3]))
    other = group_flip(d[::-1], np.array(["z", "y", "b", "b", "x", "x"]))
    assert one.p_value == other.p_value


def test_one_group_tells_nothing():
    made = group_flip(np.ones(50), np.zeros(50))
    assert made.p_value == 1
    assert "one group only" in made.flag


def test_no_differing_group_tells_nothing():
    made = group_flip(np.array([1.0, -1.0, 0.0]), np.array([0, 0, 1]))
    assert (made.p_value, made.statistic) == (1.0, 0.0)
    assert "no group tells the models apart" in made.flag
    real = group_flip(np.array([0.1, 0.2, -0.3, 0.0]), np.array([0, 0, 0, 1]))
    assert "no group" in real.flag


def test_too_few_groups_are_said():
    made = group_flip(np.ones(50), np.repeat(np.arange(5), 10))
    assert made.p_value == pytest.approx(0.0625)
    assert "only 5 groups tell the models apart; p cannot fall below .062" in made.flag
    assert smallest_group_p(np.ones(50), np.repeat(np.arange(5), 10)) == 0.0625


def test_size_for_every_set_of_sums_by_enumeration():
    # Given the sizes of the sums, the p-value exceeds no level more often than it may.
    for sizes in itertools.combinations_with_replacement(range(1, 5), 7):
        totals = np.array(
            [
                abs(sum(s * x for s, x in zip(p, sizes, strict=True)))
                for p in itertools.product((1, -1), repeat=7)
            ]
        )
        p = {t: group_flip(*spelt(_signed(sizes, t))).p_value for t in np.unique(totals)}
        chances = np.array([p[t] for t in totals])
        for level in (0.05, 0.1):
            assert np.mean(chances <= level + 1e-12) <= level


def _signed(sizes, total):
    for p in itertools.product((1, -1), repeat=len(sizes)):
        if sum(s * x for s, x in zip(p, sizes, strict=True)) == total:
            return [s * x for s, x in zip(p, sizes, strict=True)]
    raise AssertionError(total)


def rejections(n_groups, size, correlation, rounds, seed=0):
    """How often each test rejects at .05 when equally good models disagree group by group."""
    rng = np.random.default_rng(seed)
    groups = np.repeat(np.arange(n_groups), size)
    flips = plain = 0
    for _ in range(rounds):
        a = 0.2 * (1 / correlation - 1) / 2
        rates = rng.dirichlet([a, a, 0.8 * (1 / correlation - 1)], size=n_groups)
        u = rng.random(len(groups))
        first, second = rates[groups, 0], rates[groups, :2].sum(axis=1)
        d = np.where(u < first, -1.0, np.where(u < second, 1.0, 0.0))
        flips += group_flip(d, groups).p_value <= 0.05
        b, c = int(np.sum(d < 0)), int(np.sum(d > 0))
        plain += mcnemar_exact(PairedCounts(len(d) - b - c, b, c, 0)).p_value <= 0.05
    return flips / rounds, plain / rounds


def test_size_with_correlated_cases_by_simulation_smoke():
    flips, plain = rejections(12, 15, 0.3, 400)
    assert flips <= 0.075  # .05 and two standard errors
    assert plain >= 0.15


@pytest.mark.slow
@pytest.mark.parametrize(("n_groups", "size"), [(8, 20), (20, 10), (100, 5)])
@pytest.mark.parametrize("correlation", [0.1, 0.5])
def test_size_with_correlated_cases_by_simulation(n_groups, size, correlation, capsys):
    flips, plain = rejections(n_groups, size, correlation, 4000)
    with capsys.disabled():
        print(f"\n{n_groups} x {size}, {correlation}: group-flip {flips:.3f}, McNemar {plain:.3f}")
    assert flips <= 0.06
    assert plain > 0.05


@pytest.mark.parametrize(
    ("d", "groups", "message"),
    [
        ([], [], "differences must be a list of at least one number, got shape"),
        ([1.0, 0.0], [1], "groups must name one group for each of the 2 cases, got 1"),
        ([1.0, np.nan], [1, 2], "differences must be finite, got nan at row 1; leave that case"),
    ],
)
def test_bad_input_is_named(d, groups, message):
    with pytest.raises(InputError, match=message):
        group_flip(np.array(d), np.array(groups))


def test_a_sampled_p_counts_the_observed_pattern_itself():
    # All of 60 groups favour one model: no random pattern comes near, and p is 1 / 10 000.
    sums = 0.1 + np.random.default_rng(0).random(60)
    assert group_flip(sums, np.arange(60)).p_value == 1 / 10_000
