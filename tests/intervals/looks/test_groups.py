"""Intervals by groups. Oracle: all outcomes of a few groups, with their probabilities."""

import itertools

import numpy as np
import pytest
from scipy import stats

from referee.errors import InputError
from referee.intervals.looks import Cell, Grid, Groups, LadderState, independent_cases, ladder_look


def coverage(interval, losses, probabilities, truth):
    """Return the probability that an interval holds the truth, over all outcomes."""
    ends = {loss: interval(Cell(loss, loss)) for loss in set(losses)}
    held = [ends[loss].low <= truth <= ends[loss].high for loss in losses]
    return float(np.sum(np.asarray(probabilities)[held]))


@pytest.mark.parametrize("share", [0.03, 0.1, 0.3, 0.5, 0.9])
def test_groups_that_err_as_one_are_covered_where_cases_are_not(share):
    """40 groups of 25 cases; all cases of a group are wrong, or none is."""
    grid, groups = Grid.of_share(1000, baseline=0.99), Groups(40, 1 / 40)
    wrong = np.arange(41)
    law = stats.binom.pmf(wrong, 40, share)
    losses = [25 * int(k) for k in wrong]

    def by_groups(cell):
        return groups.interval(grid, cell, 1, 0, looks=1).interval

    def by_cases(cell):
        return grid.interval(cell, 1, 0, looks=1).interval

    assert coverage(by_groups, losses, law, share) >= 0.95
    assert coverage(by_cases, losses, law, share) < 0.75


@pytest.mark.parametrize("level", [0.9, 0.99])
@pytest.mark.parametrize("rare", [False, True])
def test_groups_of_all_sizes_and_error_rates_are_covered(level, rare):
    """Every outcome of nine groups with sizes and rates of their own, the largest the worst."""
    sizes = np.array([1, 1, 2, 3, 5, 8, 10, 20, 50])
    rates = np.linspace(0.01, 0.3, 9) if rare else np.linspace(0.2, 0.9, 9)
    n, truth = int(sizes.sum()), float(sizes @ rates / sizes.sum())
    grid = Grid.of_mean(n, baseline=0.95)
    groups = Groups.of(np.repeat(np.arange(9), sizes))
    outcomes = np.array(list(itertools.product((0, 1), repeat=9)))
    law = np.prod(np.where(outcomes == 1, rates, 1 - rates), axis=1)
    losses = (outcomes @ sizes / n).tolist()

    def by_groups(cell):
        return groups.interval(grid, cell, 1, 0, level, looks=1).interval

    assert coverage(by_groups, losses, law, truth) >= level


def test_groups_of_one_case_are_the_interval_of_a_mean():
    grid = Grid.of_mean(200, baseline=0.5, bounds=(0.0, 2.0), greater_is_better=True)
    by_groups = Groups(200, 1 / 200).interval(grid, grid.cell(3), 7, 2, 0.9)
    plain = grid.interval(grid.cell(3), 7, 2, 0.9)
    for one, other in ((by_groups.interval, plain.interval), (by_groups.naive, plain.naive)):
        assert (one.low, one.high) == pytest.approx((other.low, other.high), abs=1e-12)


def test_a_share_that_no_group_can_have_is_refused():
    for number, largest in ((4, 0.2), (4, 1.1), (0, 1.0)):
        with pytest.raises(InputError, match="cannot have a share"):
            Groups(number, largest)


def test_one_group_says_next_to_nothing():
    """By Markov's inequality: .3 times the error of one side."""
    grid = Grid.of_share(10, baseline=0.5)
    found = Groups(1, 1.0).interval(grid, Cell(3, 3), 1, 0, looks=1).interval
    assert (found.low, found.high) == pytest.approx((0.3 * 0.025, 1 - 0.7 * 0.025))


@pytest.mark.parametrize("sizes", [[4] * 6, [1, 1, 2, 3, 5], [1] * 9])
@pytest.mark.parametrize("share", [0.5, 0.8])
def test_the_standard_error_of_a_step_is_that_of_groups_that_err_as_one(sizes, share):
    """Oracle: the standard deviation of the share of wrong cases over all outcomes of groups."""
    outcomes = np.array(list(itertools.product((0, 1), repeat=len(sizes))))
    law = np.prod(np.where(outcomes == 1, share, 1 - share), axis=1)
    wrong = outcomes @ np.array(sizes) / sum(sizes)
    error = np.sqrt(law @ (wrong - share) ** 2)
    worth = independent_cases(np.repeat(np.arange(len(sizes)), sizes))
    for make in (Grid.of_share, Grid.of_mean):
        default = make(10_000, baseline=share, independent=worth)
        assert default.step / default.worst == pytest.approx(1.25 * error, abs=1e-4)
        least = make(10_000, baseline=share, step=error, independent=worth)
        assert least.step / least.worst == pytest.approx(error, abs=1e-4)
        with pytest.raises(InputError, match=r"at least one standard error .* in groups"):
            make(10_000, baseline=share, step=0.99 * error, independent=worth)


def test_groups_worth_more_or_less_than_their_cases_are_refused():
    for worth in (0.5, 101.0, float("nan")):
        with pytest.raises(InputError, match="between 1 and the 100 cases"):
            Grid.of_share(100, baseline=0.5, independent=worth)


def climbed(grid, looks, rng, groups, size):
    """Flip whole groups of the best answers, keep what is better; return how good it looks."""
    wrong, state, best = rng.integers(0, 2, groups), LadderState(), 0.5
    for _ in range(looks):
        flips = rng.random(groups) < 0.1 if state.rung else rng.random(groups) < 0.5
        trial = wrong ^ flips
        answer = ladder_look(grid, state, int(trial.sum()) * size)
        state = answer.after
        if answer.released is not None:
            wrong, best = trial, answer.released
    return 0.5 - best


def test_by_flipping_whole_groups_nobody_climbs_higher_than_on_as_many_cases():
    """64 groups of ten cases, one label each: looks at them are looks at 64 cases."""
    ids = np.repeat(np.arange(64), 10)
    by_groups = Grid.of_share(640, baseline=0.5, independent=independent_cases(ids))
    by_cases, alone = Grid.of_share(640, baseline=0.5), Grid.of_share(64, baseline=0.5)
    assert (by_groups.step, by_cases.step, alone.step) == (50, 16, 5)

    def gains(grid, size):
        return [climbed(grid, 200, np.random.default_rng(k), 64, size) for k in range(15)]

    fair = gains(by_groups, 10)
    assert fair == gains(alone, 1)
    assert np.mean(gains(by_cases, 10)) > np.mean(fair) + 0.08
