"""The plan of the conservative z: sizes of Nadeau and Bengio, disjoint halves, whole groups."""

import numpy as np
import pytest

from referee.core import Dataset, Part
from referee.errors import InputError, PlanError
from referee.resampling import HalvedHoldout


def dataset(y, **more):
    return Dataset.of(np.zeros((len(y), 1)), y, **more)


def halves_of(plan):
    inside = plan.part(Part.HALF_HOLDOUTS)
    for h in sorted({s.repetition for s in inside}):
        splits = [s for s in inside if s.repetition == h]
        yield splits, set().union(*({*s.train, *s.test} for s in splits))


@pytest.mark.parametrize("n", [100, 101])
def test_sizes_of_the_paper(n):
    """A tenth is tested, everywhere; nine tenths train, and two fifths in a half; 21 J fits."""
    plan = HalvedHoldout().plan(dataset(np.arange(n) % 2), 0)
    assert plan.fits == 15 * 21 + 1
    assert {(len(s.train), len(s.test)) for s in plan.part(Part.MAIN)} == {(n - 10, 10)}
    inside = plan.part(Part.HALF_HOLDOUTS)
    assert {(len(s.train), len(s.test)) for s in inside} == {(40, 10)}
    halves = list(halves_of(plan))
    assert all(len(splits) == 15 and len(rows) == 50 for splits, rows in halves)
    for (_, one), (_, other) in zip(halves[::2], halves[1::2], strict=True):
        assert not one & other


def test_groups_stay_whole_in_halves_and_splits():
    groups = np.repeat(np.arange(24), 3)
    data = dataset(np.arange(72) % 2, groups=groups)
    plan = HalvedHoldout(0.2, 3, 4).plan(data, 1)
    for split in plan.part(Part.MAIN) + plan.part(Part.HALF_HOLDOUTS):
        assert not set(groups[split.train]) & set(groups[split.test])
    halves = list(halves_of(plan))
    for (_, one), (_, other) in zip(halves[::2], halves[1::2], strict=True):
        assert not {groups[i] for i in one} & {groups[i] for i in other}
    assert "holdout of 5 groups" in plan.description


def test_every_training_set_holds_every_class():
    data = dataset([0] * 40 + [1] * 5)
    for seed in range(10):
        plan = HalvedHoldout(0.1, 5, 3).plan(data, seed)
        assert all(len(np.unique(data.codes[s.train])) == 2 for s in plan.splits)


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (dataset([0] * 30 + [1] * 3), "class 1 has 3 cases, .* by='auto'"),
        (
            dataset([0, 1] * 30, groups=np.repeat(np.arange(3), 20)),
            "class 0 has 3 groups",
        ),
        (dataset([0, 1] * 20, time=np.arange(40)), "by='cv'"),
        (dataset(np.repeat(np.arange(15), 4)), "fewer than 2 cases of a class"),
    ],
)
def test_data_that_cannot_be_halved(data, message):
    with pytest.raises(PlanError, match=message):
        HalvedHoldout().plan(data)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"test_share": 0.5}, "strictly between 0 and 0.5"),
        ({"test_share": "a"}, "strictly between 0 and 0.5"),
        ({"repetitions": 0}, "repetitions must be a whole number of at least 1, got 0"),
        ({"halvings": 1.5}, "halvings must be a whole number"),
    ],
)
def test_bad_options(options, message):
    with pytest.raises(InputError, match=message):
        HalvedHoldout(**options)
