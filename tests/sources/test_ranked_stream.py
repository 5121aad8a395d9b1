"""Scores in falling order against plain sorting, and the bounds of the first pass."""

from itertools import pairwise

import numpy as np
import polars as pl
import pytest
from sklearn.metrics import roc_auc_score

from referee.sources.ranked_stream import RankedStream
from referee.sources.stream import Stream


def _ranked(truth, score):
    frame = pl.DataFrame({"t": truth, "s": score}).lazy()
    return RankedStream(Stream.of(frame), "t", "s", (1,))


def _spread(rng, kind, n):
    if kind == "ties":
        return rng.integers(0, 5, n).astype(float)
    if kind == "one value":
        return np.full(n, 0.25)
    if kind == "heavy tails":
        return rng.standard_cauchy(n) ** 3
    if kind == "widest":
        return np.where(rng.random(n) < 0.5, -1.7e308, 1.7e308) * rng.random(n)
    return rng.normal(size=n)


@pytest.mark.parametrize("kind", ["normal", "ties", "one value", "heavy tails", "widest"])
def test_scores_come_in_falling_order_whatever_their_spread(kind):
    rng = np.random.default_rng(2)
    truth, score = rng.integers(0, 2, 3000), _spread(rng, kind, 3000)
    ranked = _ranked(truth, score)
    low, high, _ = ranked.limits()
    assert (low, high) == (score.min(), score.max())
    ranges = list(ranked.falling(low, high, fetched=200, bins=16))
    for wanted, at in ((score[truth == 1], 0), (score[truth == 0], 1)):
        together = np.concatenate([r[at] for r in reversed(ranges)])
        assert np.array_equal(together, np.sort(wanted))
    tops = [max([*p[-1:], *n[-1:]]) for p, n in ranges]
    assert all(above > below for above, below in pairwise(tops))
    if kind not in ("ties", "one value"):
        assert max(len(p) + len(n) for p, n in ranges) <= 200


@pytest.mark.parametrize("bins", [1, 4, 64, 1024])
def test_the_first_pass_bounds_the_area_by_the_pairs_in_one_bin(bins):
    rng = np.random.default_rng(3)
    truth = rng.integers(0, 2, 4000)
    score = rng.normal(size=4000) + truth
    ranked = _ranked(truth, score)
    least, most = ranked.histogram(score.min(), score.max(), bins).area_bounds
    assert least <= roc_auc_score(truth, score) <= most
    place = np.minimum(((score - score.min()) / np.ptp(score) * bins).astype(int), bins - 1)
    hits, misses = (np.bincount(place[truth == c], minlength=bins) for c in (1, 0))
    open_pairs = float(hits @ misses) / (truth.sum() * (1 - truth).sum())
    assert most - least == pytest.approx(open_pairs, abs=1e-15)


def test_sums_of_losses_are_those_of_the_cases():
    rng = np.random.default_rng(4)
    truth, p = rng.integers(0, 2, 500), rng.random(500)
    p[:3] = 0.0, 1.0, 0.5
    _, _, sums = _ranked(truth, p).limits()
    given = np.clip(np.where(truth == 1, p, 1 - p), np.finfo(float).eps, 1 - np.finfo(float).eps)
    for loss, of in ((-np.log(given), sums["log_loss"]), ((p - truth) ** 2, sums["brier"])):
        for power, summed in ((1, of.first), (2, of.second), (3, of.third)):
            assert summed == pytest.approx(float((loss**power).sum()), rel=1e-12)
