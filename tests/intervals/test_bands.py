"""ROC bands: against a plain bootstrap, against each other, and against the truth."""

import numpy as np
import pytest
from scipy import stats
from sklearn import metrics

from referee.errors import InputError
from referee.intervals.area.ranking_sample import RankingSample
from referee.intervals.bands import roc_band, tpr_at
from referee.intervals.one_set.proportion import wilson
from referee.measures.formulas.roc import roc_curve


@pytest.fixture
def ranking():
    def scores(hits=40, misses=60, lead=1.2, seed=0, ties=False):
        """Return labels 0/1 and normal scores, `lead` standard deviations apart."""
        rng = np.random.default_rng(seed)
        y = np.r_[np.ones(hits, int), np.zeros(misses, int)]
        s = rng.normal(size=hits + misses) + lead * y
        return y, (np.round(s, 1) if ties else s)

    return scores


def plain_tpr(y, s, grid):
    """Read sklearn's curve by hand: the top of steps, straight lines between vertices."""
    fpr, tpr, _ = metrics.roc_curve(y, s, drop_intermediate=False)
    out = []
    for x in grid:
        at = np.flatnonzero(fpr <= x + 1e-9)[-1]
        if at == len(fpr) - 1:
            out.append(1.0)
        else:
            share = (x - fpr[at]) / (fpr[at + 1] - fpr[at])
            out.append(tpr[at] + max(share, 0) * (tpr[at + 1] - tpr[at]))
    return np.array(out)


def plain_replicates(y, s, grid, rounds, seed=0):
    rng = np.random.default_rng(seed)
    hits, misses = np.flatnonzero(y == 1), np.flatnonzero(y == 0)
    drawn = []
    for _ in range(rounds):
        rows = np.r_[rng.choice(hits, len(hits)), rng.choice(misses, len(misses))]
        drawn.append(plain_tpr(y[rows], s[rows], grid))
    return np.array(drawn)


@pytest.mark.parametrize("ties", [False, True])
def test_tpr_at_against_sklearn(ranking, ties):
    y, s = ranking(ties=ties)
    grid = np.linspace(0, 1, 101)
    np.testing.assert_allclose(tpr_at(roc_curve(y == 1, s), grid), plain_tpr(y, s, grid))


@pytest.mark.parametrize("ties", [False, True])
def test_pointwise_band_against_a_plain_bootstrap_loop(ranking, ties):
    y, s = ranking(80, 90, ties=ties)
    band = roc_band(y == 1, s, kind="pointwise", points=11, rounds=4000)
    drawn = plain_replicates(y, s, band.fpr, 1500)
    low, high = np.quantile(drawn, (0.025, 0.975), axis=0)
    # Away from the edges neither Wilson's limits nor the binomial shift reach further.
    inner = slice(2, 8)
    np.testing.assert_allclose(band.low[inner], low[inner], atol=0.035)
    np.testing.assert_allclose(band.high[inner], high[inner], atol=0.035)
    assert np.all(band.low <= low + 0.035)
    assert np.all(band.high >= high - 0.035)


def test_simultaneous_band_against_a_plain_bootstrap_loop(ranking):
    y, s = ranking(80, 90)
    band = roc_band(y == 1, s, points=41, rounds=4000)
    drawn = plain_replicates(y, s, band.fpr, 1000)
    value = plain_tpr(y, s, band.fpr)
    shrunk = (value * 80 + 1) / 82
    sd = np.maximum(drawn.std(axis=0), np.sqrt(shrunk * (1 - shrunk) / 80))
    z = np.quantile(np.max(np.abs(drawn - value) / sd, axis=1), 0.95)
    inner = slice(8, 30)
    np.testing.assert_allclose(band.low[inner], (value - z * sd)[inner], atol=0.05)
    expected = np.minimum(1, value + z * sd)
    np.testing.assert_allclose(band.high[inner], expected[inner], atol=0.05)


@pytest.mark.parametrize("lead", [0.0, 1.0, 3.0, 9.0])
@pytest.mark.parametrize("sizes", [(5, 5), (30, 200), (200, 30)])
def test_bands_are_nested_and_hold_the_curve(ranking, lead, sizes):
    y, s = ranking(*sizes, lead=lead)
    options = {"rounds": 300, "points": 51}
    inner = roc_band(y == 1, s, kind="pointwise", **options)
    outer = roc_band(y == 1, s, kind="simultaneous", **options)
    curve = tpr_at(roc_curve(y == 1, s), inner.fpr)
    assert np.all(outer.low <= inner.low)
    assert np.all(inner.high <= outer.high)
    assert np.all((inner.low <= curve + 1e-9) & (curve <= inner.high + 1e-9))
    assert 0 <= outer.low.min() <= outer.high.max() <= 1


