"""Intervals of a proportion: against scipy, statsmodels, and every outcome enumerated."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats
from statsmodels.stats.proportion import proportion_confint

from referee.core.results import Target
from referee.errors import InputError
from referee.intervals import agresti_coull, clopper_pearson, jeffreys, wald, wilson

FORMS = {
    "clopper-pearson": clopper_pearson,
    "wilson": wilson,
    "agresti-coull": agresti_coull,
    "jeffreys": jeffreys,
    "wald": wald,
}
GRID = [
    (x, n, level)
    for n in (1, 2, 3, 7, 16, 40, 148, 1000)
    for x in sorted({0, 1, n // 3, n // 2, n - 1, n})
    for level in (0.5, 0.9, 0.95, 0.999)
]


def ends(form, n, level=0.95):
    made = [form(x, n, level) for x in range(n + 1)]
    return np.array([i.low for i in made]), np.array([i.high for i in made])


def coverage(form, n, p, level=0.95):
    """The probability, summed over every outcome, that the interval holds the true p."""
    low, high = ends(form, n, level)
    chance = stats.binom.pmf(np.arange(n + 1), n, p[:, None])
    return (chance * ((low <= p[:, None]) & (p[:, None] <= high))).sum(axis=1)


@pytest.mark.parametrize(("name", "theirs"), [("clopper-pearson", "exact"), ("wilson", "wilson")])
def test_against_scipy(name, theirs):
    for x, n, level in GRID:
        oracle = stats.binomtest(x, n).proportion_ci(level, method=theirs)
        made = FORMS[name](x, n, level)
        assert made.low == pytest.approx(oracle.low, abs=1e-12)
        assert made.high == pytest.approx(oracle.high, abs=1e-12)


@pytest.mark.parametrize(
    ("name", "theirs"),
    [
        ("clopper-pearson", "beta"),
        ("wilson", "wilson"),
        ("agresti-coull", "agresti_coull"),
        ("wald", "normal"),
    ],
)
def test_against_statsmodels(name, theirs):
    for x, n, level in GRID:
        low, high = proportion_confint(x, n, alpha=1 - level, method=theirs)
        made = FORMS[name](x, n, level)
        assert made.low == pytest.approx(max(0, low), abs=1e-9)
        assert made.high == pytest.approx(min(1, high), abs=1e-9)


def test_jeffreys_against_statsmodels_away_from_the_ends():
    for x, n, level in GRID:
        if 0 < x < n:
            low, high = proportion_confint(x, n, alpha=1 - level, method="jeffreys")
            made = jeffreys(x, n, level)
            assert (made.low, made.high) == pytest.approx((low, high), abs=1e-9)


def test_jeffreys_has_whole_tails_below_half_an_error_against_the_beta_distribution():
    assert jeffreys(0, 30).low == 0
    assert jeffreys(0.49, 30).low == 0
    assert jeffreys(0.5, 30).low == pytest.approx(stats.beta.ppf(0.025, 1.0, 30.0))
    assert jeffreys(30, 30).high == 1
    assert jeffreys(29.51, 30).high == 1
    assert jeffreys(29.5, 30).high == pytest.approx(stats.beta.ppf(0.975, 30.0, 1.0))


def test_fractional_clopper_pearson_against_the_beta_distribution():
    made = clopper_pearson(3.7, 41.3, 0.9)
    assert made.low == pytest.approx(stats.beta.ppf(0.05, 3.7, 41.3 - 3.7 + 1))
    assert made.high == pytest.approx(stats.beta.ppf(0.95, 4.7, 41.3 - 3.7))


@pytest.mark.parametrize("level", [0.8, 0.95, 0.99])
def test_clopper_pearson_covers_for_every_n_and_p_by_enumeration(level):
    for n in range(1, 61):
        low, high = ends(clopper_pearson, n, level)
        # Coverage is smallest where p just leaves an interval, so look beside every end.
        beside = np.concatenate([low - 1e-9, low + 1e-9, high - 1e-9, high + 1e-9])
        p = np.concatenate([np.linspace(0.001, 0.999, 400), beside])
        p = p[(p > 0) & (p < 1)]
        assert coverage(clopper_pearson, n, p, level).min() >= level - 1e-9


@pytest.mark.parametrize(
    ("name", "least"),
    [
        ("wald", 0.394),
        ("jeffreys", 0.880),
        ("wilson", 0.895),
        ("agresti-coull", 0.938),
        ("clopper-pearson", 0.950),
    ],
)
def test_least_coverage_at_100_for_p_from_half_a_percent_by_enumeration(name, least):
    p = np.linspace(0.005, 0.995, 9901)
    assert coverage(FORMS[name], 100, p).min() == pytest.approx(least, abs=5e-4)


def test_wald_and_wilson_fail_for_rarer_errors_by_enumeration():
    rare = np.linspace(0.0001, 0.005, 4901)
    assert coverage(wald, 100, rare).min() < 0.01
    assert coverage(wilson, 100, rare).min() == pytest.approx(0.838, abs=1e-3)
    assert coverage(clopper_pearson, 100, rare).min() >= 0.95


@pytest.mark.parametrize("name", FORMS)
def test_nothing_and_everything_wrong(name):
    none, all_wrong = FORMS[name](0, 25), FORMS[name](25, 25)
    assert none.low == 0
    assert all_wrong.high == 1
    assert none.high < 0.3
    assert all_wrong.low > 0.7


@given(
    st.sampled_from(sorted(FORMS)),
    st.integers(1, 500),
    st.floats(0, 1),
    st.sampled_from([0.5, 0.9, 0.95, 0.999]),
)
def test_contract(name, n, share, level):
    x = round(share * n)
    made, mirrored = FORMS[name](x, n, level), FORMS[name](n - x, n, level)
    assert 0 <= made.low <= x / n + 1e-12
    assert x / n - 1e-12 <= made.high <= 1
    assert made.low == pytest.approx(1 - mirrored.high, abs=1e-9)
    assert made.high == pytest.approx(1 - mirrored.low, abs=1e-9)
    assert (made.level, made.method, made.target) == (level, name, Target.FIXED)


@given(st.sampled_from(sorted(FORMS)), st.floats(0.01, 300), st.floats(0, 1))
def test_contract_at_a_fractional_number_of_cases(name, n, share):
    made = FORMS[name](share * n, n)
    assert 0 <= made.low <= share + 1e-9
    assert share - 1e-9 <= made.high <= 1


@pytest.mark.parametrize("name", ["clopper-pearson", "wilson", "agresti-coull", "jeffreys"])
def test_more_confidence_and_fewer_cases_are_wider(name):
    form = FORMS[name]
    assert form(3, 30, 0.99).width > form(3, 30, 0.95).width > form(3, 30, 0.5).width
    assert form(3, 30).width > form(30, 300).width > form(300, 3000).width


@pytest.mark.parametrize("form", FORMS.values())
@pytest.mark.parametrize(
    ("errors", "n", "level", "message"),
    [
        (0, 0, 0.95, "n must be positive and finite, got 0"),
        (0, -3, 0.95, "n must be positive and finite, got -3"),
        (0, math.nan, 0.95, "n must be positive and finite, got nan"),
        (1, math.inf, 0.95, "n must be positive and finite, got inf"),
        (-1, 10, 0.95, "errors must lie between 0 and n = 10, got -1"),
        (11, 10, 0.95, "errors must lie between 0 and n = 10, got 11"),
        (math.nan, 10, 0.95, "errors must lie between 0 and n = 10, got nan"),
        (1, 10, 95, "level must lie strictly between 0 and 1, got 95; for 95 % write 0.95"),
        (1, 10, 1.0, "level must lie strictly between 0 and 1, got 1.0; for example 0.95"),
        (1, 10, 0, "got 0; for example 0.95"),
        (1, 10, True, "got True; for example 0.95"),
        (1, 10, "0.95", "got 0.95; for example 0.95"),
    ],
)
def test_bad_arguments(form, errors, n, level, message):
    with pytest.raises(InputError) as raised:
        form(errors, n, level)
    assert message in str(raised.value)


def test_wald_says_that_it_should_not_be_trusted():
    assert "covers far less" in wald(12, 40).flag
    assert not clopper_pearson(12, 40).flag


def test_target_is_passed_on():
    assert wilson(1, 10, target=Target.EXPECTED).target is Target.EXPECTED
