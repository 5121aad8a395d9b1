"""docs/scores.md does what it shows."""

import doctest
from pathlib import Path


def test_the_page_on_scores_runs():
    page = Path(__file__).parents[2] / "docs" / "scores.md"
    flags = doctest.NORMALIZE_WHITESPACE | doctest.ELLIPSIS
    failed, tried = doctest.testfile(str(page), module_relative=False, optionflags=flags)
    assert tried > 20
    assert failed == 0
