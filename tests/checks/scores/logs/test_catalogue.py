"""The findings of logs are among those of scores, each with an entry in the docs and a test."""

from pathlib import Path

import pytest

from referee.checks.scores import SCORE_CHECKS, check_scores
from referee.core.scores.scores import Scores
from referee.sources.logs import read_scores_source

OF_LOGS = {
    code: check for code, check in SCORE_CHECKS.items() if ".logs." in check.compute.__module__
}
DOCS = Path(__file__).parents[4] / "docs" / "findings.md"


def test_scores_run_them_all(data):
    assert list(OF_LOGS) == [f"R{number:03}" for number in range(50, 57)]
    codes = [f.code for f in check_scores(read_scores_source(data / "inspect" / "errors.eval"))]
    assert "R054" in codes


def test_dismissed_ones_are_notes(data):
    scores = read_scores_source(data / "inspect" / "errors.eval")
    (found,) = [f for f in check_scores(scores, ["R054"]) if f.code == "R054"]
    assert found.title.endswith("(dismissed)")


def test_scores_from_tables_are_left_alone():
    assert all(c.compute(Scores.of([1, 0, 1])) is None for c in OF_LOGS.values())


def test_one_test_file_per_check():
    here = {path.stem for path in Path(__file__).parent.glob("test_*.py")}
    for check in OF_LOGS.values():
        assert "test_" + check.compute.__module__.rpartition(".")[2] in here


@pytest.mark.skipif(not DOCS.exists(), reason="the docs are not part of an installation")
@pytest.mark.parametrize("code", OF_LOGS)
def test_every_code_has_an_entry_in_the_docs(code):
    assert f'<a id="{code}"></a>' in DOCS.read_text(encoding="utf-8")
