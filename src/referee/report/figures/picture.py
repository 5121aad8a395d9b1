"""Any picture of a document, drawn with matplotlib or as SVG."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from referee.report.document import (
    Bars,
    Curves,
    Dots,
    Histogram,
    Matrix,
    Picture,
    PlanGrid,
    Ranks,
)
from referee.report.figures.curves import curves_svg, draw_curves
from referee.report.figures.dots import dots_figure, dots_svg, draw_dots
from referee.report.figures.forest import bars_svg, draw_bars
from referee.report.figures.histogram import draw_histogram, histogram_svg
from referee.report.figures.matrix import draw_matrix, matrix_svg
from referee.report.figures.plan_grid import draw_plan, plan_svg
from referee.report.figures.ranks import draw_ranks, ranks_svg
from referee.report.figures.style import COLUMN
from referee.report.figures.svg import WIDE

if TYPE_CHECKING:
    from matplotlib.figure import Figure

__all__ = ["draw_picture", "pictures_figure", "svg_of"]


_DRAWN: dict[type, Callable[..., Any]] = {
    Bars: draw_bars,
    Curves: draw_curves,
    Dots: draw_dots,
    Histogram: draw_histogram,
    Matrix: draw_matrix,
    PlanGrid: draw_plan,
    Ranks: draw_ranks,
}
_WRITTEN: dict[type, Callable[..., str]] = {
    Bars: bars_svg,
    Curves: curves_svg,
    Dots: dots_svg,
    Histogram: histogram_svg,
    PlanGrid: plan_svg,
    Ranks: ranks_svg,
}


def draw_picture(picture: Picture, ax: Any = None) -> Any:
    """Draw on matplotlib axes and return them."""
    return _DRAWN[type(picture)](picture, ax=ax)


def svg_of(picture: Picture, width: int = WIDE) -> str:
    """Return SVG that takes its ink from the page, laid out for so many pixels."""
    if isinstance(picture, Matrix):
        return matrix_svg(picture)  # as wide as its cells ask for
    return _WRITTEN[type(picture)](picture, width)


def pictures_figure(pictures: Sequence[Picture]) -> Figure:
    """Return one figure with all pictures side by side; a single one keeps its own size."""
    import matplotlib.pyplot as plt

    dots = [p for p in pictures if isinstance(p, Dots)]
    if dots and len(dots) == len(pictures):
        return dots_figure(dots)
    if len(pictures) == 1:
        figure: Figure = draw_picture(pictures[0]).figure
        return figure
    figure, places = plt.subplots(
        1, len(pictures), figsize=(1.5 * COLUMN * len(pictures), 1.1 * COLUMN),
        layout="constrained", squeeze=False,
    )  # fmt: skip
    for picture, ax in zip(pictures, places[0], strict=True):
        draw_picture(picture, ax=ax)
    return figure
