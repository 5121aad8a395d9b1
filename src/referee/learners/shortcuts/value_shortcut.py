"""A twin of values: shared work on the numbers of a table, whoever prepared them."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence

from referee.core.arrays import Codes, Features, Floats, Label
from referee.core.plan import Plan
from referee.core.shared_work import SplitOutput
from referee.learners.plain_numbers import numbers_of

__all__ = ["ValueTwin"]


class ValueTwin(ABC):
    """Shared work of a model that sees numbers: those of X, or what the steps before it made."""

    def predict_plan(
        self,
        X: Features,
        Y: Codes,
        plan: Plan,
        *,
        classes: Sequence[Label],
        scores: bool = False,
    ) -> tuple[SplitOutput, ...]:
        """Return what the model predicts in every split; see `SharedWork`.

        Raises
        ------
        SteppedAside
            Where its own fits could say something else; see `predict_values`.
        """
        return self.predict_values(X, numbers_of(X), Y, plan, classes=classes, scores=scores)

    @abstractmethod
    def predict_values(
        self,
        X: Features,
        values: Floats,
        Y: Codes,
        plan: Plan,
        *,
        classes: Sequence[Label],
        scores: bool = False,
        check: bool = True,
    ) -> tuple[SplitOutput, ...]:
        """Return what the model predicts from X where its rule is given `values`."""
