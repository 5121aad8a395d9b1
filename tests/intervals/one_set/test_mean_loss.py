"""Intervals of mean losses where the truth is known: few cases, few groups, a rare class."""

import math

import numpy as np
import pytest

from referee.core.scores.scores import ItemScores
from referee.errors import Refusal
from referee.intervals.area.auc import newcombe_delong
from referee.intervals.area.placements import placements, with_groups
from referee.intervals.one_set.bootstrap.bootstrap import abc_mean
from referee.intervals.one_set.mean_loss import mean_loss_interval

GREATEST = {"log loss": math.inf, "brier": 1.0, "cost": 5.0}
APART = 1.5


def drawn(rng, n, prior, sharpness, groups=None):
    """Probabilities of a logistic model, too sharp above 1; groups share class and half the noise.

    Returns classes, losses by name and groups.
    """
    group = None if groups is None else np.arange(n) % groups
    if group is None:
        y, noise = rng.random(n) < prior, rng.standard_normal(n)
    else:
        y = (rng.random(groups) < prior)[group]
        noise = (rng.standard_normal(groups)[group] + rng.standard_normal(n)) / math.sqrt(2)
    odds = APART * (noise + APART * y) - APART**2 / 2 + math.log(prior / (1 - prior))
    p = 1 / (1 + np.exp(-sharpness * odds))
    own = np.where(y, p, 1 - p)
    cost = np.where(y, 5.0 * (p < 1 / 6), 1.0 * (p >= 1 / 6))
    losses = {"log loss": -np.log(np.clip(own, 1e-15, 1)), "brier": (1 - own) ** 2, "cost": cost}
    return y, losses, group


def coverage(n, prior, sharpness, groups, data_sets, seed=0):
    """Return coverage of ours and of ABC and the share refused, by loss; ABC wherever ours is."""
    _, known, _ = drawn(np.random.default_rng(99), 1_000_000, prior, sharpness)
    rng = np.random.default_rng(seed)
    hits = {name: ([], []) for name in known}
    for _ in range(data_sets):
        y, losses, group = drawn(rng, n, prior, sharpness, groups)
        unit = np.arange(n) if group is None else group
        rarest = min(len(np.unique(unit[y])), len(np.unique(unit[~y])))
        for name, values in losses.items():
            items = ItemScores(values=values, cluster=group, low=0.0, high=GREATEST[name])
            truth = known[name].mean()
            try:
                ours = mean_loss_interval(items, rarest)
            except Refusal:
                continue
            was = abc_mean(values, groups=group)
            for kept, interval in zip(hits[name], (ours, was), strict=True):
                kept.append(interval.low <= truth <= interval.high)
    return {
        name: (np.mean(ours), np.mean(was), 1 - len(ours) / data_sets)
        for name, (ours, was) in hits.items()
    }


CELLS = [
    (30, 1 / 11, 1.0, None),
    (30, 1 / 11, 2.5, None),
    (30, 0.5, 1.0, None),
    (30, 0.5, 2.5, None),
    (75, 0.5, 1.0, 15),
    (75, 0.5, 2.5, 15),
    (150, 0.5, 2.5, 15),
    (75, 1 / 11, 2.5, 15),
]


@pytest.mark.slow
def test_mean_losses_are_covered_at_30_cases_and_15_groups(capsys):
    with capsys.disabled():
        print("\n  n  prior sharp groups loss      ours  abc   refused")
        for cell in CELLS:
            n, prior, sharpness, groups = cell
            for name, (ours, was, refused) in coverage(*cell, 1000).items():
                print(
                    f"{n:4d} {prior:5.2f} {sharpness:5.1f} {groups!s:>6} {name:9s} "
                    f"{ours:.3f} {was:.3f} {refused:.3f}"
                )
                assert ours >= 0.93 - 2 * math.sqrt(0.93 * 0.07 / 1000), (cell, name)


def test_mean_losses_of_a_rare_class_are_covered():
    # 150 data sets: ABC held the cost in .76 of such; .88 is three standard errors below .93.
    made = coverage(30, 1 / 11, 1.0, None, 150)
    assert made["brier"][0] >= 0.88
    assert made["cost"][0] >= 0.88
    assert made["cost"][1] < 0.88
    assert made["log loss"][2] > 0.2


@pytest.mark.parametrize("rarest", [0, 1, 2])
def test_a_class_hardly_seen_has_a_guaranteed_interval_or_none(rarest):
    values = np.linspace(0.0, 0.2, 30)
    bounded = ItemScores(values=values, low=0.0, high=1.0)
    assert mean_loss_interval(bounded, rarest).method == "betting"
    with pytest.raises(Refusal, match=f"a class has only {rarest} cases or groups"):
        mean_loss_interval(ItemScores(values=values, low=0.0), rarest)
    with pytest.raises(Refusal, match="a class has only"):
        mean_loss_interval(bounded, rarest, worth=0.7)  # betting knows of one model only
    many = ItemScores(values=np.tile(values, 10), low=0.0)
    assert mean_loss_interval(many, rarest).method == "skewed-t"


def test_few_cases_or_groups_are_refused():
    nine = ItemScores(values=np.arange(9.0), low=0.0)
    with pytest.raises(Refusal, match="fewer than ten"):
        mean_loss_interval(nine, 4)
    grouped = ItemScores(values=np.arange(90.0), cluster=np.arange(90) % 9, low=0.0)
    with pytest.raises(Refusal, match="fewer than ten"):
        mean_loss_interval(grouped, 9)


def test_fewer_independent_cases_widen_the_interval():
    items = ItemScores(values=np.random.default_rng(0).beta(1, 5, 60), low=0.0, high=1.0)
    whole, half = (mean_loss_interval(items, 20, worth=w) for w in (1.0, 0.5))
    assert 1.3 < half.width / whole.width < 1.8


def grouped_area_coverage(groups, auc, data_sets, seed=3):
    from scipy.stats import norm

    rng = np.random.default_rng(seed)
    unit = np.repeat(np.arange(groups), 10)
    hits = []
    for _ in range(data_sets):
        y = rng.random(len(unit)) < 0.5
        noise = (rng.standard_normal(groups)[unit] + rng.standard_normal(len(unit))) / math.sqrt(2)
        scores = noise + norm.ppf(auc) * math.sqrt(2) * y
        i = newcombe_delong(with_groups(placements(y, scores), y, unit))
        hits.append(i.low <= auc <= i.high)
    return float(np.mean(hits))


@pytest.mark.slow
def test_areas_of_few_groups_are_covered(capsys):
    with capsys.disabled():
        print("\ngroups auc  coverage")
        for groups in (4, 6, 8, 15):
            for auc in (0.8, 0.95):
                share = grouped_area_coverage(groups, auc, 1000)
                print(f"{groups:6d} {auc:.2f} {share:.3f}")
                assert share >= 0.93 - 2 * math.sqrt(0.93 * 0.07 / 1000)


def test_areas_of_six_groups_have_few_degrees_of_freedom():
    # With the normal law's quantile this seed gives .893.
    assert grouped_area_coverage(6, 0.8, 150) >= 0.92
