"""The exact test of inferiority, against complete enumeration."""

import numpy as np
import pytest
from scipy import stats

from referee.errors import InputError
from referee.intervals.difference.paired import tango_score
from referee.measures.formulas.paired_counts import PairedCounts
from referee.significance.paired.equivalence import non_inferiority
from referee.significance.paired.inferiority import inferiority


def enumerated(pairs, margin):
    """Return the largest chance of a score as high, over a fine grid of laws on the margin."""
    n = int(pairs.n)
    z = float(tango_score(pairs.first_right, pairs.second_right, n, margin))
    b, c = np.array([(b, c) for b in range(n + 1) for c in range(n + 1 - b)]).T
    inside = tango_score(b, c, n, margin) >= z - 1e-9 * max(1, abs(z))
    cells = np.column_stack([b, c, n - b - c])[inside]
    shares = np.linspace(0, (1 - margin) / 2, 1500)
    return max(
        stats.multinomial.pmf(cells, n, [p, p + margin, max(0.0, 1 - 2 * p - margin)]).sum()
        for p in shares
    )


@pytest.mark.parametrize(
    ("cells", "margin"),
    [((5, 1, 6, 3), 0.1), ((8, 0, 3, 1), 0.05), ((10, 2, 2, 1), 0.1), ((3, 9, 1, 2), 0.02)],
)
def test_p_against_enumeration(cells, margin):
    p = inferiority(PairedCounts(*cells), margin).p_value
    assert p == pytest.approx(enumerated(PairedCounts(*cells), margin), rel=1e-4)


@pytest.mark.parametrize("margin", [0.05, 0.2])
def test_size_by_enumeration(margin):
    """Over every law on the margin, at most 5 % are called inferior at level .05."""
    n = 12
    cells = np.array([(b, c) for b in range(n + 1) for c in range(n + 1 - b)])
    p = np.array([inferiority(PairedCounts(n - b - c, b, c, 0), margin).p_value for b, c in cells])
    rejected = np.column_stack([cells, n - cells.sum(axis=1)])[p <= 0.05]
    for share in np.linspace(0, (1 - margin) / 2, 60)[:-1]:
        law = [share, share + margin, 1 - 2 * share - margin]
        assert stats.multinomial.pmf(rejected, n, law).sum() <= 0.05 + 1e-9


def test_never_both_sides():
    for cells in [(100, 0, 0, 5), (60, 30, 5, 5), (60, 5, 30, 5), (0, 0, 40, 0), (0, 40, 0, 0)]:
        pairs = PairedCounts(*cells)
        assert non_inferiority(pairs, 0.05).p_value + inferiority(pairs, 0.05).p_value >= 1 - 1e-9


@pytest.mark.parametrize("margin", [0.0, 1.0, -0.1])
def test_margins_that_say_nothing_are_refused(margin):
    with pytest.raises(InputError, match="margin must be above 0"):
        inferiority(PairedCounts(1, 1, 1, 1), margin)
