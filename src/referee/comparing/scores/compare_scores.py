"""compare_scores: which of two models scores better on the same items?"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from referee.checks.scores import check_scores
from referee.comparing.question import default_claim
from referee.comparing.scores.comparison import ScoresComparison
from referee.comparing.scores.pair import ScoresPair, pair_of, rope_of, settled
from referee.comparing.scores.question import ScoresQuestion
from referee.comparing.scores.sentence import pair_verdict
from referee.core.arguments import names_arguments
from referee.core.results import Estimate
from referee.core.scores.score_numbers import Writing
from referee.core.scores.scores import Scores
from referee.errors import InputError, arg, verb
from referee.intervals.catalogue import DIFFERENCE_INTERVALS
from referee.intervals.scores.prediction_powered import METHOD
from referee.judging.evaluation import Provenance
from referee.judging.scores.advice import marks_advice
from referee.judging.scores.correction import difference_correction
from referee.judging.scores.evaluate_scores import estimate_of
from referee.judging.scores.evaluation import JudgeCorrection
from referee.judging.settings import computed_with, versions
from referee.significance.contrast import Contrast
from referee.significance.multiplicity.holm import holm
from referee.significance.paired.paired_scores import ASSUMPTIONS, NULL
from referee.significance.score_tests import SCORE_TESTS, ScoreTest
from referee.sources.scores import scores_from

__all__ = ["compare_scores", "means_of"]


@names_arguments
def compare_scores(
    table: Any,
    *,
    models: Sequence[str] | None = None,
    item: Any = None,
    model: Any = None,
    score: Any = None,
    run: Any = None,
    cluster: Any = None,
    weight: Any = None,
    human: Any = None,
    values: Mapping[Any, float] | None = None,
    greater_is_better: bool = True,
    limits: Any = "auto",
    significance: str | ScoreTest = "auto",
    rope: float = 0.0,
    claim: str | None = None,
    dismiss: Sequence[str] = (),
    level: float = 0.95,
) -> ScoresComparison:
    """Say which of two models scores better, item by item, or that it may be chance.

    Parameters
    ----------
    table : DataFrame, mapping, array, Scores, path or list of paths
        As in `evaluate_scores`; two files with one model each are compared by the names of the
        items.
    models : pair of str, optional
        The two models, first and second; needed where the table has more.
    item, model, score, run, cluster, weight, human : str or array, optional
        As in `evaluate_scores`. With `human` marks of both models on some items the difference is
        put right.
    values, greater_is_better, limits
        As in `Scores.of`.
    significance : {"auto", "mcnemar-exact", "paired-t", "group-flip"} or ScoreTest
        "auto" is McNemar's exact test for one 0/1 score an item, else the paired t test. Models
        that share no item are compared as two samples, and the answer says so.
    rope : float
        Differences up to this size do not matter; allows the verdict that models are equivalent.
    claim : {"better", "non-inferior", "equivalent", "difference"}, optional
        What is to be shown; "non-inferior": that the first is not worse by more than the rope.
    dismiss : sequence of str
        Codes of findings that were looked into.
    level : float
        Confidence level.

    Returns
    -------
    ScoresComparison

    Examples
    --------
    >>> import referee
    >>> c = referee.compare_scores({"new": [1] * 18 + [0] * 2, "old": [1] * 9 + [0] * 11})
    >>> c.verdict.outcome.value, round(c.difference.value, 2), round(c.evidence.p_value, 4)
    ('first', 0.45, 0.0039)
    """
    stated = default_claim(claim, 2, rope)
    question = ScoresQuestion(level=level, rope=rope, claim=stated, significance=significance)
    scores = scores_from(
        table,
        item=item,
        model=model,
        score=score,
        run=run,
        cluster=cluster,
        weight=weight,
        human=human,
        values=values,
        greater_is_better=greater_is_better,
        limits=limits,
    )
    scores = scores.select(_two(scores, models))
    return comparison_of(scores, question, tuple(dismiss))


def comparison_of(
    scores: Scores, question: ScoresQuestion, dismiss: tuple[str, ...] = ()
) -> ScoresComparison:
    """Return the comparison of the two models that the scores are of."""
    first, second = scores.models
    pair, correction = _judged(scores, first, second, question)
    i = pair.difference.interval
    write = Writing(scores.percent, i.width if i else 0.0)
    findings = check_scores(scores, dismiss)
    return ScoresComparison(
        names=(first, second),
        verdict=pair_verdict(pair, question, scores, write, findings),
        pair=pair,
        estimates=means_of(scores, pair, question.level),
        correction=correction,
        findings=findings,
        how=_how_measured(scores, pair),
        methods=_methods(scores, pair, question),
        advice=""
        if correction is None or i is None
        else marks_advice(correction.powered, i, write),
        level=question.level,
        rope=question.rope,
        scores=scores,
        provenance=Provenance(seed=0, data=scores.fingerprint, plan="", versions=versions()),
    )


def _judged(
    scores: Scores, first: str, second: str, question: ScoresQuestion
) -> tuple[ScoresPair, JudgeCorrection | None]:
    """Return the pair, put right by people's marks where there are any, and how it was."""
    raw = pair_of(scores, first, second, question)
    correction = None
    if scores.human is not None:
        correction = difference_correction(scores, first, second, question.level)
        raw = _corrected(raw, correction, question, scores)
    (pair,) = settled([raw], question, holm, scores.greater_is_better)

    def again(level: float | None, method: Any) -> Estimate:
        """Return the difference at another level."""
        asked = question if level is None else replace(question, level=level)
        return _judged(scores, first, second, asked)[0].difference

    return replace(pair, difference=pair.difference.remembering(again)), correction


