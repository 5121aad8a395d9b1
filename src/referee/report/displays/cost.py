"""CostDisplay: what a ranking costs, by how much false negatives weigh."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Self

import numpy as np

from referee.core.arrays import Floats
from referee.core.numbers import level_text
from referee.core.randomness import RandomState, Seed
from referee.intervals.one_set.proportion import wilson
from referee.measures.cost import CostCurve, cost_curve
from referee.measures.roc import RocCurve
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

__all__ = ["CostBand", "CostDisplay", "CostLine", "cost_band"]


@dataclass(frozen=True, eq=False)
class CostBand:
    """Limits of the normalised expected cost, weight by weight."""

    weight: Floats
    low: Floats
    high: Floats
    level: float


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


def cost_band(scored: Scored, curve: CostCurve, level: float, rounds: int, seed: Seed) -> CostBand:
    """Return percentiles of the cost curves of resamples, never narrower than the counts allow.

    Resamples of a ranking without errors have none, either. So at each weight the two error rates
    of the chosen threshold are given Wilson's limits, joined by square-and-add, and the band holds
    that interval, too.
    """
    lines = _mixing(curve.weight)
    drawn = np.array([np.min(lines @ _corners(c), axis=1) for c in scored.resampled(rounds, seed)])
    stretched = curve.cost + (drawn - curve.cost) * np.sqrt(scored.inflation)
    low, high = np.quantile(stretched, ((1 - level) / 2, (1 + level) / 2), axis=0)
    below, above = _squared_and_added(scored, curve, level)
    low = np.minimum(low, curve.cost - below)
    # No rule need cost more than the better of the two trivial ones.
    high = np.minimum(np.maximum(high, curve.cost + above), curve.trivial)
    return CostBand(curve.weight, np.clip(low, 0, 1), np.clip(high, 0, 1), level)


def _mixing(weight: Floats) -> Floats:
    return np.column_stack([weight, 1 - weight])


def _corners(curve: RocCurve) -> Floats:
    """Return misses and false alarms of the vertices that can be cheapest: where rises end."""
    tp, fp = curve.true_positives, curve.false_positives
    rises, runs = np.diff(tp) > 0, np.diff(fp) > 0
    kept = np.append(True, rises) & np.append(runs, True) | (np.arange(len(tp)) == 0)
    kept |= np.append(False, rises & runs) | np.append(rises & runs, False)
    kept[-1] = True
    return np.vstack([1 - curve.tpr[kept], curve.fpr[kept]])


def _squared_and_added(scored: Scored, curve: CostCurve, level: float) -> tuple[Floats, Floats]:
    w = curve.weight
    rates = np.vstack([1 - scored.curve.tpr, scored.curve.fpr])
    chosen = np.clip(rates[:, np.argmin(_mixing(w) @ rates, axis=1)], 0, 1)
    below, above = np.zeros(len(w)), np.zeros(len(w))
    for rate, n, share in zip(chosen, scored.sizes, (w, 1 - w), strict=True):
        limits = [wilson(r * n, n, level) for r in rate]
        below += (share * (rate - [i.low for i in limits])) ** 2
        above += (share * ([i.high for i in limits] - rate)) ** 2
    return np.sqrt(below), np.sqrt(above)
