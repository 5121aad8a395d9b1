"""Operating characteristics against scipy's binomial distribution."""

import numpy as np
import pytest
from scipy import stats

from referee.errors import InputError
from referee.planning.acceptance import acceptance_plan, acceptance_rows
from referee.planning.operating import fixed_rows, operating_characteristic
from referee.planning.sequential_acceptance import sequential_plan


def test_plans_for_one_percent_against_scipy() -> None:
    assert [s.rows for s in acceptance_plan(0.01).steps] == [299, 473, 628, 773, 913, 1049]
    for step in acceptance_plan(0.01).steps:
        assert stats.binom.cdf(step.failures, step.rows, 0.01) <= 0.05
        assert stats.binom.cdf(step.failures, step.rows - 1, 0.01) > 0.05


def test_curves_against_scipy() -> None:
    plan = acceptance_plan(0.01)
    curve = operating_characteristic(plan)
    assert curve.true_errors[[0, -1]] == pytest.approx([0, 0.02])
    for step, passes in zip(plan.steps, curve.passes.values(), strict=True):
        expected = stats.binom.cdf(step.failures, step.rows, curve.true_errors)
        assert passes == pytest.approx(expected, abs=1e-12)


def test_sequential_curve_and_picture() -> None:
    sequential = sequential_plan(0.05)
    curve = operating_characteristic(acceptance_plan(0.05, failures=1), sequential, points=5)
    assert list(curve.frame().columns) == ["true_error", "1 of 93", "sequential"]
    assert curve.passes["sequential"][2] == pytest.approx(sequential.outcome(0.05).passes)
    assert np.all(np.diff(curve.passes["sequential"]) <= 0)
    picture = curve.picture
    assert [c.label for c in picture.curves] == ["1 of 93", "sequential", "limit"]
    assert picture.curves[-1].x == (5.0, 5.0)


def test_fixed_rows_against_search() -> None:
    for power in (0.5, 0.8, 0.95):
        rows = fixed_rows(0.05, 0.02, power=power)
        search = next(
            n
            for c in range(100)
            for n in [acceptance_rows(0.05, 0.95, c)]
            if stats.binom.cdf(c, n, 0.02) >= power
        )
        assert rows == search
    assert fixed_rows(0.05, 0.05) is None
    assert fixed_rows(0.05, 0.0) == 59


def test_bad_input() -> None:
    with pytest.raises(InputError, match="points must be at least 2"):
        operating_characteristic(acceptance_plan(0.1), points=1)
