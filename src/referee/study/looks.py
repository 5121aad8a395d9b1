"""Coverage under attack: what a board shows after many looks, and whether its intervals hold.

Labels are drawn by a fair coin, so whatever an attack does, its true error is one half. A board
that shows every score can be climbed at will; the ladder shows little, and the interval that it
prints beside must hold in 95 % of runs *for all looks of the run at once*. Then the other side: a
person who makes honest progress, whose models have known true errors, must be able to see it.
"""

from __future__ import annotations

import math
import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from referee.core.arrays import Flags, Floats
from referee.core.randomness import RandomState, Seed, child, integer_seed
from referee.core.results import Interval
from referee.core.showing.experiment import Experiment
from referee.core.showing.pictures import Curve, Curves
from referee.errors import InputError, nearest
from referee.intervals.looks import Answer, Grid, LadderState, ladder_look
from referee.intervals.looks.grid import DEFAULT_STEP
from referee.intervals.one_set.proportion import clopper_pearson
from referee.study.attacks import CATALOGUE
from referee.study.repetitions import Mean, mean_of, repeated

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["HONEST", "LookStudy", "LookTrial", "looks"]

HONEST = "honest"
"""The name of the run whose models do get better."""

_BASELINE = 0.5
_POINTS = 25


@dataclass(frozen=True, kw_only=True)
class LookTrial:
    """What one attack achieved against one board, over all runs.

    Attributes
    ----------
    attack : str
        Its name, or "honest".
    board : {"ladder", "every score"}
    coverage : Mean
        The share of runs in which *all* intervals held.
    gap : Mean
        True error minus the best shown, after the last look; what is gained by overfitting.
    releases : Mean
        How many values were shown.
    width : Mean
        Of the interval of the best shown, at its time.
    lag : float
        For honest progress: by how much the best shown was behind the best score, at most over
        all looks and runs, in steps.
    """

    attack: str
    board: str
    coverage: Mean
    gap: Mean
    releases: Mean
    width: Mean
    lag: float
    path: tuple[float, ...]


@dataclass(frozen=True, kw_only=True)
class LookStudy(Experiment):
    """What attacks gain from a board, and whether its intervals hold.

    Attributes
    ----------
    n, looks, repetitions : int
        Secret cases, looks of a run, and runs.
    level : float
        Of the intervals.
    step : float
        Of the ladder.
    at : tuple of int
        The looks at which the gap was recorded.
    trials : tuple of LookTrial
    """

    title: ClassVar[str] = "Looks at a sealed test set"

    n: int
    looks: int
    repetitions: int
    level: float
    step: float
    at: tuple[int, ...]
    trials: tuple[LookTrial, ...]

    def trial(self, attack: str, board: str = "ladder") -> LookTrial:
        """Return what one attack achieved against one board."""
        return next(t for t in self.trials if (t.attack, t.board) == (attack, board))

    def frame(self) -> pd.DataFrame:
        """Return a row per attack and board, with Monte Carlo standard errors."""
        import pandas as pd

        return pd.DataFrame(
            [
                {
                    "attack": t.attack,
                    "board": t.board,
                    "all_intervals_hold": t.coverage.value,
                    "gap": t.gap.value,
                    "gap_se": t.gap.standard_error,
                    "values_shown": t.releases.value,
                    "width": t.width.value,
                    "lag_in_steps": t.lag,
                }
                for t in self.trials
            ]
        )

    @property
    def setting(self) -> str:
        """How it was made, in a few words."""
        return (
            f"{self.repetitions} runs of {self.looks} looks at {self.n} cases, level "
            f"{self.level:g}, step {self.step:g}"
        )

    @property
    def pictures(self) -> tuple[Curves, ...]:
        """The gap over the looks, for the ladder and where every score is shown."""
        x = tuple(float(k) for k in self.at)
        pictures = []
        for board, title in (("every score", "every score is shown"), ("ladder", "ladder")):
            curves = [
                Curve(t.attack, x, t.path, kind="line")
                for t in self.trials
                if t.board == board and t.attack != HONEST
            ]
            caption = f"true error minus the best shown, {title}"
            pictures.append(
                Curves(tuple(curves), caption, "looks", "overfitting gap", logarithmic=True)
            )
        return tuple(p for p in pictures if p.curves)

    @property
    def conclusion(self) -> str:
        """What was seen, in one sentence."""
        ladder = [t for t in self.trials if t.board == "ladder"]
        held = min(t.coverage.value for t in ladder)
        sentences = [f"all intervals of a run held at once in {held:.3f} of the runs or more"]
        attacks = [t for t in ladder if t.attack != HONEST]
        if attacks:
            naive = [t for t in self.trials if t.board != "ladder" and t.attack != HONEST]
            worst, open_ = (max(ts, key=lambda t: t.gap.value) for ts in (attacks, naive))
            sentences.insert(
                0,
                f"the best attack looks {open_.gap.value:.3f} better than it is where every score "
                f"is shown ({open_.attack}), and {worst.gap.value:.3f} on the ladder "
                f"({worst.attack})",
            )
        lags = [t.lag for t in ladder if t.attack == HONEST]
        if lags:
            sentences.append(f"honest progress was seen within {max(lags):.2f} steps")
        return f"After {self.looks} looks at {self.n} cases " + "; ".join(sentences) + "."


