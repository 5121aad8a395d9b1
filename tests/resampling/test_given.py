"""Splits somebody else decided, against the splitters themselves."""

import numpy as np
import pytest
from sklearn.model_selection import (
    GroupKFold,
    KFold,
    LeaveOneOut,
    LeavePOut,
    PredefinedSplit,
    RepeatedKFold,
    RepeatedStratifiedKFold,
    ShuffleSplit,
    StratifiedKFold,
    StratifiedShuffleSplit,
    TimeSeriesSplit,
)

from referee.core import Dataset, Part
from referee.errors import InputError, PlanError
from referee.resampling import FromPairs, FromSplitter, TestRows, scheme_for

N = 24
DATA = Dataset.of(np.arange(N, dtype=float)[:, None], ["a", "b", "a"] * 8, groups=np.arange(N) // 4)


@pytest.mark.parametrize(
    "splitter",
    [
        KFold(5),
        KFold(3, shuffle=True, random_state=0),
        StratifiedKFold(4),
        ShuffleSplit(4, test_size=0.25, random_state=1),
        StratifiedShuffleSplit(3, random_state=1),
        LeaveOneOut(),
        GroupKFold(3),
        TimeSeriesSplit(4),
        RepeatedKFold(n_splits=3, n_repeats=2, random_state=3),
        RepeatedStratifiedKFold(n_splits=4, n_repeats=3, random_state=2),
        LeavePOut(2),
        PredefinedSplit([0, 1, 2] * 8),
    ],
    ids=lambda s: type(s).__name__,
)
def test_splits_against_the_splitter(splitter):
    plan = scheme_for(splitter, DATA).scheme.plan(DATA, seed=5)
    groups = DATA.groups if isinstance(splitter, GroupKFold) else None
    expected = list(splitter.split(np.zeros((N, 1)), DATA.y, groups))
    made = plan.part(Part.MAIN)
    assert len(made) == len(expected)
    for split, (train, test) in zip(made, expected, strict=True):
        assert split.train.tolist() == train.tolist()
        assert split.test.tolist() == test.tolist()
    assert plan.scheme == "splitter"
    assert type(splitter).__name__ in plan.description


def test_repetitions_are_counted_by_how_often_a_case_was_tested():
    splitter = RepeatedStratifiedKFold(n_splits=4, n_repeats=3, random_state=2)
    made = FromSplitter(splitter).plan(DATA).part(Part.MAIN)
    assert [s.repetition for s in made] == [0] * 4 + [1] * 4 + [2] * 4


def test_pairs_as_lists_arrays_and_masks():
    mask = np.arange(N) < 20
    pairs = [([0, 1, 2], [3]), (np.arange(10), np.arange(10, 12)), (mask, ~mask)]
    made = FromPairs(pairs).plan(DATA).part(Part.MAIN)
    assert made[0].train.tolist() == [0, 1, 2]
    assert made[1].test.tolist() == [10, 11]
    assert made[2].train.tolist() == list(range(20))
    assert made[2].test.tolist() == [20, 21, 22, 23]


def test_a_generator_of_pairs_is_taken():
    choice = scheme_for(((np.arange(12), np.arange(12, N)) for _ in range(1)), DATA)
    plan = choice.scheme.plan(DATA)
    assert plan.description == "1 given split"
    assert plan.splits[0].test.tolist()[:12] == list(range(12, N))


def test_test_rows_follow_the_training_rows():
    plan = TestRows(18).plan(DATA)
    (split,) = plan.splits
    assert split.train.tolist() == list(range(18))
    assert split.test.tolist() == [*range(18, 24), *range(18)]
    assert plan.scheme == "test-set"


@pytest.mark.parametrize("n", [0, 24, 30, -1])
def test_test_rows_need_both_parts(n):
    with pytest.raises(PlanError, match=f"n_train must leave both parts rows, got {n} of 24"):
        TestRows(n).plan(DATA)


@pytest.mark.parametrize(
    ("pairs", "message"),
    [
        ([], "at least one"),
        ([([0, 1], [24])], "split 0 names row 24, but rows run from 0 to 23"),
        ([([0, 1], [2]), ([-1], [2])], "split 1 names row -1"),
        ([([], [2])], "split 0 has no rows to train on"),
        ([([1], [])], "split 0 has no rows to test on"),
        ([[0, 1, 2]], r"split 0 must be a pair \(training rows, test rows\)"),
        ([([0.5], [1])], "split 0 must be a pair"),
        ([(["a"], [1])], "split 0 must be a pair"),
        ([7], "split 0 must be a pair"),
        ([([[0, 1]], [2])], "split 0 must be a pair"),
    ],
)
def test_bad_pairs(pairs, message):
    with pytest.raises(PlanError, match=message):
        scheme_for(pairs, DATA).scheme.plan(DATA)


@pytest.mark.parametrize(
    ("splitter", "groups"), [(StratifiedKFold(20), True), (GroupKFold(2), False)]
)
def test_what_a_splitter_refuses_is_told(splitter, groups):
    data = DATA if groups else Dataset.of(DATA.X, DATA.y)
    with pytest.raises(PlanError, match="cannot split these data"):
        FromSplitter(splitter).plan(data)


def test_a_class_is_answered_with_how_to_make_an_instance():
    with pytest.raises(InputError, match=r"got the class; write KFold\(\)"):
        scheme_for(KFold, DATA)


def test_an_unseeded_splitter_follows_the_seed():
    first, second = (FromSplitter(ShuffleSplit(3)).plan(DATA, seed=1) for _ in range(2))
    assert first.fingerprint == second.fingerprint
    assert FromSplitter(ShuffleSplit(3)).plan(DATA, seed=2).fingerprint != first.fingerprint
