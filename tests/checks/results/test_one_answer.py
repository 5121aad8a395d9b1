"""R011: the model gives one answer for all cases."""

import referee
from referee.checks import Context
from referee.checks.results.one_answer import check
from referee.core import Predictions, Severity


def test_fires_and_names_the_answer():
    found = check(Context(predictions=Predictions.of(["a", "b"] * 50, ["b"] * 100)))
    assert (found.code, found.severity) == ("R011", Severity.WARNING)
    assert "'b'" in found.message


def test_silent_for_a_single_other_answer():
    predictions = Predictions.of(["a", "b"] * 50, ["b"] * 99 + ["a"])
    assert check(Context(predictions=predictions)) is None
    assert check(Context()) is None


def test_reported_by_evaluate_predictions():
    e = referee.evaluate_predictions([0, 1] * 60, [0] * 120)
    assert [f.code for f in e.findings] == ["R011"]
