"""Rates of a confusion matrix, against scikit-learn on the labels themselves."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn import metrics

from referee.core import Predictions
from referee.measures import MEASURES, confusion
from referee.measures.formulas import rates


@st.composite
def labelled(draw, most=5):
    """Truth and answers over k classes, where classes may be missing on either side."""
    k = draw(st.integers(2, most))
    n = draw(st.integers(1, 40))
    label = st.integers(0, draw(st.integers(0, k - 1)))
    answer = st.integers(0, draw(st.integers(0, k - 1)))
    truth = draw(st.lists(label, min_size=n, max_size=n))
    answers = draw(st.lists(answer, min_size=n, max_size=n))
    return np.array(truth), np.array(answers), k


def matrix_of(truth, answers, k):
    return metrics.confusion_matrix(truth, answers, labels=range(k)).astype(float)


def same(made, expected):
    """Equal, or both undefined: None stands for 0/0."""
    if expected is None:
        assert np.isnan(made)
    else:
        assert float(made) == pytest.approx(float(expected), abs=1e-12)


@given(labelled())
def test_accuracy_and_error_against_sklearn(case):
    truth, answers, _ = case
    matrix = matrix_of(*case)
    same(rates.accuracy(matrix), metrics.accuracy_score(truth, answers))
    same(rates.error(matrix), metrics.zero_one_loss(truth, answers))


@given(labelled())
def test_matthews_against_sklearn(case):
    truth, answers, _ = case
    one_sided = len(set(truth)) == 1 or len(set(answers)) == 1
    expected = None if one_sided else metrics.matthews_corrcoef(truth, answers)
    same(rates.matthews(matrix_of(*case)), expected)


@given(labelled())
def test_kappa_against_sklearn(case):
    truth, answers, k = case
    expected = None
    if set(truth) != set(answers) or len(set(truth)) > 1:
        expected = metrics.cohen_kappa_score(truth, answers, labels=range(k))
    same(rates.kappa(matrix_of(*case)), expected)


@given(labelled())
def test_balanced_accuracy_against_sklearn(case):
    truth, answers, k = case
    expected = None
    if len(set(truth)) == k:
        expected = metrics.recall_score(truth, answers, average="macro", zero_division=0)
        if set(answers) <= set(truth):
            assert expected == pytest.approx(metrics.balanced_accuracy_score(truth, answers))
    same(rates.balanced_accuracy(matrix_of(*case)), expected)


@given(labelled(), st.integers(0, 4))
def test_rates_of_a_positive_class_against_sklearn(case, at):
    truth, answers, k = case
    at %= k
    matrix = matrix_of(*case)
    t, a = truth == at, answers == at

    def share(of, given):
        return of[given].mean() if given.any() else None

    same(rates.true_positive_rate(matrix, at), share(a, t))
    same(rates.false_negative_rate(matrix, at), share(~a, t))
    same(rates.true_negative_rate(matrix, at), share(~a, ~t))
    same(rates.false_positive_rate(matrix, at), share(a, ~t))
    same(rates.precision(matrix, at), share(t, a))
    same(rates.negative_predictive_value(matrix, at), share(~t, ~a))
    tpr, tnr = share(a, t), share(~a, ~t)
    both = None if tpr is None or tnr is None else tpr + tnr - 1
    same(rates.informedness(matrix, at), both)
    if t.any():
        same(rates.true_positive_rate(matrix, at), metrics.recall_score(t, a))
    if a.any():
        same(rates.precision(matrix, at), metrics.precision_score(t, a))
    same(rates.f1(matrix, at), metrics.f1_score(t, a) if t.any() or a.any() else None)


@settings(deadline=None)
@given(labelled(3), st.integers(0, 2**16))
def test_weighted_measures_against_sklearn(case, seed):
    truth, answers, k = case
    w = np.random.default_rng(seed).random(len(truth)) + 0.01
    matrix = metrics.confusion_matrix(truth, answers, labels=range(k), sample_weight=w)
    same(rates.accuracy(matrix), metrics.accuracy_score(truth, answers, sample_weight=w))
    one_sided = len(set(truth)) == 1 or len(set(answers)) == 1
    expected = None if one_sided else metrics.matthews_corrcoef(truth, answers, sample_weight=w)
    same(rates.matthews(matrix), expected)
    if set(truth) != set(answers) or len(set(truth)) > 1:
        expected = metrics.cohen_kappa_score(truth, answers, labels=range(k), sample_weight=w)
        same(rates.kappa(matrix), expected)
    else:
        same(rates.kappa(matrix), None)


@pytest.mark.parametrize("seed", range(50))
def test_weights_that_do_not_add_up_exactly_stay_undefined_in_one_class(seed):
    rng = np.random.default_rng(seed)
    k = int(rng.integers(2, 7))
    matrix = np.zeros((k, k))
    matrix[0] = rng.random(k)
    for one_sided in (matrix, matrix.T.copy(), np.stack([matrix, matrix])):
        assert np.isnan(rates.matthews(one_sided)).all()


MATRIX_FORMS = [m for m in MEASURES.values() if m.of_matrix is not None]


@pytest.mark.parametrize("measure", MATRIX_FORMS, ids=lambda m: m.name)
def test_a_stack_gives_what_each_matrix_gives(measure):
    rng = np.random.default_rng(1)
    stack = rng.integers(0, 4, size=(2, 30, 3, 3)).astype(float)
    more = (2,) if measure.positive else ()
    made = measure.of_matrix(stack, *more)
    assert made.shape == (2, 30)
    for i, j in np.ndindex(2, 30):
        assert made[i, j] == pytest.approx(measure.of_matrix(stack[i, j], *more), nan_ok=True)


@pytest.mark.parametrize("measure", MATRIX_FORMS, ids=lambda m: m.name)
def test_an_empty_matrix_is_undefined_and_a_perfect_one_is_best(measure):
    more = (1,) if measure.positive else ()
    assert math.isnan(measure.of_matrix(np.zeros((2, 2)), *more))
    best = 1.0 if measure.greater_is_better else 0.0
    assert measure.of_matrix(np.diag([3.0, 4.0]), *more) == best


@pytest.mark.parametrize("measure", MATRIX_FORMS, ids=lambda m: m.name)
def test_renaming_the_other_classes_changes_nothing(measure):
    rng = np.random.default_rng(2)
    matrix = rng.integers(1, 9, size=(4, 4)).astype(float)
    order = np.array([2, 0, 3, 1])
    moved = matrix[np.ix_(order, order)]
    before, after = ((0,), (1,)) if measure.positive else ((), ())
    made = measure.of_matrix(moved, *after)
    assert made == pytest.approx(measure.of_matrix(matrix, *before))


def test_through_the_table_of_predictions_against_sklearn():
    truth = ["spam", "ham", "ham", "eggs", "spam", "eggs"]
    answers = ["spam", "spam", "ham", "eggs", "ham", "ham"]
    made = rates.matthews(confusion(Predictions.of(truth, answers)))
    assert made == pytest.approx(metrics.matthews_corrcoef(truth, answers))


@settings(deadline=None, max_examples=40)
@given(labelled(), st.integers(0, 4), st.floats(0.1, 10), st.booleans(), st.integers(0, 2**16))
def test_f_beta_against_sklearn(case, at, beta, weighted, seed):
    truth, answers, k = case
    at %= k
    w = np.random.default_rng(seed).random(len(truth)) + 0.01 if weighted else None
    matrix = metrics.confusion_matrix(truth, answers, labels=range(k), sample_weight=w)
    t, a = truth == at, answers == at
    expected = None
    if t.any() or a.any():
        expected = metrics.fbeta_score(t, a, beta=beta, sample_weight=w)
    same(rates.f_beta(matrix, at, beta=beta), expected)


@settings(deadline=None, max_examples=40)
@given(labelled(), st.booleans(), st.integers(0, 2**16))
def test_averages_over_classes_against_sklearn(case, weighted, seed):
    truth, answers, k = case
    w = np.random.default_rng(seed).random(len(truth)) + 0.01 if weighted else None
    matrix = metrics.confusion_matrix(truth, answers, labels=range(k), sample_weight=w)
    options = {"labels": range(k), "sample_weight": w, "zero_division": 0}
    met = set(truth) | set(answers)

    def of(form, average, defined=True):
        return form(truth, answers, average=average, **options) if defined else None

    same(rates.macro_f1(matrix), of(metrics.f1_score, "macro", len(met) == k))
    same(rates.weighted_f1(matrix), of(metrics.f1_score, "weighted"))
    same(rates.accuracy(matrix), of(metrics.f1_score, "micro"))
    answered = len(set(answers)) == k
    same(rates.macro_precision(matrix), of(metrics.precision_score, "macro", answered))
    recalled = len(set(truth)) == k
    same(rates.balanced_accuracy(matrix), of(metrics.recall_score, "macro", recalled))
