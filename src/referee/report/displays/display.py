"""What all displays share: data first, drawing later, and where it was drawn."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from inspect import signature
from typing import TYPE_CHECKING, Any, Generic, Self, TypeVar

from referee.core.arrays import Label
from referee.core.randomness import RandomState, integer_seed
from referee.core.results import Estimate, check_level
from referee.errors import InputError
from referee.judging.evaluation import Evaluation
from referee.report.displays.scored import Scored
from referee.report.figures.style import COLUMN, new_axes, shortened

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

__all__ = ["CurvesDisplay", "Display", "legend_text"]

Line = TypeVar("Line")

_FEW = 4
"""Up to so many curves the legend has room for intervals."""


class Display:
    """A picture that knows its data and, once drawn, its axes.

    Attributes
    ----------
    ax_, figure_ : matplotlib Axes and Figure
        Where it was drawn last.
    """

    ax_: Axes
    figure_: Figure

    def _take(self, ax: Axes | None, width: float = COLUMN, height: float = COLUMN) -> Axes:
        self.ax_ = new_axes(width, height) if ax is None else ax
        figure = self.ax_.get_figure(root=True)
        assert figure is not None
        self.figure_ = figure
        return self.ax_

    @property
    def _title_room(self) -> int:
        """How many letters fit above the axes."""
        share = 1.0 if len(self.figure_.axes) == 1 else self.ax_.get_position().width
        return max(12, int(7 * share * self.figure_.get_size_inches()[0]))


class CurvesDisplay(Display, ABC, Generic[Line]):
    """One or several curves of rankings by score.

    Attributes
    ----------
    lines : list
        What is drawn, one entry per curve.
    """

    def __init__(self, *, level: float = 0.95, random_state: RandomState = 0) -> None:
        self.level = check_level(level)
        self.seed = integer_seed(random_state)
        self.lines: list[Line] = []

    @classmethod
    def from_predictions(
        cls,
        y_true: Any,
        y_score: Any,
        *,
        pos_label: Label | None = None,
        name: str | None = None,
        ax: Axes | None = None,
        **options: Any,
    ) -> Self:
        """Draw the curve of scores, or one for each entry of a mapping from names to scores.

        Parameters
        ----------
        y_true, y_score, pos_label, name
            As in `add`.
        ax : matplotlib Axes, optional
            Where to draw; new axes otherwise.
        **options
            Parameters of the display (``level``, ``random_state``, ...); others go to `plot`.
        """
        display, drawing = cls._with(options)
        return display.add(y_true, y_score, pos_label=pos_label, name=name).plot(ax, **drawing)

    @classmethod
    def from_evaluation(
        cls,
        evaluation: Evaluation,
        *,
        pos_label: Label | None = None,
        ax: Axes | None = None,
        **options: Any,
    ) -> Self:
        """Draw the curve of an evaluation that holds scores.

        Parameters
        ----------
        evaluation : Evaluation
            With scores of the cases its models had not seen.
        pos_label, ax, **options
            As in `from_predictions`.
        """
        display, drawing = cls._with(options)
        return display.add_evaluation(evaluation, pos_label=pos_label).plot(ax, **drawing)

    @classmethod
    def _with(cls, options: dict[str, Any]) -> tuple[Self, dict[str, Any]]:
        """Return a display made with its own options, and the options left for drawing."""
        own = {name for name in signature(cls.__init__).parameters if name != "self"}
        display = cls(**{name: value for name, value in options.items() if name in own})
        return display, {name: value for name, value in options.items() if name not in own}

    def add(
        self,
        y_true: Any,
        y_score: Any,
        *,
        pos_label: Label | None = None,
        name: str | None = None,
    ) -> Self:
        """Add a curve, or one for each entry of a mapping from names to scores; draw later.

        Parameters
        ----------
        y_true : array-like
            Right answers.
        y_score : array-like, or mapping of str to array-like
            Score of the positive class per case, or one column per class.
        pos_label : label, optional
            The positive class; needed unless labels are 0/1, -1/1 or booleans.
        name : str, optional
            How to call the curve.
        """
        if not isinstance(y_score, Mapping):
            return self._add(Scored.of(y_true, y_score, pos_label=pos_label, name=name))
        if name is not None:
            raise InputError(
                "name cannot be used with a mapping, whose keys are the names", concerning="name"
            )
        if not y_score:
            raise InputError(
                "is an empty mapping",
                argument="y_score",
                remedy="give at least one name and its scores",
            )
        for called, scores in y_score.items():
            self._add(Scored.of(y_true, scores, pos_label=pos_label, name=str(called)))
        return self

    def add_evaluation(self, evaluation: Evaluation, *, pos_label: Label | None = None) -> Self:
        """Add the curve of an evaluation that holds scores; draw later."""
        return self._add(Scored.of_evaluation(evaluation, pos_label=pos_label))

    def _add(self, scored: Scored) -> Self:
        self.lines.append(self._line(scored))
        return self

    @abstractmethod
    def _line(self, scored: Scored) -> Line:
        """Return what is drawn of one ranking."""

    @abstractmethod
    def plot(self, ax: Axes | None = None, **kwargs: Any) -> Self:
        """Draw."""

    def _checked(self) -> list[Line]:
        if not self.lines:
            raise InputError("there is nothing to draw", remedy="add() a curve first")
        return self.lines


def legend_text(name: str, title: str, area: Estimate, curves: int) -> str:
    r"""Return a legend entry: name and area, with the interval where there is room for it.

    Examples
    --------
    >>> legend_text("naive Bayes", "AUC", Estimate(name="auc", value=0.9, n=8, method="m"), 1)
    'naive Bayes\nAUC 0.900'
    """
    if curves > _FEW:
        return f"{shortened(name, 18)}: {title} {area.value:.3f}"
    i = area.interval
    between = f" ({i.low:.3f} to {i.high:.3f})" if i else ""
    return f"{shortened(name)}\n{title} {area.value:.3f}{between}"
