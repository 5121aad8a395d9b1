"""Shortened names: never too long, never two alike that were not; pictures use them."""

import re
import xml.etree.ElementTree as ET
from io import StringIO
from itertools import pairwise

import matplotlib as mpl
import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len
from rich.console import Console

from referee.core.showing.pictures import Bar, Bars, Matrix, Ranks
from referee.report.figures.picture import draw_picture, svg_of
from referee.report.figures.svg import NARROW, WIDE
from referee.report.short_names import distinct_names
from referee.report.text.text_pictures import print_picture

NAMES = st.lists(st.text(alphabet="ab –模1", max_size=40), max_size=8)


@given(NAMES, st.integers(10, 30))
def test_short_and_distinct(names, most):
    for width in (len, cell_len):
        shown = distinct_names(names, most, width)
        assert all(width(s) <= most for s in shown)
        same = {" ".join(name.split()): s for name, s in zip(names, shown, strict=True)}
        assert len(set(same.values())) == len(same)


@pytest.mark.parametrize("most", [9, 12, 16, 24])
def test_what_differs_is_kept(most):
    names = [f"diagnosis code {k} of the lung" for k in range(5)]
    for k, short in enumerate(distinct_names(names, most)):
        assert str(k) in short


LONG = tuple(f"experiment 2024 run {k} final checkpoint of the network" for k in range(1, 13))
PAIRS = tuple(f"{a} – {b}" for i, a in enumerate(LONG[:4]) for b in LONG[i + 1 : 4])
PICTURES = {
    "bars": Bars(tuple(Bar(n, 0.2, 0.1, 0.3, "20.0 %") for n in LONG), "c"),
    "pairs": Bars(tuple(Bar(n, 0.2, 0.1, 0.3, "20.0 %") for n in PAIRS), "c", signed=True),
    "matrix": Matrix(LONG[:8], tuple((1.0,) * 8 for _ in range(8)), "c"),
    "ranks": Ranks(LONG, tuple(float(k) for k in range(1, 13)), 2.0, (LONG[:3],), "c"),
}


def names_in(texts, count):
    """Return the texts that are shortened names."""
    found = {t.strip() for t in texts if t and "…" in t}
    assert len(found) == count, sorted(found)


@pytest.mark.parametrize("kind", PICTURES)
@pytest.mark.parametrize("width", [WIDE, NARROW])
def test_svg_tells_them_apart(kind, width):
    picture = PICTURES[kind]
    texts = [t.text for t in ET.fromstring(svg_of(picture, width)).iter("text")]
    names_in([drop_rank(t) for t in texts], count_of(kind))


@pytest.mark.parametrize("kind", PICTURES)
def test_matplotlib_tells_them_apart(kind):
    mpl.use("agg")
    ax = draw_picture(PICTURES[kind])
    texts = [t.get_text() for t in (*ax.texts, *ax.get_yticklabels())]
    names_in([drop_rank(t) for t in texts], count_of(kind))


@pytest.mark.parametrize("kind", ["bars", "pairs", "ranks"])
@pytest.mark.parametrize("width", [40, 60, 100])
def test_a_terminal_tells_them_apart(kind, width):
    out = StringIO()
    print_picture(PICTURES[kind], Console(width=width, color_system=None, file=out))
    # A name ends where two blanks or the picture begin.
    lines = [re.split(r"  |●|├", line.strip())[0] for line in out.getvalue().splitlines()]
    names_in(lines, count_of(kind))


@pytest.mark.parametrize("models", [3, 12, 30])
def test_the_axis_of_ranks_uses_the_width_and_its_numbers_stand_apart(models):
    names = LONG[:models] if models <= 12 else tuple(f"model number {k}" for k in range(models))
    block = Ranks(names, tuple(float(k) for k in range(1, models + 1)), 1.5, (), "c")
    for width, least in ((WIDE, 330), (NARROW, 300)):
        root = ET.fromstring(svg_of(block, width))
        across = float(root.get("viewBox").split()[2])
        axis = re.match(r"M([\d.]+) [\d.]+L([\d.]+)", root.find(".//path").get("d"))
        assert float(axis[2]) - float(axis[1]) >= least
        at = [float(t.get("x")) for t in root.iter("text") if t.text.isdigit()]
        assert min(b - a for a, b in pairwise(at)) >= 18
        for text in root.iter("text"):
            x, long = float(text.get("x")), 7.0 * len(text.text.strip())
            start = {"start": x, "middle": x - long / 2, "end": x - long}[text.get("text-anchor")]
            assert start >= 0, text.text
            assert start + long <= across, text.text


def drop_rank(text):
    """Return a label without the number that stands beside it."""
    return "  ".join(p for p in (text or "").strip().split("  ") if not is_number(p))


def is_number(text):
    return text.replace(".", "").replace("%", "").strip().isdigit()


def count_of(kind):
    return {"bars": 12, "pairs": 6, "matrix": 8, "ranks": 12}[kind]
