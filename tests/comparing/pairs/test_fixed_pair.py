"""Two fixed models on the same cases: the right test, rightly fed."""

import itertools
import math
import re

import numpy as np
import pandas as pd
import pytest
from compared_models import (
    COUNTED,
    FIXED_TESTS,
    ORACLES,
    answers,
    costs_of,
    mirrored,
    table,
    turned,
)
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats
from statsmodels.stats.contingency_tables import mcnemar

import referee
from referee.core import Outcome, Target
from referee.errors import RefereeError, Refusal

LOWER = {"error", "fpr", "fnr", "log_loss", "brier", "cost"}


FIXED = {name: {} for name in FIXED_TESTS} | {
    "delong-paired": {"measure": "auc"},
    "paired-bootstrap": {"measure": "mcc"},
}


@pytest.mark.parametrize(("b", "c"), [(0, 0), (1, 0), (3, 3), (2, 9), (15, 4), (0, 8), (40, 20)])
def test_fixed_models_against_statsmodels_exact_mcnemar(b, c):
    truth, preds = table(b, c)
    made = referee.compare_predictions(truth, preds)
    right_a, right_b = preds["a"] == truth, preds["b"] == truth
    oracle = mcnemar(pd.crosstab(right_a, right_b).to_numpy(), exact=True)
    assert made.evidence.test == "mcnemar-exact"
    assert made.evidence.p_value == pytest.approx(min(1.0, oracle.pvalue), abs=1e-12)
    assert made.difference.value == pytest.approx(np.mean(~right_a) - np.mean(~right_b))
    assert made.difference.interval.method == "exact-paired"
    assert made.evidence.target is Target.FIXED
    assert (made.pairs[0].counts.first_right, made.pairs[0].counts.second_right) == (b, c)


def test_bonett_price_interval_against_its_formula():
    truth, preds = table(9, 25)
    made = referee.compare_predictions(truth, preds, level=0.9, interval="bonett-price")
    n = len(truth)
    p12, p21 = (25 + 1) / (n + 2), (9 + 1) / (n + 2)
    se = math.sqrt((p12 + p21 - (p12 - p21) ** 2) / (n + 2))
    half = stats.norm.ppf(0.95) * se
    ends = (made.difference.interval.low, made.difference.interval.high)
    assert ends == pytest.approx((p12 - p21 - half, p12 - p21 + half))


def test_string_labels_of_three_classes_against_statsmodels():
    rng = np.random.default_rng(3)
    names = np.array(["red", "green", "blue"])
    truth = rng.integers(0, 3, 300)
    preds = {
        m: names[np.where(rng.random(300) < e, rng.integers(0, 3, 300), truth)]
        for m, e in (("good", 0.1), ("bad", 0.4))
    }
    made = referee.compare_predictions(names[truth], preds)
    cells = pd.crosstab(*(preds[m] == names[truth] for m in preds)).to_numpy()
    assert made.evidence.p_value == pytest.approx(mcnemar(cells, exact=True).pvalue)
    assert made.verdict.outcome is Outcome.FIRST
    assert "good is better than bad" in made.verdict.sentence


@pytest.mark.parametrize("classes", [2, 5, 60])
@pytest.mark.parametrize("measure", ["error", "recall", "specificity"])
def test_counts_of_pairs_against_the_cases_themselves(classes, measure):
    """Sixty classes have more kinds of cases than are counted, two have eight."""
    rng = np.random.default_rng(classes)
    truth = np.append(np.arange(classes), rng.integers(0, classes, 400))
    preds = {m: np.where(rng.random(len(truth)) < 0.3, truth[::-1], truth) for m in "ab"}
    preds["b"] = np.where(rng.random(len(truth)) < 0.2, rng.permutation(truth), preds["b"])
    made = referee.compare_predictions(truth, preds, measure=measure, pos_label=1)
    kept = {"error": truth >= 0, "recall": truth == 1, "specificity": truth != 1}[measure]
    right = [p == truth if measure == "error" else (p == 1) == (truth == 1) for p in preds.values()]
    counts, (a, b) = made.pairs[0].counts, (r[kept] for r in right)
    cells = [np.sum(a & b), np.sum(a & ~b), np.sum(~a & b), np.sum(~a & ~b)]
    assert [counts.both_right, counts.first_right, counts.second_right, counts.both_wrong] == cells


