"""Two fixed models on the same cases: what a test reads, and the pair that follows from it."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from referee.comparing.comparison import Pair
from referee.comparing.pairs.contrast_pair import (
    difference_of,
    directed,
    mirrored,
    pair_of_contrast,
    pair_of_evidence,
)
from referee.comparing.pairs.paired_resampling import PairedResampling, score_of
from referee.comparing.question import Question
from referee.core.arrays import Codes, Flags, Floats, Rows
from referee.core.machine.blocks import blocks
from referee.core.predictions import Predictions
from referee.core.randomness import Seed
from referee.core.results import Evidence
from referee.core.tally import Tally
from referee.errors import InputError
from referee.judging.estimating.split_values import row_losses, split_values
from referee.measures import Measure
from referee.measures.formulas.paired_counts import PairedCounts
from referee.planning.power import (
    connor_rows,
    detectable_as_seen,
)
from referee.significance.comparison_test import ComparisonTest
from referee.significance.contrast import Contrast
from referee.significance.paired.equivalence import equivalence, non_inferiority
from referee.significance.paired.paired_bootstrap import PairedBootstrap

__all__ = ["FixedSample", "fixed_pair"]

_MOST_KINDS = 1 << 16
"""Longest table of right answers and two predictions that is counted."""


def fixed_pair(
    names: tuple[str, str],
    first: Predictions,
    second: Predictions,
    question: Question,
    test: ComparisonTest,
) -> Pair:
    """Judge two fixed models by their unseen predictions of the same cases."""
    sample = FixedSample(first.unseen, second.unseen, question)
    outcome = test.outcome(sample)
    if isinstance(outcome, Contrast):
        return pair_of_contrast(names, outcome, question)
    if not question.counts_cases:
        return pair_of_evidence(
            names,
            outcome,
            question,
            value=sample.difference,
            n=sample.n,
            instead="paired-bootstrap",
        )
    return _pair_of_counts(names, sample, outcome, test.smallest_p(sample))


@dataclass(frozen=True, eq=False)
class FixedSample:
    """Unseen predictions of the same cases by two models; a `PairedSample`."""

    first: Predictions
    second: Predictions
    question: Question

    @property
    def measure(self) -> Measure:
        """What is compared."""
        return self.question.measure

    @property
    def seed(self) -> Seed:
        """Where chance starts."""
        return self.question.seed

    @property
    def n(self) -> int:
        """Cases the measure is a share or a mean of."""
        return int(self.counts.n) if self.question.counts_cases else int(self._kept.sum())

    @cached_property
    def counts(self) -> PairedCounts:
        """Those cases by which of the models answered them rightly."""
        kinds = self._kinds
        kept = self._share_of(kinds[0])
        wrong, also_wrong = (self._wrong(kinds[0], a)[kept] for a in kinds[1:3])
        return PairedCounts.of(wrong, also_wrong, None if kinds[3] is None else kinds[3][kept])

    @cached_property
    def _kinds(self) -> tuple[Codes, Codes, Codes, Rows | None]:
        """Right answer, both predictions, and how many cases are so; None for one each.

        All that shares of cases need. Counted in one pass, unless there are so many classes that
        the table would be longer than the cases are many.
        """
        truth, first, second = self.answers
        if isinstance(self.first, Tally):
            return truth, first, second, self.first.times
        k = self.classes
        if k**3 > min(_MOST_KINDS, len(truth)):
            return truth, first, second, None
        times = np.zeros(k**3, dtype=np.intp)
        for rows in blocks(len(truth)):
            kind = truth[rows].astype(np.intp)
            kind *= k
            kind += first[rows]
            kind *= k
            kind += second[rows]
            times += np.bincount(kind, minlength=k**3)
        kinds = np.flatnonzero(times)
        return kinds // k**2, kinds // k % k, kinds % k, times[kinds]

    @cached_property
    def differences(self) -> Floats:
        """Loss of the first model minus loss of the second, for each of those cases."""
        if self._of_a_class:
            truth, *answers = self.answers
            one, two = (self._wrong(truth, a).astype(float) for a in answers)
        else:
            one, two = self.losses
        return np.asarray(one[self._kept] - two[self._kept])

    @property
    def difference(self) -> float:
        """The measure of the first model minus that of the second, as something to keep small."""
        one, two = (split_values(t, self.question)[0] for t in (self.first, self.second))
        return self.question.sign * float(one - two)

    @property
    def difference_groups(self) -> Codes | None:
        """The group of each of those cases."""
        return None if self.groups is None else self.groups[self._kept]

    @property
    def losses(self) -> tuple[Floats, Floats]:
        """Losses of both models, case by case."""
        if not self.question.is_mean_loss:
            return self.first.wrong, self.second.wrong
        return row_losses(self.first, self.question), row_losses(self.second, self.question)

    @property
    def groups(self) -> Codes | None:
        """The group of every case."""
        return None if self.first.groups is None else self.first.groups[self.first.case]

    @property
    def weights(self) -> Floats | None:
        """How much every case counts."""
        return None if self.first.weight is None else self.first.weight[self.first.case]

    @property
    def ranking(self) -> tuple[Flags, Floats, Floats]:
        """Which cases are positive, and the scores of both models."""
        at = self.first.classes.index(self.question.positive)
        positive = np.asarray(self.first.row_truth == at)
        return positive, score_of(self.first, at), score_of(self.second, at)

    @property
    def answers(self) -> tuple[Codes, Codes, Codes]:
        """The true class and both models' answers."""
        truth = self.first.row_truth
        return truth, self.first.predicted, self.second.predicted

    @property
    def classes(self) -> int:
        """How many classes there are."""
        return len(self.first.classes)

    @property
    def resampled(self) -> PairedBootstrap:
        """The difference of the measure in resamples of the cases."""
        drawn: PairedBootstrap = self.measure.paired(
            PairedResampling(self.first, self.second, self.question)
        )
        return drawn

    @property
    def _of_a_class(self) -> bool:
        return self.question.counts_cases and self.measure.positive

    @cached_property
    def _kept(self) -> Flags:
        """Which rows the measure is a share of."""
        return self._share_of(self.first.row_truth)

    def _share_of(self, truth: Codes) -> Flags:
        """Return which of some right answers the measure is a share of."""
        if not self._of_a_class:
            return np.ones(len(truth), dtype=bool)
        at = self.first.classes.index(self.question.positive)
        kept = np.asarray((truth == at) == (self.measure.whose == "positive"))
        if not kept.any():
            why = self.measure.undefined
            raise InputError(
                f"{self.measure.name} is undefined here: {why}",
                concerning="measure",
                remedy="compare another",
            )
        return kept

    def _wrong(self, truth: Codes, answers: Codes) -> Flags:
        """Return which answers are wrong.

        For the rates of a class, mistaking one of the other classes for another is no error.
        """
        if not self._of_a_class:
            return np.asarray(answers != truth)
        at = self.first.classes.index(self.question.positive)
        return np.asarray((answers == at) != (truth == at))


