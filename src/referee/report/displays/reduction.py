"""ReductionDisplay: which cases a reduced rule keeps, and how its border moves."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Self

import numpy as np

from referee.core.arrays import Anything, Floats
from referee.errors import InputError
from referee.report.displays.display import Display
from referee.report.figures.style import COLUMN, MUTED, SMALL, TEXT, shortened, stroke

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["ReductionDisplay"]

_MARKERS = ("o", "s", "^", "D", "v", "P", "X")


class ReductionDisplay(Display):
    """Kept cases and borders of reduced rules, a panel for each, over the border of all cases.

    Parameters
    ----------
    X, y : array-like of shape (n, 2) and (n,)
        The training cases.
    rules : mapping of str to classifier
        Reduced rules, not fitted, such as `CondensedKNN`.
    resolution : int
        Points along each axis at which rules are asked.

    Attributes
    ----------
    fitted_ : dict of str to classifier
        The rules, fitted.
    changed_ : dict of str to float
        The share of the picture where a rule answers otherwise than the nearest of all cases.
    ax_, figure_ : matplotlib Axes and Figure
        The first panel, and all of it.

    Examples
    --------
    >>> import matplotlib.pyplot as plt
    >>> from referee.learners.neighbours.reducing import BoundaryKNN
    >>> rng = np.random.default_rng(0)
    >>> X, y = rng.normal(size=(60, 2)), np.arange(60) % 2
    >>> display = ReductionDisplay(X, y, {"border": BoundaryKNN()}, resolution=101).plot()
    >>> display.changed_
    {'border': 0.0}
    >>> plt.close(display.figure_)
    """

    def __init__(self, X: Any, y: Any, rules: Mapping[str, Any], *, resolution: int = 301) -> None:
        self.X, self.y = np.asarray(X, dtype=float), np.asarray(y)
        if self.X.ndim != 2 or self.X.shape[1] != 2:
            raise InputError(
                "only cases of two features can be drawn", value=f"shape {self.X.shape}"
            )
        if not rules:
            raise InputError(
                "is empty", argument="rules", remedy="give at least one name and its classifier"
            )
        self.fitted_ = {str(name): rule.fit(self.X, self.y) for name, rule in rules.items()}
        self._axes = self._grid_axes(resolution)
        full = self._answers(_NearestOfAll(self.X, self.y))
        self._full = full
        self._said = {name: self._answers(rule) for name, rule in self.fitted_.items()}
        self.changed_ = {name: float(np.mean(a != full)) for name, a in self._said.items()}

    def plot(self, ax: Axes | None = None) -> Self:
        """Draw a panel for each rule; a single one goes to `ax`, if given."""
        import matplotlib.pyplot as plt

        names = list(self.fitted_)
        if ax is not None:
            if len(names) > 1:
                raise InputError(
                    f"holds one panel, but there are {len(names)} rules", argument="ax"
                )
            self._take(ax)
            self._panel(ax, names[0])
            return self
        columns = min(2, len(names))
        rows = -(-len(names) // columns)
        figure, places = plt.subplots(
            rows,
            columns,
            figsize=(columns * COLUMN, rows * COLUMN * 0.95),
            layout="constrained",
            squeeze=False,
        )
        for place, name in zip(places.flat, names, strict=False):
            self._panel(place, name)
        for place in places.flat[len(names) :]:
            place.set_visible(False)
        self.ax_, self.figure_ = places.flat[0], figure
        self._key()
        return self

    def _key(self) -> None:
        from matplotlib.lines import Line2D

        entries = [
            Line2D([], [], color="black", lw=1.2, label="border of the kept cases"),
            Line2D([], [], color=MUTED, lw=0.8, ls=":", label="border of all cases"),
            Line2D([], [], color=MUTED, marker="o", ms=4.5, ls="", mec="black", label="kept"),
            Line2D([], [], color=MUTED, marker="o", ms=2.5, ls="", alpha=0.5, label="dropped"),
        ]
        self.figure_.legend(
            handles=entries,
            loc="outside lower center",
            ncols=2 if len(self.fitted_) == 1 else 4,
            fontsize=SMALL,
            frameon=False,
        )

    def _panel(self, ax: Axes, name: str) -> None:
        rule, said = self.fitted_[name], self._said[name]
        for code, label in enumerate(np.unique(self.y)):
            self._contour(ax, self._full == label, color=MUTED, linewidths=0.8, linestyles=":")
            self._contour(ax, said == label, color="black", linewidths=1.2, linestyles="-")
            look: dict[str, Any] = {
                "marker": _MARKERS[code % len(_MARKERS)],
                "color": stroke(code).color,
            }
            rows = self.y == label
            ax.scatter(self.X[rows, 0], self.X[rows, 1], s=5, alpha=0.35, linewidths=0, **look)
            kept = rule.cases_[rule.classes_[rule.codes_] == label]
            ax.scatter(
                kept[:, 0], kept[:, 1], s=17, edgecolors="black", linewidths=0.6, zorder=5, **look
            )
        ax.set_title(
            f"{shortened(name)}\n{rule.n_kept_} of {rule.n_cases_} cases, "
            f"{self.changed_[name]:.1%} of the plane changed",
            fontsize=TEXT,
        )
        ax.tick_params(labelsize=SMALL)
        ax.set(xlim=self._axes[0][[0, -1]], ylim=self._axes[1][[0, -1]])
        ax.spines[["top", "right"]].set_visible(False)

    def _contour(self, ax: Axes, inside: Any, *, color: str, **look: Any) -> None:
        if inside.any() and not inside.all():
            shape = (len(self._axes[1]), len(self._axes[0]))
            field = inside.reshape(shape).astype(float)
            ax.contour(*self._axes, field, levels=[0.5], colors=color, **look)

    def _grid_axes(self, resolution: int) -> tuple[Floats, Floats]:
        low, high = self.X.min(axis=0), self.X.max(axis=0)
        margin = 0.05 * (high - low) + 1e-9
        first, second = (
            np.linspace(a, b, resolution) for a, b in zip(low - margin, high + margin, strict=True)
        )
        return first, second

    def _answers(self, rule: Any) -> Anything:
        points = np.stack(np.meshgrid(*self._axes), axis=-1).reshape(-1, 2)
        return np.asarray(rule.predict(points))


class _NearestOfAll:
    def __init__(self, X: Floats, y: Anything) -> None:
        self.X, self.y = X, y

    def predict(self, points: Floats) -> Anything:
        from referee.learners.neighbours.reducing.nearest import nearest_rows

        return np.asarray(self.y[nearest_rows(points, self.X)])
