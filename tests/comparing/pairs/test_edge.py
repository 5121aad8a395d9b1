"""Interval and test that disagree at the edge: the report says so, in both directions."""

import json

import numpy as np
import pytest

from referee import Scores, compare_predictions, compare_scores
from referee.comparing.pairs.edge import edge_sentence
from referee.core.results import Estimate, Evidence, Interval
from referee.significance.comparison_test import ComparisonTest, Setting

Y = [0, 1] * 4 + [0]
DECIDES = "different procedures that may disagree at the edge, and the test decides"


def answers(wrong, y=Y):
    return [1 - v if i in wrong else v for i, v in enumerate(y)]


def judged(low, high, p, level=0.95):
    interval = Interval(low=low, high=high, level=level, method="any")
    difference = Estimate(name="error", value=0.1, interval=interval, n=9, method="any")
    return edge_sentence(
        difference, Evidence(test="any", statistic=0.0, p_value=p, null="alike", n=9)
    )


@pytest.mark.parametrize(
    ("low", "high", "p", "level", "seen"),
    [
        (0.1, 0.2, 0.0501, 0.95, "95 % interval leaves out 0 although p is above .05"),
        (-0.2, -0.1, 0.02, 0.99, "99 % interval leaves out 0 although p is above .01"),
        (-0.1, 0.2, 0.04, 0.95, "95 % interval holds 0 although p is at most .05"),
        (0.0, 0.2, 0.05, 0.95, "95 % interval holds 0 although p is at most .05"),
    ],
)
def test_disagreement_is_told_in_both_directions(low, high, p, level, seen):
    assert seen in judged(low, high, p, level)


@pytest.mark.parametrize(
    ("low", "high", "p"),
    [(0.1, 0.2, 0.05), (0.1, 0.2, 0.001), (-0.1, 0.2, 0.2), (0.1, 0.2, np.nan)],
)
def test_nothing_is_said_where_they_agree_or_nothing_was_tested(low, high, p):
    assert judged(low, high, p) == ""


def test_mcnemar_does_not_follow_the_exact_interval_of_nine_cases(tmp_path):
    made = compare_predictions(
        Y, {"a": answers(range(1, 8)), "b": answers([0])}, task="classification"
    )
    assert "3.7 to 92.9 points), exact McNemar p = .070" in made.verdict.sentence
    assert DECIDES in made.verdict.sentence
    assert DECIDES in " ".join(str(made).split())
    assert DECIDES in json.loads(made.to_json())["verdict"]["sentence"]
    assert DECIDES in " ".join(made._repr_html_().split())


def test_an_interval_that_holds_0_under_a_test_that_rejects():
    test = ComparisonTest(
        "always",
        title="a test that always rejects",
        setting=Setting.SAME_CASES,
        compute=lambda sample: Evidence(
            test="always", statistic=1.0, p_value=0.01, null="none", n=sample.n
        ),
    )
    made = compare_predictions(
        Y, {"a": answers([1, 2]), "b": answers([0])}, significance=test, task="classification"
    )
    assert "interval holds 0 although p is at most .05" in made.verdict.sentence


def test_of_several_models_the_table_of_pairs_says_it():
    models = {"a": answers(range(1, 8)), "b": answers([0]), "c": answers([0, 1])}
    text = " ".join(str(compare_predictions(Y, models, task="classification")).split())
    assert "a against b: The 95 % interval leaves out 0" in text


def test_scores_say_it_too():
    items = {"item": [*range(9)] * 2, "model": ["a"] * 9 + ["b"] * 9}
    right = [i in (0, 8) for i in range(9)] + [i != 0 for i in range(9)]
    made = compare_scores(Scores.of(items | {"score": [int(r) for r in right]}))
    assert DECIDES in made.verdict.sentence
