"""The paragraph for a paper names what was done."""

import numpy as np
import pytest
from compared_models import UNPAIRED_TESTS, answers

import referee


@pytest.mark.parametrize("adjust", ["holm", "hochberg", "benjamini-hochberg"])
def test_methods_paragraph_names_models_test_level_and_adjustment(adjust):
    truth, preds, _ = answers(100, (1.2, 0.8, 0.5))
    made = referee.compare_predictions(truth, preds, adjust=adjust, level=0.9)
    assert "a, b and c" in made.methods
    assert "McNemar's exact test" in made.methods
    assert "10 % level" in made.methods
    assert adjust.split("-")[0] in made.methods.lower()
    if adjust == "benjamini-hochberg":  # controls the share of false claims, not any false claim
        assert "simultaneous" not in made.methods
        assert "simultaneous" not in made.to_text()


@pytest.mark.parametrize("test", UNPAIRED_TESTS)
def test_methods_paragraph_of_different_cases_names_the_test_in_words(test):
    truth, preds, scores = answers()
    measure = "auc" if test == "delong-unpaired" else "error"
    made = referee.compare_predictions(
        {"a": truth, "b": truth}, preds, y_scores=scores, measure=measure, significance=test
    )
    assert f"tested with {test}," not in made.methods
    assert "480 cases" in made.methods


def test_areas_of_groups_name_obuchowski_groups_and_degrees_of_freedom():
    rng = np.random.default_rng(0)
    groups = np.repeat(np.arange(40), 5)
    truth = (groups < 15).astype(int)
    scores = {name: truth + rng.normal(size=200) for name in "ab"}
    given = {name: (s > 0.5).astype(int) for name, s in scores.items()}
    made = referee.compare_predictions(truth, given, y_scores=scores, groups=groups, measure="auc")
    assert "200 cases in 40 groups" in made.methods
    assert "Obuchowski's variance of groups" in made.methods
    assert "14 degrees of freedom" in made.methods  # 15 groups of positives
    assert any(work.key == "Obuchowski 1997" for work in made.citations)
    alone = referee.compare_predictions(truth, given, y_scores=scores, measure="auc")
    assert "Obuchowski" not in alone.methods
