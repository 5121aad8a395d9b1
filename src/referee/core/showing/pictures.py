"""Pictures as data: what is to be seen, before anyone decides how it is drawn."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

__all__ = [
    "Bar",
    "Bars",
    "Curve",
    "Curves",
    "Dot",
    "DotRow",
    "Dots",
    "Histogram",
    "Matrix",
    "Picture",
    "PlanGrid",
    "Ranks",
]


@dataclass(frozen=True)
class Bar:
    """One value with its interval; `muted` for what is shown for comparison only."""

    label: str
    value: float
    low: float
    high: float
    text: str
    muted: bool = False


@dataclass(frozen=True)
class Bars:
    """Values with intervals on one common scale.

    Attributes
    ----------
    percent : bool
        Whether the values are shares, written as percentages.
    signed : bool
        Whether they are differences, drawn about 0 and written in points.
    rope : float
        Differences up to this size do not matter; shaded.
    """

    bars: tuple[Bar, ...]
    caption: str
    percent: bool = True
    signed: bool = False
    rope: float = 0.0


@dataclass(frozen=True)
class Ranks:
    """Models on a line, and the groups of models that were not shown to differ.

    Attributes
    ----------
    ranks : tuple of float
        Where each model lies on the line from 1 to the number of models: its average rank, or
        anything else that is told by `texts` and `marks`.
    difference : float
        By how much models must differ to be told apart; 0 where that is not one number.
    cliques : tuple of tuples of str
        The groups.
    texts : tuple of str
        What stands beside each name; its rank where there is none.
    marks : tuple of pairs
        Places on the line and what they are called; 1, 2, ... where there are none.
    """

    names: tuple[str, ...]
    ranks: tuple[float, ...]
    difference: float
    cliques: tuple[tuple[str, ...], ...]
    caption: str
    texts: tuple[str, ...] = ()
    marks: tuple[tuple[float, str], ...] = ()

    def rank(self, name: str) -> float:
        """Return the place of a model on the line."""
        return self.ranks[self.names.index(name)]

    def text(self, name: str) -> str:
        """Return what stands beside a model's name."""
        at = self.names.index(name)
        return self.texts[at] if self.texts else f"{self.ranks[at]:.2f}"


@dataclass(frozen=True)
class Curve:
    """Values over a common axis.

    Attributes
    ----------
    label : str
        Stands in the legend.
    x, y : tuples of float
        The points, from left to right.
    low, high : tuples of float
        The ends of the bar at each point; empty for none.
    muted : bool
        Whether it is shown for comparison only.
    kind : {"points", "line", "band"}
        Dots with bars joined by lines; a line alone; or the area between `low` and `high`.
    """

    label: str
    x: tuple[float, ...]
    y: tuple[float, ...]
    low: tuple[float, ...] = ()
    high: tuple[float, ...] = ()
    muted: bool = False
    kind: Literal["points", "line", "band"] = "points"


@dataclass(frozen=True)
class Curves:
    """Curves over one axis, such as errors against the number of cases.

    Attributes
    ----------
    caption : str
        What is to be seen.
    x_label, y_label : str
        What the axes are.
    logarithmic : bool
        Whether equal steps along x are equal factors.
    square : bool
        Whether both axes are of one length, as for rates against rates.
    """

    curves: tuple[Curve, ...]
    caption: str
    x_label: str
    y_label: str = "error"
    logarithmic: bool = False
    square: bool = False


@dataclass(frozen=True)
class Histogram:
    """How often values occur, and where one that matters lies among them.

    Attributes
    ----------
    values : tuple of float
        What is counted.
    mark : float
        The value that matters.
    mark_label : str
        What it is.
    caption, x_label : str
        What is to be seen, and what the axis is.
    """

    values: tuple[float, ...]
    mark: float
    mark_label: str
    caption: str
    x_label: str


@dataclass(frozen=True)
class Dot:
    """One value with its limits; `muted` for what is shown for comparison only."""

    value: float
    low: float
    high: float
    label: str
    muted: bool = False


@dataclass(frozen=True)
class DotRow:
    """The dots of one thing that is compared."""

    label: str
    dots: tuple[Dot, ...]


@dataclass(frozen=True)
class Dots:
    """Rows of dots on one scale, and a value that all should lie near.

    Attributes
    ----------
    mark : float
        That value.
    span : tuple of float
        Where the axis begins and ends; dots beyond are drawn at its ends, as arrows.
    caption, x_label : str
        What is to be seen, and what the axis is.
    muted_label : str
        What the muted dots are; empty if there are none.
    """

    rows: tuple[DotRow, ...]
    mark: float
    span: tuple[float, float]
    caption: str
    x_label: str
    muted_label: str = ""


@dataclass(frozen=True)
class Matrix:
    """Counts of cases by true and predicted class.

    Attributes
    ----------
    names : tuple of str
        The classes.
    counts : tuple of tuples of float
        A row for each true class, a column for each predicted one.
    caption : str
        What is to be seen.

    Examples
    --------
    >>> Matrix(("a", "b"), ((3.0, 1.0), (0.0, 0.0)), "").shares
    ((0.75, 0.25), (0.0, 0.0))
    """

    names: tuple[str, ...]
    counts: tuple[tuple[float, ...], ...]
    caption: str

    @property
    def shares(self) -> tuple[tuple[float, ...], ...]:
        """Each count as a share of its row; 0 where a class has no case."""
        return tuple(tuple(c / (sum(row) or 1.0) for c in row) for row in self.counts)


@dataclass(frozen=True)
class PlanGrid:
    """Who trains and who tests: a row for each split, a column for each block of cases.

    Attributes
    ----------
    labels : tuple of str
        What the rows are.
    train, test : tuples of tuples of float
        The share of each block's cases that trained the model, and that tested it unseen.
    sizes : tuple of pairs of int
        How many cases trained and how many tested, in each row.
    caption : str
        What is to be seen.
    """

    labels: tuple[str, ...]
    train: tuple[tuple[float, ...], ...]
    test: tuple[tuple[float, ...], ...]
    sizes: tuple[tuple[int, int], ...]
    caption: str


Picture: TypeAlias = Bars | Ranks | Curves | Histogram | Dots | Matrix | PlanGrid
