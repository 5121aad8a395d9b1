"""evaluate_scores: how well does this model score, and how sure is that?"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from referee.checks.scores import check_scores
from referee.core.arguments import names_arguments
from referee.core.results import Estimate, Interval, check_level
from referee.core.scores.score_numbers import Writing
from referee.core.scores.scores import ItemScores, Scores
from referee.errors import InputError
from referee.intervals.scores.catalogue import MEAN_INTERVALS, mean_interval
from referee.intervals.scores.mean_interval import MeanInterval, unknown
from referee.intervals.scores.pass_at_k import at_least as at_least_of
from referee.intervals.scores.pass_at_k import pass_all, pass_at
from referee.intervals.scores.runs import RunSplit, run_split
from referee.intervals.scores.works import ANGELOPOULOS_2023
from referee.judging.evaluation import Provenance
from referee.judging.scores.advice import marks_advice, runs_advice
from referee.judging.scores.claim import Claim, verdict_on
from referee.judging.scores.correction import correction_of
from referee.judging.scores.evaluation import JudgeCorrection, ScoresEvaluation
from referee.judging.settings import computed_with, versions
from referee.sources.scores import scores_from

__all__ = ["estimate_of", "evaluate_scores", "how_measured"]

_MOST_PASSES = 5


@names_arguments
def evaluate_scores(
    table: Any,
    *,
    of: str | None = None,
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
    interval: str = "auto",
    k: int | Sequence[int] | None = None,
    at_least: float | None = None,
    at_most: float | None = None,
    dismiss: Sequence[str] = (),
    level: float = 0.95,
) -> ScoresEvaluation:
    """Say how well a model scores, with an interval that knows about clusters and runs.

    Parameters
    ----------
    table : DataFrame, mapping, array, Scores, path or list of paths
        A row for each score with columns item, model, score, run, cluster ...; or a row for each
        item and a column for each model; or one list of scores.
    of : str, optional
        The model, needed where the table has several.
    item, model, score, run, cluster, weight, human : str or array, optional
        The columns with these roles, or their values; a column of that name is taken where
        nothing is said. Items of one `cluster` resemble each other; `human` marks, known for some
        answers, put a judge's scores right.
    values, greater_is_better, limits
        As in `Scores.of`.
    interval : str
        By name, or "auto": exact for one 0/1 score an item, else effective-beta between limits
        and skewed-t without.
    k : int or sequence of int, optional
        For pass@k and pass^k; by default 1, 2, 4, ... up to the fewest runs of an item.
    at_least, at_most : float, optional
        A claim about the mean score to judge.
    dismiss : sequence of str
        Codes of findings that were looked into.
    level : float
        Confidence level.

    Returns
    -------
    ScoresEvaluation

    Examples
    --------
    >>> import referee
    >>> answers = {"question": [1, 2, 3, 4, 5, 6], "score": [1, 1, 0, 1, 1, 1]}
    >>> e = referee.evaluate_scores(answers, item="question")
    >>> round(e.estimate.value, 3), e.estimate.interval.method
    (0.833, 'clopper-pearson')
    """
    check_level(level)
    claim = Claim.of(at_least, at_most)
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
    if not isinstance(interval, (str, MeanInterval)):
        raise InputError(
            "must be the name of an interval", argument="interval", value=repr(interval)
        )
    name = _which(scores, of)
    scores = scores.select([name])
    return evaluation_of(
        scores, claim=claim, interval=interval, k=k, level=level, dismiss=tuple(dismiss)
    )


def evaluation_of(
    scores: Scores,
    *,
    claim: Claim,
    interval: str = "auto",
    k: int | Sequence[int] | None = None,
    level: float = 0.95,
    dismiss: tuple[str, ...] = (),
) -> ScoresEvaluation:
    """Return the evaluation of the one model that the scores are of."""
    (name,) = scores.models
    items = scores.of_model(name)
    raw = estimate_of(scores, items, level, interval)
    correction = None if scores.human is None else correction_of(scores, name, level)
    estimate = raw if correction is None else _corrected(raw, correction, level)

    def again(other: float | None, method: Any) -> Estimate:
        """Return the mean at another level or by another method."""
        return evaluation_of(
            scores,
            claim=claim,
            interval=interval if method is None else method,
            level=check_level(level if other is None else other),
        ).estimate

    estimate = estimate.remembering(again)
    split = run_split(items, scores.score, scores.item) if scores.repeated else None
    width = estimate.interval.width if estimate.interval else 0.0
    write = Writing(scores.percent, width)
    findings = check_scores(scores, dismiss)
    how = how_measured(scores, correction)
    return ScoresEvaluation(
        name=name,
        verdict=verdict_on(name, scores, estimate, claim, write, how, findings),
        estimate=estimate,
        raw=raw,
        runs=split,
        advice=_advice(estimate.interval, split, correction, write, scores),
        passes=_passes(scores, items, k, level),
        correction=correction,
        findings=findings,
        how=how,
        methods=_methods(scores, estimate, split, correction),
        claim=claim.text(write),
        level=level,
        scores=scores,
        provenance=Provenance(seed=0, data=scores.fingerprint, plan="", versions=versions()),
    )


def _which(scores: Scores, of: str | None) -> str:
    if of is not None:
        scores.position(of)
        return of
    if len(scores.models) > 1:
        listed = ", ".join(repr(m) for m in scores.models[:6])
        more = " ..." if len(scores.models) > 6 else ""
        raise InputError(
            f"the table has {len(scores.models)} models ({listed}{more})",
            concerning="models",
            remedy="name one with of=, or use compare_scores for two and board for all",
        )
    return scores.models[0]


def estimate_of(scores: Scores, items: ItemScores, level: float, interval: str) -> Estimate:
    """Return the mean score with its interval, or the reason why there is none."""

    def again(other: float | None, method: Any) -> Estimate:
        wanted = check_level(level if other is None else other)
        return estimate_of(scores, items, wanted, interval if method is None else method)

    reason = "" if items.bounded else (unknown(items) or "")
    chosen = None
    if interval != "auto" or not reason:
        chosen = mean_interval(items, level, interval)
    return Estimate(
        name=f"mean {scores.name}",
        value=items.mean,
        n=items.n,
        method=how_measured(scores),
        interval=chosen,
        reason="" if chosen else reason,
        greater_is_better=scores.greater_is_better,
        assumptions=_assumptions(scores, chosen),
    ).remembering(again)


def _assumptions(scores: Scores, interval: Interval | None) -> tuple[str, ...]:
    unit = "items" if scores.cluster is None else "clusters of items"
    assumptions = [f"{unit} are independent draws of what the model will meet"]
    method = MEAN_INTERVALS.get(interval.method) if interval is not None else None
    if method is not None:
        assumptions += method.assumptions
    if method is not None and method.of_limits and scores.limits_assumed:
        assumptions.append("scores can only lie between 0 and 1, as all of these do")
    return tuple(assumptions)


def _corrected(raw: Estimate, correction: JudgeCorrection, level: float) -> Estimate:
    powered = correction.powered
    return Estimate(
        name=f"{raw.name} by people's marks",
        value=powered.value,
        n=powered.n + powered.others,
        method=f"{powered.n} items marked by people, {powered.others} by the judge alone, who "
        f"counts {powered.weight:.2f}",
        interval=powered.interval(level),
        greater_is_better=raw.greater_is_better,
        assumptions=(
            *raw.assumptions[:1],
            "the items that people marked are a random draw from all",
        ),
    )


def how_measured(scores: Scores, correction: JudgeCorrection | None = None) -> str:
    """Say what the mean is taken over."""
    n = scores.n_items
    text = f"{n} item{'s' if n != 1 else ''}"
    if scores.repeated:
        counts = scores.counts[scores.counts > 0]
        few, most = int(counts.min()), int(counts.max())
        text += f", {few} runs each" if few == most else f", {few} to {most} runs each"
    if scores.cluster is not None:
        text += f" in {len(np.unique(scores.cluster))} clusters"
    if scores.weight is not None:
        text += ", weighted"
    if correction is not None:
        text += f", {correction.powered.n} of them marked by people"
    return text


def _advice(
    interval: Interval | None,
    split: RunSplit | None,
    correction: JudgeCorrection | None,
    write: Writing,
    scores: Scores,
) -> str:
    if interval is None:
        return ""
    if correction is not None:
        return marks_advice(correction.powered, interval, write)
    if split is None:
        return ""
    clusters = None if scores.cluster is None else len(np.unique(scores.cluster))
    return runs_advice(split, interval, write, clusters)


def _passes(
    scores: Scores, items: ItemScores, k: int | Sequence[int] | None, level: float
) -> tuple[Estimate, ...]:
    """Return pass@k and pass^k, where runs succeed or fail, and how often half of them succeed."""
    if not scores.repeated or not scores.binary:
        if k is not None:
            raise InputError(
                "k= needs several runs of an item that succeed or fail (scores of 0 and 1); "
                + (
                    "there is one run an item" if not scores.repeated else "these are no 0/1 scores"
                ),
                concerning="k",
            )
        return ()
    tries = np.bincount(scores.item, minlength=items.n)
    good = scores.high if scores.greater_is_better else scores.low
    successes = np.bincount(scores.item, weights=scores.score == good, minlength=items.n)
    counts = successes.astype(np.intp)
    fewest = int(tries.min())
    passes: list[Estimate] = []
    for size in _sizes(k, fewest):
        passes.append(pass_at(items, counts, tries, size, level=level))
        if size > 1:
            passes.append(pass_all(items, counts, tries, size, level=level))
    if fewest > 2:
        half = (fewest + 1) // 2
        passes.append(at_least_of(items, counts, tries, k=half, of=fewest, level=level))
    return tuple(passes)


def _sizes(k: int | Sequence[int] | None, fewest: int) -> list[int]:
    if k is None:
        doubling = [2**i for i in range(20) if 2**i <= fewest]
        return sorted({*doubling[: _MOST_PASSES - 1], fewest})
    sizes = [k] if isinstance(k, (int, np.integer)) else list(k)
    for size in sizes:
        if not isinstance(size, (int, np.integer)) or isinstance(size, bool) or size < 1:
            raise InputError(
                "k must be whole numbers of at least 1", concerning="k", value=repr(size)
            )
        if size > fewest:
            raise InputError(
                f"k = {size} needs {size} runs of every item, and one has {fewest} only",
                concerning="k",
                remedy=f"run it again, or take k of {fewest} at most",
            )
    return [int(s) for s in sizes]


def _methods(
    scores: Scores,
    estimate: Estimate,
    split: RunSplit | None,
    correction: JudgeCorrection | None,
) -> str:
    """Return what was done, in sentences that can stand in a paper."""
    sentences = [f"The mean {scores.name} was taken over {how_measured(scores)}."]
    if split is not None:
        sentences.append("Runs were averaged within items first.")
    i = estimate.interval
    if correction is not None:
        sentences.append(
            "The judge's scores were put right by the prediction-powered mean "
            f"{ANGELOPOULOS_2023.in_text}, its weight estimated."
        )
    elif i is not None and i.method in MEAN_INTERVALS:
        sentences.append(f"The {100 * i.level:g} % interval is {MEAN_INTERVALS[i.method].cited}.")
    sentences.append(computed_with())
    return " ".join(sentences)
