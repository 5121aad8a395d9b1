"""R004: rows in order of class or of time; the runs statistic against all permutations."""

from itertools import pairwise, permutations

import numpy as np
import pytest
from sklearn.model_selection import KFold

from referee.checks import Context
from referee.checks.data.order import check, runs_z
from referee.core import Dataset, Severity
from referee.resampling import CrossValidation, FromPairs, FromSplitter, Holdout, Resubstitution


def made(y, **known):
    return Dataset.of(np.random.default_rng(0).normal(size=(len(y), 2)), y, **known)


def changes(codes):
    return sum(a != b for a, b in pairwise(codes))


@pytest.mark.parametrize(
    "codes",
    [(0, 0, 1, 1), (0, 1, 1, 1, 1), (0, 0, 0, 1, 1, 1), (0, 0, 1, 1, 2, 2), (0, 0, 1, 2, 3, 3, 3)],
)
def test_runs_z_against_all_permutations(codes):
    every = [changes(order) for order in permutations(codes)]
    mean, sd = np.mean(every), np.std(every)
    rng = np.random.default_rng(0)
    for _ in range(5):
        order = rng.permutation(codes)
        expected = (changes(order.tolist()) - mean) / sd
        assert runs_z(order) == pytest.approx(expected, abs=1e-9)


def test_runs_z_against_simulation():
    rng = np.random.default_rng(1)
    codes = np.repeat([0, 1, 2], [120, 60, 20])
    drawn = [changes(rng.permutation(codes).tolist()) for _ in range(3000)]
    expected = (2 - np.mean(drawn)) / np.std(drawn)
    assert runs_z(codes) == pytest.approx(expected, rel=0.05)


def test_runs_z_is_standardised_over_random_orders():
    rng = np.random.default_rng(2)
    codes = rng.integers(3, size=300)
    zs = [runs_z(rng.permutation(codes)) for _ in range(2000)]
    assert np.mean(zs) == pytest.approx(0, abs=0.1)
    assert np.std(zs) == pytest.approx(1, abs=0.06)


@pytest.mark.parametrize("codes", [[0, 1, 0], [0, 0, 0, 0], [0, 1, 2, 3, 4]])
def test_runs_z_is_zero_where_nothing_can_vary(codes):
    assert runs_z(np.array(codes)) == 0


def test_note_where_sorted_rows_were_split_at_random():
    d = made(np.repeat([0, 1], 50))
    found = check(Context(data=d, plan=CrossValidation(5).plan(d)))
    assert (found.code, found.severity) == ("R004", Severity.NOTE)
    assert "sorted by class" in found.title
    assert "random" not in check(Context(data=d, plan=Resubstitution().plan(d))).remedy


def test_serious_where_sorted_rows_leave_training_sets_without_a_class():
    d = made(np.repeat([0, 1, 2], 40))
    found = check(Context(data=d, plan=FromSplitter(KFold(3)).plan(d)))
    assert found.severity is Severity.SERIOUS
    assert "3 training sets lack a class" in found.message


def test_a_class_of_one_case_is_not_the_fault_of_the_order():
    d = made(np.array([1] + [0] * 99))
    plan = CrossValidation(5, stratify="best effort").plan(d)
    found = check(Context(data=d, plan=plan))
    assert found is None or found.severity is Severity.NOTE


def test_note_where_neighbours_are_alike():
    y = np.tile(np.repeat([0, 1], 10), 10)
    d = made(y)
    found = check(Context(data=d, plan=CrossValidation(5).plan(d)))
    assert found.severity is Severity.NOTE
    assert f"({-runs_z(y):.0f} standard deviations more)" in found.message


def test_silent_for_random_order_and_for_blocks_too_short_to_tell():
    rng = np.random.default_rng(0)
    for y in (rng.integers(2, size=200), np.tile([0, 0, 1, 1], 10), np.tile([0, 1], 100)):
        d = made(y)
        assert runs_z(y) > -5
        assert check(Context(data=d, plan=CrossValidation(5).plan(d))) is None


def test_serious_where_training_rows_are_later_than_tested_ones():
    rng = np.random.default_rng(0)
    y = rng.integers(2, size=60)
    d = made(y, time=np.arange(60))
    rows = np.arange(60)
    pairs = [(rows[:30], rows[30:]), (rows[30:], rows[:30]), (np.r_[0:10, 20:30], rows[10:20])]
    found = check(Context(data=d, plan=FromPairs(pairs).plan(d)))
    assert found.severity is Severity.SERIOUS
    assert "2 of 3 splits" in found.message


def test_silent_where_splits_go_forward_in_time():
    y = np.random.default_rng(0).integers(2, size=60)
    d = made(y, time=np.random.default_rng(1).permutation(60))
    for scheme in (CrossValidation(5), Holdout(0.2)):
        assert check(Context(data=d, plan=scheme.plan(d))) is None


def test_the_direction_is_said_in_shares_and_groups_are_not_advised_twice():
    rng = np.random.default_rng(0)
    y = np.repeat(rng.integers(2, size=60), 5)  # batches of one class
    data = Dataset.of(rng.normal(size=(300, 2)), y)
    plan = CrossValidation(5).plan(data)
    finding = check(Context(data=data, plan=plan))
    assert "of neighbouring rows share their class, in random order" in finding.message
    assert "standard deviations more" in finding.message
    assert "groups=" in finding.remedy
    grouped = Dataset.of(rng.normal(size=(300, 2)), y, groups=np.arange(300) // 5)
    finding = check(Context(data=grouped, plan=CrossValidation(5).plan(grouped)))
    assert "groups" not in finding.remedy
    assert "time=" in finding.remedy
