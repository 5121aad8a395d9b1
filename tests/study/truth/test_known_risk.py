"""KnownRisk says how exactly a risk is known."""

import pytest

from referee.study import KnownRisk


def test_an_exact_risk_has_an_interval_as_wide_as_its_arithmetic():
    made = KnownRisk(value=0.1, method="slices", error=1e-9).interval()
    assert made.low == pytest.approx(0.1 - 1e-9, abs=1e-12)
    assert made.high == pytest.approx(0.1 + 1e-9, abs=1e-12)


def test_the_interval_of_a_simulation_is_the_normal_one():
    made = KnownRisk(value=0.1, method="Monte Carlo", standard_error=0.01, draws=9).interval()
    assert made.width == pytest.approx(2 * 1.959964 * 0.01, rel=1e-6)


def test_digits_follow_the_error():
    text = str(KnownRisk(value=0.123456789, method="m", standard_error=0.002, draws=9))
    assert text == "0.1235 (m, standard error 2.0e-03)"
