"""Losses by case and split, against a plain loop."""

import numpy as np
import pytest

from referee.core import Part, Predictions
from referee.measures import Losses


def table(seed=0, *, groups=False, weights=False):
    """Two repetitions of three folds of a dozen cases."""
    rng = np.random.default_rng(seed)
    case, split = [], []
    for r in range(2):
        for k, fold in enumerate(np.array_split(rng.permutation(12), 3)):
            case += list(fold)
            split += [3 * r + k] * len(fold)
    return Predictions(
        classes=(0, 1),
        truth=rng.integers(2, size=12),
        case=np.array(case),
        split=np.array(split),
        seen=np.zeros(24, int),
        predicted=rng.integers(2, size=24),
        part=(Part.MAIN,) * 6,
        repetition=np.array([0, 0, 0, 1, 1, 1]),
        n_train=np.array([8, 8, 8, 9, 9, 9]),
        groups=np.arange(12) // 3 if groups else None,
        weight=rng.random(12) if weights else None,
    )


@pytest.mark.parametrize("weights", [False, True])
def test_means_against_a_plain_loop(weights):
    p = table(weights=weights)
    losses = Losses.of(p)
    wrong = [int(p.predicted[r] != p.truth[p.case[r]]) for r in range(24)]
    w = [p.weight[p.case[r]] if weights else 1.0 for r in range(24)]
    assert losses.value.tolist() == wrong
    total = sum(x * y for x, y in zip(wrong, w, strict=True)) / sum(w)
    assert losses.mean == pytest.approx(total)
    for s in range(6):
        rows = [r for r in range(24) if p.split[r] == s]
        mean = sum(wrong[r] * w[r] for r in rows) / sum(w[r] for r in rows)
        assert losses.per_split[s] == pytest.approx(mean)
        assert losses.split_sizes[s] == len(rows)
    for c in range(12):
        rows = [r for r in range(24) if p.case[r] == c]
        assert losses.per_case[c] == pytest.approx(sum(wrong[r] for r in rows) / len(rows))
        if weights:
            assert losses.case_weight[c] == pytest.approx(p.weight[c])


def test_what_belongs_to_the_splits():
    losses = Losses.of(table(groups=True))
    assert (losses.n, losses.repetitions) == (12, 2)
    assert losses.n_train.tolist() == [8] * 12 + [9] * 12
    assert losses.repetition.tolist() == [0] * 12 + [1] * 12
    assert losses.case_group.tolist() == [0, 0, 0, 1, 1, 1, 2, 2, 2, 3, 3, 3]


def test_large_group_numbers_survive():
    p = table(groups=True)
    losses = Losses.of(p)
    assert losses.groups.tolist() == [int(c) // 3 for c in p.case]


def test_unequal_folds_weigh_by_their_size():
    p = Predictions.of([0, 0, 0, 1], [1, 0, 0, 1])
    losses = Losses(p.wrong, p.case, np.array([0, 1, 1, 1]), np.zeros(4, int), np.full(4, 3))
    assert losses.mean == 0.25
    assert losses.per_split.tolist() == [1, 0]


def test_another_loss_can_be_given():
    losses = Losses.of(Predictions.of([0, 1], [0, 0]), np.array([0.5, 2.0]))
    assert losses.mean == 1.25


def test_a_split_that_weighs_nothing_has_no_mean():
    p = Predictions.of([0, 1], [0, 0], sample_weight=[1, 0])
    losses = Losses(
        p.wrong, p.case, np.arange(2), np.zeros(2, int), np.ones(2, int), weight=p.weight
    )
    assert losses.per_split[0] == 0
    assert np.isnan(losses.per_split[1])
