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
from scipy.special import logsumexp

from referee.core.arrays import Floats
from referee.core.randomness import Seed
from referee.study.known_risk import KnownRisk
from referee.study.quadric import Quadric

if TYPE_CHECKING:
    from referee.study.gaussian_task import GaussianTask

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
    bridges = [
        _bridge(task.log_joint[i], task.log_joint[j])
        for i, j in combinations(range(len(task.classes)), 2)
    ]
    logs = np.array([b.log_mass for b in bridges])
    shares = np.exp(logs - logsumexp(logs))
    counts = np.maximum(1, np.round(draws * shares)).astype(int)
    # What the right answers cost is certain; the rest is what the overlap adds.
    floor = task.cost_matrix.min(axis=1)
    extra = task.cost_matrix - floor[:, None]
    generator = np.random.default_rng(seed)
    mean = spread = 0.0
    for bridge, count, share in zip(bridges, counts, shares, strict=True):
        values = _values(task, bridges, logs, extra, bridge.draw(int(count), generator))
        mean += share * float(values.mean())
        spread += share**2 * float(values.var()) / int(count)
    scale = float(np.exp(logsumexp(logs)))
    return KnownRisk(
        value=float(floor @ task.priors + scale * mean),
        method="importance sampling",
        standard_error=scale * float(np.sqrt(spread)),
        draws=int(counts.sum()),
    )


class _Bridge:
    """The Gaussian sqrt(p(x, i) p(x, j)), with its mass."""

    def __init__(self, mean: Floats, root: Floats, log_mass: float, quadric: Quadric) -> None:
        self.mean, self.root, self.log_mass, self.quadric = mean, root, log_mass, quadric

    def draw(self, n: int, generator: np.random.Generator) -> Floats:
        return np.asarray(generator.standard_normal((n, len(self.mean))) @ self.root.T + self.mean)


def _bridge(one: Quadric, other: Quadric) -> _Bridge:
    middle = Quadric((one.A + other.A) / 2, (one.b + other.b) / 2, (one.c + other.c) / 2)
    covariance = np.linalg.inv(middle.A)
    mean = covariance @ middle.b
    top = 0.5 * float(middle.b @ mean) + middle.c
    size = 0.5 * float(np.linalg.slogdet(2 * np.pi * covariance)[1])
    return _Bridge(mean, np.linalg.cholesky(covariance), top + size, middle)


def _values(
    task: GaussianTask, bridges: list[_Bridge], logs: Floats, extra: Floats, X: Floats
) -> Floats:
    """Return the least expected cost times p(x), over the density the points come from."""
    made = []
    for start in range(0, len(X), _BLOCK):
        block = X[start : start + _BLOCK]
        drawn = logsumexp(np.column_stack([b.quadric(block) for b in bridges]), axis=1)
        joint = np.exp(task.log_joint_at(block) - (drawn - logsumexp(logs))[:, None])
        made.append((joint @ extra).min(axis=1))
    # Both densities carry the factor of the mass, which the caller puts back.
    return np.concatenate(made) / float(np.exp(logsumexp(logs)))
