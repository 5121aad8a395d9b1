"""Intervals of a paired difference: against formulas, roots and every table enumerated."""

import itertools
import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import optimize, special, stats

from referee.core.results import Target
from referee.errors import InputError
from referee.intervals.difference.paired import (
    bonett_price,
    newcombe_paired,
    tango,
    tango_score,
    wald_paired,
)
from referee.measures.formulas.paired_counts import PairedCounts

FORMS = {
    "bonett-price": bonett_price,
    "tango": tango,
    "newcombe-paired": newcombe_paired,
    "wald-paired": wald_paired,
}
HONEST = ["bonett-price", "tango", "newcombe-paired"]
LEVELS = [0.5, 0.9, 0.95, 0.999]

cells = st.integers(0, 60)
tables = st.tuples(cells, cells, cells, cells).filter(sum).map(lambda t: PairedCounts(*t))


def tables_of(n):
    """Every (b, c)."""
    return [(b, c) for b in range(n + 1) for c in range(n + 1 - b)]


def coverage(form, n, points, level=0.95):
    """The chance that the interval holds p_c - p_b at each point, summed over every table.

    Models are never wrong together; only Newcombe's form depends on that.
    """
    outcomes = np.array(tables_of(n))
    rest = n - outcomes.sum(axis=1)
    made = [form(PairedCounts(n - b - c, b, c, 0), level) for b, c in outcomes.tolist()]
    low, high = np.array([i.low for i in made]), np.array([i.high for i in made])
    b, c = outcomes.T
    ways = special.gammaln(n + 1) - sum(special.gammaln(x + 1) for x in (b, c, rest))
    held = []
    for p_b, p_c in points:
        chance = np.exp(
            ways
            + special.xlogy(b, p_b)
            + special.xlogy(c, p_c)
            + special.xlogy(rest, 1 - p_b - p_c)
        )
        held.append(chance @ ((low <= p_c - p_b) & (p_c - p_b <= high)))
    return np.array(held)


def triangle(steps):
    """Midpoints of a grid over all shares of the discordant cells."""
    shares = (np.arange(steps) + 0.5) / steps
    return [(b, c) for b, c in itertools.product(shares, shares) if b + c < 1]


@pytest.mark.parametrize("level", LEVELS)
def test_wald_and_bonett_price_against_the_mean_of_differences(level):
    # b times -1, c times 1 and zeros: the mean and its standard error, from the cases themselves.
    for b, c, n in [(6, 16, 161), (0, 3, 9), (5, 5, 10), (1, 0, 40)]:
        d = np.array([-1.0] * b + [1.0] * c + [0.0] * (n - b - c))
        more = np.concatenate([d, [-1.0, 1.0]])
        z = stats.norm.ppf((1 + level) / 2)
        for form, values in ((wald_paired, d), (bonett_price, more)):
            half = z * values.std() / math.sqrt(len(values))
            made = form(PairedCounts(n - b - c, b, c, 0), level)
            assert made.low == pytest.approx(max(-1, values.mean() - half), abs=1e-12)
            assert made.high == pytest.approx(min(1, values.mean() + half), abs=1e-12)


def likeliest_share(b, c, n, d):
    """The share of b that is likeliest under p_c - p_b = d, found numerically."""
    lowest, highest = max(0.0, -d), (1 - d) / 2

    def unlikely(q):
        rest = max(1 - 2 * q - d, 0.0)
        return -float(
            special.xlogy(b, q) + special.xlogy(c, q + d) + special.xlogy(n - b - c, rest)
        )

    found = optimize.minimize_scalar(
        unlikely, bounds=(lowest, highest), method="bounded", options={"xatol": 1e-12}
    )
    return min((found.x, lowest, highest), key=unlikely)


@pytest.mark.parametrize("d", [-0.6, -0.1, 0.0, 0.05, 0.3])
def test_tango_score_against_a_numerical_likelihood(d):
    for b, c, n in [(6, 16, 161), (0, 3, 9), (3, 0, 9), (5, 5, 10), (0, 0, 12), (2, 7, 30)]:
        q = likeliest_share(b, c, n, d)
        variance = n * (2 * q + d - d * d)
        expected = (c - b - n * d) / math.sqrt(variance) if variance > 1e-9 else 0.0
        if variance > 1e-9:
            assert float(tango_score(b, c, n, d)) == pytest.approx(expected, rel=1e-5, abs=1e-6)


def test_tango_score_grows_with_c_and_falls_with_b_by_brute_force():
    # The staircases of the exact tests rest on it.
    for n, d in itertools.product((1, 5, 12, 25), (0.001, 0.05, 0.2, 0.9, -0.05)):
        b, c = np.meshgrid(np.arange(n + 1), np.arange(n + 1), indexing="ij")
        z = np.where(b + c <= n, tango_score(b, c, n, d), np.nan)
        assert not np.any(np.diff(z, axis=1) < -1e-12)
        assert not np.any(np.diff(z, axis=0) > 1e-12)


@given(tables, st.sampled_from(LEVELS))
@settings(deadline=None)
def test_tango_ends_are_where_the_score_test_just_rejects(pairs, level):
    made = tango(pairs, level)
    z = stats.norm.ppf((1 + level) / 2)
    b, c, n = pairs.first_right, pairs.second_right, pairs.n
    for end, sign in ((made.low, 1), (made.high, -1)):
        if abs(end) < 1 - 1e-9:
            assert float(tango_score(b, c, n, end)) == pytest.approx(sign * z, abs=1e-4)


