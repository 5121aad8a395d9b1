"""Tables of given predictions, one a model: labels, label sets or quantities, checked."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from referee.core.arguments import check_text
from referee.core.arrays import Anything
from referee.core.labels.label_sets import holds_label_sets
from referee.core.labels.label_tables import all_label_names, label_set_table, with_shared_sets
from referee.core.labels.labels import as_labels, classes_of, refuse_misaligned
from referee.core.labels.task import task_of
from referee.core.predictions import Predictions
from referee.errors import InputError, named

__all__ = [
    "label_set_tables",
    "label_tables",
    "of_label_sets",
    "of_quantities",
    "quantity_table",
    "truths_of",
]


def label_tables(
    given: Mapping[str, Any],
    by_name: Mapping[str, Any],
    y_scores: Any,
    groups: Any,
    labels: Any,
    weight: Any,
) -> dict[str, Predictions]:
    """Return the table of every model, checked."""
    truths = _checked(given)
    if labels is None:
        labels = _all_classes(truths, by_name)
    scores = {} if y_scores is None else {str(k): v for k, v in y_scores.items()}
    tables: dict[str, Predictions] = {}
    same: dict[int, Predictions] = {}
    for name, answers in by_name.items():
        truth, score = truths[name], scores.get(name)
        try:
            # Labels that were checked have lost the index of a Series.
            for other, what in ((answers, "y_pred"), (score, "y_score"), (groups, "groups")):
                refuse_misaligned(given[name], other, f"y_true and {what}")
            known = same.get(id(truth))
            if known is None:
                known = same[id(truth)] = Predictions.of(
                    truth, answers, y_score=score, groups=groups, labels=labels,
                    sample_weight=weight,
                )  # fmt: skip
                tables[name] = known
            else:
                tables[name] = known.answered(answers, y_score=score)
        except InputError as problem:
            raise InputError(f"model {name!r}: {problem}", concerning="models") from None
    return tables


def of_quantities(given: Mapping[str, Any], by_name: Mapping[str, Any], task: str) -> bool:
    """Tell whether quantities were predicted, from the right answers and all models' answers."""
    return any(task_of(given[name], task, answers=a).numeric for name, a in by_name.items())


def of_label_sets(given: Mapping[str, Any], task: str) -> bool:
    """Tell whether label sets were predicted, asked for or seen in the right answers."""
    check_text("task", task, example="regression")
    if task != "auto":
        return task == "multilabel"
    return all(holds_label_sets(truth) for truth in given.values())


def label_set_tables(
    given: Mapping[str, Any], by_name: Mapping[str, Any], labels: Any, groups: Any, weight: Any
) -> Mapping[str, Predictions]:
    """Return the table of every model that predicts label sets, with the same codes for all."""
    tables = {}
    if labels is None:
        labels = all_label_names(*given.values(), *by_name.values())
    for name, answers in by_name.items():
        try:
            tables[name] = label_set_table(
                given[name], answers, labels=labels, groups=groups, sample_weight=weight
            )
        except InputError as problem:
            raise InputError(f"model {name!r}: {problem}", concerning="models") from None
    return with_shared_sets(tables)


def quantity_table(
    name: str, truth: Any, answers: Any, groups: Any, sample_weight: Any
) -> Predictions:
    """Return the table of one model that predicts quantities, named in what is refused."""
    try:
        return Predictions.of_quantities(truth, answers, groups=groups, sample_weight=sample_weight)
    except InputError as problem:
        raise InputError(f"model {name!r}: {problem}", concerning="models") from None


def truths_of(y_true: Any, by_name: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return the right answers for each model: the same, unless a mapping gives others."""
    if not isinstance(y_true, Mapping):
        return dict.fromkeys(by_name, y_true)
    truths = {str(k): v for k, v in y_true.items()}
    if set(truths) != set(by_name):
        raise InputError(
            f"and {named('y_preds')} must have the same names",
            argument="y_true",
            value=f"{sorted(truths)} and {sorted(by_name)}",
        )
    return truths


def _checked(given: Mapping[str, Any]) -> Mapping[str, Anything]:
    """Return the right answers as labels, each array checked once however many models share it."""
    checked = {id(truth): as_labels(truth, "y_true") for truth in given.values()}
    return {name: checked[id(truth)] for name, truth in given.items()}


def _all_classes(truths: Mapping[str, Anything], answers: Mapping[str, Any]) -> Any:
    """Return the classes; where the truth has one only, the answers name the others."""
    apart = {id(t): t for t in truths.values()}.values()
    seen = np.concatenate([np.asarray(classes_of(t), dtype=t.dtype) for t in apart])
    if len(np.unique(seen)) > 1:
        return np.unique(seen)
    others = [as_labels(a, "y_preds") for a in answers.values()]
    return np.unique(
        np.concatenate([seen, *(o for o in others if o.dtype.kind == seen.dtype.kind)])
    )
