"""Equivalence and non-inferiority: against brute force, and the size of every table enumerated."""

import bisect
import math
from importlib import import_module

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from scipy import special, stats

from referee.core.results import Target
from referee.errors import InputError
from referee.intervals.difference.paired import tango, tango_score
from referee.measures.formulas.paired_counts import PairedCounts
from referee.significance.contrast import Contrast
from referee.significance.paired.equivalence import (
    equivalence,
    equivalence_of,
    non_inferiority,
    non_inferiority_of,
)

MARGINS = [0.01, 0.05, 0.2]
cells = st.integers(0, 25)
tables = st.tuples(cells, cells, cells, cells).filter(sum).map(lambda t: PairedCounts(*t))


def laws(n, difference, points):
    """Every table (b, c) of n cases and its chance under laws with this difference."""
    outcomes = [(b, c) for b in range(n + 1) for c in range(n + 1 - b)]
    b, c = np.array(outcomes).T
    ways = special.gammaln(n + 1) - sum(special.gammaln(x + 1) for x in (b, c, n - b - c))
    low = max(0.0, -difference)
    high = (1 - difference) / 2
    share = (low + (high - low) * np.sin(np.linspace(0, np.pi / 2, points)) ** 2)[:, None]
    rest = np.maximum(1 - 2 * share - difference, 0)
    chance = np.exp(
        ways
        + special.xlogy(b, share)
        + special.xlogy(c, np.maximum(share + difference, 0))
        + special.xlogy(n - b - c, rest)
    )
    return outcomes, chance


def size(test, n, margin, *, difference=None, level=0.05, points=301):
    """The largest chance of p <= level where the difference is at the margin."""
    outcomes, chance = laws(n, margin if difference is None else difference, points)
    p = np.array([test(PairedCounts(n - b - c, b, c, 0), margin).p_value for b, c in outcomes])
    return float((chance @ (p <= level)).max())


def by_score(pairs, margin):
    """The asymptotic form, reached through counts that are no whole numbers."""
    return non_inferiority(pairs.scaled(pairs.n + 1e-9), margin)


@pytest.mark.parametrize("margin", MARGINS)
def test_non_inferiority_against_brute_force(margin):
    for n in (1, 4, 11):
        outcomes, chance = laws(n, margin, 4001)
        z = np.array([float(tango_score(b, c, n, margin)) for b, c in outcomes])
        for at, (b, c) in enumerate(outcomes):
            expected = (chance @ (z <= z[at] + 1e-9)).max()
            made = non_inferiority(PairedCounts(n - b - c, b, c, 0), margin)
            assert made.p_value == pytest.approx(expected, abs=2e-6)
            assert made.statistic == pytest.approx(z[at])


@pytest.mark.parametrize("n", [1, 5, 10, 16])
@pytest.mark.parametrize("margin", MARGINS)
def test_size_of_non_inferiority_by_enumeration(n, margin):
    assert size(non_inferiority, n, margin) <= 0.05
    # Further inside the null it is smaller still.
    assert size(non_inferiority, n, margin, difference=margin + 0.1, points=51) <= 0.05


def test_size_of_equivalence_by_enumeration():
    for n, margin in [(6, 0.3), (14, 0.4)]:
        for difference in (margin, -margin):
            assert size(equivalence, n, margin, difference=difference) <= 0.05


def test_size_of_the_score_form_by_enumeration():
    assert size(by_score, 30, 0.1) == pytest.approx(0.0714, abs=5e-4)


def size_by_bisection(test, n, margin, level=0.05, points=601):
    """As `size`, using that p grows with the score: the last rejected score is searched for."""
    outcomes, chance = laws(n, margin, points)
    b, c = np.array(outcomes).T
    order = np.argsort(tango_score(b, c, n, margin), kind="stable")

    def kept(at):
        b, c = outcomes[order[at]]
        return test(PairedCounts(n - b - c, b, c, 0), margin).p_value > level

    count = bisect.bisect_left(range(len(order)), True, key=kept)
    return float(chance[:, order[:count]].sum(axis=1).max())


def test_size_by_bisection_is_the_size():
    whole = size(non_inferiority, 12, 0.1, points=601)
    assert size_by_bisection(non_inferiority, 12, 0.1) == pytest.approx(whole, abs=1e-12)


@pytest.mark.slow
@pytest.mark.parametrize("n", [10, 20, 30, 50, 100, 200])
def test_table_of_sizes_by_enumeration(n, capsys):
    with capsys.disabled():
        for margin in (0.01, 0.02, 0.05, 0.1, 0.2):
            exact, score = (size_by_bisection(t, n, margin) for t in (non_inferiority, by_score))
            print(f"\nn {n}, margin {margin}: exact {exact:.4f}, score {score:.4f}", end="")
            assert exact <= 0.05


@given(tables, st.sampled_from(MARGINS))
@example(PairedCounts(0, 5, 6, 1), 0.01)  # both sides have p = 1, and different scores
@settings(max_examples=30, deadline=None)
def test_swapping_the_models_keeps_equivalence(pairs, rope):
    made, swapped = equivalence(pairs, rope), equivalence(pairs.swapped, rope)
    assert made.p_value == swapped.p_value
    assert abs(made.statistic) == pytest.approx(abs(swapped.statistic))
    if pairs.difference:
        assert made.statistic == pytest.approx(-swapped.statistic)
    assert (made.test, made.target, made.n) == ("equivalence-exact", Target.FIXED, pairs.n)
    assert made.null == f"the errors of the models differ by {rope:g} or more on new cases"
    assert made.assumptions


