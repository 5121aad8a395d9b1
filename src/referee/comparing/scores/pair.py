"""ScoresPair: two models held against each other by their scores."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import scipy

from referee.comparing.pairs.contrast_pair import mirrored
from referee.comparing.scores.question import ScoresQuestion
from referee.core.results import Estimate, Evidence, Interval, Outcome
from referee.core.scores.scores import ItemScores, Scores
from referee.errors import InputError, Refusal
from referee.intervals.difference.paired import bonett_price
from referee.intervals.difference.square_and_add import (
    square_and_add,
)
from referee.measures.formulas.paired_counts import PairedCounts
from referee.planning.power import connor_rows, detectable_as_seen
from referee.significance.contrast import Contrast
from referee.significance.paired.equivalence import equivalence, non_inferiority
from referee.significance.paired.mcnemar import smallest_p
from referee.significance.paired.paired_scores import paired_scores
from referee.significance.score_tests import SCORE_TESTS, ScoreSituation, ScoreTest

__all__ = ["ScoresPair", "chosen_test", "pair_of", "rope_of", "settled", "tested"]

_POWER = 0.8
_ASSUMED = "items are independent draws of what the models will meet"


@dataclass(frozen=True, kw_only=True)
class ScoresPair:
    """Two models and what their scores say about them.

    Attributes
    ----------
    first, second : str
        The models.
    difference : Estimate
        The mean score of the first minus that of the second, with its interval.
    evidence : Evidence
        The test of no difference.
    p_adjusted : float
        Its p-value, raised for the number of pairs; the same for one pair.
    outcome : Outcome
        FIRST, SECOND, EQUIVALENT or UNDECIDED (PASS or UNDECIDED for non-inferiority).
    equivalence : Evidence or None
        The test that the difference is smaller than the rope, or that the first is not worse by
        more than it, where a rope was stated.
    paired : bool
        Whether both were scored on the same items.
    table : PairedCounts or None
        Items by who had them right, for one 0/1 score an item.
    detectable : float or None
        The difference these items would have shown with probability .8.
    items_needed : float or None
        About how many items would show the observed difference with that probability.
    smallest_p : float or None
        The smallest p-value these items could have given, where the test is exact.
    reservation : str
        Why the pair cannot be decided whatever its p-value; empty otherwise.
    """

    first: str
    second: str
    difference: Estimate
    evidence: Evidence
    p_adjusted: float = math.nan
    outcome: Outcome = Outcome.UNDECIDED
    equivalence: Evidence | None = None
    paired: bool = True
    table: PairedCounts | None = None
    detectable: float | None = None
    items_needed: float | None = None
    smallest_p: float | None = None
    reservation: str = ""

    @property
    def better(self) -> str | None:
        """The name of the model that was shown to be better, if one was."""
        return {Outcome.FIRST: self.first, Outcome.SECOND: self.second}.get(self.outcome)


def pair_of(scores: Scores, first: str, second: str, question: ScoresQuestion) -> ScoresPair:
    """Judge two models: on the items both have, or as two samples where they share none."""
    question.within(scores.high - scores.low)
    rows = scores.shared(first, second)
    test = chosen_test(scores, question, paired=bool(rows.size))
    if not rows.size:
        return _unpaired(scores, first, second, question, test)
    a, b = (scores.means[rows, scores.position(m)] for m in (first, second))
    differences = scores.items_at(rows, a - b, difference=True)
    if test.by_counts:
        return _by_counts(scores, (first, second), (a, b), question, differences, test)
    return _by_t(scores, (first, second), differences, question, test)


def chosen_test(scores: Scores, question: ScoresQuestion, *, paired: bool = True) -> ScoreTest:
    """Return the test that was asked for, or the first that suits."""
    situation = ScoreSituation(
        paired=paired,
        binary=scores.binary and not scores.repeated,
        clustered=scores.cluster is not None,
        weighted=scores.weight is not None,
        marked=scores.human is not None,
    )
    if question.significance == "auto":
        return SCORE_TESTS.choose(situation)
    test = SCORE_TESTS.named(question.significance)
    test.check(situation)
    return test


def _by_counts(
    scores: Scores,
    names: tuple[str, str],
    values: tuple[Any, Any],
    question: ScoresQuestion,
    differences: ItemScores,
    test: ScoreTest,
) -> ScoresPair:
    good = scores.high if scores.greater_is_better else scores.low
    table = PairedCounts.of(values[0] != good, values[1] != good)
    sign = -1 if scores.greater_is_better else 1
    spread = scores.high - scores.low
    interval = _stretched(mirrored(bonett_price(table, question.level), sign), spread)
    only = table.first_right / table.n, table.second_right / table.n
    alpha = question.alpha / question.pairs
    needed = None
    if only[0] != only[1]:
        needed = max(connor_rows(*only, alpha=alpha), math.ceil(1 - math.log2(alpha)))
    detectable = detectable_as_seen(int(table.n), sum(only), alpha)
    return ScoresPair(
        first=names[0],
        second=names[1],
        difference=_difference(scores, sign * table.difference * spread, interval, int(table.n)),
        evidence=test.evidence(differences),
        equivalence=_exact_rope(table, question, spread),
        table=table,
        detectable=None if detectable is None else detectable * spread,
        items_needed=needed,
        smallest_p=smallest_p(int(table.discordant)),
    )


def _exact_rope(table: PairedCounts, question: ScoresQuestion, spread: float) -> Evidence | None:
    if question.rope == 0:
        return None
    form = non_inferiority if question.claim == "non-inferior" else equivalence
    return form(table, question.rope / spread)


def _by_t(
    scores: Scores,
    names: tuple[str, str],
    differences: ItemScores,
    question: ScoresQuestion,
    test: ScoreTest,
) -> ScoresPair:
    paired = paired_scores(differences)
    contrast = paired.contrast
    detectable = None
    if not paired.blind:
        detectable = contrast.detectable(question.strictest, _POWER)
    needed = None
    if detectable is not None and paired.value != 0:
        needed = differences.n * (detectable / paired.value) ** 2
    if detectable is not None and detectable > paired.limit:
        detectable = None
    return ScoresPair(
        first=names[0],
        second=names[1],
        difference=_difference(
            scores,
            paired.value,
            None if paired.blind else paired.interval(question.level),
            differences.n,
            reason="no item tells the models apart and scores have no stated limits, so no "
            "interval can be made"
            if paired.blind
            else "",
        ),
        evidence=tested(test, differences),
        equivalence=rope_of(contrast, question, up=scores.greater_is_better),
        detectable=detectable,
        items_needed=needed,
        reservation=_alone(differences),
    )


def tested(test: ScoreTest, differences: ItemScores) -> Evidence:
    """Return the test; one item or cluster does not show how much differences vary, so p is 1."""
    evidence = test.evidence(differences)
    return replace(evidence, statistic=0.0, p_value=1.0) if differences.units < 2 else evidence


def _alone(differences: ItemScores) -> str:
    if differences.units > 1:
        return ""
    what = "item" if differences.cluster is None else "cluster"
    return f"one {what} alone cannot tell models apart"


def rope_of(contrast: Contrast, question: ScoresQuestion, *, up: bool) -> Evidence | None:
    """Return the test against the rope, where one was stated: one-sided, or two one-sided ones."""
    if question.rope == 0 or contrast.se == 0:
        return None
    if question.claim == "non-inferior":
        # The margin bounds a loss, something to keep small.
        loss = contrast.swapped if up else contrast
        null = f"the first model is worse than the second by {question.rope:g} or more"
        evidence = loss.evidence(question.rope, "less")
        return replace(evidence, test=f"non-inferiority-{contrast.test}", null=null)
    sides = contrast.evidence(question.rope, "less"), contrast.evidence(-question.rope, "greater")
    return replace(
        max(sides, key=lambda side: side.p_value),
        test=f"equivalence-{contrast.test}",
        null=f"mean scores differ by {question.rope:g} or more",
        alternative="two-sided",
    )


def _unpaired(
    scores: Scores, first: str, second: str, question: ScoresQuestion, test: ScoreTest
) -> ScoresPair:
    """Judge models that share no item; clusters may not be shared either."""
    if question.rope > 0:
        raise Refusal(
            f"a rope is judged on shared items, and {first!r} and {second!r} share none",
            concerning="rope",
            remedy="leave it out, or give the same items the same names",
        )
    one, two = scores.of_model(first), scores.of_model(second)
    _refuse_shared_clusters(one, two, first, second)
    value = one.mean - two.mean
    if not one.bounded and min(one.units, two.units) < 2:
        raise InputError(
            "models on different items need at least two items each", concerning="models"
        )
    interval = square_and_add(one, two, question.level)
    return ScoresPair(
        first=first,
        second=second,
        difference=_difference(scores, value, interval, one.n + two.n),
        evidence=test.evidence(one, two),
        paired=False,
        detectable=None,
        items_needed=_unpaired_items(one, two, value, question),
    )


def _refuse_shared_clusters(one: ItemScores, two: ItemScores, first: str, second: str) -> None:
    if one.cluster is None or two.cluster is None:
        return
    if np.intersect1d(one.cluster, two.cluster).size:
        raise Refusal(
            f"{first!r} and {second!r} share clusters but no items, so they are neither paired "
            "nor independent",
            remedy="score both models on the same items",
        )


def _unpaired_items(
    one: ItemScores, two: ItemScores, value: float, question: ScoresQuestion
) -> float | None:
    if value == 0:
        return None
    half = square_and_add(one, two, question.strictest).width / 2
    # From the reach of the interval to that of a test with power .8: (1.96 + .84) / 1.96 at 95 %.
    z = float(scipy.stats.norm.ppf((1 + question.strictest) / 2))
    return (one.n + two.n) * (half * (z + float(scipy.stats.norm.ppf(_POWER))) / z / value) ** 2


def _difference(
    scores: Scores, value: float, interval: Interval | None, n: int, reason: str = ""
) -> Estimate:
    unit = _ASSUMED if scores.cluster is None else _ASSUMED.replace("items", "clusters of items")
    return Estimate(
        name=f"difference of mean {scores.name}",
        value=value + 0.0,
        n=n,
        method="first minus second",
        interval=interval,
        reason=reason,
        greater_is_better=scores.greater_is_better,
        assumptions=(unit,),
    )


def _stretched(interval: Interval, by: float) -> Interval:
    return replace(interval, low=by * interval.low, high=by * interval.high)


def settled(
    pairs: list[ScoresPair], question: ScoresQuestion, form: Callable[[Any], Any], up: bool
) -> tuple[ScoresPair, ...]:
    """Return the pairs with p-values raised for their number, and their outcomes."""
    raised = form([1.0 if p.reservation else p.evidence.p_value for p in pairs])
    alike = form([p.equivalence.p_value if p.equivalence else 1.0 for p in pairs])
    done = []
    for pair, p, q in zip(pairs, raised, alike, strict=True):
        rope = replace(pair.equivalence, p_value=float(q)) if pair.equivalence else None
        new = replace(pair, p_adjusted=float(p), equivalence=rope)
        done.append(replace(new, outcome=_outcome(new, question, up)))
    return tuple(done)


def _outcome(pair: ScoresPair, question: ScoresQuestion, up: bool) -> Outcome:
    if pair.reservation:
        return Outcome.UNDECIDED
    alike = pair.equivalence is not None and pair.equivalence.p_value <= question.alpha
    if question.claim == "non-inferior":
        if alike:
            return Outcome.PASS
        different = pair.p_adjusted <= question.alpha and pair.difference.value != 0
        worse = (pair.difference.value > 0) != up
        return Outcome.FAIL if different and worse else Outcome.UNDECIDED
    if alike:
        return Outcome.EQUIVALENT
    if pair.p_adjusted <= question.alpha and pair.difference.value != 0:
        return Outcome.FIRST if (pair.difference.value > 0) == up else Outcome.SECOND
    return Outcome.UNDECIDED
