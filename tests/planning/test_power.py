"""Power, against complete enumeration of tables, statsmodels and closed forms."""

import math
import time

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats
from statsmodels.stats.power import NormalIndPower
from statsmodels.stats.proportion import power_proportions_2indep

from referee.errors import InputError
from referee.planning import power as module
from referee.planning.power import (
    connor_power,
    connor_rows,
    detectable_difference,
    mcnemar_power,
    mcnemar_rows,
    two_sample_power,
    two_sample_rows,
)


def p_of(b, c, test):
    if b == c:
        return 1.0
    low, d = min(b, c), b + c
    tail = 2 * stats.binom.cdf(low, d, 0.5)
    return min(1, tail) if test == "exact" else tail - stats.binom.pmf(low, d, 0.5)


def enumerated(n, p10, p01, alpha, test):
    """Sum over all tables (b, c, rest), each by the multinomial law."""
    total = 0.0
    law = stats.multinomial(n, [p10, p01, 1 - p10 - p01])
    for b in range(n + 1):
        for c in range(n + 1 - b):
            if p_of(b, c, test) <= alpha * (1 + 1e-12):
                total += law.pmf([b, c, n - b - c])
    return total


@pytest.mark.parametrize("test", ["exact", "midp"])
@pytest.mark.parametrize(
    ("n", "p10", "p01", "alpha"),
    [
        (10, 0.5, 0.1, 0.05),
        (25, 0.3, 0.05, 0.05),
        (40, 0.2, 0.2, 0.1),
        (30, 0.4, 0.0, 0.01),
        (12, 0.7, 0.3, 0.05),
        (6, 1.0, 0.0, 0.05),
    ],
)
def test_exact_power_against_enumeration(n, p10, p01, alpha, test):
    made = mcnemar_power(n, p10, p01, alpha=alpha, test=test)
    assert made == pytest.approx(enumerated(n, p10, p01, alpha, test), abs=1e-10)


@settings(deadline=None, max_examples=60)
@given(
    st.integers(1, 3000), st.floats(0, 0.5), st.floats(0, 0.5), st.sampled_from(["exact", "midp"])
)
def test_power_is_a_probability_and_symmetric(n, p10, p01, test):
    one, two = (mcnemar_power(n, *p, test=test) for p in ((p10, p01), (p01, p10)))
    assert 0 <= one <= 1
    assert one == pytest.approx(two, abs=1e-9)


def test_size_is_the_power_of_equal_models():
    assert max(mcnemar_power(n, 0.1, 0.1) for n in range(1, 300)) <= 0.05


@pytest.mark.parametrize("shares", [(0.3, 0.1), (0.25, 0.0), (0.6, 0.4), (0.5, 0.2), (0.9, 0.1)])
@pytest.mark.parametrize("test", ["exact", "midp"])
@pytest.mark.parametrize("power", [0.5, 0.8, 0.95])
def test_exact_rows_against_looking_at_every_n(shares, test, power):
    n = mcnemar_rows(*shares, power=power, test=test)
    every = np.array([mcnemar_power(m, *shares, test=test) for m in range(1, 4 * n + 40)])
    assert n == np.flatnonzero(every < power)[-1] + 2


def test_the_power_is_a_saw_tooth():
    """The first n that reaches the power is not the one from which on it stays."""
    first = next(n for n in range(1, 999) if mcnemar_power(n, 0.6, 0.4) >= 0.8)
    assert first < mcnemar_rows(0.6, 0.4)


def test_nested_errors_against_the_closed_form():
    """Nested: the exact test rejects from six discordant cases on."""
    n = mcnemar_rows(0.005, 0.0)
    assert stats.binom.sf(5, n, 0.005) >= 0.8 > stats.binom.sf(5, n - 1, 0.005)


@pytest.mark.parametrize("shares", [(0.01, 0.0092), (0.1, 0.093), (0.5, 0.465)])
def test_corrected_formula_where_many_are_discordant(shares, monkeypatch):
    formula = mcnemar_rows(*shares)
    monkeypatch.setattr(module, "_MANY", math.inf)
    assert formula == pytest.approx(mcnemar_rows(*shares), rel=2e-3)