def _pair_of_counts(
    names: tuple[str, str], sample: FixedSample, evidence: Evidence, smallest_p: float | None
) -> Pair:
    """Return the pair of a share of cases: interval, exact equivalence and power from counts."""
    question, counts = sample.question, sample.counts
    interval = question.of_difference(sample, question.level)
    worth = interval.n_effective or counts.n
    unit = "cases" if sample.groups is None else "groups"
    pair = Pair(
        first=names[0],
        second=names[1],
        difference=difference_of(
            question,
            question.sign * counts.difference,
            mirrored(interval, question.sign),
            int(counts.n),
            (f"{unit} are independent draws of what the models will meet",),
        ),
        evidence=directed(evidence, question),
        equivalence=_equivalence(
            counts if sample.groups is None else counts.scaled(worth), question
        ),
        counts=counts,
        smallest_p=smallest_p,
    )
    return _with_power(pair, counts, worth, question)


def _equivalence(counts: PairedCounts, question: Question) -> Evidence | None:
    if question.rope == 0:
        return None
    form = non_inferiority if question.claim == "non-inferior" else equivalence
    return form(counts, question.rope)


def _with_power(pair: Pair, counts: PairedCounts, worth: float, question: Question) -> Pair:
    """Add what these cases could detect, and how many would show the observed difference."""
    alpha = question.alpha / question.pairs
    only = counts.first_right / counts.n, counts.second_right / counts.n
    needed = None
    if only[0] != only[1]:
        fewest = math.ceil(1 - math.log2(alpha))  # with fewer no outcome is significant
        needed = max(connor_rows(*only, alpha=alpha), fewest) * counts.n / worth
    detectable = detectable_as_seen(max(1, int(worth)), sum(only), alpha)
    return replace(pair, detectable=detectable, rows_needed=needed)
