"""Further tasks with known truth: what Gaussian classes of equal size do not show.

XOR (no linear rule helps), rings (the border is closed), heavy tails (means and covariances
mislead), imbalance and more features than cases. The Bayes risk of each has a formula.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy import stats
from scipy.special import expit, ndtr

from referee.core.arrays import Codes, Floats, Label
from referee.errors import InputError, nearest
from referee.study.tasks.examples import EXAMPLES, separation_for, two_normals
from referee.study.tasks.gaussian_task import GaussianTask
from referee.study.tasks.task import KnownTask, Task
from referee.study.truth.known_risk import KnownRisk

__all__ = [
    "CATALOGUE",
    "HeavyTails",
    "Rings",
    "Xor",
    "as_task",
    "imbalanced",
    "more_features_than_cases",
]


@dataclass(frozen=True)
class Xor(KnownTask):
    """Four Gaussian clouds at (±1, ±1); opposite ones share a class, and some labels are wrong.

    The sum of the densities of class 1 less those of class 0 is sinh(x1/v) sinh(x2/v) times a
    positive factor, v the squared spread, so the best answer is 1 where x1 x2 > 0. It errs when
    exactly one coordinate crossed over: e = 2 q (1 - q), q = Phi(-1 / spread); with flipped labels
    e + flip - 2 e flip.

    Parameters
    ----------
    spread : float
        Standard deviation of each cloud.
    flip : float
        Share of labels that are swapped at random, below 1/2.
    d : int
        Number of features; from the third on they say nothing.

    Examples
    --------
    >>> round(Xor(spread=0.5).bayes_risk().value, 6)
    0.044465
    >>> Xor().predict([[1, 1], [-1, 1]]).tolist()
    [1, 0]
    """

    spread: float = 0.5
    flip: float = 0.0
    d: int = 2

    def __post_init__(self) -> None:
        _positive(self.spread, "spread")
        if not 0 <= self.flip < 0.5:
            raise InputError(
                "must be at least 0 and below 1/2", argument="flip", value=str(self.flip)
            )
        if self.d < 2:
            raise InputError("must be at least 2", argument="d", value=str(self.d))

    @property
    def classes(self) -> tuple[Label, ...]:
        """0 where the coordinates differ in sign, 1 where they agree."""
        return (0, 1)

    @property
    def n_features(self) -> int:
        """The dimension of x."""
        return self.d

    def draw(self, codes: Codes, generator: np.random.Generator) -> Floats:
        """Return features for cases of these classes."""
        X = generator.standard_normal((len(codes), self.d))
        signs = generator.choice((-1.0, 1.0), size=len(codes))
        wrong = generator.random(len(codes)) < self.flip
        agree = np.where((codes == 1) ^ wrong, 1.0, -1.0)
        X[:, :2] = self.spread * X[:, :2] + np.column_stack([signs, signs * agree])
        return X

    def posteriors(self, X: Any) -> Floats:
        """Return p(class | x), a row per case."""
        x = self.features(X)[:, :2] / self.spread**2
        # Densities of the clouds but for a common factor: exp(s1 x1 + s2 x2).
        agree = np.logaddexp(x[:, 0] + x[:, 1], -x[:, 0] - x[:, 1])
        differ = np.logaddexp(x[:, 0] - x[:, 1], x[:, 1] - x[:, 0])
        clean = expit(agree - differ)
        one = self.flip + (1 - 2 * self.flip) * clean
        return np.column_stack([1 - one, one])

    def bayes_risk(self) -> KnownRisk:
        """Return the least error any rule can have."""
        q = float(ndtr(-1 / self.spread))
        crossed = 2 * q * (1 - q)
        value = crossed + self.flip - 2 * crossed * self.flip
        return KnownRisk(value=value, method="closed form", error=1e-16)


@dataclass(frozen=True)
class Rings(KnownTask):
    """Rings around the origin, one class each, with radii spread log-normally.

    Directions are uniform and say nothing, so everything is decided by the logarithm of the
    radius, a Gaussian task in one dimension, whose Bayes risk is known.

    Parameters
    ----------
    radii : tuple of float
        The middle radius of each class.
    spread : float
        Standard deviation of ln radius.
    d : int
        Number of features, 2 or more.

    Examples
    --------
    >>> round(Rings((1.0, 2.0), spread=0.25).bayes_risk().value, 6)
    0.082829
    >>> Rings().predict([[0.0, 1.0], [2.0, 0.1]]).tolist()
    [0, 1]
    """

    radii: tuple[float, ...] = (1.0, 2.0)
    spread: float = 0.25
    d: int = 2

    def __post_init__(self) -> None:
        _positive(self.spread, "spread")
        if len(self.radii) < 2:
            raise InputError(
                "must name two rings or more", argument="radii", value=str(len(self.radii))
            )
        for radius in self.radii:
            _positive(radius, "radii")
        if self.d < 2:
            raise InputError("must be at least 2", argument="d", value=str(self.d))

    @property
    def _logarithm(self) -> GaussianTask:
        """What is left of the task when only ln radius is looked at."""
        return GaussianTask(np.log(self.radii), np.full(len(self.radii), self.spread**2))

    @property
    def classes(self) -> tuple[Label, ...]:
        """0, 1 and so on, in the order of `radii`."""
        return tuple(range(len(self.radii)))

    @property
    def n_features(self) -> int:
        """The dimension of x."""
        return self.d

    def draw(self, codes: Codes, generator: np.random.Generator) -> Floats:
        """Return features for cases of these classes."""
        X = generator.standard_normal((len(codes), self.d))
        radius = np.exp(self._logarithm.draw(codes, generator))
        return np.asarray(X * radius / np.linalg.norm(X, axis=1, keepdims=True))

    def posteriors(self, X: Any) -> Floats:
        """Return p(class | x), a row per case."""
        radius = np.linalg.norm(self.features(X), axis=1, keepdims=True)
        # The logarithm of a subnormal radius is far enough inside.
        return self._logarithm.posteriors(np.log(np.maximum(radius, 1e-300)))

    def bayes_risk(self) -> KnownRisk:
        """Return the least error any rule can have."""
        return self._logarithm.bayes_risk()


@dataclass(frozen=True)
class HeavyTails(KnownTask):
    """Two classes at -s and +s on the first axis, every feature with the tails of Student's t.

    The density falls on both sides of its centre, so the nearer centre is the better answer, and
    the Bayes error is P(t > s).

    Parameters
    ----------
    s : float
        Half the distance of the centres.
    df : float
        Degrees of freedom; 3 has a variance and no fourth moment.
    d : int
        Number of features; from the second on they say nothing.

    Examples
    --------
    >>> round(HeavyTails(s=2.0).bayes_risk().value, 6)
    0.069663
    """

    s: float = 1.5
    df: float = 3.0
    d: int = 2

    def __post_init__(self) -> None:
        _positive(self.s, "s")
        _positive(self.df, "df")
        if self.d < 1:
            raise InputError("must be at least 1", argument="d", value=str(self.d))

    @property
    def classes(self) -> tuple[Label, ...]:
        """0 at -s and 1 at +s."""
        return (0, 1)

    @property
    def n_features(self) -> int:
        """The dimension of x."""
        return self.d

    def draw(self, codes: Codes, generator: np.random.Generator) -> Floats:
        """Return features for cases of these classes."""
        X = generator.standard_t(self.df, size=(len(codes), self.d))
        X[:, 0] += np.where(codes == 1, self.s, -self.s)
        return X

    def posteriors(self, X: Any) -> Floats:
        """Return p(class | x), a row per case."""
        x = self.features(X)[:, 0]
        gap = np.log1p((x + self.s) ** 2 / self.df) - np.log1p((x - self.s) ** 2 / self.df)
        one = expit((self.df + 1) / 2 * gap)
        return np.column_stack([1 - one, one])

    def bayes_risk(self) -> KnownRisk:
        """Return the least error any rule can have."""
        value = float(stats.t.sf(self.s, self.df))
        return KnownRisk(value=value, method="closed form", error=1e-15)


def imbalanced(ratio: float = 20.0, s: float = 1.0, d: int = 2) -> GaussianTask:
    """Return `two_normals` with `ratio` cases of class 0 for each of class 1.

    Examples
    --------
    >>> task = imbalanced(20)
    >>> round(float(task.priors[1]), 6), round(task.bayes_risk().value, 6)
    (0.047619, 0.038841)
    """
    _positive(ratio, "ratio")
    equal = two_normals(s, d)
    return GaussianTask(equal.means, equal.covariances, [ratio / (1 + ratio), 1 / (1 + ratio)])


def more_features_than_cases(
    d: int = 200, relevant: int = 10, bayes_error: float = 0.1
) -> GaussianTask:
    """Return two Gaussian classes in many dimensions, of which a few say something.

    Each of the relevant features says equally little; no single one is enough.

    Examples
    --------
    >>> round(more_features_than_cases().bayes_risk().value, 6)
    0.1
    """
    if not 1 <= relevant <= d:
        raise InputError(
            f"must lie between 1 and the {d} features", argument="relevant", value=str(relevant)
        )
    shift = np.where(np.arange(d) < relevant, separation_for(bayes_error) / np.sqrt(relevant), 0.0)
    return GaussianTask(np.vstack([-shift, shift]), np.eye(d))


CATALOGUE: dict[str, Callable[[], Task]] = {
    "two-normals": lambda: two_normals(1.0, 2),
    "xor": Xor,
    "rings": Rings,
    "heavy-tails": HeavyTails,
    "imbalance": imbalanced,
    "p-above-n": more_features_than_cases,
}
"""Tasks by name, at their defaults."""


def as_task(task: Task | str) -> Task:
    """Return a task, which may be given by its name.

    Examples
    --------
    >>> as_task("xor")
    Xor(spread=0.5, flip=0.0, d=2)
    >>> as_task("example-1").classes
    (-1, 1)
    """
    if isinstance(task, Task):
        return task
    examples = {f"example-{number}": example for number, example in EXAMPLES.items()}
    if isinstance(task, str) and task in examples:
        return examples[task]
    known = [*CATALOGUE, *examples]
    if not isinstance(task, str) or task not in CATALOGUE:
        raise InputError(
            "task must be a task or the name of one",
            concerning="task",
            value=repr(task),
            remedy=nearest(str(task), known),
        )
    return CATALOGUE[task]()


def _positive(value: float, name: str) -> None:
    if not (np.isfinite(value) and value > 0):
        raise InputError(
            f"{name} must be a finite number above 0", concerning=name, value=str(value)
        )
