"""Losses of single predictions."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee.errors import InputError
from referee.measures.formulas.loss import loss_named, quadratic, zero_one

SIGNS = st.lists(st.sampled_from([-1, 1]), min_size=1, max_size=30)


@given(SIGNS, st.randoms())
def test_quadratic_is_four_times_zero_one_on_signs(truth, random):
    answers = [random.choice([-1, 1]) for _ in truth]
    assert np.array_equal(
        quadratic(np.array(truth), np.array(answers)),
        4 * zero_one(np.array(truth), np.array(answers)),
    )


def test_quadratic_of_words_is_refused():
    with pytest.raises(InputError, match="needs numbers as labels"):
        quadratic(np.array(["a"]), np.array(["b"]))


def test_names():
    assert loss_named("zero-one") is zero_one
    with pytest.raises(InputError, match="did you mean 'quadratic'"):
        loss_named("quadratc")
