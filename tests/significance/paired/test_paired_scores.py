"""The paired t test of scores, against scipy, Bonett and Price's counts and McNemar's test."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import optimize, stats

from referee.core.scores.scores import ItemScores
from referee.intervals.difference.paired import bonett_price
from referee.measures.formulas.paired_counts import PairedCounts
from referee.significance.paired.mcnemar_exact import mcnemar_exact
from referee.significance.paired.paired_scores import LEANING, paired_scores


def differences(values, **options):
    values = np.asarray(values, dtype=float)
    return ItemScores(values=values, low=-1.0, high=1.0, **options)


def test_scores_that_always_differ_against_scipy_s_t_test():
    values = np.random.default_rng(0).normal(0.1, 0.2, 25)
    made = paired_scores(differences(values))
    theirs = stats.ttest_1samp(values, 0)
    assert made.contrast.evidence().p_value == pytest.approx(theirs.pvalue, rel=1e-9)
    low, high = theirs.confidence_interval(0.9)
    i = made.interval(0.9)
    assert (i.low, i.high) == pytest.approx((low, high), rel=1e-9)


def test_equal_clusters_against_a_t_test_of_their_means():
    rng = np.random.default_rng(1)
    table = rng.normal(0.1, 0.2, (12, 6)) + rng.normal(0, 0.1, (12, 1))
    made = paired_scores(differences(table.ravel(), cluster=np.repeat(np.arange(12), 6)))
    theirs = stats.ttest_1samp(table.mean(axis=1), 0)
    upright = replace(made.contrast, lean=0.0)
    assert upright.evidence().p_value == pytest.approx(theirs.pvalue, rel=1e-8)
    assert made.contrast.evidence().p_value > theirs.pvalue
    skewness = stats.skew(table.mean(axis=1), bias=False) / np.sqrt(12)
    assert made.contrast.lean == pytest.approx(LEANING * skewness / 6, rel=1e-9)


def leaning(odd):
    """Ten clusters of four items; in `odd` of them the first model is right alone."""
    values = np.zeros(40)
    values[: 4 * odd] = 1.0
    return differences(values, cluster=np.repeat(np.arange(10), 4))


def test_ends_that_lean_against_willink_s_statistic_and_its_limit():
    made = paired_scores(leaning(3))
    c, i = made.contrast, made.contrast.interval()
    t = stats.t.ppf(0.975, c.df)
    assert c.lean > 0
    assert (c.value - i.low) / c.se == pytest.approx(
        t, rel=1e-9
    )  # as Student's, away from the tail

    def willink(mu):
        x, a = (c.value - mu) / c.se, c.lean
        return x + a + 2 * a * x**2 + 4 * a**2 * x**3 / 3 + t

    end = optimize.brentq(willink, c.value, c.value + 50 * c.se)
    assert t < (end - c.value) / c.se < 2 * t
    assert i.high == pytest.approx(end, rel=1e-6)
    one = paired_scores(leaning(1)).contrast
    farthest = (one.interval().high - one.value) / one.se
    assert farthest == pytest.approx(2 * stats.t.ppf(0.975, one.df), rel=1e-9)


@pytest.mark.parametrize("odd", [1, 2, 3, 5])
@pytest.mark.parametrize("level", [0.8, 0.95])
def test_test_and_interval_that_lean_agree(odd, level):
    for c in (paired_scores(leaning(odd)).contrast, paired_scores(leaning(odd)).contrast.swapped):
        i = c.interval(level)
        for end in (i.low, i.high):
            assert c.evidence(end).p_value == pytest.approx(1 - level, rel=1e-6)
        assert c.evidence(i.high, "less").p_value == pytest.approx((1 - level) / 2, rel=1e-6)
        assert c.evidence(i.low, "greater").p_value == pytest.approx((1 - level) / 2, rel=1e-6)


def test_items_with_one_score_do_not_lean():
    values = np.repeat([1.0, 0.25, 0.0], [2, 3, 15])
    assert paired_scores(differences(values)).contrast.lean == 0
    assert paired_scores(differences(values, single=False)).contrast.lean > 0


def counts(b, c, n):
    return differences(np.repeat([1.0, -1.0, 0.0], [b, c, n - b - c]))


@pytest.mark.parametrize(("b", "c", "n"), [(12, 3, 400), (5, 5, 300), (1, 0, 200), (0, 0, 100)])
def test_rare_differences_against_bonett_and_price(b, c, n):
    # With few differences the item added either way counts nearly fully, as theirs does.
    ours = paired_scores(counts(b, c, n)).interval()
    theirs = bonett_price(PairedCounts(n - b - c, c, b, 0))
    assert (ours.low, ours.high) == pytest.approx((theirs.low, theirs.high), abs=0.002)


@pytest.mark.parametrize(("b", "c"), [(6, 0), (5, 0), (9, 1), (12, 3), (8, 2), (3, 3)])
def test_rare_differences_decide_as_mcnemar_s_exact_test(b, c):
    ours = paired_scores(counts(b, c, 1000)).contrast.evidence().p_value
    exact = mcnemar_exact(PairedCounts(1000 - b - c, b, c, 0)).p_value
    assert (ours <= 0.05) == (exact <= 0.05)


def test_models_that_never_differ():
    made = paired_scores(counts(0, 0, 50))
    assert made.value == 0
    assert made.contrast.evidence().p_value == 1
    i = made.interval()
    assert i.low == -i.high < 0
    unknown = paired_scores(ItemScores(values=np.zeros(20)))
    assert unknown.blind


def test_differences_that_are_all_the_same_still_leave_doubt():
    sure = paired_scores(differences(np.full(40, 0.5)))
    assert sure.contrast.evidence().p_value < 1e-10
    few = paired_scores(differences(np.full(4, 0.5)))
    assert few.contrast.evidence().p_value > 0.05
    assert few.interval().low < 0.5


@given(
    st.lists(st.sampled_from([-1.0, -0.5, 0.0, 0.25, 1.0]), min_size=3, max_size=20),
    st.booleans(),
)
@settings(max_examples=60, deadline=None)
def test_swapping_the_models_mirrors_everything(values, grouped):
    code = np.arange(len(values)) // 2 if grouped else None
    one = paired_scores(differences(values, cluster=code))
    two = paired_scores(differences(-np.array(values), cluster=code))
    assert two.contrast.evidence().p_value == pytest.approx(one.contrast.evidence().p_value)
    i, j = one.interval(), two.interval()
    assert (-j.high, -j.low) == pytest.approx((i.low, i.high))
    assert i.low <= one.value <= i.high


def test_clusters_that_move_together_count_once():
    rng = np.random.default_rng(2)
    code = np.repeat(np.arange(10), 20)
    values = np.clip(rng.normal(0.1, 0.3, 10)[code] + rng.normal(0, 0.05, 200), -1, 1)
    apart = paired_scores(differences(values)).contrast
    together = paired_scores(differences(values, cluster=code)).contrast
    assert together.se > 3 * apart.se
    assert together.df == pytest.approx(9)


@pytest.mark.parametrize("share", [0.02, 0.1, 0.5])
def test_size_under_equal_models_by_simulation(share):
    rng = np.random.default_rng(3)
    rejected = 0
    for _ in range(600):
        values = np.where(rng.random(80) < share, rng.choice([-1, -0.5, 0.5, 1], 80), 0.0)
        rejected += paired_scores(differences(values)).contrast.evidence().p_value <= 0.05
    assert rejected / 600 <= 0.07
