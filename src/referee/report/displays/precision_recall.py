"""PrecisionRecallDisplay: how many of the found are right, by how many are found."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Self

import numpy as np

from referee.core.arrays import Floats
from referee.core.results import Estimate
from referee.measures.formulas.precision_recall import (
    PrecisionRecallCurve,
    average_precision,
    precision_recall,
)
from referee.report.displays.areas import area_estimate
from referee.report.displays.display import CurvesDisplay, legend_text
from referee.report.displays.scored import Scored
from referee.report.figures.style import COLUMN, MUTED, dress, key, stroke

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["PrecisionRecallDisplay", "PrecisionRecallLine"]


@dataclass(frozen=True, eq=False)
class PrecisionRecallLine:
    """One curve of the picture, with its average precision."""

    name: str
    curve: PrecisionRecallCurve
    average_precision: Estimate

    @property
    def steps(self) -> tuple[Floats, Floats]:
        """Recall and precision, starting at recall 0: precision holds from the vertex before."""
        recall, precision = self.curve.recall, self.curve.precision
        return np.append(0.0, recall), np.append(precision[0], precision)


class PrecisionRecallDisplay(CurvesDisplay[PrecisionRecallLine]):
    """Precision against recall, as steps: straight lines between vertices would be too kind.

    Parameters
    ----------
    level : float
        Confidence level of the average precision's interval.
    random_state : int, Generator or RandomState
        Seeds the resamples.

    Attributes
    ----------
    lines : list of PrecisionRecallLine
    ax_, figure_ : matplotlib Axes and Figure

    Examples
    --------
    >>> import matplotlib.pyplot as plt
    >>> from referee.report.displays import PrecisionRecallDisplay
    >>> display = PrecisionRecallDisplay.from_predictions([1, 0, 1], [3.0, 2.0, 1.0])
    >>> round(display.lines[0].average_precision.value, 4)
    0.8333
    >>> plt.close(display.figure_)
    """

    def _line(self, scored: Scored) -> PrecisionRecallLine:
        value = average_precision(scored.curve)
        area = area_estimate(scored, "average_precision", value, self.level, self.seed)
        return PrecisionRecallLine(scored.name, precision_recall(scored.curve), area)

    def plot(
        self, ax: Axes | None = None, *, prevalence: bool = True, legend: bool = True, **kwargs: Any
    ) -> Self:
        """Draw the curves; keywords go to matplotlib's lines.

        Parameters
        ----------
        ax : matplotlib Axes, optional
            Where to draw; a new figure if not given.
        prevalence : bool
            Whether to draw what a ranking at random reaches: the share of positives.
        legend : bool
            Whether to name the curves.
        """
        lines = self._checked()
        ax = self._take(ax, COLUMN, COLUMN)
        for number, line in enumerate(lines):
            how = stroke(number)
            text = legend_text(line.name, "AP", line.average_precision, len(lines))
            looks: dict[str, Any] = {
                "color": how.color,
                "ls": how.linestyle,
                "lw": 1.5,
                "label": text,
                "zorder": 3,
            }
            ax.step(*line.steps, where="pre", **(looks | kwargs))
        if prevalence:
            share = lines[0].curve.prevalence
            label = f"share of positives {share:.3g}"
            ax.axhline(share, color=MUTED, lw=0.8, ls=(0, (1, 2)), label=label, zorder=1)
        dress(ax, "recall (share of positives found)", "precision (share of the found)")
        ax.set(xlim=(-0.01, 1.01), ylim=(-0.01, 1.02))
        if legend:
            key(ax, loc="lower left")
        return self
