"""Acceptance plans: how many cases must be passed, with at most c failures, to show an error rate.

With n cases and at most c failures allowed, a model whose error is the largest tolerable one
passes with probability P(Bin(n, max_error) <= c). The plan is the smallest n that keeps this below
1 - confidence; passing it is the same as an exact upper limit at or below that error.

References
----------
Clopper and Pearson (1934), Biometrika 26. Hanley and Lippman-Hand (1983), JAMA 249 (the rule of
three).
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

from scipy import special

from referee.errors import InputError
from referee.planning.real_numbers import check_real

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["AcceptancePlan", "AcceptanceStep", "acceptance_plan", "acceptance_rows"]

_MOST_FAILURES = 5


def acceptance_rows(max_error: float, confidence: float = 0.95, failures: int = 0) -> int:
    """Return the cases needed to show an error of at most `max_error` with so many failures.

    Examples
    --------
    >>> [acceptance_rows(0.01, 0.95, c) for c in range(6)]
    [299, 473, 628, 773, 913, 1049]
    """
    check_real(max_error=max_error, confidence=confidence, failures=failures)
    _share("max_error", max_error)
    _share("confidence", confidence)
    c = _failures(failures)
    high = c + 1
    while _passes(high, max_error, c) > 1 - confidence:
        high *= 2
    low = c  # c failures among c cases always pass
    while high - low > 1:
        middle = (low + high) // 2
        if _passes(middle, max_error, c) > 1 - confidence:
            low = middle
        else:
            high = middle
    return high


@dataclass(frozen=True)
class AcceptanceStep:
    """One way to pass: at most so many failures among so many cases."""

    failures: int
    rows: int

    def passes(self, true_error: float) -> float:
        """Return the probability that a model with this error passes."""
        if not 0 <= true_error <= 1:
            raise InputError(
                "must be a share between 0 and 1", argument="true_error", value=str(true_error)
            )
        return _passes(self.rows, true_error, self.failures)

    def tolerated(self, power: float = 0.8) -> float:
        """Return the error a model may have at most to pass with this probability."""
        return float(special.betaincinv(self.failures + 1, self.rows - self.failures, 1 - power))


@dataclass(frozen=True, kw_only=True)
class AcceptancePlan:
    """How many cases to test, for each number of failures that is to be allowed.

    Attributes
    ----------
    max_error, confidence : float
        What passing shows: the error is at most `max_error`, with this confidence.
    steps : tuple of AcceptanceStep
        From the fewest failures to the most.

    Examples
    --------
    >>> plan = acceptance_plan(0.01)
    >>> [(s.failures, s.rows) for s in plan.steps][:2]
    [(0, 299), (1, 473)]
    >>> round(plan.steps[0].passes(0.002), 2), round(plan.steps[5].passes(0.002), 2)
    (0.55, 0.98)
    """

    max_error: float
    confidence: float
    steps: tuple[AcceptanceStep, ...]

    def frame(self, true_errors: tuple[float, ...] | None = None) -> pd.DataFrame:
        """Return one row a step: failures, rows, and the chance to pass at some true errors.

        By default those are none, a tenth, a quarter and half of the largest tolerable error, and
        that error itself (the operating characteristic).
        """
        import pandas as pd

        errors = true_errors or tuple(f * self.max_error for f in (0, 0.1, 0.25, 0.5, 1))
        rows = [
            {"failures": s.failures, "rows": s.rows}
            | {f"passes at {e:.6g}": s.passes(e) for e in errors}
            for s in self.steps
        ]
        return pd.DataFrame(rows)


def acceptance_plan(
    max_error: float, confidence: float = 0.95, failures: int | None = None
) -> AcceptancePlan:
    """Return the plan for 0 to 5 failures, or for the given number alone."""
    allowed = range(_MOST_FAILURES + 1) if failures is None else [_failures(failures)]
    steps = tuple(AcceptanceStep(c, acceptance_rows(max_error, confidence, c)) for c in allowed)
    return AcceptancePlan(max_error=max_error, confidence=confidence, steps=steps)


def _passes(n: int, error: float, failures: int) -> float:
    if failures >= n or error == 0:
        return 1.0
    if failures == 0:
        return math.exp(n * math.log1p(-error)) if error < 1 else 0.0
    return float(special.betainc(n - failures, failures + 1, 1 - error))


_FINEST = 1e-12


def _share(name: str, value: float) -> None:
    if not 0 < value < 1:
        remedy = f"; for {value:g} % write {value / 100:g}" if 1 <= value < 100 else ""
        raise InputError(
            f"{name} must lie strictly between 0 and 1",
            concerning=name,
            value=f"{value:g}",
            remedy=remedy,
        )
    if not _FINEST <= value <= 1 - _FINEST:
        raise InputError(
            f"{name} must lie between {_FINEST:g} and {1 - _FINEST:.12f}, got {value!r}; no "
            "number of cases shows more",
            concerning=name,
        )


def _failures(failures: int) -> int:
    if isinstance(failures, bool) or int(failures) != failures or failures < 0:
        raise InputError(
            "must be a whole number of at least 0", argument="failures", value=str(failures)
        )
    return int(failures)
