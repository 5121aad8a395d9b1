"""evaluate_predictions: how good are these predictions? No model is needed."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from referee.core.arguments import check_text, names_arguments
from referee.core.arrays import Label
from referee.core.fingerprint import fingerprint
from referee.core.labels.label_sets import holds_label_sets
from referee.core.labels.label_tables import label_set_table
from referee.core.labels.labels import positive_class
from referee.core.labels.task import task_of
from referee.core.predictions import Predictions
from referee.core.randomness import RandomState, integer_seed
from referee.core.tally import Tally
from referee.errors import InputError
from referee.intervals.catalogue import for_risks
from referee.intervals.one_set.priors import priors_in_order
from referee.intervals.risk import RiskInterval
from referee.judging import streamed
from referee.judging.applicable import Measures
from referee.judging.claims import check_claims, claims_of
from referee.judging.estimating.sequential import check_sequential
from referee.judging.evaluation import Evaluation
from referee.judging.grounds import EvaluationGrounds
from referee.judging.requests import (
    as_costs,
    check_costs,
    check_quantities,
    check_single,
    check_task,
    claimed_measures,
)
from referee.judging.settings import Settings
from referee.judging.streamed import (
    coded_predictions,
    counts_suffice,
    known_positive,
    read_columns,
    scored_tally,
    tally_of,
)
from referee.measures import Costs, Measure, as_measures
from referee.sources.stream import Stream, is_source

__all__ = ["evaluate_predictions"]


@names_arguments
def evaluate_predictions(
    y_true: Any,
    y_pred: Any = None,
    *,
    y_score: Any = None,
    pos_label: Label | None = None,
    measures: Measures = None,
    groups: Any = None,
    time: Any = None,
    sample_weight: Any = None,
    priors: Any = None,
    labels: Any = None,
    interval: str | RiskInterval = "auto",
    max_error: float | None = None,
    claim: str | Sequence[str] | None = None,
    costs: Costs | tuple[float, float] | None = None,
    level: float = 0.95,
    sequential: bool = False,
    random_state: RandomState = 0,
    name: str = "the model",
    task: str = "auto",
    truth: str = "truth",
    backend: str | None = None,
) -> Evaluation:
    """Measure how good given predictions are; no model and no features are needed.

    Parameters
    ----------
    y_true, y_pred : array-like
        Right answers and predictions, case by case; with several labels a case a column of 0 and
        1 for each label, or a collection of names a row. Or `y_true` is a table (a polars
        LazyFrame, or the path of a Parquet or CSV file, of a folder or a pattern) and `y_pred`,
        `y_score`, `groups`, `time` and `sample_weight` name its columns. Labels are then counted
        in one streaming pass, in constant memory; the other columns are read into memory.
    y_score : array-like, optional
        Score of the positive class per case, or one column per class; needed for the AUC.
    priors : sequence or mapping, optional
        Share of each class where the model will be used, when the test set was drawn class by
        class.
    labels : array-like, optional
        All classes, where some are absent from `y_true`; or the names of all labels, in the order
        of the columns, where a case may have several.
    pos_label, measures, groups, sample_weight, interval, max_error, claim, costs, level
        As in `evaluate`.
    time : array-like, optional
        When each case was met: neighbours in time may err together, and intervals are then as wide
        as the slow movements of the losses ask for.
    sequential : bool
        Whether the cases, in the order given, came in one by one and you may stop (or may have
        stopped) because of what you saw: intervals then hold at all times at once.
    random_state, name, task
        As in `evaluate`.
    truth : str
        The column of right answers, where `y_true` is a table.
    backend : str, optional
        A cluster, as in `evaluate`, whose workers count the files of a table one by one.

    Returns
    -------
    Evaluation

    Examples
    --------
    >>> import referee
    >>> e = referee.evaluate_predictions(["a"] * 60 + ["b"] * 40, ["a"] * 95 + ["b"] * 5)
    >>> e.error.value, round(e.error.interval.low, 3), round(e.error.interval.high, 3)
    (0.35, 0.257, 0.452)
    """
    if y_pred is None:
        raise InputError(
            "is missing", argument="y_pred", remedy="pass the predicted label of every case"
        )
    tally: Predictions | None = None
    if is_source(y_true):
        alone = groups is None and sample_weight is None and time is None
        if alone and not sequential and task not in ("regression", "multilabel"):
            named_ones = as_measures(measures) or ()
            wanted = (*named_ones, *check_claims(claims_of(claim), named_ones).values())
            by_counts = for_risks(interval)
            if by_counts == "auto" or (isinstance(by_counts, RiskInterval) and by_counts.of_counts):
                tally = _counted(y_true, truth, y_pred, y_score, labels, pos_label, wanted, backend)
        if tally is None and _names_labels(y_true, truth, y_pred, y_score, task):
            tally = coded_predictions(
                y_true,
                truth,
                y_pred,
                labels,
                **_given(y_score=y_score, groups=groups, time=time, sample_weight=sample_weight),
            )
        if tally is None:
            read = read_columns(
                y_true,
                y_true=truth,
                y_pred=y_pred,
                y_score=y_score,
                groups=groups,
                time=time,
                sample_weight=sample_weight,
            )
            y_true, y_pred, y_score = (
                read.pop("y_true"),
                read.pop("y_pred"),
                read.pop("y_score", None),
            )
            groups, sample_weight = read.get("groups"), read.get("sample_weight")
            time = read.get("time")
    if tally is not None or _names_classes(y_true, labels, task):
        task = "classification"
    taken = task_of(y_true, task, answers=y_pred)
    settings = Settings(
        interval=interval,
        max_error=max_error,
        claims=claims_of(claim),
        costs=as_costs(costs),
        level=level,
        seed=integer_seed(random_state),
        sequential=sequential,
        numeric=taken.numeric,
    )
    if taken.numeric:
        check_quantities(
            pos_label=pos_label,
            costs=costs,
            y_score=y_score,
            priors=priors,
            sequential=sequential or None,
        )
        predictions = Predictions.of_quantities(
            y_true, y_pred, groups=groups, sample_weight=sample_weight, time=time
        )
    elif taken.sets:
        check_single(pos_label=pos_label, costs=costs, y_score=y_score, priors=priors)
        predictions = label_set_table(
            y_true, y_pred, labels=labels, groups=groups, sample_weight=sample_weight, time=time
        )
    elif tally is not None:
        predictions = tally
    else:
        predictions = Predictions.of(
            y_true,
            y_pred,
            y_score=y_score,
            groups=groups,
            sample_weight=sample_weight,
            time=time,
            labels=labels,
        )
    del y_true, y_pred, y_score  # what was read here alone is let go of
    if sequential:
        check_sequential(predictions, interval=interval, priors=priors is not None)
    positive = positive_class(predictions.classes, pos_label)
    asked = as_measures(measures)
    for measure in asked or ():
        check_task(measure, numeric=predictions.numeric, sets=taken.sets)
    check_costs(settings.costs, positive, predictions.classes)
    claimed_measures(settings, asked, positive, predictions.classes, sets=taken.sets)
    if predictions.scores is not None and predictions.scores.ndim == 1:
        known_positive(predictions.classes, positive)
    return EvaluationGrounds(
        name=check_text("name", name, example="my model"),
        predictions=predictions,
        settings=settings,
        data=_fingerprint(predictions),
        measures=asked,
        positive=positive,
        priors=None if priors is None else priors_in_order(priors, predictions.classes),
        task=taken.taken_for,
    ).evaluation()


def _names_classes(y_true: Any, labels: Any, task: str) -> bool:
    """Tell whether `labels` name single classes, and leave no doubt what was predicted."""
    return labels is not None and task != "multilabel" and not holds_label_sets(y_true)


def _names_labels(source: Any, truth: str, y_pred: Any, y_score: Any, task: str) -> bool:
    """Tell whether a table must hold labels: scores of a class are given, and no fractions."""
    if y_score is None or task in ("regression", "multilabel"):
        return False
    stream = Stream.of(source)
    columns = (truth, y_pred)
    return all(isinstance(c, str) for c in (*columns, y_score)) and not any(
        stream.holds_fractions(column) for column in columns
    )


def _given(**arguments: Any) -> dict[str, Any]:
    return {name: value for name, value in arguments.items() if value is not None}


def _counted(
    source: Any,
    truth: str,
    y_pred: Any,
    y_score: Any,
    labels: Any,
    pos_label: Any,
    wanted: Sequence[Measure],
    backend: str | None,
) -> Tally | None:
    """Return the counts of a table, where they give what is wanted; None where cases must be read.

    Scores are gone through in passes only where there are very many: reading them is quicker.
    """
    if not counts_suffice(wanted, scored=y_score is not None):
        return None
    if y_score is None:
        return tally_of(source, truth, y_pred, labels, backend)
    if not isinstance(y_score, str) or Stream.of(source).n_rows <= streamed.MOST_READ:
        return None
    return scored_tally(source, truth, y_pred, y_score, labels, pos_label)


def _fingerprint(predictions: Predictions) -> str:
    parts = [predictions.truth, predictions.predicted]
    if isinstance(predictions, Tally):
        parts.append(predictions.times)
    return fingerprint(parts, codes=True)
