"""Plans and audits in every format: complete, within their width, and plain for machines."""

import json
import re

import pytest
from rich.cells import cell_len

from referee.planning.published_table import audit_table
from referee.planning.sample_size import sample_size
from referee.report import CATALOGUE, describe, to_json, to_text
from referee.report.text.text import to_plain_text

MADE = {
    "difference": lambda: sample_size(a=0.99, b=0.995),
    "difference with cases": lambda: sample_size(a=0.99, b=0.995, n=800),
    "unpaired": lambda: sample_size(a=0.9, b=0.8, paired=False),
    "acceptance": lambda: sample_size(error=0.01),
    "acceptance with cases": lambda: sample_size(error=0.01, n=500, failures=1),
    "cases": lambda: sample_size(n=50),
    "impossible": lambda: audit_table(["99.00", "99.50"], 900),
    "possible": lambda: audit_table(["90.0", "99.0"], 1000),
    "one rate": lambda: audit_table(["33.3"], 3),
    "nothing fits": lambda: audit_table(["12.3", "45.67"], 7),
    "many": lambda: audit_table([f"{r}.0" for r in range(80, 95)], 1000),
    "equal": lambda: audit_table(["50", "50"], 100),
}


@pytest.fixture(params=MADE)
def made(request):
    return MADE[request.param]()


@pytest.mark.parametrize("name", CATALOGUE)
def test_every_format(made, name):
    text = CATALOGUE[name](describe(made))
    assert text.strip()
    assert not re.search(r"\bnan\b", text)


@pytest.mark.parametrize("width", [60, 80, 100])
def test_no_line_is_wider_than_asked_for(made, width):
    for line in to_plain_text(describe(made), width).splitlines():
        assert cell_len(line) <= width, line


def test_json_has_schema_kind_verdict_and_findings(made):
    record = json.loads(to_json(made))
    assert record["schema"] == 1
    assert record["kind"] in ("sample_size", "table_audit")
    assert record["verdict"]["sentence"] == made.verdict.sentence
    assert isinstance(record["findings"], list)


def test_numbers_for_machines():
    record = json.loads(to_json(sample_size(a=0.99, b=0.995)))
    assert [s["rows"] for s in record["scenarios"]] == [1580, 4944, 4979, 4673]
    record = json.loads(to_json(audit_table(["99.00", "99.50"], 900)))
    assert record["rates"][1]["cases"] == 895.5
    assert record["pairs"][0]["best_p"] == 0.0625
    assert record["findings"][0]["code"] == "R020"


def test_what_a_reader_sees():
    text = to_text(sample_size(a=0.99, b=0.995, n=800))
    for part in ("1 580", "4 944", "4 673 each", "power with 800", "saw-tooth", "Connor"):
        assert part in text
    text = to_text(sample_size(n=50))
    assert "none" in text
    text = to_text(audit_table(["99.00", "99.50"], 900))
    for part in ("NO", "895.5", "R020", "797–804", "Differences if n was 800", "1 568 to 4 676"):
        assert part in text
    assert "only if cut off" in to_text(audit_table(["66.66"], 3))
    assert "75 more pairs" in to_text(audit_table([f"{r}.0" for r in range(80, 95)], 1000))


def test_results_print_themselves():
    assert str(sample_size(error=0.01)).startswith("Sample size  error at most 1.00 %")
    assert "<SampleSize: 299 cases" in repr(sample_size(error=0.01))
    assert "<TableAudit: " in repr(audit_table(["90"], 10))
    assert "<article" in audit_table(["90"], 10)._repr_html_()


def test_intervals_are_drawn():
    assert audit_table(["90.0", "99.0"], 1000).plot() is not None
