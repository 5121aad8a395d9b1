"""From what the user writes as ``by=`` to a scheme, and the choice of ``by="auto"``."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np

from referee.core.dataset import Dataset
from referee.errors import InputError, PlanError, arg, nearest
from referee.intervals.area.area_interval import AreaInterval
from referee.intervals.catalogue import for_risks
from referee.intervals.risk import RiskInterval
from referee.resampling.catalogue import SCHEMES
from referee.resampling.cross_validation import CrossValidation
from referee.resampling.given import FromPairs, FromSplitter
from referee.resampling.halving import CalibratedCrossValidation
from referee.resampling.holdout import Holdout
from referee.resampling.scheme import NamedScheme, Scheme

__all__ = ["Choice", "checked_budget", "scheme_for", "scheme_to_compare"]

_FEW, _MANY = 2_000, 20_000
_FOLDS = 10
_REPETITIONS = 10
_FEWEST_FOLDS = 5
"""With fewer fits than this one holdout is better than models of half the rows."""
_NO_LIMIT = 1_000_000
_TO_HALVE = 8
"""A class with fewer cases (or groups) is too rare to be halved and cross-validated again."""


@dataclass(frozen=True)
class Choice:
    """A scheme and, when it was chosen automatically, the reason."""

    scheme: Scheme
    reason: str = ""


def scheme_for(
    by: Any,
    data: Dataset,
    *,
    interval: str | RiskInterval | AreaInterval = "auto",
    max_fits: int | None = None,
    expected: bool = False,
) -> Choice:
    """Return the scheme that `by` asks for.

    Parameters
    ----------
    by : str, int, scheme, scikit-learn splitter or iterable of index pairs
        A catalogue name; an int or "5" for so many folds; "10x5" for ten repetitions of five
        folds; "auto".
    interval : str, RiskInterval or AreaInterval
        The interval asked for; "auto" makes the plan that it needs.
    max_fits : int or None
        How many models "auto" may train, besides the one on all rows.
    expected : bool
        Whether the learning procedure is asked about; its interval needs no twofold runs.

    Examples
    --------
    >>> data = Dataset.of([[float(i)] for i in range(40)], [0, 1] * 20)
    >>> scheme_for("10x5", data).scheme
    CrossValidation(folds=5, repetitions=10, stratify=True, forward=False, halves=None)
    >>> scheme_for("auto", data).reason
    'no test set and 40 rows (at most 2000): 10 repetitions of 10-fold cross-validation'
    """
    if isinstance(by, type):
        raise InputError(
            "must be an instance", argument="by", value="the class", remedy=f"write {by.__name__}()"
        )
    if isinstance(by, str) and by == "auto":
        budget = checked_budget(max_fits)
        return _for_interval(interval, data) or _automatic(data, budget, expected=expected)
    if isinstance(by, str):
        return _by_text(by)
    if isinstance(by, (int, np.integer)) and not isinstance(by, bool):
        return Choice(CrossValidation(int(by)))
    if isinstance(by, NamedScheme):
        return Choice(by.make())
    if isinstance(by, Scheme):
        return Choice(by)
    if hasattr(by, "split") and hasattr(by, "get_n_splits"):
        return Choice(FromSplitter(by))
    if isinstance(by, Iterable):
        return Choice(FromPairs(list(by)))
    raise InputError(
        f"must be a name ({', '.join(SCHEMES)}, auto), a number of folds, a scheme, a scikit-learn "
        "splitter or index pairs",
        argument="by",
        value=repr(by),
    )


def scheme_to_compare(by: Any, data: Dataset, *, halvings: int = 40) -> Choice:
    """Return the scheme that `by` asks for, with another automatic choice: comparing learners.

    Parameters
    ----------
    halvings : int
        How many are wanted at most; 0 where the test or the measure can use none.

    Examples
    --------
    >>> data = Dataset.of([[float(i)] for i in range(60)], [0, 1] * 30)
    >>> scheme_to_compare("auto", data).scheme.halvings
    40
    """
    if not (isinstance(by, str) and by == "auto"):
        return scheme_for(by, data)
    if data.time is not None:
        why = "rows are ordered in time: the latest are tested by models of their past"
        return Choice(Holdout(), why)
    plain = _automatic(data, _NO_LIMIT)
    if not isinstance(plain.scheme, CrossValidation):
        return plain
    folds, stratify = plain.scheme.folds, plain.scheme.stratify
    size = f"no test set and {data.n} rows"
    if not halvings or _rarest(data) < _TO_HALVE:
        repetitions = 1 if data.groups is not None else 10
        why = f"{size}: {_times(repetitions)}{folds}-fold cross-validation for the corrected t"
        return Choice(CrossValidation(folds, repetitions, stratify, halves=0), why)
    many = halvings if data.n <= _FEW else min(halvings, 10)
    why = f"{size}: repeated cross-validation, with {many} halvings to learn how much it varies"
    return Choice(CalibratedCrossValidation(folds, 10, many, stratify), why)


def _rarest(data: Dataset) -> int:
    """Return how many cases, or groups, the rarest class has."""
    if data.groups is None:
        return int(data.class_counts.min())
    groups = data.groups
    return min(len(np.unique(groups[data.codes == k])) for k in range(data.strata))


def _times(repetitions: int) -> str:
    return f"{repetitions} × " if repetitions > 1 else ""


def _by_text(by: str) -> Choice:
    try:
        named = SCHEMES.named(by)
    except InputError:
        known = [*SCHEMES, "auto", "5", "10x10"]
        raise InputError(
            f"{arg('by', by)} is unknown", concerning="by", remedy=nearest(by, known)
        ) from None
    return Choice(named.make())


def checked_budget(max_fits: int | None) -> int:
    """Return how many models may be trained, or say that it is no number of them."""
    if max_fits is None:
        return _NO_LIMIT
    if not isinstance(max_fits, (int, np.integer)) or isinstance(max_fits, bool) or max_fits < 1:
        raise InputError(
            "must be a whole number of at least 1",
            argument="max_fits",
            value=repr(max_fits),
            remedy="10 allow one pass of 10-fold cross-validation, 120 the usual repetitions",
        )
    return int(max_fits)


def _for_interval(interval: str | RiskInterval | AreaInterval, data: Dataset) -> Choice | None:
    """Return the plan without which an interval cannot be had; None where any will do."""
    asked = for_risks(interval)
    if isinstance(asked, str):
        return None
    if asked.by in SCHEMES:
        return Choice(SCHEMES[asked.by].make(), f"{arg('interval', asked.name)} needs this plan")
    if asked.by == "one pass" and data.time is None:
        folds = int(min(_FOLDS, data.class_counts.max()))
        if data.groups is None and folds > 1:
            kind: bool | str = True if data.class_counts.min() >= folds else "best effort"
            return Choice(
                CrossValidation(folds, stratify=kind),
                f"{arg('interval', asked.name)} is about one pass of cross-validation",
            )
    return None


def _automatic(data: Dataset, max_fits: int, *, expected: bool = False) -> Choice:
    """Choose by what is known of the rows, how many there are, and how many fits are allowed."""
    if data.time is not None:
        folds = min(_FOLDS, max(2, len(np.unique(data.time)) - 1))
        folds, spared = _afford(folds, max_fits)
        if not folds:
            return Choice(Holdout(), f"rows are ordered in time, and {spared}")
        why = f"rows are ordered in time: {folds} blocks, each tested by a model of its past"
        return Choice(CrossValidation(folds), _joined(why, spared))
    if data.groups is not None:
        n_groups = int(data.groups.max()) + 1
        folds = max(2, min(_FOLDS, n_groups, int(data.class_counts.max())))
        folds, spared = _afford(folds, max_fits)
        if not folds:
            return Choice(Holdout(), f"rows come in {n_groups} groups, and {spared}")
        why = f"rows come in {n_groups} groups: {folds} folds that keep each group whole"
        return Choice(CrossValidation(folds), _joined(why, spared))
    if data.n >= _MANY:
        why = f"no test set and {data.n} rows (at least {_MANY}): one holdout is precise enough"
        return Choice(_holdout(data), why)
    return _cross_validation(data, max_fits, halves=0 if expected else None)


def _cross_validation(data: Dataset, max_fits: int, *, halves: int | None) -> Choice:
    folds = min(_FOLDS, int(data.class_counts.max()))
    if folds < 2:
        raise PlanError(
            f"every class has one case only ({data.n} rows, {len(data.classes)} classes); nothing "
            "can be learned from the others",
            concerning="y",
            remedy="give more cases of each class",
        )
    repeated = (folds + (2 if halves is None else 0)) * _REPETITIONS
    repetitions = _REPETITIONS if data.n <= _FEW and repeated <= max_fits else 1
    size = f"at most {_FEW}" if data.n <= _FEW else f"more than {_FEW}"
    if data.n <= _FEW and repetitions == 1:
        size += f", but {arg('max_fits', max_fits)} is less than the {repeated} of repetitions"
    folds, spared = _afford(folds, max_fits)
    if not folds:
        return Choice(_holdout(data), f"no test set and {data.n} rows, and {spared}")
    stratify = True if data.class_counts.min() >= folds else "best effort"
    plan = f"{repetitions} repetitions of " if repetitions > 1 else "one pass of "
    why = f"no test set and {data.n} rows ({size}): {plan}{folds}-fold cross-validation"
    return Choice(CrossValidation(folds, repetitions, stratify, halves=halves), why)


def _afford(folds: int, max_fits: int) -> tuple[int, str]:
    """Return how many folds the fits allow, 0 for a holdout, and what is to be said about it."""
    if folds <= max_fits:
        return folds, ""
    if max_fits < _FEWEST_FOLDS:
        return 0, f"{arg('max_fits', max_fits)} allows a holdout only"
    return max_fits, f"{arg('max_fits', max_fits)} allows no more"


def _joined(why: str, spared: str) -> str:
    return f"{why} ({spared})" if spared else why


def _holdout(data: Dataset) -> Holdout:
    return Holdout(stratify=True if data.class_counts.min() >= 2 else "best effort")
