"""Pictures: matplotlib axes and SVG, drawn from the same bars."""

import math
import xml.etree.ElementTree as ET

import matplotlib as mpl
import pytest

from referee.report import describe
from referee.report.document import Bar, Bars
from referee.report.figures.forest import bars_svg
from referee.report.figures.svg import NARROW, WIDE


@pytest.fixture(autouse=True)
def without_a_screen():
    import matplotlib.pyplot as plt

    mpl.use("agg")
    yield
    plt.close("all")


def test_plot_draws_value_and_interval_of_every_bar(make):
    e = make("plain")
    ax = e.plot()
    drawn = {round(float(x), 9) for line in ax.lines for x in line.get_xdata()}
    for estimate in (e.error, e.guessing):
        for x in (estimate.value, estimate.interval.low, estimate.interval.high):
            assert round(x, 9) in drawn
    assert [t.get_text() for t in ax.get_yticklabels()] == ["guessing", "the model"]


def test_plot_on_given_axes_returns_them(make):
    import matplotlib.pyplot as plt

    _, ax = plt.subplots()
    assert make("plain").plot(ax=ax) is ax


def test_svg_is_xml_with_a_circle_per_bar_inside_the_picture(result):
    for bars in (b for b in describe(result).pictures if isinstance(b, Bars)):
        for width in (WIDE, NARROW):
            root = ET.fromstring(bars_svg(bars, width))
            circles = root.findall(".//circle")
            assert len(circles) == len(bars.bars)
            assert all(0 <= float(c.get("cx")) <= width for c in circles)


def test_svg_escapes_what_it_is_given():
    caption = "\"a\" <b> & 'c'"
    svg = bars_svg(Bars((Bar("<i>&", 0.1, 0.0, 0.2, "10 %"),), caption))
    root = ET.fromstring(svg)
    assert root.get("aria-label") == caption


def test_svg_of_an_interval_at_zero():
    root = ET.fromstring(bars_svg(Bars((Bar("a", 0.0, 0.0, 0.0, "0 %"),), "c")))
    assert not any(math.isnan(float(c.get("cx"))) for c in root.findall(".//circle"))
