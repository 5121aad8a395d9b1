"""Holdout: shares, strata, groups and time."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from referee.core import Dataset, Part
from referee.errors import InputError, PlanError
from referee.resampling import Holdout, share_by_size


def dataset(y, **more):
    return Dataset.of(np.arange(len(y), dtype=float)[:, None], y, **more)


def parts(plan):
    """Training rows and the rows that are tested without having been trained on."""
    (split,) = plan.splits
    return split.train, np.setdiff1d(split.test, split.train)


@settings(max_examples=40, deadline=None)
@given(
    st.integers(10, 80),
    st.integers(10, 80),
    st.floats(0.1, 0.8),
    st.booleans(),
    st.integers(0, 1000),
)
def test_share_and_strata(a, b, share, stratify, seed):
    data = dataset(np.repeat([0, 1], [a, b]))
    train, test = parts(Holdout(share, stratify=stratify).plan(data, seed))
    assert len(test) == math.ceil(share * data.n)
    assert sorted([*train, *test]) == list(range(data.n))
    if stratify:
        assert abs((data.codes[test] == 0).sum() - share * a) < 2


@pytest.mark.parametrize(
    ("n", "share"), [(2, 0.5), (499, 0.5), (500, 0.2), (19_999, 0.2), (20_000, 0.1), (10**6, 0.1)]
)
def test_share_by_size_at_its_bounds(n, share):
    assert share_by_size(n) == share


def test_the_default_share_follows_the_size():
    assert len(parts(Holdout().plan(dataset([0, 1] * 50)))[1]) == 50
    assert len(parts(Holdout().plan(dataset([0, 1] * 500)))[1]) == 200


def test_repetitions_are_main_splits_and_one_fit_on_all_rows():
    plan = Holdout(0.25, 3).plan(dataset([0, 1] * 20))
    assert [s.repetition for s in plan.part(Part.MAIN)] == [0, 1, 2]
    assert [len(s.test) for s in plan.part(Part.MAIN)] == [10] * 3
    assert plan.fits == 4
    assert "3 times" in plan.description


@settings(max_examples=40, deadline=None)
@given(st.floats(0.1, 0.6), st.integers(0, 1000))
def test_time_tests_the_latest_rows_and_splits_no_moment(share, seed):
    rng = np.random.default_rng(seed)
    time = rng.integers(15, size=60)
    time[:2] = [0, 14]
    train, test = parts(Holdout(share).plan(dataset([0, 1] * 30, time=time)))
    assert time[train].max() < time[test].min()
    assert len(test) >= math.ceil(share * 60)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"test_share": 0.0}, "test_share must lie strictly between 0 and 1, got 0.0"),
        ({"test_share": 1.0}, "test_share must lie strictly between 0 and 1, got 1.0"),
        ({"test_share": 20}, "test_share must lie strictly between 0 and 1, got 20"),
        ({"test_share": "half"}, "test_share must lie strictly between 0 and 1, got 'half'"),
        ({"test_share": math.nan}, "test_share must lie strictly between 0 and 1, got nan"),
        ({"repetitions": 0}, "repetitions must be a whole number of at least 1, got 0"),
        ({"repetitions": 1.5}, "repetitions must be a whole number of at least 1, got 1.5"),
    ],
)
def test_bad_options(options, message):
    with pytest.raises(InputError, match=message):
        Holdout(**options)


@pytest.mark.parametrize(
    ("scheme", "data", "message"),
    [
        (Holdout(0.95), dataset([0, 1] * 4), "test_share 0.95 of 8 rows leaves nothing to train"),
        (
            Holdout(0.5),
            dataset(["a"] * 9 + ["b"]),
            "class 'b' has 1 of 10 rows and 5 are tested; merge or drop rare classes",
        ),
        (Holdout(0.05), dataset([0, 1] * 10), "1 are tested"),
        (
            Holdout(0.8),
            dataset([0, 1] * 3, groups=[0, 0, 1, 1, 2, 2]),
            "test_share 0.8 of 3 groups leaves no group to train on",
        ),
        (Holdout(0.5, 2), dataset([0, 1] * 3, time=np.arange(6)), "it cannot be repeated"),
        (Holdout(0.5), dataset([0, 1] * 3, time=np.zeros(6)), "time does not order the rows"),
    ],
)
def test_what_cannot_be_done_says_why(scheme, data, message):
    with pytest.raises(PlanError, match=message):
        scheme.plan(data)
