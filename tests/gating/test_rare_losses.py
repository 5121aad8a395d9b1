"""Losses that few cases need not show: no pass before they are ruled out."""

import numpy as np
import pandas as pd
import pytest
from scipy import stats

import referee
from referee.gating.question import GateQuestion
from referee.gating.rare_losses import ADDED, CaseLosses

ALPHA = 0.05
LAWS = (
    *((1, 0, -1), (1, 0, -0.3), (1, -0.1, 0), (0.65, 0, 0.01), (1, 0.3, 0), (0.3, 0, -0.05)),
    *((1, -1, -0.5), (1, 0.05, -0.05), (1, -0.9, -1)),
)


def tables(n):
    """Return all ways to spread n cases over three points."""
    one, two = np.meshgrid(np.arange(n + 1), np.arange(n + 1), indexing="ij")
    kept = one + two <= n
    return np.column_stack([one[kept], two[kept], n - one[kept] - two[kept]])


def passing(counts, points, margin):
    """Return which tables pass: the test of `CaseLosses.p_below`, for all tables at once."""
    n = counts.sum(axis=1) + ADDED
    mean = (counts @ points + ADDED) / n
    squares = counts @ points**2 + ADDED - n * mean**2
    error = np.sqrt(np.maximum(squares, 1e-12) / (n - 1) / n)
    return stats.t.sf((margin - mean) / error, n - 1) <= ALPHA


def size(n, margin, law, points=25):
    """Return the largest chance to pass at exactly the margin, over laws on three points."""
    values = np.array(law, dtype=float)
    counts = tables(n)
    counts = counts[passing(counts, values, margin)]
    largest = 0.0
    for first in np.linspace(0, 1, points):
        second = (margin - first * values[0] - (1 - first) * values[2]) / (values[1] - values[2])
        if counts.size and 0 <= second <= 1 - first:
            shares = [first, second, 1 - first - second]
            largest = max(largest, float(stats.multinomial.pmf(counts, n, shares).sum()))
    return largest


def test_the_enumerated_test_is_that_of_the_gate():
    values = np.array([1.0, 0.0, -0.3])
    counts = np.array([[0, 9, 3], [1, 60, 9], [0, 200, 1]])
    for row, passed in zip(counts, passing(counts, values, 0.1), strict=True):
        losses = CaseLosses(values=np.repeat(values, row), bound=1.0)
        assert (losses.p_below(0.1) <= ALPHA) == passed


@pytest.mark.parametrize("n", [5, 12, 30])
def test_size_at_exactly_the_margin_by_enumeration(n):
    sizes = [size(n, margin, law) for margin in (0.05, 0.3) for law in LAWS]
    assert max(sizes) <= ALPHA


@pytest.mark.slow
@pytest.mark.parametrize("n", [2, 20, 50, 80, 120])
def test_size_over_more_margins(n):
    margins = (0.01, 0.02, 0.05, 0.1, 0.2, 0.3, 0.5, 0.7)
    assert max(size(n, margin, law) for margin in margins for law in LAWS) <= ALPHA


def rare(rng, n):
    """Return scores that are worse by .02: .65 rarely, else next to nothing."""
    return 0.9 + rng.normal(0, 0.003, n) - 0.65 * (rng.random(n) < 0.02 / 0.65)


@pytest.mark.parametrize("n", [5, 30, 100])
def test_rare_losses_of_scores_do_not_pass(n):
    rng = np.random.default_rng(3)
    asked = {"margin": 0.02, "limits": (0, 1)}
    passed = sum(referee.gate(np.full(n, 0.9), rare(rng, n), **asked).passed for _ in range(12))
    assert passed == 0


def test_two_items_pass_nothing():
    gate = referee.gate([0.5, 0.6], [0.6, 0.71], margin=0.01)
    assert (gate.outcome.value, gate.exit_code) == ("undecided", 3)
    assert gate.p_value > ALPHA
    assert "2 cases are too few to rule out rare losses" in gate.line


def test_three_items_do_not_show_worse():
    gate = referee.gate([0.5, 0.6, 0.7], [0.4, 0.51, 0.61], margin=0.05)
    assert gate.outcome.value == "undecided"
    assert gate.p_opposite > ALPHA


def frames(n, positives, seed=0):
    rng = np.random.default_rng(seed)
    truth = np.zeros(n, int)
    truth[:positives] = 1
    one = np.clip(0.2 + 0.6 * truth + rng.normal(0, 0.1, n), 0, 1)
    two = np.clip(one + rng.normal(0, 0.05, n), 0, 1)
    made = [
        pd.DataFrame({"id": range(n), "y": truth, "pred": (p > 0.5).astype(int), "p": p})
        for p in (one, two)
    ]
    return dict(zip(("baseline", "candidate"), made, strict=True))


@pytest.mark.parametrize("measure", ["brier", "log_loss", "auc", "average_precision"])
@pytest.mark.parametrize(("n", "positives"), [(6, 3), (40, 2)])
def test_few_cases_pass_no_probabilities(measure, n, positives):
    gate = referee.gate(
        **frames(n, positives),
        **{"truth": "y", "on": "id", "pred": "pred", "score": "p", "pos_label": 1},
        measure=measure,
        margin=0.02,
    )
    assert gate.outcome.value == "undecided"


def test_many_cases_still_pass():
    gate = referee.gate(
        **frames(600, 300),
        **{"truth": "y", "on": "id", "pred": "pred", "score": "p", "pos_label": 1},
        measure="brier",
        margin=0.02,
    )
    assert gate.outcome.value == "pass"
    rng = np.random.default_rng(0)
    old = rng.uniform(0.3, 0.9, 400)
    assert referee.gate(old, old + rng.normal(0, 0.02, 400), margin=0.02).passed


def test_equivalence_asks_both_sides():
    losses = CaseLosses(values=np.full(400, -0.03), bound=1.0)
    within = GateQuestion(claim="equivalent", margin=0.02)
    assert losses.p_shown(GateQuestion(margin=0.02)) < ALPHA
    assert losses.p_shown(within) > 0.5
    assert losses.p_opposite(within) < ALPHA


def test_groups_are_the_units():
    values = np.repeat([0.1, -0.1, 0.3], 4)
    losses = CaseLosses(values=values, bound=1.0, groups=np.repeat(["a", "b", "c"], 4))
    assert losses.units == pytest.approx([0.1, -0.1, 0.3])
    assert losses.worst == pytest.approx(0.3)
