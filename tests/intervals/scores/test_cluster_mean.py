"""The variance of a mean of clustered scores, against statsmodels and dense matrices."""

import numpy as np
import pytest
import statsmodels.api as sm
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import linalg, stats

from referee.core.scores.scores import ItemScores
from referee.intervals.scores.catalogue import mean_interval
from referee.intervals.scores.cluster_mean import cluster_mean, correlation, degrees_of_freedom


def clustered(seed=0, sizes=(1, 2, 3, 5, 8, 4), weights=False):
    rng = np.random.default_rng(seed)
    code = np.repeat(np.arange(len(sizes)), sizes)
    values = rng.normal(size=len(code)) + rng.normal(size=len(sizes))[code]
    weight = rng.uniform(0.5, 2, len(code)) if weights else None
    return ItemScores(values=values, cluster=code, weight=weight)


@pytest.mark.parametrize("weights", [False, True])
def test_clt_se_against_statsmodels_cluster_robust(weights):
    items = clustered(weights=weights)
    w = np.ones(items.n) if items.weight is None else items.weight
    fit = sm.WLS(items.values, np.ones(items.n), weights=w).fit(
        cov_type="cluster", cov_kwds={"groups": items.cluster, "use_correction": False}
    )
    made = mean_interval(items, 0.95, "clt")
    assert items.mean == pytest.approx(fit.params[0], rel=1e-12)
    z = stats.norm.ppf(0.975)
    assert made.width / 2 / z == pytest.approx(fit.bse[0], rel=1e-10)


def test_without_clusters_against_statsmodels_hc2_and_the_textbook():
    values = np.random.default_rng(1).exponential(size=23)
    fit = sm.OLS(values, np.ones(23)).fit(cov_type="HC2")
    made = cluster_mean(ItemScores(values=values))
    assert made.se == pytest.approx(fit.bse[0], rel=1e-12)
    assert made.se == pytest.approx(stats.sem(values), rel=1e-12)
    assert made.df == 22
    ours = mean_interval(ItemScores(values=values), 0.9, "cluster-t")
    low, high = stats.t.interval(0.9, 22, values.mean(), stats.sem(values))
    assert (ours.low, ours.high) == pytest.approx((low, high), rel=1e-12)


def bell_mccaffrey(items):
    """CR2 and its degrees of freedom by dense matrices, for independent working errors."""
    n = items.n
    hat = np.full((n, n), 1 / n)
    rest = np.eye(n) - hat
    residual = rest @ items.values
    columns, variance = [], 0.0
    for g in np.unique(items.cluster):
        mine = items.cluster == g
        values, vectors = linalg.eigh(rest[np.ix_(mine, mine)])
        block = vectors @ np.diag(values**-0.5) @ vectors.T
        adjust = block @ np.ones(mine.sum()) / n
        variance += float(adjust @ residual[mine]) ** 2
        columns.append(rest[:, mine] @ adjust)
    gram = np.array(columns) @ np.array(columns).T
    return variance, np.trace(gram) ** 2 / np.trace(gram @ gram)


@pytest.mark.parametrize("sizes", [(4, 4, 4, 4), (1, 2, 3, 5, 8, 4), (20, 1, 1, 1)])
def test_cr2_and_degrees_of_freedom_against_dense_matrices(sizes):
    # Values without likeness inside clusters, so that the working correlation is 0.
    rng = np.random.default_rng(3)
    code = np.repeat(np.arange(len(sizes)), sizes)
    values = rng.normal(size=len(code))
    values -= (np.bincount(code, values) / np.bincount(code))[code]
    values += np.linspace(0, 0.01, len(sizes))[code]
    items = ItemScores(values=values, cluster=code)
    made = cluster_mean(items)
    variance, df = bell_mccaffrey(items)
    assert made.correlation == 0.0
    assert made.variance == pytest.approx(variance, rel=1e-8)
    assert made.df == pytest.approx(max(df, 1.0), rel=1e-9)


@given(st.lists(st.integers(1, 9), min_size=2, max_size=8), st.floats(0, 1))
@settings(max_examples=40, deadline=None)
def test_satterthwaite_against_the_matrix_of_the_quadratic_form(sizes, rho):
    size = np.array(sizes, dtype=float)
    shares = size / size.sum()
    spread = (1 - rho) * size + rho * size**2
    g = len(size)
    centre = np.eye(g) - np.outer(shares, np.ones(g))
    root = np.diag(np.sqrt(spread))
    form = root @ centre.T @ np.diag(1 / (1 - shares)) @ centre @ root
    df, short = degrees_of_freedom(shares, spread)
    assert df == pytest.approx(max(1, np.trace(form) ** 2 / np.trace(form @ form)), rel=1e-8)
    assert short == pytest.approx(max(1, spread.sum() / np.trace(form)), rel=1e-8)


def test_equal_clusters_are_a_t_test_of_their_means():
    rng = np.random.default_rng(4)
    table = rng.normal(size=(12, 5)) + rng.normal(size=(12, 1))
    items = ItemScores(values=table.ravel(), cluster=np.repeat(np.arange(12), 5))
    made = cluster_mean(items)
    means = table.mean(axis=1)
    assert made.se == pytest.approx(stats.sem(means), rel=1e-10)
    assert made.df == pytest.approx(11, rel=1e-9)


def test_correlation_against_one_way_analysis_of_variance():
    rng = np.random.default_rng(5)
    table = rng.normal(size=(8, 6)) + 2 * rng.normal(size=(8, 1))
    f = stats.f_oneway(*table).statistic
    got = correlation(table.ravel(), np.repeat(np.arange(8), 6))
    assert got == pytest.approx((f - 1) / (f - 1 + 6), rel=1e-10)


def test_one_cluster_or_one_item_has_no_variance():
    assert np.isnan(cluster_mean(ItemScores(values=np.array([1.0]))).variance)
    together = ItemScores(values=np.array([1.0, 2.0]), cluster=np.array([3, 3]))
    assert np.isnan(cluster_mean(together).variance)


def test_scores_that_are_all_the_same_have_variance_zero_whatever_they_are():
    values = np.full(37, 0.1 + 0.2)
    assert cluster_mean(ItemScores(values=values)).variance == 0
    assert cluster_mean(ItemScores(values=values, cluster=np.arange(37) // 4)).variance == 0


@pytest.mark.parametrize("scale", [1.0, 1e-155, 1e150])
def test_skewness_against_scipy_at_any_scale(scale):
    values = np.array([1.0, 1.2, 0.9, 1.1, 7.5])
    mean = cluster_mean(ItemScores(values=scale * values))
    expected = stats.skew(values, bias=False) / np.sqrt(len(values))
    assert mean.skewness == pytest.approx(expected)
