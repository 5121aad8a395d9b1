"""Release policies: what each shows, and that the catalogue is complete."""

import pytest

from referee.errors import InputError, Refusal
from referee.intervals import clopper_pearson
from referee.intervals.looks import Grid, LadderState
from referee.vault.sealed.policies import CATALOGUE, LADDER, ONCE


@pytest.mark.parametrize("policy", CATALOGUE.values(), ids=lambda p: p.name)
def test_contract_of_every_policy(policy) -> None:  # type: ignore[no-untyped-def]
    assert policy.title
    assert policy.citations
    assert "{level}" in policy.promise
    grid = Grid.of_share(200, baseline=0.4)
    for loss in range(201):
        answer = policy.look(grid, LadderState(), loss)
        assert answer == policy.look(grid, LadderState(), loss)
        assert answer.after.looks == 1
        assert answer.cell.low <= loss <= answer.cell.high
        both = policy.interval(grid, answer)
        assert both.interval.low <= loss / 200 <= both.interval.high
        assert both.interval.width >= both.naive.width - 1e-12


def test_once_is_the_exact_interval_and_ends() -> None:
    grid = Grid.of_share(148, baseline=0.5)
    answer = ONCE.look(grid, LadderState(), 15)
    assert answer.released == 15 / 148
    both = ONCE.interval(grid, answer)
    exact = clopper_pearson(15, 148)
    assert (both.interval.low, both.interval.high) == pytest.approx((exact.low, exact.high))
    with pytest.raises(Refusal, match="allows 1 look, and it was used; seal a new test set"):
        ONCE.look(grid, answer.after, 15)


def test_ladder_shows_the_same_for_every_loss_of_a_cell() -> None:
    grid = Grid.of_share(1000, baseline=0.5)
    state = LadderState(looks=7, releases=2, rung=3)
    seen = {}
    for loss in range(1001):
        answer = LADDER.look(grid, state, loss)
        both = LADDER.interval(grid, answer)
        shown = (answer.released, answer.ends, both.interval, both.naive)
        assert seen.setdefault(answer.after, shown) == shown
    assert len(seen) == grid.cells - 3 + 1


def test_an_unknown_name_is_answered_with_the_nearest() -> None:
    with pytest.raises(InputError, match="policy 'lader' is unknown; did you mean 'ladder'"):
        CATALOGUE.named("lader")
