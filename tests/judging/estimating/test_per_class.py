"""Each class against the rest, against scikit-learn and scipy."""

import numpy as np
import pytest
from scipy import stats
from sklearn import metrics

import referee

RNG = np.random.default_rng(0)
TRUTH = RNG.choice(["a", "b", "c"], 120)
ANSWERS = np.where(RNG.random(120) < 0.7, TRUTH, RNG.choice(["a", "b", "c"], 120))


def test_rates_and_intervals():
    frame = referee.evaluate_predictions(TRUTH, ANSWERS).per_class()
    recall = metrics.recall_score(TRUTH, ANSWERS, average=None)
    precision = metrics.precision_score(TRUTH, ANSWERS, average=None)
    assert frame["tpr"].to_numpy() == pytest.approx(recall)
    assert frame["precision"].to_numpy() == pytest.approx(precision)
    for label, row in frame.iterrows():
        of = label == TRUTH
        ci = stats.binomtest(int((ANSWERS[of] == label).sum()), int(of.sum())).proportion_ci(0.95)
        assert (row["tpr low"], row["tpr high"]) == pytest.approx((ci.low, ci.high))
        assert row["n"] == of.sum()


@pytest.mark.parametrize("normalize", [None, "true", "pred", "all"])
def test_confusion_against_scikit_learn(normalize):
    frame = referee.evaluate_predictions(TRUTH, ANSWERS).confusion(normalize)
    expected = metrics.confusion_matrix(TRUTH, ANSWERS, normalize=normalize)
    assert frame.to_numpy() == pytest.approx(expected)
    assert list(frame.index) == list(frame.columns) == ["a", "b", "c"]


def test_a_class_never_answered_has_no_precision_and_no_silent_zero():
    e = referee.evaluate_predictions(["a", "b", "c"] * 10, ["a", "b", "b"] * 10)
    assert np.isnan(e.per_class().loc["c", "precision"])
    assert np.isnan(e.confusion("pred").loc["a", "c"])


def test_the_report_shows_each_class_of_many():
    text = referee.evaluate_predictions(TRUTH, ANSWERS).to_text()
    assert "Each class against the rest" in text
    assert "Each class" not in referee.evaluate_predictions([0, 1] * 9, [1, 1] * 9).to_text()


def test_a_row_is_the_frame_of_that_positive_class_to_the_last_digit():
    measures = ["tpr", "tnr", "precision", "f1"]
    every = referee.evaluate_predictions(TRUTH, ANSWERS, random_state=5).per_class()
    for label in ("a", "b", "c"):
        alone = referee.evaluate_predictions(
            TRUTH, ANSWERS, pos_label=label, measures=measures, random_state=5
        )
        frame = alone.frame().set_index("measure")
        for name in measures:
            row = every.loc[label, [name, f"{name} low", f"{name} high"]]
            assert row.tolist() == frame.loc[name, ["value", "low", "high"]].tolist()


def test_it_is_made_once(monkeypatch):
    from referee.judging.estimating import per_class

    e = referee.evaluate_predictions(TRUTH, ANSWERS)
    first = e.per_class()
    monkeypatch.delattr(per_class, "class_frame")
    assert e.per_class().equals(first)
    str(e)
