"""A shortcut of values: shared work on the numbers of a table, whoever prepared them."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass

from referee.core.arrays import Codes, Features, Floats, Label
from referee.core.plan import Plan
from referee.core.shared_work import SplitOutput
from referee.learners.plain_numbers import numbers_of
from referee.learners.units import Units

__all__ = ["Request", "ValueShortcut"]


@dataclass(frozen=True, kw_only=True, eq=False)
class Request:
    """What a shortcut is asked to predict.

    Attributes
    ----------
    X : features
        As the model itself would see them; plain fits get their rows.
    values : array of float
        The numbers of X, or what the steps before the model made of them.
    Y : array of int, shape (n, m)
        Columns of labels, as positions in `classes`.
    plan : Plan
        Who trains and who tests.
    classes : sequence
        The labels that the codes stand for.
    scores : bool
        Whether scores are wanted, too.
    check : bool
        Whether some answers are compared with those of a plain fit.
    units : Units or None
        What every split measures in, where `values` are in common units.
    """

    X: Features
    values: Floats
    Y: Codes
    plan: Plan
    classes: Sequence[Label]
    scores: bool = False
    check: bool = True
    units: Units | None = None


class ValueShortcut(ABC):
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
        request = Request(X=X, values=numbers_of(X), Y=Y, plan=plan, classes=classes, scores=scores)
        return self.predict_values(request)

    @abstractmethod
    def predict_values(self, request: Request) -> tuple[SplitOutput, ...]:
        """Return what the model predicts where its rule is given the values of the request."""
