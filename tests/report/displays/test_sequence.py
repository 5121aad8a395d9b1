"""SequenceDisplay against the numbers of the sequence."""

import matplotlib.pyplot as plt
import numpy as np
import pytest

import referee
from referee.errors import InputError


@pytest.fixture(autouse=True)
def closed():
    yield
    plt.close("all")


@pytest.fixture
def answers():
    rng = np.random.default_rng(0)
    truth = rng.integers(0, 2, 300)
    return truth, np.where(rng.random(300) < 0.1, 1 - truth, truth)


def test_line_band_and_limit_are_the_sequence(answers):
    display = referee.SequenceDisplay.from_predictions(*answers, limit=0.2)
    line, limit = display.ax_.lines
    assert line.get_ydata() == pytest.approx(display.sequence.mean)
    assert set(limit.get_ydata()) == {0.2}
    (band,) = display.ax_.collections
    edges = band.get_paths()[0].vertices
    assert edges[:, 1].max() == pytest.approx(display.sequence.high.max())


def test_of_an_evaluation_and_on_given_axes(answers):
    made = referee.evaluate_predictions(*answers, sequential=True)
    _, ax = plt.subplots()
    display = referee.SequenceDisplay.from_evaluation(made, ax=ax)
    assert display.ax_ is ax
    assert display.sequence.interval == made.error.interval


def test_rates_need_their_class(answers):
    truth, predicted = (np.array(["no", "yes"])[a] for a in answers)
    with pytest.raises(InputError, match="pass pos_label"):
        referee.SequenceDisplay.from_predictions(truth, predicted, measure="tpr")
    display = referee.SequenceDisplay.from_predictions(
        truth, predicted, measure="tpr", pos_label="yes"
    )
    assert display.sequence.n[-1] == (truth == "yes").sum()


def test_what_has_no_sequence(answers):
    with pytest.raises(InputError, match="no interval that holds at all times"):
        referee.SequenceDisplay.from_predictions(*answers, measure="mcc")
    with pytest.raises(InputError, match="sequential=True"):
        referee.SequenceDisplay.from_evaluation(referee.evaluate_predictions(*answers))
