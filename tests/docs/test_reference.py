"""The reference page is what the catalogues say."""

import importlib.util
from pathlib import Path

from referee.cli.terminal.catalogued import filled
from referee.measures import MEASURES
from referee.measures.rankings import RankingMeasure

DOCS = Path(__file__).parents[2] / "docs"


def load():
    spec = importlib.util.spec_from_file_location("reference", DOCS / "reference.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_the_page_is_not_stale():
    assert load().page() == (DOCS / "reference.md").read_text(encoding="utf-8"), (
        "run python docs/reference.py"
    )


def test_the_lists_of_the_help_are_not_stale():
    module = load()
    assert module.listed() == module.LISTED.read_text(encoding="utf-8"), (
        "run python docs/reference.py"
    )


def test_a_registered_method_shows_up_in_help_and_on_the_page():
    youden = RankingMeasure(
        "youden", title="Youden's index", greater_is_better=True, of_curve=lambda c: 0.0
    )
    MEASURES.register(youden)
    try:
        assert "youden" in filled("{measures}")
        assert "| `youden` | Youden's index |" in load().page()
    finally:
        MEASURES.remove("youden")
