"""The Bayes risk by importance sampling, drawn where classes overlap.

The risk to be integrated is at most a sum over pairs of classes of the smaller joint density, and
min(a, b) <= sqrt(a b), which for two Gaussians is again a Gaussian (Bhattacharyya). Points drawn
from the mixture of these have bounded weights, so that a small risk is known as well, relative to
its size, as a large one.
"""

from __future__ import annotations

from itertools import combinations
from typing import TYPE_CHECKING

import numpy as np
from scipy.linalg import solve_triangular
from scipy.special import logsumexp

from referee.core.arrays import Floats
from referee.core.randomness import Seed
from referee.study.truth.known_risk import KnownRisk
from referee.study.truth.quadric import rounding_of

if TYPE_CHECKING:
    from referee.study.tasks.gaussian_task import GaussianTask

__all__ = ["overlap_risk"]

_BLOCK = 50_000


def overlap_risk(task: GaussianTask, *, draws: int = 200_000, seed: Seed = 0) -> KnownRisk:
    """Return the Bayes risk with its Monte Carlo standard error.

    Examples
    --------
    >>> from referee.study import GaussianTask
    >>> r = overlap_risk(GaussianTask([[-1.0], [1.0]], np.eye(1)), draws=20_000)
    >>> abs(r.value - 0.158655) < 4 * r.standard_error < 0.01
    True
    """
    best, generator = task.cost_matrix.min(axis=1), np.random.default_rng(seed)
    unit = float(task.cost_matrix.max()) or 1.0
    # What the right answers cost is certain; the rest is what the overlap adds.
    extra = (task.cost_matrix - best[:, None]) / unit
    bridges = [_bridge(task, i, j) for i, j in combinations(range(len(task.classes)), 2)]
    logs = np.array([b.log_mass for b in bridges])
    shares = np.exp(logs - logsumexp(logs))
    counts = np.maximum(1, np.round(draws * shares)).astype(int)
    mean = spread = 0.0
    for bridge, count, share in zip(bridges, counts, shares, strict=True):
        values = _values(task, bridges, shares, extra, bridge.draw(int(count), generator))
        mean += share * float(values.mean())
        # In units of their size: squares of rare errors are too small for floating point.
        size = float(np.abs(values).max()) or 1.0
        spread = float(np.hypot(spread, share * size * (values / size).std() / np.sqrt(count)))
    rounding = [rounding_of(c) for c in task.covariances]
    return KnownRisk(
        value=float(best @ task.priors + unit * mean),
        method="importance sampling",
        error=0.5 * unit * float((task.priors * extra.max(axis=1)) @ rounding),
        standard_error=unit * spread,
        draws=int(counts.sum()),
    )


class _Bridge:
    """The Gaussian sqrt(p(x, i) p(x, j)), with its mass."""

    def __init__(self, mean: Floats, root: Floats, log_mass: float) -> None:
        self.mean, self.root, self.log_mass = mean, root, log_mass

    def draw(self, n: int, generator: np.random.Generator) -> Floats:
        return np.asarray(generator.standard_normal((n, len(self.mean))) @ self.root.T + self.mean)

    def log_density_at(self, X: Floats) -> Floats:
        away = solve_triangular(self.root, (X - self.mean).T, lower=True)
        scale = np.log(np.diag(self.root)).sum() + 0.5 * len(self.mean) * np.log(2 * np.pi)
        return np.asarray(-0.5 * (away**2).sum(axis=0) - scale)


def _bridge(task: GaussianTask, i: int, j: int) -> _Bridge:
    one, other = task.log_joint[i], task.log_joint[j]
    covariance = np.linalg.inv((one.A + other.A) / 2)
    root = np.asarray(np.linalg.cholesky((covariance + covariance.T) / 2), dtype=float)
    # From the mean of one class, not from the zero point, which may be far from both.
    mean = task.means[i] + covariance @ (other.A @ (task.means[j] - task.means[i])) / 2
    bridge = _Bridge(mean, root, 0.0)
    top = task.log_joint_at(mean[None])[0, [i, j]].mean()
    bridge.log_mass = float(top - bridge.log_density_at(mean[None])[0])
    return bridge


def _values(
    task: GaussianTask, bridges: list[_Bridge], shares: Floats, extra: Floats, X: Floats
) -> Floats:
    """Return the least expected cost times p(x), over the density the points come from."""
    values = []
    for start in range(0, len(X), _BLOCK):
        block = X[start : start + _BLOCK]
        drawn = np.column_stack([b.log_density_at(block) for b in bridges])
        total = logsumexp(drawn, axis=1, b=shares)
        joint = np.exp(task.log_joint_at(block) - total[:, None])
        values.append((joint @ extra).min(axis=1))
    return np.concatenate(values)
