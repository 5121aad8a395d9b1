"""The shrunken t, against its formula in plain loops and against the frozen rule's benchmark."""

import math
import statistics

import numpy as np
import pytest
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
from sklearn.naive_bayes import GaussianNB

import referee
from referee.errors import Refusal
from referee.significance.learners.shrunken_t import shrunken_contrast


def drawn(seed, repetitions=10, n=24, halvings=10):
    rng = np.random.default_rng(seed)
    main = rng.choice([-1.0, 0.0, 1.0], size=(repetitions, n), p=[0.1, 0.6, 0.3])
    orders = [rng.permutation(n) for _ in range(halvings)]
    inside = rng.choice([-1.0, 0.0, 1.0], size=(halvings, n))
    halves = [(d[o[: n // 2]], d[o[n // 2 :]]) for d, o in zip(inside, orders, strict=True)]
    return main, halves


def written_out(main, halves):
    R, n, M = len(main), len(main[0]), len(halves)
    D_r = [statistics.mean(row) for row in main]
    V1 = statistics.mean(statistics.variance(row) / n for row in main)
    S2 = statistics.variance(D_r)
    V_case = statistics.variance([statistics.mean(row[i] for row in main) for i in range(n)]) / n
    gaps = sum((statistics.mean(a) - statistics.mean(b)) ** 2 for a, b in halves)
    seen = gaps / sum(statistics.variance(x) / len(x) for pair in halves for x in pair)
    phi = (M * seen + 12 * (0.9 + 6 * S2 / V1)) / (M + 12)
    SE2 = max(V_case, phi * V1 - (1 - 1 / R) * S2)
    return statistics.mean(D_r), math.sqrt(SE2), 1 / (1 / (M + 12) + 1 / (n - 1))


@pytest.mark.parametrize("seed", range(6))
def test_against_the_formula_written_out(seed):
    main, halves = drawn(seed)
    made = shrunken_contrast(main, halves)
    right = written_out(main.tolist(), [(a.tolist(), b.tolist()) for a, b in halves])
    assert (made.value, made.se, made.df) == pytest.approx(right)
    swapped = shrunken_contrast(-main, [(-a, -b) for a, b in halves])
    assert swapped.evidence().p_value == made.evidence().p_value


def data():
    rng = np.random.default_rng(0)
    y = np.arange(80) % 2
    return rng.normal(size=(80, 3)) + 0.7 * y[:, None], y


def test_by_name_it_takes_two_hundred_fits_a_learner():
    models = {"lda": LinearDiscriminantAnalysis(), "nb": GaussianNB()}
    made = referee.compare(models, *data(), significance="shrunken-t", random_state=0)
    assert made.pairs[0].evidence.test == "shrunken-t"
    assert made.grounds.plan.fits == 201
    assert made.pairs[0].difference.interval.method == "shrunken-t"


def test_groups_are_refused():
    models = {"lda": LinearDiscriminantAnalysis(), "nb": GaussianNB()}
    groups = np.arange(80) // 2
    with pytest.raises(Refusal, match="never tried with groups"):
        referee.compare(models, *data(), significance="shrunken-t", groups=groups)
