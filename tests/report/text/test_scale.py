"""Intervals drawn with characters."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee.report.document import Bar, Bars
from referee.report.text.scale import Scale


def bar(low, value, high):
    return Bar("a", value, low, high, "")


@given(
    st.tuples(st.floats(0, 1), st.floats(0, 1), st.floats(0, 1)).map(sorted), st.integers(20, 80)
)
def test_drawing_keeps_width_order_and_place(ends, width):
    low, value, high = ends
    scale = Scale.of(Bars((bar(low, value, high),), ""), width)
    line = scale.draw(bar(low, value, high))
    assert len(line) == width
    assert scale.top >= high
    at = line.index("●")
    assert at == round(value / scale.top * (width - 1))
    assert line.strip(" ")[0] in "├●"
    assert line.strip(" ")[-1] in "┤●"


def test_drawing_against_a_picture_made_by_hand():
    assert Scale(1.0, 11).draw(bar(0.2, 0.5, 0.8)) == "  ├──●──┤  "
    assert Scale(1.0, 11).draw(bar(0.0, 0.0, 1.0)) == "●─────────┤"
    assert Scale(1.0, 11).draw(bar(1.0, 1.0, 1.0)) == "          ●"


@pytest.mark.parametrize(
    ("high", "top"), [(0.004, 0.01), (0.01, 0.01), (0.11, 0.2), (1.0, 1.0), (4.2, 5), (35.0, 50)]
)
def test_the_smallest_round_scale_that_holds_the_bar(high, top):
    assert Scale.of(Bars((bar(0, 0, high),), ""), 20).top == top


def test_axis_names_both_ends_within_the_width():
    assert Scale(0.25, 20).axis() == "0 %             25 %"
    assert len(Scale(1.0, 33).axis()) == 33


def test_no_bars_give_a_full_scale():
    assert Scale.of(Bars((), ""), 20).top == 1.0


@given(st.lists(st.floats(-1, 1), min_size=3, max_size=3).map(sorted), st.integers(30, 80))
def test_differences_are_mirrored_about_zero(ends, width):
    low, value, high = ends
    there = Scale.of(Bars((bar(low, value, high),), "", signed=True), width)
    back = Scale.of(Bars((bar(-high, -value, -low),), "", signed=True), width)
    assert there.top == back.top
    assert there.share(value) == pytest.approx(1 - back.share(-value))
    assert len(there.draw(bar(low, value, high))) == width


def test_signed_axis_names_both_ends_and_zero():
    axis = Scale(0.05, 41, signed=True).axis()
    assert axis.startswith("−5 points")
    assert axis.endswith("5 points")
    assert axis[20] == "0"
    assert Scale(0.2, 41, signed=True, percent=False).axis().split() == ["−0.2", "0", "0.2"]
