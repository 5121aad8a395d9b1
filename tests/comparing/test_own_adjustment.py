"""An adjustment of one's own is passed as an object, as tests are."""

import numpy as np
import pytest

import referee
from referee.errors import InputError
from referee.significance import Adjustment

Y = np.arange(60) % 2
ANSWERS = {"a": Y, "b": np.where(np.arange(60) < 9, 1 - Y, Y), "c": 1 - Y}
MINE = Adjustment("mine", title="my adjustment", compute=lambda p: np.minimum(1, 3 * np.asarray(p)))


def test_it_adjusts_and_is_named():
    c = referee.compare_predictions(Y, ANSWERS, adjust=MINE)
    assert [p.p_adjusted for p in c.pairs] == [min(1, 3 * p.evidence.p_value) for p in c.pairs]
    assert "adjusted by my adjustment" in c.methods
    assert c.adjust == "mine"
    assert '"adjust": "mine"' in c.to_json()
    assert "my adjustment" in " ".join(str(c).split())


def test_of_a_board():
    b = referee.board({name: np.asarray(v, float) for name, v in ANSWERS.items()}, adjust=MINE)
    assert b.adjust == "mine"
    assert "my adjustment" in b.methods


@pytest.mark.parametrize("wrong", [lambda p: p[:1], lambda p: np.asarray(p) / 2, lambda p: 1 / 0])
def test_one_that_goes_wrong_is_named(wrong):
    bad = Adjustment("bad", title="bad", compute=wrong)
    with pytest.raises(InputError, match="adjustment 'bad'"):
        referee.compare_predictions(Y, ANSWERS, adjust=bad)