def _two(scores: Scores, models: Sequence[str] | None) -> Sequence[str]:
    if models is not None:
        if isinstance(models, str) or len(models) != 2:
            raise InputError(
                "models must name the two models to compare",
                concerning="models",
                value=repr(models),
            )
        return models
    if len(scores.models) == 2:
        return scores.models
    listed = ", ".join(repr(m) for m in scores.models[:6])
    if len(scores.models) < 2:
        raise InputError(
            f"there is one model only ({listed})",
            concerning="models",
            remedy=f"give a second, or use {verb('evaluate_scores')}",
        )
    more = " ..." if len(scores.models) > 6 else ""
    raise InputError(
        f"the table has {len(scores.models)} models ({listed}{more})",
        concerning="models",
        remedy=f"name two with {arg('models')}, or use board for all",
    )


def means_of(scores: Scores, pair: ScoresPair, level: float) -> dict[str, Estimate]:
    """Return each model's own mean, on the items that are compared."""
    means = {}
    for name in (pair.first, pair.second):
        items = scores.of_model(name)
        if pair.paired:
            rows = scores.shared(pair.first, pair.second)
            items = scores.items_at(rows, scores.means[rows, scores.position(name)])
        means[name] = replace(estimate_of(scores, items, level, "auto"), n=items.n)
    return means


def _corrected(
    pair: ScoresPair, correction: JudgeCorrection, question: ScoresQuestion, scores: Scores
) -> ScoresPair:
    """Return the pair with the difference by people's marks instead of the judge's."""
    powered = correction.powered
    contrast = Contrast(
        value=powered.value,
        se=powered.se,
        df=powered.df,
        test=METHOD,
        null=NULL,
        n=powered.n + powered.others,
        assumptions=(*ASSUMPTIONS, "the items that people marked are a random draw from all"),
    )
    interval = replace(contrast.interval(question.level), method=METHOD)
    largest = scores.high - scores.low
    interval = replace(interval, low=max(interval.low, -largest), high=min(interval.high, largest))
    detectable = contrast.detectable(question.strictest) if powered.se > 0 else None
    return ScoresPair(
        first=pair.first,
        second=pair.second,
        difference=replace(
            pair.difference,
            name=f"{pair.difference.name} by people's marks",
            value=powered.value,
            n=contrast.n,
            interval=interval if powered.se > 0 else None,
            assumptions=contrast.assumptions,
        ),
        evidence=contrast.evidence(),
        equivalence=rope_of(contrast, question, up=scores.greater_is_better),
        detectable=detectable if detectable is None or detectable < largest else None,
        items_needed=None,
    )


def _how_measured(scores: Scores, pair: ScoresPair) -> str:
    if not pair.paired:
        return "two models on different items, compared as two samples"
    rows = scores.shared(pair.first, pair.second)
    text = f"differences of {len(rows)} items that both models were scored on"
    if scores.repeated:
        text += ", means over runs inside items"
    if scores.cluster is not None:
        text += f", in {len(np.unique(scores.cluster[rows]))} clusters that move together"
    return text


def _methods(
    scores: Scores,
    pair: ScoresPair,
    question: ScoresQuestion,
) -> str:
    """Return what was done, in sentences that can stand in a paper."""
    i = pair.difference.interval
    method = DIFFERENCE_INTERVALS.get(i.method) if i is not None else None
    n = pair.evidence.n
    sentences = [
        f"{pair.first} and {pair.second} were compared by mean {scores.name} "
        + (
            f"on {n} shared item{'s' * (n != 1)}"
            if pair.paired
            else f"on {n} items, none of them shared"
        )
        + (", averaged over runs within items." if scores.repeated else "."),
        f"The difference was tested by {_cited(pair.evidence.test, question)}"
        + (f"; its interval is {method.cited}." if method is not None else "."),
    ]
    if question.rope > 0:
        sentences.append(
            "Equivalence was tested by two one-sided tests (Schuirmann 1987)."
            if question.claim != "non-inferior"
            else "Non-inferiority was tested one-sided."
        )
    if pair.detectable is not None and math.isfinite(pair.detectable):
        sentences.append(
            f"With these items a difference of {pair.detectable:.3g} would have been found with a "
            "power of 80 %."
        )
    sentences.append(computed_with())
    return " ".join(sentences)


def _cited(name: str, question: ScoresQuestion) -> str:
    """Return what a paper calls a test, with its references."""
    if isinstance(question.significance, ScoreTest):
        return question.significance.cited
    return SCORE_TESTS[name].cited
