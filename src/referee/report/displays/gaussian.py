"""GaussianTaskDisplay: densities, discriminants, and the best and the estimated borders."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Literal, Self, get_args

import numpy as np

from referee.core.arrays import Anything, Floats
from referee.core.randomness import RandomState
from referee.errors import InputError, nearest
from referee.report.displays.display import Display
from referee.report.figures.style import (
    COLUMN,
    PALETTE,
    SMALL,
    TEXT,
    Stroke,
    dress,
    key,
    shortened,
    stroke,
)
from referee.study.tasks.gaussian_task import GaussianTask

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["GaussianTaskDisplay", "Show"]

Show = Literal["borders", "density", "g_tilde", "g_bar", "g_hat"]

_TITLES: dict[str, str] = {
    "borders": "sample and borders",
    "density": r"density $p(\mathbf{x})$",
    "g_tilde": r"$\tilde g(\mathbf{x}) = p(\mathbf{x},+) - p(\mathbf{x},-)$",
    "g_bar": r"$\bar g(\mathbf{x}) = p(+|\mathbf{x}) - p(-|\mathbf{x})$",
    "g_hat": r"$\hat g(\mathbf{x}) = \ln\, p(\mathbf{x},+) / p(\mathbf{x},-)$",
}
_MARKERS = ("o", "s", "^", "D", "v", "P", "X")
_BLACK = PALETTE.index("#000000")
_TIES = 0.002
"""Share of points at which answers may differ from the highest score, as ties are broken."""

_REACH = 3.4
"""How many standard deviations of each class the picture shows."""


class GaussianTaskDisplay(Display):
    """A Gaussian task of two features, as the one who made it sees it.

    Parameters
    ----------
    task : GaussianTask
        Of two features; g_tilde, g_bar and g_hat need two classes.
    X, y : array-like, optional
        A sample to draw over it.
    classifiers : mapping of str to fitted classifier, optional
        Whose borders to draw.
    resolution : int
        Points along each axis at which functions are evaluated.

    Attributes
    ----------
    ax_, figure_ : matplotlib Axes and Figure

    Examples
    --------
    >>> import matplotlib.pyplot as plt
    >>> from referee.report.displays.gaussian import GaussianTaskDisplay
    >>> from referee.study import EXAMPLES
    >>> display = GaussianTaskDisplay.from_task(EXAMPLES[1], n=120, random_state=0)
    >>> display.ax_.get_title()
    'sample and borders'
    >>> plt.close(display.figure_)
    """

    def __init__(
        self,
        task: GaussianTask,
        X: Any = None,
        y: Any = None,
        *,
        classifiers: Mapping[str, Any] | None = None,
        resolution: int = 301,
    ) -> None:
        if task.n_features != 2:
            raise InputError("only tasks of two features can be drawn", value=str(task.n_features))
        if (X is None) != (y is None):
            raise InputError(
                "X and y belong together", concerning="X", remedy="give both or neither"
            )
        self.task = task
        self.X: Floats | None = None if X is None else task.features(X)
        self.y: Anything | None = None if y is None else np.asarray(y)
        if self.X is not None and self.y is not None and len(self.X) != len(self.y):
            raise InputError(f"has {len(self.X)} rows and y has {len(self.y)}", argument="X")
        self.classifiers = dict(classifiers or {})
        self.resolution = resolution

    @classmethod
    def from_task(
        cls,
        task: GaussianTask,
        *,
        n: int = 120,
        learners: Mapping[str, Any] | None = None,
        random_state: RandomState = 0,
        ax: Axes | None = None,
        show: Show = "borders",
        **kwargs: Any,
    ) -> Self:
        """Draw a sample of n cases, train the learners on it and draw their borders.

        Learners are fitted in copies. Other keywords go to `plot`.
        """
        from sklearn.base import clone

        X, y = task.sample(n, random_state)
        fitted = {name: clone(model).fit(X, y) for name, model in (learners or {}).items()}
        return cls(task, X, y, classifiers=fitted).plot(ax, show=show, **kwargs)

    def plot(
        self, ax: Axes | None = None, *, show: Show = "borders", legend: bool = True, **kwargs: Any
    ) -> Self:
        """Draw one view of the task; keywords go to matplotlib's scatter of the sample.

        Parameters
        ----------
        ax : matplotlib Axes, optional
            Where to draw; a new figure if not given.
        show : {"borders", "density", "g_tilde", "g_bar", "g_hat"}
            The sample with the best and the estimated borders; the density of all classes
            together; or a discriminant.
        legend : bool
            Whether to name classes and borders.
        """
        if show not in get_args(Show):
            raise InputError(f"show={show!r} is not known", remedy=nearest(show, get_args(Show)))
        grid = self._grid()
        ax = self._take(ax, *self._size(grid, bar=show not in ("borders", "density")))
        {"borders": self._borders, "density": self._density}.get(show, self._surface)(
            ax, grid, show
        )
        if show == "borders":
            self._scatter(ax, **kwargs)
        dress(ax, "$x_1$", "$x_2$")
        ax.set_title(self._title(show), fontsize=TEXT)
        ax.set(xlim=grid[0][[0, -1]], ylim=grid[1][[0, -1]], aspect="equal")
        if legend and ax.get_legend_handles_labels()[0]:
            # Beside the picture: a legend inside would hide cases.
            key(ax, loc="upper center", bbox_to_anchor=(0.5, -0.17), ncols=2)
        return self

    def plot_all(self) -> Self:
        """Draw density, g_tilde, g_bar, g_hat and the borders side by side."""
        import matplotlib.pyplot as plt

        grid = self._grid()
        width, height = self._size(grid, bar=True, below=0.4)
        _, axes = plt.subplots(
            2,
            3,
            figsize=(3 * width, 2 * height + 0.4),
            layout="constrained",
            sharex=True,
            sharey=True,
        )
        views: tuple[Show, ...] = ("density", "g_tilde", "g_bar", "g_hat", "borders")
        legend = axes.flat[len(views)]
        legend.axis("off")
        for ax, show in zip(axes.flat, views, strict=False):
            self.plot(ax, show=show, legend=False)
            ax.label_outer()
        handles, names = self.ax_.get_legend_handles_labels()
        legend.legend(
            handles,
            names,
            loc="center left",
            fontsize=SMALL,
            frameon=False,
            handlelength=2.6,
        )
        return self

    def _title(self, show: str) -> str:
        """Return the formula, and which class its + stands for."""
        if not show.startswith("g_"):
            return _TITLES[show]
        return f"{_TITLES[show]}   (+ is {shortened(self.task.classes[1], 12)})"

    def _size(
        self, grid: tuple[Floats, Floats], bar: bool, below: float = 0.9
    ) -> tuple[float, float]:
        shape = float(np.ptp(grid[1]) / np.ptp(grid[0]))
        width = COLUMN if shape <= 1 else max(2.4, COLUMN / shape)
        return width + (0.6 if bar else 0.0), width * shape + below

    def _grid(self) -> tuple[Floats, Floats]:
        """Return the coordinates at which functions are evaluated."""
        spread = np.sqrt(np.diagonal(self.task.covariances, axis1=1, axis2=2))
        low = (self.task.means - _REACH * spread).min(axis=0)
        high = (self.task.means + _REACH * spread).max(axis=0)
        if self.X is not None and len(self.X):
            low = np.minimum(low, self.X.min(axis=0) - 0.1 * spread.min(axis=0))
            high = np.maximum(high, self.X.max(axis=0) + 0.1 * spread.min(axis=0))
        first, second = np.linspace(low, high, self.resolution).T
        return first, second

    def _at(self, grid: tuple[Floats, Floats]) -> Floats:
        return np.column_stack([v.ravel() for v in np.meshgrid(*grid)])

    def _shaped(self, values: Floats) -> Floats:
        return np.asarray(values.reshape(self.resolution, self.resolution))

    def _density(self, ax: Axes, grid: tuple[Floats, Floats], show: str) -> None:
        from matplotlib import colormaps
        from matplotlib.colors import ListedColormap

        joint = self.task.densities(self._at(grid)).joint
        # Each class peaks as high as its own density, so steps are shares of the highest peak,
        # evenly spaced in their logarithm: a narrow class would hide a wide one otherwise.
        height = self._shaped(joint.sum(axis=1))
        steps = height.max() * np.exp(-0.5 * np.linspace(_REACH, 0.0, 11) ** 2)
        paper = ListedColormap(colormaps["Greys"](np.linspace(0.0, 0.62, 256)))
        ax.contourf(*grid, height, levels=steps, cmap=paper, norm="log", extend="neither")
        for code in range(len(self.task.classes)):
            self._ellipses(ax, code)

    def _ellipses(self, ax: Axes, code: int) -> None:
        """Draw the lines 1, 2 and 3 standard deviations around a class."""
        turn = np.linspace(0, 2 * np.pi, 200)
        circle = np.column_stack([np.cos(turn), np.sin(turn)])
        root = np.linalg.cholesky(self.task.covariances[code])
        how = stroke(code)
        name = f"class {self.task.classes[code]}: 1, 2, 3 sd"
        for radius in (1, 2, 3):
            path = self.task.means[code] + radius * circle @ root.T
            label = shortened(name) if radius == 1 else None
            ax.plot(*path.T, color=how.color, ls=how.linestyle, lw=1.0, label=label, zorder=3)

    def _surface(self, ax: Axes, grid: tuple[Floats, Floats], show: str) -> None:
        points = self._at(grid)
        values = self._shaped(getattr(self.task, show)(points))
        top = 1.0 if show == "g_bar" else float(np.abs(values).max())
        if show == "g_hat":
            # Far from both classes log odds grow without bound; the border is what matters.
            top = float(np.quantile(np.abs(values), 0.5))
        from matplotlib.colors import Normalize, SymLogNorm

        norm = SymLogNorm(top / 100, vmin=-top, vmax=top) if show == "g_tilde" else None
        image = ax.pcolormesh(
            *grid,
            values,
            cmap=_between(),
            norm=norm or Normalize(-top, top),
            shading="gouraud",
            rasterized=True,
        )
        self._best_border(ax, grid)
        # A strip of its own is as high as the picture, which keeps its aspect.
        strip = ax.inset_axes((1.03, 0.0, 0.045, 1.0))
        extend = "both" if show == "g_hat" else "neither"
        bar = self.figure_.colorbar(image, cax=strip, extend=extend)
        bar.ax.tick_params(labelsize=SMALL)
        bar.outline.set_visible(False)
        if show == "g_tilde":
            marks = [-top, -top / 10, 0, top / 10, top]
            bar.set_ticks(marks, labels=[f"{m:.2g}" for m in marks])
            bar.minorticks_off()
        if show == "g_bar":
            bar.set_ticks([-1, 0, 1])  # few, or they pass for the axis of the picture beside

    def _borders(self, ax: Axes, grid: tuple[Floats, Floats], show: str) -> None:
        points = self._at(grid)
        self._regions(ax, grid, points)
        self._best_border(ax, grid)
        for number, (name, classifier) in enumerate(self.classifiers.items()):
            how = _border_stroke(number + len(self.task.classes))
            fields = _fields(classifier, points)
            for values, level in fields:
                ax.contour(
                    *grid,
                    self._shaped(values),
                    levels=[level],
                    colors=[how.color],
                    linestyles=[how.linestyle],
                    linewidths=1.4,
                    zorder=4,
                )
            ax.plot([], [], color=how.color, ls=how.linestyle, lw=1.4, label=shortened(name))

    def _regions(self, ax: Axes, grid: tuple[Floats, Floats], points: Floats) -> None:
        from matplotlib.colors import to_rgb

        best = np.argmin(self.task.expected_costs(points), axis=1)
        tints = np.array([_tint(to_rgb(stroke(c).color)) for c in range(len(self.task.classes))])
        picture = tints[self._shaped(best).astype(int)]
        edges = (grid[0][0], grid[0][-1], grid[1][0], grid[1][-1])
        ax.imshow(picture, origin="lower", extent=edges, interpolation="nearest", zorder=0)

    def _best_border(self, ax: Axes, grid: tuple[Floats, Floats]) -> None:
        costs = self.task.expected_costs(self._at(grid))
        for code in range(len(self.task.classes) - (len(self.task.classes) == 2)):
            lead = np.delete(costs, code, axis=1).min(axis=1) - costs[:, code]
            if lead.min() < 0 < lead.max():
                ax.contour(
                    *grid,
                    self._shaped(lead),
                    levels=[0],
                    colors=["black"],
                    linewidths=1.4,
                    zorder=5,
                )
        ax.plot([], [], color="black", lw=1.4, label="best border")

    def _scatter(self, ax: Axes, **kwargs: Any) -> None:
        if self.X is None or self.y is None:
            return
        for code, label in enumerate(self.task.classes):
            rows = self.y == label
            looks: dict[str, Any] = {
                "s": 9,
                "marker": _MARKERS[code % len(_MARKERS)],
                "color": stroke(code).color,
                "linewidths": 0.3,
                "edgecolors": "white",
                "label": shortened(f"class {label} ({int(rows.sum())})"),
                "zorder": 6,
            }
            ax.scatter(self.X[rows, 0], self.X[rows, 1], **(looks | kwargs))


def _border_stroke(number: int) -> Stroke:
    """Return a stroke for an estimated border; black is the best one's."""
    return stroke(number if number < _BLACK else number + 1)


