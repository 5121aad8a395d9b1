"""Cross-validation: strata, groups, time, and what it cannot do."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.model_selection import StratifiedKFold, TimeSeriesSplit

from referee.core import Dataset, Part
from referee.core.randomness import child
from referee.errors import InputError, PlanError
from referee.resampling import CrossValidation


def dataset(y, **more):
    return Dataset.of(np.arange(len(y), dtype=float)[:, None], y, **more)


@settings(max_examples=40, deadline=None)
@given(
    st.lists(st.integers(5, 30), min_size=2, max_size=4),
    st.integers(2, 5),
    st.integers(0, 10_000),
)
def test_class_counts_of_folds_differ_by_at_most_one(counts, folds, seed):
    data = dataset(np.repeat(np.arange(len(counts)), counts))
    for split in CrossValidation(folds).plan(data, seed).part(Part.MAIN):
        for c, count in enumerate(counts):
            tested = int((data.codes[split.test] == c).sum())
            assert tested in (count // folds, -(-count // folds))


def test_folds_against_sklearn():
    data = dataset([0, 1, 1] * 12)
    made = CrossValidation(4, 2).plan(data, seed=9).part(Part.MAIN)
    for r in range(2):
        splitter = StratifiedKFold(4, shuffle=True, random_state=child(9, r))
        for k, (train, test) in enumerate(splitter.split(data.X, data.y)):
            assert made[4 * r + k].train.tolist() == train.tolist()
            assert made[4 * r + k].test.tolist() == test.tolist()
            assert made[4 * r + k].repetition == r


@pytest.mark.parametrize(
    ("scheme", "halves"),
    [
        (CrossValidation(5), 0),
        (CrossValidation(5, 3), 3),
        (CrossValidation(5, 3, halves=0), 0),
        (CrossValidation(5, halves=2), 2),
    ],
)
def test_number_of_fits(scheme, halves):
    plan = scheme.plan(dataset([0, 1] * 20))
    assert len(plan.part(Part.HALVES)) == 2 * halves
    assert len(plan.part(Part.MAIN)) == 5 * scheme.repetitions
    assert plan.fits == 5 * scheme.repetitions + 2 * halves + 1
    for split in plan.part(Part.HALVES):
        assert len(split.train) == len(split.test) == 20


def test_default_of_ten_by_ten_is_121_fits():
    assert CrossValidation(10, 10).plan(dataset([0, 1] * 20)).fits == 100 + 20 + 1


def test_best_effort_spreads_a_rare_class_as_far_as_it_goes():
    data = dataset([0] * 27 + [1] * 3)
    plan = CrossValidation(10, stratify="best effort").plan(data)
    rare = [int((data.codes[s.test] == 1).sum()) for s in plan.part(Part.MAIN)]
    assert sorted(rare) == [0] * 7 + [1] * 3


def test_forward_against_sklearn():
    plan = CrossValidation(4, forward=True).plan(dataset([0, 1] * 11))
    for split, (train, test) in zip(
        plan.part(Part.MAIN), TimeSeriesSplit(4).split(np.zeros(22)), strict=True
    ):
        assert split.train.tolist() == train.tolist()
        assert split.test.tolist() == test.tolist()


@settings(max_examples=40, deadline=None)
@given(st.integers(2, 6), st.integers(0, 1000))
def test_forward_never_trains_on_the_future(folds, seed):
    rng = np.random.default_rng(seed)
    time = rng.integers(12, size=60)
    time[:12] = np.arange(12)
    data = dataset(rng.permutation(np.arange(60) % 2), time=time)
    plan = CrossValidation(folds).plan(data)
    main = plan.part(Part.MAIN)
    assert 1 <= len(main) <= folds  # rows of one moment may fill a whole block
    for split in main:
        assert time[split.train].max() < time[split.test].min()
    tested = np.concatenate([s.test for s in main])
    assert len(np.unique(tested)) == len(tested)
    assert "forward" in plan.description


@pytest.mark.parametrize(
    "time", [np.array(["2024-03-01", "2024-01-01", "2024-02-01"] * 3, "M8[D]")]
)
def test_dates_order_the_rows(time):
    data = dataset([0, 1, 0] * 3, time=time)
    for split in CrossValidation(2).plan(data).part(Part.MAIN):
        assert time[split.train].max() < time[split.test].min()


def test_groups_are_kept_whole_in_time_too():
    data = dataset([0, 1] * 6, groups=[0, 0, 1, 1, 2, 1, 2, 2, 3, 3, 2, 3], time=np.arange(12))
    for split in CrossValidation(3).plan(data).part(Part.MAIN):
        assert not set(data.groups[split.train]) & set(data.groups[split.test])
        assert data.time[split.train].max() < data.time[split.test].min()


def test_groups_that_span_all_times_leave_nothing_to_train_on():
    data = dataset([0, 1] * 6, groups=[0, 1, 2] * 4, time=np.arange(12))
    with pytest.raises(PlanError, match=r"nothing is left to train on; leave out time= or groups="):
        CrossValidation(3).plan(data)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"folds": 1}, "folds must be a whole number of at least 2, got 1"),
        ({"folds": 2.5}, "folds must be a whole number of at least 2, got 2.5"),
        ({"folds": "5"}, "folds must be a whole number of at least 2, got 5"),
        ({"repetitions": 0}, "repetitions must be a whole number of at least 1, got 0"),
        ({"halves": -1}, "halves must be a whole number of at least 0, got -1"),
        ({"halves": 1.5}, "halves must be a whole number of at least 0, got 1.5"),
        ({"stratify": "maybe"}, "stratify must be True, False or 'best effort', got 'maybe'"),
    ],
)
def test_bad_options(options, message):
    with pytest.raises(InputError, match=message):
        CrossValidation(**options)


@pytest.mark.parametrize(
    ("scheme", "data", "message"),
    [
        (
            CrossValidation(40),
            dataset([0, 1] * 15),
            "folds must be between 2 and 30 cases, got 40; use by='loo'",
        ),
        (
            CrossValidation(10),
            dataset(["a"] * 20 + ["b"] * 4),
            "class 'b' has 4 cases, fewer than the 10 folds; use folds=4, stratify='best effort'",
        ),
        (
            CrossValidation(5),
            dataset([0] * 20 + [1]),
            "class 1 has 1 cases, fewer than the 5 folds; use stratify=False",
        ),
        (
            CrossValidation(8, stratify="best effort"),
            dataset([0, 1, 2] * 4),
            r"no class has as many cases as there are folds \(8\); use by='loo'",
        ),
        (
            CrossValidation(5),
            dataset([0, 1] * 8, groups=np.arange(16) // 4),
            "folds must not exceed the 4 groups, got 5; use folds=4",
        ),
        (
            CrossValidation(10),
            dataset([0, 1] * 5, groups=np.arange(10)),
            r"no class has as many cases as there are folds \(10\); use folds=5",
        ),
        (
            CrossValidation(5),
            dataset([0, 1] * 4, time=[0, 0, 1, 1, 2, 2, 3, 3]),
            "5 forward folds need at least 6 moments, got 4; use folds=3",
        ),
        (
            CrossValidation(2),
            dataset([0, 1] * 2, time=[0, 0, 1, 1]),
            "needs at least 3 moments, got 2; use by='holdout'",
        ),
        (
            CrossValidation(2, 3),
            dataset([0, 1] * 4, time=np.arange(8)),
            "one order only; it cannot be repeated",
        ),
    ],
)
def test_what_cannot_be_done_says_why(scheme, data, message):
    with pytest.raises(PlanError, match=message):
        scheme.plan(data)