@given(tables, st.sampled_from(MARGINS))
@settings(max_examples=30, deadline=None)
def test_equivalence_is_non_inferiority_both_ways(pairs, rope):
    sides = (non_inferiority(p, rope) for p in (pairs, pairs.swapped))
    assert equivalence(pairs, rope).p_value == max(side.p_value for side in sides)


@given(tables, st.floats(5.5, 300.25), st.sampled_from(MARGINS))
@settings(deadline=None)
def test_fractions_agree_with_the_interval_of_tango(pairs, n, margin):
    scaled = pairs.scaled(n)
    made = non_inferiority(scaled, margin)
    inside = tango(scaled, 0.9).high < margin
    if abs(made.p_value - 0.05) > 1e-6 and made.test.endswith("score"):
        assert (made.p_value < 0.05) == inside


def test_a_wider_margin_is_easier_to_keep():
    pairs = PairedCounts(170, 10, 12, 8)
    p = [non_inferiority(pairs, m).p_value for m in (0.02, 0.05, 0.1, 0.2)]
    assert p == sorted(p, reverse=True)
    assert p[0] > 0.05 > p[-1]


def test_few_cases_show_nothing_and_many_without_disagreement_do():
    assert equivalence(PairedCounts(1, 0, 0, 0), 0.05).p_value == pytest.approx(0.95, abs=1e-6)
    # No disagreement in n cases has a chance of (1 - rope)^n if all differences go one way.
    for pairs in (PairedCounts(80, 0, 0, 20), PairedCounts(0, 0, 0, 100)):
        assert 0.95**100 <= equivalence(pairs, 0.05).p_value < 0.02


def test_large_tables_use_the_score_and_agree_with_the_exact_form(monkeypatch):
    pairs = PairedCounts(1700, 120, 130, 50)
    exact = non_inferiority(pairs, 0.02)
    module = import_module("referee.significance.paired.equivalence")
    monkeypatch.setattr(module, "LARGEST_EXACT", 100)
    score = non_inferiority(pairs, 0.02)
    assert (exact.test, score.test) == ("non-inferiority-exact", "non-inferiority-score")
    assert score.p_value == pytest.approx(exact.p_value, abs=3e-3)
    assert "enough cases for a normal law" in score.assumptions


def contrast(value, se=0.01, df=math.inf, **more):
    return Contrast(value=value, se=se, df=df, test="made-up", null="equal", n=50, **more)


@pytest.mark.parametrize("df", [3.0, 40.0, math.inf])
@pytest.mark.parametrize("value", [-0.03, 0.0, 0.004, 0.019])
def test_of_a_contrast_against_its_interval(value, df):
    made = contrast(value, df=df)
    inside = made.interval(0.9)
    assert (equivalence_of(made, 0.02).p_value < 0.05) == (-0.02 < inside.low < inside.high < 0.02)
    assert (non_inferiority_of(made, 0.02).p_value < 0.05) == (inside.high < 0.02)
    law = stats.t(df) if math.isfinite(df) else stats.norm()
    expected = law.cdf((value - 0.02) / 0.01)
    assert non_inferiority_of(made, 0.02).p_value == pytest.approx(expected)
    other = law.sf((value + 0.02) / 0.01)
    assert equivalence_of(made, 0.02).p_value == pytest.approx(max(expected, other))


def test_of_a_contrast_carries_what_it_rests_on():
    made = equivalence_of(contrast(0.001, flag="doubtful", target=Target.EXPECTED), 0.02)
    assert (made.test, made.flag, made.target) == ("equivalence-made-up", "doubtful", "expected")
    swapped = equivalence_of(contrast(0.001).swapped, 0.02)
    assert (swapped.p_value, swapped.statistic) == pytest.approx((made.p_value, -made.statistic))
    assert non_inferiority_of(contrast(0.0), 0.02).alternative == "less"


def test_a_contrast_without_variation_shows_nothing():
    for test in (equivalence_of, non_inferiority_of):
        made = test(contrast(0.0, se=0.0), 0.02)
        assert made.p_value == 1
        assert "nothing varied" in made.flag


@pytest.mark.parametrize("value", [0, -0.1, 1, math.nan])
def test_a_margin_that_is_none_is_named(value):
    pairs = PairedCounts(5, 1, 1, 1)
    with pytest.raises(InputError, match=f"rope must be above 0 and below 1, got {value}; it is"):
        equivalence(pairs, value)
    with pytest.raises(InputError, match=f"margin must be above 0 and below 1, got {value}"):
        non_inferiority(pairs, value)


@pytest.mark.parametrize("value", [0, -0.1, math.nan, math.inf])
def test_a_margin_of_losses_may_exceed_1_but_must_be_a_size(value):
    for test, word in ((equivalence_of, "rope"), (non_inferiority_of, "margin")):
        assert 0 <= test(contrast(0.0), 12.0).p_value < 1e-6
        with pytest.raises(InputError, match=f"{word} must be above 0, got {value}; it is"):
            test(contrast(0.0), value)