@settings(deadline=None)
@given(st.floats(0.001, 0.5), st.floats(0.0, 0.4), st.floats(0.3, 0.99), st.floats(0.001, 0.2))
def test_connor_power_inverts_connor_rows(p10, p01, power, alpha):
    if abs(p10 - p01) < 1e-3:
        return
    n = connor_rows(p10, p01, power=power, alpha=alpha)
    assert n > 0
    assert connor_power(math.ceil(n), p10, p01, alpha=alpha) >= power - 1e-9


def test_two_sample_rows_against_statsmodels():
    made = two_sample_power(500, 0.9, 0.85)
    oracle = power_proportions_2indep(
        0.05, 0.85, 500, alternative="two-sided", return_results=False
    )
    assert made == pytest.approx(oracle, abs=1e-3)
    # Cohen's arcsine form is another approximation of the same number.
    effect = 2 * (math.asin(math.sqrt(0.9)) - math.asin(math.sqrt(0.85)))
    n = NormalIndPower().solve_power(effect, alpha=0.05, power=0.8)
    assert two_sample_rows(0.9, 0.85) == pytest.approx(n, rel=0.02)


@settings(deadline=None, max_examples=40)
@given(st.integers(5, 20_000), st.floats(0.005, 1.0), st.sampled_from(["exact", "midp"]))
def test_detectable_difference_has_the_wanted_power(n, discordance, test):
    found = detectable_difference(n, discordance, test=test)
    if found is None:
        assert mcnemar_power(n, discordance, 0.0, test=test) < 0.8
    else:
        assert 0 < found <= discordance
        shares = (discordance + found) / 2, max(0.0, (discordance - found) / 2)
        assert mcnemar_power(n, *shares, test=test) == pytest.approx(0.8, abs=1e-4)


def test_none_where_even_the_largest_difference_is_not_shown():
    assert detectable_difference(100, 0.05) is None
    assert detectable_difference(100, 0.0) is None


@pytest.mark.parametrize(("n", "discordance"), [(400_000, 0.1), (300_000, 0.9), (3_000_000, 0.02)])
@pytest.mark.parametrize("test", ["exact", "midp"])
def test_detectable_difference_of_many_cases_by_some_of_the_counts(n, discordance, test):
    found = detectable_difference(n, discordance, test=test)
    shares = (discordance + found) / 2, (discordance - found) / 2
    # mcnemar_power sums over every number of discordant cases.
    assert mcnemar_power(n, *shares, test=test) == pytest.approx(0.8, abs=1e-4)


def test_detectable_difference_is_fast():
    detectable_difference(1000, 0.1)
    took = []
    for _ in range(5):
        start = time.process_time()
        detectable_difference(100_000, 0.1)
        took.append(time.process_time() - start)
    assert min(took) < 0.05


@pytest.mark.parametrize(
    ("call", "says"),
    [
        (lambda: mcnemar_power(10, 1.2, 0), "p_first_only must be a share .* got 1.2"),
        (lambda: mcnemar_power(10, 0.7, 0.6), "must not exceed 1 together, got 1.3"),
        (lambda: mcnemar_power(0, 0.1, 0.2), "n must be a whole number of cases, .* got 0"),
        (lambda: mcnemar_power(10, 0.1, 0.2, alpha=5), "alpha must lie .* for 5 % write 0.05"),
        (lambda: mcnemar_power(10, 0.1, 0.2, test="exakt"), "'exakt' is unknown; did you mean"),
        (lambda: mcnemar_rows(0.1, 0.1), "two models must differ"),
        (lambda: connor_rows(0.1, 0.2, power=0.04), "power must exceed alpha = 0.05"),
        (lambda: connor_rows(0.1, 0.2, power=80), "for 80 % write 0.8"),
        (lambda: two_sample_rows(0.9, 0.9), "two models must differ"),
        (lambda: two_sample_rows(90, 0.9), "p1 must be a share between 0 and 1, got 90"),
        (lambda: detectable_difference(100, 1.5), "discordance must be a share"),
    ],
)
def test_what_is_refused(call, says):
    with pytest.raises(InputError, match=says):
        call()
