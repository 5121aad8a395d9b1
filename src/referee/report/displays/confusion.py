"""ConfusionDisplay: who was taken for whom."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Self

import numpy as np

from referee.core.arrays import Floats, Label
from referee.core.predictions import Predictions
from referee.core.randomness import RandomState
from referee.core.showing.numbers import count_text
from referee.judging.evaluation import Evaluation
from referee.measures.formulas.confusion import confusion
from referee.report.displays.display import Display
from referee.report.figures.style import COLUMN, SMALL, TEXT, all_shortened, shortened

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["ConfusionDisplay"]

_NUMBERS_UP_TO = 20
_NAMES_UP_TO = 60
_WIDEST = 7.2
"""Two columns of a paper, in inches."""


class ConfusionDisplay(Display):
    """Counts and shares of each true class, in cells shaded by the share.

    Above 20 classes the shades speak alone.

    Parameters
    ----------
    matrix : array of float
        Counts; rows are the truth, columns the predictions.
    classes : sequence of labels
        In the order of the rows.
    name : str
        What was evaluated; the title.

    Attributes
    ----------
    matrix, shares : arrays of float
        Counts, and the share of each row; nan where a class has no case.
    ax_, figure_ : matplotlib Axes and Figure

    Examples
    --------
    >>> import matplotlib.pyplot as plt
    >>> from referee.report.displays import ConfusionDisplay
    >>> display = ConfusionDisplay.from_predictions(["a", "b", "b"], ["a", "a", "b"])
    >>> display.matrix.tolist(), display.shares.tolist()
    ([[1.0, 0.0], [1.0, 1.0]], [[1.0, 0.0], [0.5, 0.5]])
    >>> plt.close(display.figure_)
    """

    def __init__(self, matrix: Floats, classes: tuple[Label, ...], *, name: str = "") -> None:
        self.matrix = matrix
        self.classes = classes
        self.name = name

    @classmethod
    def from_predictions(
        cls,
        y_true: Any,
        y_pred: Any,
        *,
        labels: Any = None,
        pos_label: Label | None = None,
        name: str | None = None,
        ax: Axes | None = None,
        level: float = 0.95,
        random_state: RandomState = 0,
        **kwargs: Any,
    ) -> Self:
        """Draw the matrix of predicted labels; other keywords go to `plot`.

        Parameters
        ----------
        y_true, y_pred : array-like
            Right answers and predictions.
        labels : array-like, optional
            All classes, where some are absent from `y_true`.
        name : str, optional
            The title.
        pos_label, level, random_state
            Not used; taken so that all displays are called alike.
        """
        table = Predictions.of(y_true, y_pred, labels=labels)
        return cls(confusion(table), table.classes, name=name or "").plot(ax, **kwargs)

    @classmethod
    def from_evaluation(
        cls, evaluation: Evaluation, *, ax: Axes | None = None, **kwargs: Any
    ) -> Self:
        """Draw the matrix of cases the models had not seen; other keywords go to `plot`.

        Where cases were predicted several times, counts are per repetition.
        """
        table = evaluation.predictions.unseen
        times = len(table.case) / len(table.cases)
        display = cls(confusion(table) / times, table.classes, name=evaluation.name)
        return display.plot(ax, **kwargs)

    @property
    def shares(self) -> Floats:
        """The share of each row; nan where a class has no case."""
        totals = self.matrix.sum(axis=1, keepdims=True)
        nothing = np.full(self.matrix.shape, np.nan)
        return np.asarray(np.divide(self.matrix, totals, out=nothing, where=totals > 0))

    def plot(self, ax: Axes | None = None, *, colorbar: bool | None = None, **kwargs: Any) -> Self:
        """Draw the matrix; keywords go to matplotlib's imshow.

        Parameters
        ----------
        ax : matplotlib Axes, optional
            Where to draw; a new figure if not given.
        colorbar : bool, optional
            Whether to add the scale of shades; only where cells have no numbers, if not given.
        """
        k = len(self.classes)
        width = float(np.clip(1.1 + 0.36 * k, COLUMN, _WIDEST))
        ax = self._take(ax, width, width if k <= _NUMBERS_UP_TO else 0.9 * width)
        looks: dict[str, Any] = {
            "cmap": "Blues",
            "vmin": 0,
            "vmax": 1,
            "interpolation": "nearest",
        } | kwargs
        image = ax.imshow(self.shares, **looks)
        if k <= _NUMBERS_UP_TO:
            self._write_cells(ax, image)
        self._name_classes(ax)
        ax.set_xlabel("predicted class", fontsize=TEXT)
        ax.set_ylabel("true class", fontsize=TEXT)
        if self.name:
            ax.set_title(shortened(self.name, self._title_room), fontsize=TEXT)
        if colorbar or (colorbar is None and k > _NUMBERS_UP_TO):
            bar = self.figure_.colorbar(image, ax=ax, shrink=0.8, pad=0.02)
            bar.set_label("share of the true class", fontsize=TEXT)
            bar.ax.tick_params(labelsize=SMALL)
        return self

    def _write_cells(self, ax: Axes, image: Any) -> None:
        cell = self._cell_size(ax)
        longest = max(5, *(len(count_text(c)) for c in self.matrix.flat))
        size = float(np.clip(min(cell / 2.8, cell / (0.66 * longest)), 3.5, 9))
        shares = self.shares
        for (row, column), count in np.ndenumerate(self.matrix):
            share = float(shares[row, column])
            if count == 0 and len(self.classes) > 5:
                continue
            text = (
                count_text(count)
                if np.isnan(share)
                else f"{count_text(count)}\n{100 * share:.0f} %"
            )
            colour = "black" if np.isnan(share) or _is_light(image, share) else "white"
            ax.text(column, row, text, ha="center", va="center", fontsize=size, color=colour)

    def _cell_size(self, ax: Axes) -> float:
        """Return about how wide a cell is, in points."""
        box = ax.get_position()
        width, height = self.figure_.get_size_inches()
        return float(72 * min(width * box.width, height * box.height) / len(self.classes))

    def _name_classes(self, ax: Axes) -> None:
        k = len(self.classes)
        every = 1 + (k - 1) // _NAMES_UP_TO
        names = all_shortened(self.classes, 14)[::every]
        upright = max(len(n) for n in names) * k > 36
        size = float(np.clip(0.62 * every * self._cell_size(ax), 4, SMALL))
        at = np.arange(k)[::every]
        ax.set_xticks(at, names, fontsize=size, rotation=90 if upright else 0)
        ax.set_yticks(at, names, fontsize=size)
        ax.tick_params(length=2)


def _is_light(image: Any, share: float) -> bool:
    """Tell whether black stands out better than white (relative luminance of the WCAG)."""
    parts = np.array(image.to_rgba(share)[:3])
    linear = np.where(parts <= 0.04045, parts / 12.92, ((parts + 0.055) / 1.055) ** 2.4)
    return bool(linear @ (0.2126, 0.7152, 0.0722) > 0.179)
