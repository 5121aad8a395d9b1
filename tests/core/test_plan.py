"""Plans: fixed in advance, checked, recognised again."""

import numpy as np
import pytest

from referee.core import Dataset, Part, Plan, Split
from referee.errors import PlanError

TRAIN, TEST = np.array([0, 1, 2]), np.array([3, 4])


def plan(*splits, n=5, task=""):
    return Plan(splits, n, "holdout", "a test", task)


def test_parts_and_fits():
    halves = Split(TEST, TRAIN, part=Part.HALVES)
    made = plan(Split(TRAIN, TEST), halves)
    assert made.fits == 2
    assert made.part(Part.HALVES) == (halves,)
    assert made.part(Part.RESUBSTITUTION) == ()


@pytest.mark.parametrize(
    ("split", "message"),
    [
        (Split(np.array([], int), TEST), "split 1 has no rows to train on; change the sizes"),
        (Split(TRAIN, np.array([], int)), "split 1 has no rows to test on; change the sizes"),
        (Split(TRAIN, np.array([5])), "split 1 names row 5, but rows run from 0 to 4"),
        (Split(TRAIN, np.array([3, 4, 3])), "split 1 tests a row twice; name each test row once"),
        (Split(np.array([-1, 0]), TEST), "split 1 names row -1, but rows run from 0 to 4"),
    ],
)
def test_bad_splits_are_named(split, message):
    with pytest.raises(PlanError, match=message):
        plan(Split(TRAIN, TEST), split)


def test_an_empty_plan_is_refused():
    with pytest.raises(PlanError, match="at least one split, got none"):
        plan()


def test_fingerprint_changes_with_every_row():
    first = plan(Split(TRAIN, TEST))
    assert first.fingerprint == plan(Split(TRAIN.copy(), TEST.copy())).fingerprint
    others = [
        plan(Split(np.array([0, 1]), TEST)),
        plan(Split(TRAIN, np.array([4, 3]))),
        plan(Split(TRAIN, TEST), n=6),
        plan(Split(TRAIN, TEST, part=Part.HALVES)),
        plan(Split(TEST, TRAIN)),
        plan(Split(TRAIN, TEST), Split(TRAIN, TEST)),
    ]
    assert len({first.fingerprint, *(p.fingerprint for p in others)}) == 7


def test_other_data_are_refused():
    data = Dataset.of(np.zeros((5, 1)), [0, 1, 0, 1, 0])
    other = Dataset.of(np.zeros((5, 1)), [0, 1, 0, 1, 1])
    longer = Dataset.of(np.zeros((6, 1)), [0, 1, 0, 1, 0, 1])
    made = plan(Split(TRAIN, TEST), task=data.task)
    made.check_suits(data)
    plan(Split(TRAIN, TEST)).check_suits(other)
    for wrong in (other, longer):
        with pytest.raises(PlanError, match="made for other data"):
            made.check_suits(wrong)
