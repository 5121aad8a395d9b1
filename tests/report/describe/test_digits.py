"""Numbers of one kind have one number of decimals in a column."""

import re

import numpy as np

import referee
from referee.report import describe


def decimals(cell):
    """Return how many decimals the numbers of a cell have; a bare 0 has none to show."""
    return {len(d) for d in re.findall(r"\d\.(\d+)", cell)}


def table(document, title):
    return next(s for s in document.sections if s.title == title).blocks[0]


def test_intervals_of_models_on_both_sides_of_ten_percent():
    truth = np.repeat([0, 1], 100)
    answers = {
        f"{k} errors": np.where(np.arange(200) < k, 1 - truth, truth) for k in (2, 8, 14, 40)
    }
    shown = table(describe(referee.compare_predictions(truth, answers)), "Ranking")
    names = [column.title for column in shown.columns]
    for name in ("error", "95 % interval"):
        column = [row[names.index(name)] for row in shown.rows]
        assert set.union(*map(decimals, column)) == {2}, column


def test_what_could_be_detected():
    bars = next(
        block
        for section in describe(referee.evaluate_predictions([0, 1] * 5000, [0, 1] * 5000)).sections
        if section.title == "What this number of cases can detect"
        for block in section.blocks
        if hasattr(block, "bars")
    )
    assert set.union(*(decimals(bar.text) for bar in bars.bars)) == {2}
