"""The section that names of methods lead to, against the calibration table that is kept."""

import csv
from importlib.resources import files

import pytest
from sklearn.datasets import load_iris
from sklearn.naive_bayes import GaussianNB

import referee
from referee.core.calibration_record import calibrated
from referee.report import describe, to_html
from referee.report.describe import trust
from referee.report.describe.trust import Used, trust_section
from referee.report.typesetting import typeset_cell

KEPT = list(csv.DictReader((files("referee.core") / "calibration.csv").read_text().splitlines()))


def test_known_methods_have_a_row_and_others_are_named():
    known, unknown = (Used(name, "fixed", "coverage") for name in ("clopper-pearson", "by-eye"))
    table, paragraph = trust_section([known, unknown, known]).blocks
    assert table.anchors == ("clopper-pearson",)
    mine = [r for r in KEPT if (r["method"], r["section"]) == ("clopper-pearson", "fixed")]
    least = min(float(r["value"]) for r in mine)
    assert table.rows[0][:5] == (
        "clopper-pearson", "fixed, test set", "covers at least .95", "–", f"{least:.3f}",
    )  # fmt: skip
    assert paragraph.text == "Not in the calibration table, in this use: by-eye."


def test_simulated_figures_carry_their_error():
    used = Used("effective-jeffreys", "expected", "coverage", "10-fold")
    row = trust_section([used]).blocks[0].rows[0]
    record = calibrated("effective-jeffreys", target="expected", by="10-fold")
    assert row[1] == "expected, 10-fold"
    assert row[3] == f"{record.mean:.3f} ± {record.error:.3f}"
    assert row[4] == f"{record.worst:.3f} ± {record.worst_error:.3f}"
    assert row[5] == record.worst_cell
    assert record.repetitions > 1000
    assert row[6] == f"{typeset_cell(str(record.repetitions))} data sets in {record.cells} cells"


def test_tests_promise_few_false_alarms():
    interval, test = (Used("corrected-t", "expected", q) for q in ("coverage", "size"))
    assert trust_section([interval]).blocks[0].rows[0][2].startswith("covers")
    # In a comparison the test decides, and the name leads to its row.
    [row] = trust_section([test, interval]).blocks[0].rows
    assert row[2] == "false alarms at most .05"


def test_a_method_leads_to_the_rows_of_its_own_use():
    shown = {}
    for by, target in ((10, "expected"), (None, "auto")):
        X, y = load_iris(return_X_y=True)
        if by is None:
            e = referee.evaluate_predictions(y, y, interval="wilson")
        else:
            e = referee.evaluate(GaussianNB(), X, y, by=by, about=target, random_state=0)
        rows = next(s for s in describe(e).sections if s.title.startswith("How far")).blocks[0].rows
        shown |= {row[0]: row[1] for row in rows}
    assert shown["effective-jeffreys"] == "expected, 10-fold"
    assert shown["wilson"] == "fixed, test set"


def test_names_in_tables_and_paragraphs_lead_there():
    page = to_html(referee.evaluate_predictions([0, 1] * 30, [0, 1] * 30))
    assert 'id="method-clopper-pearson"' in page
    assert page.count('href="#method-clopper-pearson"') >= 3


@pytest.fixture
def nothing_known(monkeypatch):
    monkeypatch.setattr(trust, "calibrated", lambda method, **use: None)


def test_without_a_record_nothing_leads_nowhere(nothing_known):
    page = to_html(referee.evaluate_predictions([0, 1] * 30, [0, 1] * 30))
    assert 'href="#method' not in page
    assert "Not in the calibration table" in page


@pytest.mark.parametrize("name", ["corrected-t", "kfold-t", "5x2cv-t", "5x2cv-f"])
def test_prose_and_table_quote_the_same_sizes(name):
    test = referee.significance.COMPARISON_TESTS[name]
    [row] = trust_section([Used(name, "expected", "size")]).blocks[0].rows
    average, worst = (cell.split(" ±")[0] for cell in row[3:5])
    prose = " ".join((*test.assumptions, test.flag))
    assert f"declares {average} on average and {worst} at worst" in prose
    assert f"simulated, by {row[1].split(', ')[1]})" in prose


def test_no_method_has_figures_of_its_own_where_the_table_has_some():
    for test in referee.significance.COMPARISON_TESTS.values():
        record = calibrated(test.name, quantity="size")
        prose = " ".join((*test.assumptions, test.flag))
        if record is not None and record.repetitions and "simulated" in prose:
            assert f"{record.worst:.3f} at worst" in prose, test.name
