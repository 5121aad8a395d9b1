"""DeLong's variance and intervals, against double loops over all pairs of cases."""

import math

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from scipy import stats

from referee.errors import InputError
from referee.intervals.area.delong import delong, logit_delong, quantile
from referee.intervals.area.placements import placements, with_groups

CASES = st.lists(st.tuples(st.booleans(), st.integers(-3, 3)), min_size=2, max_size=40)


def split(cases):
    positive = np.array([p for p, _ in cases])
    assume(positive.any() and not positive.all())
    return positive, np.array([s for _, s in cases], float)


def pairs(positive, scores):
    """psi of every positive (rows) with every negative (columns)."""
    x, y = scores[positive], scores[~positive]
    return np.array([[(a > b) + (a == b) / 2 for b in y] for a in x], float)


def sen(psi):
    """DeLong's variance, equations 3 to 6 of the paper, by the double loop."""
    m, n = psi.shape
    theta = psi.mean()
    s10 = sum((row.mean() - theta) ** 2 for row in psi) / (m - 1)
    s01 = sum((column.mean() - theta) ** 2 for column in psi.T) / (n - 1)
    return s10 / m + s01 / n


@settings(deadline=None, max_examples=40)
@given(CASES)
def test_placements_against_all_pairs(cases):
    positive, scores = split(cases)
    psi = pairs(positive, scores)
    made = placements(positive, scores)
    np.testing.assert_allclose(made.of_positives, psi.mean(axis=1), atol=1e-14)
    np.testing.assert_allclose(made.of_negatives, psi.mean(axis=0), atol=1e-14)
    assert made.auc == pytest.approx(psi.mean(), abs=1e-14)
    if min(psi.shape) < 2:
        assert math.isnan(made.variance)
    else:
        assert made.variance == pytest.approx(sen(psi), abs=1e-14)


def test_variance_against_the_jackknife_of_large_samples():
    rng = np.random.default_rng(0)
    positive = np.arange(400) < 150
    scores = rng.normal(size=400) + positive
    psi = pairs(positive, scores)
    # Arvesen's two-sample jackknife: leave out a row, leave out a column.
    rows = (psi.sum() - psi.sum(axis=1)) / (149 * 250)
    columns = (psi.sum() - psi.sum(axis=0)) / (150 * 249)
    jackknife = 149 / 150 * np.sum((rows - rows.mean()) ** 2)
    jackknife += 249 / 250 * np.sum((columns - columns.mean()) ** 2)
    assert placements(positive, scores).variance == pytest.approx(jackknife, rel=1e-10)


@pytest.mark.parametrize("level", [0.8, 0.95, 0.99])
def test_intervals_against_their_formulas(level):
    rng = np.random.default_rng(1)
    positive = np.arange(60) < 25
    scores = (rng.normal(size=60) + positive).round(1)
    psi = pairs(positive, scores)
    z, a, se = stats.norm.isf((1 - level) / 2), psi.mean(), math.sqrt(sen(psi))
    p = placements(positive, scores)
    plain, logit = delong(p, level), logit_delong(p, level)
    assert (plain.low, plain.high) == pytest.approx((a - z * se, a + z * se))
    odds = a / (1 - a) * np.exp(np.array([-1, 1]) * z * se / a / (1 - a))
    assert (logit.low, logit.high) == pytest.approx(tuple(odds / (1 + odds)))
    assert (plain.method, logit.method, plain.level) == ("delong", "logit-delong", level)
    assert "covers too seldom near 1" in plain.flag


@given(CASES, st.floats(0.5, 0.99))
def test_contract(cases, level):
    positive, scores = split(cases)
    p, other = placements(positive, scores), placements(positive, -scores)
    for form in (delong, logit_delong):
        made, mirrored = form(p, level), form(other, level)
        assert 0 <= made.low <= p.auc + 1e-12
        assert p.auc - 1e-12 <= made.high <= 1
        ends = (1 - mirrored.high, 1 - mirrored.low)
        assert ends == pytest.approx((made.low, made.high), abs=1e-9)


def test_a_perfect_ranking_has_no_width_and_says_so():
    p = placements(np.arange(20) < 10, -np.arange(20.0))
    assert (p.auc, p.variance) == (1, 0)
    made = logit_delong(p)
    assert (made.low, made.high) == (1, 1)
    assert "no width" in made.flag


def test_constant_scores_have_no_width_and_say_so():
    p = placements(np.arange(20) < 10, np.zeros(20))
    assert (p.auc, p.variance) == (0.5, 0)
    made = logit_delong(p)
    assert (made.low, made.high) == (0.5, 0.5)
    assert "all placements are the same" in made.flag


@pytest.mark.parametrize(("m", "n"), [(1, 1), (1, 9), (9, 1)])
def test_a_class_of_one_case_tells_nothing(m, n):
    p = placements(np.arange(m + n) < m, np.sin(np.arange(m + n)))
    assert math.isnan(p.variance)
    for form in (delong, logit_delong):
        made = form(p)
        assert (made.low, made.high) == (0, 1)
        assert "one case only" in made.flag


