"""The ROC curve and its areas: scikit-learn, counted pairs, and all orders of tied cases."""

import itertools
import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from sklearn import metrics

from referee.errors import InputError
from referee.measures import auc, auc_k, partial_auc, roc_curve

CASES = st.lists(st.tuples(st.booleans(), st.integers(-3, 3)), min_size=1, max_size=40)
FEW = st.lists(st.tuples(st.booleans(), st.integers(0, 2)), min_size=2, max_size=7)


def split(cases):
    return np.array([p for p, _ in cases]), np.array([s for _, s in cases], float)


def both_classes(positive):
    assume(positive.any() and not positive.all())


@settings(deadline=None, max_examples=40)
@given(CASES)
def test_the_curve_against_sklearn_with_ties(cases):
    positive, scores = split(cases)
    both_classes(positive)
    made = roc_curve(positive, scores)
    fpr, tpr, threshold = metrics.roc_curve(positive, scores, drop_intermediate=False)
    np.testing.assert_allclose(made.fpr, fpr, rtol=1e-15)
    np.testing.assert_allclose(made.tpr, tpr, rtol=1e-15)
    np.testing.assert_array_equal(made.threshold, threshold)


@settings(deadline=None, max_examples=40)
@given(CASES, st.integers(0, 2**16))
def test_the_weighted_curve_against_sklearn(cases, seed):
    positive, scores = split(cases)
    both_classes(positive)
    weight = np.random.default_rng(seed).random(len(cases)) + 0.01
    made = roc_curve(positive, scores, weight)
    fpr, tpr, _ = metrics.roc_curve(positive, scores, drop_intermediate=False, sample_weight=weight)
    np.testing.assert_allclose(made.fpr, fpr, atol=1e-14)
    np.testing.assert_allclose(made.tpr, tpr, atol=1e-14)
    expected = metrics.roc_auc_score(positive, scores, sample_weight=weight)
    assert made.auc == pytest.approx(expected, abs=1e-12)


@given(CASES, st.data())
def test_whole_weights_against_repeated_cases(cases, data):
    positive, scores = split(cases)
    times = data.draw(st.lists(st.integers(0, 3), min_size=len(cases), max_size=len(cases)))
    times = np.array(times)
    assume(times.sum() > 0)
    made = roc_curve(positive, scores, times.astype(float)).auc
    repeated = roc_curve(np.repeat(positive, times), np.repeat(scores, times)).auc
    assert made == repeated or (math.isnan(made) and math.isnan(repeated))


@given(CASES)
def test_the_sweep_the_midranks_and_counted_pairs_agree_exactly(cases):
    positive, scores = split(cases)
    both_classes(positive)
    swept = roc_curve(positive, scores).auc
    assert swept == auc(positive, scores)
    pairs = itertools.product(scores[positive], scores[~positive])
    twice = sum(2 * int(x > y) + int(x == y) for x, y in pairs)
    assert swept == float(Fraction(twice, 2 * int(positive.sum()) * int((~positive).sum())))


@pytest.mark.parametrize("n", [1000, 30_001, 1_000_000])
@pytest.mark.parametrize("distinct", [7, 10**9])
def test_the_sweep_and_the_midranks_agree_exactly_on_many_cases(n, distinct):
    rng = np.random.default_rng(n)
    positive = rng.random(n) < 0.3
    scores = rng.integers(distinct, size=n) + 0.3 * distinct * positive
    assert roc_curve(positive, scores).auc == auc(positive, scores)


def test_one_vertex_per_distinct_score_and_constant_scores_are_the_diagonal():
    positive = np.array([True, False, False, True])
    made = roc_curve(positive, np.array([0.7, 0.7, 0.1, 0.1]))
    assert made.threshold.tolist() == [math.inf, 0.7, 0.1]
    flat = roc_curve(positive, np.full(4, 0.3))
    assert (flat.fpr.tolist(), flat.tpr.tolist(), flat.auc) == ([0, 1], [0, 1], 0.5)


def test_zeros_of_both_signs_and_infinitely_close_scores():
    positive = np.array([True, False])
    assert roc_curve(positive, np.array([0.0, -0.0])).auc == 0.5
    assert roc_curve(positive, np.array([np.nextafter(1, 2), 1.0])).auc == 1.0


@pytest.mark.parametrize("which", [True, False])
def test_a_missing_class_leaves_areas_undefined_and_the_other_rate_defined(which):
    made = roc_curve(np.array([which, which]), np.array([0.2, 0.4]))
    assert math.isnan(made.auc)
    assert math.isnan(auc_k(made, 1))
    assert math.isnan(partial_auc(made))
    there, gone = (made.tpr, made.fpr) if which else (made.fpr, made.tpr)
    assert there.tolist() == [0, 0.5, 1]
    assert np.isnan(gone).all()


def test_no_case_at_all_is_refused():
    with pytest.raises(InputError, match="scores are empty"):
        roc_curve(np.array([], bool), np.array([]))


def one_order(labels, k):
    """Gribskov and Robinson's sum of t_i over k T, for cases in a strict order."""
    total, found, seen = 0, 0, 0
    for hit in labels:
        if hit:
            found += 1
        elif seen < k:
            seen += 1
            total += found
    return Fraction(total, k * sum(labels))


