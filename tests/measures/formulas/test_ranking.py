"""The area under the ROC curve, against scikit-learn, scipy and all pairs."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats
from sklearn.metrics import roc_auc_score

from referee.measures import auc

CASES = st.lists(st.tuples(st.booleans(), st.integers(-3, 3)), min_size=2, max_size=60)


@given(CASES)
def test_against_sklearn_with_ties(cases):
    positive = np.array([p for p, _ in cases])
    scores = np.array([s for _, s in cases], float)
    made = auc(positive, scores)
    if positive.all() or not positive.any():
        assert math.isnan(made)
    else:
        assert made == pytest.approx(roc_auc_score(positive, scores), abs=1e-12)


@given(CASES)
def test_against_all_pairs(cases):
    positive = [s for p, s in cases if p]
    negative = [s for p, s in cases if not p]
    if positive and negative:
        wins = sum((x > y) + (x == y) / 2 for x in positive for y in negative)
        made = auc(np.array([p for p, _ in cases]), np.array([s for _, s in cases], float))
        assert made == pytest.approx(wins / len(positive) / len(negative))


def test_against_the_mann_whitney_statistic_of_scipy():
    rng = np.random.default_rng(0)
    positive = rng.random(300) < 0.2
    scores = rng.normal(size=300).round(1) + positive
    u = stats.mannwhitneyu(scores[positive], scores[~positive]).statistic
    assert auc(positive, scores) == pytest.approx(u / positive.sum() / (~positive).sum())


def test_turning_scores_or_classes_around_mirrors():
    rng = np.random.default_rng(1)
    positive, scores = rng.random(50) < 0.4, rng.integers(8, size=50).astype(float)
    assert auc(positive, -scores) == pytest.approx(1 - auc(positive, scores))
    assert auc(~positive, scores) == pytest.approx(1 - auc(positive, scores))
    assert auc(positive, np.exp(scores)) == pytest.approx(auc(positive, scores))


def test_large_counts_do_not_overflow():
    positive = np.arange(200_000) % 2 == 0
    assert auc(positive, positive.astype(float)) == 1
