"""Training errors flatter, the more so the richer the rule."""

import pytest
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis

from referee.errors import InputError
from referee.study import optimism, two_normals


def test_neighbours():
    made = optimism(
        two_normals(1.0, 2), "neighbours", (1, 5, 25), n=80, repetitions=10, n_samples=4000
    )
    one, few, many = made.steps
    assert one.training.value == 0
    assert one.optimism.value > few.optimism.value > many.optimism.value
    assert made.frame()["neighbours"].tolist() == [1, 5, 25]
    assert made.conclusion.startswith("The training error is lowest (0.000) at neighbours 1")


def test_dimension():
    made = optimism(
        lambda d: two_normals(1.0, d),
        lambda d: LinearDiscriminantAnalysis(),
        (1, 10, 30),
        n=60,
        repetitions=20,
        what="dimension",
    )
    low, _, high = made.steps
    assert high.training.value < low.training.value < low.truth.value + 0.02 < high.truth.value
    assert made.bayes == pytest.approx((0.158655,) * 3, abs=1e-6)


@pytest.mark.parametrize("family", ["degree", "depth"])
def test_other_families(family):
    made = optimism(two_normals(1.0, 2), family, (1, 4), n=60, repetitions=8, n_samples=2000)
    assert made.steps[1].optimism.value > made.steps[0].optimism.value


def test_messages():
    with pytest.raises(InputError, match="did you mean 'neighbours'"):
        optimism(two_normals(1.0), "neighbors")
    with pytest.raises(InputError, match="settings is empty"):
        optimism(two_normals(1.0), settings=())
