"""Cross-validation with halvings: what its plan promises, for random data."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.dummy import DummyClassifier

from referee.core import Dataset, Part
from referee.errors import InputError, PlanError
from referee.fitting.run import run
from referee.resampling import CrossValidation, Scheme
from referee.resampling.halving import CalibratedCrossValidation

SMALL = CalibratedCrossValidation(folds=3, repetitions=2, halvings=4)


@st.composite
def data(draw, groups=False):
    """Two or three classes with at least eight cases each."""
    counts = draw(st.lists(st.integers(8, 18), min_size=2, max_size=3))
    rng = np.random.default_rng(draw(st.integers(0, 99)))
    y = rng.permutation(np.repeat(np.arange(len(counts)), counts))
    ids = rng.permutation(np.arange(len(y)) % 12) if groups else None
    return Dataset.of(np.arange(len(y), dtype=float)[:, None], y, groups=ids)


def rows_of(plan):
    return [(s.train.tolist(), s.test.tolist(), s.repetition, s.part) for s in plan.splits]


def halves_of(plan):
    """Return the rows of each half, read off the splits, in the order of the repetitions."""
    inside = plan.part(Part.HALVINGS)
    numbers = sorted({s.repetition for s in inside})
    assert numbers == list(range(len(numbers)))
    return [np.sort(np.concatenate([s.test for s in inside if s.repetition == r])) for r in numbers]


@settings(max_examples=20, deadline=None)
@given(data=data(), seed=st.integers(0, 2**32 - 1))
def test_contract(data, seed):
    plan = SMALL.plan(data, seed)
    assert isinstance(SMALL, Scheme)
    assert rows_of(plan) == rows_of(SMALL.plan(data, seed))
    assert plan.fingerprint == SMALL.plan(data, seed).fingerprint
    plan.check_suits(data)
    halves = halves_of(plan)
    assert len(halves) == 8
    for first, second in zip(halves[::2], halves[1::2], strict=True):
        assert sorted([*first, *second]) == list(range(data.n))
        assert abs(len(first) - len(second)) <= 1
        for half in (first, second):
            assert np.bincount(data.codes[half], minlength=len(data.classes)).min() >= 2
    for s in plan.part(Part.HALVINGS):
        assert sorted([*s.train, *s.test]) == halves[s.repetition].tolist()
        # Every class is there to be learned.
        assert len(np.unique(data.codes[s.train])) == len(data.classes)
    for r in range(2):
        tested = np.concatenate([s.test for s in plan.part(Part.MAIN) if s.repetition == r])
        assert sorted(tested) == list(range(data.n))
    assert [s.part for s in plan.splits].count(Part.RESUBSTITUTION) == 1


@settings(max_examples=20, deadline=None)
@given(data=data(groups=True), seed=st.integers(0, 1000))
def test_groups_are_never_split(data, seed):
    plan = CalibratedCrossValidation(3, 2, 3).plan(data, seed)
    for s in plan.part(Part.MAIN) + plan.part(Part.HALVINGS):
        assert not set(data.groups[s.train]) & set(data.groups[s.test])
    halves = halves_of(plan)
    for first, second in zip(halves[::2], halves[1::2], strict=True):
        assert sorted([*first, *second]) == list(range(data.n))
        assert not set(data.groups[first]) & set(data.groups[second])
    assert "groups kept whole, with 3 halvings" in plan.description


def test_main_splits_are_those_of_cross_validation():
    data = Dataset.of(np.arange(40.0)[:, None], [0, 1] * 20)
    oracle = CrossValidation(3, 2, halves=0).plan(data, 5).part(Part.MAIN)
    made = SMALL.plan(data, 5).part(Part.MAIN)
    for a, b in zip(made, oracle, strict=True):
        assert (a.test.tolist(), a.repetition) == (b.test.tolist(), b.repetition)


def test_seeds_halvings_and_halves_differ():
    data = Dataset.of(np.arange(40.0)[:, None], [0, 1] * 20)
    assert rows_of(SMALL.plan(data, 1)) != rows_of(SMALL.plan(data, 2))
    assert len({tuple(h) for h in halves_of(SMALL.plan(data, 1))}) == 8


def test_halves_are_not_stratified():
    data = Dataset.of(np.arange(60.0)[:, None], [0, 1] * 30)
    plan = CalibratedCrossValidation(3, 1, halvings=200).plan(data, 0)
    ones = np.array([data.codes[h].sum() for h in halves_of(plan)[::2]])
    # Hypergeometric, against theory: variance 30 · 1/4 · 60/59 / 2 = 3.81.
    assert ones.mean() == pytest.approx(15, abs=0.5)
    assert np.var(ones) == pytest.approx(3.81, rel=0.35)


def folds_inside(plan):
    inside = plan.part(Part.HALVINGS)
    return [sum(s.repetition == r for s in inside) for r in range(len(halves_of(plan)))]


def test_folds_follow_the_rarest_class():
    y = np.repeat([0, 1], [40, 6])
    data = Dataset.of(np.arange(46.0)[:, None], y)
    plan = CalibratedCrossValidation(3, 1, 10).plan(data, 0)
    rarest = [int(np.bincount(y[h], minlength=2).min()) for h in halves_of(plan)]
    assert folds_inside(plan) == [min(5, r) for r in rarest]
    assert min(rarest) >= 2
    plenty = Dataset.of(np.arange(60.0)[:, None], [0, 1] * 30)
    assert set(folds_inside(SMALL.plan(plenty, 0))) == {5}


def test_stratifies_where_drawing_fails_and_says_so():
    # Twelve classes of four: a random halving has two of each with probability below 1 in 1000.
    data = Dataset.of(np.arange(48.0)[:, None], np.repeat(np.arange(12), 4))
    plan = CalibratedCrossValidation(3, 1, 4).plan(data, 0)
    assert plan.description.endswith("with 4 halvings, 4 of them stratified")
    for half in halves_of(plan):
        assert np.bincount(data.codes[half]).tolist() == [2] * 12
    assert (
        CalibratedCrossValidation()
        .plan(Dataset.of(np.arange(60.0)[:, None], [0, 1] * 30), 0)
        .description
        == "10 × 10-fold cross-validation, stratified, with 40 halvings"
    )


def test_runs_through_the_fit_loop():
    data = Dataset.of(np.arange(40.0)[:, None], [0, 1] * 20)
    plan = SMALL.plan(data, 3)
    table = run(DummyClassifier(), data, plan).predictions
    assert len(table.case) == sum(len(s.test) for s in plan.splits)


@pytest.mark.parametrize(
    ("call", "error", "message"),
    [
        (lambda: CalibratedCrossValidation(halvings=0), InputError, "halvings must be .* got 0"),
        (lambda: CalibratedCrossValidation(folds=1), InputError, "folds must be .* got 1"),
        (
            lambda: SMALL.plan(Dataset.of(np.zeros((23, 1)), [0] * 20 + [1] * 3)),
            PlanError,
            "class 1 has 3 cases, and halvings need at least 4 cases",
        ),
        (
            lambda: SMALL.plan(
                Dataset.of(np.zeros((40, 1)), [0] * 20 + [1] * 20, groups=np.arange(40) // 7)
            ),
            PlanError,
            "has 3 groups, and halvings need at least 4 groups",
        ),
        (
            lambda: SMALL.plan(Dataset.of(np.zeros((9, 1)), [0, 1, 1] * 3, time=range(9))),
            PlanError,
            "these have times",
        ),
    ],
)
def test_bad_arguments(call, error, message):
    with pytest.raises(error, match=message):
        call()
