"""The methods that are tried: each is one entry, with the scheme it reads and what it aims at."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from referee.core.results import Target
from referee.errors import InputError, nearest
from referee.intervals.catalogue import RISK_INTERVALS
from referee.resampling import SCHEMES as NAMED_SCHEMES
from referee.resampling import (
    CalibratedCrossValidation,
    CrossValidation,
    HalvedHoldout,
    Holdout,
    NestedCrossValidation,
)
from referee.resampling.scheme import Scheme
from referee.significance.catalogue import COMPARISON_TESTS

__all__ = [
    "REFERENCE",
    "SCHEMES",
    "IntervalMethod",
    "LearnerTest",
    "check_methods",
    "interval_methods",
    "learner_tests",
    "scheme_read",
]


@dataclass(frozen=True)
class IntervalMethod:
    """An interval of a risk without a test set.

    Attributes
    ----------
    name : str
        Its name in `referee.intervals.RISK_INTERVALS`.
    by : str
        Its scheme, one of `SCHEMES`.
    target : Target
        What it is held against: the risk of the model trained on all rows, or its mean.
    first_pass : bool
        Whether it reads only the first pass of a repeated cross-validation.
    grouped : bool
        Whether it knows of groups; others are shown what it costs to ignore them.
    """

    name: str
    by: str
    target: Target
    first_pass: bool = False
    grouped: bool = False

    @property
    def scheme(self) -> str:
        """The scheme in a few words."""
        return "10-fold" if self.first_pass else self.by

    @property
    def column(self) -> str:
        """The name of its numbers among the draws."""
        return f"{self.name}/{self.scheme}/{self.target.value}"


@dataclass(frozen=True)
class LearnerTest:
    """A test of two learners, with the scheme it reads."""

    name: str
    by: str
    first_pass: bool = False


SCHEMES: dict[str, Callable[[], Scheme]] = {
    "10x10": lambda: CrossValidation(10, 10, stratify="best effort"),
    "25 x 90/10": lambda: Holdout(0.1, 25, stratify="best effort"),
    "nested-cv": NestedCrossValidation,
    "conservative-z": HalvedHoldout,
    "groups": lambda: CrossValidation(10, stratify="best effort"),
    "calibrated-cv": lambda: CalibratedCrossValidation(stratify="best effort"),
    "200 fits": lambda: CalibratedCrossValidation(halvings=10, stratify="best effort"),
    "5x2": lambda: CrossValidation(2, 5, stratify="best effort", halves=0),
}
"""Name -> scheme; it is run once for a data set, and all methods that read it share the fits."""


def scheme_read(by: str) -> Scheme:
    """Return the scheme that a trial names: one of `SCHEMES`, or any other that users can name.

    Examples
    --------
    >>> scheme_read("5x2").folds, type(scheme_read("loo")).__name__
    (2, 'LeaveOneOut')
    """
    return SCHEMES[by]() if by in SCHEMES else NAMED_SCHEMES.named(by).make()


def interval_methods() -> tuple[IntervalMethod, ...]:
    """Return every interval that is tried by simulation: the trials its catalogue entry names."""
    return tuple(
        IntervalMethod(name, t.by, t.target, first_pass=t.first_pass, grouped=t.grouped)
        for name, method in RISK_INTERVALS.items()
        for t in method.tried
    )


REFERENCE = {
    target: IntervalMethod("effective-jeffreys", "10x10", target)
    for target in (Target.CONDITIONAL, Target.EXPECTED)
}
"""What widths are relative to: our defaults for either target."""


def learner_tests() -> tuple[LearnerTest, ...]:
    """Return every test of two learners that is tried: the trials its catalogue entry names."""
    return tuple(
        LearnerTest(name, trial.by, trial.first_pass)
        for name, test in COMPARISON_TESTS.items()
        for trial in test.tried
    )


def check_methods(methods: Sequence[str] | None, known: Sequence[str]) -> None:
    """Refuse a method that the table does not have."""
    for name in methods or ():
        if name not in known:
            raise InputError(f"method {name!r} is unknown", remedy=nearest(name, known))
