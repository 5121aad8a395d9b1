"""What a check may look at."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field

from referee.core.dataset import Dataset
from referee.core.plan import Plan
from referee.core.predictions import Predictions
from referee.core.results import Interval

__all__ = ["Context"]


@dataclass(frozen=True, kw_only=True, eq=False)
class Context:
    """Everything known when an evaluation is checked; what is not known is None.

    Attributes
    ----------
    warned : Counter of str
        In how many fits the model raised each warning.
    interval : Interval or None
        The interval of the error.
    auc : Interval or None
        The interval of the area under the ROC curve, where it was measured.
    error, guessing : float or None
        The error, and that of always giving the commonest answer; known where models are compared.
    uses_training_error : bool
        Whether the estimate asked for is built on the training error (.632 and its kin).
    """

    data: Dataset | None = None
    plan: Plan | None = None
    predictions: Predictions | None = None
    warned: Counter[str] = field(default_factory=Counter)
    interval: Interval | None = None
    uses_training_error: bool = False
    error: float | None = None
    guessing: float | None = None
    auc: Interval | None = None
