"""Displays of evaluations: which rows and scores they read, and what they refuse."""

import numpy as np
import pytest
from sklearn import metrics

import referee
from referee.errors import InputError
from referee.report.displays import (
    CostDisplay,
    PrecisionRecallDisplay,
    ReliabilityDisplay,
    Roc50Display,
    RocDisplay,
)

ALL = [RocDisplay, PrecisionRecallDisplay, CostDisplay, ReliabilityDisplay, Roc50Display]


@pytest.mark.parametrize("display", ALL)
def test_without_scores_the_remedy_is_named(display, evaluations):
    with pytest.raises(InputError, match=r"holds no scores; pass measures=\['auc'\]"):
        display.from_evaluation(evaluations(by=3, measures=["error"]))


@pytest.mark.parametrize("display", ALL)
def test_one_column_of_scores_and_the_stated_positive_class(display, ranking):
    y, s = ranking()
    p = 1 / (1 + np.exp(-s))
    names = np.where(y == 1, "a", "b")
    e = referee.evaluate_predictions(
        names, np.where(p > 0.5, "a", "b"), y_score=p, pos_label="a", name="mine"
    )
    made = display.from_evaluation(e).lines[0]
    same = display.from_predictions(names, p, pos_label="a").lines[0]
    assert made.name == "mine"
    for key in ("curve", "found"):
        if hasattr(made, key):
            one, two = getattr(made, key), getattr(same, key)
            values = vars(one) if hasattr(one, "__dict__") else {"": one}
            others = vars(two) if hasattr(two, "__dict__") else {"": two}
            for name, value in values.items():
                np.testing.assert_allclose(value, others[name])


def test_only_rows_the_model_had_not_seen_are_read(evaluations):
    e = evaluations(by="holdout")
    p = e.predictions.unseen
    line = RocDisplay.from_evaluation(e, band=None).lines[0]
    truth, score = p.truth[p.case] == 1, p.scores[:, 1]
    assert line.curve.auc == pytest.approx(metrics.roc_auc_score(truth, score))
    assert line.curve.n_positive + line.curve.n_negative == len(np.unique(p.case))


def test_the_legend_tells_the_area_the_evaluation_reports(evaluations):
    e = evaluations(by="10x10")
    line = RocDisplay.from_evaluation(e, rounds=100).lines[0]
    assert line.auc is e.estimates["auc"]
    assert line.curve.auc == pytest.approx(line.auc.value, abs=0.02)


def test_the_band_of_repeated_cross_validation_does_not_count_cases_ten_times(evaluations):
    def width(by):
        band = RocDisplay.from_evaluation(evaluations(by=by), rounds=300).lines[0].band
        return np.mean(band.high - band.low)

    assert width("10x10") == pytest.approx(width(10), rel=0.15)


def test_false_positives_are_not_counted_over_several_fits(evaluations):
    with pytest.raises(InputError, match="100 fits made these scores; use by='holdout'"):
        Roc50Display.from_evaluation(evaluations(by="10x10"))


def test_one_class_against_the_rest_of_three(ranking):
    rng = np.random.default_rng(2)
    y = rng.integers(3, size=120)
    s = rng.normal(size=(120, 3)) + np.eye(3)[y]
    e = referee.evaluate_predictions(y, s.argmax(axis=1), y_score=s)
    with pytest.raises(InputError, match="pass pos_label, one of 0, 1, 2"):
        RocDisplay.from_evaluation(e)
    line = RocDisplay.from_evaluation(e, pos_label=2, band=None).lines[0]
    assert line.auc.value == pytest.approx(metrics.roc_auc_score(y == 2, s[:, 2]))


def test_a_class_without_cases_has_no_curve():
    e = referee.evaluate_predictions(
        [0, 0, 0], [0, 0, 0], y_score=[0.1, 0.2, 0.3], labels=[0, 1], measures=["error"]
    )
    with pytest.raises(InputError, match="there are no cases of the positive class 1"):
        RocDisplay.from_evaluation(e)


def test_weighted_cases_are_refused(ranking):
    y, s = ranking()
    e = referee.evaluate_predictions(
        y, (s > 0).astype(int), y_score=s, sample_weight=np.ones(100), measures=["error"]
    )
    with pytest.raises(InputError, match="without sample_weight"):
        RocDisplay.from_evaluation(e)


def test_groups_widen_the_band(ranking):
    y, s = ranking(60, 60)
    y, s = np.repeat(y, 5), np.repeat(s, 5)
    answers = (s > 0.5).astype(int)

    def width(**options):
        e = referee.evaluate_predictions(y, answers, y_score=s, measures=["error"], **options)
        band = RocDisplay.from_evaluation(e, rounds=300).lines[0].band
        return np.mean(band.high - band.low)

    assert width(groups=np.arange(600) // 5) > 1.5 * width()
