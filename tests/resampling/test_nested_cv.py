"""Nested cross-validation: who is in which loop, rare classes, refusals."""

from itertools import combinations

import numpy as np
import pytest

from referee.core import Dataset, Part
from referee.errors import InputError, PlanError
from referee.resampling import NestedCrossValidation


def dataset(y, **more):
    return Dataset.of(np.zeros((len(y), 1)), y, **more)


def test_every_pair_of_folds_is_left_out_once_and_predicted():
    data = dataset([0, 1] * 22)
    plan = NestedCrossValidation(4, 3).plan(data, 5)
    for r in range(3):
        folds = [set(s.test) for s in plan.part(Part.MAIN) if s.repetition == r]
        assert set().union(*folds) == set(range(44))
        assert sum(map(len, folds)) == 44
        nested = [s for s in plan.part(Part.NESTED) if s.repetition == r]
        wanted = [a | b for a, b in combinations(folds, 2)]
        assert [set(s.test) for s in nested] == wanted
        assert all(set(s.train) == set(range(44)) - set(s.test) for s in nested)
    assert plan.fits == 3 * (4 + 6) + 1


def test_rare_classes_are_left_to_every_inner_loop():
    data = dataset([0] * 40 + [1] * 4)
    for seed in range(20):
        plan = NestedCrossValidation(5, 3).plan(data, seed)
        assert all(len(np.unique(data.codes[s.train])) == 2 for s in plan.splits)
    assert "stratified" not in plan.description


def test_stratified_when_random_partitions_will_not_do():
    data = dataset([0] * 30 + [k for k in range(1, 13) for _ in range(3)])
    plan = NestedCrossValidation(3, 2).plan(data, 0)
    assert plan.description.endswith("2 × 3 folds, stratified")
    assert all(len(np.unique(data.codes[s.train])) == 13 for s in plan.splits)


@pytest.mark.parametrize(
    ("scheme", "data", "message"),
    [
        ((5, 1), dataset([0] * 30 + [1] * 2), "class 1 has 2 cases, .* by='auto'"),
        ((5, 1), dataset([0, 1] * 20, groups=np.arange(40) // 2), "by='conservative-z'"),
        ((5, 1), dataset([0, 1] * 20, time=np.arange(40)), "by='cv'"),
        ((8, 1), dataset([0, 1] * 7), "between 3 and 7 for 14 cases, got 8"),
    ],
)
def test_data_that_cannot_be_nested(scheme, data, message):
    with pytest.raises(PlanError, match=message):
        NestedCrossValidation(*scheme).plan(data)


@pytest.mark.parametrize("options", [{"folds": 2}, {"folds": 2.5}, {"repetitions": 0}])
def test_bad_options(options):
    with pytest.raises(InputError, match="must be a whole number of at least"):
        NestedCrossValidation(**options)
