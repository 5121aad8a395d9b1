"""Verdicts where one class has nearly all cases."""

import numpy as np
import pytest

import referee
from referee.core.results import Outcome


def table(n=3000, share=0.04, apart=2.0, threshold=2.0, seed=0):
    rng = np.random.default_rng(seed)
    truth = (rng.random(n) < share).astype(int)
    score = apart * truth + rng.normal(size=n)
    return truth, (score > threshold).astype(int), score


def test_a_model_that_ranks_well_is_no_failure():
    truth, answer, score = table(threshold=1.0)
    e = referee.evaluate_predictions(truth, answer, y_score=score)
    assert e.error.interval.low > e.guessing.interval.high  # a FAIL by the error alone
    assert e.verdict.outcome is Outcome.UNDECIDED
    assert e.leading == "auc"
    assert e.verdict.sentence.index("AUC") < e.verdict.sentence.index("errs on")
    assert "costs" in e.verdict.sentence


def test_it_passes_where_its_answers_are_no_worse_than_one_answer():
    truth, answer, score = table(threshold=3.0)
    e = referee.evaluate_predictions(truth, answer, y_score=score)
    assert e.verdict.outcome is Outcome.PASS
    assert "the error says little" in e.verdict.sentence


def test_without_scores_balanced_accuracy_leads():
    truth, answer, _ = table()
    e = referee.evaluate_predictions(truth, answer, measures=["mcc"])
    assert e.leading == "balanced_accuracy"
    assert "balanced accuracy" in e.verdict.sentence
    assert list(e.estimates) == ["error", "mcc"]


def test_a_ranking_by_chance_is_not_shown_to_be_better():
    truth, answer, score = table(apart=0.0, seed=2)
    e = referee.evaluate_predictions(truth, answer, y_score=score)
    assert e.verdict.outcome in (Outcome.UNDECIDED, Outcome.FAIL)
    assert "not shown to be better than chance" in e.verdict.sentence


def test_a_ranking_upside_down_fails():
    truth, answer, score = table()
    e = referee.evaluate_predictions(truth, answer, y_score=-score)
    assert e.verdict.outcome is Outcome.FAIL


@pytest.mark.parametrize(("positives", "leading"), [(170, "error"), (160, "balanced_accuracy")])
def test_it_begins_beyond_one_to_five(positives, leading):
    truth = np.repeat([1, 0], [positives, 1000 - positives])
    answer = truth.copy()
    answer[::9] = 1 - answer[::9]
    assert referee.evaluate_predictions(truth, answer).leading == leading


def test_a_stated_claim_goes_first():
    truth, answer, score = table(threshold=1.0)
    e = referee.evaluate_predictions(truth, answer, y_score=score, max_error=0.5)
    assert e.leading == "error"
    assert e.verdict.outcome is Outcome.PASS
