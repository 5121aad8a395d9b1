"""Closed forms of the further tasks against quadrature, and what their parameters refuse."""

import numpy as np
import pytest
from scipy import stats
from scipy.integrate import dblquad, quad

from referee.errors import InputError
from referee.study import HeavyTails, Rings, Xor, imbalanced, more_features_than_cases


@pytest.mark.parametrize("flip", [0.0, 0.2])
def test_xor_against_dblquad(flip):
    task, v = Xor(spread=0.7, flip=flip), 0.49

    def least(y, x):
        p = task.posteriors([[x, y]]).min()
        clouds = [
            np.exp(-((x - a) ** 2 + (y - b) ** 2) / (2 * v)) for a in (-1, 1) for b in (-1, 1)
        ]
        return p * sum(clouds) / (4 * 2 * np.pi * v)

    # The four quadrants are alike, and there is no kink inside one.
    quarter = dblquad(least, 0, 6, 0, 6, epsabs=1e-9)[0]
    assert task.bayes_risk().value == pytest.approx(4 * quarter, abs=1e-7)


def test_heavy_tails_against_quadrature():
    task = HeavyTails(s=1.2, df=3)

    def least(x):
        return 0.5 * min(stats.t.pdf(x - 1.2, 3), stats.t.pdf(x + 1.2, 3))

    integral = 2 * quad(least, 0, np.inf)[0]
    assert task.bayes_risk().value == pytest.approx(integral, abs=1e-8)


def test_rings_against_the_normal_distribution_of_the_logarithm():
    task = Rings((1.0, 3.0), spread=0.5, d=5)
    assert task.bayes_risk().value == pytest.approx(stats.norm.sf(np.log(3) / 2 / 0.5), abs=1e-14)
    X, y = task.sample(50_000, 0)
    logs = np.log(np.linalg.norm(X, axis=1))
    assert logs[y == 1].mean() == pytest.approx(np.log(3), abs=0.02)
    assert np.abs(X.mean(axis=0)).max() < 0.06


def test_three_rings():
    task = Rings((1.0, 2.0, 4.0), spread=0.25)
    assert task.bayes_risk().value == pytest.approx(
        4 / 3 * stats.norm.sf(np.log(2) / 0.5), abs=1e-14
    )


def test_imbalance_and_many_features():
    assert imbalanced(20).priors[0] / imbalanced(20).priors[1] == pytest.approx(20)
    task = more_features_than_cases(300, 5, 0.05)
    assert task.n_features == 300
    assert task.bayes_risk().value == pytest.approx(0.05)
    assert np.count_nonzero(task.quadric.b) == 5


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: Xor(spread=0), "spread must be a finite number above 0, got 0"),
        (lambda: Xor(flip=0.5), "flip must be at least 0 and below 1/2"),
        (lambda: Xor(d=1), "d must be at least 2"),
        (lambda: Rings((1.0,)), "two rings or more"),
        (lambda: Rings((1.0, -2.0)), "radii must be"),
        (lambda: HeavyTails(df=0), "df must be"),
        (lambda: imbalanced(-1), "ratio must be"),
        (lambda: more_features_than_cases(5, 6), "relevant must lie between 1 and the 5 features"),
    ],
)
def test_messages(make, message):
    with pytest.raises(InputError, match=message):
        make()
