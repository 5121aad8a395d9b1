"""pass@k, pass^k, at-least-k: against enumeration of all draws and Chen and others' formula."""

import itertools
import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee.core.scores.scores import ItemScores
from referee.errors import InputError
from referee.intervals.one_set.proportion import clopper_pearson
from referee.intervals.scores.pass_at_k import at_least, at_least_each, pass_all, pass_at


def enumerated(successes, tries, k, of):
    """Return the share of all draws without replacement with at least k successes."""
    marks = [1] * successes + [0] * (tries - successes)
    draws = list(itertools.combinations(marks, of))
    return sum(sum(draw) >= k for draw in draws) / len(draws)


@given(st.integers(1, 8).flatmap(lambda r: st.tuples(st.integers(0, r), st.just(r))), st.data())
def test_every_draw_enumerated(item, data):
    successes, tries = item
    of = data.draw(st.integers(1, tries))
    k = data.draw(st.integers(1, of))
    got = at_least_each(np.array([successes]), np.array([tries]), k=k, of=of)[0]
    assert got == pytest.approx(enumerated(successes, tries, k, of), abs=1e-12)


@pytest.mark.parametrize(("r", "c", "k"), [(200, 13, 100), (10, 3, 5), (5, 5, 2), (5, 0, 5)])
def test_against_the_formulas_of_the_papers(r, c, k):
    one, every = np.array([c]), np.array([r])
    chen = 1 - math.comb(r - c, k) / math.comb(r, k)
    yao = math.comb(c, k) / math.comb(r, k)
    assert at_least_each(one, every, k=1, of=k)[0] == pytest.approx(chen, rel=1e-10)
    assert at_least_each(one, every, k=k, of=k)[0] == pytest.approx(yao, rel=1e-10, abs=1e-14)


def items(successes, tries, **options):
    return ItemScores(values=successes / tries, low=0.0, high=1.0, single=False, **options)


def test_pass_at_1_is_the_mean_and_all_tries_are_exact():
    rng = np.random.default_rng(0)
    tries = np.full(50, 4)
    successes = rng.binomial(4, 0.6, 50)
    one = pass_at(items(successes, tries), successes, tries, 1)
    assert one.value == pytest.approx(np.mean(successes / 4))
    four = pass_at(items(successes, tries), successes, tries, 4)
    exact = clopper_pearson(float(np.sum(successes > 0)), 50)
    assert four.interval.method == "clopper-pearson"
    assert (four.interval.low, four.interval.high) == (exact.low, exact.high)
    assert pass_all(items(successes, tries), successes, tries, 4).value == np.mean(successes == 4)


def test_clusters_widen_the_interval():
    rng = np.random.default_rng(1)
    code = np.repeat(np.arange(10), 8)
    level = rng.uniform(0.05, 0.95, 10)[code]
    tries = np.full(80, 5)
    successes = rng.binomial(5, level)
    alone = pass_at(items(successes, tries), successes, tries, 2).interval
    grouped = pass_at(items(successes, tries, cluster=code), successes, tries, 2).interval
    assert grouped.width > 1.3 * alone.width


def test_unequal_numbers_of_tries():
    successes, tries = np.array([1, 4, 0]), np.array([2, 9, 3])
    made = at_least(items(successes, tries), successes, tries, k=1, of=2)
    want = np.mean([enumerated(c, r, 1, 2) for c, r in zip(successes, tries, strict=True)])
    assert made.value == pytest.approx(want)
    with pytest.raises(InputError, match="item 0 was tried 2 times only"):
        at_least(items(successes, tries), successes, tries, k=1, of=3)


@pytest.mark.parametrize(("k", "of"), [(0, 2), (3, 2)])
def test_k_must_lie_within_the_tries(k, of):
    with pytest.raises(InputError, match="k must lie between 1"):
        at_least_each(np.array([1]), np.array([4]), k=k, of=of)