@pytest.mark.parametrize("measure", ORACLES)
def test_difference_of_fixed_models_against_sklearn(measure):
    truth, preds, scores = answers()
    made = referee.compare_predictions(
        truth, preds, y_scores=scores, measure=measure, **costs_of(measure)
    )
    a, b = (ORACLES[measure](truth, preds[m], scores[m]) for m in "ab")
    assert made.estimates["a"].value == pytest.approx(a)
    assert made.difference.value == pytest.approx(a - b)
    assert made.difference.value in made.difference.interval
    assert made.verdict.outcome is Outcome.FIRST  # a knows twice as much
    assert made.best == ("a",)
    assert (a < b) == (measure in LOWER)
    word = "lower" if measure in LOWER else "higher"
    assert f" {word} (95 % interval" in made.verdict.sentence
    expected = "mcnemar-exact" if measure in COUNTED else "paired-bootstrap"
    assert made.evidence.test == ("delong-paired" if measure == "auc" else expected)


@pytest.mark.parametrize("measure", ORACLES)
def test_the_worse_model_named_first_gives_second(measure):
    truth, preds, scores = answers()
    made = referee.compare_predictions(
        truth, turned(preds), y_scores=scores, measure=measure, **costs_of(measure)
    )
    assert made.verdict.outcome is Outcome.SECOND
    assert made.verdict.sentence.startswith("a is better than b")
    assert made.pairs[0].better == "a"


@pytest.mark.parametrize("measure", ["tpr", "tnr", "fpr", "fnr"])
def test_rates_of_a_class_against_mcnemar_on_its_cases(measure):
    truth, preds, _ = answers()
    made = referee.compare_predictions(truth, preds, measure=measure)
    of = truth == (measure in ("tpr", "fnr"))
    cells = pd.crosstab(preds["a"][of] == truth[of], preds["b"][of] == truth[of]).to_numpy()
    assert made.evidence.p_value == pytest.approx(mcnemar(cells, exact=True).pvalue)
    assert made.evidence.n == made.difference.n == of.sum()


def test_rate_of_one_class_among_three_ignores_errors_between_the_others():
    truth = np.repeat(["a", "b", "c"], 40)
    one, two = truth.copy(), truth.copy()
    one[40:60], two[40:50] = "c", "a"
    made = referee.compare_predictions(
        truth, {"one": one, "two": two}, measure="fpr", pos_label="a"
    )
    assert made.difference.value == pytest.approx(0 - 10 / 80)
    assert made.verdict.outcome is Outcome.FIRST


@pytest.mark.parametrize("positive", ["ill", "well"])
def test_positive_class_decides_which_cases_are_counted(positive):
    truth = np.array(["ill"] * 50 + ["well"] * 70)
    a, b = truth.copy(), truth.copy()
    b[:12], a[50:53] = "well", "ill"
    made = referee.compare_predictions(truth, {"a": a, "b": b}, measure="tpr", pos_label=positive)
    expected = {"ill": 12 / 50, "well": -3 / 70}[positive]
    assert made.difference.value == pytest.approx(expected)
    assert made.pos_label == positive


@pytest.mark.parametrize(
    "name", ["exact-paired", "bonett-price", "tango", "newcombe-paired", "wald-paired"]
)
def test_every_interval_by_name_is_mirrored_and_holds_the_difference(name):
    truth, preds = table(8, 20)
    made, back = (
        referee.compare_predictions(truth, p, interval=name) for p in (preds, turned(preds))
    )
    i, j = made.difference.interval, back.difference.interval
    assert i.method == name
    assert made.difference.value in i
    assert (j.low, j.high) == pytest.approx((-i.high, -i.low))


def test_the_interval_of_groups_by_name_is_the_automatic_one():
    truth, preds = table(8, 20)
    groups = np.arange(len(truth)) // 4
    auto, named = (
        referee.compare_predictions(truth, preds, groups=groups, interval=name)
        for name in ("auto", "bonett-price-clustered")
    )
    assert auto.difference == named.difference
    with pytest.raises(Refusal, match="none were given; use interval='exact-paired'"):
        referee.compare_predictions(truth, preds, interval="bonett-price-clustered")


def test_accuracy_and_error_tell_the_same_story():
    truth, preds = table(30, 9)
    error, accuracy = (
        referee.compare_predictions(truth, preds, measure=m) for m in ("error", "accuracy")
    )
    assert accuracy.difference.value == pytest.approx(-error.difference.value)
    assert accuracy.difference.interval.low == pytest.approx(-error.difference.interval.high)
    assert accuracy.evidence.p_value == error.evidence.p_value
    assert accuracy.verdict.outcome is error.verdict.outcome is Outcome.FIRST
    assert "accuracy of a" in accuracy.verdict.sentence


