"""Confusion matrices, against scikit-learn."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.metrics import confusion_matrix

from referee.core import Predictions
from referee.measures import confusion
from referee.measures.formulas.confusion import cells

LABELS = ["ham", "spam", "eggs"]
PAIRS = st.lists(st.tuples(st.sampled_from(LABELS), st.sampled_from(LABELS)), min_size=1)


@given(PAIRS)
def test_counts_against_sklearn(pairs):
    truth, answers = zip(*pairs, strict=True)
    made = confusion(Predictions.of(truth, answers, labels=LABELS))
    assert np.array_equal(made, confusion_matrix(truth, answers, labels=sorted(LABELS)))


@given(PAIRS, st.integers(0, 2**16))
def test_weights_against_sklearn(pairs, seed):
    truth, answers = zip(*pairs, strict=True)
    w = np.random.default_rng(seed).random(len(truth)) + 0.01
    made = confusion(Predictions.of(truth, answers, labels=LABELS, sample_weight=w))
    oracle = confusion_matrix(truth, answers, labels=sorted(LABELS), sample_weight=w)
    assert made == pytest.approx(oracle)


def test_rows_are_the_truth():
    p = Predictions.of(["a", "a", "a", "b"], ["b", "b", "a", "b"])
    assert confusion(p).tolist() == [[1, 2], [0, 1]]


def test_cells_number_the_flattened_matrix():
    p = Predictions.of([0, 0, 1, 2], [2, 0, 1, 0])
    assert cells(p).tolist() == [2, 0, 4, 6]


def test_no_rows_give_an_empty_matrix():
    p = Predictions.of([0, 1], [1, 1])
    assert confusion(p.rows(np.array([False, False]))).tolist() == [[0, 0], [0, 0]]
