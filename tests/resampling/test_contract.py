"""What every scheme promises, for random data: disjoint, complete, repeatable."""

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from sklearn.dummy import DummyClassifier
from sklearn.naive_bayes import GaussianNB

import referee
from referee.core import Dataset, Part, Split
from referee.errors import InputError, PlanError
from referee.fitting.run import run
from referee.resampling import (
    SCHEMES as NAMED,
)
from referee.resampling import (
    Bootstrap,
    CrossValidation,
    FromPairs,
    FromSplitter,
    HalvedHoldout,
    Holdout,
    LeaveOneOut,
    NamedScheme,
    NestedCrossValidation,
    Resubstitution,
    Scheme,
    TestRows,
    scheme_for,
)
from referee.resampling.scheme import make_plan

from sklearn.model_selection import KFold, RepeatedStratifiedKFold, ShuffleSplit  # isort: skip

SCHEMES = {
    "resubstitution": Resubstitution(),
    "holdout": Holdout(),
    "holdout, at random": Holdout(0.3, stratify=False),
    "holdout, repeated": Holdout(0.25, 4),
    "cv": CrossValidation(3),
    "cv, at random": CrossValidation(4, stratify=False),
    "cv, repeated": CrossValidation(3, 3),
    "cv, forward": CrossValidation(3, forward=True),
    "loo": LeaveOneOut(),
    "nested-cv": NestedCrossValidation(3, 2),
    "nested-cv, stratified": NestedCrossValidation(4, 1, stratify=True),
    "conservative-z": HalvedHoldout(0.25, 3, 2),
    "bootstrap": Bootstrap(6),
    "splitter": FromSplitter(KFold(3)),
    "splitter, repeated": FromSplitter(RepeatedStratifiedKFold(n_splits=2, random_state=0)),
    "splitter, shuffled": FromSplitter(ShuffleSplit(3, random_state=1)),
    "pairs": FromPairs([([0, 1, 2, 3], [4, 5]), ([2, 3, 4, 5], [0, 1])]),
    "test rows": TestRows(9),
}
RANDOM = ["holdout", "holdout, at random", "holdout, repeated", "cv", "cv, at random",
          "cv, repeated", "nested-cv", "conservative-z", "bootstrap"]  # fmt: skip


@st.composite
def data(draw, groups=False):
    """Two or three classes with at least six cases each."""
    counts = draw(st.lists(st.integers(6, 15), min_size=2, max_size=3))
    y = np.repeat(np.arange(len(counts)), counts)
    y = np.random.default_rng(draw(st.integers(0, 99))).permutation(y)
    n = len(y)
    rng = np.random.default_rng(draw(st.integers(0, 99)))
    ids = rng.permutation(np.arange(n) % draw(st.integers(6, 10))) if groups else None
    return Dataset.of(np.arange(n, dtype=float)[:, None], y, groups=ids)


def rows_of(plan):
    return [(s.train.tolist(), s.test.tolist(), s.repetition, s.part) for s in plan.splits]


def unseen(split):
    return np.setdiff1d(split.test, split.train)


@pytest.mark.parametrize("name", SCHEMES)
@settings(max_examples=15, deadline=None)
@given(data=data(), seed=st.integers(0, 2**32 - 1))
def test_contract(name, data, seed):
    scheme = SCHEMES[name]
    plan = scheme.plan(data, seed)
    assert isinstance(scheme, Scheme)
    assert rows_of(plan) == rows_of(scheme.plan(data, seed))
    assert plan.fingerprint == scheme.plan(data, seed).fingerprint
    assert (plan.n, plan.task) == (data.n, data.task)
    plan.check_suits(data)
    assert plan.description
    for split in plan.splits:
        assert len(split.train)
        assert len(np.unique(split.test)) == len(split.test)
        if split.part in (Part.HALVES, Part.NESTED, Part.HALF_HOLDOUTS) or (
            name.startswith(("cv", "loo", "nested", "conservative")) and split.part is Part.MAIN
        ):
            assert not set(split.train) & set(split.test)
    # The training error is always known: from a fit on all rows, or the one fit's own rows.
    whole = plan.part(Part.RESUBSTITUTION)
    if whole:
        assert whole[0].train.tolist() == whole[0].test.tolist() == list(range(data.n))
    else:
        (only,) = plan.splits
        assert set(only.train) <= set(only.test)


@pytest.mark.parametrize("name", ["cv", "cv, at random", "cv, repeated", "loo", "nested-cv"])
@settings(max_examples=15, deadline=None)
@given(data=data(), seed=st.integers(0, 1000))
def test_every_case_is_tested_once_in_each_repetition(name, data, seed):
    plan = SCHEMES[name].plan(data, seed)
    for part in (Part.MAIN, Part.HALVES):
        splits = plan.part(part)
        for r in {s.repetition for s in splits}:
            tested = np.concatenate([s.test for s in splits if s.repetition == r])
            assert sorted(tested) == list(range(data.n))
        for s in splits:
            assert sorted([*s.train, *s.test]) == list(range(data.n))