def test_other_names_of_measures_are_understood():
    truth, preds, scores = answers()
    for alias, name in (("recall", "tpr"), ("specificity", "tnr"), ("roc_auc", "auc")):
        one, other = (
            referee.compare_predictions(truth, preds, y_scores=scores, measure=m)
            for m in (alias, name)
        )
        assert one.difference.value == other.difference.value


def test_groups_of_one_case_give_mcnemars_exact_test_and_its_interval():
    truth, preds = table(12, 27)
    plain = referee.compare_predictions(truth, preds)
    grouped = referee.compare_predictions(truth, preds, groups=np.arange(len(truth)))
    assert grouped.evidence.test == "group-flip"
    assert grouped.evidence.p_value == pytest.approx(plain.evidence.p_value, rel=1e-12)
    i, j = plain.difference.interval, grouped.difference.interval
    assert (j.low, j.high) == pytest.approx((i.low, i.high), abs=0.005)
    assert grouped.verdict.outcome is plain.verdict.outcome


def test_groups_against_all_sign_patterns():
    rng = np.random.default_rng(5)
    group = np.repeat(np.arange(8), 6)
    truth = rng.integers(0, 2, 48)
    preds = {m: np.where(rng.random(48) < e, 1 - truth, truth) for m, e in (("a", 0.1), ("b", 0.4))}
    made = referee.compare_predictions(truth, preds, groups=group)
    loss = (preds["a"] != truth).astype(int) - (preds["b"] != truth)
    sums = np.bincount(group, weights=loss)
    signs = np.array(list(itertools.product([-1, 1], repeat=8)))
    oracle = np.mean(np.abs(signs @ sums) >= abs(sums.sum()))
    assert made.evidence.p_value == pytest.approx(oracle)


def test_one_group_only_is_refused():
    truth, preds = table(12, 3)
    with pytest.raises(RefereeError, match="one group"):
        referee.compare_predictions(truth, preds, groups=np.zeros(len(truth)))


@pytest.mark.parametrize("count", [2, 3, 5])
def test_few_groups_say_the_smallest_p_they_can_give(count):
    truth = np.arange(60) % 2
    b = np.where(np.arange(60) % 4 == 0, 1 - truth, truth)
    group = np.arange(60) // (60 // count)
    made = referee.compare_predictions(truth, {"a": truth, "b": b}, groups=group)
    least = 2.0 ** (1 - count)
    assert made.evidence.p_value == pytest.approx(least)
    assert made.verdict.outcome is Outcome.UNDECIDED
    said = re.search(r"smallest p possible is (\.\d+)", made.verdict.sentence)
    assert float(said[1]) == pytest.approx(least, abs=0.006)
    assert f"{count} groups" in made.verdict.sentence


@pytest.mark.parametrize("each", [4, 5])
def test_groups_that_are_all_alike_are_worth_their_number(each):
    # Every group has the same share of errors; whether that share has a finite binary
    # expansion (1/4) or not (1/5) must not matter.
    size = 20
    truth = np.zeros(2 * size, dtype=int)
    truth[::2] = 1
    b = np.where(np.arange(2 * size) % each == 0, 1 - truth, truth)
    made = referee.compare_predictions(
        truth, {"a": truth, "b": b}, groups=np.arange(2 * size) // size
    )
    assert made.difference.interval.n_effective == pytest.approx(2.0)


# The paired t is of quantities: tests/comparing/test_quantities.py turns it round.
@pytest.mark.parametrize("test", [name for name in FIXED_TESTS if name != "paired-t"])
@settings(max_examples=12, deadline=None)
@given(seed=st.integers(0, 10_000), n=st.integers(20, 90), gap=st.floats(0, 1.5))
def test_swapping_fixed_models(test, seed, n, gap):
    truth, preds, scores = answers(n, (0.5 + gap, 0.5), seed)
    if min(truth.sum(), n - truth.sum()) < 3 or any(len(set(p)) < 2 for p in preds.values()):
        return
    extra = {"groups": np.arange(n) // 3} if test == "group-flip" else {}
    mirrored(
        *(
            referee.compare_predictions(
                truth, p, y_scores=scores, significance=test, **FIXED[test], **extra
            )
            for p in (preds, turned(preds))
        )
    )


@pytest.mark.parametrize("measure", ["error", "log_loss", "auc50", "cost", "f1", "precision"])
def test_swapping_under_the_bootstrap_of_every_kind(measure):
    truth, preds, scores = answers(80, (0.9, 0.6), 3)
    mirrored(
        *(
            referee.compare_predictions(
                truth,
                p,
                y_scores=scores,
                measure=measure,
                significance="paired-bootstrap",
                **costs_of(measure),
            )
            for p in (preds, turned(preds))
        )
    )
