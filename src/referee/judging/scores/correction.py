"""A judge put right by people's marks: from scores to the corrected mean and what it says."""

from __future__ import annotations

import numpy as np

from referee.core.arrays import Codes, Floats, Rows
from referee.core.results import Estimate
from referee.core.scores.scores import Scores
from referee.errors import InputError, Refusal
from referee.intervals.scores.catalogue import mean_interval
from referee.intervals.scores.mean_interval import unknown
from referee.intervals.scores.prediction_powered import Marks, prediction_powered
from referee.judging.scores.evaluation import JudgeCorrection
from referee.significance.paired.paired_scores import paired_scores

__all__ = ["correction_of", "difference_correction", "marked_means"]


def marked_means(scores: Scores, model: str) -> tuple[Floats, Floats, Floats]:
    """Return for each item people's mean mark, the judge's on the same answers, and on all.

    nan where there is none.
    """
    assert scores.human is not None
    column = scores.position(model)
    marked = ~np.isnan(scores.human)
    people = scores.cell_means(scores.human, marked)[:, column]
    judge = scores.cell_means(scores.score, marked)[:, column]
    return people, judge, scores.means[:, column]


def correction_of(scores: Scores, model: str, level: float) -> JudgeCorrection:
    """Return the corrected mean score of one model."""
    _refuse_weights(scores)
    people, judge, every = marked_means(scores, model)
    marked = np.flatnonzero(~np.isnan(people))
    others = np.flatnonzero(np.isnan(people) & ~np.isnan(every))
    if not marked.size:
        raise InputError(
            f"no answer of model {model!r} has a human mark",
            concerning="human",
            remedy="mark some of them, drawn at random",
        )
    return _corrected(
        scores, (people[marked], judge[marked], every[others]), (marked, others), level, False
    )


def difference_correction(scores: Scores, first: str, second: str, level: float) -> JudgeCorrection:
    """Return the corrected difference of two models, from items with marks of both."""
    _refuse_weights(scores)
    a, b = marked_means(scores, first), marked_means(scores, second)
    people, judge, every = (x - y for x, y in zip(a, b, strict=True))
    marked = np.flatnonzero(~np.isnan(people))
    others = np.flatnonzero(np.isnan(people) & ~np.isnan(every))
    if not marked.size:
        raise InputError(
            f"no item has a human mark of both {first!r} and {second!r}",
            concerning="human",
            remedy=(
                "have people mark the answers of both models to the same items, drawn at random"
            ),
        )
    return _corrected(
        scores, (people[marked], judge[marked], every[others]), (marked, others), level, True
    )


def _refuse_weights(scores: Scores) -> None:
    if scores.weight is not None:
        raise Refusal(
            "human= and weight= cannot be used together",
            concerning="human",
            remedy="leave weight= out, or judge by people's marks alone",
        )


def _corrected(
    scores: Scores,
    values: tuple[Floats, Floats, Floats],
    rows: tuple[Rows, Rows],
    level: float,
    difference: bool,
) -> JudgeCorrection:
    people, judge, others = values
    marked, rest = rows
    items = scores.items_at(marked, people, difference=difference)
    powered = prediction_powered(
        Marks(
            human=people,
            judge=judge,
            others=others,
            clusters=_of(scores.cluster, marked),
            other_clusters=_of(scores.cluster, rest),
            low=items.low,
            high=items.high,
        )
    )
    reason = None if items.bounded else unknown(items)
    alone = None
    if reason is None:
        alone = paired_scores(items).interval(level) if difference else mean_interval(items, level)
    apart = paired_scores(scores.items_at(marked, judge - people, difference=True))
    return JudgeCorrection(
        powered=powered,
        bias=Estimate(
            name="judge's bias",
            value=apart.value,
            n=items.n,
            method="judge minus people, on the answers both marked",
            interval=None if apart.blind else apart.interval(level),
            reason="judge and people agree on every answer" if apart.blind else "",
        ),
        people=Estimate(
            name="people alone",
            value=items.mean,
            n=items.n,
            method="mean over the items that people marked",
            interval=alone,
            reason=reason or "",
            greater_is_better=scores.greater_is_better,
        ),
    )


def _of(cluster: Codes | None, rows: Rows) -> Codes | None:
    return None if cluster is None else cluster[rows]
