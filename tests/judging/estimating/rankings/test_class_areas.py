"""Means of several classes' areas: how wide their intervals are, and what they cover."""

import numpy as np
import pytest

import referee
from referee.judging.estimating.rankings.ranked import _worth_of_classes
from referee.measures import measure_named


def drawn(rng, sizes, apart):
    y = np.repeat(np.arange(len(sizes)), sizes)
    x = rng.normal(size=(len(y), len(sizes))) + apart * np.eye(len(sizes))[y]
    p = np.exp(apart * x)
    return y, p / p.sum(axis=1, keepdims=True)


def coverage(name, sizes, apart, rounds):
    many = [int(30_000 * size / sum(sizes)) for size in sizes]
    measure = measure_named(name)
    truth = measure.of_scores(*drawn(np.random.default_rng(99), many, apart))
    held, width = [], []
    for r in range(rounds):
        y, p = drawn(np.random.default_rng([3, r]), sizes, apart)
        made = referee.evaluate_predictions(y, p.argmax(axis=1), y_score=p, measures=[name])
        i = made.estimates[name].interval
        held.append(i.low <= truth <= i.high)
        width.append(i.width)
    return np.mean(held), np.mean(width)


def test_ten_classes_are_worth_more_than_the_smallest():
    """Its score interval was that of one area of 25 + 25 cases, twice as wide as it need be."""
    held, width = coverage("auc_ovr", (25,) * 10, 2.2, 12)
    assert held >= 0.8
    assert width <= 0.06  # it was about .1


def test_two_classes_are_worth_as_much_as_one_area():
    assert _worth_of_classes([30, 30]) == 30
    assert _worth_of_classes([20] * 5) == 50
    assert 10 < _worth_of_classes([10, 1000]) < 20


@pytest.mark.slow
@pytest.mark.parametrize("name", ["auc_ovr", "auc_ovo"])
@pytest.mark.parametrize(
    ("sizes", "apart"),
    [((8,) * 3, 1.2), ((20,) * 5, 1.8), ((20,) * 5, 4.0), ((10, 30, 100), 1.5), ((6, 60), 2.0)],
)
def test_means_of_areas_are_covered_by_simulation(name, sizes, apart):
    held, width = coverage(name, sizes, apart, 300)
    print(f"{name} {sizes} {apart}: coverage {held:.3f}, width {width:.4f}")
    assert held >= 0.93
