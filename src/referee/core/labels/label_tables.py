"""Tables of predicted label sets: from bare predictions, of one label, of models side by side."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from referee.core.dataset import checked_weights, group_codes, moments
from referee.core.labels.label_sets import LabelSets, as_members, label_names
from referee.core.labels.labels import refuse_misaligned
from referee.core.plan import Part
from referee.core.predictions import Predictions
from referee.errors import InputError, named

__all__ = ["all_label_names", "label_set_table", "label_table", "with_shared_sets"]


def label_set_table(
    y_true: Any,
    y_pred: Any,
    *,
    labels: Any = None,
    groups: Any = None,
    sample_weight: Any = None,
    time: Any = None,
) -> Predictions:
    """Check bare predictions of label sets once and return them as a table of one split.

    Parameters
    ----------
    y_true, y_pred : array-like, DataFrame or sequence of collections
        A column of 0 and 1 for each label, or the labels of each case.
    labels : sequence of str, optional
        The names of all labels, in the order of the columns.

    Examples
    --------
    >>> table = label_set_table([{"dog"}, {"dog", "cat"}], [{"dog"}, {"cat"}])
    >>> table.wrong.tolist(), table.truth_members.astype(int).tolist()
    ([0.0, 1.0], [[0, 1], [1, 1]])
    """
    for other, name in ((y_pred, "y_pred"), (groups, "groups")):
        refuse_misaligned(y_true, other, f"{named('y_true')} and {name}")
    names = all_label_names(y_true, y_pred) if labels is None else tuple(str(v) for v in labels)
    truth = as_members(y_true, "y_true", names)
    names = names or tuple(str(column) for column in range(truth.shape[1]))
    answers = as_members(y_pred, "y_pred", names)
    n = len(truth)
    if len(answers) != n:
        raise InputError(
            f"has {n} rows and {named('y_pred')} has {len(answers)}", argument="y_true"
        )
    sets, (codes, answered) = LabelSets.coded(names, truth, answers)
    return Predictions(
        classes=sets.names,
        truth=codes,
        case=np.arange(n),
        split=np.zeros(n, dtype=np.intp),
        seen=np.zeros(n, dtype=np.intp),
        predicted=answered,
        part=(Part.MAIN,),
        repetition=np.zeros(1, dtype=np.intp),
        n_train=np.zeros(1, dtype=np.intp),
        groups=group_codes(groups, n),
        weight=checked_weights(sample_weight, n),
        moment=moments(time, n),
        label_sets=sets,
    )


def all_label_names(*values: Any) -> tuple[str, ...] | None:
    """Return the names that columns have, or all that anybody's collections hold; None without.

    Examples
    --------
    >>> all_label_names([{"dog"}, {"cat"}], [{"cow"}, set()])
    ('cat', 'cow', 'dog')
    """
    columns = next((v for v in values if hasattr(v, "columns")), None)
    if columns is not None:
        return label_names(columns)
    known = [names for names in map(label_names, values) if names is not None]
    return tuple(sorted({label for names in known for label in names})) or None


def label_table(table: Predictions, at: int) -> Predictions:
    """Return the table of one label alone: 1 for cases that have it, 0 for the others.

    Examples
    --------
    >>> pets = label_set_table([{"dog"}, {"dog", "cat"}], [{"dog"}, {"cat"}])
    >>> dog = label_table(pets, 1)
    >>> dog.truth.tolist(), dog.predicted.tolist()
    ([1, 1], [1, 0])
    """
    assert table.label_sets is not None
    has = table.label_sets.members[:, at].astype(np.intp)
    return replace(
        table,
        classes=(0, 1),
        truth=has[table.truth],
        predicted=has[table.predicted],
        scores=None,
        label_sets=None,
    )


def with_shared_sets(tables: Mapping[str, Predictions]) -> Mapping[str, Predictions]:
    """Return tables of several models in which one code stands for one set of labels.

    Each model's own table numbers the sets that occur in it; side by side they must agree.

    Examples
    --------
    >>> a, b = ([{"x"}, {"y"}], [{"y"}, {"x", "y"}])
    >>> both = with_shared_sets({"a": label_set_table(a, a), "b": label_set_table(a, b)})
    >>> both["a"].classes == both["b"].classes, both["b"].wrong.tolist()
    (True, [1.0, 1.0])
    """
    sets = {name: table.label_sets for name, table in tables.items()}
    known = [s for s in sets.values() if s is not None]
    if len(known) < len(tables) or len({table.classes for table in tables.values()}) == 1:
        return tables
    labels = known[0].labels
    odd = next((name for name, s in sets.items() if s is not None and s.labels != labels), None)
    if odd is not None:
        raise InputError(
            f"model {odd!r} was judged on other labels than {next(iter(tables))!r}",
            concerning="models",
        )
    shared, codes = LabelSets.coded(labels, *(s.members for s in known))
    return {
        name: replace(
            table,
            classes=shared.names,
            truth=own[table.truth],
            predicted=own[table.predicted],
            label_sets=shared,
        )
        for (name, table), own in zip(tables.items(), codes, strict=True)
    }
