"""What a comparison could detect, in numbers and in words."""

import re

import numpy as np
import pytest
from compared_models import MODELS, POWER, answers, table
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats
from sklearn.datasets import load_iris
from sklearn.neighbors import KNeighborsClassifier

import referee
from referee.core import Outcome


@pytest.mark.parametrize(("n", "least"), [(1, "1"), (3, ".25"), (5, ".062")])
def test_too_few_cases_to_ever_reach_the_level(n, least):
    made = referee.compare_predictions([1] * n, {"a": [1] * n, "b": [0] * n}, labels=[0, 1])
    assert made.verdict.outcome is Outcome.UNDECIDED
    assert f"too few to ever show it: the smallest p possible is {least}" in made.verdict.sentence
    promised = re.search(r"takes about ([\d ]+) case", made.verdict.sentence)
    if promised:  # six cases are the fewest with which the exact test can reach 5 %
        assert int(promised[1].replace(" ", "")) >= 6


def test_six_cases_are_enough():
    made = referee.compare_predictions([1] * 6, {"a": [1] * 6, "b": [0] * 6}, labels=[0, 1])
    assert made.evidence.p_value == 0.03125
    assert made.verdict.outcome is Outcome.FIRST


def test_few_discordant_cases_among_many_name_their_number_and_smallest_p():
    truth, preds = table(3, 1)
    sentence = referee.compare_predictions(truth, preds).verdict.sentence
    assert "only 4 of 74 test cases tell them apart" in sentence
    assert "smallest p possible is .12" in sentence


@pytest.mark.parametrize("test", ["mcnemar-midp", "mcnemar-asymptotic"])
def test_smallest_p_is_that_of_the_test_that_was_used(test):
    truth, preds = table(4, 1, both_right=95, both_wrong=0)
    made = referee.compare_predictions(truth, preds, significance=test)
    best = referee.compare_predictions(*table(5, 0, both_right=95, both_wrong=0), significance=test)
    assert best.evidence.p_value < 0.05
    assert made.verdict.outcome is Outcome.UNDECIDED
    assert "smallest p possible is .062" not in made.verdict.sentence


@pytest.mark.parametrize(("measure", "most"), [("auc", 1), ("mcc", 2), ("kappa", 2), ("f1", 1)])
def test_no_difference_beyond_what_the_measure_can_show(measure, most):
    # Two positive cases: the interval of an area is not -3.8 to 4.3, and no number of cases
    # "could detect" a difference of 4.5.
    truth = np.array([0, 1] * 2 + [0] * 8)
    rng = np.random.default_rng(0)
    preds = {"a": truth.copy(), "b": truth.copy()}
    preds["a"][[1, 5]] ^= 1
    preds["b"][[0, 3, 6]] ^= 1
    scores = {m: rng.random(12) for m in preds}
    made = referee.compare_predictions(truth, preds, y_scores=scores, measure=measure)
    i = made.difference.interval
    assert -most <= i.low <= i.high <= most
    assert made.pairs[0].detectable is None or made.pairs[0].detectable <= most
    assert POWER.search(made.verdict.sentence)


def test_no_difference_of_learners_beyond_a_hundred_points():
    X, y = load_iris(return_X_y=True)
    rows = np.r_[50:56, 100:106]
    made = referee.compare(MODELS, X[rows], y[rows], by=2, random_state=3)
    i = made.difference.interval
    assert -1 <= i.low <= i.high <= 1
    assert made.pairs[0].detectable is None or made.pairs[0].detectable <= 1


@settings(max_examples=20, deadline=None)
@given(st.tuples(*[st.integers(0, 12)] * 2), st.integers(0, 40), st.sampled_from([0.0, 0.02]))
def test_every_not_shown_sentence_has_a_power_statement(differ, right, rope):
    truth, preds = table(*differ, both_right=right + 2, both_wrong=2)
    made = referee.compare_predictions(truth, preds, rope=rope)
    if made.verdict.outcome is Outcome.UNDECIDED:
        assert POWER.search(made.verdict.sentence), made.verdict.sentence
    assert made.verdict.sentence.endswith(".")
    assert "nan" not in made.verdict.sentence
    assert " inf" not in made.verdict.sentence


@settings(max_examples=25, deadline=None)
@given(st.tuples(*[st.integers(0, 15)] * 2), st.integers(0, 60))
def test_an_undecided_difference_never_needs_fewer_cases_than_there_were(differ, right):
    truth, preds = table(*differ, both_right=right + 2, both_wrong=2)
    made = referee.compare_predictions(truth, preds)
    pair = made.pairs[0]
    if pair.outcome is Outcome.UNDECIDED and pair.rows_needed is not None:
        assert pair.rows_needed >= len(truth)


@pytest.mark.parametrize("test", ["5x2cv-t", "5x2cv-f"])
def test_a_test_without_a_power_formula_does_not_blame_the_cases(test, cancer):
    models = {"three": KNeighborsClassifier(3), "five": KNeighborsClassifier(5)}
    made = referee.compare(models, *cancer, by="5x2", significance=test, random_state=0)
    assert made.verdict.outcome is Outcome.UNDECIDED
    assert "too few" not in made.verdict.sentence
    assert "so alike" not in made.verdict.sentence


@pytest.mark.parametrize("k", [3, 5])
def test_several_models_not_told_apart_have_a_power_statement(k):
    truth, preds, _ = answers(60, (0.8,) * k, seed=2)
    made = referee.compare_predictions(truth, preds)
    assert made.verdict.outcome is Outcome.UNDECIDED
    assert "share the first place" in made.verdict.sentence
    assert POWER.search(made.verdict.sentence)


def test_detectable_difference_of_learners_against_the_t_formula(twice):
    pair = twice.pairs[0]
    i = pair.difference.interval
    se = (i.high - i.low) / 2 / stats.t.ppf(0.975, 9)
    expected = se * (stats.t.ppf(0.975, 9) + stats.t.ppf(0.8, 9))
    assert pair.detectable == pytest.approx(expected)
    assert pair.rows_needed == pytest.approx(140 * (expected / pair.difference.value) ** 2)


def test_power_is_judged_at_the_level_of_the_smallest_adjusted_p():
    truth, preds, _ = answers(150, (0.8, 0.8))
    two = referee.compare_predictions(truth, preds)
    preds["c"] = preds["a"].copy()
    three = referee.compare_predictions(truth, preds)
    assert three.pair("a", "b").detectable > two.pairs[0].detectable


def test_groups_too_few_to_tell_are_counted_as_groups():
    truth = np.arange(60) % 2
    b = np.where(np.arange(60) < 12, 1 - truth, truth)
    made = referee.compare_predictions(
        truth, {"a": truth, "b": b}, groups=np.repeat(np.arange(4), 15)
    )
    assert "too few groups" in made.verdict.sentence
    assert "12 of 60" not in made.verdict.sentence