def test_a_perfect_ranking_still_has_a_band_as_wide_as_its_counts_allow(ranking):
    y, s = ranking(20, 20, lead=50)
    band = roc_band(y == 1, s, kind="pointwise", points=11)
    assert band.low[-2] == pytest.approx(wilson(20, 20).low)
    assert band.low[0] == 0  # a threshold of false positive rate 0 has not been seen


def test_a_higher_level_gives_a_wider_band(ranking):
    y, s = ranking()
    narrow, wide = (roc_band(y == 1, s, level=v, points=21) for v in (0.8, 0.99))
    assert np.all(wide.low <= narrow.low + 1e-9)
    assert np.all(wide.high >= narrow.high - 1e-9)


def test_the_seed_decides(ranking):
    y, s = ranking()
    one, again, other = (roc_band(y == 1, s, seed=i, points=21) for i in (3, 3, 4))
    assert np.array_equal(one.low, again.low)
    assert not np.array_equal(one.low, other.low)


def test_cases_that_come_ten_times_make_the_band_no_narrower(ranking):
    y, s = ranking()
    once = roc_band(y == 1, s, points=21)
    case = np.tile(np.arange(len(y)), 10)
    often = roc_band(np.tile(y == 1, 10), np.tile(s, 10), points=21, groups=case, rounds=500)
    np.testing.assert_allclose(often.low, once.low, atol=0.05)
    np.testing.assert_allclose(often.high, once.high, atol=0.05)


def test_groups_that_hold_both_classes_are_drawn_whole(ranking):
    y, s = ranking()
    s = s + np.repeat(np.random.default_rng(5).normal(size=10), 10)[np.argsort(np.arange(100) % 10)]
    scored = RankingSample(y == 1, s, units=np.arange(100) % 10)
    drawn = list(scored.resampled(50, 0))
    assert all(c.n_positive + c.n_negative == 100 for c in drawn)
    assert len({c.n_positive for c in drawn}) == 1  # four of each group are positive


def test_resampled_curves_against_sklearn(ranking):
    y, s = ranking(ties=True)
    scored = RankingSample(y == 1, s)
    areas = [c.auc for c in scored.resampled(2000, 0)]
    rng = np.random.default_rng(1)
    hits, misses = np.flatnonzero(y == 1), np.flatnonzero(y == 0)
    loop = []
    for _ in range(400):
        rows = np.r_[rng.choice(hits, len(hits)), rng.choice(misses, len(misses))]
        loop.append(metrics.roc_auc_score(y[rows], s[rows]))
    assert np.mean(areas) == pytest.approx(np.mean(loop), abs=0.01)
    assert np.std(areas) == pytest.approx(np.std(loop), rel=0.15)


def test_an_unknown_kind_is_named(ranking):
    y, s = ranking()
    with pytest.raises(InputError, match="'pointwise', 'simultaneous' or None, got 'both'"):
        roc_band(y == 1, s, kind="both")


def coverage(sizes, lead, spread, rounds, repetitions, **options):
    covered = 0
    for r in range(repetitions):
        rng = np.random.default_rng(r)
        hits, misses = sizes
        s = np.r_[rng.normal(lead, spread, hits), rng.normal(size=misses)]
        positive = np.arange(hits + misses) < hits
        band = roc_band(positive, s, rounds=rounds, points=101, seed=r, **options)
        inner = band.fpr[1:-1]
        truth = np.r_[0, stats.norm.sf((stats.norm.isf(inner) - lead) / spread), 1]
        covered += band.contains(band.fpr, truth)
    return covered / repetitions


@pytest.mark.parametrize("lead", [1.2, 2.5])
def test_the_simultaneous_band_covers_the_true_curve(lead):
    # With a true coverage of .95, fewer than 53 of 60 happen once in 100 runs.
    assert coverage((30, 30), lead, 1, 300, 60) >= 53 / 60


@pytest.mark.slow
@pytest.mark.parametrize(("lead", "spread"), [(1.19, 1), (2.5, 1), (2, 2)])
@pytest.mark.parametrize("sizes", [(20, 20), (50, 50), (30, 300), (300, 30), (200, 200)])
def test_simultaneous_coverage_over_sizes_and_shapes(sizes, lead, spread):
    assert coverage(sizes, lead, spread, 500, 400) >= 0.925
