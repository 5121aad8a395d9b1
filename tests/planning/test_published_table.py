"""Audits of rates, against every count rounded by hand, and of folds, against all tables."""

import itertools
import math
from decimal import ROUND_DOWN, ROUND_HALF_EVEN, ROUND_HALF_UP, Decimal

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from referee.core.results import Outcome
from referee.errors import InputError, Refusal
from referee.planning.fold_spread import audit_folds
from referee.planning.printed_rates import sizes_text
from referee.planning.published_table import audit_table


def printed(x, n, decimals, how):
    share = Decimal(100 * x) / Decimal(n)
    return str(share.quantize(Decimal(1).scaleb(-decimals), rounding=how))


@settings(deadline=None)
@given(st.integers(1, 2000), st.integers(0, 2000), st.integers(0, 3))
def test_every_rate_that_was_measured_is_attainable(n, x, decimals):
    text = printed(min(x, n), n, decimals, ROUND_HALF_UP) + "%"
    audit = audit_table([text], n)
    assert audit.rates[0].attainable
    assert audit.verdict.outcome is Outcome.PASS
    assert n in audit.sizes
    cut = printed(min(x, n), n, decimals, ROUND_DOWN) + "%"
    assert audit_table([cut], n).rates[0].truncated


@settings(deadline=None, max_examples=50)
@given(st.integers(1, 120), st.integers(0, 10_000))
def test_attainable_against_rounding_every_count(n, units):
    text = f"{units / 100:.2f}"
    made = {printed(x, n, 2, how) for x in range(n + 1) for how in (ROUND_HALF_UP, ROUND_HALF_EVEN)}
    rate = audit_table([text + "%"], n).rates[0]
    assert rate.attainable == (text in made)
    cut = {printed(x, n, 2, ROUND_DOWN) for x in range(n + 1)}
    assert rate.truncated == (text in cut)


def test_99_and_995_of_900():
    audit = audit_table(["99.00", "99.50"], n=900)
    one, two = audit.rates
    assert (one.attainable, one.counts, two.attainable, two.cases) == (True, (891,), False, 895.5)
    assert two.neighbours == (895 / 900, 896 / 900)
    assert audit.verdict.outcome is Outcome.UNDECIDED
    for part in (
        "99.50 % (895.5 cases) cannot be observed on 900",
        "800 or 1000",
        "p = .125",
        "p = .062",
    ):
        assert part in audit.verdict.sentence
    assert [f.code for f in audit.findings] == ["R020"]
    assert [n for n, _ in audit.elsewhere] == [800, 1000]
    assert 900 not in audit.sizes
    assert set(audit.exact_sizes) <= set(audit.sizes)


def test_numbers_of_one_rate():
    rate = audit_table(["99.00"], n=800).rates[0]
    assert rate.standard_error == pytest.approx(math.sqrt(0.99 * 0.01 / 800))
    oracle = stats.binomtest(792, 800).proportion_ci(0.95)
    assert (rate.interval.low, rate.interval.high) == pytest.approx((oracle.low, oracle.high))


@settings(deadline=None, max_examples=40)
@given(st.integers(2, 40), st.data())
def test_best_and_worst_case_against_every_overlap(n, data):
    x, y = (data.draw(st.integers(0, n)) for _ in range(2))
    every = []
    for both in range(max(0, x + y - n), min(x, y) + 1):
        b, c = x - both, y - both
        every.append(stats.binomtest(b, b + c).pvalue if b + c else 1.0)
    texts = [f"{100 * v / n:.6f}%" for v in (x, y)]
    pair = audit_table(texts, n).pairs[0]
    assert pair.best_p == pytest.approx(min(every))
    assert pair.worst_p == pytest.approx(max(every))
    oracle = stats.fisher_exact([[x, n - x], [y, n - y]]).pvalue
    assert pair.unpaired_p == pytest.approx(oracle)


def test_swapping_rates_negates_the_difference_and_keeps_p():
    one, two = (audit_table(r, 800).pairs[0] for r in (["99.0", "97.5"], ["97.5", "99.0"]))
    assert one.difference == -two.difference
    assert (one.best_p, one.worst_p, one.unpaired_p) == (two.best_p, two.worst_p, two.unpaired_p)
    assert (one.rows_best, one.rows_independent) == (two.rows_best, two.rows_independent)


