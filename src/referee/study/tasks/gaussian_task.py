"""GaussianTask: normal classes of known means, covariances and priors."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from scipy.linalg import solve_triangular
from scipy.special import expit, logsumexp

from referee.core.arrays import Codes, Floats, Label
from referee.errors import InputError
from referee.measures.formulas.cost import Costs
from referee.study.tasks.gaussian_parameters import checked_costs, checked_gaussians, checked_priors
from referee.study.tasks.task import KnownTask
from referee.study.truth.bayes_risk import BayesRiskMethod, gaussian_bayes_risk
from referee.study.truth.known_risk import KnownRisk
from referee.study.truth.quadric import Quadric, log_density

__all__ = ["Densities", "GaussianTask"]


@dataclass(frozen=True, eq=False)
class Densities:
    """The densities at some points, which Bayes' theorem ties together.

    Attributes
    ----------
    conditional : array of shape (n, k)
        p(x | class).
    joint : array of shape (n, k)
        p(x, class) = p(x | class) p(class).
    marginal : array of shape (n,)
        p(x), the sum of the joint densities.
    """

    conditional: Floats
    joint: Floats
    marginal: Floats


class GaussianTask(KnownTask):
    """Classes that are normally distributed, with everything that follows from it.

    Parameters
    ----------
    means : array-like of shape (k, d), or (k,) for one feature
    covariances : array-like of shape (k, d, d), or (d, d) shared by all classes
        With one feature also (k,) variances.
    priors : array-like of shape (k,), optional
        Probabilities of the classes; equal if not given.
    costs : Costs or array-like of shape (k, k), optional
        Costs of the two kinds of error (two classes; the second is the positive one), or what it
        costs to answer j (column) where i (row) is true. Every error costs 1 if not given.
    classes : sequence of labels, optional
        The names of the classes; 0 to k - 1 if not given.

    Notes
    -----
    For two classes, with the second one as "+1" of the lecture notes,

    * ``g_hat(x)`` = ln p(x|+1) - ln p(x|-1) + ln p(+1) - ln p(-1) = -1/2 x A x' + b x' + c,
    * ``g_tilde(x)`` = p(x, +1) - p(x, -1),
    * ``g_bar(x)`` = p(+1|x) - p(-1|x) = g_tilde(x) / p(x) = tanh(g_hat(x) / 2).

    They agree in sign. With costs the rule compares ``g_hat`` with `threshold` instead of 0.

    Examples
    --------
    >>> task = GaussianTask([[-1, 0], [1, 0]], np.eye(2))
    >>> task.predict([[-2, 5], [0.1, 3]]).tolist()
    [0, 1]
    >>> print(task.bayes_risk())
    0.1586552539 (closed form, error 1e-16)
    >>> X, y = task.sample(5, random_state=0)
    >>> X.shape, y.shape
    ((5, 2), (5,))
    """

    def __init__(
        self,
        means: Any,
        covariances: Any,
        priors: Any = None,
        costs: Costs | Any = None,
        *,
        classes: Sequence[Label] | None = None,
    ) -> None:
        self._means, self._covariances = checked_gaussians(means, covariances)
        k = len(self._means)
        self._priors = checked_priors(priors, k)
        self._costs = checked_costs(costs, k)
        self._classes = tuple(range(k)) if classes is None else tuple(classes)
        if len(set(self._classes)) != k or len(self._classes) != k:
            raise InputError(
                f"must name {k} different classes", argument="classes", value=repr(self._classes)
            )

    @property
    def means(self) -> Floats:
        """The mean of each class, shape (k, d)."""
        return self._means

    @property
    def covariances(self) -> Floats:
        """The covariance of each class, shape (k, d, d)."""
        return self._covariances

    @property
    def classes(self) -> tuple[Label, ...]:
        """The classes, in the order of means, priors and posteriors."""
        return self._classes

    @property
    def priors(self) -> Floats:
        """The probability of each class."""
        return self._priors

    @property
    def cost_matrix(self) -> Floats:
        """What it costs to answer j (column) where i (row) is true."""
        return self._costs

    @property
    def n_features(self) -> int:
        """The dimension of x."""
        return int(self._means.shape[1])

    def __repr__(self) -> str:
        return f"GaussianTask({len(self.classes)} classes, {self.n_features} features)"

    def draw(self, codes: Codes, generator: np.random.Generator) -> Floats:
        """Return features for cases whose classes are given by their positions."""
        X = generator.standard_normal((len(codes), self.n_features))
        for code, root in enumerate(self._roots):
            rows = codes == code
            X[rows] = X[rows] @ root.T + self.means[code]
        return X

    @cached_property
    def _roots(self) -> Floats:
        return np.asarray(np.linalg.cholesky(self.covariances))

    @cached_property
    def log_joint(self) -> tuple[Quadric, ...]:
        """The quadric ln p(x, class) of each class, about the mean of the class."""
        return tuple(
            log_density(mean, covariance) + float(np.log(prior))
            for mean, covariance, prior in zip(
                self.means, self.covariances, self.priors, strict=True
            )
        )

    def log_joint_at(self, X: Any) -> Floats:
        """Return ln p(x, class), a row per case."""
        points = self.features(X)
        densities = np.empty((len(points), len(self.classes)))
        for code, root in enumerate(self._roots):
            # The distance by substitution is more exact than the expanded quadric far away.
            away = solve_triangular(root, (points - self.means[code]).T, lower=True)
            scale = np.log(np.diag(root)).sum() + 0.5 * self.n_features * np.log(2 * np.pi)
            densities[:, code] = np.log(self.priors[code]) - 0.5 * (away**2).sum(axis=0) - scale
        return densities

    def densities(self, X: Any) -> Densities:
        """Return the class-conditional, joint and marginal densities at the rows of X."""
        joint = np.exp(self.log_joint_at(X))
        return Densities(joint / self.priors, joint, joint.sum(axis=1))

    def posteriors(self, X: Any) -> Floats:
        """Return p(class | x) by Bayes' theorem, a row per case."""
        logs = self.log_joint_at(X)
        return np.asarray(np.exp(logs - logsumexp(logs, axis=1, keepdims=True)))

    @cached_property
    def quadric(self) -> Quadric:
        """A, b and c of ``g_hat`` (two classes), about the zero point as in the lecture notes."""
        self._two("the quadric")
        return self.log_joint[1] - self.log_joint[0]

    @property
    def threshold(self) -> float:
        """What ``g_hat`` must exceed for the second class; 0 when all errors cost the same.

        Also 0 when an error costs no more than the right answer: then no decision matters.
        """
        self._two("the threshold")
        costs = self.cost_matrix
        missed, false = costs[1, 0] - costs[1, 1], costs[0, 1] - costs[0, 0]
        if missed == false == 0:
            return 0.0
        with np.errstate(divide="ignore"):
            return float(np.log(false) - np.log(missed))

    def g_hat(self, X: Any) -> Floats:
        """Return the log odds ln p(x, +1) - ln p(x, -1), where +1 is the second class."""
        self._two("g_hat")
        logs = self.log_joint_at(X)
        return np.asarray(logs[:, 1] - logs[:, 0])

    def g_bar(self, X: Any) -> Floats:
        """Return the difference of posteriors p(+1|x) - p(-1|x)."""
        self._two("g_bar")
        return np.asarray(2 * expit(self.g_hat(X)) - 1)

    def g_tilde(self, X: Any) -> Floats:
        """Return the difference of joint densities p(x, +1) - p(x, -1)."""
        self._two("g_tilde")
        joint = self.densities(X).joint
        return np.asarray(joint[:, 1] - joint[:, 0])

    def bayes_risk(
        self, method: BayesRiskMethod = "auto", *, draws: int = 200_000, seed: int = 0
    ) -> KnownRisk:
        """Return the least risk any rule can have, see `gaussian_bayes_risk`."""
        return gaussian_bayes_risk(self, method, draws=draws, seed=seed)

    def _two(self, what: str) -> None:
        if len(self.classes) != 2:
            raise InputError(
                f"{what} is defined for two classes, the task has {len(self.classes)}",
                concerning="task",
            )
