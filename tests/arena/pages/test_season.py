"""A season over HTTP: the board's tiers agree with the truth of the simulated models.

Oracle: the error rates from which the answers were drawn.
"""

import numpy as np
import pytest

from referee.arena.scoring.checking import check_arena

from ..conftest import CANARY, House, Site, served

OTHER = {"cat": CANARY, CANARY: "cat"}


def answers(site, rng, error):
    """Return a file of a model with that error rate."""
    wrong = rng.random(len(site.ids)) < error
    right = [site.right[name] for name in site.ids]
    cells = [OTHER[cell] if off else cell for cell, off in zip(right, wrong, strict=True)]
    lines = [f"{name},{cell}" for name, cell in zip(site.ids, cells, strict=True)]
    return ("id,prediction\n" + "\n".join(lines) + "\n").encode()


def season(folder, teams, tries, seed=0):
    """Play a season; return the board, and the true error rate of each team's best model."""
    rng = np.random.default_rng(seed)
    site = Site(folder, n_test=2000, per_day=tries)
    names = [f"Team {k}" for k in range(teams)]
    skill = dict(zip(names, np.linspace(0.05, 0.4, teams), strict=True))
    with served(site.app()) as address:
        house = House(site, address)
        for name, error in skill.items():
            person = house.participant(name)
            for number in range(tries):
                rate = error + 0.1 * (tries - 1 - number) / max(tries - 1, 1)
                sent = person.submit(site.slug, answers(site, rng, rate), key=str(number))
                assert sent.status_code == 303
            person.http.close()
        board = house.visitor().get(f"/benchmarks/{site.slug}/board.json").json()
        house.people[-1].http.close()
    with site.open() as arena:
        assert check_arena(arena).problems == ()
    return board, skill


def contradictions(board, skill):
    """Return the pairs that the board calls apart the wrong way round."""
    ranked = [entry for entry in board["entries"] if entry["value"] is not None]
    return [
        (better["team"], worse["team"])
        for better in ranked
        for worse in ranked
        if better["rank_high"] < worse["rank_low"] and skill[better["team"]] > skill[worse["team"]]
    ]


def test_a_small_season_contradicts_no_truth(tmp_path):
    board, skill = season(tmp_path, teams=4, tries=2)
    assert board["looks"] == 8
    assert contradictions(board, skill) == []
    assert board["entries"][0]["tier"] == 1


@pytest.mark.slow
def test_a_season_of_twenty_teams_contradicts_no_truth(tmp_path):
    board, skill = season(tmp_path, teams=20, tries=15)
    assert board["looks"] == 20 * 15
    assert contradictions(board, skill) == []
    tiers = {entry["team"]: entry["tier"] for entry in board["entries"]}
    assert tiers["Team 0"] == 1  # the best model cannot have been beaten,
    assert tiers["Team 19"] > 1  # and the worst, .40 against .05, must have been
