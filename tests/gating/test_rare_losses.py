"""Losses that few cases need not show: no pass before they are ruled out."""

import numpy as np
import pandas as pd
import pytest
from scipy import stats

import referee
from referee.gating.question import GateQuestion
from referee.gating.rare_losses import ADDED, CaseLosses
from referee.gating.reach import least_p

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


@pytest.mark.parametrize("n", [40, 100])
def test_rare_losses_of_scores_do_not_pass(n):
    rng = np.random.default_rng(3)
    asked = {"margin": 0.02, "limits": (0, 1)}
    passed = sum(referee.gate(np.full(n, 0.9), rare(rng, n), **asked).passed for _ in range(12))
    assert passed == 0


def test_a_few_items_are_too_few_and_pass_nothing():
    old = np.array([0.5, 0.6, 0.7] * 4)
    gate = referee.gate(old, old + 0.1, margin=0.01)
    assert (gate.outcome.value, gate.exit_code) == ("undecided", 3)
    assert gate.p_value > ALPHA
    assert "12 cases are too few to rule out rare losses" in gate.line
    worse = referee.gate(old, old - 0.1, margin=0.05)
    assert worse.outcome.value == "undecided"
    assert worse.p_opposite > ALPHA


class TestTooFewItems:
    """Items that could not show the claim by any candidate are refused before any work."""

    @pytest.mark.parametrize("asked", [{"margin": 0.02}, {"claim": "better"}])
    def test_the_number_needed_is_the_fewest(self, asked):
        old = np.full(30, 0.9)
        with pytest.raises(referee.InputError, match="30 items can never show") as caught:
            referee.gate(old, old, **asked, limits=(0, 1))
        needed = int(str(caught.value).split("about ")[1].split(" ")[0])
        best = referee.gate(np.full(needed, 0.9), np.ones(needed), **asked, limits=(0, 1))
        assert best.passed
        with pytest.raises(referee.InputError):
            referee.gate(np.full(needed - 1, 0.9), np.ones(needed - 1), **asked, limits=(0, 1))

    def test_equivalence_and_a_baseline_that_cannot_be_improved_on(self):
        ones = np.ones(100)
        asked = {"limits": (0, 1.5)}
        with pytest.raises(referee.InputError, match="even by a candidate with the same scores"):
            referee.gate(ones, ones, margin=0.02, claim="equivalent", **asked)
        with pytest.raises(referee.InputError, match="take a baseline that can be improved on"):
            referee.gate(ones * 1.5, ones, claim="better", **asked)

    def test_no_spread_of_gains_comes_below_the_least_p(self):
        rng = np.random.default_rng(0)
        question = GateQuestion(margin=0.02)
        for n in (3, 12, 40):
            for _ in range(20):
                losses = CaseLosses(values=-rng.beta(*rng.uniform(0.1, 3, 2), n), bound=1.0)
                p, least = (
                    losses.p_shown(question),
                    least_p(n, -losses.values.mean(), 1.0, question),
                )
                assert min(p, 0.5) >= min(least, 0.5) - 1e-12


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
