"""McNemar's tests: against statsmodels, binomial sums and every table enumerated."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats
from statsmodels.stats.contingency_tables import mcnemar

from referee.core.results import Target
from referee.errors import InputError
from referee.measures.formulas.paired_counts import PairedCounts
from referee.significance import (
    mcnemar_asymptotic,
    mcnemar_exact,
    mcnemar_midp,
    smallest_p,
)

TESTS = {
    "mcnemar-exact": mcnemar_exact,
    "mcnemar-midp": mcnemar_midp,
    "mcnemar-asymptotic": mcnemar_asymptotic,
}
cells = st.integers(0, 200)


def conditional_size(test, m, level=0.05):
    """The chance of p <= level given m disagreements, with both models equally good."""
    p = np.array([test(PairedCounts(0, b, m - b, 1)).p_value for b in range(m + 1)])
    return sum(math.comb(m, b) for b in range(m + 1) if p[b] <= level + 1e-12) / 2**m


@given(cells, cells)
@settings(deadline=None)
def test_exact_against_statsmodels(b, c):
    theirs = mcnemar([[5, b], [c, 7]], exact=True).pvalue if b + c else 1.0
    assert mcnemar_exact(PairedCounts(5, b, c, 7)).p_value == pytest.approx(theirs, abs=1e-12)


@given(cells, cells, st.booleans())
@settings(deadline=None)
def test_asymptotic_against_statsmodels(b, c, correction):
    if b + c == 0 or (correction and b == c):  # theirs subtracts 1 even from 0
        return
    theirs = mcnemar([[5, b], [c, 7]], exact=False, correction=correction)
    made = mcnemar_asymptotic(PairedCounts(5, b, c, 7), correction=correction)
    assert made.statistic**2 == pytest.approx(theirs.statistic, abs=1e-9)
    assert made.p_value == pytest.approx(theirs.pvalue, abs=1e-9)


@given(cells, cells)
@settings(deadline=None)
def test_midp_against_a_binomial_sum(b, c):
    m, low = b + c, min(b, c)
    # The chance of a more extreme table and half of that of an equally extreme one.
    more = 2 * sum(math.comb(m, k) for k in range(low))
    as_much = math.comb(m, low) * (1 if b == c else 2)
    expected = (more + as_much / 2) / 2**m if m else 1.0
    assert mcnemar_midp(PairedCounts(5, b, c, 7)).p_value == pytest.approx(expected, abs=1e-9)


@given(st.sampled_from(sorted(TESTS)), cells, cells, cells, cells)
@settings(deadline=None)
def test_swapping_the_models_negates_the_statistic_and_keeps_p(name, a, b, c, d):
    pairs = PairedCounts(a, b, c, d + 1)
    made, swapped = TESTS[name](pairs), TESTS[name](pairs.swapped)
    assert made.statistic == -swapped.statistic
    assert made.p_value == pytest.approx(swapped.p_value, abs=1e-15)
    assert (made.test, made.n, made.target) == (name, pairs.n, Target.FIXED)
    assert made.null == "both models err equally often on new cases"
    assert made.alternative == "two-sided"
    assert made.assumptions
    assert np.sign(made.statistic) == np.sign(pairs.difference)


@pytest.mark.parametrize("test", TESTS.values())
@pytest.mark.parametrize(
    "pairs", [PairedCounts(1, 0, 0, 0), PairedCounts(0, 0, 0, 9), PairedCounts(4, 0, 0, 3)]
)
def test_without_disagreement_p_is_one(test, pairs):
    made = test(pairs)
    assert (made.p_value, made.statistic) == (1.0, 0.0)


def test_one_case():
    assert mcnemar_exact(PairedCounts(0, 1, 0, 0)).p_value == 1.0


def test_only_the_exact_test_is_not_flagged():
    pairs = PairedCounts(5, 3, 9, 2)
    assert not mcnemar_exact(pairs).flag
    assert "use mcnemar-exact" in mcnemar_midp(pairs).flag
    assert "use mcnemar-exact" in mcnemar_asymptotic(pairs).flag
    assert "mcnemar-exact" in mcnemar_asymptotic(pairs, correction=True).flag


def test_size_of_the_exact_test_by_enumeration():
    assert max(conditional_size(mcnemar_exact, m) for m in range(1, 41)) <= 0.05


def test_size_of_the_others_by_enumeration():
    assert conditional_size(mcnemar_midp, 16) == pytest.approx(0.0768, abs=1e-4)
    assert conditional_size(mcnemar_midp, 5) == 0.0625
    assert conditional_size(mcnemar_asymptotic, 4) == 0.125


def over_all_tables(given_m, n, shares):
    """The chance over all tables of n cases, where a case tells the models apart with a share."""
    return stats.binom.pmf(np.arange(n + 1), n, shares[:, None]) @ given_m[: n + 1]


@pytest.mark.slow
def test_table_of_sizes_by_enumeration(capsys):
    shares = np.linspace(0.001, 1, 1000)
    with capsys.disabled():
        for name, test in TESTS.items():
            given_m = np.array([0.0] + [conditional_size(test, m) for m in range(1, 121)])
            sizes = np.array([over_all_tables(given_m, n, shares) for n in range(1, 121)])
            realistic = sizes[:, shares <= 0.5].max()
            print(
                f"\n{name}: {given_m.max():.4f} given m, {realistic:.4f} if half disagree at most"
            )
            if name == "mcnemar-exact":
                assert sizes.max() <= 0.05


@given(st.integers(0, 60))
@settings(deadline=None)
def test_smallest_p_is_the_p_of_the_most_extreme_table(m):
    assert smallest_p(m) == pytest.approx(
        mcnemar_exact(PairedCounts(1, m, 0, 0)).p_value, rel=1e-12
    )


def test_smallest_p_of_thousands_is_not_negative():
    assert smallest_p(5000) == 0.0


@pytest.mark.parametrize("value", [-1, 2.5, math.nan])
def test_smallest_p_refuses_what_is_no_count(value):
    with pytest.raises(InputError, match="n_discordant must be a count of at least 0, got"):
        smallest_p(value)


@pytest.mark.parametrize("test", TESTS.values())
def test_fractions_are_refused(test):
    with pytest.raises(InputError, match=r"first_right must be a whole number .* got 1.5; .*flip"):
        test(PairedCounts(5, 1.5, 2, 3))
