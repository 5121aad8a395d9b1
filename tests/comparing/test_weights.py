"""Comparisons of weighted cases, against doubled rows, enumeration and the bootstrap."""

import numpy as np
import pytest
from sklearn.datasets import make_classification
from sklearn.linear_model import LogisticRegression
from sklearn.naive_bayes import GaussianNB

import referee
from referee.errors import Refusal

RNG = np.random.default_rng(4)
TRUTH = np.repeat([0, 1], [120, 80])
SCORES = {name: TRUTH + RNG.normal(0, s, 200) for name, s in (("a", 0.7), ("b", 1.1))}
ANSWERS = {name: (score > 0.5).astype(int) for name, score in SCORES.items()}
WEIGHT = RNG.uniform(0.2, 3, 200)


def compared(**options):
    return referee.compare_predictions(TRUTH, ANSWERS, y_scores=SCORES, **options)


def test_the_difference_is_the_weighted_one():
    c = compared(sample_weight=WEIGHT)
    wrong = {name: np.average(a != TRUTH, weights=WEIGHT) for name, a in ANSWERS.items()}
    assert c.difference.value == pytest.approx(wrong["a"] - wrong["b"])
    assert c.evidence.test == "paired-bootstrap"
    assert c.difference.interval.low < c.difference.value < c.difference.interval.high


def test_equal_weights_change_nothing():
    plain = compared(significance="paired-bootstrap")
    equal = compared(significance="paired-bootstrap", sample_weight=np.full(200, 2.5))
    assert equal.difference.value == pytest.approx(plain.difference.value)
    assert equal.difference.interval.low == pytest.approx(plain.difference.interval.low)
    areas = compared(measure="auc"), compared(measure="auc", sample_weight=np.full(200, 2.5))
    assert areas[0].evidence.test == areas[1].evidence.test == "delong-paired"
    assert areas[1].evidence.p_value == pytest.approx(areas[0].evidence.p_value)


def test_weighted_areas_have_an_interval_and_a_test():
    c = compared(measure="auc", sample_weight=WEIGHT)
    positive = TRUTH == 1
    pairs = WEIGHT[positive][:, None] * WEIGHT[~positive]
    areas = {}
    for name, s in SCORES.items():
        above = s[positive][:, None] > s[~positive]
        areas[name] = np.average(above, weights=pairs)
    assert c.difference.value == pytest.approx(areas["a"] - areas["b"])
    for place in c.standings:
        assert place.estimate.value == pytest.approx(areas[place.name])
        assert place.estimate.interval.low < areas[place.name] < place.estimate.interval.high


def test_tests_that_count_cases_are_refused():
    with pytest.raises(Refusal, match="counts every case once; with sample_weight use"):
        compared(sample_weight=WEIGHT, significance="mcnemar-exact")
    other = dict.fromkeys(ANSWERS, TRUTH)
    with pytest.raises(Refusal, match="knows weights"):
        referee.compare_predictions(other, ANSWERS, sample_weight=WEIGHT)
    with pytest.raises(Refusal, match="knows weights"):
        compared(sample_weight=WEIGHT, sequential=True)


def test_learners_are_compared_with_weights():
    X, y = make_classification(200, 5, flip_y=0.1, random_state=0)
    models = {"lr": LogisticRegression(), "nb": GaussianNB()}
    c = referee.compare(
        models, X, y, by="2x5", sample_weight=WEIGHT, weights_in_fit=True, random_state=0
    )
    assert c.evidence.test == "corrected-t"
    alone = referee.evaluate(
        models["lr"], X, y, by="2x5",
        sample_weight=WEIGHT, weights_in_fit=True, random_state=0,
    )  # fmt: skip
    place = next(s for s in c.standings if s.name == "lr")
    assert place.estimate.value == pytest.approx(alone.error.value)
    assert "weights in every fit" in c.how


def test_evaluations_with_the_same_weights_can_be_compared():
    e = {
        name: referee.evaluate_predictions(TRUTH, a, sample_weight=WEIGHT)
        for name, a in ANSWERS.items()
    }
    wrong = {name: np.average(a != TRUTH, weights=WEIGHT) for name, a in ANSWERS.items()}
    assert referee.compare(e).difference.value == pytest.approx(wrong["a"] - wrong["b"])
    e["b"] = referee.evaluate_predictions(TRUTH, ANSWERS["b"])
    with pytest.raises(Refusal, match="other cases"):
        referee.compare(e)
