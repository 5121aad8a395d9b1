"""ReliabilityDisplay: do cases given 70 % turn out positive in 70 of 100?"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal, Self, TypeAlias

import numpy as np

from referee.core.arrays import Floats
from referee.core.labels.labels import rows_text
from referee.core.randomness import RandomState
from referee.core.results import Interval
from referee.core.showing.numbers import level_text
from referee.errors import InputError
from referee.intervals.one_set.proportion import clopper_pearson, wilson
from referee.measures.formulas.probability import ReliabilityCurve, reliability_curve
from referee.report.displays.display import CurvesDisplay
from referee.report.displays.scored import Scored
from referee.report.figures.style import COLUMN, MUTED, all_shortened, dress, key, stroke

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["ReliabilityDisplay", "ReliabilityLine"]

IntervalName: TypeAlias = Literal["wilson", "clopper-pearson"]

_INTERVALS: dict[str, Callable[[float, float, float], Interval]] = {
    "wilson": wilson,
    "clopper-pearson": clopper_pearson,
}
_MARKS = "osD^vP*"


@dataclass(frozen=True, eq=False)
class ReliabilityLine:
    """One model's probabilities against what happened.

    Attributes
    ----------
    name : str
    curve : ReliabilityCurve
    low, high : arrays of float
        Limits of the share of positives in each bin.
    probability : array of float
        All probabilities, for the histogram.
    """

    name: str
    curve: ReliabilityCurve
    low: Floats
    high: Floats
    probability: Floats


class ReliabilityDisplay(CurvesDisplay[ReliabilityLine]):
    """The observed share of positives against the predicted probability, bin by bin.

    Bins hold (nearly) equal numbers of cases. Below the curve stands how often each probability
    was given.

    Parameters
    ----------
    bins : int
        How many bins.
    interval : {"clopper-pearson", "wilson"}
        Of the share in each bin; where rows belong together, each group counts once.
    level : float
        Confidence level, for each bin.

    Attributes
    ----------
    lines : list of ReliabilityLine
    ax_, figure_ : matplotlib Axes and Figure
    counts_ax_ : matplotlib Axes
        The histogram below.

    Examples
    --------
    >>> import matplotlib.pyplot as plt
    >>> from referee.report.displays import ReliabilityDisplay
    >>> display = ReliabilityDisplay.from_predictions([0, 1] * 20, [0.2, 0.9] * 20, bins=2)
    >>> line = display.lines[0]
    >>> line.curve.observed.tolist(), line.low.round(3).tolist(), line.high.round(3).tolist()
    ([0.0, 1.0], [0.0, 0.832], [0.168, 1.0])
    >>> plt.close(display.figure_)
    """

    counts_ax_: Axes

    def __init__(
        self,
        *,
        bins: int = 10,
        interval: IntervalName = "clopper-pearson",
        level: float = 0.95,
        random_state: RandomState = 0,
    ) -> None:
        super().__init__(level=level, random_state=random_state)
        if interval not in _INTERVALS:
            names = " or ".join(repr(name) for name in _INTERVALS)
            raise InputError(f"must be {names}", argument="interval", value=repr(interval))
        self.bins = bins
        self.interval = interval

    def _line(self, scored: Scored) -> ReliabilityLine:
        p = scored.scores
        outside = np.flatnonzero((p < 0) | (p > 1))
        if outside.size:
            raise InputError(
                "must hold probabilities between 0 and 1 here",
                argument="y_score",
                value=f"{p[outside[0]]:g}",
                place=rows_text(outside[:1]),
                remedy="scores of other kinds serve rankings only",
            )
        curve = reliability_curve(scored.positive, p, self.bins)
        # Rows that belong together count once, and several fits weigh as elsewhere.
        worth = sum(scored.sizes) / len(p)
        form = _INTERVALS[self.interval]
        sizes = np.maximum(1.0, curve.sizes * worth)
        limits = [form(o * n, n, self.level) for o, n in zip(curve.observed, sizes, strict=True)]
        low, high = np.array([i.low for i in limits]), np.array([i.high for i in limits])
        return ReliabilityLine(scored.name, curve, low, high, p)

    def plot(
        self, ax: Axes | None = None, *, counts: bool = True, legend: bool = True, **kwargs: Any
    ) -> Self:
        """Draw shares with their intervals; keywords go to matplotlib's errorbar.

        Parameters
        ----------
        ax : matplotlib Axes, optional
            Where to draw; a new figure if not given.
        counts : bool
            Whether to draw the histogram of the probabilities below.
        legend : bool
            Whether to name the models.
        """
        lines = self._checked()
        ax = self._take(ax, COLUMN, (1.25 if counts else 1.0) * COLUMN)
        label = "perfectly reliable"
        ax.plot([0, 1], [0, 1], color=MUTED, lw=0.8, ls=(0, (1, 2)), label=label, zorder=1)
        for number, line in enumerate(lines):
            self._draw(ax, number, line, **kwargs)
        x = "predicted probability of the positive class"
        dress(ax, "" if counts else x, "observed share of positives")
        ax.set(xlim=(-0.02, 1.02), ylim=(-0.02, 1.02))
        if counts:
            self._draw_counts(ax, x)
        if legend:
            key(ax, loc="upper left")
        return self

    def _draw(self, ax: Axes, number: int, line: ReliabilityLine, **kwargs: Any) -> None:
        how = stroke(number)
        observed = line.curve.observed
        name = all_shortened(other.name for other in self.lines)[number]
        label = f"{name}, {level_text(self.level)} intervals"
        looks: dict[str, Any] = {
            "color": how.color,
            "ls": how.linestyle,
            "marker": _MARKS[number % len(_MARKS)],
            "ms": 4,
            "lw": 1.2,
            "elinewidth": 1,
            "capsize": 2.5,
            "label": label if len(self.lines) == 1 else name,
        }
        reach = np.maximum(0, [observed - line.low, line.high - observed])
        ax.errorbar(line.curve.predicted, observed, yerr=reach, **(looks | kwargs))

    def _draw_counts(self, ax: Axes, x: str) -> None:
        below = self._below(ax)
        for number, line in enumerate(self.lines):
            how = stroke(number)
            only = len(self.lines) == 1
            below.hist(
                line.probability,
                bins=np.linspace(0, 1, 21).tolist(),
                histtype="stepfilled" if only else "step",
                color=how.color,
                ls=how.linestyle,
                alpha=0.6 if only else 1.0,
            )
        dress(below, x, "cases")
        ax.tick_params(labelbottom=False)
        self.counts_ax_ = below

    def _below(self, ax: Axes) -> Axes:
        """Return axes in the lower part of the place that the given ones had."""
        place = ax.get_subplotspec()
        if place is None:
            return ax.inset_axes((0.0, -0.4, 1.0, 0.26), sharex=ax)
        parts = place.subgridspec(2, 1, height_ratios=(3.4, 1))
        ax.set_subplotspec(parts[0])
        return self.figure_.add_subplot(parts[1], sharex=ax)
