"""Training a learner on a drawn sample, by the one fit loop, and what it costs on cases."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from referee.core.arrays import Anything, Floats
from referee.core.dataset import Dataset
from referee.core.predictions import Predictions
from referee.core.randomness import Seed, child
from referee.errors import InputError
from referee.fitting.run import Run, run
from referee.resampling import Resubstitution
from referee.study.tasks.task import Task, codes_of

__all__ = ["check_classes_occur", "costs_of", "drawn", "mean_cost", "trained"]

_RARE = 0.1
"""Share of samples without one of the classes above which an experiment would not be one."""


def check_classes_occur(task: Task, n: int, argument: str = "n") -> None:
    """Refuse a training size at which samples often lack a class.

    Examples
    --------
    >>> from referee.study import imbalanced
    >>> check_classes_occur(imbalanced(), 24)
    Traceback (most recent call last):
    ...
    referee.errors.InputError: n: 31% of training sets of 24 cases would lack a class, of which the
    rarest has a share of 0.0476; use at least 49 cases to train on
    """
    lacking = float(((1 - task.priors) ** n).sum())
    if lacking > _RARE:
        rarest = float(task.priors.min())
        least = math.ceil(math.log(_RARE) / math.log1p(-rarest)) + 1
        raise InputError(
            f"{argument}: {lacking:.0%} of training sets of {n} cases would lack a class, of "
            f"which the rarest has a share of {rarest:.3g}",
            remedy=f"use at least {least} cases to train on",
        )


def drawn(
    task: Task,
    n: int,
    seed: Seed,
    suits: Callable[[Floats, Anything], bool] | None = None,
) -> tuple[Floats, Anything]:
    """Draw a sample in which every class occurs; drawn again while one is missing.

    `suits` may ask for more, such as every class in every training set.
    """
    for attempt in range(1000):
        X, y = task.sample(n, seed if attempt == 0 else child(seed, attempt))
        if len(np.unique(y)) == len(task.classes) and (suits is None or suits(X, y)):
            return X, y
    raise InputError(f"1000 samples of {n} cases all lacked a class", remedy="use larger samples")


def trained(learner: Any, X: Floats, y: Anything, seed: Seed = 0) -> Run:
    """Return the learner trained on all cases, with its answers for them."""
    data = Dataset.of(X, y)
    return run(learner, data, Resubstitution().plan(data), seed=seed)


def mean_cost(task: Task, predictions: Predictions) -> float:
    """Return what the answers cost per case; the share of errors unless the task has costs.

    Examples
    --------
    >>> from sklearn.neighbors import KNeighborsClassifier
    >>> from referee.study import two_normals
    >>> task = two_normals(1.0)
    >>> learner = trained(KNeighborsClassifier(1), *task.sample(30, random_state=0))
    >>> mean_cost(task, learner.predictions)
    0.0
    """
    names = np.array(predictions.classes, dtype=object)
    truth = names[predictions.truth[predictions.case]]
    return float(costs_of(task, truth, names[predictions.predicted]).mean())


def costs_of(task: Task, truth: Anything, predicted: Anything) -> Floats:
    """Return what each answer costs.

    Examples
    --------
    >>> from referee.study import two_normals
    >>> costs_of(two_normals(1.0), np.array([0, 1]), np.array([1, 1])).tolist()
    [1.0, 0.0]
    """
    return np.asarray(task.cost_matrix[codes_of(task, truth), codes_of(task, predicted)])
