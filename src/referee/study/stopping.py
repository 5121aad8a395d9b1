"""Looking while cases come in: how often an interval ever misses the truth, or a test cries wolf.

An interval of 95 % that is made for one number of cases, and looked at after every case, misses the
truth at some time far more often than in 5 % of tests; so does a test of equal models. Confidence
sequences and e-values keep their promise at all times at once. For counts of errors both are
computed exactly, by carrying the distribution of the count on from case to case; for other scores
they are simulated.
"""

from __future__ import annotations

import math
import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, ClassVar

import numpy as np
from scipy import special

from referee.core.arrays import Flags, Floats
from referee.core.randomness import RandomState, Seed, child, integer_seed
from referee.core.results import check_level
from referee.core.showing.experiment import Experiment
from referee.core.showing.pictures import Curve, Curves
from referee.errors import InputError
from referee.intervals.sequential import betting, log_mixture
from referee.significance.sequential import pair_log_e
from referee.study.repetitions import repeated

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["Peeking", "Stopping", "stopping"]

Missing = Callable[[Floats, int], Flags]
"""(errors, n) -> whether the truth is excluded after n cases with so many errors."""

_SCORES = ((0.3, 0.7), (2.0, 8.0))
"""Beta distributions of scores that are not counts."""


@dataclass(frozen=True, kw_only=True)
class Peeking:
    """How often one method ever fails, looked at after every case.

    Attributes
    ----------
    method : str
        Its catalogue name.
    truth : str
        What is true.
    promised : bool
        Whether it promises to hold at all times.
    error : float
        The probability that it fails at some time.
    standard_error : float
        0 where the error is computed exactly.
    path : tuple of float
        The probability that it has failed by each of the times of the study; empty if simulated.
    """

    method: str
    truth: str
    promised: bool
    error: float
    standard_error: float = 0.0
    path: tuple[float, ...] = ()


@dataclass(frozen=True, kw_only=True)
class Stopping(Experiment):
    """The error over all times of methods that are looked at after every case.

    Attributes
    ----------
    n : int
        Cases until the test ends.
    level : float
        Of intervals and tests.
    repetitions : int
        Runs, for what is simulated.
    at : tuple of int
        The times of the paths.
    peeking : tuple of Peeking
    """

    title: ClassVar[str] = "Looking while cases come in"

    n: int
    level: float
    repetitions: int
    at: tuple[int, ...]
    peeking: tuple[Peeking, ...]

    def frame(self) -> pd.DataFrame:
        """Return a row per method and truth."""
        import pandas as pd

        return pd.DataFrame(
            [
                {
                    "method": p.method,
                    "truth": p.truth,
                    "for_all_times": "yes" if p.promised else "no",
                    "ever_wrong": p.error,
                    "standard_error": p.standard_error,
                }
                for p in self.peeking
            ]
        )

    @property
    def setting(self) -> str:
        """How it was made, in a few words."""
        return f"looked at after each of {self.n} cases, level {self.level:g}"

    @property
    def pictures(self) -> tuple[Curves, ...]:
        """The error so far over the cases."""
        x = tuple(float(k) for k in self.at)
        curves = [
            Curve(f"{p.method}, {p.truth}", x, p.path, kind="line")
            for p in self.peeking
            if p.path and p.truth in ("error .1", "equal models")
        ]
        curves.append(Curve("promise", x, (1 - self.level,) * len(x), muted=True, kind="line"))
        caption = "probability to have been wrong at some time, by the number of cases"
        return (Curves(tuple(curves), caption, "cases", "ever wrong", logarithmic=True),)

    @property
    def conclusion(self) -> str:
        """What was seen, in one sentence."""
        kept = max((p for p in self.peeking if p.promised), key=lambda p: p.error)
        broken = max((p for p in self.peeking if not p.promised), key=lambda p: p.error)
        return (
            f"Looked at after each of {self.n} cases, {broken.method} is wrong at some time in "
            f"{broken.error:.3f} of tests ({broken.truth}); methods made for that are in "
            f"{kept.error:.3f} at most ({kept.method}, {kept.truth})."
        )


