"""One neighbour stays at its limit inside Cover and Hart's band; ln N neighbours go on."""

import numpy as np
import pytest
from scipy import stats
from scipy.integrate import quad

from referee.errors import InputError
from referee.study import GaussianTask, Rings, Xor, consistency, nearest_limit, two_normals


def limit(s):
    """E 2 eta (1 - eta) = the integral of 2 p0 p1 / (p0 + p1), by quadrature."""

    def density(x):
        a, b = stats.norm.pdf(x - s) / 2, stats.norm.pdf(x + s) / 2
        return 2 * a * b / (a + b)

    return quad(density, -10, 10)[0]


@pytest.mark.parametrize("s", [0.5, 1.0, 2.0])
def test_the_limit_against_quadrature(s):
    made = nearest_limit(two_normals(s))
    assert abs(made.value - limit(s)) < 4 * made.standard_error < 0.002


@pytest.mark.parametrize("task", [two_normals(1.0, 3), Xor(flip=0.1), Rings((1.0, 2.0, 3.0))])
def test_the_limit_lies_in_the_band(task):
    best = task.bayes_risk().value
    k = len(task.classes)
    upper = best * (2 - k / (k - 1) * best)
    assert best < nearest_limit(task).value <= upper + 1e-3


def test_labels_that_are_pure_chance_reach_the_upper_end():
    # eta is .3 or .7 everywhere: the upper end is attained.
    task = Xor(spread=0.05, flip=0.3)
    assert nearest_limit(task).value == pytest.approx(2 * 0.3 * 0.7, abs=1e-6)


def test_smoke():
    made = consistency(two_normals(1.0), sizes=(40, 2000), repetitions=5, n_samples=5000)
    last = made.steps[-1]
    error = 4 * last.nearest.standard_error + 0.004
    assert abs(last.nearest.value - made.limit.value) < error
    assert made.bayes.value < last.log_neighbours.value < made.limit.value - 0.02
    assert made.frame()["k"].tolist() == [3, 7]
    assert "stays near its limit" in made.conclusion


@pytest.mark.slow
def test_ln_n_neighbours_approach_the_bayes_error_and_one_does_not():
    made = consistency(two_normals(1.0, 2), sizes=(100, 3000, 50_000), repetitions=10, n_jobs=2)
    errors = [s.log_neighbours.value for s in made.steps]
    assert errors[0] > errors[1] > errors[2] > made.bayes.value
    last = made.steps[-1].nearest
    assert abs(last.value - made.limit.value) < 4 * last.standard_error + 0.002


def test_messages():
    costly = GaussianTask([[0.0], [1.0]], np.eye(1), costs=[[0, 2], [1, 0]])
    with pytest.raises(InputError, match="all cost 1"):
        consistency(costly)
    with pytest.raises(InputError, match="at least 3"):
        consistency(two_normals(1.0), sizes=(1,))


@pytest.mark.parametrize(("task", "share"), [(two_normals(1.0), 2), (Rings((1.0, 2.0, 3.0)), 1.5)])
def test_the_upper_end_of_the_band_is_cover_and_harts(task, share):
    made = consistency(task, sizes=(20,), repetitions=2, n_samples=200)
    best = task.bayes_risk().value
    assert made.upper == pytest.approx(best * (2 - share * best), rel=1e-12)
