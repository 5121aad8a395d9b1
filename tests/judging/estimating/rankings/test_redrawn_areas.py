"""Areas of resamples by counting, against the areas of the drawn rows themselves."""

import numpy as np
import pytest

from referee.judging.estimating.rankings.redrawn_areas import redrawn_areas
from referee.measures import measure_named


@pytest.mark.parametrize("name", ["auc_ovr", "auc_ovo"])
def test_counts_give_the_areas_of_the_drawn_rows(name):
    rng = np.random.default_rng(0)
    truth = rng.integers(4, size=90)
    scores = np.round(rng.normal(size=(90, 4)), 1)
    scores[np.arange(90), truth] += 1
    measure = measure_named(name)
    drawn = [rng.integers(90, size=90) for _ in range(7)]
    times = np.array([np.bincount(rows, minlength=90) for rows in drawn], np.int16)
    got = redrawn_areas(truth, scores, measure.apart(truth, 4), times)
    expected = [measure.of_scores(truth[rows], scores[rows]) for rows in drawn]
    assert got == pytest.approx(expected, rel=1e-12)
