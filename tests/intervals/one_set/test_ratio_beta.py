"""The interval of a ratio of sums over cases, where the truth is known."""

import numpy as np
import pytest
from scipy import special, stats

from referee.errors import Refusal
from referee.intervals.one_set.ratio_beta import Ratios

KINDS = {
    "even": (np.full(5, 0.3), 0.8, 0.1),
    "rare": (np.array([0.5, 0.3, 0.1, 0.08, 0.08]), 0.7, 0.05),
    "good": (np.array([0.5, 0.3, 0.2, 0.1, 0.1]), 0.97, 0.01),
}
"""Shares of the labels, how often they are hit, how often answered wrongly."""


def counted(rng, n, kind, alike):
    """Return twice the hits and the slots of F1; labels and errors of one case are alike."""
    shares, hit, false = KINDS[kind]

    def uniform():
        own = rng.standard_normal((n, len(shares)))
        shared = rng.standard_normal((n, 1))
        return special.ndtr(np.sqrt(alike) * shared + np.sqrt(1 - alike) * own)

    truth, luck = uniform() < shares, uniform()
    answer = np.where(truth, luck < hit, luck < false)
    both = 2.0 * (truth & answer)
    return both, both + (truth != answer)


def coverage(n, kind, alike, data_sets, seed=0):
    """Return the coverage of micro and macro F1, and how often macro was refused."""
    known = np.random.default_rng(99)
    parts = [tuple(p.sum(axis=0) for p in counted(known, 100_000, kind, alike)) for _ in range(5)]
    above, below = (sum(p[i] for p in parts) for i in (0, 1))
    truth = float(above.sum() / below.sum()), float(np.mean(above / below))
    rng = np.random.default_rng(seed)
    held: tuple[list[bool], list[bool]] = ([], [])
    for _ in range(data_sets):
        hits, slots = counted(rng, n, kind, alike)
        pooled = (hits.sum(axis=1, keepdims=True), slots.sum(axis=1, keepdims=True))
        for kept, right, (a, b) in zip(held, truth, (pooled, (hits, slots)), strict=True):
            try:
                interval = Ratios(hits=a, slots=b).interval(0.95)
            except Refusal:
                continue
            kept.append(interval.low <= right <= interval.high)
    return float(np.mean(held[0])), float(np.mean(held[1])), 1 - len(held[1]) / data_sets


@pytest.mark.slow
def test_micro_and_macro_f1_are_covered(capsys):
    with capsys.disabled():
        print("\n  n    kind  alike  micro  macro  refused")
        for n in (30, 100, 300, 1000):
            for kind in KINDS:
                for alike in (0.0, 0.5):
                    micro, macro, refused = coverage(n, kind, alike, 1000)
                    print(f"  {n:4} {kind:5} {alike:4}   {micro:.3f}  {macro:.3f}  {refused:.2f}")
                    assert micro >= 0.93
                    assert refused > 0.5 or macro >= 0.92


def test_micro_f1_is_covered_at_sixty_cases():
    """A small look at what the slow test does; three standard errors below .93 would be .891."""
    micro, macro, refused = coverage(60, "even", 0.5, 300)
    assert micro >= 0.9
    assert macro >= 0.9
    assert refused < 0.05


def test_one_slot_a_case_is_about_the_exact_interval_of_a_share():
    hits = np.r_[np.ones(70), np.zeros(30)][:, None]
    i = Ratios(hits=hits, slots=np.ones((100, 1))).interval(0.95)
    exact = stats.binomtest(70, 100).proportion_ci(method="exact")
    assert (i.low, i.high) == pytest.approx(tuple(exact), abs=0.002)
    assert i.n_effective < 100  # as the variance was estimated


def test_the_linearised_variance_is_the_jackknifes():
    rng = np.random.default_rng(1)
    slots = rng.integers(1, 6, (400, 1)).astype(float)
    hits = rng.binomial(slots.astype(int), 0.6).astype(float)
    ratios = Ratios(hits=hits, slots=slots)
    rest = (hits.sum() - hits[:, 0]) / (slots.sum() - slots[:, 0])
    jackknife = 399 / 400 * np.sum((rest - rest.mean()) ** 2)
    p, n = ratios.value, ratios.interval(0.95).n_effective
    t, z = stats.t.ppf(0.975, 399), stats.norm.ppf(0.975)
    assert p * (1 - p) / n * (z / t) ** 2 == pytest.approx(jackknife, rel=0.01)


def test_perfect_answers_leave_doubt_by_the_cases_that_tell():
    hits = np.full((40, 1), 2.0)
    i = Ratios(hits=hits, slots=hits).interval(0.95)
    assert (i.low, i.high) == pytest.approx((0.025 ** (1 / 40), 1.0))


def test_groups_are_units_and_weights_count():
    hits, slots = np.ones((20, 1)), np.full((20, 1), 2.0)
    unit, weight = np.arange(20) // 4, np.r_[np.full(10, 3.0), np.ones(10)]
    ratios = Ratios.of_rows(hits, slots, unit, weight)
    assert ratios.hits[:, 0].tolist() == [12.0, 12.0, 8.0, 4.0, 4.0]
    with pytest.raises(Refusal, match="fewer than ten cases or groups"):
        ratios.interval(0.95)


def test_after_several_fits_cases_are_worth_less():
    rng = np.random.default_rng(2)
    hits = rng.integers(0, 2, (200, 1)).astype(float)
    one, half = (
        Ratios(hits=hits, slots=np.ones((200, 1)), worth=w).interval(0.95) for w in (1.0, 0.5)
    )
    assert half.n_effective == pytest.approx(one.n_effective / 2)