def looks(
    attacks: Sequence[str] = (),
    *,
    n: int = 1000,
    looks: int = 1000,
    repetitions: int = 200,
    level: float = 0.95,
    step: float = DEFAULT_STEP,
    random_state: RandomState = 0,
    n_jobs: int | None = None,
    checkpoint: str | os.PathLike[str] | None = None,
) -> LookStudy:
    """Attack a board that shows every score, and one that answers by the ladder.

    Parameters
    ----------
    attacks : sequence of str
        Names of attacks, or "honest"; all by default.
    n : int
        Secret cases.
    looks : int
        Looks of each run.
    repetitions : int
        Runs of each attack.
    level : float
        Of the intervals.
    step : float
        Of the ladder, in standard errors of the baseline's score.
    random_state, n_jobs, checkpoint
        As in the other experiments.

    Examples
    --------
    >>> study = looks(["flips"], n=200, looks=100, repetitions=5)
    >>> study.trial("flips").coverage.value
    1.0
    """
    names = tuple(attacks) or (*CATALOGUE, HONEST)
    for name in names:
        if name not in (*CATALOGUE, HONEST):
            raise InputError(
                f"attack {name!r} is unknown", remedy=nearest(name, (*CATALOGUE, HONEST))
            )
    if n < 1:
        raise InputError(
            "n must be a whole number of cases of at least 1", concerning="n", value=str(n)
        )
    if looks < 2:
        raise InputError("looks must be at least 2", concerning="looks", value=str(looks))
    if not step >= 1:
        raise InputError(
            "step must be at least 1 standard error", concerning="step", value=f"{step:g}"
        )
    error = math.sqrt(_BASELINE * (1 - _BASELINE) / n)
    grid = Grid.of_share(n, baseline=_BASELINE, step=step * error)
    at = tuple(np.unique(np.geomspace(1, looks, _POINTS).round().astype(int)).tolist())
    seed = integer_seed(random_state)
    trials = []
    for number, name in enumerate(names):
        for ladder in (True, False):
            once = partial(_run, name, grid, looks, level, at, ladder)
            rows = repeated(once, repetitions, child(seed, number), n_jobs, checkpoint)
            trials.append(_trial(name, "ladder" if ladder else "every score", rows))
    return LookStudy(
        n=n,
        looks=looks,
        repetitions=repetitions,
        level=level,
        step=grid.step / n,
        at=at,
        trials=tuple(trials),
    )


def _trial(name: str, board: str, rows: Floats) -> LookTrial:
    covered, gap, releases, width, lag = rows[:, :5].T
    return LookTrial(
        attack=name,
        board=board,
        coverage=mean_of(covered),
        gap=mean_of(gap),
        releases=mean_of(releases),
        width=mean_of(width),
        lag=float(lag.max()),
        path=tuple(float(v) for v in rows[:, 5:].mean(axis=0)),
    )


