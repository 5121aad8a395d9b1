"""R006: too few tested cases to say much."""

import pytest
from scipy import stats

from referee.checks import Context
from referee.checks.results.small_test import check
from referee.core import Predictions, Severity


def made(n):
    return Context(predictions=Predictions.of([0, 1] * (n // 2) + [0] * (n % 2), [0] * n))


@pytest.mark.parametrize(
    ("n", "severity"),
    [(2, Severity.WARNING), (29, Severity.WARNING), (30, Severity.NOTE), (99, Severity.NOTE)],
)
def test_fires_below_a_hundred_with_the_exact_bound_of_a_perfect_score(n, severity):
    found = check(made(n))
    assert (found.code, found.severity) == ("R006", severity)
    assert f"only {n} cases" in found.message
    best = 100 * stats.binomtest(0, n).proportion_ci(0.95, "exact").high
    shown = f"{best:.2f}" if best < 10 else f"{best:.1f}"
    assert f"up to {shown} %" in found.message


def test_silent_from_a_hundred_on():
    assert check(made(100)) is None
    assert check(Context()) is None