@pytest.mark.parametrize("form", [delong, logit_delong])
def test_bad_level(form):
    p = placements(np.arange(20) < 10, np.sin(np.arange(20)))
    with pytest.raises(InputError, match=r"for 95 % write 0.95"):
        form(p, 95)


def obuchowski(positive, scores, groups):
    """Obuchowski (1997), section 2, written out cluster by cluster."""
    psi = pairs(positive, scores)
    m, n = psi.shape
    theta = psi.mean()
    x, y = psi.mean(axis=1), psi.mean(axis=0)
    gx, gy = groups[positive], groups[~positive]
    every, of_x, of_y = set(groups.tolist()), set(gx.tolist()), set(gy.tolist())
    i, i10, i01 = len(every), len(of_x), len(of_y)

    def deviation(values, owners, g):
        return sum(v - theta for v, o in zip(values, owners, strict=True) if o == g)

    s10 = i10 / ((i10 - 1) * m) * sum(deviation(x, gx, g) ** 2 for g in of_x)
    s01 = i01 / ((i01 - 1) * n) * sum(deviation(y, gy, g) ** 2 for g in of_y)
    s11 = i / (i - 1) * sum(deviation(x, gx, g) * deviation(y, gy, g) for g in of_x & of_y)
    return s10 / m + s01 / n + 2 * s11 / (m * n)


def clustered(seed, groups=12, size=80, shared=1.0):
    rng = np.random.default_rng(seed)
    group = np.sort(rng.integers(groups, size=size))
    positive = rng.random(size) < 0.4
    scores = rng.normal(size=size) + positive + shared * rng.normal(size=groups)[group]
    return positive, scores.round(1), group


@pytest.mark.parametrize("seed", range(12))
@pytest.mark.parametrize("shared", [0.0, 1.0, 3.0])
def test_groups_against_obuchowski(seed, shared):
    positive, scores, group = clustered(seed, shared=shared)
    p = placements(positive, scores)
    made = with_groups(p, positive, group)
    expected = obuchowski(positive, scores, group)
    if expected > 0:
        assert made.variance == pytest.approx(expected, rel=1e-10)
    assert made.auc == p.auc


def test_few_groups_of_positives_against_obuchowski():
    """Five groups of two positives among many negatives: 5/4, not 205/204, is the factor."""
    rng = np.random.default_rng(3)
    positive = np.arange(210) < 10
    group = np.append(np.arange(10) // 2, np.arange(5, 205))
    scores = rng.normal(size=210) + positive
    scores[1:10:2] = scores[0:10:2]
    made = with_groups(placements(positive, scores), positive, group)
    assert made.variance == pytest.approx(obuchowski(positive, scores, group), rel=1e-10)
    assert made.inflation > 1.5


def test_every_case_its_own_group_changes_nothing():
    positive, scores, _ = clustered(0)
    p = placements(positive, scores)
    assert with_groups(p, positive, np.arange(80)).variance == pytest.approx(p.variance)


def test_copies_are_worth_the_originals():
    positive, scores, _ = clustered(1)
    copied = with_groups(
        placements(np.repeat(positive, 4), np.repeat(scores, 4)),
        np.repeat(positive, 4),
        np.repeat(np.arange(80), 4),
    )
    assert copied.variance == pytest.approx(placements(positive, scores).variance, rel=1e-10)
    assert copied.sizes == pytest.approx((positive.sum(), (~positive).sum()), rel=0.05)


def test_a_perfect_ranking_of_groups_counts_groups():
    positive = np.arange(40) < 20
    made = with_groups(placements(positive, -np.arange(40.0)), positive, np.arange(40) // 5)
    assert made.sizes == (4, 4)


def test_all_positives_in_one_group_are_worth_one_case():
    rng = np.random.default_rng(0)
    positive = np.arange(60) < 10
    scores = rng.normal(size=60) + positive
    group = np.where(positive, 0, np.arange(60))
    made = with_groups(placements(positive, scores), positive, group)
    assert made.sizes[0] == 1


def test_the_spread_of_clustered_areas_by_simulation():
    """Groups of 4 share a shift; the mean estimated variance is that of the areas."""
    areas, estimated, naive = [], [], []
    rng = np.random.default_rng(7)
    group = np.arange(160) // 4
    positive = group % 2 == 0
    for _ in range(1500):
        scores = rng.normal(size=160) + 1.2 * positive + rng.normal(size=40)[group]
        p = placements(positive, scores)
        areas.append(p.auc)
        naive.append(p.variance)
        estimated.append(with_groups(p, positive, group).variance)
    assert np.mean(estimated) == pytest.approx(np.var(areas), rel=0.12)
    assert np.mean(naive) < 0.7 * np.var(areas)


@pytest.mark.parametrize("df", [math.inf, 1.0, 2.5, 40.0, 1e9])
@pytest.mark.parametrize("level", [0.5, 0.95, 0.999])
def test_quantile_against_scipy(level, df):
    assert quantile(level, df) == pytest.approx(stats.t.ppf((1 + level) / 2, df), rel=1e-14)
