"""docs/multilabel.md does what it shows."""

import doctest
from pathlib import Path


def test_the_page_on_label_sets_and_rankings_runs():
    page = Path(__file__).parents[2] / "docs" / "multilabel.md"
    flags = doctest.NORMALIZE_WHITESPACE
    failed, tried = doctest.testfile(str(page), module_relative=False, optionflags=flags)
    assert tried == 21
    assert failed == 0
