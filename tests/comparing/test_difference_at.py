"""Another level or method of a difference, against a comparison that asks for it."""

import pickle

import numpy as np
import pytest
from compared_models import MODELS, answers, table

import referee
from referee.errors import InputError, Refusal


@pytest.mark.parametrize("interval", ["auto", "tango"])
def test_fixed_models_against_a_comparison_at_that_level(interval):
    truth, preds = table(8, 20)
    plain = referee.compare_predictions(truth, preds, interval=interval)
    other = referee.compare_predictions(truth, preds, interval=interval, level=0.8)
    assert plain.difference.at() == plain.difference
    assert plain.difference.at(level=0.8) == other.difference
    assert plain.difference.at(level=0.8).at(level=0.95) == plain.difference
    for one, two in zip(plain.standings, other.standings, strict=True):
        assert one.estimate.at(level=0.8) == two.estimate


def test_another_method_against_a_comparison_by_that_method():
    truth, preds = table(8, 20)
    plain = referee.compare_predictions(truth, preds)
    named = referee.compare_predictions(truth, preds, interval="newcombe-paired")
    assert plain.difference.at(method="newcombe-paired") == named.difference
    estimate = plain.standings[0].estimate
    assert estimate.at(method="wilson").interval.method == "wilson"


def test_resampled_differences_and_different_cases():
    truth, preds, scores = answers()
    plain, other = (
        referee.compare_predictions(truth, preds, y_scores=scores, measure="auc", level=level)
        for level in (0.95, 0.9)
    )
    assert plain.difference.at(level=0.9) == other.difference
    with pytest.raises(Refusal, match="the interval comes from the test itself"):
        plain.difference.at(method="tango")
    truths = {"a": [0] * 60, "b": [0] * 50}
    preds = {"a": [1] * 6 + [0] * 54, "b": [1] * 15 + [0] * 35}
    apart = referee.compare_predictions(truths, preds)
    assert apart.difference.at(method="wald-unpaired").interval.method == "wald-unpaired"


def test_learners_after_several_fits_without_another_fit(cancer, monkeypatch):
    plain, other = (
        referee.compare(MODELS, *cancer, by=5, random_state=0, level=level) for level in (0.95, 0.9)
    )
    monkeypatch.setattr("referee.comparing.compare.run", None)
    assert plain.difference.at(level=0.9) == other.difference


def test_bad_requests_and_copies():
    truth, preds = table(8, 20)
    difference = referee.compare_predictions(truth, preds).difference
    with pytest.raises(InputError, match="did you mean 'tango'"):
        difference.at(method="tengo")
    with pytest.raises(InputError, match=r"for 95 % write 0\.95"):
        difference.at(level=95)
    with pytest.raises(Refusal, match="not copied or unpickled"):
        pickle.loads(pickle.dumps(difference)).at()


def test_mean_scores_and_their_differences():
    rng = np.random.default_rng(0)
    one, two = rng.random(40), np.clip(rng.random(40) + 0.1, 0, 1)
    own, other = (referee.evaluate_scores(one, level=level).estimate for level in (0.95, 0.9))
    assert own.at(level=0.9) == other
    assert own.at(method="bca") == referee.evaluate_scores(one, interval="bca").estimate
    scores = {"item": np.arange(40), "a": one, "b": two}
    pair, narrow = (
        referee.compare_scores(scores, item="item", level=level).pair.difference
        for level in (0.95, 0.9)
    )
    assert pair.at(level=0.9) == narrow
    with pytest.raises(Refusal, match="has no interval by 'tango'; its own is"):
        pair.at(method="tango")


def test_means_on_a_board():
    rng = np.random.default_rng(0)
    scores = {"item": np.arange(40), "a": rng.random(40), "b": rng.random(40)}
    own, other = (referee.board(scores, level=level).places[0].estimate for level in (0.95, 0.9))
    assert own.at(level=0.9) == other
    assert own.at(method="betting").interval.method == "betting"
