"""Any picture of a document, drawn with matplotlib or as SVG."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from referee.report.document import Bars, Dots, Histogram, Picture, Ranks
from referee.report.figures.curves import curves_svg, draw_curves
from referee.report.figures.dots import dots_figure, dots_svg, draw_dots
from referee.report.figures.forest import bars_svg, draw_bars
from referee.report.figures.histogram import draw_histogram, histogram_svg
from referee.report.figures.ranks import draw_ranks, ranks_svg
from referee.report.figures.style import COLUMN

if TYPE_CHECKING:
    from matplotlib.figure import Figure

__all__ = ["draw_picture", "pictures_figure", "svg_of"]


def draw_picture(picture: Picture, ax: Any = None) -> Any:
    """Draw on matplotlib axes and return them."""
    if isinstance(picture, Bars):
        return draw_bars(picture, ax=ax)
    if isinstance(picture, Histogram):
        return draw_histogram(picture, ax=ax)
    if isinstance(picture, Dots):
        return draw_dots(picture, ax=ax)
    return draw_ranks(picture, ax=ax) if isinstance(picture, Ranks) else draw_curves(picture, ax=ax)


def svg_of(picture: Picture) -> str:
    """Return SVG that takes its ink from the page, so it is legible in the dark."""
    if isinstance(picture, Bars):
        return bars_svg(picture)
    if isinstance(picture, Histogram):
        return histogram_svg(picture)
    if isinstance(picture, Dots):
        return dots_svg(picture)
    return ranks_svg(picture) if isinstance(picture, Ranks) else curves_svg(picture)


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
