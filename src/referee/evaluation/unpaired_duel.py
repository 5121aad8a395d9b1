"""Two fixed models on different test sets (E5, T1): nothing is paired, so more cases are needed."""

from __future__ import annotations

from collections.abc import Callable

from scipy import optimize

from referee.core.predictions import Predictions
from referee.core.results import Evidence
from referee.evaluation.comparison import Duel
from referee.evaluation.contest import Contest
from referee.evaluation.contrast_duel import (
    difference_of,
    directed,
    duel_of_contrast,
    mirrored,
)
from referee.evaluation.fixed_duel import score_of
from referee.intervals.unpaired import newcombe_unpaired
from referee.significance.contrast import Contrast
from referee.significance.delong import unpaired_delong_contrast
from referee.significance.power import two_sample_power, two_sample_rows
from referee.significance.two_sample import barnard, boschloo, fisher, two_sample_z

__all__ = ["unpaired_duel"]

_OF_COUNTS: dict[str, Callable[[int, int, int, int], Evidence]] = {
    "boschloo": boschloo,
    "barnard": barnard,
    "fisher": fisher,
    "two-sample-z": two_sample_z,
}


def unpaired_duel(
    names: tuple[str, str], first: Predictions, second: Predictions, contest: Contest
) -> Duel:
    """Judge two fixed models that were tested on different cases."""
    if contest.measure.name == "auc":
        return duel_of_contrast(names, _delong(first, second, contest).swapped, contest)
    return _by_counts(names, first, second, contest)


def _delong(first: Predictions, second: Predictions, contest: Contest) -> Contrast:
    sides = []
    for table in (first, second):
        at = table.classes.index(contest.positive)
        sides += [table.truth == at, score_of(table, at)]
    return unpaired_delong_contrast(*sides)


def _by_counts(
    names: tuple[str, str], first: Predictions, second: Predictions, contest: Contest
) -> Duel:
    counts = [(int(t.wrong.sum()), t.n) for t in (first, second)]
    (x1, n1), (x2, n2) = counts
    interval = newcombe_unpaired(x1, n1, x2, n2, contest.level)
    return Duel(
        first=names[0],
        second=names[1],
        difference=difference_of(
            contest, contest.sign * (x1 / n1 - x2 / n2), mirrored(interval, contest.sign), n1 + n2
        ),
        evidence=directed(_evidence(counts, contest), contest),
        detectable=_detectable(counts, contest),
        rows_needed=_rows(counts, contest),
    )


def _evidence(counts: list[tuple[int, int]], contest: Contest) -> Evidence:
    name = "boschloo" if contest.test == "auto" else contest.test
    (x1, n1), (x2, n2) = counts
    return _OF_COUNTS[name](x1, n1, x2, n2)


def _detectable(counts: list[tuple[int, int]], contest: Contest) -> float | None:
    """Return the smallest rise above the pooled error that would have been shown."""
    (x1, n1), (x2, n2) = counts
    n = max(1, round(2 / (1 / n1 + 1 / n2)))  # two unequal sets are worth their harmonic mean
    error = min((x1 + x2) / (n1 + n2), 0.5)
    alpha = contest.alpha / contest.duels

    def surplus(size: float) -> float:
        return two_sample_power(n, error, error + size, alpha=alpha) - 0.8

    most = 1 - error
    if surplus(most) < 0:
        return None
    return float(optimize.brentq(surplus, 1e-9, most))


def _rows(counts: list[tuple[int, int]], contest: Contest) -> float | None:
    """Return about how many cases in both test sets together would show the difference."""
    (x1, n1), (x2, n2) = counts
    if x1 * n2 == x2 * n1:
        return None
    return 2 * two_sample_rows(x1 / n1, x2 / n2, alpha=contest.alpha / contest.duels)
