"""The drawn plan against the plan itself: every cell counted by hand from the splits."""

import numpy as np
import pytest

from referee.core.dataset import Dataset
from referee.core.plan import Part, Plan, Split
from referee.report.describe.pictures.plan_picture import plan_grid
from referee.report.figures.plan_grid import draw_plan, plan_svg
from referee.resampling import Bootstrap, CrossValidation, Holdout, LeaveOneOut


def data(n):
    return Dataset.of(np.arange(n, dtype=float)[:, None], np.arange(n) % 2)


def planned(scheme, n):
    return scheme.plan(data(n), 0)


def test_first_repetition_is_a_staircase_and_sizes_are_those_of_the_splits():
    plan = planned(CrossValidation(5, 3), 40)
    grid = plan_grid(plan)
    main = plan.part(Part.MAIN)
    assert grid.labels[:6] == ("1", "2", "3", "4", "5", "2.1")
    for row in range(5):
        tested = [k for k, share in enumerate(grid.test[row]) if share > 0]
        assert tested == list(range(tested[0], tested[0] + len(main[row].test)))
    assert grid.sizes == tuple((len(s.train), len(s.test)) for s in main[: len(grid.sizes)])


def test_shares_of_blocks_sum_to_the_cases_that_train_and_test():
    n = 150
    plan = planned(CrossValidation(10, 1), n)
    grid = plan_grid(plan)
    per_block = np.bincount(np.arange(n) * 60 // n)
    for train, test, sizes in zip(grid.train, grid.test, grid.sizes, strict=True):
        assert np.dot(train, per_block) == pytest.approx(sizes[0], abs=0.1)
        assert np.dot(test, per_block) == pytest.approx(sizes[1], abs=0.1)


def test_a_bootstrap_tests_only_what_it_did_not_draw():
    plan = planned(Bootstrap(30), 50)
    grid = plan_grid(plan)
    assert len(grid.labels) == 20
    assert "10 more fits" in grid.caption
    for split, sizes in zip(plan.part(Part.MAIN), grid.sizes, strict=False):
        drawn = len(set(split.train.tolist()))
        assert sizes == (drawn, 50 - drawn)
    assert all(a + b <= 1 + 1e-9 for t, u in zip(grid.train, grid.test, strict=True)
               for a, b in zip(t, u, strict=True))  # fmt: skip


def test_leave_one_out_is_drawn_in_twenty_rows():
    grid = plan_grid(planned(LeaveOneOut(), 100))
    assert len(grid.labels) == 20
    assert grid.labels[0] == "1 to 5"
    assert grid.sizes[0] == (99, 1)
    assert "several of 100 fits" in grid.caption


def test_one_split_is_one_row():
    grid = plan_grid(planned(Holdout(), 30))
    assert len(grid.labels) == 1
    assert sum(grid.sizes[0]) == 30


def test_a_model_tested_on_what_it_saw_is_drawn_as_such():
    every = np.arange(4)
    grid = plan_grid(Plan((Split(every, every),), n=4, scheme="resubstitution", description=""))
    assert grid.train == grid.test == ((1.0,) * 4,)


def test_svg_stays_small():
    assert len(plan_svg(plan_grid(planned(CrossValidation(10, 10), 5000)))) < 120_000


def forward(n=60, gap=0, folds=4):
    from sklearn.model_selection import TimeSeriesSplit

    return list(TimeSeriesSplit(folds, gap=gap).split(np.zeros((n, 1))))


@pytest.mark.parametrize("gap", [0, 5])
@pytest.mark.parametrize("shuffled", [False, True])
def test_forward_validation_trains_left_of_what_it_tests(gap, shuffled):
    n = 60
    row = np.random.default_rng(0).permutation(n) if shuffled else np.arange(n)
    splits = tuple(Split(row[train], row[test]) for train, test in forward(n, gap))
    grid = plan_grid(Plan(splits, n=n, scheme="splitter", description=""))
    for (train, test), trains, tests in zip(forward(n, gap), grid.train, grid.test, strict=True):
        assert np.flatnonzero(trains).tolist() == train.tolist()
        assert np.flatnonzero(tests).tolist() == test.tolist()


def test_data_with_times_are_drawn_in_time():
    time = np.random.default_rng(1).permutation(40)
    data = Dataset.of(np.zeros((40, 1)), np.arange(40) % 2, time=time)
    for scheme in (CrossValidation(4), Holdout()):
        grid = plan_grid(scheme.plan(data, 0))
        for trains, tests in zip(grid.train, grid.test, strict=True):
            assert np.flatnonzero(trains).max() < np.flatnonzero(tests).min()


def test_cases_in_neither_set_are_named_in_the_legend():
    plans = {False: planned(CrossValidation(4), 40), True: _forward_plan()}
    for blank, plan in plans.items():
        grid = plan_grid(plan)
        assert ("left out" in plan_svg(grid)) is blank
        legend = draw_plan(grid).get_legend()
        assert ("left out" in [t.get_text() for t in legend.get_texts()]) is blank


def _forward_plan():
    splits = tuple(Split(train, test) for train, test in forward())
    return Plan(splits, n=60, scheme="splitter", description="")
