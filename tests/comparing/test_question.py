"""What users get wrong is refused with its value and a remedy."""

import math

import numpy as np
import pytest
from compared_models import MODELS, table
from sklearn.naive_bayes import GaussianNB

import referee
from referee.core import Outcome
from referee.errors import InputError


@pytest.mark.parametrize(
    ("options", "says"),
    [
        ({"measure": "eror"}, "did you mean 'error'"),
        ({"significance": "mcnemar"}, "mcnemar-exact"),
        ({"interval": "tangoo"}, "did you mean 'tango'"),
        ({"claim": "best"}, "'better', 'non-inferior', 'equivalent', 'difference', got 'best'"),
        ({"adjust": "bonferroni"}, "adjust.*holm"),
        ({"rope": -0.01}, "at least 0, got -0.01"),
        ({"rope": 1}, "below 1 for error, got 1"),
        ({"rope": 2.5}, "for 2.5 points write 0.025"),
        ({"rope": math.nan}, "rope must be a number"),
        ({"rope": "1 %"}, "rope must be a number"),
        ({"claim": "non-inferior"}, "needs a rope"),
        ({"level": 95}, "for 95 % write 0.95"),
        ({"level": 0}, "strictly between 0 and 1"),
        ({"measure": "auc"}, "y_scores"),
        ({"measure": "cost"}, "costs"),
        ({"pos_label": "x"}, "pos_label"),
        ({"y_scores": {"a": [0.5] * 94}}, "lacks 'b'"),
        ({"y_scores": [0.5] * 94}, "must map"),
        ({"groups": [1, 2]}, "groups"),
    ],
)
def test_wrong_options_are_refused_with_their_value_and_a_remedy(options, says):
    truth, preds = table(10, 14)
    with pytest.raises(InputError, match=says):
        referee.compare_predictions(truth, preds, **options)


def test_an_unknown_adjustment_is_refused_before_anything_is_fitted(cancer):
    class Never(GaussianNB):
        def fit(self, X, y, sample_weight=None):
            raise AssertionError("fitted")

    with pytest.raises(InputError, match="adjust"):
        referee.compare({"a": Never(), "b": Never()}, *cancer, by=3, adjust="bonferroni")


def test_numpy_numbers_serve_as_rope():
    truth, preds = table(10, 11, both_right=900, both_wrong=79)
    for rope in (np.float64(0.03), np.float32(0.03)):
        made = referee.compare_predictions(truth, preds, rope=rope)
        assert made.verdict.outcome is Outcome.EQUIVALENT


@pytest.mark.parametrize("given_", [{}, {"a": [0, 1] * 5}, [[0, 1] * 5], "ab", 3, None])
def test_fewer_than_two_models_are_refused(given_):
    with pytest.raises(InputError, match="y_preds"):
        referee.compare_predictions([0, 1] * 5, given_)
    with pytest.raises(InputError, match="models"):
        referee.compare(given_, [[0.0], [1.0]] * 5, [0, 1] * 5)


def test_missing_data_and_dictionaries_of_data_sets_are_told_what_to_do(cancer):
    with pytest.raises(InputError, match="X and y"):
        referee.compare(MODELS)
    with pytest.raises(InputError, match="compare_datasets"):
        referee.compare(MODELS, {"one": cancer}, 0)
