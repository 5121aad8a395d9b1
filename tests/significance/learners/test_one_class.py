"""Learners that give one answer: what is counted, and when a verdict is withheld."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee.significance.learners.one_class import Collapse, collapse, one_class_share


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
    [(0.0, 0.0, False), (0.0, 0.9, False), (0.1, 0.0, True), (1.0, 1.0, True)],
)
def test_when_a_verdict_is_withheld(main, halvings, withheld):
    assert Collapse(main=main, halvings=halvings).forbids_verdict is withheld


def test_main_and_halves_are_told_apart():
    made = collapse(np.array([0, 1]), np.array([0, 0]), np.array([1, 1]), np.array([0, 1]))
    assert (made.main, made.halvings) == (0, 1)
    assert "in 0% of the repetitions" in made.sentence
    assert "in 100% of the halves" in made.sentence


@pytest.mark.parametrize(("shift", "at_most", "at_least"), [(1.2, 0.15, 0.0), (0.0, 1.0, 0.5)])
def test_rarely_fires_for_a_healthy_learner_at_one_in_ten(shift, at_most, at_least):
    # A cut of one feature at the odds of the classes, healthy at shift 1.2, asleep at 0.
    rng = np.random.default_rng(0)
    fired = []
    for _ in range(40):
        y = np.repeat([0, 1], [100, 10])
        x = rng.normal(size=110) + 2 * shift * y
        answers = []
        for r in range(10):
            fold = rng.permutation(110) % 10
            for f in range(10):
                train = fold != f
                low, high = (x[train & (y == c)].mean() for c in (0, 1))
                score = (x - (low + high) / 2) * (high - low) - np.log(10)
                answers.append(np.column_stack([score[~train] > 0, np.full(sum(~train), r)]))
        predicted, repetition = np.concatenate(answers).astype(int).T
        fired.append(collapse(predicted, repetition, predicted, repetition).forbids_verdict)
    assert at_least <= np.mean(fired) <= at_most
