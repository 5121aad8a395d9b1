"""R043: whole runs differ, so that runs of different items are not independent."""

from __future__ import annotations

import numpy as np
import scipy

from referee.checks.scores.score_check import ScoreCheck
from referee.core.results import Finding, Severity
from referee.core.scores.score_numbers import Writing
from referee.core.scores.scores import Scores
from referee.core.showing.numbers import p_text

__all__ = ["UNEQUAL_RUNS", "check"]

_SURE = 0.001
"""So sure must a difference between runs be: the check is made on every table with runs."""


def check(scores: Scores) -> Finding | None:
    """Report runs whose means differ by more than chance, items being the same."""
    if not scores.repeated or len(scores.runs) < 2:
        return None
    for column, name in enumerate(scores.models):
        rows = scores.model == column
        p, low, high = _spread(scores, np.flatnonzero(rows))
        if p < _SURE:
            size = Writing(scores.percent).size(high - low)
            return UNEQUAL_RUNS.finding(
                message=(
                    f"runs of {name} differ by up to {size} on the same items ({p_text(p)}), as if "
                    "something changed from run to run; the interval takes runs of different items "
                    "for independent and does not count that."
                ),
            )
    return None


def _spread(scores: Scores, rows: np.ndarray) -> tuple[float, float, float]:
    """Return the p-value of equal runs, and the lowest and highest run relative to the items."""
    item, run = scores.item[rows], scores.run[rows]
    counts = np.bincount(item, minlength=scores.n_items)
    several = counts[item] > 1
    item, run, score = item[several], run[several], scores.score[rows][several]
    if not len(item):
        return 1.0, 0.0, 0.0
    means = np.bincount(item, weights=score, minlength=scores.n_items) / np.maximum(counts, 1)
    away = score - means[item]
    present, code = np.unique(run, return_inverse=True)
    sizes = np.bincount(code).astype(float)
    shifts = np.bincount(code, weights=away) / sizes
    between = float(np.sum(sizes * shifts**2))
    total = float(np.sum(away**2))
    spare = len(item) - len(np.unique(item))
    df1, df2 = len(present) - 1, spare - (len(present) - 1)
    if df1 < 1 or df2 < 1 or total <= 0:
        return 1.0, 0.0, 0.0
    rest = max(total - between, 1e-12 * total)
    p = float(scipy.stats.f.sf(between / df1 / (rest / df2), df1, df2))
    return p, float(shifts.min()), float(shifts.max())


UNEQUAL_RUNS = ScoreCheck(
    "R043",
    title="whole runs differ",
    compute=check,
    cause="Means of runs over the same items differ by more than chance, p below .001.",
    remedy="Find out what changed; to count it, score more runs and compare their means.",
    severities=(Severity.WARNING,),
)
