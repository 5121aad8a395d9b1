"""A Gaussian rule: how means and covariances become an answer, and what the original checks."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from referee.core.arrays import Floats

__all__ = ["GaussianRule"]


@dataclass(frozen=True)
class GaussianRule:
    """Answer with the class of the largest log prior + log normal density.

    With S_k the scatter matrix of the n_k training rows of class k about their mean, the covariance
    of class k is, before shrinkage,

    - ``"full"``: S_k / n_k,
    - ``"shared"``: sum of S_k, divided by n (or sum of prior_k S_k / n_k),
    - ``"diagonal"``: the diagonal of S_k / n_k,

    and C becomes (1 - shrinkage) C + shrinkage (tr C / d) I, then (1 - ridge) C + ridge I, then
    C + smoothing v I where v is the largest variance of a feature in the training rows.

    Attributes
    ----------
    covariance : {"full", "shared", "diagonal"}
        Which covariances are estimated.
    shrinkage, ridge, smoothing : float
        As above.
    priors : tuple of float or None
        None takes the shares of the training rows.
    weighted : bool
        Whether the shared covariance weights the classes by `priors` instead of their sizes.
    least : float or None
        The original refuses a class whose covariance has an eigenvalue not above this.
    tol : float or None
        The original drops directions whose singular value is not above this: those of the
        standardised rows within classes, and, as a share of the largest, of the class means.
    skips_constant : bool
        Whether the original ignores a feature that is the same whole number in all rows.
    lone : bool
        Whether the original takes a class of one row without a warning.
    raw : float
        How the rounding errors of the original grow with the condition of the raw covariance:
        this power of it.
    far : int
        How they grow with the distance of the cases from 0, in standard deviations.
    """

    covariance: str
    shrinkage: float = 0.0
    ridge: float = 0.0
    smoothing: float = 0.0
    priors: tuple[float, ...] | None = None
    weighted: bool = False
    least: float | None = None
    tol: float | None = None
    skips_constant: bool = False
    lone: bool = True
    raw: float = 0.5
    far: int = 1

    @property
    def regular(self) -> bool:
        """Whether nothing is added to the covariances."""
        return self.shrinkage == self.ridge == self.smoothing == 0

    @property
    def ignores_units(self) -> bool:
        """Whether other units of the features give the same answers, but for rounding."""
        return self.regular and self.covariance != "diagonal"

    def log_priors(self, counts: Floats) -> Floats:
        """Return the log priors for class counts of shape (k, B)."""
        if self.priors is not None:
            with np.errstate(divide="ignore"):
                return np.broadcast_to(np.log(self.priors)[:, None], counts.shape)
        with np.errstate(divide="ignore"):
            return np.asarray(np.log(counts / counts.sum(axis=0)))

    def fewest(self, d: int) -> int:
        """Return how many rows of each class the original surely takes."""
        if self.covariance != "full":
            return 1 if self.lone else 2
        # A singular value decomposition of fewer rows has fewer values than features.
        return max(2, d) if self.ridge > 0 else 2

    def pooling(self, counts: Floats) -> Floats:
        """Return the weights of the classes in the shared covariance."""
        if self.weighted and self.priors is not None:
            return np.asarray(self.priors)
        return np.asarray(counts / counts.sum())

    def regularised(self, C: Floats) -> Floats:
        """Return a d x d covariance after shrinkage and ridge."""
        d = len(C)
        mean = np.trace(C) / d
        C = (1 - self.ridge) * (1 - self.shrinkage) * C
        C.flat[:: d + 1] += (1 - self.ridge) * self.shrinkage * mean + self.ridge
        return C
