"""Bayle's interval, against the two variance estimators written out as sums."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from referee.core.results import Target
from referee.errors import Refusal
from referee.intervals import cv_clt
from referee.measures import Losses


def one_pass(n, k, rate, seed, **more):
    rng = np.random.default_rng(seed)
    value = (rng.random(n) < rate).astype(float)
    fold = rng.permutation(n) % k
    return Losses(value, np.arange(n), fold, np.zeros(n, int), np.zeros(n), **more)


def published(losses, within, level):
    """sigma_in^2 = 1/k sum_j 1/(m_j - 1) sum (h - mean_j)^2; sigma_out^2 = 1/n sum (h - mean)^2."""
    h = losses.value.tolist()
    n, k = len(h), len(set(losses.split.tolist()))
    mean = sum(h) / n
    if within:
        total = 0.0
        for j in sorted(set(losses.split.tolist())):
            inside = [x for x, f in zip(h, losses.split, strict=True) if f == j]
            centre = sum(inside) / len(inside)
            total += sum((x - centre) ** 2 for x in inside) / (len(inside) - 1)
        variance = total / k
    else:
        variance = sum((x - mean) ** 2 for x in h) / n
    half = stats.norm.isf((1 - level) / 2) * math.sqrt(variance) / math.sqrt(n)
    return max(0, mean - half), min(1, mean + half)


@pytest.mark.parametrize("within", [True, False])
@settings(max_examples=40, deadline=None)
@given(
    n=st.integers(24, 90),
    k=st.integers(2, 10),
    rate=st.sampled_from([0.0, 0.05, 0.4, 1.0]),
    seed=st.integers(0, 999),
)
def test_any_losses_against_the_formula(within, n, k, rate, seed):
    losses = one_pass(n, k, rate, seed)
    made = cv_clt(losses, 0.9, within_folds=within)
    assert (made.low, made.high) == pytest.approx(published(losses, within, 0.9))
    assert made.target is Target.FOLD_MODELS
    assert made.method == ("cv-clt" if within else "cv-clt-all-pairs")
    if rate in (0.0, 1.0):
        assert "no width" in made.flag


def test_leave_one_out_needs_all_pairs():
    losses = one_pass(30, 30, 0.3, 0)
    with pytest.raises(Refusal, match="interval='cv-clt-all-pairs'"):
        cv_clt(losses)
    assert cv_clt(losses, within_folds=False).width > 0


@pytest.mark.parametrize("more", [{"groups": np.arange(40) // 2}, {"weight": np.ones(40)}])
def test_groups_and_weights_are_refused(more):
    with pytest.raises(Refusal, match="use interval="):
        cv_clt(one_pass(40, 5, 0.3, 0, **more))
