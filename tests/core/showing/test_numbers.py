"""How numbers are written: never a 0 or a 100 that is not one."""

import math
import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import referee
from referee.core.showing.numbers import (
    level_text,
    p_number,
    p_text,
    percent,
    plain,
    points,
    signed_span,
    span,
)


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (0.2284, "22.8 %"),
        (0.0042, "0.42 %"),
        (0.0, "0.0 %"),
        (1.0, "100.0 %"),
        (0.00001, "0.001 %"),
        (-0.2, "-20.0 %"),
        (math.nan, "undefined"),
    ],
)
def test_percent(value, text):
    assert percent(value) == text


@given(st.floats(1e-12, 0.5))
def test_a_small_share_is_never_written_as_nothing(value):
    assert float(percent(value).removesuffix(" %")) > 0


@given(st.floats(0, 1))
def test_percent_is_right_to_its_digits(value):
    assert float(percent(value).removesuffix(" %")) == pytest.approx(100 * value, abs=0.05)


def test_a_share_short_of_all_is_never_written_as_all():
    assert percent(0.99996) == "99.996 %"
    assert percent(1.0) == "100.0 %"


@pytest.mark.parametrize(
    ("low", "high", "text"),
    [
        (0.197, 0.262, "19.7 to 26.2 %"),
        (0.0, 0.004, "0 to 0.40 %"),
        (0.0, 1.0, "0 to 100.0 %"),
        (0.012, 0.099, "1.20 to 9.90 %"),
    ],
)
def test_span(low, high, text):
    assert span(low, high) == text


def test_points_level_and_plain():
    assert points(0.012) == "+1.2 points"
    assert points(-0.3) == "-30.0 points"
    assert level_text(0.95) == "95 %"
    assert level_text(0.9999) == "99.99 %"
    assert level_text(0.975) == "97.5 %"
    assert plain(0.7036) == "0.704"
    assert plain(math.nan) == "undefined"


def test_no_zero_has_a_minus():
    tiny = -1e-9
    for text in (signed_span(tiny, 0.1), signed_span(tiny, 0.1, percent=False), points(tiny)):
        assert "-0" not in text


@pytest.mark.parametrize(
    ("p", "number"),
    [(0.0184, ".018"), (0.45, ".450"), (1.4e-5, "< .001"), (0.001, ".001"), (1.0, "1")],
)
def test_p_values_have_three_decimals_everywhere(p, number):
    assert p_number(p) == number
    assert p_text(p) == ("p < .001" if p < 0.001 else f"p = {number}")


def test_no_other_place_writes_p_values_its_own_way():
    source = Path(referee.__file__).parent
    own = re.compile(r"\bp = \{[\w.]*p(_value)?:\.|def _?p(_text)?\(p: float\) -> str|p_value:\.\d")
    places = [
        str(path.relative_to(source))
        for path in source.rglob("*.py")
        if own.search(path.read_text(encoding="utf-8"))
    ]
    assert places == [str(Path("core") / "showing" / "numbers.py")]
