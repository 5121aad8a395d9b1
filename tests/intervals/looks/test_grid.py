"""The grid: every loss lies in the cell that is shown for it, in both directions."""

import itertools
import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee.errors import InputError
from referee.intervals.looks import Grid, LadderState, ladder_look


@given(st.integers(20, 3000), st.floats(0.1, 0.9), st.booleans())
def test_cells_of_a_share_are_a_partition(n: int, baseline: float, up: bool) -> None:
    try:
        grid = Grid.of_share(n, baseline=baseline, greater_is_better=up)
    except InputError:
        return  # too few cases for a single step
    cells = [grid.cell(m) for m in range(grid.cells + 1)]
    assert cells[-1].low == 0
    assert cells[0].high == grid.baseline
    for worse, better in itertools.pairwise(cells):
        assert better.high + 1 == worse.low
    for loss in range(n + 1):
        rung = grid.rung(loss)
        cell = grid.cell(rung) if loss <= grid.baseline else grid.not_improved(0)
        assert cell.low <= loss <= cell.high
    assert grid.step / n >= 1.25 * math.sqrt(baseline * (1 - baseline) / n) - 1e-9


@given(st.integers(20, 5000), st.floats(0.1, 0.9), st.floats(0, 1), st.booleans())
def test_a_mean_lies_in_its_cell(n: int, baseline: float, value: float, up: bool) -> None:
    try:
        grid = Grid.of_mean(n, baseline=baseline, greater_is_better=up)
    except InputError:
        return
    loss = grid.loss(value)
    answer = ladder_look(grid, LadderState(), loss)
    low, high = answer.ends
    assert low - 1e-12 <= value <= high + 1e-12
    if answer.released is not None:
        # Rounded to the safe side: never better than the score itself.
        assert (answer.released <= value + 1e-12) if up else (answer.released >= value - 1e-12)


def test_accuracy_is_the_mirror_of_error() -> None:
    error = Grid.of_share(400, baseline=0.3)
    accuracy = Grid.of_share(400, baseline=0.7, greater_is_better=True)
    assert (error.cells, error.step) == (accuracy.cells, accuracy.step)
    for wrong in range(401):
        one = ladder_look(error, LadderState(), error.loss(wrong / 400))
        two = ladder_look(accuracy, LadderState(), accuracy.loss(1 - wrong / 400))
        assert (one.released is None) == (two.released is None)
        if one.released is not None and two.released is not None:
            assert one.released == pytest.approx(1 - two.released)
            left, right = one.interval(error).interval, two.interval(accuracy).interval
            assert left.low == pytest.approx(1 - right.high)


def test_cost_on_its_own_scale() -> None:
    grid = Grid.of_mean(1000, baseline=2.0, bounds=(0.0, 10.0))
    assert grid.step == pytest.approx(12.5 * math.sqrt(0.2 * 0.8 / 1000))
    answer = ladder_look(grid, LadderState(), grid.loss(1.5))
    i = answer.interval(grid).interval
    assert i.low < 1.5 < i.high < 2.2


def test_area_counts_the_smaller_class() -> None:
    grid = Grid.of_area(100, 900)
    assert grid.n == 100
    answer = ladder_look(grid, LadderState(), grid.loss(0.83))
    assert answer.released is not None
    assert 0.78 <= answer.released <= 0.83
    assert answer.interval(grid).interval.high > 0.83


def test_nothing_is_released_that_does_not_improve_by_a_step() -> None:
    grid = Grid.of_share(1000, baseline=0.5)
    state = LadderState()
    answer = ladder_look(grid, state, 481)
    assert answer.released is None
    assert answer.ends == (0.481, 1.0)
    assert answer.interval(grid).interval.high == 1
    assert answer.after == LadderState(looks=1)


def test_best_rung_is_the_end() -> None:
    grid = Grid.of_share(1000, baseline=0.5)
    answer = ladder_look(grid, LadderState(), 0)
    assert answer.after.rung == grid.cells
    after = ladder_look(grid, answer.after, 0)
    assert after.released is None
    assert after.ends == (0.0, 1.0)


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: Grid.of_share(0, baseline=0.5), "n must be a whole number of cases"),
        (lambda: Grid.of_share(100, baseline=0.0), "strictly between 0 and 1, got 0"),
        (lambda: Grid.of_share(1000, baseline=0.5, step=0.001), "at least one standard error"),
        (lambda: Grid.of_share(10, baseline=0.3, step=0.5), "within one step of the best value"),
        (lambda: Grid.of_mean(100, baseline=0.5, bounds=(1, 0)), "low < high"),
        (lambda: Grid.of_area(0, 5), "positives must be a whole number"),
        (lambda: Grid.of_share(100, baseline=0.5).loss(0.123), "no count among 100 cases"),
        (lambda: Grid.of_share(100, baseline=0.5).rung(101), "loss must lie between 0 and 100"),
    ],
)
def test_bad_input(make, message: str) -> None:  # type: ignore[no-untyped-def]
    with pytest.raises(InputError, match=message):
        make()


def test_a_larger_step_is_taken_as_it_is() -> None:
    assert Grid.of_share(1000, baseline=0.5, step=0.05).step == 50
