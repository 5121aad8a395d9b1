"""Labels dealt to groups of unequal size: the classes keep their cases, by enumeration."""

import numpy as np
import pytest
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis

import referee
from referee.core.dataset import Dataset
from referee.permuting.permuting import Permuting
from referee.permuting.strata import filled


def data(sizes, labels, seed=0):
    groups = np.repeat(np.arange(len(sizes)), sizes)
    X = np.random.default_rng(seed).normal(size=(len(groups), 3))
    return X, np.asarray(labels)[groups], groups


def test_groups_of_equal_size_change_labels_and_others_do_not():
    sizes = np.tile([1, 4], 10)
    labels = np.arange(20) // 2 % 2
    X, y, groups = data(sizes, labels)
    permuting = Permuting(Dataset.of(X, y, groups=groups))
    assert permuting.unit == "groups of equal size"
    for r in range(30):
        dealt = permuting.codes(r)
        of_group = np.array([dealt[groups == g][0] for g in range(20)])
        assert (of_group[groups] == dealt).all()
        for size in (1, 4):
            assert of_group[sizes == size].sum() == labels[sizes == size].sum()


def test_every_group_is_as_likely_as_its_equals():
    sizes, labels = np.tile([1, 2], 10), (np.arange(20) < 8).astype(int)
    X, y, groups = data(sizes, labels)
    permuting = Permuting(Dataset.of(X, y, groups=groups))
    drawn = np.mean([permuting.codes(r) for r in range(600)], axis=0)
    assert np.abs(drawn - 0.4).max() < 0.1  # four of ten of either size


@pytest.mark.parametrize("seed", range(5))
def test_unlike_groups_fill_the_classes_to_their_numbers_of_cases(seed):
    rng = np.random.default_rng(seed)
    sizes = rng.integers(1, 11, 30)
    labels = rng.integers(3, size=30)
    dealt = filled(sizes, labels, rng)
    for c in range(3):
        assert abs(sizes[dealt == c].sum() - sizes[labels == c].sum()) <= sizes.max()


def noise_p(seed, rule):
    rng = np.random.default_rng(seed)
    sizes = np.arange(30) % 10 + 1
    large = sizes > 5
    labels = large if rule == "size" else rng.random(30) < np.where(large, 0.8, 0.2)
    X, y, groups = data(sizes, labels.astype(int), seed)
    return referee.permutation_test(
        LinearDiscriminantAnalysis(), X, y, groups=groups, permutations=99, random_state=seed
    )


def test_noise_with_labels_by_size_is_not_significant_and_said_to_be_approximate():
    """All groups were dealt labels, whatever their size: p was .01, and .77 below .05."""
    made = noise_p(0, "size")
    assert made.p_value > 0.05
    assert "p is approximate" in made.evidence.flag


@pytest.mark.slow
@pytest.mark.parametrize("rule", ["size", "chance"])
def test_size_on_noise_by_simulation(rule):
    p = np.array([noise_p(seed, rule).p_value for seed in range(300)])
    print(rule, "size", np.mean(p <= 0.05), np.mean(p <= 0.1))
    assert np.mean(p <= 0.05) <= 0.06 + 0.025
