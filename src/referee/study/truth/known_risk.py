"""KnownRisk: a risk that follows from a known distribution, with how exactly it is known."""

from __future__ import annotations

import math
from dataclasses import dataclass

from referee.core.results import Interval, check_level

__all__ = ["KnownRisk"]


@dataclass(frozen=True, kw_only=True)
class KnownRisk:
    """The risk of a rule where the distribution is known.

    Parameters
    ----------
    value : float
        The expected loss: the probability of an error unless the task has costs.
    method : str
        How it was computed.
    error : float
        Estimated absolute error of the arithmetic (quadrature, roots, special functions).
    standard_error : float
        Monte Carlo standard error; 0 where nothing was drawn.
    draws : int
        The number of random points; 0 where nothing was drawn.

    Examples
    --------
    >>> r = KnownRisk(value=0.1587, method="Monte Carlo", standard_error=0.0004, draws=10_000)
    >>> r.exact, 0.16 in r.interval()
    (False, False)
    >>> print(r)
    0.15870 (Monte Carlo, standard error 4.0e-04)
    """

    value: float
    method: str
    error: float = 0.0
    standard_error: float = 0.0
    draws: int = 0

    @property
    def exact(self) -> bool:
        """Whether it was computed and not simulated."""
        return self.draws == 0

    @property
    def uncertainty(self) -> float:
        """One standard error of chance plus the error of the arithmetic."""
        return self.standard_error + self.error

    def interval(self, level: float = 0.95) -> Interval:
        """Return the normal interval for chance, widened by the error of the arithmetic."""
        from scipy.stats import norm

        half = float(norm.isf((1 - check_level(level)) / 2)) * self.standard_error + self.error
        return Interval(
            low=max(self.value - half, 0.0), high=self.value + half, level=level, method=self.method
        )

    def __str__(self) -> str:
        if self.exact:
            return f"{_shown(self.value, self.error)} ({self.method}, error {self.error:.0e})"
        value = _shown(self.value, self.standard_error)
        return f"{value} ({self.method}, standard error {self.standard_error:.1e})"


def _shown(value: float, error: float) -> str:
    return f"{value:.{_digits(error)}f}" if abs(value) < 1e12 else f"{value:.6g}"


def _digits(error: float) -> int:
    """Return how many decimals an error leaves meaningful, at most 10."""
    if error <= 0:
        return 10
    return min(10, max(2, 1 - math.floor(math.log10(error)))) if math.isfinite(error) else 2
