"""Learners that give one answer: what is counted, and when a verdict is withheld."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee.significance.one_class import Collapse, collapse, one_class_share


@given(table=st.lists(st.tuples(st.integers(0, 2), st.integers(0, 4)), min_size=1, max_size=40))
def test_share_against_a_plain_loop(table):
    predicted, repetition = (np.array(column) for column in zip(*table, strict=True))
    units = sorted(set(repetition.tolist()))
    alone = [len(set(predicted[repetition == r].tolist())) == 1 for r in units]
    assert one_class_share(predicted, repetition) == pytest.approx(sum(alone) / len(units))


def test_no_predictions():
    assert one_class_share(np.array([], dtype=int), np.array([], dtype=int)) == 0


@pytest.mark.parametrize(
    ("main", "halvings", "withheld"),
    [(0.0, 0.0, False), (0.0, 0.5, False), (0.0, 0.51, True), (0.1, 0.0, True), (1, 1, True)],
)
def test_when_a_verdict_is_withheld(main, halvings, withheld):
    assert Collapse(main=main, halvings=halvings).forbids_verdict is withheld


def test_main_and_halves_are_told_apart():
    made = collapse(np.array([0, 1]), np.array([0, 0]), np.array([1, 1]), np.array([0, 1]))
    assert (made.main, made.halvings) == (0, 1)
    assert "in 0% of the repetitions" in made.sentence
    assert "in 100% of the halves" in made.sentence