def stopping(
    errors: Sequence[float] = (0.01, 0.1, 0.5),
    *,
    n: int = 1000,
    level: float = 0.95,
    repetitions: int = 400,
    random_state: RandomState = 0,
    n_jobs: int | None = None,
    checkpoint: str | os.PathLike[str] | None = None,
) -> Stopping:
    """Compute how often intervals and tests are ever wrong when one looks after every case.

    Parameters
    ----------
    errors : sequence of float
        True errors of a model.
    n : int
        Cases until the test ends.
    level : float
        Of intervals and tests.
    repetitions, random_state, n_jobs, checkpoint
        As in the other experiments; for scores that are not counts.

    Examples
    --------
    >>> study = stopping([0.1], n=200, repetitions=10)
    >>> [(p.method, round(p.error, 2)) for p in study.peeking[:2]]
    [('clopper-pearson', 0.21), ('beta-binomial', 0.03)]
    """
    alpha = 1 - check_level(level)
    if n < 2:
        raise InputError("n must be at least 2", concerning="n", value=str(n))
    at = tuple(np.unique(np.geomspace(1, n, 60).round().astype(int)).tolist())
    rows: list[Peeking] = []
    for error in errors:
        if not 0 < error < 1:
            raise InputError(
                "must lie strictly between 0 and 1", argument="errors", value=f"{error:g}"
            )
        truth = f"error {error:.3g}".replace("0.", ".")
        for method, missing, promised in _intervals(error, alpha):
            path = _ever(error, n, missing)
            rows.append(_peeked(method, truth, promised, path, at))
    for method, missing, promised in _tests(alpha):
        path = _ever(0.5, n, missing)
        rows.append(_peeked(method, "equal models", promised, path, at))
    seed = integer_seed(random_state)
    for number, shape in enumerate(_SCORES):
        once = partial(_missed_by_betting, shape, n, level)
        misses = repeated(once, repetitions, child(seed, number), n_jobs, checkpoint)[:, 0]
        share = float(misses.mean())
        rows.append(
            Peeking(
                method="betting",
                truth=f"scores Beta({shape[0]:g}, {shape[1]:g})",
                promised=True,
                error=share,
                standard_error=math.sqrt(share * (1 - share) / repetitions),
            )
        )
    return Stopping(n=n, level=level, repetitions=repetitions, at=at, peeking=tuple(rows))


def _peeked(method: str, truth: str, promised: bool, path: Floats, at: Sequence[int]) -> Peeking:
    so_far = tuple(float(path[k - 1]) for k in at)
    return Peeking(
        method=method, truth=truth, promised=promised, error=float(path[-1]), path=so_far
    )


def _ever(truth: float, n: int, missing: Missing) -> Floats:
    """Return the probability to have missed by each time: the count is carried on case by case."""
    alive, path, missed = np.ones(1), np.zeros(n), 0.0
    for k in range(1, n + 1):
        alive = np.convolve(alive, [1 - truth, truth])
        out = missing(np.arange(k + 1, dtype=float), k)
        missed += float(alive[out].sum())
        alive[out] = 0.0
        path[k - 1] = missed
    return path


def _intervals(truth: float, alpha: float) -> list[tuple[str, Missing, bool]]:
    need = -math.log(alpha)

    def exact(x: Floats, n: int) -> Flags:
        # P(X >= x) and P(X <= x) at the truth, each at least alpha / 2 inside the interval.
        above, below = special.bdtrc(x - 1, n, truth), special.bdtr(x, n, truth)
        above[0] = 1.0
        return np.asarray((above < alpha / 2) | (below < alpha / 2))

    def mixture(x: Floats, n: int) -> Flags:
        return np.asarray(log_mixture(x, n, truth) >= need)

    return [("clopper-pearson", exact, False), ("beta-binomial", mixture, True)]


def _tests(alpha: float) -> list[tuple[str, Missing, bool]]:
    """Return tests of equal models, over the cases on which exactly one of them errs."""
    need = -math.log(alpha)

    def exact(x: Floats, n: int) -> Flags:
        smaller = special.bdtr(np.minimum(x, n - x), n, 0.5)
        return np.asarray(2 * smaller <= alpha)

    def e_value(x: Floats, n: int) -> Flags:
        return np.asarray(pair_log_e(x, n - x) >= need)

    return [("mcnemar-exact", exact, False), ("mcnemar-sequential", e_value, True)]


def _missed_by_betting(shape: tuple[float, float], n: int, level: float, seed: Seed) -> list[float]:
    scores = np.random.default_rng(seed).beta(*shape, n)
    truth = shape[0] / sum(shape)
    sequence = betting(scores, level, times=[n])
    inside = sequence.low[-1] <= truth <= sequence.high[-1]
    return [float(not inside or bool(sequence.flag))]
