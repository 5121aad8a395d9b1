"""Two fixed models on different test sets: nothing is paired, so more cases are needed."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import scipy

from referee.comparing.comparison import Pair
from referee.comparing.pairs.contrast_pair import (
    difference_of,
    directed,
    mirrored,
    pair_of_contrast,
)
from referee.comparing.pairs.paired_resampling import score_of
from referee.comparing.question import Question
from referee.core.arrays import Flags, Floats
from referee.core.predictions import Predictions
from referee.core.results import Evidence
from referee.planning.power import two_sample_power, two_sample_rows
from referee.significance.comparison_test import ComparisonTest
from referee.significance.contrast import Contrast

__all__ = ["SeparateSamples", "unpaired_pair"]


def unpaired_pair(
    names: tuple[str, str],
    first: Predictions,
    second: Predictions,
    question: Question,
    test: ComparisonTest,
) -> Pair:
    """Judge two fixed models that were tested on different cases."""
    sample = SeparateSamples(first, second, question)
    outcome = test.outcome(sample)
    if isinstance(outcome, Contrast):
        return pair_of_contrast(names, outcome, question)
    return _pair_of_counts(names, sample, outcome)


@dataclass(frozen=True, eq=False)
class SeparateSamples:
    """Predictions of two models, each on cases of its own; an `UnpairedSample`."""

    first: Predictions
    second: Predictions
    question: Question

    @property
    def errors(self) -> tuple[int, int, int, int]:
        """Errors and cases of the first model, then of the second."""
        one, two = (int(t.wrong.sum()) for t in (self.first, self.second))
        return one, self.first.n, two, self.second.n

    @property
    def rankings(self) -> tuple[Flags, Floats, Flags, Floats]:
        """Which cases are positive and their scores, of the first model, then of the second."""
        return *self._ranking(self.first), *self._ranking(self.second)

    def _ranking(self, table: Predictions) -> tuple[Flags, Floats]:
        at = table.classes.index(self.question.positive)
        return np.asarray(table.truth == at), score_of(table, at)


def _pair_of_counts(names: tuple[str, str], sample: SeparateSamples, evidence: Evidence) -> Pair:
    question, counts = sample.question, sample.errors
    x1, n1, x2, n2 = counts
    interval = question.of_difference(sample, question.level)
    return Pair(
        first=names[0],
        second=names[1],
        difference=difference_of(
            question,
            question.sign * (x1 / n1 - x2 / n2),
            mirrored(interval, question.sign),
            n1 + n2,
        ),
        evidence=directed(evidence, question),
        detectable=_detectable(counts, question),
        rows_needed=_rows(counts, question),
    )


def _detectable(counts: tuple[int, int, int, int], question: Question) -> float | None:
    """Return the smallest rise above the pooled error that can be detected."""
    x1, n1, x2, n2 = counts
    n = max(1, round(2 / (1 / n1 + 1 / n2)))  # two unequal sets are worth their harmonic mean
    error = min((x1 + x2) / (n1 + n2), 0.5)
    alpha = question.alpha / question.pairs

    def surplus(size: float) -> float:
        return two_sample_power(n, error, error + size, alpha=alpha) - 0.8

    most = 1 - error
    if surplus(most) < 0:
        return None
    return float(scipy.optimize.brentq(surplus, 1e-9, most))


def _rows(counts: tuple[int, int, int, int], question: Question) -> float | None:
    """Return about how many cases in both test sets together would show the difference."""
    x1, n1, x2, n2 = counts
    if x1 * n2 == x2 * n1:
        return None
    return 2 * two_sample_rows(x1 / n1, x2 / n2, alpha=question.alpha / question.pairs)
