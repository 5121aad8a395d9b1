"""Intervals, estimates, evidence, verdicts and findings."""

import dataclasses

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee.core import Estimate, Evidence, Finding, Interval, Outcome, Severity, Target, Verdict
from referee.core.results import check_level
from referee.errors import InputError


@given(st.floats(0, 1), st.floats(0, 1), st.floats(0, 1))
def test_complement_mirrors(a, b, value):
    low, high = sorted((a, b))
    made = Interval(
        low=low, high=high, level=0.9, method="m", target=Target.EXPECTED, n_effective=3.0, flag="f"
    )
    other = made.complement()
    assert other.low == 1 - high
    assert other.high == 1 - low
    assert other.width == pytest.approx(made.width)
    assert dataclasses.replace(other, low=low, high=high) == made
    assert (value in made) == (low <= value <= high)


@pytest.mark.parametrize("level", [0.95, 0.5, np.float64(0.9), np.float32(0.5)])
def test_levels_that_are_levels(level):
    made = check_level(level)
    assert made == level
    assert type(made) is float


@pytest.mark.parametrize(
    ("level", "message"),
    [
        (95, "got 95; for 95 % write 0.95"),
        (99.9, "got 99.9; for 99.9 % write 0.999"),
        (0, "got 0; for example 0.95"),
        (1, "got 1; for example 0.95"),
        (-0.5, "got -0.5; for example 0.95"),
        (float("nan"), "got nan; for example 0.95"),
        (True, "got True; for example 0.95"),
        (None, "got None; for example 0.95"),
        ("95", "got 95; for example 0.95"),
    ],
)
def test_levels_that_are_none(level, message):
    with pytest.raises(InputError) as raised:
        check_level(level)
    assert f"level must lie strictly between 0 and 1, {message}" in str(raised.value)


def test_estimate_is_defined_unless_nan():
    assert Estimate(name="error", value=0.0, n=3, method="m").defined
    assert not Estimate(name="error", value=float("nan"), n=3, method="m").defined


@pytest.mark.parametrize("p", [-0.1, 1.1, 2])
def test_a_p_value_is_a_probability(p):
    with pytest.raises(InputError, match=f"p_value must lie between 0 and 1, got {p}"):
        Evidence(test="t", statistic=1.0, p_value=p, null="equal", n=3)


def test_evidence_may_be_undecidable():
    assert np.isnan(Evidence(test="t", statistic=1.0, p_value=np.nan, null="equal", n=3).p_value)


@pytest.mark.parametrize(
    ("outcome", "shown"),
    [
        (Outcome.FIRST, True),
        (Outcome.SECOND, True),
        (Outcome.EQUIVALENT, True),
        (Outcome.PASS, True),
        (Outcome.FAIL, False),
        (Outcome.UNDECIDED, False),
    ],
)
def test_what_a_verdict_shows(outcome, shown):
    verdict = Verdict(outcome=outcome, sentence="so it is")
    assert verdict.shown is shown
    assert str(verdict) == "so it is"


def test_targets_are_told_in_words():
    assert {t.sentence for t in Target} == {
        "this fitted model",
        "the model trained on all the data",
        "the learning procedure at this sample size",
        "the models of these folds, on average",
    }


def test_results_are_frozen():
    with pytest.raises(dataclasses.FrozenInstanceError):
        Interval(low=0, high=1, level=0.9, method="m").low = 3


def test_finding_reads_as_one_line():
    finding = Finding(
        code="R001", severity=Severity.NOTE, title="small", message="3 cases.", remedy="Get more."
    )
    assert str(finding) == "R001 small: 3 cases. Get more."
