"""Weights: the sum over looks and transcripts, by counting transcripts of real ladders."""

import math

import pytest

from referee.errors import InputError
from referee.intervals.looks import Grid, LadderState, ladder_look, log_weight


@pytest.mark.parametrize("cells", [1, 3, 20])
def test_weights_of_all_looks_and_transcripts_sum_to_at_most_one(cells: int) -> None:
    total = sum(
        math.exp(log_weight(k, j, cells)) * math.comb(k - 1, j) * math.comb(cells, j)
        for k in range(1, 2001)
        for j in range(min(k - 1, cells) + 1)
    )
    assert 1 - 6 / math.pi**2 / 2000 <= total <= 1 + 1e-12


@pytest.mark.parametrize("looks", [1, 2, 50])
def test_weights_of_a_fixed_number_of_looks_sum_to_one(looks: int) -> None:
    total = sum(
        math.exp(log_weight(k, j, 7, looks=looks)) * math.comb(k - 1, j) * math.comb(7, j)
        for k in range(1, looks + 1)
        for j in range(min(k - 1, 7) + 1)
    )
    assert total == pytest.approx(1)


def test_a_real_ladder_has_as_many_transcripts_as_are_counted() -> None:
    grid = Grid.of_share(30, baseline=0.5)
    answers: dict[tuple[float | None, ...], LadderState] = {(): LadderState()}
    for look in range(1, 6):
        for releases in range(min(look - 1, grid.cells) + 1):
            seen = sum(1 for state in answers.values() if state.releases == releases)
            assert seen == math.comb(look - 1, releases) * math.comb(grid.cells, releases)
        answers = {
            (*transcript, answer.released): answer.after
            for transcript, state in answers.items()
            for loss in range(31)
            for answer in [ladder_look(grid, state, loss)]
        }


def test_never_less_than_the_published_weight() -> None:
    for k, j, cells in [(1, 0, 31), (2, 1, 31), (100, 3, 20), (5, 4, 4)]:
        published = (
            6 / (math.pi * k) ** 2 * 2.0 ** -(j + 1) / (math.comb(k - 1, j) * math.comb(cells, j))
        )
        assert published <= math.exp(log_weight(k, j, cells)) <= 2 * published


def test_a_million_looks() -> None:
    exact = (
        math.log(6 / math.pi**2)
        - 2 * math.log(10**6)
        - 101 * math.log(2)
        - math.log(math.comb(10**6 - 1, 100))
    )
    assert log_weight(10**6, 100, 100) == pytest.approx(exact, rel=1e-12)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((0, 0, 5), "look must be at least 1"),
        ((3, 3, 5), "releases must lie between 0 and 2 before look 3"),
        ((3, 0, 0), "cells must be at least 1"),
    ],
)
def test_impossible_counts(arguments: tuple[int, int, int], message: str) -> None:
    with pytest.raises(InputError, match=message):
        log_weight(*arguments)
    with pytest.raises(InputError, match="at most looks = 2"):
        log_weight(3, 0, 5, looks=2)
