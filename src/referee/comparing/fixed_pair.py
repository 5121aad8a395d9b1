"""Two fixed models on the same cases: a paired test, an interval, and what n could have shown."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np

from referee.comparing.comparison import Duel
from referee.comparing.contrast_pair import (
    difference_of,
    directed,
    duel_of_contrast,
    mirrored,
)
from referee.comparing.question import Question
from referee.core.arrays import Codes, Flags, Floats
from referee.core.predictions import Predictions
from referee.core.results import Evidence, Interval
from referee.errors import InputError, Refusal
from referee.intervals.difference.clustered_difference import clustered_pairs
from referee.intervals.difference.paired import bonett_price, newcombe_paired, tango, wald_paired
from referee.judging.split_values import row_losses
from referee.measures import Kind
from referee.measures.pairs import Pairs
from referee.planning.power import (
    connor_rows,
    detectable_difference,
    detectable_nested,
)
from referee.significance.delong import paired_delong_contrast
from referee.significance.paired.equivalence import equivalence, non_inferiority
from referee.significance.paired.group_flip import group_flip, smallest_group_p
from referee.significance.paired.mcnemar import (
    mcnemar_asymptotic,
    mcnemar_exact,
    mcnemar_midp,
    smallest_p,
)
from referee.significance.paired.paired_bootstrap import (
    PairedBootstrap,
    paired_matrix,
    paired_mean,
    paired_ranking,
)

__all__ = ["fixed_duel", "score_of"]

_MCNEMAR: dict[str, Callable[[Pairs], Evidence]] = {
    "mcnemar-exact": mcnemar_exact,
    "mcnemar-midp": mcnemar_midp,
    "mcnemar-asymptotic": mcnemar_asymptotic,
}
_INTERVALS: dict[str, Callable[[Pairs, float], Interval]] = {
    "bonett-price": bonett_price,
    "tango": tango,
    "newcombe-paired": newcombe_paired,
    "wald-paired": wald_paired,
}


def fixed_duel(
    names: tuple[str, str], first: Predictions, second: Predictions, question: Question
) -> Duel:
    """Judge two fixed models by their unseen predictions of the same cases.

    Shares of cases (error, accuracy, the rates of a class) by McNemar's exact test, or by flipping
    whole groups; the AUC by DeLong's test; everything else by the paired bootstrap.
    """
    one, two = first.unseen, second.unseen
    if question.test == "paired-bootstrap":
        return _by_resampling(names, one, two, question)
    if question.counts_cases:
        return _by_counts(names, one, two, question)
    if question.measure.name == "auc":
        return _by_placements(names, one, two, question)
    return _by_resampling(names, one, two, question)


def _by_counts(
    names: tuple[str, str], first: Predictions, second: Predictions, question: Question
) -> Duel:
    kept, wrong = _wrong(first, question)
    if not kept.any():
        why = question.measure.undefined
        raise InputError(f"{question.measure.name} is undefined here: {why}; compare another")
    _, also_wrong = _wrong(second, question)
    pairs = Pairs.of(wrong[kept], also_wrong[kept])
    losses = wrong[kept].astype(float) - also_wrong[kept]
    groups = None if first.groups is None else first.groups[first.case[kept]]
    interval = _paired_interval(pairs, losses, groups, question)
    worth = interval.n_effective or pairs.n
    unit = "cases" if groups is None else "groups"
    duel = Duel(
        first=names[0],
        second=names[1],
        difference=difference_of(
            question,
            question.sign * pairs.difference,
            mirrored(interval, question.sign),
            int(pairs.n),
            (f"{unit} are independent draws of what the models will meet",),
        ),
        evidence=directed(_paired_evidence(pairs, losses, groups, question), question),
        equivalence=_paired_rope(pairs if groups is None else pairs.scaled(worth), question),
        pairs=pairs,
    )
    return _with_power(duel, pairs, worth, question, _least(duel, pairs, losses, groups))


def _wrong(table: Predictions, question: Question) -> tuple[Flags, Flags]:
    """Return which rows the measure is a share of, and which rows are wrong.

    For the rates of a class, mistaking one of the other classes for another is no error.
    """
    if not question.measure.positive:
        return np.ones(len(table.case), dtype=bool), table.wrong.astype(bool)
    at = table.classes.index(question.positive)
    hit = np.asarray(table.truth[table.case] == at)
    return hit == question.measure.of_class, (table.predicted == at) != hit


def _paired_evidence(
    pairs: Pairs, losses: Floats, groups: Codes | None, question: Question
) -> Evidence:
    if groups is None:
        return _MCNEMAR["mcnemar-exact" if question.test == "auto" else question.test](pairs)
    return group_flip(losses, groups)


def _paired_interval(
    pairs: Pairs, losses: Floats, groups: Codes | None, question: Question
) -> Interval:
    if groups is None:
        name = "bonett-price" if question.interval == "auto" else question.interval
        return _INTERVALS[name](pairs, question.level)
    return clustered_pairs(losses, groups, question.level)


def _paired_rope(pairs: Pairs, question: Question) -> Evidence | None:
    if question.rope == 0:
        return None
    form = non_inferiority if question.claim == "non-inferior" else equivalence
    return form(pairs, question.rope)


def _with_power(
    duel: Duel, pairs: Pairs, worth: float, question: Question, least: float | None
) -> Duel:
    """Add what these cases could have shown, and how many would show the observed difference."""
    alpha = question.alpha / question.duels
    only = pairs.first_right / pairs.n, pairs.second_right / pairs.n
    needed = None
    if only[0] != only[1]:
        fewest = math.ceil(1 - math.log2(alpha))  # with fewer no outcome is significant
        needed = max(connor_rows(*only, alpha=alpha), fewest) * pairs.n / worth
    return replace(
        duel,
        detectable=_detectable(max(1, int(worth)), sum(only), alpha),
        rows_needed=needed,
        smallest_p=least,
    )


def _least(duel: Duel, pairs: Pairs, losses: Floats, groups: Codes | None) -> float | None:
    """Return the smallest p the test could have given, where it is exact."""
    if groups is not None:
        return smallest_group_p(losses, groups)
    return smallest_p(int(pairs.discordant)) if duel.evidence.test == "mcnemar-exact" else None


def _detectable(n: int, discordance: float, alpha: float) -> float | None:
    """Return what n cases could have shown: as often discordant as here, or more if need be."""
    if discordance > 0:
        found = detectable_difference(n, discordance, alpha=alpha)
        if found is not None:
            return found
    return detectable_nested(n, alpha=alpha)


def _by_placements(
    names: tuple[str, str], first: Predictions, second: Predictions, question: Question
) -> Duel:
    at = first.classes.index(question.positive)
    contrast = paired_delong_contrast(
        first.truth[first.case] == at,
        score_of(first, at),
        score_of(second, at),
        None if first.groups is None else first.groups[first.case],
    )
    return duel_of_contrast(names, contrast.swapped, question)


def _by_resampling(
    names: tuple[str, str], first: Predictions, second: Predictions, question: Question
) -> Duel:
    contrast = _resampled(first, second, question).contrast
    # The bootstrap speaks of the measure itself; duels want something to keep small.
    lower_is_better = not question.measure.greater_is_better
    return duel_of_contrast(names, contrast if lower_is_better else contrast.swapped, question)


def _resampled(first: Predictions, second: Predictions, question: Question) -> PairedBootstrap:
    measure, truth = question.measure, first.truth[first.case]
    groups = None if first.groups is None else first.groups[first.case]
    if measure.kind is Kind.LOSS:
        losses = (row_losses(t, question) for t in (first, second))
        return paired_mean(*losses, groups=groups, seed=question.seed, measure=measure.title)
    if measure.kind is Kind.RANKING:
        if not measure.positive:
            raise Refusal(
                f"{measure.name} of fixed models cannot be compared yet; name pos_label and "
                "compare measure='auc' of one class against the rest"
            )
        at = first.classes.index(question.positive)
        return paired_ranking(
            truth == at,
            score_of(first, at),
            score_of(second, at),
            measure.name,
            groups=groups,
            seed=question.seed,
        )
    return paired_matrix(
        truth,
        first.predicted,
        second.predicted,
        _form(first, question),
        classes=len(first.classes),
        groups=groups,
        seed=question.seed,
        measure=measure.title,
    )


def _form(table: Predictions, question: Question) -> Callable[[Floats], Any]:
    form = question.measure.of_matrix
    assert form is not None
    if not question.measure.positive:
        return form
    at = table.classes.index(question.positive)
    return lambda matrix: form(matrix, at)


def score_of(table: Predictions, at: int) -> Floats:
    """Return the scores of one class, or say that there are none."""
    if table.scores is None:
        raise InputError(
            "this measure needs scores; pass y_scores, or models with predict_proba or "
            "decision_function"
        )
    return table.scores if table.scores.ndim == 1 else np.asarray(table.scores[:, at])
