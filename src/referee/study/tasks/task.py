"""Task: a distribution of features and classes that is known, so that truth is known, too."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import Any, Protocol, runtime_checkable

import numpy as np

from referee.core.arrays import Anything, Codes, Floats, Label
from referee.core.randomness import RandomState, integer_seed
from referee.errors import InputError
from referee.study.truth.known_risk import KnownRisk

__all__ = ["KnownTask", "Task", "codes_of", "label_array", "unit_costs"]


@runtime_checkable
class Task(Protocol):
    """What every task with known truth offers."""

    @property
    def classes(self) -> tuple[Label, ...]:
        """The classes, in the order of priors and posteriors."""

    @property
    def n_features(self) -> int:
        """The dimension of x."""

    @property
    def priors(self) -> Floats:
        """The probability of each class."""

    @property
    def cost_matrix(self) -> Floats:
        """What it costs to answer j (column) where i (row) is true."""

    def sample(self, n: int, random_state: RandomState = None) -> tuple[Floats, Anything]:
        """Draw n independent cases: features and labels."""

    def sample_per_class(
        self, counts: Sequence[int], random_state: RandomState = None
    ) -> tuple[Floats, Anything]:
        """Draw so many cases of each class, in random order."""

    def posteriors(self, X: Any) -> Floats:
        """Return p(class | x), a row per case."""

    def predict(self, X: Any) -> Anything:
        """Return the answers of the Bayes rule."""

    def bayes_risk(self) -> KnownRisk:
        """Return the least risk any rule can have."""


class KnownTask(ABC):
    """What tasks share: how cases are drawn and the Bayes rule follows from posteriors."""

    @property
    @abstractmethod
    def classes(self) -> tuple[Label, ...]:
        """The classes, in the order of priors and posteriors."""

    @property
    @abstractmethod
    def n_features(self) -> int:
        """The dimension of x."""

    @property
    def priors(self) -> Floats:
        """The probability of each class; equal unless the task says otherwise."""
        return np.full(len(self.classes), 1 / len(self.classes))

    @property
    def cost_matrix(self) -> Floats:
        """What it costs to answer j (column) where i (row) is true; 0 and 1 by default."""
        return unit_costs(len(self.classes))

    @abstractmethod
    def draw(self, codes: Codes, generator: np.random.Generator) -> Floats:
        """Return features for cases whose classes are given by their positions."""

    @abstractmethod
    def posteriors(self, X: Any) -> Floats:
        """Return p(class | x), a row per case."""

    @abstractmethod
    def bayes_risk(self) -> KnownRisk:
        """Return the least risk any rule can have."""

    def sample(self, n: int, random_state: RandomState = None) -> tuple[Floats, Anything]:
        """Draw n independent cases: features and labels.

        Parameters
        ----------
        n : int
            Number of cases; the number in each class is random.
        random_state : int, Generator or RandomState
            The seed; fresh if not given.
        """
        generator = np.random.default_rng(integer_seed(random_state))
        codes = generator.choice(len(self.classes), size=_count(n, "n"), p=self.priors)
        return self.draw(codes, generator), self.labels[codes]

    def sample_per_class(
        self, counts: Sequence[int], random_state: RandomState = None
    ) -> tuple[Floats, Anything]:
        """Draw so many cases of each class, in random order.

        Parameters
        ----------
        counts : sequence of int
            Cases of each class, in the order of `classes`.
        random_state : int, Generator or RandomState
            The seed; fresh if not given.
        """
        if len(counts) != len(self.classes):
            raise InputError(
                f"must give a number for each of {len(self.classes)} classes",
                argument="counts",
                value=str(len(counts)),
            )
        numbers = [_count(n, f"counts[{i}]", least=0) for i, n in enumerate(counts)]
        generator = np.random.default_rng(integer_seed(random_state))
        codes = generator.permutation(np.repeat(np.arange(len(numbers)), numbers))
        return self.draw(codes, generator), self.labels[codes]

    def predict(self, X: Any) -> Anything:
        """Return the answers of the Bayes rule: those of least expected cost."""
        return np.asarray(self.labels[np.argmin(self.expected_costs(X), axis=1)])

    def expected_costs(self, X: Any) -> Floats:
        """Return the cost expected of each answer, a row per case."""
        return np.asarray(self.posteriors(X) @ self.cost_matrix)

    @property
    def labels(self) -> Anything:
        """The classes as an array."""
        return label_array(self.classes)

    def features(self, X: Any) -> Floats:
        """Return X as an array of rows with the right number of columns."""
        points = np.asarray(X, dtype=float)
        if points.ndim == 1 and self.n_features == 1:
            points = points[:, None]
        if points.ndim != 2 or points.shape[1] != self.n_features:
            raise InputError(
                f"must have {self.n_features} columns, as the task has features; got shape "
                f"{points.shape}",
                argument="X",
            )
        return points


def unit_costs(classes: int) -> Floats:
    """Return the zero-one loss as a matrix.

    Examples
    --------
    >>> unit_costs(2).tolist()
    [[0.0, 1.0], [1.0, 0.0]]
    """
    return 1 - np.eye(classes)


def label_array(labels: Sequence[Label]) -> Anything:
    """Return labels as an array; of objects where one type cannot hold them all.

    Examples
    --------
    >>> label_array(["a", "b"]).dtype.kind, label_array([0, "x"]).tolist()
    ('U', [0, 'x'])
    """
    plain = np.asarray(labels)
    if plain.ndim == 1 and plain.tolist() == list(labels):
        return plain
    kept = np.empty(len(labels), dtype=object)
    kept[:] = labels
    return kept


def codes_of(task: Task, labels: Anything) -> Codes:
    """Return the positions of labels among the classes of the task.

    Examples
    --------
    >>> from referee.study import two_normals
    >>> codes_of(two_normals(1.0), np.array([1, 0, 1])).tolist()
    [1, 0, 1]
    """
    codes = np.full(len(labels), -1, dtype=np.intp)
    for code, label in enumerate(task.classes):
        codes[labels == label] = code
    if (codes < 0).any():
        odd = labels[codes < 0].tolist()[0]
        raise InputError(f"the answer {odd!r} is no class of the task {task.classes!r}")
    return codes


def _count(n: Any, name: str, least: int = 1) -> int:
    if not isinstance(n, (int, np.integer)) or isinstance(n, bool) or n < least:
        raise InputError(
            f"{name} must be a whole number of at least {least}", concerning=name, value=repr(n)
        )
    return int(n)
