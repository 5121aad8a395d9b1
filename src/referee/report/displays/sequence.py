"""SequenceDisplay: a mean over the cases as they came, with the interval for all times."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Self

from referee.core.arrays import Label
from referee.core.labels.labels import positive_class
from referee.core.predictions import Predictions
from referee.errors import InputError, arg
from referee.intervals.sequential import ConfidenceSequence
from referee.judging.estimating.quantity import Quantity
from referee.judging.estimating.sequential import sequence_of
from referee.judging.evaluation import Evaluation
from referee.measures import measure_named
from referee.report.displays.display import Display
from referee.report.figures.curves import draw_curves
from referee.report.figures.style import COLUMN

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["SequenceDisplay"]


class SequenceDisplay(Display):
    """The intervals of a confidence sequence over the number of cases.

    Parameters
    ----------
    sequence : ConfidenceSequence
        What is drawn.
    name : str
        What it is a sequence of.
    limit : float or None
        A value that the sequence is to be held against.

    Attributes
    ----------
    ax_, figure_ : matplotlib Axes and Figure

    Examples
    --------
    >>> import matplotlib.pyplot as plt
    >>> display = SequenceDisplay.from_predictions([0, 1] * 100, [0, 1] * 99 + [1, 1], limit=0.1)
    >>> display.sequence.first_below(0.1)
    53
    >>> plt.close(display.figure_)
    """

    def __init__(
        self, sequence: ConfidenceSequence, *, name: str = "error", limit: float | None = None
    ) -> None:
        self.sequence = sequence
        self.name = name
        self.limit = limit

    @classmethod
    def from_predictions(
        cls,
        y_true: Any,
        y_pred: Any,
        *,
        measure: str = "error",
        pos_label: Label | None = None,
        level: float = 0.95,
        limit: float | None = None,
        ax: Axes | None = None,
    ) -> Self:
        """Draw the sequence of a measure of predictions in the order in which the cases came.

        Parameters
        ----------
        y_true, y_pred : array-like
            Right answers and predictions, case by case.
        measure : str
            "error", "accuracy" or a rate of a class.
        pos_label : label, optional
            The positive class, for rates.
        level : float
            The probability that all intervals hold.
        limit : float or None
            As in the class.
        ax : matplotlib Axes, optional
            Where to draw; new axes otherwise.
        """
        table = Predictions.of(y_true, y_pred)
        positive = positive_class(table.classes, pos_label)
        quantity = Quantity(measure=measure_named(measure), positive=positive)
        if quantity.measure.positive and positive is None:
            raise InputError(
                f"{measure} needs to know the positive class",
                concerning="pos_label",
                remedy="pass pos_label",
            )
        sequence = sequence_of(table, quantity, level)
        if sequence is None:
            raise InputError(
                f"{measure} has no interval that holds at all times here",
                remedy=f"draw {arg('measure', 'error')} or a rate of a class that has cases",
            )
        return cls(sequence, name=quantity.measure.title, limit=limit).plot(ax)

    @classmethod
    def from_evaluation(
        cls, evaluation: Evaluation, *, limit: float | None = None, ax: Axes | None = None
    ) -> Self:
        """Draw the error of an evaluation that was made with ``sequential=True``."""
        sequence = evaluation.sequence
        if sequence is None:
            raise InputError(
                "the evaluation has no sequence",
                remedy=f"make it with evaluate_predictions(..., {arg('sequential', True)})",
            )
        return cls(sequence, limit=limit).plot(ax)

    def plot(self, ax: Axes | None = None) -> Self:
        """Draw."""
        ax = self._take(ax, 1.5 * COLUMN, 1.1 * COLUMN)
        draw_curves(self.sequence.picture(self.name, self.limit), ax)
        return self