def test_tango_agrees_with_mcnemar_about_zero():
    for b, c in tables_of(14):
        if b + c:
            rejects = abs(c - b) / math.sqrt(b + c) > stats.norm.ppf(0.975)
            assert (0 not in tango(PairedCounts(14 - b - c, b, c, 0))) == rejects


def test_newcombe_against_its_published_recipe():
    # Newcombe (1998), method 10, written out for the difference of the errors e1 - e2.
    for a, b, c, d in [(59, 6, 16, 80), (20, 3, 1, 6), (3, 8, 9, 2), (0, 4, 2, 0)]:
        n, z = a + b + c + d, stats.norm.ppf(0.975)

        def wilson(x, n=n, z=z):
            root = z * math.sqrt(z * z + 4 * x * (n - x) / n)
            return [(2 * x + z * z + s * root) / (2 * (n + z * z)) for s in (-1, 1)]

        (l1, u1), (l2, u2) = wilson(c + d), wilson(b + d)
        e1, e2 = (c + d) / n, (b + d) / n
        top = a * d - b * c
        top = max(0, top - n / 2) if top > 0 else top
        phi = top / math.sqrt((a + b) * (c + d) * (a + c) * (b + d)) if top else 0.0
        below, above = (e1 - l1, u2 - e2), (u1 - e1, e2 - l2)
        low, high = (math.sqrt(x**2 - 2 * phi * x * y + y**2) for x, y in (below, above))
        made = newcombe_paired(PairedCounts(a, b, c, d))
        assert made.low == pytest.approx(e1 - e2 - low, abs=1e-9)
        assert made.high == pytest.approx(e1 - e2 + high, abs=1e-9)


@given(st.sampled_from(sorted(FORMS)), tables, st.sampled_from(LEVELS))
@settings(deadline=None)
def test_contract(name, pairs, level):
    made, swapped = FORMS[name](pairs, level), FORMS[name](pairs.swapped, level)
    assert -1 <= made.low <= made.high <= 1
    assert (made.low, made.high) == pytest.approx((-swapped.high, -swapped.low), abs=1e-9)
    assert (made.level, made.method, made.target) == (level, name, Target.FIXED)
    if name in HONEST:
        assert made.width > 0
    if name in ("tango", "wald-paired", "newcombe-paired"):
        assert made.low - 1e-9 <= pairs.difference <= made.high + 1e-9


@given(st.sampled_from(HONEST), tables, st.floats(0.05, 3))
@settings(deadline=None)
def test_contract_at_a_fractional_number_of_cases(name, pairs, share):
    made = FORMS[name](pairs.scaled(share * pairs.n))
    assert -1 <= made.low < made.high <= 1


@pytest.mark.parametrize("name", HONEST)
@pytest.mark.parametrize(
    "pairs",
    [
        PairedCounts(1, 0, 0, 0),
        PairedCounts(0, 1, 0, 0),
        PairedCounts(0, 0, 0, 30),
        PairedCounts(30, 0, 0, 0),
    ],
)
def test_without_disagreement_or_with_one_case_the_width_is_not_zero(name, pairs):
    made = FORMS[name](pairs)
    assert made.width > 0
    assert -1 <= made.low <= pairs.difference <= made.high <= 1 or name == "bonett-price"


def test_wald_has_no_width_where_nothing_differs_and_is_flagged():
    made = wald_paired(PairedCounts(10, 0, 0, 0))
    assert made.width == 0
    assert "use bonett-price" in made.flag


@pytest.mark.parametrize("name", HONEST)
def test_more_confidence_and_fewer_cases_are_wider(name):
    form, pairs = FORMS[name], PairedCounts(20, 3, 5, 2)
    assert form(pairs, 0.99).width > form(pairs, 0.95).width > form(pairs, 0.5).width
    assert form(pairs).width > form(pairs.scaled(300)).width > form(pairs.scaled(3000)).width


@pytest.mark.parametrize("form", FORMS.values())
def test_a_level_in_percent_is_refused(form):
    with pytest.raises(InputError, match="level must lie strictly between 0 and 1, got 95"):
        form(PairedCounts(1, 1, 1, 1), 95)


def test_mean_coverage_at_20_by_enumeration():
    points = triangle(20)
    means = {name: coverage(FORMS[name], 20, points).mean() for name in ("bonett-price", "tango")}
    assert means["bonett-price"] == pytest.approx(0.958, abs=0.01)
    assert means["tango"] == pytest.approx(0.95, abs=0.01)


@pytest.mark.slow
def test_coverage_table_by_enumeration(capsys):
    least = {"bonett-price": 0.896, "tango": 0.923, "newcombe-paired": 0.863}
    with capsys.disabled():
        print("\n n  interval         min    mean   mean where at most 30 % disagree, min there")
        for n in (10, 20, 50, 100):
            points = triangle(100 if n < 100 else 50)
            few = np.array([b + c <= 0.3 for b, c in points])
            for name in HONEST:
                held = coverage(FORMS[name], n, points)
                print(
                    f"{n:3d}  {name:16s} {held.min():.3f}  {held.mean():.3f}  "
                    f"{held[few].mean():.3f} {held[few].min():.3f}"
                )
                assert held.min() >= least[name]
