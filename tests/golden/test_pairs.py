"""Worked numbers of comparisons on shared or different cases, each reached through referee.

pairs.json holds inputs, expected values, tolerances and sources; every item needs a check here. Its
tables [[a, b], [c, d]] give (b - c) / n where referee gives (c - b) / n, so they are swapped.
"""

import json
import math
from pathlib import Path

import pytest
from scipy import stats

from referee.intervals.difference.paired import bonett_price, newcombe_paired, tango, wald_paired
from referee.intervals.difference.unpaired import newcombe_unpaired, wald_unpaired
from referee.measures.formulas.paired_counts import PairedCounts
from referee.significance import (
    barnard,
    boschloo,
    fisher,
    mcnemar_asymptotic,
    mcnemar_exact,
    mcnemar_midp,
    two_sample_z,
)

GOLDEN = json.loads((Path(__file__).parent / "pairs.json").read_text(encoding="utf-8"))
ITEMS = {item["name"]: item for item in GOLDEN["items"]}


def table(b, c):
    return PairedCounts(10, b, c, 10)


def ends(interval):
    return [interval.low, interval.high]


def at(form):
    def check(table):
        (a, b), (c, d) = table
        return ends(form(PairedCounts(a, b, c, d).swapped))

    return check


def exact(b, c):
    return mcnemar_exact(table(b, c)).p_value


def midp(b, c):
    return mcnemar_midp(table(b, c)).p_value


def corrected(b, c):
    return mcnemar_asymptotic(table(b, c), correction=True).p_value


def as_in_the_notes(b, c):
    """Twice the tail up to and with the smaller count, not capped."""
    return 2 * stats.binom.cdf(min(b, c), b + c, 0.5)


def paired_4_5(b, c):
    return {"p": exact(b, c), "unclipped_seed_formula": as_in_the_notes(b, c)}


def paired_5_5(b, c):
    return {"seed_formula": as_in_the_notes(b, c), "correct": exact(b, c)}


def statsdirect(b, c):
    made = mcnemar_asymptotic(table(b, c), correction=True)
    return {"chi2_yates": made.statistic**2, "p_yates": made.p_value, "p_exact": exact(b, c)}


def two_sample(e1, n1, e2, n2):
    """The standard error inside the interval, z, and the one-sided level it reaches."""
    x1, x2 = round(e1 * n1), round(e2 * n2)
    made = two_sample_z(x2, n2, x1, n1)
    sigma = wald_unpaired(x1, n1, x2, n2, 0.5).width / 2 / stats.norm.ppf(0.75)
    return sigma, made.statistic, 1 - made.p_value / 2


def two_sample_rounded(**inputs):
    return dict(zip(("sigma", "z", "pr"), two_sample(**inputs), strict=True))


def two_sample_digits(e1, n1, e2, n2):
    sigma, z, level = two_sample(e1, n1, e2, n2)
    half = wald_unpaired(e1 * n1, n1, e2 * n2, n2, 0.9).width / 2
    return {"sigma": sigma, "z": z, "one_sided_level": level, "z90": half / sigma}


def pooled(x1, n1, x2, n2):
    made = two_sample_z(x2, n2, x1, n1, pooled=True)
    return {"z": made.statistic, "p_two": made.p_value, "p_one": made.p_value / 2}


def samples(columns):
    (x1, x2), (y1, y2) = columns
    return x1, x1 + y1, x2, x2 + y2


def exact_tests(table_cols_are_samples):
    case = samples(table_cols_are_samples)
    return {
        "fisher_two": fisher(*case).p_value,
        "barnard_two": barnard(*case).p_value,
        "boschloo_two": boschloo(*case).p_value,
    }


def barnard_example(table):
    two, less = barnard(*samples(table)), barnard(*samples(table), alternative="less")
    return {"stat": two.statistic, "p_two": two.p_value, "p_less": less.p_value}


def boschloo_example(table, alternative):
    made = boschloo(*samples(table), alternative=alternative)
    return {"stat": made.statistic, "p": made.p_value}


def newcombe(x1, n1, x2, n2):
    return ends(newcombe_unpaired(x1, n1, x2, n2))


CHECKS = {
    "seed0.paired_p025": exact,
    "seed0.paired_p085": exact,
    "seed0.paired_p1e-13": exact,
    "seed0.paired_p0003": exact,
    "seed0.paired_p_4_5": paired_4_5,
    "seed0.paired_formula_exceeds_1": paired_5_5,
    "seed2.two_sample_sigma": two_sample_rounded,
    "seed2.two_sample_exact_digits": two_sample_digits,
    "seed2.two_sample_pooled_z": pooled,
    "seed2.two_sample_exact_tests": exact_tests,
    "seed2.newcombe_20_30": newcombe,
    "mcnemar_exact_cavo": exact,
    "mcnemar_midp_cavo": midp,
    "mcnemar_cc_cavo": corrected,
    "tango_cavo": at(tango),
    "bonett_price_cavo": at(bonett_price),
    "wald_paired_cavo": at(wald_paired),
    "tango_3_of_3": at(tango),
    "newcombe_paired_1_0_0_1": at(newcombe_paired),
    "mcnemar_statsdirect": statsdirect,
    "mcnemar_mlxtend_11_1": exact,
    "mcnemar_midp_0_0": midp,
    "mcnemar_b_eq_c_midp": midp,
    "newcombe_ind_56_70_48_80": newcombe,
    "newcombe_ind_9_10_3_10": newcombe,
    "barnard_scipy_doc": barnard_example,
    "boschloo_scipy_doc": boschloo_example,
}


@pytest.mark.parametrize("name", ITEMS)
def test_golden(name, agree):
    assert name in CHECKS, f"pairs.json has {name}, and nothing here checks it"
    item = ITEMS[name]
    agree(CHECKS[name](**item["inputs"]), item["expected"], item)


def test_no_check_without_its_item():
    assert set(CHECKS) <= set(ITEMS)


def test_the_notes_as_printed_are_not_what_referee_gives():
    # "z_90% < 1.644" is false, so the 90 % interval just holds 0.
    made = wald_unpaired(20, 100, 30, 100, 0.9)
    assert 0 in made
    assert made.high == pytest.approx(5.25e-5, abs=1e-6)
    assert not math.isclose(as_in_the_notes(5, 5), exact(5, 5))
