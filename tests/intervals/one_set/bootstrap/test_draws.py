"""Counts of stratified resamples, against the multinomial distribution they claim to have."""

import numpy as np
import pytest
from scipy import stats

from referee.intervals.one_set.bootstrap.draws import draw_counts, masks, thresholds

# (positives, negatives): drawn one by one, by the Poisson detour, and one of each.
SIZES = [(1, 1), (3, 40), (500, 900), (1024, 1024), (1023, 1500), (2500, 30), (1500, 5000)]


def draws(n_pos, n_neg, rounds, seed=0, shuffle=True):
    """Return the classes and one row of counts per resample."""
    positive = np.arange(n_pos + n_neg) < n_pos
    if shuffle:
        positive = np.random.default_rng(1).permutation(positive)
    arguments = masks(positive)
    state = np.array([seed], np.uint64)
    counts, t = np.zeros(len(positive), np.uint8), thresholds(positive)
    out = np.empty((rounds, len(positive)), np.int64)
    for r in range(rounds):
        draw_counts(counts, *arguments, t, state)
        out[r] = counts
    return positive, out


@pytest.mark.parametrize(("m", "n"), SIZES)
def test_counts_of_each_class_sum_to_its_size(m, n):
    positive, made = draws(m, n, 200)
    assert (made[:, positive].sum(axis=1) == m).all()
    assert (made[:, ~positive].sum(axis=1) == n).all()


def test_the_same_seed_gives_the_same_counts_and_others_differ():
    for m, n in [(20, 30), (1500, 1200)]:
        first, again, other = (draws(m, n, 3, seed)[1] for seed in (5, 5, 6))
        assert (first == again).all()
        assert (first != other).any(axis=1).all()
        assert (first[0] != first[1]).any()


def marginal(counts, m):
    """The p-value of how often cells hold 0, 1, 2, 3, 4 and more, against Binomial(m, 1/m).

    Cells of one resample hang together a little (-1/m), which makes the chi-square statistic of
    pooled cells smaller rather than larger: the test errs towards passing by a hair only.
    """
    observed = np.bincount(np.minimum(counts.ravel(), 5), minlength=6)
    below = stats.binom.pmf(np.arange(5), m, 1 / m)
    expected = counts.size * np.append(below, 1 - below.sum())
    return stats.chisquare(observed, expected).pvalue


@pytest.mark.parametrize(("m", "n"), [(60, 200), (1024, 1024), (1023, 1500), (1500, 5000)])
@pytest.mark.parametrize("seed", [1, 2])
def test_marginal_counts_against_the_binomial(m, n, seed):
    positive, made = draws(m, n, 600, seed)
    assert marginal(made[:, positive], m) > 1e-4
    assert marginal(made[:, ~positive], n) > 1e-4


@pytest.mark.parametrize(("m", "n"), [(60, 200), (1024, 1024), (1500, 3000)])
def test_each_cell_and_neighbours_against_multinomial_moments(m, n):
    rounds = 4000
    positive, made = draws(m, n, rounds, 3)
    for part, size in ((made[:, positive], m), (made[:, ~positive], n)):
        # Means of single cells: unit variance 1 - 1/size each.
        z = (part.mean(axis=0) - 1) / np.sqrt((1 - 1 / size) / rounds)
        assert stats.kstest(z, "norm").pvalue > 1e-4
        assert np.abs(z).max() < 5.5
        # Variances of single cells and covariances of neighbours.
        assert part.var(axis=0).mean() == pytest.approx(
            1 - 1 / size, abs=5 / np.sqrt(rounds * size)
        )
        d = part - 1
        for lag in (1, 2, 7):
            covariance = np.mean(d[:, lag:] * d[:, :-lag])
            assert covariance == pytest.approx(-1 / size, abs=5 / np.sqrt(rounds * (size - lag)))


@pytest.mark.parametrize("size", [40, 1100])
def test_covariance_of_two_halves_against_the_multinomial(size):
    rounds = 5000
    _, made = draws(size, size, rounds, 4, shuffle=False)
    half = made[:, : size // 2].sum(axis=1)
    expected = size / 4  # Binomial(size, 1/2)
    assert half.mean() == pytest.approx(size / 2, abs=5 * np.sqrt(expected / rounds))
    assert half.var() == pytest.approx(expected, rel=5 * np.sqrt(2 / rounds))
    # Classes are drawn apart from each other.
    other = made[:, size : size + size // 2].sum(axis=1)
    assert abs(np.corrcoef(half, other)[0, 1]) < 5 / np.sqrt(rounds)


def test_resamples_do_not_hang_together():
    _, made = draws(1500, 1500, 400, 8)
    d = (made - 1).astype(float)
    between = d @ d.T / made.shape[1]
    off = between[np.triu_indices(400, 1)]
    assert off.std() == pytest.approx(1 / np.sqrt(made.shape[1]), rel=0.05)
    assert np.abs(off).max() < 6 / np.sqrt(made.shape[1])


def test_share_of_distinct_cases_against_numpy_choice():
    rng = np.random.default_rng(0)
    m = 1300
    theirs = [len(np.unique(rng.integers(m, size=m))) for _ in range(2000)]
    positive, made = draws(m, m, 2000, 9)
    ours = (made[:, positive] > 0).sum(axis=1)
    assert stats.ks_2samp(theirs, ours).pvalue > 1e-3


def test_thresholds_are_those_of_a_poisson_below_1():
    t = thresholds(np.arange(12_000) < 2000)
    mean = 1 - 4 / np.sqrt(2000)
    expected = stats.poisson.cdf(np.arange(10), mean)
    np.testing.assert_allclose(t / 2.0**32, expected, atol=1e-9)
