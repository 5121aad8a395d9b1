"""Critical differences, against Demšar's worked numbers, scipy and brute force."""

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from referee.errors import InputError
from referee.significance import (
    CriticalDifference,
    bonferroni_dunn,
    critical_difference,
    nemenyi,
    rank_contrast,
)


def test_against_demsar_section_3():
    # "the critical difference is 2.569 sqrt(4 5 / (6 14)) = 1.25"; against a control 1.16
    # (his table rounds the quantile to 2.394).
    assert nemenyi(4, 14) == pytest.approx(1.25, abs=0.005)
    assert nemenyi(4, 14, 0.1) == pytest.approx(1.12, abs=0.005)
    assert bonferroni_dunn(4, 14) == pytest.approx(1.16, abs=0.01)


@pytest.mark.parametrize("k", [2, 5, 12])
def test_against_scipy(k):
    q = stats.studentized_range.ppf(0.95, k, 1e6) / 2**0.5
    assert nemenyi(k, 20) == pytest.approx(q * (k * (k + 1) / 120) ** 0.5, rel=1e-4)
    z = stats.norm.ppf(1 - 0.025 / (k - 1))
    assert bonferroni_dunn(k, 20) == pytest.approx(z * (k * (k + 1) / 120) ** 0.5)


def test_two_models_are_the_z_test():
    contrast = rank_contrast(1.2, 1.8, k=2, n=30)
    half = contrast.interval().high - contrast.value
    assert nemenyi(2, 30) == pytest.approx(half, rel=1e-6)
    assert bonferroni_dunn(2, 30) == pytest.approx(half)


@given(a=st.floats(1, 5), b=st.floats(1, 5))
def test_swapping_the_models_negates(a, b):
    made, swapped = (rank_contrast(*r, k=5, n=9).evidence() for r in ((a, b), (b, a)))
    assert swapped.statistic == -made.statistic
    assert swapped.p_value == made.p_value


@given(ranks=st.lists(st.integers(4, 32).map(lambda i: i / 4), min_size=2, max_size=7))
def test_cliques_against_every_subset(ranks):
    names = tuple("abcdefg"[: len(ranks)])
    cd = made(names, ranks)
    alike = [
        set(group)
        for size in range(2, len(names) + 1)
        for group in combinations(names, size)
        if not any(cd.differ(*pair) for pair in combinations(group, 2))
    ]
    largest = [g for g in alike if not any(g < other for other in alike)]
    cliques = [set(c) for c in cd.cliques]
    # Models of one rank are interchangeable; the sets are the same.
    assert sorted(map(sorted, cliques)) == sorted(map(sorted, largest))


def made(names, ranks, **more):
    return CriticalDifference(
        names=names, ranks=tuple(ranks), difference=1.3, n=10, alpha=0.05, method="nemenyi", **more
    )


def test_against_a_control():
    cd = made(("a", "b", "c", "d"), (3.9, 2.0, 1.0, 3.1), control="b")
    assert cd.cliques == (("c", "b", "d"),)
    assert cd.order == ("c", "b", "d", "a")
    assert made(("a", "b"), (1.0, 4.0), control="b").cliques == ()


def test_from_scores():
    scores = np.random.default_rng(0).normal([0, 0, 2, 4], 0.5, size=(12, 4))
    cd = critical_difference(scores, ["a", "b", "c", "d"])
    assert cd.order[:2] == ("d", "c")
    assert (cd.method, cd.n) == ("nemenyi", 12)
    assert cd.differ("a", "d")
    against = critical_difference(scores, ["a", "b", "c", "d"], control="a")
    assert against.method == "bonferroni-dunn"
    assert against.difference < cd.difference
    losses = critical_difference(-scores, ["a", "b", "c", "d"], greater_is_better=False)
    assert losses.ranks == cd.ranks


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: nemenyi(1, 5), "at least 2 models and 2 data sets, got 1 and 5"),
        (lambda: nemenyi(3, 5, 5), "for 5 % write 0.05"),
        (lambda: made(("a", "a"), (1, 2)), "a name of its own"),
        (lambda: made(("a", "b"), (1, 2), control="c"), "control must be one of"),
    ],
)
def test_bad_arguments(call, message):
    with pytest.raises(InputError, match=message):
        call()


@pytest.mark.slow
@pytest.mark.parametrize("k", [3, 5, 10])
@pytest.mark.parametrize("n", [5, 10, 30])
def test_size_among_equal_models_by_simulation(k, n, capsys):
    drawn = np.random.default_rng(0).random((20_000, n, k))
    ranks = 1 + drawn.argsort(axis=2).argsort(axis=2).mean(axis=1)
    any_two = np.mean(np.ptp(ranks, axis=1) >= nemenyi(k, n))
    from_first = np.abs(ranks[:, 1:] - ranks[:, :1]).max(axis=1)
    with_control = np.mean(from_first >= bonferroni_dunn(k, n))
    with capsys.disabled():
        print(f"\n{k} models, {n} data sets: {any_two:.3f}, with a control {with_control:.3f}")
    assert max(any_two, with_control) <= 0.05
