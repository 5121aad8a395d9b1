"""What every check promises: a code, an entry in the docs, its own findings; one from outside."""

import inspect
import re
import sys
from collections import Counter
from pathlib import Path

import numpy as np
import pytest

import referee
from referee.checks import CHECKS, Check, Context, check_all, needs_data
from referee.core import Dataset, Predictions
from referee.core.results import Severity
from referee.errors import InputError
from referee.resampling import CrossValidation

DOCS = Path(__file__).parents[2] / "docs" / "findings.md"

each = pytest.mark.parametrize("check", CHECKS.values(), ids=lambda c: c.code)


def test_codes_run_from_one_without_gaps():
    assert list(CHECKS) == [f"R{number:03}" for number in range(1, len(CHECKS) + 1)]


@each
def test_each_has_its_file_its_test_file_and_its_entry_in_the_docs(check):
    here = {path.stem for path in Path(__file__).parent.rglob("test_*.py")}
    module = check.compute.__module__.rpartition(".")[2]
    assert f"test_{module}" in here
    assert sys.modules[check.compute.__module__].__doc__.startswith(f"{check.code}: ")
    if DOCS.exists():  # not part of an installation
        assert f"## {check.code} " in DOCS.read_text(encoding="utf-8")


@each
def test_each_says_cause_and_remedy_in_whole_sentences(check):
    assert check.title
    assert not check.title.endswith(".")
    assert check.cause.endswith(".")
    assert check.advice.endswith(".")
    assert check.severities
    assert check.finding("seen.").severity is check.severities[0]
    assert check.finding("seen.").code == check.code


@each
def test_codes_that_need_data_are_those_whose_checks_look_at_data_or_fits(check):
    """Verification of bundles relies on it: predictions and plan alone must show the others."""
    source = inspect.getsource(sys.modules[check.compute.__module__])
    looks = re.search(r"context\.(data|warned)\b", source) is not None
    assert check.needs_data == looks


def test_nothing_is_found_where_nothing_is_known():
    assert check_all(Context()) == ()


def crowded():
    X = np.repeat(np.arange(20.0), 2).reshape(-1, 1)
    data = Dataset.of(X, np.arange(40) // 20)
    return Context(
        data=data,
        plan=CrossValidation(4).plan(data),
        predictions=Predictions.of(data.y, [0] * 40),
        warned=Counter({"w": 1}),
    )


def test_the_most_serious_come_first_and_are_as_grave_as_their_checks_say():
    findings = check_all(crowded())
    weights = [{"serious": 0, "warning": 1, "note": 2}[f.severity] for f in findings]
    assert len(findings) >= 4
    assert weights == sorted(weights)
    assert all(f.message and f.remedy and f.title for f in findings)
    assert all(f.severity in CHECKS[f.code].severities for f in findings)


def test_dismissed_findings_become_notes_and_unknown_codes_are_refused():
    codes = [f.code for f in check_all(crowded())]
    dismissed = check_all(crowded(), codes)
    assert {f.severity for f in dismissed} == {Severity.NOTE}
    assert all(f.title.endswith(" (dismissed)") for f in dismissed)
    with pytest.raises(InputError, match="finding 'R0002' is unknown; did you mean 'R002'"):
        check_all(Context(), ["R0002"])


def few_features(context):
    if context.data is None or context.data.X.shape[1] > 3:
        return None
    return FEW.finding(f"there are only {context.data.X.shape[1]}.")


FEW = Check(
    "X101",
    title="few features",
    compute=few_features,
    cause="There are at most three features.",
    remedy="Measure more.",
    severities=(Severity.NOTE,),
    needs_data=True,
)


def test_a_registered_check_shows_up_in_results_and_reports():
    from sklearn.naive_bayes import GaussianNB

    rng = np.random.default_rng(0)
    y = rng.integers(2, size=60)
    X = rng.normal(size=(60, 2)) + y[:, None]
    CHECKS.register(FEW)
    try:
        result = referee.evaluate(GaussianNB(), X, y, by=3, random_state=0)
        (finding,) = (f for f in result.findings if f.code == "X101")
        assert finding.message == "there are only 2."
        assert needs_data(finding)
        assert finding in result.grounds.known_findings
        assert "few features" in str(result)
        quiet = referee.evaluate(GaussianNB(), X, y, by=3, random_state=0, dismiss=["X101"])
        assert "few features (dismissed)" in {f.title for f in quiet.findings}
        assert CHECKS.table()[-1]["name"] == "X101"
    finally:
        CHECKS.remove("X101")
    assert not needs_data(finding)
