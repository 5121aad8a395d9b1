"""Risks of guesses of a noisy function, against integrals solved by hand and simulation."""

import numpy as np
import pytest
from scipy import stats

from referee.errors import InputError
from referee.study import NoisyFunction


def zero(x):
    return np.zeros_like(x)


def test_quadratic_loss_by_hand():
    # f(x) = x on (0, 1), g = 1/2: the modelling error is 1/12.
    made = NoisyFunction(lambda x: x, stats.norm(0, 0.3)).risk(lambda x: np.full_like(x, 0.5))
    assert made.modelling == pytest.approx(1 / 12, abs=1e-12)
    assert made.noise == pytest.approx(0.09)
    assert made.value == pytest.approx(0.09 + 1 / 12, abs=1e-12)


def test_noise_with_a_mean_is_not_just_added():
    # y = x + e with E e = 1: the guess x + 1 is better than f itself.
    task = NoisyFunction(lambda x: x, stats.norm(1.0, 0.5))
    assert task.risk(lambda x: x).value == pytest.approx(1.25)
    better = task.risk(lambda x: x + 1)
    assert better.value == pytest.approx(0.25)
    assert better.value != pytest.approx(better.noise + better.modelling)


@pytest.mark.parametrize("noise", [stats.norm(0, 0.4), stats.laplace(0, 0.3), stats.uniform(-1, 2)])
def test_the_quadratic_loss_by_the_double_integral_is_the_same(noise):
    task = NoisyFunction(np.sin, noise, stats.norm(0, 1))
    short, long = task.risk(zero), task.risk(zero, loss=lambda y, g: (y - g) ** 2)
    assert long.value == pytest.approx(short.value, abs=1e-9)
    assert long.modelling == pytest.approx(short.modelling, abs=1e-9)


def test_absolute_loss_by_hand_and_by_simulation():
    task = NoisyFunction(lambda x: x, stats.norm(0, 0.5))

    def absolute(y, g):
        return np.abs(y - g)

    assert task.risk(lambda x: x, absolute).value == pytest.approx(0.5 * np.sqrt(2 / np.pi))
    x, y = task.sample(200_000, 0)
    losses = np.abs(y)
    made = task.risk(zero, absolute).value
    assert abs(made - losses.mean()) < 4 * losses.std() / np.sqrt(len(x))


def test_a_guess_that_jumps():
    task = NoisyFunction(lambda x: x, stats.norm(0, 0.1))
    made = task.risk(lambda x: (x > 0.5).astype(float), breaks=[0.5])
    assert made.modelling == pytest.approx(2 * 0.5**3 / 3, abs=1e-12)


def test_the_loss_l_q_is_four_times_l_zo_on_plus_minus_1():
    y, g = np.array([1, 1, -1, -1]), np.array([1, -1, 1, -1])
    np.testing.assert_array_equal((y - g) ** 2, 4 * (y != g))


def test_messages():
    with pytest.raises(InputError, match=r"noise must be a frozen scipy\.stats distribution"):
        NoisyFunction(zero, 0.3)
    with pytest.raises(InputError, match="no finite variance"):
        NoisyFunction(zero, stats.cauchy()).risk(zero)
