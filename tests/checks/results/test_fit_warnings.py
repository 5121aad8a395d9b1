"""R008: the model itself warned while it was fitted."""

from collections import Counter

from sklearn.datasets import load_wine
from sklearn.linear_model import LogisticRegression

import referee
from referee.checks import Context
from referee.checks.results.fit_warnings import check
from referee.core import Dataset, Severity
from referee.resampling import CrossValidation


def plan():
    return CrossValidation(2).plan(Dataset.of([[0.0], [1.0]] * 4, [0, 1] * 4))


def test_fires_with_the_commonest_warning_and_how_often():
    warned = Counter({"too\n  flat": 3, "old": 1, "new": 1})
    found = check(Context(plan=plan(), warned=warned))
    assert (found.code, found.severity) == ("R008", Severity.WARNING)
    assert found.message == "in 3 of 3 fits: too flat (2 other warnings)"


def test_warnings_that_differ_in_numbers_are_one():
    warned = Counter({"gap 1.5e-3 at 10": 1, "gap 2 at 20": 1, "old": 1})
    found = check(Context(plan=plan(), warned=warned))
    assert found.message == (
        "in 2 of 3 fits: gap 1.5e-3 at 10, with other numbers elsewhere (1 other warning)"
    )


def test_long_warnings_are_cut():
    found = check(Context(plan=plan(), warned=Counter({"x" * 1000: 1})))
    assert len(found.message) < 340
    assert found.message.endswith("…")


def test_a_model_that_did_not_converge_is_reported_through_evaluate():
    X, y = load_wine(return_X_y=True)
    e = referee.evaluate(LogisticRegression(max_iter=2), X, y, by=2, random_state=0)
    found = next(f for f in e.findings if f.code == "R008")
    assert "in 3 of 3 fits" in found.message
    assert "converge" in found.message


def test_silent_without_warnings():
    assert check(Context(plan=plan())) is None
    assert check(Context(warned=Counter({"x": 1}))) is None
