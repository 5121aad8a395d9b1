"""Acceptance while cases come in: stop as soon as it is clear, with what that costs on average.

After every case the beta-binomial sequence says where the error lies. PASS when its upper end has
fallen below the largest tolerable error, FAIL when its lower end has risen above it, at latest
UNDECIDED after `most` cases. Each side spends alpha = 1 - confidence: a model at the limit or worse
passes, at whatever time, with probability at most alpha; one at the limit or better fails so.

The rates that the sequence mixes are Beta(1/2, b) with the limit as their mean, so that most of
them are of its size. (With Beta(1/2, 1/2), half of whose rates are above 1/2, a single failure
among few cases would already count as a proof of a bad model.)

How likely each outcome is for a model of given error, and after how many cases on average, is
computed exactly: the number of failures walks between the two boundaries, and its distribution is
carried on from case to case.

References
----------
Wald (1947), Sequential Analysis. Robbins (1970), Annals of Mathematical Statistics 41.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from referee.core.arrays import Flags, Rows
from referee.core.machine.compiling import compiled
from referee.core.results import Outcome
from referee.errors import InputError
from referee.intervals.sequential.beta_binomial import Side, log_mixture
from referee.planning.acceptance import acceptance_rows

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["Decision", "SequentialOutcome", "SequentialPlan", "sequential_plan"]

_DEFAULT_LENGTH = 20
"""By default a test goes on for so many times the cases of a plan without failures."""


@dataclass(frozen=True, kw_only=True)
class SequentialOutcome:
    """What happens to a model of a given error, on average over the luck of the draw.

    Attributes
    ----------
    true_error : float
        The model's error on new cases.
    passes, fails, undecided : float
        The probability of each end.
    expected : float
        The mean number of cases until the end.
    """

    true_error: float
    passes: float
    fails: float
    undecided: float
    expected: float


@dataclass(frozen=True, kw_only=True)
class Decision:
    """How a sequential test ended: PASS, FAIL or UNDECIDED, and after how many cases.

    Attributes
    ----------
    outcome : Outcome
        UNDECIDED as well while the test may go on.
    n, failures : int
        Cases and failures until then; cases after the end are not counted.
    ended : bool
        Whether the test is over.
    """

    outcome: Outcome
    n: int
    failures: int
    ended: bool


@dataclass(frozen=True, kw_only=True)
class SequentialPlan:
    """When to stop, for every number of failures.

    Attributes
    ----------
    max_error, confidence : float
        What passing shows: the error is at most `max_error`, with this confidence.
    most : int
        The test ends here at the latest.
    a, b : float
        The mixture of rates, as in `beta_binomial`.
    pass_after : tuple of int
        The number of cases after which 0, 1, 2 ... failures pass.
    fail_until : tuple of int
        The number of cases up to which 0, 1, 2 ... failures fail; 0 where they never do.

    Examples
    --------
    >>> plan = sequential_plan(0.01)
    >>> plan.pass_after[:4]
    (367, 657, 881, 1080)
    >>> outcome = plan.outcome(0.001)
    >>> round(outcome.passes, 3), round(outcome.expected)
    (1.0, 496)
    """

    max_error: float
    confidence: float
    most: int
    a: float
    b: float
    pass_after: tuple[int, ...]
    fail_until: tuple[int, ...]

    @cached_property
    def _floor(self) -> Rows:
        """Up to so many failures pass after n cases; -1 for none."""
        return np.searchsorted(self.pass_after, np.arange(self.most + 1), side="right") - 1

    @cached_property
    def _ceiling(self) -> Rows:
        """From so many failures on, a model fails after n cases."""
        return np.searchsorted(self.fail_until, np.arange(self.most + 1), side="left")

    def outcome(self, true_error: float) -> SequentialOutcome:
        """Return the probability of each end, and the mean number of cases, exactly."""
        if not 0 <= true_error <= 1:
            raise InputError(
                "must be a share between 0 and 1", argument="true_error", value=str(true_error)
            )
        passes, fails, expected = _walk(float(true_error), self._floor, self._ceiling)
        return SequentialOutcome(
            true_error=true_error,
            passes=passes,
            fails=fails,
            undecided=max(0.0, 1 - passes - fails),
            expected=expected,
        )

    def decide(self, wrong: Any) -> Decision:
        """Return how the test ends on cases in the order they came.

        Parameters
        ----------
        wrong : array of bool
            Whether the model erred, case by case.

        Examples
        --------
        >>> sequential_plan(0.01).decide([False] * 400)
        Decision(outcome=<Outcome.PASS: 'pass'>, n=367, failures=0, ended=True)
        """
        flags = np.asarray(wrong)
        if flags.ndim != 1 or not np.isin(flags, (0, 1)).all():
            raise InputError(
                "must be a list of True and False, one for each case", argument="wrong"
            )
        failures = np.cumsum(flags[: self.most].astype(np.intp))
        n = np.arange(1, len(failures) + 1)
        passed, failed = failures <= self._floor[n], failures >= self._ceiling[n]
        ends = np.flatnonzero(passed | failed)
        at = int(ends[0]) if ends.size else len(failures) - 1
        outcome = Outcome.UNDECIDED
        if ends.size:
            outcome = Outcome.PASS if passed[at] else Outcome.FAIL
        return Decision(
            outcome=outcome,
            n=at + 1,
            failures=int(failures[at]) if len(failures) else 0,
            ended=bool(ends.size) or len(failures) == self.most,
        )

    def frame(self, true_errors: tuple[float, ...] | None = None) -> pd.DataFrame:
        """Return one row a true error: the probability of each end and the mean number of cases.

        By default from no error to twice the largest tolerable one.
        """
        import pandas as pd

        errors = true_errors or self.default_errors
        return pd.DataFrame([vars(self.outcome(e)) for e in errors])

    @property
    def default_errors(self) -> tuple[float, ...]:
        """True errors worth showing: none, parts of the largest tolerable one, and more."""
        return tuple(min(1.0, f * self.max_error) for f in (0, 0.1, 0.25, 0.5, 1, 1.5, 2, 3))


def sequential_plan(
    max_error: float, confidence: float = 0.95, *, most: int | None = None
) -> SequentialPlan:
    """Return when to stop a test that is to show an error of at most `max_error`.

    Parameters
    ----------
    max_error : float
        The largest tolerable error.
    confidence : float
        How surely it is to be shown.
    most : int or None
        After how many cases to give up; by default 20 times those of a plan without failures.
    """
    least = acceptance_rows(max_error, confidence, 0)
    length = _DEFAULT_LENGTH * least if most is None else _whole(most)
    boundary = _Boundary(max_error, -math.log1p(-confidence), length)
    return SequentialPlan(
        max_error=max_error,
        confidence=confidence,
        most=length,
        a=boundary.a,
        b=boundary.b,
        pass_after=tuple(boundary.pass_after().tolist()),
        fail_until=tuple(boundary.fail_until().tolist()),
    )


@dataclass(frozen=True)
class _Boundary:
    """Where the evidence for or against `limit` is `need` (in logs), up to `most` cases."""

    limit: float
    need: float
    most: int
    a: float = 0.5

    @property
    def b(self) -> float:
        return self.a * (1 - self.limit) / self.limit

    def _enough(self, failures: Rows, n: Rows, side: Side) -> Flags:
        x, cases = failures.astype(float), n.astype(float)
        log_e = log_mixture(x, cases, self.limit, a=self.a, b=self.b, side=side)
        return np.asarray(log_e >= self.need)

    def pass_after(self) -> Rows:
        """Return the first n at which 0, 1, 2 ... failures pass.

        Every case without a failure raises the evidence, so each n is closed in on by halving.
        """
        x = np.arange(max(1, math.ceil(self.limit * self.most)))
        x = x[self._enough(x, np.full(len(x), self.most), "upper")]
        low, high = x, np.full(len(x), self.most)
        while np.any(high - low > 1):
            middle = (low + high) // 2
            passes = self._enough(x, middle, "upper")
            low, high = np.where(passes, low, middle), np.where(passes, middle, high)
        return high

    def fail_until(self) -> Rows:
        """Return the last n at which 0, 1, 2 ... failures fail, 0 for never.

        Every case without a failure lowers the evidence, every failure raises it.
        """
        top = 1
        while top < self.most and not self._enough(np.array([top]), np.array([self.most]), "lower"):
            top = min(2 * top, self.most)
        x = np.arange(1, top + 1)
        low, high = x, np.full(top, self.most + 1)
        while np.any(high - low > 1):
            middle = (low + high) // 2
            fails = self._enough(x, middle, "lower")
            low, high = np.where(fails, middle, low), np.where(fails, high, middle)
        last = np.concatenate(([0], np.where(self._enough(x, x, "lower"), low, 0)))
        return last[: np.searchsorted(last, self.most) + 1]


@compiled
def _walk(error: float, floor: Rows, ceiling: Rows) -> tuple[float, float, float]:
    """Return the chances to pass and to fail, and the mean number of cases.

    `chances[x]` is the probability to be on the way after n cases with x failures.
    """
    most = len(floor) - 1
    chances = np.zeros(ceiling.max() + 2)
    chances[0] = 1.0
    low, high = 0, 0  # failures that are possible now
    passes = fails = expected = 0.0
    for n in range(1, most + 1):
        alive = 0.0
        for x in range(low, high + 1):
            alive += chances[x]
        expected += alive
        if alive < 1e-18:
            break
        for x in range(high + 1, low, -1):
            chances[x] = chances[x] * (1 - error) + chances[x - 1] * error
        chances[low] *= 1 - error
        high += 1
        while low <= min(floor[n], high):
            passes += chances[low]
            chances[low] = 0.0
            low += 1
        while high >= max(ceiling[n], low):
            fails += chances[high]
            chances[high] = 0.0
            high -= 1
    return passes, fails, expected


def _whole(most: int) -> int:
    if isinstance(most, bool) or int(most) != most or most < 1:
        raise InputError(
            "most must be a whole number of cases of at least 1", concerning="most", value=str(most)
        )
    return int(most)
