"""Two fixed models on different test sets (E5, T1): nothing is paired, so more cases are needed."""

from __future__ import annotations

from collections.abc import Callable

from scipy import optimize

from referee.comparing.comparison import Duel
from referee.comparing.contrast_pair import (
    difference_of,
    directed,
    duel_of_contrast,
    mirrored,
)
from referee.comparing.fixed_pair import score_of
from referee.comparing.question import Question
from referee.core.predictions import Predictions
from referee.core.results import Evidence
from referee.intervals.difference.unpaired import newcombe_unpaired
from referee.planning.power import two_sample_power, two_sample_rows
from referee.significance.contrast import Contrast
from referee.significance.delong import unpaired_delong_contrast
from referee.significance.unpaired.two_sample import barnard, boschloo, fisher, two_sample_z

__all__ = ["unpaired_duel"]

_OF_COUNTS: dict[str, Callable[[int, int, int, int], Evidence]] = {
    "boschloo": boschloo,
    "barnard": barnard,
    "fisher": fisher,
    "two-sample-z": two_sample_z,
}


def unpaired_duel(
    names: tuple[str, str], first: Predictions, second: Predictions, question: Question
) -> Duel:
    """Judge two fixed models that were tested on different cases."""
    if question.measure.name == "auc":
        return duel_of_contrast(names, _delong(first, second, question).swapped, question)
    return _by_counts(names, first, second, question)


def _delong(first: Predictions, second: Predictions, question: Question) -> Contrast:
    sides = []
    for table in (first, second):
        at = table.classes.index(question.positive)
        sides += [table.truth == at, score_of(table, at)]
    return unpaired_delong_contrast(*sides)


def _by_counts(
    names: tuple[str, str], first: Predictions, second: Predictions, question: Question
) -> Duel:
    counts = [(int(t.wrong.sum()), t.n) for t in (first, second)]
    (x1, n1), (x2, n2) = counts
    interval = newcombe_unpaired(x1, n1, x2, n2, question.level)
    return Duel(
        first=names[0],
        second=names[1],
        difference=difference_of(
            question,
            question.sign * (x1 / n1 - x2 / n2),
            mirrored(interval, question.sign),
            n1 + n2,
        ),
        evidence=directed(_evidence(counts, question), question),
        detectable=_detectable(counts, question),
        rows_needed=_rows(counts, question),
    )


def _evidence(counts: list[tuple[int, int]], question: Question) -> Evidence:
    name = "boschloo" if question.test == "auto" else question.test
    (x1, n1), (x2, n2) = counts
    return _OF_COUNTS[name](x1, n1, x2, n2)


def _detectable(counts: list[tuple[int, int]], question: Question) -> float | None:
    """Return the smallest rise above the pooled error that would have been shown."""
    (x1, n1), (x2, n2) = counts
    n = max(1, round(2 / (1 / n1 + 1 / n2)))  # two unequal sets are worth their harmonic mean
    error = min((x1 + x2) / (n1 + n2), 0.5)
    alpha = question.alpha / question.duels

    def surplus(size: float) -> float:
        return two_sample_power(n, error, error + size, alpha=alpha) - 0.8

    most = 1 - error
    if surplus(most) < 0:
        return None
    return float(optimize.brentq(surplus, 1e-9, most))


def _rows(counts: list[tuple[int, int]], question: Question) -> float | None:
    """Return about how many cases in both test sets together would show the difference."""
    (x1, n1), (x2, n2) = counts
    if x1 * n2 == x2 * n1:
        return None
    return 2 * two_sample_rows(x1 / n1, x2 / n2, alpha=question.alpha / question.duels)
