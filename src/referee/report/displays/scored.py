"""Scored: one ranking that a curve is drawn of, checked once."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from referee.core.arrays import Codes, Flags, Label
from referee.core.labels.labels import as_labels, classes_of, positive_class
from referee.core.predictions import Predictions
from referee.core.results import Estimate
from referee.errors import InputError, arg, named
from referee.intervals.area.ranking_sample import RankingSample
from referee.judging.evaluation import Evaluation

__all__ = ["Scored"]


@dataclass(frozen=True, eq=False)
class Scored(RankingSample):
    """A ranking with its names: what is positive, and whose scores they are.

    Attributes
    ----------
    pos_label : label
    name : str
    auc : Estimate or None
        The area under the curve, where an evaluation has found it already.

    Examples
    --------
    >>> s = Scored.of(["b", "a", "b"], [0.9, 0.3, 0.4], pos_label="b")
    >>> s.positive.tolist(), s.curve.auc
    ([True, False, True], 1.0)
    """

    pos_label: Label
    name: str = "the model"
    auc: Estimate | None = None

    @classmethod
    def of(
        cls, y_true: Any, y_score: Any, *, pos_label: Label | None = None, name: str | None = None
    ) -> Scored:
        """Check bare scores: one per case, or one column per class."""
        classes = classes_of(as_labels(y_true, "y_true"))
        if len(classes) < 2:
            raise InputError(
                f"holds one class only ({classes[0]!r})",
                argument="y_true",
                remedy="a curve needs positive and negative cases",
            )
        if y_score is None:
            raise InputError(
                "is missing",
                argument="y_score",
                remedy="pass a score of the positive class per case",
            )
        table = Predictions.of(y_true, y_true, y_score=y_score)
        return cls._of_table(table, _stated(table, pos_label), name or "the model")

    @classmethod
    def of_evaluation(cls, evaluation: Evaluation, *, pos_label: Label | None = None) -> Scored:
        """Read the scores of cases the models had not seen."""
        table = evaluation.predictions.unseen
        if table.scores is None:
            if evaluation.pos_label is None and len(table.classes) == 2:
                names = " or ".join(repr(c) for c in table.classes)
                raise InputError(
                    f"the evaluation of {evaluation.name} holds no scores, for which class is "
                    "positive was not said",
                    remedy=f"pass {named('pos_label')}, {names}",
                )
            raise InputError(
                f"the evaluation of {evaluation.name} holds no scores",
                remedy=(
                    f"pass {arg('measures', ['auc'])} to evaluate, or {named('y_score')} to "
                    "evaluate_predictions"
                ),
            )
        if table.weight is not None:
            raise InputError(
                "curves count all cases alike",
                remedy=f"evaluate without {named('sample_weight')} to draw them",
            )
        stated = _stated(table, evaluation.pos_label if pos_label is None else pos_label)
        scored = cls._of_table(table, stated, evaluation.name)
        known = evaluation.estimates.get("auc") if stated == evaluation.pos_label else None
        return replace(scored, fits=len(np.unique(table.split)), auc=known)

    @classmethod
    def _of_table(cls, table: Predictions, positive: Label, name: str) -> Scored:
        assert table.scores is not None
        at = table.classes.index(positive)
        flags = table.truth[table.case] == at
        _check_both(flags, positive)
        scores = table.scores if table.scores.ndim == 1 else table.scores[:, at]
        if not np.isfinite(scores).all():
            raise InputError(
                f"{name} has no score of class {positive!r} for some cases: the class was missing "
                "from a training set",
                concerning=name,
                remedy="use fewer folds",
            )
        return cls(flags, np.asarray(scores, float), positive, name, units=_units(table))


def _stated(table: Predictions, pos_label: Label | None) -> Label:
    positive = positive_class(table.classes, pos_label)
    if positive is None:
        names = ", ".join(repr(c) for c in table.classes)
        raise InputError(
            "a curve needs to know the positive class",
            concerning="pos_label",
            remedy=f"pass {named('pos_label')}, one of {names}",
        )
    return positive


def _check_both(positive: Flags, label: Label) -> None:
    if positive.all() or not positive.any():
        quantity = "only" if positive.all() else "no"
        raise InputError(
            f"there are {quantity} cases of the positive class {label!r}; a curve needs positive "
            "and negative cases",
            concerning="pos_label",
        )


def _units(table: Predictions) -> Codes | None:
    if table.groups is not None:
        return np.asarray(table.groups[table.case])
    repeated = len(table.cases) < len(table.case)
    return table.case if repeated else None
