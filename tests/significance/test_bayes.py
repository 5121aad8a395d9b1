"""Posteriors, against baycomp's numbers, scipy's t and a plain loop over draws."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from referee.errors import InputError
from referee.significance.bayes import bayes_correlated_t, bayes_signed_rank
from referee.significance.learners.corrected_t import corrected_t

D = np.array([-0.02, -0.05, 0.01, -0.04, 0.0, -0.03, -0.01, -0.02, -0.06, 0.02])
lists = st.lists(st.integers(-9, 9).map(lambda i: i / 100), min_size=2, max_size=12)


def three(p):
    return p.first_better, p.equivalent, p.second_better


def test_correlated_t_against_the_corrected_t():
    # Without a rope the posterior of the wrong sign is the one-sided p-value.
    p = bayes_correlated_t(D, rope=0, share=0.1)
    assert p.second_better == pytest.approx(corrected_t(D, 90, 10).p_value / 2)
    assert (p.equivalent, p.first_better + p.second_better) == (0, pytest.approx(1))


def test_correlated_t_against_scipy():
    law = stats.t(9, D.mean(), D.std(ddof=1) * (0.1 + 0.1 / 0.9) ** 0.5)
    p = bayes_correlated_t(D, rope=0.01, share=0.1)
    oracle = (law.cdf(-0.01), law.cdf(0.01) - law.cdf(-0.01), law.sf(0.01))
    assert three(p) == pytest.approx(oracle)


@pytest.mark.parametrize(
    ("rope", "oracle"),
    [(0.01, (0.9589, 0.034555, 0.006545)), (0.0, (0.98891, 0.0, 0.01109))],
)
def test_signed_rank_against_baycomp(rope, oracle):
    # baycomp 1.0.3: SignedRankTest.probs(d, zeros, rope, nsamples=400_000, random_state=3).
    # No mean of two lies at the end of the rope: there baycomp goes by floating point.
    d = [-0.021, -0.053, 0.012, -0.041, 0.004, -0.033, -0.016, -0.027, -0.061, 0.024]
    p = bayes_signed_rank(np.array(d), rope=rope)
    assert three(p) == pytest.approx(oracle, abs=0.005)


def test_signed_rank_against_a_plain_loop():
    p = bayes_signed_rank(D[:4], rope=0.01, samples=300, random_state=5)
    weights = np.random.default_rng(5).dirichlet([0.5, 1, 1, 1, 1], 300)
    values, counts = [0.0, *D[:4]], [0, 0, 0]
    for w in weights:
        mass = [0.0, 0.0, 0.0]
        for i in range(5):
            for j in range(5):
                mean = round((values[i] + values[j]) / 2, 12)
                share = w[i] * w[j]
                if abs(mean) == 0.01:
                    mass[1] += share / 2
                    mass[0 if mean < 0 else 2] += share / 2
                else:
                    mass[0 if mean < -0.01 else 2 if mean > 0.01 else 1] += share
        counts[int(np.argmax(mass))] += 1
    assert three(p) == pytest.approx(np.array(counts) / 300)


@settings(max_examples=40, deadline=None)
@given(d=lists, rope=st.sampled_from([0.0, 0.01, 0.03]))
def test_swapping_the_models_exchanges_exactly(d, rope):
    d = np.array(d)
    for posterior in (
        lambda d, **more: bayes_correlated_t(d, rope=rope, share=0.1, **more),
        lambda d, **more: bayes_signed_rank(d, rope=rope, samples=200, random_state=1, **more),
    ):
        made = posterior(d)
        assert posterior(-d) == made.swapped
        assert posterior(d, greater_is_better=True) == made.swapped
        assert sum(three(made)) == pytest.approx(1)
        assert min(three(made)) >= 0


def test_where_nothing_varied():
    same = bayes_correlated_t(np.full(5, -0.1), rope=0.01, share=0.2)
    assert three(same) == (1, 0, 0)
    assert "same difference" in same.flag
    for made in (
        bayes_correlated_t(np.zeros(5), rope=0, share=0.2),
        bayes_signed_rank(np.zeros(5), rope=0, samples=50),
    ):
        assert three(made) == (0.5, 0, 0.5)
    for made in (
        bayes_correlated_t(np.zeros(5), rope=0.01, share=0.2),
        bayes_signed_rank(np.zeros(5), rope=0.01, samples=50),
    ):
        assert three(made) == (0, 1, 0)


def test_reproducible_by_seed():
    one, same, other = (bayes_signed_rank(D, rope=0.02, random_state=s) for s in (1, 1, 2))
    assert one == same
    assert one != other


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: bayes_correlated_t(D, rope=-1, share=0.1), "rope must be .* at least 0, got -1"),
        (lambda: bayes_correlated_t(D, rope=0, share=1), "share between 0 and 1 .* got 10 and 1"),
        (lambda: bayes_correlated_t(D[:1], rope=0, share=0.1), "at least 2 differences"),
        (lambda: bayes_signed_rank(D, rope=0, samples=0), "samples must be at least 1, got 0"),
    ],
)
def test_bad_arguments(call, message):
    with pytest.raises(InputError, match=message):
        call()
