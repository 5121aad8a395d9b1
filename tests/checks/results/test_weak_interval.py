"""R010: an interval that is known to fall short of its level."""

import pytest

import referee
from referee.checks import Context
from referee.checks.results.weak_interval import check
from referee.core import Interval, Severity

TRUTH, PREDICTED = [0, 1] * 60, [0, 1] * 54 + [1, 0] * 6


def test_fires_with_the_method_and_its_flag():
    e = referee.evaluate_predictions(TRUTH, PREDICTED, interval="wald")
    found = next(f for f in e.findings if f.code == "R010")
    assert found.severity is Severity.WARNING
    assert found.message.startswith("wald: covers far less than it says")
    assert "auto" in found.remedy


@pytest.mark.parametrize("name", ["auto", "clopper-pearson", "wilson", "jeffreys"])
def test_silent_for_intervals_that_keep_their_promise(name):
    e = referee.evaluate_predictions(TRUTH, PREDICTED, interval=name)
    assert "R010" not in [f.code for f in e.findings]


def test_a_flag_that_names_another_plan_is_remedy_enough():
    flag = "is about something else; use by='10x10'"
    found = check(Context(interval=Interval(low=0, high=1, level=0.95, method="m", flag=flag)))
    assert found.remedy == ""
    assert "use by='10x10'" in found.message


def test_silent_without_an_interval_or_a_flag():
    assert check(Context()) is None
    assert check(Context(interval=Interval(low=0, high=1, level=0.95, method="m"))) is None
