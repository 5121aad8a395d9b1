"""Counts of cases are written out, in every format; nobody counts in powers of ten."""

import re

import matplotlib as mpl
import numpy as np
import pytest

import referee
from referee.core.showing.pictures import Matrix
from referee.report import CATALOGUE, describe
from referee.report.figures.matrix import draw_matrix, matrix_svg
from referee.report.text.text_pictures import as_table

RIGHT, WRONG = 10_891, 12_345
POWER = re.compile(r"\de\+\d")


@pytest.fixture(scope="module")
def many_cases():
    truth = np.repeat([0, 1], [RIGHT, WRONG])
    return truth, np.zeros_like(truth)


@pytest.mark.parametrize("form", ["text", "markdown", "latex", "html"])
def test_counts_above_ten_thousand_are_written_out(many_cases, form):
    truth, answers = many_cases
    evaluation = referee.evaluate_predictions(truth, answers)
    pair = referee.compare_predictions(truth, {"a": truth, "b": answers})
    for result in (evaluation, pair):
        page = CATALOGUE[form](describe(result))
        assert re.search(r"\b10\W{1,2}891\b", page)
        assert re.search(r"\b12\W{1,2}345\b", page)
        assert not POWER.search(page)


def matrix(counts):
    return Matrix(tuple("ab"), counts, "c")


def test_matplotlib_writes_them_out():
    mpl.use("agg")
    ax = draw_matrix(matrix(((float(RIGHT), 0.0), (1.0, float(WRONG)))))
    shown = {re.sub(r"(?<=\d)\s(?=\d{3})", " ", t.get_text()) for t in ax.texts}
    assert shown == {"10 891", "0", "1", "12 345"}


def test_weighted_counts_have_one_decimal():
    block = matrix(((10_891.25, 0.5), (0.0, 3.0)))
    table = as_table(block)
    assert [row[1:] for row in table.rows] == [("10891.2", "0.5"), ("0", "3")]
    assert ">10891.2<" in matrix_svg(block)
