"""CostDisplay: what a ranking costs, by how much false negatives weigh."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Self

from referee.core.randomness import RandomState
from referee.core.showing.numbers import level_text
from referee.intervals.cost_band import CostBand, cost_band
from referee.measures.formulas.cost import CostCurve, cost_curve
from referee.report.displays.display import CurvesDisplay
from referee.report.displays.scored import Scored
from referee.report.figures.style import (
    COLUMN,
    MUTED,
    all_shortened,
    band_alpha,
    dress,
    key,
    stroke,
)

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["CostDisplay", "CostLine"]


@dataclass(frozen=True, eq=False)
class CostLine:
    """One curve of the picture."""

    name: str
    curve: CostCurve
    band: CostBand | None


class CostDisplay(CurvesDisplay[CostLine]):
    """The least expected cost over all thresholds, against the weight of false negatives.

    The weight is P l_FN / (P l_FN + (1 - P) l_FP), with P the share of positives where the model
    is used. A model is of no use at weights where its curve meets the triangle of "always yes" and
    "always no". Thresholds are chosen on the cases that are shown, which is a little too kind.

    Parameters
    ----------
    band : bool
        Whether to draw the bootstrap band.
    level : float
        Confidence level of the band, for each weight.
    rounds, points : int
        Resamples, and weights at which the cost is computed.
    random_state : int, Generator or RandomState
        Seeds the resamples.

    Attributes
    ----------
    lines : list of CostLine
    ax_, figure_ : matplotlib Axes and Figure

    Examples
    --------
    >>> import matplotlib.pyplot as plt
    >>> from referee.report.displays import CostDisplay
    >>> display = CostDisplay.from_predictions([1, 0] * 9, [0.9, 0.1] * 9, rounds=50)
    >>> float(display.lines[0].curve.cost.max())
    0.0
    >>> plt.close(display.figure_)
    """

    def __init__(
        self,
        *,
        band: bool = True,
        level: float = 0.95,
        rounds: int = 500,
        points: int = 101,
        random_state: RandomState = 0,
    ) -> None:
        super().__init__(level=level, random_state=random_state)
        self.band = band
        self.rounds = rounds
        self.points = points

    def _line(self, scored: Scored) -> CostLine:
        curve = cost_curve(scored.curve, self.points)
        band = cost_band(scored, curve, self.level, self.rounds, self.seed) if self.band else None
        return CostLine(scored.name, curve, band)

    def plot(self, ax: Axes | None = None, *, legend: bool = True, **kwargs: Any) -> Self:
        """Draw the curves; keywords go to matplotlib's lines.

        Parameters
        ----------
        ax : matplotlib Axes, optional
            Where to draw; a new figure if not given.
        legend : bool
            Whether to name the curves.
        """
        lines = self._checked()
        ax = self._take(ax, COLUMN, 0.9 * COLUMN)
        first = lines[0].curve
        ax.plot(
            first.weight,
            first.trivial,
            color=MUTED,
            lw=0.8,
            ls=(0, (1, 2)),
            label="always yes / no",
        )
        names = all_shortened((line.name for line in lines), 18)
        for number, line in enumerate(lines):
            how = stroke(number)
            looks: dict[str, Any] = {
                "color": how.color,
                "ls": how.linestyle,
                "lw": 1.5,
                "zorder": 3,
            }
            looks["label"] = names[number]
            ax.plot(line.curve.weight, line.curve.cost, **(looks | kwargs))
            if line.band is not None:
                b = line.band
                label = f"{level_text(b.level)} band, pointwise" if number == 0 else None
                ax.fill_between(
                    b.weight,
                    b.low,
                    b.high,
                    color=how.color,
                    alpha=band_alpha(len(lines)),
                    lw=0,
                    label=label,
                )
        dress(ax, "weight of false negatives, from 0 to 1", "normalised expected cost")
        ax.set(xlim=(-0.01, 1.01), ylim=(-0.005, 0.52))
        if legend:
            key(ax, loc="lower center", bbox_to_anchor=(0.5, 1.0), ncols=2)
        return self
