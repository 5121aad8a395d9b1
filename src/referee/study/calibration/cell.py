"""A cell of the calibration table: where a method is tried, and how a data set is drawn there."""

from __future__ import annotations

import zlib
from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

import numpy as np

from referee.core.arrays import Anything, Flags, Floats
from referee.core.dataset import Dataset
from referee.core.predictions import Predictions
from referee.core.randomness import Seed, child
from referee.errors import InputError
from referee.learners import model_from_name
from referee.study.tasks.gaussian_task import GaussianTask
from referee.study.tasks.task import KnownTask, Task
from referee.study.training import drawn

__all__ = [
    "Cell",
    "GroupCell",
    "LossCell",
    "NullCell",
    "Origin",
    "PairCell",
    "RankingCell",
    "RiskCell",
]

Origin: TypeAlias = Literal["founders", "fresh"]
"""Whether the constants of our intervals were chosen on the cell, or never saw it."""

_FEWEST = 5
"""Every class has so many cases; a sample with fewer is drawn again."""

_FEWEST_TO_HALVE = 8


@dataclass(frozen=True, kw_only=True)
class Cell(ABC):
    """What all cells have.

    Attributes
    ----------
    name : str
        Unique; the seeds of a cell depend on nothing else.
    repetitions : int
        Data sets drawn in the documented run.
    origin : {"founders", "fresh"}
        Whether it belongs to the simulation our constants were chosen by.
    """

    name: str
    repetitions: int = 200
    origin: Origin = "fresh"

    @property
    @abstractmethod
    def n(self) -> int:
        """The number of cases."""

    def seed(self, seed: Seed, repetition: int) -> Seed:
        """Return the seed of one data set: the same whichever other cells are run."""
        return child(seed, zlib.crc32(self.name.encode()), repetition)


@dataclass(frozen=True, kw_only=True)
class RiskCell(Cell):
    """A task with known truth, a learner and a number of cases.

    Examples
    --------
    >>> from referee.study import two_normals
    >>> cell = RiskCell(name="lda, n 50", task=two_normals(1.0), learner="lda", size=50)
    >>> data = cell.sample(0)
    >>> data.n, int(data.class_counts.min()) >= 5
    (50, True)
    """

    task: Task
    learner: str
    size: int

    @property
    def n(self) -> int:
        """The number of cases."""
        return self.size

    @property
    def model(self) -> Any:
        """The learner, not fitted."""
        return model_from_name(self.learner)

    def sample(self, seed: Seed) -> Dataset:
        """Draw a data set in which each class has at least 5 cases."""
        return Dataset.of(*drawn(self.task, self.size, seed, _enough))


@dataclass(frozen=True, kw_only=True)
class GroupCell(RiskCell):
    """Rows in groups that share their class and a part of their noise.

    Each row by itself is a draw of the task, so the risk on new groups is that of the task.

    Attributes
    ----------
    group : int
        Rows in a group.
    alike : float
        The share of the noise's variance that a group has in common.
    """

    group: int = 5
    alike: float = 0.8

    def sample(self, seed: Seed) -> Dataset:
        """Draw a data set with `groups`."""
        task = self.task
        assert isinstance(task, GaussianTask)
        rng = np.random.default_rng(seed)
        count = self.size // self.group
        codes = rng.choice(len(task.classes), size=count, p=task.priors)
        while np.bincount(codes, minlength=len(task.classes)).min() < _FEWEST:
            codes = rng.choice(len(task.classes), size=count, p=task.priors)
        groups = np.repeat(np.arange(count), self.group)
        middle = task.means[codes[groups]]
        shared = (task.draw(codes, rng) - task.means[codes])[groups]
        own = task.draw(codes[groups], rng) - middle
        X = middle + np.sqrt(self.alike) * shared + np.sqrt(1 - self.alike) * own
        return Dataset.of(X, task.labels[codes[groups]], groups=groups)


@dataclass(frozen=True, kw_only=True)
class PairCell(Cell):
    """One learner on two blocks of features that share nothing but the classes.

    Where both blocks are drawn from one task, the two learners are equal by symmetry, whatever
    the learner is: rejections are errors. Otherwise they show the power.

    Attributes
    ----------
    first, second : Task
        Where the features of the first and the second learner come from.
    """

    first: KnownTask
    second: KnownTask
    learner: str
    size: int

    @property
    def n(self) -> int:
        """The number of cases."""
        return self.size

    @property
    def equal(self) -> bool:
        """Whether the null hypothesis is true."""
        return self.first is self.second

    @property
    def model(self) -> Any:
        """The learner, not fitted."""
        return model_from_name(self.learner)

    def sample(self, seed: Seed) -> tuple[Dataset, Dataset]:
        """Draw both blocks for the same cases."""
        rng = np.random.default_rng(seed)
        k = len(self.first.classes)
        for _ in range(1000):
            codes = rng.choice(k, size=self.size, p=self.first.priors)
            if np.bincount(codes, minlength=k).min() >= _FEWEST_TO_HALVE:
                y = self.first.labels[codes]
                one, two = (Dataset.of(t.draw(codes, rng), y) for t in (self.first, self.second))
                return one, two
        raise InputError(f"cell {self.name!r}: 1000 samples had a class too small to halve")


