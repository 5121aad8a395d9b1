"""R014: models that do not beat the commonest answer, told when they are compared."""

import numpy as np
import pytest

import referee
from referee.checks import Context
from referee.checks.results.no_better import check


@pytest.mark.parametrize(("error", "found"), [(0.2, False), (0.3, True), (0.4, True)])
def test_error_against_guessing(error, found):
    made = check(Context(error=error, guessing=0.3))
    assert (made is not None) == found


def test_nothing_is_said_where_either_is_unknown():
    assert check(Context(error=0.9)) is None
    assert check(Context(guessing=0.1)) is None


def test_compare_names_the_model_that_is_no_use():
    truth = np.array([0, 1, 1, 1] * 50)
    good = np.where(np.arange(200) % 20 == 0, 1 - truth, truth)
    bad = np.where(np.arange(200) % 2 == 0, 1 - truth, truth)
    made = referee.compare_predictions(truth, {"good": good, "bad": bad})
    (finding,) = (f for f in made.findings if f.code == "R014")
    assert finding.message.startswith("bad: it errs on 50.0 %")
    assert "25.0 %" in finding.message
    assert "no better than guessing" in str(made)
