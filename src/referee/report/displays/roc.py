"""RocDisplay: true against false positive rates, with a band for the true curve."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Self

import numpy as np

from referee.core.arrays import Floats, Label
from referee.core.labels.labels import as_labels
from referee.core.randomness import RandomState
from referee.core.results import Estimate
from referee.core.showing.numbers import level_text
from referee.errors import InputError
from referee.intervals.bands import BandKind, RocBand, band_of
from referee.measures.formulas.roc import RocCurve
from referee.report.displays.areas import auc_estimate
from referee.report.displays.display import CurvesDisplay, legend_text
from referee.report.displays.scored import Scored
from referee.report.figures.style import COLUMN, MUTED, SMALL, TEXT, band_alpha, dress, key, stroke

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["RocDisplay", "RocLine"]


@dataclass(frozen=True, eq=False)
class RocLine:
    """One curve of the picture.

    Attributes
    ----------
    name : str
    curve : RocCurve
    auc : Estimate
    band : RocBand or None
    k : int or None
        The number of neighbours, in a family over it.
    """

    name: str
    curve: RocCurve
    auc: Estimate
    band: RocBand | None = None
    k: int | None = None


class RocDisplay(CurvesDisplay[RocLine]):
    """ROC curves with their areas and bands.

    Parameters
    ----------
    band : {"simultaneous", "pointwise"} or None
        Whether the band covers the whole true curve with probability `level`, or each point of it.
    level : float
        Confidence level of bands and intervals.
    rounds : int
        Resamples for the band.
    random_state : int, Generator or RandomState
        Seeds the resamples.

    Attributes
    ----------
    lines : list of RocLine
    ax_, figure_ : matplotlib Axes and Figure

    Examples
    --------
    >>> import matplotlib.pyplot as plt
    >>> from referee.report.displays import RocDisplay
    >>> y, good, poor = [0, 1, 0, 1] * 9, [0.1, 0.9, 0.2, 0.8] * 9, [0.4, 0.5, 0.6, 0.7] * 9
    >>> display = RocDisplay.from_predictions(y, {"good": good, "poor": poor}, band=None)
    >>> [(line.name, line.auc.value) for line in display.lines]
    [('good', 1.0), ('poor', 0.75)]
    >>> plt.close(display.figure_)
    """

    def __init__(
        self,
        *,
        band: BandKind | None = "simultaneous",
        level: float = 0.95,
        rounds: int = 2000,
        random_state: RandomState = 0,
    ) -> None:
        super().__init__(level=level, random_state=random_state)
        self.band = band
        self.rounds = rounds

    @classmethod
    def from_neighbours(
        cls,
        X_train: Any,
        y_train: Any,
        X_test: Any,
        y_test: Any,
        *,
        ks: Iterable[int] = range(1, 40, 2),
        pos_label: Label | None = None,
        ax: Axes | None = None,
        level: float = 0.95,
        **kwargs: Any,
    ) -> Self:
        """Draw the family of curves over k of the k-nearest-neighbour rule.

        One search finds the neighbours for all k; the score is the share of positives among the k
        nearest. The k of the highest curve is *chosen on these cases*: test it on others.

        Parameters
        ----------
        X_train, y_train, X_test, y_test : array-like
            Where neighbours are looked for, and the cases that are ranked.
        ks : iterable of int
            Numbers of neighbours, from 1 to the number of training cases.
        pos_label, ax, level
            As in `from_predictions`; other keywords go to `plot`.
        """
        display = cls(band=None, level=level)
        counts = _checked_ks(ks, len(as_labels(y_train, "y_train")))
        first = Scored.of(y_test, np.zeros(len(as_labels(y_test, "y_test"))), pos_label=pos_label)
        shares = _posteriors(X_train, y_train, X_test, counts, first.pos_label)
        if len(shares) != len(first.positive):
            raise InputError(
                f"has {len(shares)} rows and y_test has {len(first.positive)}", argument="X_test"
            )
        for k, score in zip(counts, shares.T, strict=True):
            ranked = Scored(first.positive, score, first.pos_label, f"k = {k}")
            line = display._line(ranked)
            display.lines.append(RocLine(line.name, line.curve, line.auc, k=k))
        return display.plot(ax, **kwargs)

    def _line(self, scored: Scored) -> RocLine:
        band = None
        if self.band is not None:
            band = band_of(
                scored, kind=self.band, level=self.level, rounds=self.rounds, seed=self.seed
            )
        return RocLine(scored.name, scored.curve, auc_estimate(scored, self.level), band)

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
        family = [line.k for line in lines if line.k is not None]
        ax = self._take(ax, COLUMN + (0.6 if family else 0.0), COLUMN)
        if chance:
            ax.plot([0, 1], [0, 1], color=MUTED, lw=0.8, ls=(0, (1, 2)), label="chance", zorder=1)
        if family:
            self._draw_family(ax, family, **kwargs)
        else:
            self._draw_lines(ax, **kwargs)
        dress(ax, "false positive rate", "true positive rate")
        ax.set(xlim=(-0.01, 1.01), ylim=(-0.01, 1.01), aspect="equal")
        if legend:
            key(ax, loc="lower right")
        return self

    def _draw_lines(self, ax: Axes, **kwargs: Any) -> None:
        for number, line in enumerate(self.lines):
            how = stroke(number)
            text = legend_text(line.name, "AUC", line.auc, len(self.lines))
            looks: dict[str, Any] = {
                "color": how.color,
                "ls": how.linestyle,
                "lw": 1.5,
                "label": text,
                "zorder": 3,
            }
            ax.plot(line.curve.fpr, line.curve.tpr, **(looks | kwargs))
            if line.band is not None:
                label = f"{level_text(line.band.level)} band, {line.band.kind}"
                ax.fill_between(
                    line.band.fpr,
                    line.band.low,
                    line.band.high,
                    color=how.color,
                    alpha=band_alpha(len(self.lines)),
                    lw=0,
                    zorder=2,
                    label=label if number == 0 else None,
                )

    def _draw_family(self, ax: Axes, ks: list[int], **kwargs: Any) -> None:
        from matplotlib import colormaps
        from matplotlib.cm import ScalarMappable
        from matplotlib.colors import ListedColormap, Normalize

        # cividis is read alike by all eyes, and its lightness alone tells k in a grey print; its
        # last, yellow part is left out, because it vanishes on paper.
        part = ListedColormap(colormaps["cividis"](np.linspace(0, 0.86, 256)))
        low, high = min(ks), max(max(ks), min(ks) + 1)
        shades = ScalarMappable(Normalize(low, high), part)
        ends = {min(ks), max(ks)}
        for line in self.lines:
            if line.k is None:
                continue
            label = f"{line.name}: AUC {line.auc.value:.3f}" if line.k in ends else None
            looks: dict[str, Any] = {
                "color": part((line.k - low) / (high - low)),
                "lw": 1.0,
                "label": label,
            }
            if line.k == low:
                looks["ls"] = stroke(1).linestyle
            ax.plot(line.curve.fpr, line.curve.tpr, **(looks | kwargs))
        bar = self.figure_.colorbar(shades, ax=ax, shrink=0.8, pad=0.02)
        bar.set_label("number of neighbours k", fontsize=TEXT)
        bar.ax.tick_params(labelsize=SMALL)


def _checked_ks(ks: Iterable[int], n: int) -> list[int]:
    counts = sorted({int(k) for k in ks})
    if not counts:
        raise InputError("is empty", argument="ks", remedy="give at least one number of neighbours")
    if counts[0] < 1 or counts[-1] > n:
        odd = counts[0] if counts[0] < 1 else counts[-1]
        raise InputError(
            f"must lie between 1 and the {n} training cases", argument="ks", value=str(odd)
        )
    return counts


def _posteriors(X_train: Any, y_train: Any, X_test: Any, ks: list[int], positive: Label) -> Floats:
    """Return the share of positives among the k nearest, a column per k."""
    from sklearn.neighbors import NearestNeighbors

    search = NearestNeighbors(n_neighbors=ks[-1]).fit(X_train)
    nearest = search.kneighbors(X_test, return_distance=False)
    labels = as_labels(y_train, "y_train")
    if len(labels) != search.n_samples_fit_:
        raise InputError(
            f"has {search.n_samples_fit_} rows and y_train has {len(labels)}", argument="X_train"
        )
    positives = np.cumsum(labels[nearest] == positive, axis=1)
    at = np.asarray(ks)
    return np.asarray(positives[:, at - 1] / at)
