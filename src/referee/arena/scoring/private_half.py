"""The private half: exact simultaneous intervals, paired tests with Holm, tiers and ranks.

Nobody has seen an answer of the private half before, so all models on it are fixed. Every final of
every team gets an exact interval at level 1 - alpha / (number of finals): with probability 1 -
alpha all of them hold at once. A team is as good as the better of its finals; it was shown to beat
another if one of its finals was shown to beat each of the other's. As all pairs of finals are
judged at one family-wise level, so are these claims, and the ranks that follow from them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from referee.arena.benchmark.definition import Definition
from referee.arena.benchmark.truth import Truth
from referee.comparing.scores.all_pairs import all_pairs
from referee.comparing.scores.question import ScoresQuestion
from referee.comparing.scores.standings import rank_limits, tiers
from referee.core.arrays import Codes, Flags, Floats
from referee.core.results import Interval
from referee.core.scores.scores import Scores
from referee.intervals.looks import Cell
from referee.significance.catalogue import ADJUSTMENTS
from referee.significance.paired.delong import paired_delong
from referee.vault.sealed.submissions.submission import Submission

__all__ = ["Judged", "PrivateStandings", "judge_finals"]


@dataclass(frozen=True, kw_only=True)
class Judged:
    """A final on the private half.

    Attributes
    ----------
    team : int
        Whose it is: a position in the teams.
    loss, value : float
        What it lost, as the grid counts it, and the measure.
    interval : Interval
        Holds together with those of all other finals.
    """

    team: int
    loss: float
    value: float
    interval: Interval


@dataclass(frozen=True, kw_only=True, eq=False)
class PrivateStandings:
    """Teams by the private half.

    Attributes
    ----------
    finals : tuple of Judged
        In the order given.
    best : tuple of int
        For each team, which of the finals is its better one.
    ranks, rank_low, rank_high, tiers : tuples of int
        For each team; ties share a rank.
    p : array
        For each team (row) and team (column), the adjusted p-value of the pair of their better
        finals; nan on the diagonal.
    test : str
        How pairs were tested.
    n : int
        The cases that the measure is about.
    """

    finals: tuple[Judged, ...]
    best: tuple[int, ...]
    ranks: tuple[int, ...]
    rank_low: tuple[int, ...]
    rank_high: tuple[int, ...]
    tiers: tuple[int, ...]
    p: Floats
    test: str
    n: int


def judge_finals(
    definition: Definition,
    truth: Truth,
    submissions: Sequence[Submission],
    team: Codes,
    *,
    public: bool = False,
) -> PrivateStandings:
    """Judge the finals of all teams on the private half.

    Parameters
    ----------
    definition, truth
        Of the benchmark.
    submissions : sequence of Submission
        All finals.
    team : array of int
        Whose each is; 0, 1, ... without gaps.
    public : bool
        Whether to judge on the public half instead, for studies.
    """
    losses = [truth.loss(definition, s, public=public) for s in submissions]
    finals = _judged(definition, truth, losses, team, public=public)
    value = np.array([final.loss for final in finals])
    best = [_best(value, np.flatnonzero(team == k)) for k in range(int(team.max()) + 1)]
    p, test = _p_values(definition, truth, submissions, team, value, public=public)
    beats = _team_beats(p <= 1 - definition.level, value, team)
    low, high = rank_limits(beats)
    top = value[best]
    return PrivateStandings(
        finals=finals,
        best=tuple(best),
        ranks=tuple(1 + int(np.sum(top < mine)) for mine in top),
        rank_low=tuple(low),
        rank_high=tuple(high),
        tiers=tuple(tiers(beats)),
        p=np.where(np.eye(len(best), dtype=bool), np.nan, p[np.ix_(best, best)]),
        test=test,
        n=int(truth.relevant(definition.measure, public=public).sum()),
    )


def _best(loss: Floats, finals: Codes) -> int:
    return int(finals[np.argmin(loss[finals])])


def _judged(
    definition: Definition, truth: Truth, losses: Sequence[float], team: Codes, *, public: bool
) -> tuple[Judged, ...]:
    sizes = np.bincount(
        truth.labels.codes[truth.half(public=public)], minlength=len(definition.classes)
    ).tolist()
    # Only its intervals are used: any baseline will do.
    grid = definition.measure.grid(sizes, sum(definition.measure.bounds) / 2, None)
    groups = truth.groups_of(definition.measure, public=public)
    level = 1 - (1 - definition.level) / len(losses)

    def interval(cell: Cell) -> Interval:
        if groups is None:
            return grid.interval(cell, 1, 0, level, looks=1).interval
        return groups.interval(grid, cell, 1, 0, level, looks=1).interval

    return tuple(
        Judged(
            team=int(owner),
            loss=float(loss),
            value=grid.ends(Cell(loss, loss))[0],
            interval=interval(Cell(loss, loss)),
        )
        for loss, owner in zip(losses, team, strict=True)
    )


def _p_values(
    definition: Definition,
    truth: Truth,
    submissions: Sequence[Submission],
    team: Codes,
    loss: Floats,
    *,
    public: bool,
) -> tuple[Floats, str]:
    """Return adjusted p-values of all pairs of finals of different teams; 1 for all others."""
    k = len(submissions)
    p = np.ones((k, k))
    first, second = np.triu_indices(k, 1)
    rivals = team[first] != team[second]
    if not rivals.any():
        return p, "none"
    if definition.measure.is_area:
        raw, test = _by_areas(definition, truth, submissions, first, second, public=public)
    else:
        raw, test = _by_losses(definition, truth, submissions, public=public)
    raised = ADJUSTMENTS["holm"].compute(raw[rivals])
    p[first[rivals], second[rivals]] = p[second[rivals], first[rivals]] = raised
    p[loss[:, None] == loss[None, :]] = 1.0  # no difference, no direction
    return p, test


def _by_losses(
    definition: Definition, truth: Truth, submissions: Sequence[Submission], *, public: bool
) -> tuple[Floats, str]:
    cases = truth.relevant(definition.measure, public=public)
    table = {
        str(k): _case_losses(definition, truth, submission, cases)
        for k, submission in enumerate(submissions)
    }
    scores = Scores.of(
        table,
        cluster=None if truth.groups is None else truth.groups[cases],
        greater_is_better=False,
        limits=definition.measure.bounds,
    )
    pairs = all_pairs(
        scores, ScoresQuestion(level=definition.level, pairs=len(table) * (len(table) - 1) // 2)
    )
    return pairs.p, pairs.test


def _by_areas(
    definition: Definition,
    truth: Truth,
    submissions: Sequence[Submission],
    first: Codes,
    second: Codes,
    *,
    public: bool,
) -> tuple[Floats, str]:
    cases = truth.half(public=public)
    positive = truth.labels.codes[cases] == definition.measure.positive
    groups = None if truth.groups is None else truth.groups[cases]
    scores = [np.asarray(s.scores)[cases] for s in submissions]
    p = [
        paired_delong(positive, scores[a], scores[b], groups).p_value
        for a, b in zip(first, second, strict=True)
    ]
    return np.array(p), "delong-paired"


def _case_losses(
    definition: Definition, truth: Truth, submission: Submission, cases: Flags
) -> Floats:
    """Return what each case of a half loses."""
    return definition.measure.case_losses(
        truth.labels.codes[cases],
        None if submission.answers is None else submission.answers[cases],
        None if submission.scores is None else submission.scores[cases],
    )


def _team_beats(shown: Flags, loss: Floats, team: Codes) -> Flags:
    """Return which team (row) was shown to be better than which (column)."""
    wins = shown & (loss[:, None] < loss[None, :])
    k = int(team.max()) + 1
    members = [np.flatnonzero(team == m) for m in range(k)]
    beats = np.zeros((k, k), dtype=bool)
    for a in range(k):
        for b in range(k):
            if a != b:
                beats[a, b] = bool(wins[np.ix_(members[a], members[b])].all(axis=1).any())
    return beats