def over_all_orders(cases, k):
    """The mean over every order that respects the scores."""
    ranked = sorted(cases, key=lambda c: -c[1])
    runs = [[p for p, _ in run] for _, run in itertools.groupby(ranked, key=lambda c: c[1])]
    orders = itertools.product(*(list(itertools.permutations(run)) for run in runs))
    values = [one_order([p for run in order for p in run], k) for order in orders]
    return sum(values, Fraction(0)) / len(values)


@settings(deadline=None, max_examples=60)
@given(FEW, st.integers(1, 4))
def test_auc_k_against_the_mean_over_all_orders_of_tied_cases(cases, k):
    positive, scores = split(cases)
    both_classes(positive)
    made = auc_k(roc_curve(positive, scores), k)
    if k > (~positive).sum():
        assert made == auc(positive, scores)
    else:
        assert made == pytest.approx(float(over_all_orders(cases, k)), abs=1e-14)


@given(CASES)
def test_auc_k_of_all_negatives_is_the_plain_area(cases):
    positive, scores = split(cases)
    both_classes(positive)
    curve = roc_curve(positive, scores)
    assert auc_k(curve, int((~positive).sum())) == pytest.approx(curve.auc, abs=1e-14)


def test_auc_k_must_count_something():
    with pytest.raises(InputError, match="k must be at least 1, got 0"):
        auc_k(roc_curve(np.array([True, False]), np.zeros(2)), 0)


@settings(deadline=None, max_examples=40)
@given(CASES, st.floats(0.01, 0.99))
def test_partial_area_against_sklearn(cases, high):
    positive, scores = split(cases)
    both_classes(positive)
    made = partial_auc(roc_curve(positive, scores), 0, high, standardised=True)
    expected = metrics.roc_auc_score(positive, scores, max_fpr=high)
    assert made == pytest.approx(expected, abs=1e-11)


@given(CASES, st.lists(st.floats(0, 1), min_size=3, max_size=3, unique=True))
def test_partial_areas_add_up_to_the_whole(cases, cuts):
    positive, scores = split(cases)
    both_classes(positive)
    a, b, c = sorted(cuts)
    curve = roc_curve(positive, scores)
    both = partial_auc(curve, a, b) + partial_auc(curve, b, c)
    assert both == pytest.approx(partial_auc(curve, a, c), abs=1e-12)
    assert partial_auc(curve, 0, 1) == pytest.approx(curve.auc, abs=1e-12)


def test_a_partial_area_in_the_middle_against_a_fine_grid():
    rng = np.random.default_rng(5)
    positive = rng.random(60) < 0.4
    curve = roc_curve(positive, rng.normal(size=60).round(1) + positive)
    middle = np.linspace(0.2, 0.7, 200_001)[:-1] + 1.25e-6
    expected = 0.5 * np.interp(middle, curve.fpr, curve.tpr).mean()
    assert partial_auc(curve, 0.2, 0.7) == pytest.approx(expected, abs=1e-6)


@pytest.mark.parametrize("high", [0.05, 0.1, 0.5, 1.0])
def test_standardised_partial_area_of_chance_and_of_perfection(high):
    positive = np.arange(40) < 20
    chance = roc_curve(positive, np.zeros(40))
    perfect = roc_curve(positive, -np.arange(40.0))
    assert partial_auc(chance, 0, high, standardised=True) == pytest.approx(0.5)
    assert partial_auc(perfect, 0, high, standardised=True) == pytest.approx(1.0)


@pytest.mark.parametrize(("low", "high"), [(0.5, 0.5), (0.6, 0.5), (-0.1, 0.5), (0, 1.1)])
def test_a_range_that_is_none(low, high):
    curve = roc_curve(np.array([True, False]), np.zeros(2))
    with pytest.raises(InputError, match="0 <= low < high <= 1"):
        partial_auc(curve, low, high)


@pytest.mark.parametrize(("low", "high"), [(0.2, 0.6), (0.5, 1.0), (0.9, 1.0)])
def test_standardised_area_of_a_range_that_starts_above_zero(low, high):
    both = np.array([True, False])
    chance, perfect = roc_curve(both, np.zeros(2)), roc_curve(both, np.array([1.0, 0.0]))
    assert partial_auc(chance, low, high, standardised=True) == pytest.approx(0.5)
    assert partial_auc(perfect, low, high, standardised=True) == pytest.approx(1.0)


def test_standardised_area_against_mcclishs_formula_by_hand():
    # tpr is 1/2 up to a false positive rate of 1/2, and 1 beyond: area .15 + .1 = .25 from .2 to
    # .6; chance .16, at most .4; (1 + (.25 - .16) / (.4 - .16)) / 2 = .6875.
    curve = roc_curve(np.array([True, False, True, False]), np.array([4.0, 3.0, 2.0, 1.0]))
    assert partial_auc(curve, 0.2, 0.6) == pytest.approx(0.25)
    assert partial_auc(curve, 0.2, 0.6, standardised=True) == pytest.approx(0.6875)
