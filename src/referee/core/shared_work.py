"""Shared work: what a learner may offer to predict all splits of a plan in one go."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Protocol, runtime_checkable

import numpy as np

from referee.core.arrays import Codes, Features, Floats, Label
from referee.core.plan import Plan
from referee.errors import RefereeError

__all__ = ["SharedWork", "SplitOutput", "SteppedAside", "label_columns"]


class SteppedAside(RefereeError):
    """Shared work cannot promise what plain fits would give; fit every split instead."""


@dataclass(frozen=True, eq=False, slots=True)
class SplitOutput:
    """What the models of one split, one per label column, say about its test rows.

    Attributes
    ----------
    predicted : array of int, shape (n_test, m)
        Class codes, a column per label column.
    scores : array of shape (n_test, m, k) or None
        What the learner's ``predict_proba`` gives, a score of 0 for a class that a split's
        training rows lack. Or its ``decision_function``, where the learner's ``score_method`` says
        so: -inf for such a class, columns -f and f of two classes.
    refits : int
        How many of the m models were fitted plainly, because shared work left a doubt.
    """

    predicted: Codes
    scores: Floats | None = None
    refits: int = 0


@runtime_checkable
class SharedWork(Protocol):
    """A learner that predicts every split of a plan, for many labellings, in one go.

    The promise: the same codes as cloning, fitting and predicting split by split and column by
    column would give, errors included; a learner that cannot keep it raises `SteppedAside`.
    An attribute ``score_method`` names the method whose values are the scores; without it they
    are those of ``predict_proba``.

    Examples
    --------
    >>> isinstance(object(), SharedWork)
    False
    """

    def predict_plan(
        self,
        X: Features,
        Y: Codes,
        plan: Plan,
        *,
        classes: Sequence[Label],
        scores: bool = False,
    ) -> tuple[SplitOutput, ...]:
        """Return what is predicted in each split, for each column of labels.

        Parameters
        ----------
        X : array or DataFrame of shape (n, d)
            The features of all cases.
        Y : array of int, shape (n, m)
            Positions in `classes`: the true labels, or any number of permutations of them.
        plan : Plan
            Training rows may repeat, as in the bootstrap.
        classes : sequence
            The labels that the codes stand for, sorted.
        scores : bool
            Whether to give scores too.
        """


def label_columns(Y: Any, n: int, k: int) -> Codes:
    """Return labels as an (n, m) matrix of codes; one column may come as a vector.

    Examples
    --------
    >>> label_columns([0, 1, 1], 3, 2).shape
    (3, 1)
    """
    codes = np.asarray(Y)
    codes = codes[:, None] if codes.ndim == 1 else codes
    if codes.ndim != 2 or len(codes) != n or codes.dtype.kind not in "iu":
        raise SteppedAside(f"Y must be a matrix of class codes with {n} rows")
    if codes.size and (codes.min() < 0 or codes.max() >= k):
        raise SteppedAside(f"Y must hold codes from 0 to {k - 1}")
    return codes
