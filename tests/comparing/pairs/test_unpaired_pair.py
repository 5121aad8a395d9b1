"""Two fixed models on different cases."""

import numpy as np
import pytest
from compared_models import UNPAIRED_TESTS, answers, mirrored, table, turned
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

import referee
from referee.errors import Refusal
from referee.intervals import DIFFERENCE_INTERVALS


@pytest.mark.parametrize("test", UNPAIRED_TESTS)
@settings(max_examples=8, deadline=None)
@given(seed=st.integers(0, 10_000), n=st.integers(15, 60), m=st.integers(15, 60))
def test_swapping_models_on_different_cases(test, seed, n, m):
    parts = {"a": answers(n, (1.5,), seed), "b": answers(m, (0.4,), seed + 1)}
    truth = {k: p[0] for k, p in parts.items()}
    preds = {k: p[1]["a"] for k, p in parts.items()}
    scores = {k: p[2]["a"] for k, p in parts.items()}
    if any(min(t.sum(), len(t) - t.sum()) < 3 for t in truth.values()):
        return
    measure = "auc" if test == "delong-unpaired" else "error"
    mirrored(
        *(
            referee.compare_predictions(
                {k: truth[k] for k in p}, p, y_scores=scores, significance=test, measure=measure
            )
            for p in (preds, turned(preds))
        )
    )


def test_different_cases_against_scipy_boschloo():
    one, two = answers(60, (1.3,), 1), answers(45, (0.4,), 2)
    made = referee.compare_predictions(
        {"a": one[0], "b": two[0]}, {"a": one[1]["a"], "b": two[1]["a"]}
    )
    wrong = [int(np.sum(t != p["a"])) for t, p, _ in (one, two)]
    cells = [[wrong[0], wrong[1]], [60 - wrong[0], 45 - wrong[1]]]
    oracle = stats.boschloo_exact(cells)
    assert made.evidence.test == "boschloo"
    assert made.evidence.p_value == pytest.approx(oracle.pvalue, rel=0.02)
    assert made.difference.value == pytest.approx(wrong[0] / 60 - wrong[1] / 45)
    assert made.difference.interval.method == "exact-unpaired"


@pytest.mark.parametrize("name", ["exact-unpaired", "newcombe-unpaired", "wald-unpaired"])
def test_intervals_of_different_cases_by_name_against_the_function(name):
    truths = {"a": [0] * 60, "b": [0] * 50}
    preds = {"a": [1] * 6 + [0] * 54, "b": [1] * 15 + [0] * 35}
    made = referee.compare_predictions(truths, preds, interval=name)
    oracle = DIFFERENCE_INTERVALS[name].compute(6, 60, 15, 50, 0.95)
    interval = made.difference.interval
    assert (interval.low, interval.high, interval.method) == (oracle.low, oracle.high, name)
    assert DIFFERENCE_INTERVALS[name].cited in made.methods


def test_an_interval_of_the_same_cases_is_refused_on_different_ones():
    truths = {"a": [0, 1] * 30, "b": [0, 1] * 25}
    with pytest.raises(Refusal, match="tested on different; use interval='exact-unpaired'"):
        referee.compare_predictions(truths, truths, interval="tango")


def test_rows_needed_grow_with_dependence_and_count_both_test_sets():
    truth, preds = table(30, 20, both_right=430, both_wrong=20)
    plain = referee.compare_predictions(truth, preds).pairs[0]
    psi, delta = 50 / 500, 10 / 500
    z, w = stats.norm.ppf(0.975), stats.norm.ppf(0.8)
    connor = ((z * psi**0.5 + w * (psi - delta**2) ** 0.5) / delta) ** 2
    assert plain.rows_needed == pytest.approx(connor)
    group = np.arange(500) // 5
    grouped = referee.compare_predictions(truth, preds, groups=group).pairs[0]
    worth = grouped.difference.interval.n_effective
    assert grouped.rows_needed == pytest.approx(connor * 500 / worth)
    apart = referee.compare_predictions({"a": truth, "b": truth}, preds).pairs[0]
    p1, p2 = 40 / 500, 50 / 500
    mean = (p1 + p2) / 2
    fleiss = (z * (2 * mean * (1 - mean)) ** 0.5 + w * (p1 * (1 - p1) + p2 * (1 - p2)) ** 0.5) ** 2
    assert apart.rows_needed == pytest.approx(2 * fleiss / (p1 - p2) ** 2)
