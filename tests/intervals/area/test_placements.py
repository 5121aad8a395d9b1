"""Placements of several fits at once, against each fit by itself."""

import numpy as np
import pytest

from referee.intervals.area.placements import placed_within, placements


@pytest.mark.parametrize("seed", range(20))
def test_placements_within_fits_are_those_of_each_fit(seed):
    rng = np.random.default_rng(seed)
    n = int(rng.integers(5, 200))
    hit, unit = rng.random(n) < 0.4, rng.integers(0, 5, n)
    score = rng.integers(0, 9, n).astype(float) if seed % 2 else rng.normal(size=n)
    known = np.full(n, np.nan)
    for u in np.unique(unit):
        rows = np.flatnonzero(unit == u)
        if hit[rows].any() and not hit[rows].all():
            alone = placements(hit[rows], score[rows])
            known[rows[hit[rows]]], known[rows[~hit[rows]]] = alone.of_positives, alone.of_negatives
    assert np.array_equal(placed_within(hit, score, unit), known, equal_nan=True)
