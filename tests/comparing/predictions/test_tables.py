"""Tables of predictions: lengths, classes and names are checked, and a frame will do."""

import pandas as pd
import pytest
from compared_models import table

import referee
from referee.core import Outcome
from referee.errors import InputError


def test_unequal_lengths_and_unknown_classes_name_the_model():
    truth, preds = table(10, 14)
    with pytest.raises(InputError, match=r"model 'b'.*93"):
        referee.compare_predictions(truth, {"a": preds["a"], "b": preds["b"][:-1]})
    with pytest.raises(InputError, match=r"model 'b'.*7.*labels="):
        referee.compare_predictions(truth, {"a": preds["a"], "b": preds["b"] * 7})


def test_names_that_are_the_same_when_written_are_refused():
    truth, preds = table(10, 14)
    with pytest.raises(InputError, match="'1'"):
        referee.compare_predictions(truth, {1: preds["a"], "1": preds["b"]})


def test_different_truths_need_the_names_of_the_models():
    truth, preds = table(10, 14)
    with pytest.raises(InputError, match="same names"):
        referee.compare_predictions({"a": truth, "z": truth}, preds)


def test_a_frame_of_predictions_is_taken_or_told_what_to_do():
    truth, preds = table(10, 14)
    try:
        told = referee.compare_predictions(truth, pd.DataFrame(preds)).name
    except InputError as problem:
        told = str(problem)
    assert "models, as {'a': m1" not in told  # there are no models here


def test_all_cases_of_one_class_are_compared_as_one_does_when_one_model_never_errs():
    truth = [1] * 20
    made = referee.compare_predictions(truth, {"a": [1] * 20, "b": [1] * 10 + [0] * 10})
    assert made.verdict.outcome is Outcome.FIRST