@dataclass(frozen=True, kw_only=True)
class NullCell(Cell):
    """Features that say something about the labels, or nothing where `shift` is 0."""

    learner: str
    size: int
    features: int = 3
    shift: float = 0.0
    group: int = 1

    @property
    def n(self) -> int:
        """The number of cases."""
        return self.size

    @property
    def equal(self) -> bool:
        """Whether the null hypothesis is true."""
        return self.shift == 0

    def sample(self, seed: Seed) -> tuple[Floats, Anything, Anything | None]:
        """Draw features, labels and groups."""
        rng = np.random.default_rng(seed)
        count = self.size // self.group
        of_group = rng.permutation(np.arange(count) % 2)
        groups = np.repeat(np.arange(count), self.group)
        y = of_group[groups]
        X = rng.standard_normal((self.size, self.features))
        if self.group > 1:
            X += 2 * rng.standard_normal((count, self.features))[groups]
        X[:, 0] += self.shift * (2 * y - 1)
        return X, y, groups if self.group > 1 else None


@dataclass(frozen=True, kw_only=True)
class LossCell(Cell):
    """Errors of a fixed model on test cases, with a known error: in groups, weighted or in time.

    Attributes
    ----------
    error : float
        The share of new cases on which the model errs, weighted where cases weigh differently.
    group : int
        Cases in a group; each group has its own rate, of the beta law with this mean.
    alike : float
        The correlation of errors within a group.
    heavy : float
        Weight of one case in fifty; the others weigh 1, and err half as often.
    stay : float
        With which probability the next case is as hard as this one; half of all cases are hard, and
        err seven times as often as the others. None where cases have no times.
    """

    error: float
    size: int
    group: int = 1
    alike: float = 0.3
    heavy: float = 1.0
    stay: float | None = None

    @property
    def n(self) -> int:
        """The number of cases."""
        return self.size

    def sample(self, seed: Seed) -> Predictions:
        """Draw which cases are answered wrongly, and what is known about them."""
        rng = np.random.default_rng(seed)
        rate, known = np.full(self.size, self.error), {}
        if self.group > 1:
            known["groups"] = np.arange(self.size) // self.group
            strength = (1 - self.alike) / self.alike
            law = strength * self.error, strength * (1 - self.error)
            rate = rng.beta(*law, size=self.size // self.group)[known["groups"]]
        elif self.heavy > 1:
            is_heavy = rng.random(self.size) < 0.02
            known["sample_weight"] = np.where(is_heavy, self.heavy, 1.0)
            share = 0.02 * self.heavy / (0.02 * self.heavy + 0.98)
            light = self.error / (1 + share)
            rate = np.where(is_heavy, 2 * light, light)
        elif self.stay is not None:
            known["time"] = np.arange(self.size)
            turns = rng.random(self.size) >= self.stay
            turns[0] = rng.random() < 0.5
            hard = np.cumsum(turns) % 2
            rate = np.where(hard == 1, 1.75, 0.25) * self.error
        wrong = rng.random(self.size) < rate
        truth = np.arange(self.size) % 2
        return Predictions.of(truth, truth ^ wrong, labels=[0, 1], **known)


@dataclass(frozen=True, kw_only=True)
class RankingCell(Cell):
    """Normal scores of positives and negatives, with a known area under the ROC curve."""

    auc: float
    positives: int
    negatives: int
    spread: float = 1.0

    @property
    def n(self) -> int:
        """The number of cases."""
        return self.positives + self.negatives

    def sample(self, seed: Seed) -> tuple[Flags, Floats]:
        """Draw which cases are positive, and their scores."""
        from scipy.special import ndtri

        rng = np.random.default_rng(seed)
        positive = np.arange(self.n) < self.positives
        shift = float(ndtri(self.auc)) * np.hypot(1.0, self.spread)
        scores = rng.standard_normal(self.n)
        return positive, np.where(positive, shift + self.spread * scores, scores)


def _enough(X: Floats, y: Anything) -> bool:
    return int(np.unique(y, return_counts=True)[1].min()) >= _FEWEST
