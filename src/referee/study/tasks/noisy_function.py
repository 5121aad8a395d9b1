"""NoisyFunction: y = f(x) + noise, and the risk of any guess g of f.

For the quadratic loss, and noise that is independent of x with mean 0,

    R(g) = E noise² + E (f(x) - g(x))²,

a part nobody can avoid, and the modelling error. Noise with another mean adds twice its mean times
E (f - g): then the best guess is f plus that mean. For a general loss the risk is the double
integral over x and noise; without noise it is E L(f(x), g(x)).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np
from scipy import stats
from scipy.integrate import quad

from referee.core.arrays import Floats
from referee.core.randomness import RandomState, integer_seed
from referee.errors import InputError

__all__ = ["FunctionRisk", "NoisyFunction"]

Guess = Callable[[Floats], Any]
_TAIL = 1e-16
_CUTS = (1e-9, 1e-4, 0.25, 0.5, 0.75, 1 - 1e-4, 1 - 1e-9)
_NODES = 32
"""Gauss-Legendre nodes between two cuts."""


@dataclass(frozen=True)
class FunctionRisk:
    """The risk of a guess, and what it is made of.

    Attributes
    ----------
    value : float
        The expected loss.
    noise : float
        The expected loss of f itself.
    modelling : float
        The expected loss of the guess if there were no noise.
    error : float
        Estimated absolute error of the quadrature.

    Notes
    -----
    ``value = noise + modelling`` holds for the quadratic loss and noise of mean 0, not in general.
    """

    value: float
    noise: float
    modelling: float
    error: float


@dataclass(frozen=True, eq=False)
class NoisyFunction:
    """A regression task with known truth.

    Parameters
    ----------
    function : callable
        f, of an array of x.
    noise : scipy.stats frozen distribution
        Of y - f(x).
    inputs : scipy.stats frozen distribution
        Of x; uniform on 0 to 1 if not given.

    Examples
    --------
    >>> task = NoisyFunction(np.sin, stats.norm(0, 0.5), stats.uniform(0, np.pi))
    >>> r = task.risk(lambda x: np.zeros_like(x))
    >>> round(r.noise, 6), round(r.modelling, 6), round(r.value, 6)
    (0.25, 0.5, 0.75)
    >>> absolute = task.risk(np.sin, loss=lambda y, g: np.abs(y - g))
    >>> round(absolute.value, 6)
    0.398942
    """

    function: Guess
    noise: Any
    inputs: Any = None

    def __post_init__(self) -> None:
        if self.inputs is None:
            object.__setattr__(self, "inputs", stats.uniform(0, 1))
        for name in ("noise", "inputs"):
            if not hasattr(getattr(self, name), "ppf"):
                raise InputError(
                    f"{name} must be a frozen scipy.stats distribution, for example "
                    f"scipy.stats.norm(0, 1); got {type(getattr(self, name)).__name__}",
                    concerning=name,
                )

    def sample(self, n: int, random_state: RandomState = None) -> tuple[Floats, Floats]:
        """Draw n independent cases: x as one column, and y."""
        generator = np.random.default_rng(integer_seed(random_state))
        x = np.asarray(self.inputs.rvs(size=n, random_state=generator), dtype=float)
        y = np.asarray(self.function(x)) + self.noise.rvs(size=n, random_state=generator)
        return x[:, None], np.asarray(y, dtype=float)

    def risk(
        self, guess: Guess, loss: Callable[[Any, Any], Any] | None = None, *, breaks: Any = ()
    ) -> FunctionRisk:
        """Return the risk of a guess by adaptive quadrature.

        Parameters
        ----------
        guess : callable
            g, of an array of x; for a fitted model ``lambda x: model.predict(x[:, None])``.
        loss : callable, optional
            L(y, g); quadratic if not given.
        breaks : sequence of float
            Where the guess or the function jumps.
        """

        def f(x: float) -> float:
            return float(np.asarray(self.function(np.array([x]))).ravel()[0])

        def g(x: float) -> float:
            return float(np.asarray(guess(np.array([x]))).ravel()[0])

        if loss is None:
            return self._quadratic(f, g, breaks)

        def over_noise(answer: Callable[[float], float], x: float) -> float:
            at, said = f(x), answer(x)
            return _smooth_expectation(lambda e: loss(at + e, said), self.noise, said - at)

        value, error = _expectation(lambda x: over_noise(g, x), self.inputs, breaks)
        noise, _ = _expectation(lambda x: over_noise(f, x), self.inputs, breaks)
        modelling, _ = _expectation(lambda x: float(loss(f(x), g(x))), self.inputs, breaks)
        return FunctionRisk(value, noise, modelling, error)

    def _quadratic(
        self, f: Callable[[float], float], g: Callable[[float], float], breaks: Any
    ) -> FunctionRisk:
        mean, variance = float(self.noise.mean()), float(self.noise.var())
        if not np.isfinite(variance):
            raise InputError(
                "the noise has no finite variance", remedy="give another loss than quadratic"
            )
        modelling, error = _expectation(lambda x: (f(x) - g(x)) ** 2, self.inputs, breaks)
        drift, also = _expectation(lambda x: f(x) - g(x), self.inputs, breaks) if mean else (0, 0)
        noise = variance + mean**2
        value = noise + modelling + 2 * mean * drift
        return FunctionRisk(value, noise, modelling, error + 2 * abs(mean) * also)


def _smooth_expectation(values: Callable[[Floats], Any], distribution: Any, kink: float) -> float:
    """Return E values(e) of a loss that is smooth but for a kink where the answer is right."""
    stops = _stops(distribution, (kink,))
    middle, half = (stops[1:] + stops[:-1]) / 2, np.diff(stops) / 2
    nodes, weights = np.polynomial.legendre.leggauss(_NODES)
    at = middle[:, None] + half[:, None] * nodes
    heights = np.asarray(values(at.ravel()), dtype=float).reshape(at.shape)
    return float((heights * distribution.pdf(at) * half[:, None] * weights).sum())


def _stops(distribution: Any, breaks: Any) -> Floats:
    """Return where to cut the support: at the breaks, the quartiles and far out."""
    low, high = (float(v) for v in distribution.support())
    low = max(low, float(distribution.ppf(_TAIL)))
    high = min(high, float(distribution.isf(_TAIL)))
    cuts = [float(b) for b in (*breaks, *distribution.ppf(_CUTS)) if low < b < high]
    return np.unique([low, *cuts, high])


def _expectation(
    values: Callable[[float], float], distribution: Any, breaks: Any
) -> tuple[float, float]:
    """Return E values(x) and the estimated error, by adaptive quadrature between the cuts."""
    parts = [
        quad(
            lambda x: values(x) * float(distribution.pdf(x)),
            a,
            b,
            limit=200,
            full_output=1,
            epsabs=1e-12,
            epsrel=1e-11,
        )
        for a, b in pairwise(_stops(distribution, breaks))
    ]
    return float(sum(p[0] for p in parts)), float(sum(p[1] for p in parts))