def test_outcomes():
    assert audit_table(["90.0", "99.0"], 1000).verdict.outcome is Outcome.PASS
    close = audit_table(["99.00", "99.50"], 2000).verdict
    assert close.outcome is Outcome.UNDECIDED
    assert "only if both err on much the same cases" in close.sentence
    assert "even the best pairing" in audit_table(["99.00", "99.50"], 800).verdict.sentence
    assert audit_table(["50", "50"], 100).pairs[0].rows_best is None


def test_several_pairs_pay_for_their_number():
    """One pair at p = .041 in the worst case passes alone, not among six."""
    alone = audit_table(["80.0", "84.3"], 1000)
    assert 0.05 / 6 < alone.pairs[0].worst_p <= 0.05
    assert alone.verdict.outcome is Outcome.PASS
    among = audit_table(["80.0", "84.3", "82.0", "82.1"], 1000)
    assert among.verdict.outcome is Outcome.UNDECIDED


def test_numbers_and_strings():
    assert [r.printed for r in audit_table([99.0, 99.5], 1000).rates] == ["99.0 %", "99.5 %"]
    assert [r.printed for r in audit_table([99.0, 99.5], 1000, 2).rates] == ["99.00 %", "99.50 %"]
    assert audit_table([0.995], 900, 4).rates[0].printed == "0.9950"
    assert audit_table("99.5", 1000).rates[0].share == 0.995
    assert audit_table(["0.50%", "99.50"], 1000).rates[0].share == 0.005
    assert audit_table([0, 99.5], 1000).rates[0].share == 0


def test_many_cases_take_no_time():
    audit = audit_table([99.0, 99.5], 10_000_000)
    assert audit.rates[0].counts == (9895000, 9900000, 9905000)
    assert len(audit.sizes) > 900_000


def test_frames():
    audit = audit_table(["90.0", "91.0", "92.0"], 1000)
    assert len(audit.frame()) == 3
    assert len(audit.pair_frame()) == 3
    assert audit.frame()["attainable"].all()


def test_runs_are_drawn_together():
    assert sizes_text([1, 2, 3, 7, 9, 10], most=2) == "1–3, 7 and 1 more"


@pytest.mark.parametrize(
    ("arguments", "error", "says"),
    [
        ((["99.5"],), Refusal, "impossible to tell .* unless we know how many"),
        (([99.5, 0.9], 100), InputError, "mix percentages with 0.9.*mark percentages: 0.9%"),
        ((["abc"], 100), InputError, "number such as 99.50, got 'abc'"),
        (([float("nan")], 100), InputError, "got nan"),
        (([], 100), InputError, "at least one rate"),
        ((["101"], 100), InputError, "between 0 and 100, got 101"),
        ((["-5%"], 100), InputError, "between 0 and 100"),
        ((["99.5"], 0), InputError, "n must be a whole number of cases, at least 1, got 0"),
        ((["99.5"], 100.5), InputError, "got 100.5"),
        ((["99.55"], 100, 1), InputError, "99.55 has more than the 1 decimals"),
        ((["99.5"], 100, -1), InputError, "decimals must be a whole number from 0 to 12"),
    ],
)
def test_what_is_refused(arguments, error, says):
    with pytest.raises(error, match=says):
        audit_table(*arguments)


@pytest.mark.parametrize(("k", "size"), [(3, 4), (4, 3), (5, 2), (2, 9)])
def test_folds_against_every_table(k, size):
    """Whatever folds give is attainable as printed; what none gives is not."""
    made = set()
    for counts in itertools.product(range(size + 1), repeat=k):
        errors = np.array(counts) / size
        made.add((f"{errors.mean():.4f}", f"{errors.std(ddof=1):.4f}"))
    for mean, s in made:
        assert audit_folds(mean, s, k, size).attainable, (mean, s)
    means, spreads = ({pair[i] for pair in made} for i in (0, 1))
    wrong = [pair for pair in itertools.product(means, spreads) if pair not in made]
    for mean, s in wrong:
        assert not audit_folds(mean, s, k, size).attainable, (mean, s)


def test_folds_that_are_too_much_alike():
    audit = audit_folds("0.1", "0.01", 11, 30)
    assert audit.expected_s == pytest.approx(math.sqrt(0.09 / 30))
    assert audit.regular_p < 1e-5
    assert audit_folds("0.20", "0.05", 10, 100).regular_p > 0.5


def test_folds_refused():
    with pytest.raises(InputError, match="k must be at least 2"):
        audit_folds(0.1, 0.01, 1, 30)
    with pytest.raises(InputError, match="mean must be a share"):
        audit_folds(10, 0.01, 10, 30)
