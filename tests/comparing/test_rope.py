"""Equivalence and non-inferiority against a rope."""

import numpy as np
import pytest
from compared_models import (
    MODELS,
    POWER,
    answers,
    corrected,
    main_rows,
    table,
    turned,
    zero_one,
)
from scipy import stats
from statsmodels.stats.multitest import multipletests

import referee
from referee.core import Outcome


def test_equivalence_is_shown_with_a_rope_and_many_cases():
    truth, preds = table(10, 11, both_right=900, both_wrong=79)
    made = referee.compare_predictions(truth, preds, rope=0.03)
    assert made.verdict.outcome is Outcome.EQUIVALENT
    assert made.verdict.shown
    assert "equivalent within 3.0 points" in made.verdict.sentence
    assert made.pairs[0].equivalence.p_value <= 0.05
    assert referee.compare_predictions(truth, preds).verdict.outcome is Outcome.UNDECIDED


def test_equivalence_is_not_shown_by_few_cases():
    truth, preds = table(2, 2, both_right=20, both_wrong=2)
    made = referee.compare_predictions(truth, preds, rope=0.03)
    assert made.verdict.outcome is Outcome.UNDECIDED


def test_a_shown_difference_inside_the_rope_is_equivalence():
    truth, preds = table(40, 15, both_right=4800, both_wrong=145)
    made = referee.compare_predictions(truth, preds, rope=0.02)
    assert made.evidence.p_value < 0.05
    assert made.verdict.outcome is Outcome.EQUIVALENT


def test_a_difference_beyond_the_rope_is_a_difference():
    truth, preds = table(60, 10)
    assert referee.compare_predictions(truth, preds, rope=0.01).verdict.outcome is Outcome.FIRST


def test_equivalence_of_learners_against_two_one_sided_t_tests(twice, cancer):
    made = referee.compare(MODELS, *cancer, by="2x5", rope=0.2, random_state=0)
    d = zero_one(main_rows(twice, "nb")) - zero_one(main_rows(twice, "knn"))
    per_split = d.groupby(main_rows(twice, "nb").split).mean().to_numpy()
    value, se, df = corrected(per_split, 112, 28)
    oracle = max(stats.t.cdf((value - 0.2) / se, df), stats.t.sf((value + 0.2) / se, df))
    assert made.pairs[0].equivalence.p_value == pytest.approx(oracle)
    assert made.verdict.outcome is Outcome.EQUIVALENT
    posterior = made.pairs[0].posterior
    total = posterior.first_better + posterior.equivalent + posterior.second_better
    assert total == pytest.approx(1)
    assert posterior.equivalent > 0.95


@pytest.mark.parametrize("measure", ["error", "accuracy"])
def test_non_inferiority_asks_about_the_first_model_only(measure):
    truth, preds = table(30, 9, both_right=500)
    better, worse = (
        referee.compare_predictions(truth, p, claim="non-inferior", rope=0.01, measure=measure)
        for p in (preds, turned(preds))
    )
    assert better.verdict.outcome is Outcome.PASS
    assert "a is not worse than b by more than 1.0 points" in better.verdict.sentence
    assert worse.verdict.outcome is Outcome.FAIL
    assert "is worse than" in worse.verdict.sentence
    assert "was not shown to be within 1.0 points" in worse.verdict.sentence
    assert POWER.search(worse.verdict.sentence)


@pytest.mark.parametrize("measure", ["auc", "mcc", "log_loss"])
def test_non_inferiority_by_other_measures_knows_their_direction(measure):
    truth, preds, scores = answers()
    for p, outcome in ((preds, Outcome.PASS), (turned(preds), Outcome.FAIL)):
        made = referee.compare_predictions(
            truth, p, y_scores=scores, measure=measure, claim="non-inferior", rope=0.02
        )
        assert made.verdict.outcome is outcome


def test_a_shown_claim_is_not_followed_by_the_cases_of_another_claim():
    # "to show x takes about n cases" speaks of a difference; nothing is missing here.
    truth, preds = table(30, 9, both_right=500)
    made = referee.compare_predictions(truth, preds, claim="non-inferior", rope=0.01)
    assert made.verdict.outcome is Outcome.PASS
    assert "takes about" not in made.verdict.sentence


@pytest.mark.parametrize("first", ["best", "middle", "worst"])
def test_non_inferiority_against_several_others_can_be_reported(first):
    truth, preds, _ = answers(200, (1.6, 1.0, 0.3))
    order = {"best": "abc", "middle": "bac", "worst": "cab"}[first]
    made = referee.compare_predictions(
        truth, {m: preds[m] for m in order}, claim="non-inferior", rope=0.05
    )
    assert len(made.pairs) == 2
    assert {d.first for d in made.pairs} == {order[0]}
    assert (made.verdict.outcome is Outcome.PASS) == (first == "best")
    assert made.difference.interval is not None
    assert made.to_json()
    if made.verdict.outcome is Outcome.UNDECIDED:
        assert POWER.search(made.verdict.sentence)


def test_all_of_several_models_can_be_equivalent():
    truth, preds = table(12, 12, both_right=2000, both_wrong=100)
    preds["c"] = preds["a"].copy()
    made = referee.compare_predictions(truth, preds, rope=0.03)
    assert made.verdict.outcome is Outcome.EQUIVALENT
    assert "All 3 models are equivalent" in made.verdict.sentence


def test_equivalence_is_adjusted_like_the_difference():
    truth, preds = table(30, 34, both_right=700, both_wrong=36)
    preds["c"] = preds["b"].copy()
    preds["c"][::97] = 1 - preds["c"][::97]
    made = referee.compare_predictions(truth, preds, rope=0.04)
    alone = [
        referee.compare_predictions(
            truth, {d.first: preds[d.first], d.second: preds[d.second]}, rope=0.04
        )
        .pairs[0]
        .equivalence.p_value
        for d in made.pairs
    ]
    expected = multipletests(alone, method="holm")[1]
    assert [d.equivalence.p_value for d in made.pairs] == pytest.approx(list(expected))
    assert max(expected) > max(alone) or max(expected) > 1.5 * min(alone)


def test_equivalence_with_groups_counts_independent_pairs_only():
    # Fifty groups of ten alike are worth fifty cases, not five hundred.
    truth, preds = table(4, 4, both_right=40, both_wrong=2)
    many = {m: np.repeat(p, 10) for m, p in preds.items()}
    group = np.repeat(np.arange(50), 10)
    made = referee.compare_predictions(np.repeat(truth, 10), many, groups=group, rope=0.1)
    plain = referee.compare_predictions(np.repeat(truth, 10), many, rope=0.1)
    few = referee.compare_predictions(truth, preds, rope=0.1)
    assert plain.verdict.outcome is Outcome.EQUIVALENT
    assert made.verdict.outcome is Outcome.UNDECIDED
    assert made.pairs[0].equivalence.p_value == pytest.approx(
        few.pairs[0].equivalence.p_value, abs=0.06
    )
