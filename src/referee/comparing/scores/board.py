"""board: many models on the same items, in tiers and with honest ranks."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from referee.checks.scores import check_scores
from referee.comparing.scores.all_pairs import AllPairs, all_pairs
from referee.comparing.scores.pair import ScoresPair, pair_of, settled
from referee.comparing.scores.question import ScoresQuestion
from referee.comparing.scores.sentence import difference_text, power_text
from referee.comparing.scores.standings import Board, Place, cliques, rank_limits, tiers
from referee.core.arguments import names_arguments
from referee.core.arrays import Flags, Floats
from referee.core.results import Estimate, Outcome, Verdict
from referee.core.scores.score_numbers import Writing
from referee.core.scores.scores import Scores
from referee.core.showing.counting import listed
from referee.core.showing.numbers import p_text
from referee.errors import InputError, Refusal, verb
from referee.judging.evaluation import Provenance
from referee.judging.scores.evaluate_scores import estimate_of, how_measured
from referee.judging.settings import versions
from referee.significance.multiplicity.adjustment import Adjustment
from referee.significance.score_tests import SCORE_TESTS, ScoreTest
from referee.significance.works import MOGSTAD_2024
from referee.sources.scores import scores_from

__all__ = ["Board", "board"]


@names_arguments
def board(
    table: Any,
    *,
    models: Sequence[str] | None = None,
    item: Any = None,
    model: Any = None,
    score: Any = None,
    run: Any = None,
    cluster: Any = None,
    weight: Any = None,
    values: Mapping[Any, float] | None = None,
    greater_is_better: bool = True,
    limits: Any = "auto",
    significance: str | ScoreTest = "auto",
    adjust: str | Adjustment = "holm",
    dismiss: Sequence[str] = (),
    level: float = 0.95,
) -> Board:
    """Rank many models by their scores on the same items, and say which order was shown.

    Every two models are compared on the items both have; p-values are adjusted for the number of
    pairs. Models that no other was shown to beat share tier 1; rank intervals hold for all models
    at once.

    Parameters
    ----------
    table : DataFrame, mapping, array, Scores, path or list of paths
        As in `evaluate_scores`.
    models : sequence of str, optional
        The models to rank; by default all.
    item, model, score, run, cluster, weight : str or array, optional
        As in `evaluate_scores`.
    values, greater_is_better, limits
        As in `Scores.of`.
    significance : {"auto", "mcnemar-exact", "paired-t", "group-flip"} or ScoreTest
        As in `compare_scores`.
    adjust : {"holm", "hochberg", "benjamini-hochberg"}
        How p-values are raised; with the last, which controls false discoveries, rank intervals
        promise no level.
    dismiss : sequence of str
        Codes of findings that were looked into.
    level : float
        Confidence level.

    Returns
    -------
    Board

    Examples
    --------
    >>> import referee
    >>> right = {"a": [1] * 45 + [0] * 5, "b": [1] * 44 + [0] * 6, "c": [1] * 10 + [0] * 40}
    >>> result = referee.board(right)
    >>> [(p.name, p.tier, p.best_rank, p.worst_rank) for p in result.places]
    [('a', 1, 1, 2), ('b', 1, 1, 2), ('c', 2, 3, 3)]
    """
    scores = scores_from(
        table,
        item=item,
        model=model,
        score=score,
        run=run,
        cluster=cluster,
        weight=weight,
        values=values,
        greater_is_better=greater_is_better,
        limits=limits,
    )
    if models is not None:
        scores = scores.select(models)
    if len(scores.models) < 2:
        raise InputError(
            "a board needs at least two models",
            concerning="models",
            value=str(len(scores.models)),
            remedy=f"use {verb('evaluate_scores')}",
        )
    if scores.human is not None:
        raise Refusal(
            "a board takes scores as they are",
            remedy=(
                "to put a judge right by human marks compare two models with "
                "compare_scores, or leave the column of human marks out"
            ),
        )
    number = len(scores.models) * (len(scores.models) - 1) // 2
    question = ScoresQuestion(level=level, significance=significance, adjust=adjust, pairs=number)
    return board_of(scores, question, tuple(dismiss))


def board_of(scores: Scores, question: ScoresQuestion, dismiss: tuple[str, ...] = ()) -> Board:
    """Return the board of all models that the scores are of."""
    pairs = all_pairs(scores, question)
    raised = question.adjustment.raised(pairs.p)
    beats = _beats(scores, pairs, raised, question.alpha)
    estimates = _estimates(scores, question.level)
    order = _order(scores, estimates)
    places = _places(scores, estimates, order, beats, pairs, raised)
    leading = _leading(scores, order, pairs, raised, question)
    findings = check_scores(scores, dismiss)
    return Board(
        names=scores.models,
        verdict=_verdict(scores, places, beats, order, leading, question),
        places=places,
        pairs=pairs,
        p_adjusted=raised,
        groups=tuple(
            tuple(scores.models[m] for m in run) for run in cliques(order, beats | beats.T)
        ),
        leading=leading,
        findings=findings,
        how=how_measured(scores),
        methods=_methods(scores, pairs, question),
        level=question.level,
        adjust=question.adjustment.name,
        family_wise=question.adjustment.family_wise,
        scores=scores,
        provenance=Provenance(seed=0, data=scores.fingerprint, plan="", versions=versions()),
    )


def _beats(scores: Scores, pairs: AllPairs, raised: Floats, alpha: float) -> Flags:
    """Return which model (row) was shown to be better than which other (column)."""
    k = len(scores.models)
    beats = np.zeros((k, k), dtype=bool)
    shown = (raised <= alpha) & (pairs.difference != 0)
    first = (pairs.difference > 0) == scores.greater_is_better
    won, lost = np.where(first, (pairs.first, pairs.second), (pairs.second, pairs.first))
    beats[won[shown], lost[shown]] = True
    return beats


def _estimates(scores: Scores, level: float) -> list[Estimate]:
    return [estimate_of(scores, scores.of_model(m), level, "auto") for m in scores.models]


def _order(scores: Scores, estimates: Sequence[Estimate]) -> list[int]:
    loss = np.array([e.value for e in estimates]) * (-1 if scores.greater_is_better else 1)
    return [int(i) for i in np.argsort(loss, kind="stable")]


def _places(
    scores: Scores,
    estimates: Sequence[Estimate],
    order: Sequence[int],
    beats: Flags,
    pairs: AllPairs,
    raised: Floats,
) -> tuple[Place, ...]:
    best, worst = rank_limits(beats)
    tier = tiers(beats)
    leader, sign = order[0], -1 if scores.greater_is_better else 1
    against = {leader: float("nan")}
    for a, b, p in zip(pairs.first, pairs.second, raised, strict=True):
        if leader in (a, b):
            against[int(b if a == leader else a)] = float(p)
    loss = [sign * e.value for e in estimates]
    return tuple(
        Place(
            name=scores.models[m],
            estimate=estimates[m],
            rank=1 + sum(other < loss[m] for other in loss),
            best_rank=best[m],
            worst_rank=worst[m],
            tier=tier[m],
            behind=loss[m] - loss[leader],
            p_leader=against[m],
        )
        for m in order
    )


def _leading(
    scores: Scores,
    order: Sequence[int],
    pairs: AllPairs,
    raised: Floats,
    question: ScoresQuestion,
) -> ScoresPair:
    """Return the pair of the two best models, its p-value adjusted like all others."""
    first, second = scores.models[order[0]], scores.models[order[1]]
    pair = pair_of(scores, first, second, question)
    at = (pairs.first == min(order[:2])) & (pairs.second == max(order[:2]))
    p = float(raised[np.flatnonzero(at)[0]])
    (done,) = settled([pair], question, lambda _: np.array([p]), scores.greater_is_better)
    return done


def _verdict(
    scores: Scores,
    places: Sequence[Place],
    beats: Flags,
    order: Sequence[int],
    leading: ScoresPair,
    question: ScoresQuestion,
) -> Verdict:
    top = [p.name for p in places if p.tier == 1]
    k = len(places)
    i = places[0].estimate.interval
    write = Writing(scores.percent, i.width if i else 0.0)
    value = write.value(places[0].estimate.value)
    if beats[order[0]].sum() == k - 1:
        p = p_text(max(q.p_leader for q in places[1:]))
        text = (
            f"{top[0]} is better than each of the other {k - 1} models: mean {scores.name} "
            f"{value}, largest adjusted {p}."
        )
        return Verdict(outcome=Outcome.FIRST, sentence=text)
    beaten = k - len(top)
    was = "was" if beaten == 1 else "were"
    rest = f"; {beaten} {was} shown to be worse than another" if beaten else ""
    seen = difference_text(leading, question, scores, write)
    power = power_text(leading, write, question)
    text = (
        f"No single best model: {listed(top)} share the first place{rest}. The two best, "
        f"{leading.first} and {leading.second}: {seen}" + (f"; {power}." if power else ".")
    )
    return Verdict(outcome=Outcome.UNDECIDED, sentence=text)


def _methods(scores: Scores, pairs: AllPairs, question: ScoresQuestion) -> str:
    adjustment = question.adjustment
    ranks = (
        f" Rank intervals hold for all models at once {MOGSTAD_2024.in_text}."
        if adjustment.family_wise
        else ""
    )
    mine = question.significance
    test = mine if isinstance(mine, ScoreTest) else SCORE_TESTS[pairs.test]
    return (
        f"{len(scores.models)} models were ranked by mean {scores.name} over "
        f"{how_measured(scores)}. All {question.pairs} pairs were tested by {test.cited} on "
        f"shared items; p-values were adjusted by {adjustment.cited}.{ranks} All was "
        f"computed with referee {versions()['referee']}."
    )
