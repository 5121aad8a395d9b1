"""The catalogue of checks: codes, order, and an entry in the docs for each."""

from collections import Counter
from pathlib import Path

import numpy as np
import pytest

from referee.checks import CATALOGUE, Context, check_all
from referee.core import Dataset, Predictions
from referee.resampling import CrossValidation

DOCS = Path(__file__).parents[2] / "docs" / "findings.md"


def test_codes_run_from_one_without_gaps():
    assert list(CATALOGUE) == [f"R{number:03}" for number in range(1, len(CATALOGUE) + 1)]


def test_one_test_file_per_check():
    here = {path.stem for path in Path(__file__).parent.glob("test_*.py")}
    for check in CATALOGUE.values():
        assert "test_" + check.__module__.rpartition(".")[2] in here


@pytest.mark.skipif(not DOCS.exists(), reason="the docs are not part of an installation")
@pytest.mark.parametrize("code", CATALOGUE)
def test_every_code_has_an_entry_in_the_docs(code):
    assert code in DOCS.read_text(encoding="utf-8")


def test_nothing_is_found_where_nothing_is_known():
    assert check_all(Context()) == ()


def test_the_most_serious_come_first():
    X = np.repeat(np.arange(20.0), 2).reshape(-1, 1)
    data = Dataset.of(X, np.arange(40) // 20)
    found = check_all(
        Context(
            data=data,
            plan=CrossValidation(4).plan(data),
            predictions=Predictions.of(data.y, [0] * 40),
            warned=Counter({"w": 1}),
        )
    )
    weights = [{"serious": 0, "warning": 1, "note": 2}[f.severity] for f in found]
    assert len(found) >= 4
    assert weights == sorted(weights)
    assert all(f.message and f.remedy and f.title for f in found)
