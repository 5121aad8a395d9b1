"""PairedResampling: the difference of two fixed models in resamples of the cases they share."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from referee.comparing.question import Question
from referee.core.arrays import Codes, Floats
from referee.core.predictions import Predictions
from referee.errors import InputError, named
from referee.judging.estimating.split_values import row_losses
from referee.measures import Measure, RankingMeasure, RatioMeasure
from referee.significance.paired.paired_bootstrap import (
    PairedBootstrap,
    paired_matrix,
    paired_mean,
    paired_ranking,
)
from referee.significance.paired.paired_function import paired_function
from referee.significance.paired.paired_ratio import paired_ratio

__all__ = ["PairedResampling", "score_of"]


@dataclass(frozen=True, eq=False)
class PairedResampling:
    """Unseen predictions of the same cases by two models, and what is asked of them.

    A measure asks for the way that suits it (`Measure.paired`).
    """

    first: Predictions
    second: Predictions
    question: Question

    def of_means(self, measure: Measure) -> PairedBootstrap:
        """Resample differences of one loss per case."""
        one, two = (row_losses(table, self.question) for table in (self.first, self.second))
        if measure.greater_is_better:
            one, two = 1 - one, 1 - two
        return paired_mean(
            one,
            two,
            groups=self._groups,
            weights=self._weights,
            seed=self.question.seed,
            measure=measure.title,
        )

    def of_matrices(self, measure: Measure) -> PairedBootstrap:
        """Resample both confusion matrices; of label sets there is only right and wrong."""
        if self.first.label_sets is not None:
            return self.of_means(measure)
        return paired_matrix(
            self._truth,
            self.first.predicted,
            self.second.predicted,
            self._form(measure),
            classes=len(self.first.classes),
            groups=self._groups,
            weights=self._weights,
            seed=self.question.seed,
            measure=measure.title,
        )

    def of_rankings(self, measure: RankingMeasure) -> PairedBootstrap:
        """Resample both rankings of one class against the rest."""
        if not measure.column or self._weights is not None:
            return self.of_functions(measure)
        at = self.first.classes.index(self.question.positive)
        return paired_ranking(
            self._truth == at,
            score_of(self.first, at),
            score_of(self.second, at),
            measure,
            groups=self._groups,
            seed=self.question.seed,
        )

    def of_ratios(self, measure: RatioMeasure) -> PairedBootstrap:
        """Resample sums over cases above and below the line."""
        return paired_ratio(
            measure.sums(self.first),
            measure.sums(self.second),
            measure.of_sums,
            groups=self._groups,
            weights=self._weights,
            seed=self.question.seed,
            measure=measure.title,
        )

    def of_functions(self, measure: Measure) -> PairedBootstrap:
        """Resample the cases themselves and compute the measure of both models on each."""
        asked = self.question.positive, self.question.costs
        for table in (self.first, self.second):
            measure.check_order(table, *asked, measure.value(table, *asked))
        return paired_function(
            lambda rows: measure.quiet_value(self.first.rows(rows), *asked),
            lambda rows: measure.quiet_value(self.second.rows(rows), *asked),
            self._truth,
            groups=self._groups,
            seed=self.question.seed,
            measure=measure.title,
            remedy=f"test more cases {self._of_what}",
        )

    @property
    def _of_what(self) -> str:
        if self.first.numeric:
            return "with different right answers"
        return "of every class" if self.first.label_sets is None else "that have labels"

    @property
    def _truth(self) -> Codes:
        """The class of each case; quantities and label sets are all of one kind."""
        truth = self.first.row_truth
        one_kind = self.first.numeric or self.first.label_sets is not None
        return np.zeros(len(truth), dtype=np.intp) if one_kind else truth

    @property
    def _groups(self) -> Codes | None:
        return None if self.first.groups is None else self.first.groups[self.first.case]

    @property
    def _weights(self) -> Floats | None:
        return None if self.first.weight is None else self.first.weight[self.first.case]

    def _form(self, measure: Measure) -> Callable[[Floats], Any]:
        form = measure.of_matrix
        assert form is not None
        if not measure.positive:
            return form
        at = self.first.classes.index(self.question.positive)
        return lambda matrix: form(matrix, at)


def score_of(table: Predictions, at: int) -> Floats:
    """Return the scores of one class, or say that there are none."""
    if table.scores is None:
        raise InputError(
            "this measure needs scores",
            concerning="y_score",
            remedy=(f"pass {named('y_scores')}, or models with predict_proba or decision_function"),
        )
    return table.scores if table.scores.ndim == 1 else np.asarray(table.scores[:, at])
