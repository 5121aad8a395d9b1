"""Conservative z, against the formula of Nadeau and Bengio written out with plain fits."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats
from sklearn.neighbors import KNeighborsClassifier

import referee
from referee.core import Part
from referee.core.results import Target
from referee.errors import InputError
from referee.intervals import conservative_z
from referee.measures import Losses
from referee.resampling import HalvedHoldout


def published(point, pairs, level=0.95):
    sigma = math.sqrt(sum((a - b) ** 2 for a, b in pairs) / (2 * len(pairs)))
    half = stats.norm.isf((1 - level) / 2) * sigma
    return max(0, point - half), min(1, point + half)


@pytest.mark.parametrize(("n", "groups"), [(60, None), (51, None), (80, np.arange(80) // 2)])
def test_against_plain_fits(n, groups):
    rng = np.random.default_rng(n)
    y = np.arange(n) % 2
    X = rng.standard_normal((n, 2)) + 0.7 * y[:, None]
    scheme = HalvedHoldout(0.1, 4, 3)
    e = referee.evaluate(
        KNeighborsClassifier(3), X, y, by=scheme, groups=groups, level=0.9, random_state=1
    )

    def mean_loss(splits):
        losses = []
        for s in splits:
            model = KNeighborsClassifier(3).fit(X[s.train], y[s.train])
            losses.append(np.mean(model.predict(X[s.test]) != y[s.test]))
        return np.mean(losses)

    inside = e.plan.part(Part.HALF_HOLDOUTS)
    half = [mean_loss([s for s in inside if s.repetition == h]) for h in range(6)]
    point = mean_loss(e.plan.part(Part.MAIN))
    low, high = published(point, list(zip(half[::2], half[1::2], strict=True)), 0.9)
    i = e.error.interval
    assert e.error.value == pytest.approx(point)
    assert (i.low, i.high) == pytest.approx((low, high))
    assert (i.method, i.target) == ("conservative-z", Target.EXPECTED)


def losses(halvings, J, m, rate, seed):
    rng = np.random.default_rng(seed)
    rows = halvings * 2 * J * m
    split = np.repeat(np.arange(halvings * 2 * J), m)
    return Losses(
        (rng.random(rows) < rate).astype(float), rng.integers(0, 50, rows), split, split // J, split
    )


@settings(max_examples=40, deadline=None)
@given(
    halvings=st.integers(1, 6),
    J=st.integers(1, 4),
    rate=st.sampled_from([0.0, 0.1, 0.5, 1.0]),
    seed=st.integers(0, 999),
)
def test_any_losses_against_the_formula(halvings, J, rate, seed):
    inside, main = losses(halvings, J, 6, rate, seed), losses(1, 5, 6, rate, seed + 1)
    means = [inside.value[inside.repetition == h].mean() for h in range(2 * halvings)]
    low, high = published(main.value.mean(), list(zip(means[::2], means[1::2], strict=True)))
    made = conservative_z(main, inside)
    assert (made.low, made.high) == pytest.approx((low, high))
    if rate in (0.0, 1.0):
        assert "no width" in made.flag


def test_a_missing_half_is_refused():
    inside = losses(2, 2, 5, 0.3, 0)
    keep = inside.repetition != 2
    cut = Losses(
        *(getattr(inside, f)[keep] for f in ("value", "case", "split", "repetition", "n_train"))
    )
    with pytest.raises(InputError, match="both halves"):
        conservative_z(inside, cut)
