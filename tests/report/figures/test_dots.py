"""Rows of dots: what is drawn, and what lies beyond the axis."""

import xml.etree.ElementTree as ET

import matplotlib.pyplot as plt
import pytest

from referee.core.showing.pictures import Dot, DotRow, Dots
from referee.report.figures.dots import dots_figure, dots_svg, draw_dots

BLOCK = Dots(
    rows=(
        DotRow("one", (Dot(0.94, 0.92, 0.96, "a"), Dot(0.5, 0.4, 0.6, "b <&>"))),
        DotRow("two", (Dot(0.99, 0.97, 1.0, "c", muted=True),)),
    ),
    mark=0.95,
    span=(0.75, 1.0),
    caption="coverage",
    x_label="coverage",
    muted_label="old cells",
)


@pytest.fixture(autouse=True)
def _closed():
    yield
    plt.close("all")


def test_rows_are_labelled_from_top_to_bottom():
    ax = draw_dots(BLOCK)
    assert [t.get_text() for t in ax.get_yticklabels()] == ["two", "one"]
    assert "old cells" in ax.get_title(loc="left")


def test_a_dot_beyond_the_axis_is_an_arrow_at_its_end():
    ax = draw_dots(BLOCK)
    arrows = [line for line in ax.lines if line.get_marker() == "<"]
    assert [line.get_xdata()[0] for line in arrows] == [0.75]
    dots = [line.get_xdata()[0] for line in ax.lines if line.get_marker() == "o"]
    assert dots == [0.94, 0.99]


def test_a_figure_holds_all_blocks():
    assert len(dots_figure([BLOCK, BLOCK]).axes) == 2


def test_svg_is_whole_and_tells_every_dot():
    root = ET.fromstring(dots_svg(BLOCK))
    titles = [t.text for t in root.iter("title")]
    assert titles == [
        "a: 0.940 (0.920 to 0.960)",
        "b <&>: 0.500 (0.400 to 0.600)",
        "c: 0.990 (0.970 to 1.000)",
    ]
