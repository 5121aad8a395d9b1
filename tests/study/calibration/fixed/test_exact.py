"""Coverage and size of methods of fixed models by enumeration, against plain sums."""

import itertools
import math

import numpy as np
import pytest
from scipy import stats

from referee.measures.formulas.paired_counts import PairedCounts
from referee.significance.catalogue import COMPARISON_TESTS
from referee.study.calibration.fixed.exact import (
    paired_coverage,
    paired_intervals,
    paired_size,
    paired_tests,
    proportion_coverage,
    proportions,
)
from referee.study.calibration.fixed.exact_unpaired import (
    unpaired_coverage,
    unpaired_intervals,
    unpaired_size,
    unpaired_tests,
)


@pytest.mark.parametrize("name", proportions())
def test_least_coverage_against_a_plain_binomial_sum(name):
    n, form = 12, proportions()[name]
    made = proportion_coverage(name, form, n)
    limits = [form(x, n) for x in range(n + 1)]

    def covers(p):
        return sum(
            math.comb(n, x) * p**x * (1 - p) ** (n - x)
            for x in range(n + 1)
            if limits[x].low <= p <= limits[x].high
        )

    grid = [covers(p) for p in np.linspace(0.0005, 0.9995, 1500)]
    assert made.worst <= min(grid) + 1e-9
    if name != "wald":  # which covers nothing at all next to 0
        assert made.worst == pytest.approx(min(grid), abs=0.02)
    assert made.mean == pytest.approx(np.mean(grid), abs=0.01)


def test_clopper_pearson_is_guaranteed_and_wilson_is_not():
    assert (
        proportion_coverage("clopper-pearson", proportions()["clopper-pearson"], 33).worst >= 0.95
    )
    assert proportion_coverage("wilson", proportions()["wilson"], 33).worst < 0.85


def test_paired_coverage_against_a_plain_sum():
    n, form = 6, paired_intervals()["bonett-price"]
    made = paired_coverage("bonett-price", form, n)
    p, q = (float(text.split()[1]) for text in made.where.split(", "))
    total = 0.0
    for b in range(n + 1):
        for c in range(n + 1 - b):
            limits = form(PairedCounts(n - b - c, b, c, 0))
            ways = math.factorial(n) / math.factorial(b) / math.factorial(c)
            chance = ways / math.factorial(n - b - c) * p**b * q**c * (1 - p - q) ** (n - b - c)
            total += chance * (limits.low <= q - p <= limits.high)
    assert made.worst == pytest.approx(total, abs=0.01)  # the place is rounded


def test_size_of_mcnemar_against_a_plain_sum():
    n = 14
    made = paired_size("mcnemar-exact", paired_tests()["mcnemar-exact"], n)
    share = float(made.where.split()[1])
    total = 0.0
    for b in range(n + 1):
        for c in range(n + 1 - b):
            ways = math.comb(n, b) * math.comb(n - b, c)
            chance = ways * (share / 2) ** (b + c) * (1 - share) ** (n - b - c)
            total += chance * (b + c > 0 and stats.binomtest(b, b + c).pvalue <= 0.05)
    assert made.worst == pytest.approx(total, abs=1e-9)
    assert made.worst <= 0.05


@pytest.mark.parametrize("name", unpaired_tests())
def test_size_on_different_cases_against_a_plain_sum(name):
    m, n, test = 4, 6, unpaired_tests()[name]
    outcome = unpaired_size(name, test, m, n)
    share = float(outcome.where.split()[1])
    total = sum(
        stats.binom.pmf(x, m, share) * stats.binom.pmf(y, n, share)
        for x, y in itertools.product(range(m + 1), range(n + 1))
        if test(x, m, y, n).p_value <= 0.05
    )
    assert outcome.worst == pytest.approx(total, abs=1e-9)
    assert (outcome.worst <= 0.05) == (not COMPARISON_TESTS[name].flag)


@pytest.mark.parametrize("name", unpaired_intervals())
def test_coverage_on_different_cases_against_a_plain_sum(name):
    m, n, form = 4, 6, unpaired_intervals()[name]
    outcome = unpaired_coverage(name, form, m, n)
    p, q = (float(word) for word in outcome.where.split()[1::2])
    total = 0.0
    for x, y in itertools.product(range(m + 1), range(n + 1)):
        limits = form(x, m, y, n)
        if limits.low <= p - q <= limits.high:
            total += stats.binom.pmf(x, m, p) * stats.binom.pmf(y, n, q)
    assert outcome.worst == pytest.approx(total, abs=1e-9)
