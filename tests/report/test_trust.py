"""The section that names of methods lead to, with and without recorded calibrations."""

from types import SimpleNamespace

import pytest

import referee
import referee.study
from referee.report import to_html
from referee.report.trust import trust_section


@pytest.fixture
def recorded(monkeypatch):
    def calibrated(method):
        if method != "clopper-pearson":
            return None
        return SimpleNamespace(
            method=method, target="fixed", promise=0.95, coverage_mean=0.972,
            coverage_least=0.951, cells=30, error=None, made_by="referee study calibration",
        )  # fmt: skip

    monkeypatch.setattr(referee.study, "calibrated", calibrated, raising=False)


def test_known_methods_have_a_row_and_others_are_named(recorded):
    table, paragraph = trust_section(["clopper-pearson", "bca", "clopper-pearson"]).blocks
    assert table.anchors == ("clopper-pearson",)
    assert table.rows[0][:5] == ("clopper-pearson", "fixed", "95.0 %", "97.2 %", "95.1 %")
    assert table.rows[0][5] == "–"
    assert paragraph.text == "No calibration is recorded for bca."


def test_names_in_tables_and_paragraphs_lead_there(recorded):
    page = to_html(referee.evaluate_predictions([0, 1] * 30, [0, 1] * 30))
    assert 'id="method-clopper-pearson"' in page
    assert page.count('href="#method-clopper-pearson"') >= 3


def test_without_a_record_nothing_leads_nowhere(monkeypatch):
    monkeypatch.setattr(referee.study, "calibrated", lambda method: None, raising=False)
    page = to_html(referee.evaluate_predictions([0, 1] * 30, [0, 1] * 30))
    assert 'href="#method' not in page
    assert "No calibration is recorded" in page