def _run(
    name: str, grid: Grid, looks: int, level: float, at: Sequence[int], ladder: bool, seed: Seed
) -> list[float]:
    """Return whether all intervals held, gap, releases, width and lag, and the gap over looks."""
    rng = np.random.default_rng(seed)
    board = _Board(grid, level, ladder)
    submit = _honest if name == HONEST else partial(_attacked, name)
    recorded = set(at)
    path = []
    for look, truth in enumerate(submit(grid.n, looks, rng, board), 1):
        board.judge(truth)
        if look in recorded:
            path.append(board.gap)
    return [float(board.held), board.gap, board.releases, board.width, board.lag, *path]


class _Board:
    """Answers looks, and keeps what it showed beside what is true."""

    def __init__(self, grid: Grid, level: float, ladder: bool) -> None:
        self.grid, self.level, self.ladder = grid, level, ladder
        self.held = True
        self.best, self.best_truth, self.width = _BASELINE, _BASELINE, 1.0
        self.releases, self.lag = 0, 0.0
        self._least = grid.n
        self._state = LadderState()
        self._answer: Answer | None = None
        self._loss = grid.n
        self._intervals: dict[Any, Interval] = {}

    def answer(self, wrong: Flags) -> float | None:
        """Return what is shown for a submission."""
        self._loss = int(np.count_nonzero(wrong))
        self._least = min(self._least, self._loss)
        if not self.ladder:
            return self._loss / self.grid.n
        self._answer = ladder_look(self.grid, self._state, self._loss)
        self._state = self._answer.after
        return self._answer.released

    def judge(self, truth: float) -> None:
        """Compare what was shown with the true error of the submission."""
        shown = self._answer.released if self._answer else self._loss / self.grid.n
        interval = self._interval(self._answer, truth) if self._answer else self._naive()
        self.held &= truth in interval
        self.releases += shown is not None
        if shown is not None and shown < self.best:
            self.best, self.best_truth, self.width = shown, truth, interval.width
        behind = self.best * self.grid.n - self._least
        self.lag = max(self.lag, behind / self.grid.step)

    def _interval(self, answer: Answer, truth: float) -> Interval:
        """Return the guaranteed interval, or an earlier and narrower one that holds the truth.

        The later the look, the wider the interval of the same answer.
        """
        key = (answer.cell, answer.before.releases)
        earlier = self._intervals.get(key)
        if answer.released is None and earlier is not None and truth in earlier:
            return earlier
        self._intervals[key] = answer.interval(self.grid, self.level).interval
        return self._intervals[key]

    def _naive(self) -> Interval:
        """Return what is printed beside scores everywhere: the interval of a single look."""
        if self._loss not in self._intervals:
            self._intervals[self._loss] = clopper_pearson(self._loss, self.grid.n, self.level)
        return self._intervals[self._loss]

    @property
    def gap(self) -> float:
        """How much better the best shown looks than that model is."""
        return self.best_truth - self.best


def _attacked(
    name: str, n: int, looks: int, rng: np.random.Generator, board: _Board
) -> Iterator[float]:
    """Let an attack play against random labels; its true error is one half at every look."""
    labels = 2.0 * rng.integers(0, 2, n) - 1.0
    step = board.grid.step if board.ladder else 0.0
    moves = CATALOGUE[name].moves(n, looks, step, rng)
    predictions = next(moves)
    for look in range(looks):
        shown = board.answer(predictions != labels)
        yield 0.5
        if look < looks - 1:
            predictions = moves.send(shown)


def _honest(n: int, looks: int, rng: np.random.Generator, board: _Board) -> Iterator[float]:
    """Submit models whose true errors fall from .5 to .2, with setbacks on the way.

    Models err on much the same cases: two that differ little differ in few of them.
    """
    hardness = rng.random(n)
    for look in range(looks):
        aim = 0.5 - 0.3 * look / max(looks - 1, 1)
        truth = float(np.clip(aim + 0.02 * rng.normal(), 0.0, 1.0))
        fresh = rng.random(n) < 0.2
        wrong = np.where(fresh, rng.random(n), hardness) < truth
        board.answer(wrong)
        yield truth
