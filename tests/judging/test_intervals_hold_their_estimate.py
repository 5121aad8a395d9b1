"""Every interval holds its own estimate and has a width, whatever the measure and the cases."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import referee
from referee.measures import MEASURES

QUANTITIES = ("mae", "rmse", "r2", "median_ae", "mse")
NAMES = [
    m.name for m in MEASURES.values() if not m.costs and not m.sets and m.name not in QUANTITIES
]
ROUNDING = 1e-9


def cases(seed, m, n, skill, kind):
    """Return truth, probability of the second class, weights and groups of some cases."""
    rng = np.random.default_rng(seed)
    truth = rng.permutation(np.arange(m + n) < m).astype(int)
    odds = skill * (2 * truth - 1) + rng.normal(size=m + n)
    groups = np.arange(m + n) % max(2, (m + n) // 3) if "groups" in kind else None
    weight = rng.choice([0.5, 1.0, 5.0], size=m + n) if "weights" in kind else None
    return truth, 1 / (1 + np.exp(-odds)), weight, groups


def check(estimates):
    for name, estimate in estimates.items():
        interval = estimate.interval
        if interval is None:
            assert estimate.reason, name
            continue
        assert not math.isnan(estimate.value), name
        assert interval.low - ROUNDING <= estimate.value <= interval.high + ROUNDING, name
        assert interval.width > 1e-9 or interval.flag, name


@settings(deadline=None, max_examples=25)
@given(
    st.integers(0, 2**16),
    st.integers(2, 40),
    st.integers(2, 60),
    st.sampled_from([-8.0, -1.0, 0.0, 0.5, 2.0, 8.0]),
    st.sampled_from(["plain", "weights", "groups", "weights and groups"]),
    st.sampled_from([0.5, 0.8, 0.95, 0.999]),
)
def test_of_two_classes(seed, m, n, skill, kind, level):
    truth, score, weight, groups = cases(seed, m, n, skill, kind)
    check(
        referee.evaluate_predictions(
            truth,
            (score > 0.5).astype(int),
            y_score=score,
            measures=NAMES_OF_TWO,
            sample_weight=weight,
            groups=groups,
            level=level,
            pos_label=1,
        ).estimates
    )


NAMES_OF_TWO = [name for name in NAMES if name not in ("auc_ovr", "auc_ovo")]


@settings(deadline=None, max_examples=8)
@given(
    st.integers(0, 2**16),
    st.integers(6, 40),
    st.sampled_from([0.0, 1.0, 20.0]),
    st.sampled_from(["plain", "weights", "groups"]),
)
def test_of_three_classes(seed, n, skill, kind):
    rng = np.random.default_rng(seed)
    truth = np.arange(n) % 3
    odds = np.exp(skill * np.eye(3)[truth] + rng.normal(size=(n, 3)))
    p = odds / odds.sum(axis=1, keepdims=True)
    options = {
        "weights": {"sample_weight": rng.random(n) + 0.1},
        "groups": {"groups": rng.integers(max(2, n // 2), size=n)},
    }
    check(
        referee.evaluate_predictions(
            truth,
            p.argmax(axis=1),
            y_score=p,
            measures=NAMES,
            pos_label=2,
            **options.get(kind, {}),
        ).estimates
    )


@settings(deadline=None, max_examples=15)
@given(
    st.integers(0, 2**16),
    st.integers(12, 60),
    st.sampled_from([0.1, 1.0, 1e4]),
    st.sampled_from(["plain", "weights", "groups", "weights and groups"]),
    st.sampled_from([0.5, 0.95, 0.999]),
)
def test_of_quantities(seed, n, spread, kind, level):
    rng = np.random.default_rng(seed)
    _, _, weight, groups = cases(seed, n // 2, n - n // 2, 0.0, kind)
    truth = rng.gamma(2.0, spread, n)
    check(
        referee.evaluate_predictions(
            truth,
            truth + 0.5 * spread * rng.standard_t(3, n),
            measures=QUANTITIES,
            sample_weight=weight,
            groups=groups,
            level=level,
            task="regression",
        ).estimates
    )


@pytest.mark.parametrize("kind", ["plain", "weights", "groups"])
def test_all_answers_right_or_all_wrong(kind):
    truth, _, weight, groups = cases(0, 12, 20, 0.0, kind)
    for answers in (truth, 1 - truth, np.zeros_like(truth), np.ones_like(truth)):
        check(
            referee.evaluate_predictions(
                truth,
                answers,
                y_score=0.1 + 0.8 * answers,
                measures=NAMES_OF_TWO,
                sample_weight=weight,
                groups=groups,
                pos_label=1,
            ).estimates
        )
