"""Tasks of the notes, and the separation that gives a wanted Bayes error."""

import numpy as np
import pytest

from referee.errors import InputError
from referee.study import EXAMPLES, fukunaga_I_I, separation_for, two_normals


@pytest.mark.parametrize("wanted", [1e-12, 0.01, 0.1, 0.3, 0.499])
def test_there_and_back(wanted):
    assert two_normals(separation_for(wanted)).bayes_risk().value == pytest.approx(wanted, rel=1e-9)


@pytest.mark.parametrize("wanted", [0, 0.5, 0.7, -0.1, float("nan")])
def test_no_separation_for(wanted):
    with pytest.raises(InputError, match="strictly between 0 and 1/2"):
        separation_for(wanted)


def test_the_notes_call_the_classes_minus_one_and_one():
    for task in EXAMPLES.values():
        assert task.classes == (-1, 1)
    np.testing.assert_allclose(EXAMPLES[3].priors, [11 / 12, 1 / 12])


def test_fukunaga():
    assert fukunaga_I_I().n_features == 8


def test_messages():
    with pytest.raises(InputError, match="s must be a finite number of at least 0"):
        two_normals(-1.0)
    with pytest.raises(InputError, match="d must be a whole number"):
        two_normals(1.0, 0)
