"""Splits held in few bytes, against the same splits as row numbers."""

import pickle
import tracemalloc

import numpy as np
import pytest
from sklearn.model_selection import KFold, StratifiedKFold

from referee.core.dataset import Dataset
from referee.core.fold_split import FoldSplit, LeftOut, fold_splits
from referee.core.plan import Part, Plan, Split
from referee.errors import PlanError
from referee.resampling import CrossValidation, LeaveOneOut
from referee.resampling.dealing import Strata, dealt


def _explicit(plan):
    splits = tuple(Split(s.train, s.test, s.repetition, s.part) for s in plan.splits)
    return Plan(splits, plan.n, plan.scheme, plan.description, plan.task)


@pytest.mark.parametrize("n", [7, 30, 1001])
@pytest.mark.parametrize("folds", [2, 3, 7])
def test_folds_against_scikit_learn(n, folds):
    theirs = KFold(folds, shuffle=True, random_state=3).split(np.zeros(n))
    ours = dealt(n, folds, 3)
    for number, (_, test) in enumerate(theirs):
        assert np.flatnonzero(ours == number).tolist() == test.tolist()


@pytest.mark.parametrize("classes", [2, 5])
@pytest.mark.parametrize("folds", [2, 3, 10])
def test_stratified_folds_against_scikit_learn(classes, folds):
    rng = np.random.default_rng(0)
    y = rng.choice(classes, size=537, p=np.arange(1, classes + 1) / (classes * (classes + 1) / 2))
    theirs = StratifiedKFold(folds, shuffle=True, random_state=8).split(np.zeros(537), y)
    ours = Strata.of(y).dealt(folds, 8)
    for number, (_, test) in enumerate(theirs):
        assert np.flatnonzero(ours == number).tolist() == test.tolist()


@pytest.mark.parametrize("scheme", [CrossValidation(5, 2), LeaveOneOut()])
def test_form_does_not_matter(scheme):
    data = Dataset.of(np.zeros((40, 1)), [0, 1] * 20)
    plan = scheme.plan(data, 1)
    rows = _explicit(plan)
    assert rows.fingerprint == plan.fingerprint == pickle.loads(pickle.dumps(plan)).fingerprint
    for compact, explicit in zip(plan.splits, rows.splits, strict=True):
        assert (compact.n_train, compact.n_test) == (explicit.n_train, explicit.n_test)
        assert compact.unseen.tolist() == explicit.unseen.tolist()
        assert compact.times_seen(40).tolist() == explicit.times_seen(40).tolist()
        assert compact.trains_on_the_rest(40) == explicit.trains_on_the_rest(40)


def test_fingerprint_knows_every_row():
    first = Plan((Split(np.array([0, 1]), np.array([2, 3])),), 4, "given", "")
    swapped = Plan((Split(np.array([1, 0]), np.array([2, 3])),), 4, "given", "")
    fewer = Plan((Split(np.array([0]), np.array([2, 3])),), 4, "given", "")
    later = Plan((Split(np.array([0, 1]), np.array([2, 3]), 1),), 4, "given", "")
    assert len({p.fingerprint for p in (first, swapped, fewer, later)}) == 4


def test_ten_by_ten_of_a_million_takes_little_room():
    data = Dataset.of(np.zeros((1_000_000, 1)), np.arange(1_000_000) % 2)
    tracemalloc.start()
    plan = CrossValidation(10, 10).plan(data)
    held, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert held < 50e6
    assert plan.fits == 121
    assert sum(s.n_test for s in plan.part(Part.MAIN)) == 10_000_000


@pytest.mark.parametrize(
    ("split", "n", "said"),
    [
        (FoldSplit(np.array([0, 0]), 0), 2, "no rows to train on"),
        (FoldSplit(np.array([0, 1]), 2), 2, "no rows to test on"),
        (FoldSplit(np.array([0, 1]), 0), 3, "speaks of 2 cases, not of 3"),
        (LeftOut(3, 3), 3, "leaves out case 3 of 3"),
    ],
)
def test_impossible_splits_are_refused(split, n, said):
    with pytest.raises(PlanError, match=said):
        Plan((split,), n, "cv", "")


def test_folds_without_a_case_are_left_out():
    assert [s.test.tolist() for s in fold_splits(np.array([0, 2, 0]))] == [[0, 2], [1]]
