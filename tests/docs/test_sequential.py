"""The examples of docs/sequential.md are executed; its exact figures are computed again."""

import doctest
import re
from pathlib import Path

import pytest

from referee.study import stopping

PAGE = Path(__file__).parents[2] / "docs" / "sequential.md"
TEXT = PAGE.read_text(encoding="utf-8")


def test_examples_give_what_the_page_says() -> None:
    blocks = re.findall(r"```pycon\n(.*?)```", TEXT, re.S)
    assert len(blocks) == 4
    names: dict[str, object] = {}
    runner = doctest.DocTestRunner(optionflags=doctest.NORMALIZE_WHITESPACE)
    for number, block in enumerate(blocks):
        example = doctest.DocTestParser().get_doctest(block, names, f"block {number}", None, 0)
        runner.run(example, clear_globs=False)
        names = example.globs
    assert runner.summarize(verbose=False).failed == 0


def test_exact_figures_of_peeking() -> None:
    study = stopping(repetitions=2)
    for p in study.peeking[:8]:
        truth = re.escape(p.truth)
        row = re.search(rf"\| {p.method} \| {truth}[^|]*\| \w+ \| (\.\d+)", TEXT)
        assert row is not None
        assert float(row[1]) == pytest.approx(p.error, abs=0.0006)
