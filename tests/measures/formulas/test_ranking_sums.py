"""Rankings gone through in ranges, against the curve of all scores at once."""

import numpy as np
import pytest

from referee.intervals.area.placements import placements
from referee.measures.formulas import ranking_sums
from referee.measures.formulas.precision_recall import average_precision
from referee.measures.formulas.ranking_sums import RankingSums
from referee.measures.formulas.roc import auc_k, partial_auc, roc_curve


def _in_ranges(positive, score, cuts):
    """Return sorted scores of both classes between the cuts, from the top down."""
    above, ranges = np.inf, []
    for cut in (*np.sort(cuts)[::-1], -np.inf):
        here = (score < above) & (score >= cut)
        ranges.append((np.sort(score[positive & here]), np.sort(score[~positive & here])))
        above = cut
    return RankingSums.of(ranges, int(positive.sum()), int((~positive).sum()))


@pytest.mark.parametrize("seed", range(30))
def test_every_measure_is_that_of_the_whole_ranking(seed, monkeypatch):
    monkeypatch.setattr(ranking_sums, "_VERTICES", 16)
    rng = np.random.default_rng(seed)
    n = int(rng.integers(60, 400))
    positive = rng.random(n) < 0.4
    tied = seed % 2 == 1
    score = rng.integers(0, 40, n).astype(float) if tied else rng.normal(size=n) + positive
    sums, curve = _in_ranges(positive, score, rng.choice(score, 3)), roc_curve(positive, score)
    assert sums.auc == pytest.approx(curve.auc, abs=1e-15)
    assert sums.average_precision == pytest.approx(average_precision(curve), abs=1e-13)
    assert sums.partial_auc == pytest.approx(partial_auc(curve), abs=1e-13)
    placed = placements(positive, score)
    known = (placed.of_positives.var(ddof=1), placed.of_negatives.var(ddof=1))
    assert sums.placement_variances == pytest.approx(known, rel=1e-10)
    thin = sums.curve
    assert (thin.n_positive, thin.n_negative) == (curve.n_positive, curve.n_negative)
    for k in (1, 5, 10):
        assert auc_k(thin, k) == pytest.approx(auc_k(curve, k), abs=1e-13)


def test_areas_of_more_pairs_than_floats_can_count_are_exact():
    n = 400_000_001
    sums = RankingSums(n, n)
    sums._above = [n - 2, n - 1]
    sums.add(np.array([0.25, 0.75]), np.array([0.5]))
    assert sums._twice == 2  # the upper one outranks the last negative, the lower one nothing
    sums = RankingSums(n, n)
    sums.add(np.array([0.75]), np.array([]))
    assert sums._twice == 2 * n
