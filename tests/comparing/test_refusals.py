"""Tests and intervals that do not suit are refused with an alternative."""

import numpy as np
import pytest
from compared_models import HALVED, LEARNER_TESTS, MODELS, UNPAIRED_TESTS, answers, table
from sklearn.model_selection import ShuffleSplit

import referee
from referee.errors import RefereeError, Refusal


@pytest.mark.parametrize("test", ["mcnemar-exact", "mcnemar-midp", "paired-bootstrap"])
@pytest.mark.parametrize("by", [3, "2x3"])
def test_fixed_tests_on_pooled_cross_validation_are_refused(test, by, cancer):
    with pytest.raises(Refusal, match="calibrated-t") as caught:
        referee.compare(MODELS, *cancer, by=by, significance=test, random_state=0)
    assert "corrected-t" in str(caught.value)
    assert "by='holdout'" in str(caught.value)


@pytest.mark.parametrize("test", UNPAIRED_TESTS)
def test_tests_of_different_cases_are_refused_for_learners(test, cancer):
    with pytest.raises(Refusal, match="corrected-t"):
        referee.compare(MODELS, *cancer, by=3, significance=test, random_state=0)


def test_uncorrected_t_over_repeated_cross_validation_is_refused(cancer):
    with pytest.raises(Refusal, match="corrected-t"):
        referee.compare(MODELS, *cancer, by="2x5", significance="kfold-t", random_state=0)


def test_uncorrected_t_over_repeated_holdout_is_refused(cancer):
    by = ShuffleSplit(5, test_size=0.2, random_state=0)
    with pytest.raises(Refusal, match="corrected-t"):
        referee.compare(MODELS, *cancer, by=by, significance="kfold-t", random_state=0)


@pytest.mark.parametrize("by", ["resubstitution", "bootstrap"])
def test_training_errors_and_bootstrap_training_sets_are_refused(by, cancer):
    with pytest.raises(Refusal, match="by='auto'"):
        referee.compare(MODELS, *cancer, by=by, random_state=0)


@pytest.mark.parametrize("by", ["resubstitution", "bootstrap"])
def test_evaluations_by_training_error_or_bootstrap_are_refused_too(by, cancer):
    made = [referee.evaluate(m, *cancer, by=by, random_state=0) for m in MODELS.values()]
    with pytest.raises(Refusal, match="by="):
        referee.compare(made)


@pytest.mark.parametrize("test", LEARNER_TESTS)
def test_tests_of_learners_on_fixed_predictions_are_refused(test):
    truth, preds = table(5, 9)
    with pytest.raises(Refusal, match="mcnemar-exact"):
        referee.compare_predictions(truth, preds, significance=test)


@pytest.mark.parametrize("test", ["mcnemar-exact", "mcnemar-midp", "mcnemar-asymptotic"])
def test_mcnemar_with_groups_is_refused(test):
    truth, preds = table(5, 9)
    with pytest.raises(Refusal, match="group-flip"):
        referee.compare_predictions(
            truth, preds, groups=np.arange(len(truth)) // 2, significance=test
        )


@pytest.mark.parametrize(
    "interval", ["bonett-price", "tango", "newcombe-paired", "wald-paired", "newcombe-unpaired"]
)
def test_intervals_of_independent_cases_with_groups_are_refused(interval):
    truth, preds = table(5, 9)
    group = np.arange(len(truth)) // 2
    with pytest.raises(Refusal, match="use interval='bonett-price-clustered'"):
        referee.compare_predictions(truth, preds, groups=group, interval=interval)


@pytest.mark.parametrize("test", ["mcnemar-exact", "group-flip", "boschloo"])
def test_tests_that_do_not_suit_the_measure_are_refused(test):
    truth, preds, scores = answers()
    with pytest.raises(Refusal, match="delong-paired"):
        referee.compare_predictions(truth, preds, y_scores=scores, measure="auc", significance=test)


def test_flipping_groups_without_groups_asks_for_them():
    truth, preds = table(5, 9)
    with pytest.raises(Refusal, match="groups"):
        referee.compare_predictions(truth, preds, significance="group-flip")


@pytest.mark.parametrize("test", ["mcnemar-exact", "corrected-t", "paired-bootstrap"])
def test_paired_tests_on_different_cases_are_refused(test):
    truth, preds = table(5, 9)
    with pytest.raises(Refusal, match="boschloo"):
        referee.compare_predictions({"a": truth, "b": truth}, preds, significance=test)


def test_tests_of_counts_do_not_judge_areas_of_different_cases():
    truth, preds, scores = answers()
    both = {"a": truth, "b": truth}
    with pytest.raises(Refusal, match="delong-unpaired"):
        referee.compare_predictions(
            both, preds, y_scores=scores, measure="auc", significance="fisher"
        )
    with pytest.raises(Refusal, match="boschloo") as caught:
        referee.compare_predictions(both, preds, y_scores=scores, significance="delong-unpaired")
    assert "same cases" not in str(caught.value)  # it needs no same cases; it needs an area


@pytest.mark.parametrize("case", ["learners", "different cases", "area"])
def test_an_interval_that_cannot_be_had_is_refused_not_ignored(case, cancer):
    truth, preds, scores = answers()
    asked = {
        "learners": lambda: referee.compare(MODELS, *cancer, by=3, interval="tango"),
        "area": lambda: referee.compare_predictions(
            truth, preds, y_scores=scores, measure="auc", interval="tango"
        ),
        "different cases": lambda: referee.compare_predictions(
            {"a": truth, "b": truth}, preds, interval="tango"
        ),
    }
    with pytest.raises(RefereeError, match="interval"):
        asked[case]()


@pytest.mark.parametrize("extra", [{"groups": np.arange(94)}, {"rope": 0.1}])
def test_groups_and_rope_on_different_cases_are_refused(extra):
    truth, preds = table(10, 14)
    with pytest.raises(Refusal):
        referee.compare_predictions({"a": truth, "b": truth}, preds, **extra)


def test_other_measures_on_different_cases_are_refused():
    truth, preds = table(10, 14)
    with pytest.raises(Refusal, match="measure='error'"):
        referee.compare_predictions({"a": truth, "b": truth}, preds, measure="mcc")


@pytest.mark.parametrize("test", ["5x2cv-t", "5x2cv-f"])
def test_five_by_two_of_other_splits_is_refused(test, cancer):
    with pytest.raises(Refusal, match="by='5x2'"):
        referee.compare(MODELS, *cancer, by="2x5", significance=test, random_state=0)


def test_calibrated_t_without_halvings_is_refused(cancer):
    with pytest.raises(Refusal, match="by='calibrated-cv'"):
        referee.compare(MODELS, *cancer, by=3, significance="calibrated-t", random_state=0)


def test_calibrated_t_of_a_measure_without_case_losses_is_refused(cancer):
    with pytest.raises(Refusal, match="corrected-t"):
        referee.compare(
            MODELS, *cancer, by=HALVED, significance="calibrated-t", measure="auc", random_state=0
        )


def test_measure_undefined_in_most_splits_is_refused(cancer):
    X, y = cancer
    with pytest.raises(Refusal, match="undefined"):
        referee.compare(MODELS, X[:60], y[:60], by="loo", measure="mcc", random_state=0)


def test_a_rope_is_refused_where_the_test_cannot_judge_it(cancer):
    with pytest.raises(Refusal, match="corrected-t"):
        referee.compare(MODELS, *cancer, by="5x2", significance="5x2cv-f", rope=0.1, random_state=0)
