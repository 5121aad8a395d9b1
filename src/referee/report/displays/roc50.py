"""Roc50Display: the top of a ranking, up to its 50th false positive."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Self

import numpy as np

from referee.core.arrays import Floats
from referee.core.randomness import RandomState
from referee.core.results import Estimate
from referee.errors import InputError, arg
from referee.measures.formulas.roc import RocCurve, auc_k
from referee.report.displays.areas import area_estimate
from referee.report.displays.display import CurvesDisplay, legend_text
from referee.report.displays.scored import Scored
from referee.report.figures.style import COLUMN, MUTED, dress, key, stroke

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["Roc50Display", "Roc50Line", "cut_at"]


@dataclass(frozen=True, eq=False)
class Roc50Line:
    """The share of positives found by the number of false positives, up to k of them.

    Attributes
    ----------
    name : str
    false_positives, true_positive_rate : arrays of float
    auc : Estimate
        The area up to the k-th false positive, over k times all positives.
    n_negative : int
    """

    name: str
    false_positives: Floats
    true_positive_rate: Floats
    auc: Estimate
    n_negative: int


class Roc50Display(CurvesDisplay[Roc50Line]):
    """The curve that matters where only the top of a ranking is looked at.

    Parameters
    ----------
    k : int
        The number of false positives up to which it reaches.
    level : float
        Confidence level of the area's interval.
    random_state : int, Generator or RandomState
        Seeds the resamples.

    Attributes
    ----------
    lines : list of Roc50Line
    ax_, figure_ : matplotlib Axes and Figure

    Examples
    --------
    >>> import matplotlib.pyplot as plt
    >>> from referee.report.displays import Roc50Display
    >>> y = [1] + [0] * 50 + [1] * 9
    >>> display = Roc50Display.from_predictions(y, [-i for i in range(60)])
    >>> display.lines[0].auc.value, display.lines[0].true_positive_rate.tolist()[:3]
    (0.1, [0.0, 0.1, 0.1])
    >>> plt.close(display.figure_)
    """

    def __init__(self, *, k: int = 50, level: float = 0.95, random_state: RandomState = 0) -> None:
        super().__init__(level=level, random_state=random_state)
        if k < 1:
            raise InputError("k must be at least 1", concerning="k", value=str(k))
        self.k = k

    def _line(self, scored: Scored) -> Roc50Line:
        if scored.fits > 1:
            raise InputError(
                f"false positives can be counted in one ranking only, and {scored.fits} fits made "
                "these scores",
                remedy=f"use {arg('by', 'holdout')}",
            )
        curve = scored.curve
        x, y = cut_at(curve, self.k)
        value = auc_k(curve, self.k)
        area = area_estimate(scored, "auc_k", value, self.level, self.seed, self.k)
        return Roc50Line(scored.name, x, y, area, int(curve.n_negative))

    def plot(
        self, ax: Axes | None = None, *, chance: bool = True, legend: bool = True, **kwargs: Any
    ) -> Self:
        """Draw the curves; keywords go to matplotlib's lines.

        Parameters
        ----------
        ax : matplotlib Axes, optional
            Where to draw; a new figure if not given.
        chance : bool
            Whether to draw the line of a ranking at random.
        legend : bool
            Whether to name the curves.
        """
        lines = self._checked()
        ax = self._take(ax, COLUMN, 0.85 * COLUMN)
        end = min(self.k, max(line.n_negative for line in lines))
        for number, line in enumerate(lines):
            how = stroke(number)
            # With fewer negatives than k the area is that of the whole curve.
            title = f"AUC{self.k}" if line.n_negative >= self.k else "AUC"
            text = legend_text(line.name, title, line.auc, len(lines))
            looks: dict[str, Any] = {
                "color": how.color,
                "ls": how.linestyle,
                "lw": 1.5,
                "label": text,
                "zorder": 3,
            }
            ax.plot(line.false_positives, line.true_positive_rate, **(looks | kwargs))
        if chance:
            top = end / lines[0].n_negative
            ax.plot([0, end], [0, top], color=MUTED, lw=0.8, ls=(0, (1, 2)), label="chance")
        dress(ax, "false positives (number of cases)", "share of positives found")
        ax.set(xlim=(-0.01 * end, 1.01 * end), ylim=(-0.01, 1.01))
        if legend:
            key(ax, loc="best")
        return self


def cut_at(curve: RocCurve, k: int) -> tuple[Floats, Floats]:
    """Return false positives and the share of positives found, cut at k false positives."""
    x, y = curve.false_positives, curve.tpr
    inside = int(np.searchsorted(x, k, side="right"))
    if inside == len(x):
        return x, y
    share = (k - x[inside - 1]) / (x[inside] - x[inside - 1])
    last = y[inside - 1] + share * (y[inside] - y[inside - 1])
    return np.append(x[:inside], float(k)), np.append(y[:inside], last)