def _between() -> Any:
    """Return the colours from the first class over white to the second."""
    from matplotlib.colors import LinearSegmentedColormap, to_rgb

    ends = [_tint(to_rgb(PALETTE[c]), 0.82) for c in (0, 1)]
    return LinearSegmentedColormap.from_list("classes", np.vstack([ends[0], np.ones(3), ends[1]]))


def _tint(colour: tuple[float, float, float], strength: float = 0.13) -> Floats:
    """Return the colour thinned with white."""
    return np.asarray(1 - strength * (1 - np.asarray(colour)))


def _fields(classifier: Any, points: Floats) -> list[tuple[Floats, float]]:
    """Return functions whose level lines are the borders of a classifier.

    Continuous scores give smooth lines; where there are none, or where answers do not follow
    from them, the answers themselves serve.
    """
    answers = np.asarray(classifier.predict(points))
    classes = getattr(classifier, "classes_", None)
    for name, level in (("decision_function", 0.0), ("predict_proba", 0.5)):
        if classes is None or not hasattr(classifier, name):
            continue
        scores = np.asarray(getattr(classifier, name)(points), dtype=float)
        leads = _leads(scores, level)
        said = classes[np.argmax(leads, axis=1)]
        if np.mean(said != answers) < _TIES:
            return [(lead, 0.0) for lead in leads.T[len(classes) == 2 :]]
    return [((answers == c).astype(float), 0.5) for c in np.unique(answers)[:-1]]


def _leads(scores: Floats, level: float) -> Floats:
    """Return by how much each class leads the others, a column per class."""
    if scores.ndim == 1:
        return np.column_stack([level - scores, scores - level])
    others = [np.delete(scores, c, axis=1).max(axis=1) for c in range(scores.shape[1])]
    return np.asarray(scores - np.column_stack(others))
