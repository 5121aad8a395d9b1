"""How every picture looks: colours that the colour-blind tell apart, and print, too.

The colours are those of Okabe and Ito (2008) without the yellow, which vanishes on paper. Every
curve has a dash pattern as well, so that a grey copy is still readable.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from referee.report.short_names import distinct_names

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.legend import Legend

__all__ = [
    "COLUMN",
    "MUTED",
    "PALETTE",
    "SMALL",
    "TEXT",
    "Stroke",
    "all_shortened",
    "band_alpha",
    "dress",
    "key",
    "new_axes",
    "shortened",
    "stroke",
]

PALETTE = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#000000", "#E69F00", "#56B4E9")
"""Blue, vermilion, green, purple, black, orange, sky blue."""

MUTED = "#6f6f6f"
"""For what is shown for comparison only: chance, trivial rules, diagonals."""

COLUMN = 3.5
"""The width of a paper's column in inches."""

TEXT, SMALL = 8.0, 7.0
"""Sizes of type in points, for labels and for legends."""

_DASHES: tuple[Any, ...] = (
    "-",
    (0, (5, 1.6)),
    (0, (6, 1.5, 1, 1.5)),
    (0, (1, 1.1)),
    (0, (9, 2)),
    (0, (3, 1.2, 1, 1.2, 1, 1.2)),
    (0, (2.4, 2.4)),
)


@dataclass(frozen=True)
class Stroke:
    """The colour and the dash pattern of one curve."""

    color: str
    linestyle: Any


def stroke(number: int) -> Stroke:
    """Return the stroke of the curve with that number, counted from 0.

    Dashes go on where the colours begin again, so the first 49 strokes all differ.

    Examples
    --------
    >>> stroke(0).color, stroke(7).color, stroke(0).linestyle == stroke(7).linestyle
    ('#0072B2', '#0072B2', False)
    """
    turn, colour = divmod(number, len(PALETTE))
    return Stroke(PALETTE[colour], _DASHES[(colour + turn) % len(_DASHES)])


def band_alpha(bands: int) -> float:
    """Return how opaque a band is, less so where several lie upon each other."""
    return 0.16 if bands == 1 else 0.1


def shortened(name: Any, most: int = 26) -> str:
    r"""Return a name fit for a picture: one line, not too long, with nothing taken for a formula.

    Examples
    --------
    >>> shortened("a name of far more letters than fit, number 12")
    'a name of far m… number 12'
    >>> shortened("5 $")
    '5 \\$'
    """
    return all_shortened([name], most)[0]


def all_shortened(names: Iterable[Any], most: int = 26) -> list[str]:
    """Return names fit for one picture: those that differ still do.

    Examples
    --------
    >>> all_shortened(["the best run 1 of the network", "the best run 2 of the network"], 14)
    ['…best run 1…', '…best run 2…']
    """
    return [_harmless(name) for name in distinct_names((str(n) for n in names), most)]


def _harmless(text: str) -> str:
    # matplotlib hides what is labelled with a leading underscore.
    text = f" {text}" if text.startswith("_") else text
    return text.replace("$", r"\$")


def new_axes(width: float = COLUMN, height: float = COLUMN) -> Axes:
    """Return the axes of a new figure, whose layout leaves room for all text."""
    import matplotlib.pyplot as plt

    return plt.subplots(figsize=(width, height), layout="constrained")[1]


def dress(ax: Axes, x: str, y: str) -> None:
    """Label the axes and take away the ink that says nothing."""
    ax.set_xlabel(x, fontsize=TEXT)
    ax.set_ylabel(y, fontsize=TEXT)
    ax.tick_params(labelsize=SMALL)
    ax.spines[["top", "right"]].set_visible(False)


def key(ax: Axes, **where: Any) -> Legend:
    """Add the legend, with dashes long enough to be recognised."""
    return ax.legend(
        fontsize=SMALL,
        handlelength=2.6,
        framealpha=0.85,
        edgecolor="none",
        borderpad=0.3,
        labelspacing=0.35,
        **where,
    )
