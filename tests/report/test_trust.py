"""The section that names of methods lead to, against the calibration table that is kept."""

import csv
from importlib.resources import files

import pytest

import referee
from referee.core.calibration_record import calibrated
from referee.report import to_html, trust
from referee.report.trust import trust_section

KEPT = list(csv.DictReader((files("referee.core") / "calibration.csv").read_text().splitlines()))


def test_known_methods_have_a_row_and_others_are_named():
    table, paragraph = trust_section(["clopper-pearson", "by-eye", "clopper-pearson"]).blocks
    assert table.anchors == ("clopper-pearson",)
    least = min(float(r["value"]) for r in KEPT if r["method"] == "clopper-pearson")
    assert table.rows[0][:5] == (
        "clopper-pearson", "fixed, test set", "covers at least .95", "–", f"{least:.3f}",
    )  # fmt: skip
    assert paragraph.text == "Not in the calibration table: by-eye."


def test_simulated_figures_carry_their_error():
    row = trust_section(["effective-jeffreys"]).blocks[0].rows[0]
    record = calibrated("effective-jeffreys")
    assert row[3] == f"{record.mean:.3f} ± {record.error:.3f}"
    assert row[4] == f"{record.worst:.3f} ± {record.worst_error:.3f}"
    assert row[5] == record.worst_cell
    assert row[6] == f"{record.repetitions} data sets in {record.cells} cells"


def test_tests_promise_few_false_alarms():
    assert trust_section(["corrected-t"]).blocks[0].rows[0][2].startswith("covers")
    row = trust_section(["calibrated-t"]).blocks[0].rows[0]
    assert row[2] == "false alarms at most .05"


def test_names_in_tables_and_paragraphs_lead_there():
    page = to_html(referee.evaluate_predictions([0, 1] * 30, [0, 1] * 30))
    assert 'id="method-clopper-pearson"' in page
    assert page.count('href="#method-clopper-pearson"') >= 3


@pytest.fixture
def nothing_known(monkeypatch):
    monkeypatch.setattr(trust, "calibrated", lambda method: None)


def test_without_a_record_nothing_leads_nowhere(nothing_known):
    page = to_html(referee.evaluate_predictions([0, 1] * 30, [0, 1] * 30))
    assert 'href="#method' not in page
    assert "Not in the calibration table" in page
