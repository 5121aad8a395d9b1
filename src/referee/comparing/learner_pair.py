"""Two learners on one shared plan of several fits: a test that knows about shared training rows."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np

from referee.comparing.comparison import Duel
from referee.comparing.contrast_pair import difference_of, duel_of_contrast
from referee.comparing.question import Question
from referee.core.arrays import Codes, Floats
from referee.core.plan import Part
from referee.core.predictions import Predictions
from referee.core.results import Evidence
from referee.errors import Refusal
from referee.judging.split_values import row_losses, split_values
from referee.measures import Losses
from referee.significance.bayes import Posterior, bayes_correlated_t
from referee.significance.contrast import Contrast
from referee.significance.learners.calibrated_t import calibrated_contrast
from referee.significance.learners.corrected_t import corrected_contrast
from referee.significance.learners.five_by_two import five_by_two_f, five_by_two_t
from referee.significance.learners.kfold_t import kfold_contrast
from referee.significance.learners.one_class import collapse

__all__ = ["learner_duel"]


def learner_duel(
    names: tuple[str, str], first: Predictions, second: Predictions, question: Question
) -> Duel:
    """Judge two learners that went through the same splits."""
    fits = _SharedFits(first, second, question)
    name = question.test if question.test != "auto" else fits.default
    if name in _WITHOUT_CONTRAST:
        return _by_statistic(names, fits, _WITHOUT_CONTRAST[name](fits))
    about = f"both learners have the same {question.measure.title} when trained on such samples"
    duel = duel_of_contrast(names, replace(_CONTRASTS[name](fits), null=about), question)
    return replace(
        duel,
        posterior=fits.posterior if question.rope > 0 else None,
        reservation=duel.reservation or fits.collapsed(names),
    )


def _by_statistic(names: tuple[str, str], fits: _SharedFits, evidence: Evidence) -> Duel:
    question = fits.question
    value = question.sign * float(np.mean(fits.per_split))
    why = f"the {evidence.test} test has no interval; see corrected-t"
    return Duel(
        first=names[0],
        second=names[1],
        difference=difference_of(question, value, None, fits.losses.n, reason=why),
        evidence=replace(evidence, n=fits.losses.n),
        reservation=fits.collapsed(names),
    )


@dataclass(frozen=True, eq=False)
class _SharedFits:
    """Two tables from one plan, read as differences of losses, first minus second."""

    first: Predictions
    second: Predictions
    question: Question

    @property
    def default(self) -> str:
        halved = Part.HALVINGS in self.first.part
        return "calibrated-t" if halved and self.is_mean and self.is_partition else "corrected-t"

    @property
    def is_mean(self) -> bool:
        return self.question.is_mean_loss

    @cached_property
    def losses(self) -> Losses:
        """Differences of the losses of all unseen rows; nan for measures that have none."""
        rows = self.first.unseen
        value = self._rows(Part.MAIN) if self.is_mean else np.full(len(rows.case), np.nan)
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
    def is_partition(self) -> bool:
        """Whether every repetition tests each case once, as cross-validation does."""
        losses = self.losses
        return len(losses.case) == losses.repetitions * losses.n

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
        if self.is_mean:
            return self.losses.per_split
        one, two = (split_values(t.unseen, self.question) for t in (self.first, self.second))
        return self.question.sign * (one - two)

    @property
    def posterior(self) -> Posterior:
        """The Bayesian correlated t test of the same splits."""
        losses = self.losses
        share = float(np.mean(losses.split_sizes)) / losses.n
        return bayes_correlated_t(self.defined, rope=self.question.rope, share=share)

    def collapsed(self, names: tuple[str, str]) -> str:
        """Say which learner answered one class only somewhere, which no test here survives.

        Rankings and probabilities do not go by the answers.
        """
        if self.question.measure.scores:
            return ""
        for name, table in zip(names, (self.first, self.second), strict=True):
            main, halves = table.unseen, table.of_part(Part.HALVINGS)
            seen = collapse(
                main.predicted,
                table.repetition[main.split],
                halves.predicted,
                table.repetition[halves.split],
            )
            if seen.forbids_verdict and name not in self.question.baselines:
                return f"{name}: {seen.sentence}"
        return ""

    @property
    def defined(self) -> Floats:
        """Differences of the splits in which both values are defined."""
        values = self.per_split[~np.isnan(self.per_split)]
        if 2 * len(values) < len(self.per_split) or len(values) < 2:
            raise Refusal(
                f"{self.question.measure.name} is undefined in {len(self.per_split) - len(values)} "
                f"of {len(self.per_split)} splits ({self.question.measure.undefined}); use fewer "
                "folds, as by='10x5', or compare another measure"
            )
        return values


def _calibrated(fits: _SharedFits) -> Contrast:
    return calibrated_contrast(
        fits.by_repetition,
        fits.halves,
        groups=fits.losses.case_group,
        half_groups=fits.half_groups,
    )


def _corrected(fits: _SharedFits) -> Contrast:
    losses = fits.losses
    contrast = corrected_contrast(
        fits.defined, float(np.mean(losses.n_train)), float(np.mean(losses.split_sizes))
    )
    lacking = int(np.sum(np.isnan(fits.per_split)))
    flag = f"{fits.question.measure.name} is undefined in {lacking} splits, which were left out"
    contrast = replace(contrast, n=losses.n, flag=flag if lacking else contrast.flag)
    if contrast.se > 0 or not fits.is_mean:
        return contrast
    # A perfect model against a constant one differs equally in all folds; the cases still vary.
    spread = float(np.std(losses.per_case, ddof=1)) / losses.n**0.5
    return replace(contrast, se=spread, df=losses.n - 1.0, flag=_FLAT)


_FLAT = "all splits gave the same difference, so its variance was taken from the cases"


def _kfold(fits: _SharedFits) -> Contrast:
    losses = fits.losses
    return kfold_contrast(fits.defined, n=losses.n, repetitions=losses.repetitions)


def _five_by_two(form: Callable[[Floats], Evidence]) -> Callable[[_SharedFits], Evidence]:
    def test(fits: _SharedFits) -> Evidence:
        return form(fits.per_split.reshape(5, 2))

    return test


_CONTRASTS: dict[str, Callable[[_SharedFits], Contrast]] = {
    "calibrated-t": _calibrated,
    "corrected-t": _corrected,
    "kfold-t": _kfold,
}
_WITHOUT_CONTRAST: dict[str, Callable[[_SharedFits], Evidence]] = {
    "5x2cv-t": _five_by_two(five_by_two_t),
    "5x2cv-f": _five_by_two(five_by_two_f),
}
