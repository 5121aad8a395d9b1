"""Whole seasons with known truth: intervals of the private half and ranks cover as they say."""

from dataclasses import dataclass, field
from types import SimpleNamespace

import numpy as np
import pytest

from referee.arena.benchmark.definition import Definition
from referee.arena.benchmark.truth import Truth
from referee.arena.scoring.board import board_of
from referee.arena.scoring.private_half import judge_finals
from referee.intervals.looks import Grid, LadderState, ladder_look
from referee.vault.sealed.labels.secret_labels import SecretLabels
from referee.vault.sealed.request import Baseline
from referee.vault.sealed.sealed_measure import SealedMeasure
from referee.vault.sealed.submissions.submission import Submission


def benchmark(n_public, n_private, rng):
    n = n_public + n_private
    labels = SecretLabels(("0", "1"), rng.integers(0, 2, n), bytes(32))
    truth = Truth(labels, np.arange(n) < n_public, None)
    definition = Definition(
        ids=tuple(map(str, range(n))),
        id_column="id",
        target="y",
        classes=("0", "1"),
        measure=SealedMeasure("error", None, None, classes=2),
        grid=Grid.of_share(n_public, baseline=0.5),
        level=0.95,
        baseline=Baseline(0.5, "given"),
        n_public=n_public,
        grouped=False,
        commitment="",
        files={},
    )
    return definition, truth


@dataclass
class Team:
    """A team of the simulation: its ladder, and what its released models are worth in truth."""

    name: str
    tunes: bool
    skill: float
    ladder: LadderState = field(default_factory=LadderState)
    release_look: int | None = None
    kept: list = field(default_factory=list)

    def trial(self, right, rng):
        """Return the next answers, and how likely each of them is wrong."""
        if self.tunes and self.kept:  # flips 5 % of its best: what was wrong there is now right
            answers, rate = self.kept[-1]
            flipped = rng.random(len(right)) < 0.05
            return answers ^ flipped, np.where(flipped, 1 - rate, rate)
        rate = np.full(len(right), min(0.5, self.skill * rng.uniform(1.0, 1.2)))
        return right ^ (rng.random(len(right)) < rate), rate

    def look(self, definition, truth, rng):
        """Look once; return whether the guaranteed interval holds the truth."""
        answers, rate = self.trial(truth.labels.codes, rng)
        loss = truth.loss(definition, Submission(answers, None), public=True)
        answer = ladder_look(definition.grid, self.ladder, loss)
        self.ladder = answer.after
        if answer.released is not None:
            self.release_look = answer.after.looks
            self.kept.append((answers, rate))
        interval = answer.interval(definition.grid).interval
        return interval.low <= rate[truth.public].mean() <= interval.high

    @property
    def standing(self):
        """Its row of the table of standings."""
        return SimpleNamespace(
            name=self.name,
            account=int(self.name),
            looks=self.ladder.looks,
            releases=self.ladder.releases,
            rung=self.ladder.rung,
            release_look=self.release_look,
            improved_at="",
        )


def ranks_hold(low, high, quality):
    """Tell whether every rank that the truth leaves open is inside its interval."""
    better = np.array([np.sum(quality < q - 1e-12) for q in quality])
    as_good = np.array([np.sum(quality <= q + 1e-12) for q in quality])
    return bool(np.all(np.asarray(low) <= as_good) and np.all(np.asarray(high) >= better + 1))


def board_holds(definition, truth, teams):
    """Tell whether the ranks of the public board hold, and no bucket contradicts the truth."""
    found = SimpleNamespace(
        definition=definition, looks=0, updated_at="", phase=lambda _: "open", revision=0
    )
    entries = board_of(found, [team.standing for team in teams], "").entries
    by_name = {team.name: team.kept[-1][1][truth.public].mean() for team in teams if team.kept}
    entries = [entry for entry in entries if entry.rank is not None]
    quality = np.array([by_name[entry.team] for entry in entries])
    worse = [q for e, q in zip(entries, quality, strict=True) if e.bucket == "clearly worse"]
    held = ranks_hold([e.rank_low for e in entries], [e.rank_high for e in entries], quality)
    return held and all(q > quality[0] for q in worse)


def season(teams, looks, n_public, n_private, rng):
    """Play a season; return whether private intervals and ranks held, public ones and the board.

    Public intervals are promised to each team, so their part is the share of teams whose all held.

    What is wrong where is drawn case by case, so a model's true error is the mean of its rates.
    A third of the teams tune: they flip some answers of their best submission and keep what the
    ladder calls better, so their public values are too good; the intervals have to hold all the
    same. Teams come in pairs of the same skill.
    """
    definition, truth = benchmark(n_public, n_private, rng)
    skill = np.repeat(rng.uniform(0.1, 0.3, (teams + 1) // 2), 2)[:teams]
    players = [Team(str(k), k % 3 == 0, float(skill[k])) for k in range(teams)]
    public = [player.look(definition, truth, rng) for player in players for _ in range(looks)]
    judged = [(k, trial) for k, player in enumerate(players) for trial in player.kept[-2:]]
    present = sorted({k for k, _ in judged})
    owner = np.array([present.index(k) for k, _ in judged])
    finals = [Submission(answers, None) for _, (answers, _) in judged]
    made = judge_finals(definition, truth, finals, owner)
    rates = np.array([rate[~truth.public].mean() for _, (_, rate) in judged])
    covered = all(
        f.interval.low <= rate <= f.interval.high
        for f, rate in zip(made.finals, rates, strict=True)
    )
    quality = np.array([rates[owner == k].min() for k in range(len(present))])
    ranked = ranks_hold(made.rank_low, made.rank_high, quality)
    by_team = np.reshape(public, (teams, looks)).all(axis=1).mean()
    return covered, ranked, by_team, board_holds(definition, truth, players)


def test_a_small_season_is_covered():
    results = np.array([season(6, 8, 400, 400, np.random.default_rng(k)) for k in range(10)])
    assert results.sum(axis=0).min() >= 8


@pytest.mark.slow
def test_whole_seasons_cover_at_their_level():
    """30 teams, 40 looks each: intervals and ranks hold in at least 95 % of seasons.

    Public intervals are promised to each team, and are counted by teams; the rest by seasons.
    """
    seasons = 200
    results = np.array(
        [season(30, 40, 1000, 1000, np.random.default_rng(k)) for k in range(seasons)]
    )
    covered, ranked, public, board = results.mean(axis=0)
    shown = f"private intervals {covered:.3f}, ranks {ranked:.3f}"
    shown += f"; public intervals of a team {public:.4f}"
    shown += f", public ranks and every clearly worse {board:.3f}"
    print(f"{seasons} seasons of 30 teams with 40 looks each: {shown}")
    # 0.95 less three standard errors of a share of 200 seasons
    assert public >= 0.95
    assert min(covered, ranked, board) >= 0.95 - 3 * np.sqrt(0.05 * 0.95 / seasons)
