"""The reference page is what the catalogues say."""

import importlib.util
from pathlib import Path

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
