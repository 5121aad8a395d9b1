"""Two fixed models on the same cases: a paired test, an interval, and what n could have shown."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np

from referee.core.arrays import Codes, Flags, Floats
from referee.core.predictions import Predictions
from referee.core.results import Evidence, Interval
from referee.errors import InputError, Refusal
from referee.evaluation.comparison import Duel
from referee.evaluation.contest import Contest
from referee.evaluation.contrast_duel import (
    difference_of,
    directed,
    duel_of_contrast,
    mirrored,
)
from referee.evaluation.split_values import row_losses
from referee.intervals.clustered_difference import clustered_pairs
from referee.intervals.paired import bonett_price, newcombe_paired, tango, wald_paired
from referee.measures import Kind
from referee.measures.pairs import Pairs
from referee.significance.delong import paired_delong_contrast
from referee.significance.equivalence import equivalence, non_inferiority
from referee.significance.group_flip import group_flip, smallest_group_p
from referee.significance.mcnemar import (
    mcnemar_asymptotic,
    mcnemar_exact,
    mcnemar_midp,
    smallest_p,
)
from referee.significance.paired_bootstrap import (
    PairedBootstrap,
    paired_matrix,
    paired_mean,
    paired_ranking,
)
from referee.significance.power import (
    connor_rows,
    detectable_difference,
    detectable_nested,
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
    names: tuple[str, str], first: Predictions, second: Predictions, contest: Contest
) -> Duel:
    """Judge two fixed models by their unseen predictions of the same cases.

    Shares of cases (error, accuracy, the rates of a class) by McNemar's exact test, or by flipping
    whole groups; the AUC by DeLong's test; everything else by the paired bootstrap.
    """
    one, two = first.unseen, second.unseen
    if contest.test == "paired-bootstrap":
        return _by_resampling(names, one, two, contest)
    if contest.counts_cases:
        return _by_counts(names, one, two, contest)
    if contest.measure.name == "auc":
        return _by_placements(names, one, two, contest)
    return _by_resampling(names, one, two, contest)


def _by_counts(
    names: tuple[str, str], first: Predictions, second: Predictions, contest: Contest
) -> Duel:
    kept, wrong = _wrong(first, contest)
    if not kept.any():
        why = contest.measure.undefined
        raise InputError(f"{contest.measure.name} is undefined here: {why}; compare another")
    _, also_wrong = _wrong(second, contest)
    pairs = Pairs.of(wrong[kept], also_wrong[kept])
    losses = wrong[kept].astype(float) - also_wrong[kept]
    groups = None if first.groups is None else first.groups[first.case[kept]]
    interval = _paired_interval(pairs, losses, groups, contest)
    worth = interval.n_effective or pairs.n
    unit = "cases" if groups is None else "groups"
    duel = Duel(
        first=names[0],
        second=names[1],
        difference=difference_of(
            contest,
            contest.sign * pairs.difference,
            mirrored(interval, contest.sign),
            int(pairs.n),
            (f"{unit} are independent draws of what the models will meet",),
        ),
        evidence=directed(_paired_evidence(pairs, losses, groups, contest), contest),
        equivalence=_paired_rope(pairs if groups is None else pairs.scaled(worth), contest),
        pairs=pairs,
    )
    return _with_power(duel, pairs, worth, contest, _least(duel, pairs, losses, groups))


def _wrong(table: Predictions, contest: Contest) -> tuple[Flags, Flags]:
    """Return which rows the measure is a share of, and which rows are wrong.

    For the rates of a class, mistaking one of the other classes for another is no error.
    """
    if not contest.measure.positive:
        return np.ones(len(table.case), dtype=bool), table.wrong.astype(bool)
    at = table.classes.index(contest.positive)
    hit = np.asarray(table.truth[table.case] == at)
    return hit == contest.measure.of_class, (table.predicted == at) != hit


def _paired_evidence(
    pairs: Pairs, losses: Floats, groups: Codes | None, contest: Contest
) -> Evidence:
    if groups is None:
        return _MCNEMAR["mcnemar-exact" if contest.test == "auto" else contest.test](pairs)
    return group_flip(losses, groups)


def _paired_interval(
    pairs: Pairs, losses: Floats, groups: Codes | None, contest: Contest
) -> Interval:
    if groups is None:
        name = "bonett-price" if contest.interval == "auto" else contest.interval
        return _INTERVALS[name](pairs, contest.level)
    return clustered_pairs(losses, groups, contest.level)


def _paired_rope(pairs: Pairs, contest: Contest) -> Evidence | None:
    if contest.rope == 0:
        return None
    form = non_inferiority if contest.claim == "non-inferior" else equivalence
    return form(pairs, contest.rope)


def _with_power(
    duel: Duel, pairs: Pairs, worth: float, contest: Contest, least: float | None
) -> Duel:
    """Add what these cases could have shown, and how many would show the observed difference."""
    alpha = contest.alpha / contest.duels
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
    names: tuple[str, str], first: Predictions, second: Predictions, contest: Contest
) -> Duel:
    at = first.classes.index(contest.positive)
    contrast = paired_delong_contrast(
        first.truth[first.case] == at,
        score_of(first, at),
        score_of(second, at),
        None if first.groups is None else first.groups[first.case],
    )
    return duel_of_contrast(names, contrast.swapped, contest)


def _by_resampling(
    names: tuple[str, str], first: Predictions, second: Predictions, contest: Contest
) -> Duel:
    contrast = _resampled(first, second, contest).contrast
    # The bootstrap speaks of the measure itself; duels want something to keep small.
    lower_is_better = not contest.measure.greater_is_better
    return duel_of_contrast(names, contrast if lower_is_better else contrast.swapped, contest)


def _resampled(first: Predictions, second: Predictions, contest: Contest) -> PairedBootstrap:
    measure, truth = contest.measure, first.truth[first.case]
    groups = None if first.groups is None else first.groups[first.case]
    if measure.kind is Kind.LOSS:
        losses = (row_losses(t, contest) for t in (first, second))
        return paired_mean(*losses, groups=groups, seed=contest.seed, measure=measure.title)
    if measure.kind is Kind.RANKING:
        if not measure.positive:
            raise Refusal(
                f"{measure.name} of fixed models cannot be compared yet; name pos_label and "
                "compare measure='auc' of one class against the rest"
            )
        at = first.classes.index(contest.positive)
        return paired_ranking(
            truth == at,
            score_of(first, at),
            score_of(second, at),
            measure.name,
            groups=groups,
            seed=contest.seed,
        )
    return paired_matrix(
        truth,
        first.predicted,
        second.predicted,
        _form(first, contest),
        classes=len(first.classes),
        groups=groups,
        seed=contest.seed,
        measure=measure.title,
    )


def _form(table: Predictions, contest: Contest) -> Callable[[Floats], Any]:
    form = contest.measure.of_matrix
    assert form is not None
    if not contest.measure.positive:
        return form
    at = table.classes.index(contest.positive)
    return lambda matrix: form(matrix, at)


def score_of(table: Predictions, at: int) -> Floats:
    """Return the scores of one class, or say that there are none."""
    if table.scores is None:
        raise InputError(
            "this measure needs scores; pass y_scores, or models with predict_proba or "
            "decision_function"
        )
    return table.scores if table.scores.ndim == 1 else np.asarray(table.scores[:, at])
