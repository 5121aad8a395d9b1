"""Evaluations of one plan are compared as their models are."""

import numpy as np
import pytest
from compared_models import MODELS, table
from sklearn.dummy import DummyClassifier
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier

import referee
from referee.core import Outcome
from referee.errors import InputError, Refusal


def test_evaluations_against_compare_of_the_same_splits(cancer):
    X, y = cancer
    kept = [(s.train, s.test) for s in referee.evaluate(GaussianNB(), X, y, by=5).plan.splits[:5]]
    made = {name: referee.evaluate(m, X, y, by=kept, random_state=0) for name, m in MODELS.items()}
    one = referee.compare(made)
    other = referee.compare(MODELS, X, y, by=kept, random_state=0)
    assert one.difference == other.difference
    assert one.evidence == other.evidence
    assert one.verdict == other.verdict


def test_evaluations_of_the_same_seed_share_the_plan_and_agree_with_compare(cancer):
    made = [referee.evaluate(m, *cancer, by="2x5", random_state=3) for m in MODELS.values()]
    one = referee.compare(made)
    other = referee.compare(list(MODELS.values()), *cancer, by="2x5", random_state=3)
    assert one.names == other.names == ("GaussianNB", "KNeighborsClassifier")
    if one.provenance.plan == other.provenance.plan:
        assert one.evidence == other.evidence
    assert one.difference.value == pytest.approx(
        made[0].error.value - made[1].error.value, abs=1e-9
    )


def test_evaluations_of_predictions_against_compare_predictions():
    truth, preds = table(22, 9)
    made = {m: referee.evaluate_predictions(truth, p) for m, p in preds.items()}
    one, other = referee.compare(made), referee.compare_predictions(truth, preds)
    assert one.difference == other.difference
    assert one.evidence == other.evidence
    assert one.verdict == other.verdict


def test_evaluations_by_different_plans_are_refused(cancer):
    one = referee.evaluate(GaussianNB(), *cancer, by=5, random_state=0)
    for other in (
        referee.evaluate(KNeighborsClassifier(), *cancer, by=5, random_state=1),
        referee.evaluate(KNeighborsClassifier(), *cancer, by=4, random_state=0),
        referee.evaluate(KNeighborsClassifier(), cancer[0][1:], cancer[1][1:], by=5),
    ):
        with pytest.raises(Refusal, match="same random_state"):
            referee.compare({"one": one, "other": other})


def test_evaluations_of_other_answers_are_refused():
    truth, preds = table(22, 9)
    one = referee.evaluate_predictions(truth, preds["a"])
    other = referee.evaluate_predictions(1 - truth, preds["b"])
    with pytest.raises(Refusal, match="other cases"):
        referee.compare({"one": one, "other": other})


def test_weighted_evaluations_do_not_lose_their_weights(cancer):
    weight = np.random.default_rng(0).exponential(size=140)
    made = {
        name: referee.evaluate(m, *cancer, by="holdout", random_state=0, sample_weight=weight)
        for name, m in MODELS.items()
    }
    try:
        c = referee.compare(made)
    except Refusal as refused:
        why = str(refused)
    else:
        own = c.estimates["nb"].value - c.estimates["knn"].value
        assert c.difference.value == pytest.approx(own)
        why = "weights count"
    assert "weight" in why


def test_evaluations_take_the_positive_class_that_is_named():
    truth, preds = table(22, 9)
    words = np.array(["well", "ill"])
    made = {m: referee.evaluate_predictions(words[truth], words[p]) for m, p in preds.items()}
    with pytest.raises(InputError, match="pos_label"):
        referee.compare(made, measure="tpr")
    one = referee.compare(made, measure="tpr", pos_label="ill")
    other = referee.compare_predictions(truth, preds, measure="tpr")
    assert one.difference.value == other.difference.value
    assert one.pos_label == "ill"


def test_evaluations_with_different_positive_classes_are_told_apart(cancer):
    made = {
        m: referee.evaluate_predictions([0, 1] * 20, [0, 1] * 19 + [1, 0], pos_label=p)
        for m, p in (("a", 0), ("b", 1))
    }
    with pytest.raises((InputError, Refusal), match=r"positive class|pos_label"):
        referee.compare(made, measure="tpr")


def test_an_evaluation_among_models_is_told_apart(cancer):
    one = referee.evaluate(GaussianNB(), *cancer, by=5, random_state=0)
    with pytest.raises(InputError, match="Evaluation"):
        referee.compare({"one": one, "nb": GaussianNB()}, *cancer, by=5)


def test_evaluations_know_their_baselines_and_bring_their_own_cases(cancer):
    models = {"nb": GaussianNB(), "guess": DummyClassifier()}
    made = {k: referee.evaluate(m, *cancer, by="2x5", random_state=0) for k, m in models.items()}
    assert referee.compare(made).verdict.outcome is Outcome.FIRST
    with pytest.raises(InputError, match="own cases"):
        referee.compare(made, *cancer)