@pytest.mark.parametrize("name", RANDOM)
def test_different_seeds_differ(name):
    rows = Dataset.of(np.arange(40.0)[:, None], [0, 1] * 20)
    scheme = SCHEMES[name]
    assert rows_of(scheme.plan(rows, 1)) != rows_of(scheme.plan(rows, 2))


@pytest.mark.parametrize("name", ["holdout, repeated", "cv, repeated", "nested-cv", "bootstrap"])
def test_repetitions_differ(name):
    rows = Dataset.of(np.arange(40.0)[:, None], [0, 1] * 20)
    main = SCHEMES[name].plan(rows, 0).part(Part.MAIN)
    assert len({tuple(s.train) for s in main}) == len(main)


@pytest.mark.parametrize(
    "scheme",
    [
        CrossValidation(3),
        CrossValidation(3, 2),
        CrossValidation(3, stratify=False),
        Holdout(0.3),
        Holdout(0.3, 3),
        HalvedHoldout(0.2, 2, 2),
        LeaveOneOut(),
        Bootstrap(5),
    ],
    ids=str,
)
@settings(max_examples=15, deadline=None)
@given(data=data(groups=True), seed=st.integers(0, 1000))
def test_groups_are_never_split(scheme, data, seed):
    try:
        plan = scheme.plan(data, seed)
    except PlanError as problem:
        # Too few groups of a class for two halves is a refusal, not a split group.
        assume("both halves need two of each class" not in str(problem))
        raise
    for split in plan.splits:
        if split.part is Part.RESUBSTITUTION:
            continue
        held_out = unseen(split)
        assert len(held_out)
        assert not set(data.groups[held_out]) & set(data.groups[split.train])
    if isinstance(scheme, (CrossValidation, LeaveOneOut)):
        for r in range(getattr(scheme, "repetitions", 1)):
            main = [s.test for s in plan.part(Part.MAIN) if s.repetition == r]
            assert sorted(np.concatenate(main)) == list(range(data.n))
    assert "group" in plan.description


@pytest.mark.parametrize("name", SCHEMES)
def test_seen_counts_what_was_trained_on_against_a_plain_loop(name):
    rows = Dataset.of(np.arange(24.0)[:, None], [0, 1, 0] * 8)
    plan = SCHEMES[name].plan(rows, 3)
    table = run(DummyClassifier(), rows, plan).predictions
    at = 0
    for number, split in enumerate(plan.splits):
        train = split.train.tolist()
        for case in split.test:
            assert (table.split[at], table.case[at]) == (number, case)
            assert table.seen[at] == train.count(case)
            at += 1
    assert at == len(table.case)
    assert table.n_train.tolist() == [len(s.train) for s in plan.splits]
    assert np.isin(table.unseen.case, np.concatenate([s.test for s in plan.splits])).all()


@pytest.mark.parametrize("name", NAMED)
def test_catalogue_names_are_the_schemes_own(name):
    rows = Dataset.of(np.arange(40.0)[:, None], [0, 1] * 20)
    assert NAMED[name].title
    assert isinstance(NAMED[name].make(), Scheme)
    assert NAMED[name].make().plan(rows, 0).scheme == name


class FirstHalf:
    """Train on the first half of the rows, test on the second."""

    def plan(self, data, seed=0):
        half = data.n // 2
        split = Split(np.arange(half), np.arange(half, data.n))
        return make_plan(data, [split], "first-half", "trained on the first half")


def test_a_registered_scheme_is_chosen_by_name_and_named_in_messages():
    rng = np.random.default_rng(0)
    y = rng.integers(2, size=60)
    X = rng.normal(size=(60, 2)) + y[:, None]
    own = NamedScheme("first-half", title="the first half", make=FirstHalf)
    NAMED.register(own)
    try:
        result = referee.evaluate(GaussianNB(), X, y, by="first-half", random_state=0)
        assert result.how == "trained on the first half"
        assert result.error.n == 30
        assert "trained on the first half" in str(result).lower()
        for wrong, message in (("firsthalf", "did you mean 'first-half'"), (3.5, "first-half")):
            with pytest.raises(InputError, match=message):
                referee.evaluate(GaussianNB(), X, y, by=wrong)
        assert NAMED.table()[-1]["title"] == "the first half"
    finally:
        NAMED.remove("first-half")
    assert scheme_for(own, Dataset.of(X, y)).scheme.plan(Dataset.of(X, y)).fits == 1
