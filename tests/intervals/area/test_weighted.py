"""Areas of weighted and of grouped cases: placements against pairs, variances against draws."""

import numpy as np
import pytest

from referee.intervals.area.placements import placements, with_groups
from referee.significance.paired.delong import paired_delong_contrast


def weighted_area(positive, scores, weight):
    over, under = scores[positive][:, None], scores[~positive]
    above = (over > under) + (over == under) / 2
    return np.average(above, weights=weight[positive][:, None] * weight[~positive])


def sample(rng, n=160):
    positive = rng.random(n) < 0.4
    return positive, np.round(rng.normal(size=n) + positive, 1), rng.uniform(0.2, 4, n)


def test_a_weighted_area_is_the_share_of_weighted_pairs():
    positive, scores, weight = sample(np.random.default_rng(0))
    p = placements(positive, scores, weight)
    assert p.auc == pytest.approx(weighted_area(positive, scores, weight))
    assert p.mirrored.auc == pytest.approx(p.auc)


def test_equal_weights_give_delong():
    positive, scores, _ = sample(np.random.default_rng(1))
    plain, equal = placements(positive, scores), placements(positive, scores, np.full(160, 3.0))
    assert equal.variance == pytest.approx(plain.variance)
    assert equal.sizes == pytest.approx(plain.sizes)


def test_the_weighted_variance_is_that_of_repeated_samples():
    rng = np.random.default_rng(2)
    areas, variances = [], []
    for _ in range(600):
        p = placements(*sample(rng))
        areas.append(p.auc)
        variances.append(p.variance)
    assert np.mean(variances) == pytest.approx(np.var(areas), rel=0.15)


def test_the_weighted_difference_has_the_variance_of_repeated_samples():
    rng = np.random.default_rng(3)
    values, variances = [], []
    for _ in range(600):
        positive, first, weight = sample(rng)
        second = first + rng.normal(size=len(first))
        c = paired_delong_contrast(positive, first, second, weights=weight)
        values.append(c.value)
        variances.append(c.se**2)
    assert np.mean(variances) == pytest.approx(np.var(values), rel=0.15)


def matched(rng, groups=40):
    """Return one positive and one negative of each group that rise and fall together."""
    level = rng.normal(0, 2, groups)
    scores = np.concatenate(
        [level + rng.normal(0.8, 0.5, groups), level + rng.normal(0, 0.5, groups)]
    )
    return np.repeat([True, False], groups), scores, np.tile(np.arange(groups), 2)


def test_groups_may_make_an_area_surer():
    rng = np.random.default_rng(4)
    areas, grouped, alone = [], [], []
    for _ in range(600):
        positive, scores, groups = matched(rng)
        p = placements(positive, scores)
        areas.append(p.auc)
        alone.append(p.variance)
        grouped.append(with_groups(p, positive, groups).variance)
    assert np.mean(grouped) == pytest.approx(np.var(areas), rel=0.15)
    assert np.mean(alone) > 3 * np.var(areas)  # what the floor used to give


def test_groups_have_the_degrees_of_freedom_of_the_smaller_class():
    positive = np.arange(40) < 10
    p = placements(positive, np.random.default_rng(5).normal(size=40) + positive)
    assert with_groups(p, positive, np.arange(40) // 2).df == 4


@pytest.mark.parametrize("groups", [10, 20, 40])
def test_intervals_of_grouped_areas_hold(groups):
    from scipy import stats

    from referee.intervals.catalogue import auc_interval

    rng = np.random.default_rng(6)
    # P(X > Y) of independent draws: a positive and a negative of different groups, nearly.
    apart, spread = 0.8, np.sqrt(2 * (4 + 0.25))
    truth = float(stats.norm.cdf(apart / spread))
    share = 1 / groups  # of the pairs are within a group
    truth = (1 - share) * truth + share * float(stats.norm.cdf(apart / np.sqrt(0.5)))
    held = 0
    for _ in range(400):
        positive, scores, unit = matched(rng, groups)
        i = auc_interval(with_groups(placements(positive, scores), positive, unit))
        held += i.low <= truth <= i.high
    assert held / 400 >= 0.93
