"""Repeat an experiment with seeds of its own for each repetition, on any number of cores."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from referee.core.arrays import Floats
from referee.core.randomness import RandomState, Seed, child, integer_seed
from referee.core.showing.pictures import Curve
from referee.errors import InputError
from referee.fitting.checkpoint import Checkpoint, versions_used
from referee.fitting.engines import engine_named

__all__ = ["Mean", "mean_curve", "mean_of", "repeated"]


@dataclass(frozen=True)
class Mean:
    """A mean over repetitions with its Monte Carlo standard error."""

    value: float
    standard_error: float

    def __str__(self) -> str:
        return f"{self.value:.4f} ± {self.standard_error:.4f}"


def mean_of(values: Floats) -> Mean:
    """Return the mean of independent repetitions.

    Examples
    --------
    >>> print(mean_of(np.array([0.1, 0.2, 0.3])))
    0.2000 ± 0.0577
    """
    return Mean(float(values.mean()), float(values.std(ddof=1) / np.sqrt(len(values))))


def mean_curve(label: str, x: Sequence[float], means: Sequence[Mean]) -> Curve:
    """Return a curve of means with two standard errors to each side.

    Examples
    --------
    >>> mean_curve("cv", [10, 20], [Mean(0.5, 0.125), Mean(0.25, 0.0625)]).low
    (0.25, 0.125)
    """
    values = tuple(m.value for m in means)
    low, high = (tuple(m.value + way * m.standard_error for m in means) for way in (-2, 2))
    return Curve(label, tuple(x), values, low, high)


def repeated(
    once: Callable[[Seed], Any],
    repetitions: int,
    random_state: RandomState = 0,
    n_jobs: int | None = None,
    checkpoint: str | os.PathLike[str] | None = None,
) -> Floats:
    """Return an array with a row of numbers for each repetition.

    Parameters
    ----------
    once : callable
        Takes a seed and returns numbers, always as many.
    repetitions : int
        At least 2, as there is no standard error otherwise.
    random_state : int, Generator or RandomState
        Repetition r gets the child r of it: the same numbers for any `n_jobs`.
    n_jobs : int or None
        As in joblib.
    checkpoint : path or None
        Directory where finished repetitions are kept; a second call goes on from there.

    Examples
    --------
    >>> repeated(lambda seed: [seed % 2, 1], 3).shape
    (3, 2)
    """
    if not isinstance(repetitions, (int, np.integer)) or repetitions < 2:
        raise InputError(
            "must be a whole number of at least 2", argument="repetitions", value=repr(repetitions)
        )
    engine = engine_named(n_jobs=n_jobs)
    seed = integer_seed(random_state)

    def fresh(numbers: Sequence[int]) -> Iterator[Any]:
        return engine.results(once, [(child(seed, r),) for r in numbers])

    numbers = range(repetitions)
    if checkpoint is None:
        return np.asarray(list(fresh(numbers)), dtype=float)
    of = {"work": "study", "versions": versions_used()}
    kept = Checkpoint(checkpoint, of).of_run(once, seed)
    return np.asarray(list(kept.completed(numbers, fresh)), dtype=float)
