"""Tables on narrow terminals: nothing of a cell or a title is lost.

Oracle: every word of every cell and title, and every number with its unit, looked for in what was
printed. Words of more than 24 letters may be broken.
"""

import sys
from functools import cache
from io import StringIO
from pathlib import Path

import numpy as np
import pytest
from rich.cells import cell_len
from rich.console import Console

import referee
from referee.report import describe
from referee.report.document import Column, Matrix, Table
from referee.report.legible import legible
from referee.report.text.text import _print_table, to_plain_text
from referee.report.text.text_pictures import as_table

sys.path.insert(0, str(Path(__file__).parent))
from results import KINDS

WIDTHS = [*range(40, 131, 3), 80, 100, 160, 200]


def three_classes(*_):
    rng = np.random.default_rng(1)
    truth = rng.integers(0, 3, 300)
    answers = np.where(rng.random(300) < 0.2, rng.integers(0, 3, 300), truth)
    return referee.evaluate_predictions(truth, answers)


def four_long_names(*_):
    rng = np.random.default_rng(2)
    truth = rng.integers(0, 2, 400)
    return referee.compare_predictions(
        truth,
        {
            f"experiment 2024 run {k} final checkpoint of the network": np.where(
                rng.random(400) < 0.05 * k, 1 - truth, truth
            )
            for k in range(1, 5)
        },
    )


ALL = KINDS | {"three classes": three_classes, "four long names": four_long_names}


@cache
def told(kind):
    return legible(describe(ALL[kind]("the first model", "another")))


@cache
def printed_at(kind, width):
    return to_plain_text(told(kind), width)


def tables(document):
    for section in document.sections:
        for block in () if section.detail else section.blocks:
            if isinstance(block, Matrix):
                block = as_table(block)
            if isinstance(block, Table):
                yield block


@pytest.mark.parametrize("kind", ALL)
def test_no_word_of_a_table_is_lost(kind):
    document = told(kind)
    texts = {c.title for t in tables(document) for c in t.columns}
    texts |= {cell for t in tables(document) for row in t.rows for cell in row}
    words = {word for text in texts for word in text.split() if cell_len(word) <= 24}
    for width in WIDTHS:
        printed = printed_at(kind, width)
        missing = words - set(printed.split())
        assert not missing, (width, missing)


@pytest.mark.parametrize("kind", ALL)
def test_numbers_stay_whole(kind):
    document = told(kind)
    cells = {
        row[n]
        for t in tables(document)
        for n, column in enumerate(t.columns)
        if column.numeric
        for row in t.rows
        if cell_len(row[n]) <= 24
    }
    for width in WIDTHS:
        printed = printed_at(kind, width)
        missing = {cell for cell in cells if cell not in printed}
        assert not missing, (width, missing)


def test_a_unit_stays_with_its_number(make):
    for width in range(40, 121):
        lines = to_plain_text(describe(make("plain")), width).splitlines()
        assert not [line for line in lines if line.lstrip().startswith("%")], width


def test_each_row_and_column_is_there_where_all_cells_differ():
    names = [f"column{n}" for n in range(7)]
    rows = tuple(tuple(f"{r}.{c} %" for c in range(7)) for r in range(5))
    block = Table(tuple(Column(name, numeric=True) for name in names), rows)
    for width in range(20, 120):
        out = StringIO()
        _print_table(block, Console(file=out, width=width, color_system=None))
        printed = out.getvalue()
        assert all(cell in printed for row in rows for cell in row), width
        assert all(name in printed for name in names), width
