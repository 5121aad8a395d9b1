"""Two learners on one shared plan of several fits: what a test reads, and the pair it gives."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np

from referee.comparing.comparison import Pair
from referee.comparing.pairs.contrast_pair import pair_of_contrast, pair_of_evidence
from referee.comparing.question import Question
from referee.core.arrays import Codes, Floats
from referee.core.plan import Part
from referee.core.predictions import Predictions
from referee.errors import Refusal, arg
from referee.judging.estimating.split_values import row_losses, split_values
from referee.measures import Losses, Measure
from referee.significance.bayes import Posterior, bayes_correlated_t
from referee.significance.comparison_test import ComparisonTest
from referee.significance.contrast import Contrast
from referee.significance.learners.one_class import collapse

__all__ = ["SharedFits", "learner_pair"]


def learner_pair(
    names: tuple[str, str],
    first: Predictions,
    second: Predictions,
    question: Question,
    test: ComparisonTest,
) -> Pair:
    """Judge two learners that went through the same splits."""
    fits = SharedFits(first, second, question)
    outcome = test.outcome(fits)
    if not isinstance(outcome, Contrast):
        value = float(np.mean(fits.per_split))
        pair = pair_of_evidence(
            names, outcome, question, value=value, n=fits.losses.n, instead="corrected-t"
        )
        return replace(pair, reservation=fits.collapsed(names, test.bears_collapse))
    about = f"both learners have the same {question.measure.title} when trained on such samples"
    pair = pair_of_contrast(names, replace(outcome, null=about), question)
    reservation = pair.reservation or fits.collapsed(names, test.bears_collapse)
    evidence = pair.evidence
    if not reservation:
        # What the test bears is told among what it assumes.
        borne = fits.collapsed(names)
        evidence = replace(evidence, assumptions=(*evidence.assumptions, *filter(None, [borne])))
    return replace(
        pair,
        evidence=evidence,
        posterior=fits.posterior if question.rope > 0 else None,
        reservation=reservation,
    )


@dataclass(frozen=True, eq=False)
class SharedFits:
    """Two tables from one plan, read as differences of losses; a `LearnerSample`."""

    first: Predictions
    second: Predictions
    question: Question

    @property
    def measure(self) -> Measure:
        """What is compared."""
        return self.question.measure

    @property
    def mean_loss(self) -> bool:
        """Whether the measure is a mean of one loss per case."""
        return self.question.is_mean_loss

    @cached_property
    def losses(self) -> Losses:
        """Differences of the losses of all unseen rows; nan for measures that have none."""
        rows = self.first.unseen
        value = self._rows(Part.MAIN) if self.mean_loss else np.full(len(rows.case), np.nan)
        return Losses.of(rows, value)

    def _rows(self, part: Part) -> Floats:
        tables = (
            (self.first.unseen, self.second.unseen)
            if part is Part.MAIN
            else (self.first.of_part(part), self.second.of_part(part))
        )
        one, two = (row_losses(t, self.question) for t in tables)
        return one - two

    @cached_property
    def by_repetition(self) -> Floats:
        """Differences by repetition and case."""
        losses = self.losses
        order = np.lexsort((losses.case, losses.repetition))
        return losses.value[order].reshape(losses.repetitions, losses.n)

    @cached_property
    def halves(self) -> list[tuple[Floats, Floats]]:
        """Differences inside the two halves of every halving."""
        return self._in_halves(self._rows(Part.HALVINGS))

    @property
    def half_groups(self) -> list[tuple[Codes, Codes]] | None:
        """The groups of those cases, where cases come in groups."""
        table = self.first.of_part(Part.HALVINGS)
        if table.groups is None:
            return None
        return self._in_halves(table.groups[table.case])

    def _in_halves(self, values: Any) -> list[tuple[Any, Any]]:
        """Return values of the rows of all halvings, halving by halving, in two parts each."""
        table = self.first.of_part(Part.HALVINGS)
        half = table.repetition[table.split]
        parts = [values[half == h] for h in np.unique(half)]
        return list(zip(parts[::2], parts[1::2], strict=True))

    @cached_property
    def per_split(self) -> Floats:
        """Differences of the measure, as something to keep small, split by split."""
        if self.mean_loss:
            return self.losses.per_split
        one, two = (split_values(t.unseen, self.question) for t in (self.first, self.second))
        return self.question.sign * (one - two)

    @property
    def posterior(self) -> Posterior:
        """The Bayesian correlated t test of the same splits."""
        losses = self.losses
        share = float(np.mean(losses.split_sizes)) / losses.n
        return bayes_correlated_t(self.defined, rope=self.question.rope, share=share)

    def collapsed(self, names: tuple[str, str], borne: float = 0.0) -> str:
        """Say which learners answered one class only, in more of the repetitions than is borne.

        Rankings and probabilities do not go by the answers.
        """
        if self.question.measure.scores or self.first.numeric:
            return ""
        reasons = []
        for name, table in zip(names, (self.first, self.second), strict=True):
            main, halves = table.unseen, table.of_part(Part.HALVINGS)
            seen = collapse(
                main.predicted,
                table.repetition[main.split],
                halves.predicted,
                table.repetition[halves.split],
            )
            if seen.forbids_verdict(borne) and name not in self.question.baselines:
                reasons.append(f"{name}: {seen.sentence}")
        return "; ".join(reasons)

    @property
    def defined(self) -> Floats:
        """Differences of the splits in which both values are defined."""
        values = self.per_split[~np.isnan(self.per_split)]
        if 2 * len(values) < len(self.per_split) or len(values) < 2:
            raise Refusal(
                f"{self.question.measure.name} is undefined in "
                f"{len(self.per_split) - len(values)} of {len(self.per_split)} splits "
                f"({self.question.measure.undefined})",
                remedy=f"use fewer folds, as {arg('by', '10x5')}, or compare another measure",
            )
        return values
