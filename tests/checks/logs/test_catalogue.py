"""The findings of logs are among those of scores, each with an entry in the docs and a test."""

from pathlib import Path

import pytest

from referee.checks.logs import CATALOGUE
from referee.checks.scores import CATALOGUE as OF_SCORES
from referee.checks.scores import check_scores
from referee.core.scores import Scores
from referee.sources.logs import read_scores_source

DOCS = Path(__file__).parents[3] / "docs" / "findings.md"


def test_scores_run_them_all(data):
    assert set(CATALOGUE) <= set(OF_SCORES)
    codes = [f.code for f in check_scores(read_scores_source(data / "inspect" / "errors.eval"))]
    assert "R054" in codes


def test_dismissed_ones_are_notes(data):
    scores = read_scores_source(data / "inspect" / "errors.eval")
    (found,) = [f for f in check_scores(scores, ["R054"]) if f.code == "R054"]
    assert found.title.endswith("(dismissed)")


def test_scores_from_tables_are_left_alone():
    assert all(check(Scores.of([1, 0, 1])) is None for check in CATALOGUE.values())


def test_one_test_file_per_check():
    here = {path.stem for path in Path(__file__).parent.glob("test_*.py")}
    for check in CATALOGUE.values():
        assert "test_" + check.__module__.rpartition(".")[2] in here


@pytest.mark.skipif(not DOCS.exists(), reason="the docs are not part of an installation")
@pytest.mark.parametrize("code", CATALOGUE)
def test_every_code_has_an_entry_in_the_docs(code):
    assert f'<a id="{code}"></a>' in DOCS.read_text(encoding="utf-8")
