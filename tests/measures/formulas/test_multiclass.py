"""Areas of more than two classes, against scikit-learn and by pairs."""

import itertools
import math

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from sklearn import metrics

from referee.measures import auc, auc_one_against_one, auc_one_against_rest


@st.composite
def scored(draw):
    """Truth of 3 or 4 classes and eighths as probabilities, with many ties."""
    k, n = draw(st.integers(3, 4)), draw(st.integers(4, 40))
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    truth = np.append(np.arange(k), rng.integers(k, size=n - k))
    return truth, rng.multinomial(8, np.full(k, 1 / k), size=n) / 8


@settings(deadline=None, max_examples=40)
@given(scored())
def test_one_against_rest_against_sklearn(case):
    expected = metrics.roc_auc_score(*case, multi_class="ovr", average="macro")
    assert auc_one_against_rest(*case) == pytest.approx(expected, abs=1e-12)


@settings(deadline=None, max_examples=40)
@given(scored())
def test_one_against_one_against_sklearn(case):
    expected = metrics.roc_auc_score(*case, multi_class="ovo", average="macro")
    assert auc_one_against_one(*case) == pytest.approx(expected, abs=1e-12)


@settings(deadline=None, max_examples=40)
@given(scored(), st.integers(0, 2**16))
def test_weighted_one_against_rest_against_sklearn(case, seed):
    truth, p = case
    w = np.random.default_rng(seed).random(len(truth)) + 0.01
    expected = metrics.roc_auc_score(truth, p, multi_class="ovr", sample_weight=w)
    assert auc_one_against_rest(truth, p, w) == pytest.approx(expected, abs=1e-12)


@settings(deadline=None, max_examples=40)
@given(scored(), st.data())
def test_whole_weights_against_repeated_cases(case, data):
    truth, p = case
    n = len(truth)
    times = np.array(data.draw(st.lists(st.integers(1, 3), min_size=n, max_size=n)))
    for form in (auc_one_against_rest, auc_one_against_one):
        made = form(truth, p, times.astype(float))
        assert made == pytest.approx(form(np.repeat(truth, times), np.repeat(p, times, axis=0)))


@given(scored())
def test_one_against_one_is_blind_to_class_shares(case):
    truth, p = case
    times = truth + 1
    made = auc_one_against_one(np.repeat(truth, times), np.repeat(p, times, axis=0))
    assert made == pytest.approx(auc_one_against_one(truth, p))


@given(st.lists(st.tuples(st.booleans(), st.integers(0, 5)), min_size=2, max_size=30))
def test_two_classes_are_the_plain_area(cases):
    positive = np.array([c for c, _ in cases])
    assume(positive.any() and not positive.all())
    s = np.array([s for _, s in cases], float)
    both = np.column_stack([-s, s])
    for form in (auc_one_against_rest, auc_one_against_one):
        assert form(positive.astype(int), both) == pytest.approx(auc(positive, s))


def test_one_against_one_against_counted_pairs():
    rng = np.random.default_rng(3)
    truth, scores = rng.integers(3, size=40), rng.integers(5, size=(40, 3)).astype(float)
    areas = []
    for a, b in itertools.permutations(range(3), 2):
        pairs = itertools.product(scores[truth == a, a], scores[truth == b, a])
        areas.append(np.mean([(x > y) + (x == y) / 2 for x, y in pairs]))
    assert auc_one_against_one(truth, scores) == pytest.approx(np.mean(areas))


@pytest.mark.parametrize("form", [auc_one_against_rest, auc_one_against_one])
def test_a_class_without_cases_leaves_it_undefined(form):
    assert math.isnan(form(np.array([0, 1, 0]), np.eye(3)))
