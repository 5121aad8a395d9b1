"""compare_predictions: which model predicted given cases better, or is it chance?"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from referee.checks import Context
from referee.comparing.comparison import Comparison
from referee.comparing.grounds import ComparisonGrounds
from referee.comparing.named import named_models
from referee.comparing.predictions.tables import (
    label_set_tables,
    label_tables,
    of_label_sets,
    of_quantities,
    quantity_table,
    truths_of,
)
from referee.comparing.question import Question, default_claim, pairs_claimed
from referee.core.arguments import names_arguments
from referee.core.arrays import Label
from referee.core.fingerprint import fingerprint
from referee.core.labels.labels import positive_class
from referee.core.predictions import Predictions
from referee.core.randomness import RandomState, integer_seed
from referee.core.tally import Tally
from referee.errors import InputError, named, nearest
from referee.intervals.difference.difference_interval import DifferenceInterval
from referee.judging.evaluation import Provenance
from referee.judging.requests import (
    as_costs,
    check_costs,
    check_quantities,
    check_single,
    measures_to_compare,
)
from referee.judging.settings import versions
from referee.judging.streamed import joined_tallies, read_columns, tallies
from referee.measures import Costs, Measure
from referee.significance.comparison_test import ComparisonTest
from referee.significance.multiplicity.adjustment import Adjustment
from referee.sources.stream import is_source

__all__ = ["compare_predictions"]

_COUNTED = (None, "error", "accuracy")
"""Measures of which a table that is not read whole gives a comparison: counts say it all."""


@names_arguments
def compare_predictions(
    y_true: Any,
    y_preds: Mapping[str, Any],
    *,
    y_scores: Mapping[str, Any] | None = None,
    pos_label: Label | None = None,
    labels: Any = None,
    groups: Any = None,
    sample_weight: Any = None,
    measure: str | Measure | Callable[..., Any] | Sequence[Any] | None = None,
    costs: Costs | tuple[float, float] | None = None,
    significance: str | ComparisonTest = "auto",
    interval: str | DifferenceInterval = "auto",
    rope: float = 0.0,
    claim: str | None = None,
    adjust: str | Adjustment = "holm",
    level: float = 0.95,
    sequential: bool = False,
    random_state: RandomState = 0,
    task: str = "auto",
    truth: str = "truth",
    on: str | None = None,
) -> Comparison:
    """Say which of two or more models predicted the same cases better; no model is needed.

    Parameters
    ----------
    y_true : array-like, or mapping of str to array-like
        The right answers; a mapping with the names of `y_preds` where the models were tested on
        different cases (then nothing is paired, and more cases are needed). Or a table (a polars
        LazyFrame, or the path of Parquet or CSV files, a folder or a pattern) whose columns the
        other arguments name: errors of two models are then counted in one streaming pass. Or a
        mapping of two such tables, one a model, which are joined by the ids of `on`.
    y_preds : mapping of str to array-like
        Each model's predictions of the same cases, in the same order.
    y_scores : mapping of str to array-like, optional
        Each model's scores, for measures of the ranking or of probabilities.
    labels : array-like, optional
        All classes, where some are absent from `y_true`.
    pos_label, groups, sample_weight, measure, costs, significance, interval
        As in `compare`.
    rope, claim, adjust, level, random_state, task
        As in `compare`.
    sequential : bool
        Whether the cases, in the order given, came in one by one and you may stop (or may have
        stopped) because of what you saw: p-values and intervals then hold at all times.
    truth : str
        The column of right answers, where `y_true` is a table.
    on : str, optional
        The column of ids, where each model has a table of its own.

    Returns
    -------
    Comparison

    Examples
    --------
    >>> import referee
    >>> truth = [0, 1] * 100
    >>> a = truth[:190] + [1, 0] * 5
    >>> b = truth[:170] + [1, 0] * 15
    >>> c = referee.compare_predictions(truth, {"a": a, "b": b})
    >>> c.difference.value, c.evidence.test, round(c.evidence.p_value, 7)
    (-0.1, 'mcnemar-exact', 1.9e-06)
    >>> c.verdict.outcome.value
    'first'
    """
    by_name = named_models(y_preds, "y_preds")
    _check_scores(y_scores, by_name)
    tables: Mapping[str, Predictions]
    alone = y_scores is None and groups is None and sample_weight is None and not sequential
    shares = measure is None or (isinstance(measure, str) and measure in _COUNTED)
    counted = len(by_name) == 2 and shares and task != "regression"
    apart = isinstance(y_true, Mapping) and all(is_source(table) for table in y_true.values())
    if apart:
        _check_apart(y_true, by_name, on, whole=alone and counted)
        tables = joined_tallies(y_true, truth, by_name, str(on), labels)
    elif is_source(y_true) and alone and counted:
        tables = tallies(y_true, truth, dict(by_name), labels)
    else:
        if is_source(y_true):
            y_true, by_name, y_scores, groups, sample_weight = _read(
                y_true, truth, by_name, y_scores, groups, sample_weight
            )
        given = truths_of(y_true, by_name)
        if of_label_sets(given, task):
            check_single(pos_label=pos_label, costs=costs, y_scores=y_scores)
            tables = label_set_tables(given, by_name, labels, groups, sample_weight)
        elif of_quantities(given, by_name, task if labels is None else "classification"):
            check_quantities(
                pos_label=pos_label, costs=costs, y_scores=y_scores, sequential=sequential or None
            )
            tables = {
                name: quantity_table(name, given[name], answers, groups, sample_weight)
                for name, answers in by_name.items()
            }
        else:
            tables = label_tables(given, by_name, y_scores, groups, labels, sample_weight)
    some = next(iter(tables.values()))
    positive = positive_class(some.classes, pos_label)
    sets = some.label_sets is not None
    what, *more = measures_to_compare(measure, positive, some.classes, sets=sets)
    question = Question(
        measure=what,
        positive=positive,
        costs=as_costs(costs),
        significance=significance,
        interval=interval,
        rope=rope,
        claim=default_claim(claim, len(by_name), rope),
        adjust=adjust,
        level=level,
        seed=integer_seed(random_state),
        pairs=pairs_claimed(len(by_name), claim),
        sequential=sequential,
    )
    check_costs(question.costs, positive, some.classes)
    paired = apart or not isinstance(y_true, Mapping)
    prints = [a for t in tables.values() for a in (t.truth, t.predicted)]
    prints += [t.times for t in tables.values() if isinstance(t, Tally)]
    return ComparisonGrounds(
        tables=tables,
        question=question,
        how=_how(paired, sequential),
        paired=paired,
        contexts=dict.fromkeys(tables, Context()),
        provenance=Provenance(
            seed=question.seed,
            data=fingerprint(prints, codes=True),
            plan="",
            versions=versions(),
        ),
        others=tuple(more),
    ).comparison()


def _read(
    source: Any, truth: str, by_name: Mapping[str, Any], y_scores: Any, groups: Any, weight: Any
) -> tuple[Any, dict[str, Any], Any, Any, Any]:
    """Return the columns of a table that a comparison needs case by case."""
    scores = {} if y_scores is None else {str(k): v for k, v in y_scores.items()}
    read = read_columns(
        source,
        truth=truth,
        groups=groups,
        weight=weight,
        **{f"answers {name}": column for name, column in by_name.items()},
        **{f"scores {name}": column for name, column in scores.items()},
    )
    answers = {name: read[f"answers {name}"] for name in by_name}
    columns = {name: read[f"scores {name}"] for name in scores} or None
    return read["truth"], answers, columns, read.get("groups"), read.get("weight")


def _check_apart(
    sources: Mapping[str, Any], by_name: Mapping[str, Any], on: str | None, *, whole: bool
) -> None:
    """Refuse what tables of their own do not give: two models, their errors, and ids."""
    if on is None:
        raise InputError(
            "is missing", argument="on", remedy="name the column of ids that joins the tables"
        )
    if set(sources) != set(by_name):
        raise InputError(
            f"must name the models of {named('y_preds')}, {', '.join(map(repr, by_name))}",
            argument="y_true",
            value=", ".join(map(repr, sources)),
        )
    if not whole:
        raise InputError(
            "may hold tables of two models whose errors are compared; for other measures, scores, "
            "groups or weights join the tables first, or read them",
            argument="y_true",
        )


def _how(paired: bool, sequential: bool) -> str:
    if sequential:
        return "given predictions as they came, judged at all times"
    return "given predictions" + ("" if paired else " of different cases")


def _check_scores(y_scores: Any, by_name: Mapping[str, Any]) -> None:
    if y_scores is None:
        return
    if not isinstance(y_scores, Mapping):
        raise InputError(
            f"must map the names of {named('y_preds')} to scores, as {{'a': scores_a}}",
            argument="y_scores",
        )
    odd = [name for name in y_scores if str(name) not in by_name]
    if odd:
        raise InputError(
            f"has {odd[0]!r}, which {named('y_preds')} has not{nearest(str(odd[0]), by_name)}",
            argument="y_scores",
        )
    lacking = [name for name in by_name if name not in {str(k) for k in y_scores}]
    if lacking:
        raise InputError(
            f"lacks {lacking[0]!r}",
            argument="y_scores",
            remedy="give scores of every model or of none",
        )
