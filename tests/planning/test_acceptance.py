"""Acceptance plans, against scipy's binomial law and the exact upper limit."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from referee.errors import InputError
from referee.intervals import clopper_pearson
from referee.planning.acceptance import acceptance_plan, acceptance_rows


def test_the_numbers_of_the_methods_page():
    assert [acceptance_rows(0.01, 0.95, c) for c in range(6)] == [299, 473, 628, 773, 913, 1049]
    assert acceptance_rows(0.05) == 59
    assert acceptance_rows(0.5, 0.4) == 1


@settings(deadline=None)
@given(st.floats(0.001, 0.6), st.floats(0.5, 0.999), st.integers(0, 12))
def test_smallest_n_against_the_binomial_law(error, confidence, failures):
    n = acceptance_rows(error, confidence, failures)
    assert stats.binom.cdf(failures, n, error) <= 1 - confidence + 1e-12
    if n > failures + 1:
        assert stats.binom.cdf(failures, n - 1, error) > 1 - confidence - 1e-12


@pytest.mark.parametrize("failures", [0, 1, 4])
def test_passing_is_an_exact_upper_limit(failures):
    n = acceptance_rows(0.02, 0.9, failures)
    assert clopper_pearson(failures, n, 0.8).high <= 0.02
    assert clopper_pearson(failures, n - 1, 0.8).high > 0.02


def test_operating_characteristic():
    plan = acceptance_plan(0.01)
    assert [s.failures for s in plan.steps] == [0, 1, 2, 3, 4, 5]
    for step in plan.steps:
        expected = stats.binom.cdf(step.failures, step.rows, [0.001, 0.005, 0.01])
        assert [step.passes(e) for e in (0.001, 0.005, 0.01)] == pytest.approx(expected)
        assert step.passes(step.tolerated(0.8)) == pytest.approx(0.8)
        assert (step.passes(0), step.passes(1)) == (1, 0)
    assert list(plan.frame((0.002,)).columns) == ["failures", "rows", "passes at 0.002"]
    assert plan.frame().shape == (6, 7)
    assert [s.rows for s in acceptance_plan(0.01, failures=2).steps] == [628]


@pytest.mark.parametrize(
    ("call", "says"),
    [
        (lambda: acceptance_rows(1), "max_error must lie .* got 1; for 1 % write 0.01"),
        (lambda: acceptance_rows(0.01, 95), "confidence must lie .* for 95 % write 0.95"),
        (lambda: acceptance_rows(0.01, 0.95, -1), "failures must be a whole number .* got -1"),
        (lambda: acceptance_rows(0.01, 0.95, 0.5), "failures must be a whole number"),
        (lambda: acceptance_plan(0.01).steps[0].passes(3), "true_error must be a share"),
    ],
)
def test_what_is_refused(call, says):
    with pytest.raises(InputError, match=says):
        call()
