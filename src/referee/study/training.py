"""Training a learner on a drawn sample, by the one fit loop, and what it costs on cases."""

from __future__ import annotations

from typing import Any

import numpy as np

from referee.core.arrays import Anything, Floats
from referee.core.dataset import Dataset
from referee.core.predictions import Predictions
from referee.core.randomness import Seed
from referee.evaluation.run import Run, run
from referee.resampling import Resubstitution
from referee.study.task import Task, codes_of

__all__ = ["costs_of", "mean_cost", "trained"]


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
    >>> made = trained(KNeighborsClassifier(1), *task.sample(30, random_state=0))
    >>> mean_cost(task, made.predictions)
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
