"""What is asked of a new vault: measure, baseline, policy, level."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from referee.core.arrays import Codes
from referee.core.results import check_level
from referee.core.showing.counting import few_quoted
from referee.errors import InputError, arg
from referee.intervals.looks import Grid
from referee.vault.sealed.policies import CATALOGUE, Policy
from referee.vault.sealed.sealed_measure import SealedMeasure, sealed_measure

__all__ = ["Baseline", "SealRequest", "SealTerms"]

_CONVENTIONAL = (("0", "1"), ("-1", "1"), ("False", "True"))


@dataclass(frozen=True, kw_only=True)
class SealRequest:
    """What a person asks for; `terms` says what that comes to for the cases there are.

    Attributes
    ----------
    measure : str
        What is scored.
    policy : str
        How scores are released.
    looks : int or None
        How many looks there are at most; the policy's own number if None.
    baseline : "majority", float or None
        The value to be improved on; None for what guessing scores on the training cases.
    step : float or None
        The least improvement that is shown; None for 1.25 standard errors.
    level : float
        The probability with which all intervals hold.
    pos_label : str or None
        The positive class.
    costs : tuple of float or None
        Of a false positive and of a false negative.
    labels : tuple of str
        Classes that may occur though no training case has them.
    """

    measure: str = "error"
    policy: str = "once"
    looks: int | None = None
    baseline: str | float | None = None
    step: float | None = None
    level: float = 0.95
    pos_label: str | None = None
    costs: tuple[float, float] | None = None
    labels: tuple[str, ...] = field(default=())

    def __post_init__(self) -> None:
        check_level(self.level)

    def terms(self, classes: Sequence[str], train: Codes, sizes: Sequence[int]) -> SealTerms:
        """Return measure, grid and policy for these cases.

        Parameters
        ----------
        classes : sequence of str
            All classes.
        train : array of int
            The classes of the training cases, which are public: a baseline comes from them.
        sizes : sequence of int
            How many sealed cases each class has. Only measures of single classes use more than
            their sum.
        """
        known = [classes[code] for code in np.unique(train).tolist()]
        positive = positive_code(classes, self.pos_label, known)
        measure = sealed_measure(self.measure, classes, positive, self.costs)
        policy = self._policy()
        value, words = self._baseline(measure, train, len(classes))
        if not policy.exact:
            grid = measure.grid(sizes, value, self.step)
        elif self.step is not None:
            raise InputError(
                f"belongs to {arg('policy', 'ladder')}; a single look shows the score itself",
                argument="step",
            )
        else:
            # There is nothing to climb; any grid will do.
            grid = measure.grid(sizes, sum(measure.bounds) / 2, None)
        return SealTerms(measure, grid, policy, Baseline(value, words))

    def _policy(self) -> Policy:
        policy = CATALOGUE.named(self.policy)
        if self.looks is None:
            return policy
        if not isinstance(self.looks, int) or isinstance(self.looks, bool) or self.looks < 1:
            raise InputError(
                "must be a whole number of at least 1", argument="looks", value=repr(self.looks)
            )
        if policy.looks not in (None, self.looks):
            raise InputError(
                f"policy {policy.name!r} has {policy.looks} look",
                concerning="policy",
                value=arg("looks", self.looks),
                remedy=f"use {arg('policy', 'ladder')} for several",
            )
        return replace(policy, looks=self.looks)

    def _baseline(self, measure: SealedMeasure, train: Codes, k: int) -> tuple[float, str]:
        """Return the baseline and where it comes from; secret cases have no part in it."""
        if isinstance(self.baseline, (int, float)) and not isinstance(self.baseline, bool):
            return float(self.baseline), "given"
        if self.baseline not in (None, "majority"):
            raise InputError(
                "must be 'majority' or a number",
                argument="baseline",
                value=repr(self.baseline),
                remedy="for example 0.3",
            )
        shares = np.bincount(train, minlength=k) / len(train)
        if measure.measure.counts_all_cases:
            commonest = float(shares.max())
            value = commonest if measure.measure.greater_is_better else 1 - commonest
            return value, "what always answering the commonest class scores on train.csv"
        if self.baseline == "majority":
            raise InputError(
                f"{arg('baseline', 'majority')} goes with error and accuracy, not with "
                f"{measure.name!r}",
                concerning="baseline",
                remedy="give a number, or leave it out",
            )
        return _of_guessing(measure, [float(share) for share in shares])


def _of_guessing(measure: SealedMeasure, shares: list[float]) -> tuple[float, str]:
    if measure.of_probabilities:
        missing = 1 - sum(share**2 for share in shares)
        value = missing / 2 if len(shares) == 2 else missing
        return value, "what always giving the classes' shares as probabilities scores on train.csv"
    if measure.costs is not None:
        assert measure.positive is not None
        positive = shares[measure.positive]
        value = min(measure.costs[0] * (1 - positive), measure.costs[1] * positive)
        return value, "what always giving the cheaper answer scores on train.csv"
    return 0.5, "tossing a coin"


@dataclass(frozen=True)
class Baseline:
    """The value to be improved on, and where it comes from; secret cases have no part in it."""

    value: float
    words: str


@dataclass(frozen=True)
class SealTerms:
    """What a vault will score, what it can release, and how.

    Attributes
    ----------
    measure, grid, policy, baseline
        As in the header.
    """

    measure: SealedMeasure
    grid: Grid
    policy: Policy
    baseline: Baseline


def positive_code(
    classes: Sequence[str], pos_label: str | None, known: Sequence[str] = ()
) -> int | None:
    """Return the position of the positive class if it is stated or conventional, else None.

    Parameters
    ----------
    classes : sequence of str
        All classes.
    pos_label : str or None
        The one that was stated.
    known : sequence of str
        Those of training cases, which are public: they are named where the stated one is none.

    Examples
    --------
    >>> positive_code(["0", "1"], None), positive_code(["ill", "well"], "ill")
    (1, 0)
    """
    if pos_label is None:
        return 1 if tuple(classes) in _CONVENTIONAL else None
    if pos_label not in classes:
        raise InputError(
            f"must be one of the {len(classes)} classes",
            argument="pos_label",
            value=repr(pos_label),
            remedy=f"training cases have {few_quoted(known, most=10)}" if known else "correct it",
        )
    return list(classes).index(pos_label)
