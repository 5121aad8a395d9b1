"""Scored: one ranking that a curve is drawn of, checked once.

Where several models scored the cases (cross-validation), their scores are pooled as they are. If
the models' scales differ, the pooled curve is a little too low (Forman and Scholz 2010, SIGKDD
Explorations 12), whereas the area that `evaluate` reports compares within fits only. Such cases
are worth n / 1.5 independent ones, as in `evaluation.ranked`.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np

from referee.core.arrays import Codes, Flags, Floats, Label
from referee.core.labels import as_labels, classes_of, positive_class
from referee.core.predictions import Predictions
from referee.core.randomness import Seed
from referee.core.results import Estimate
from referee.errors import InputError
from referee.judging.evaluation import Evaluation
from referee.measures.roc import RocCurve, roc_curve

__all__ = ["Scored"]


@dataclass(frozen=True, eq=False)
class Scored:
    """Which cases are positive, their scores, and which of them belong together.

    Attributes
    ----------
    positive : array of bool
    scores : array of float
        Larger means more positive.
    units : array of int or None
        The group of each row, or its case where cases were predicted more than once; resamples
        draw whole units. None where every row is a case of its own.
    pos_label : label
    name : str
    fits : int
        How many models scored the rows.
    auc : Estimate or None
        The area under the curve, where an evaluation has found it already.

    Examples
    --------
    >>> s = Scored.of(["b", "a", "b"], [0.9, 0.3, 0.4], pos_label="b")
    >>> s.positive.tolist(), s.curve.auc
    ([True, False, True], 1.0)
    """

    positive: Flags
    scores: Floats
    pos_label: Label
    name: str = "the model"
    units: Codes | None = None
    fits: int = 1
    auc: Estimate | None = None

    @classmethod
    def of(
        cls, y_true: Any, y_score: Any, *, pos_label: Label | None = None, name: str | None = None
    ) -> Scored:
        """Check bare scores: one per case, or one column per class."""
        classes = classes_of(as_labels(y_true, "y_true"))
        if len(classes) < 2:
            raise InputError(
                f"y_true holds one class only ({classes[0]!r}); a curve needs positive and "
                "negative cases"
            )
        if y_score is None:
            raise InputError("y_score is missing; pass a score of the positive class per case")
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
                    f"positive was not said; pass pos_label={names}"
                )
            raise InputError(
                f"the evaluation of {evaluation.name} holds no scores; pass measures=['auc'] to "
                "evaluate, or y_score to evaluate_predictions"
            )
        if table.weight is not None:
            raise InputError(
                "curves count all cases alike; evaluate without sample_weight to draw them"
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
                "from a training set; use fewer folds"
            )
        return cls(flags, np.asarray(scores, float), positive, name, _units(table))

    @cached_property
    def curve(self) -> RocCurve:
        """The ROC curve, one vertex per distinct score."""
        return roc_curve(self.positive, self.scores)

    @property
    def inflation(self) -> float:
        """By what factor several fits raise variances."""
        return 1.5 if self.fits > 1 else 1.0

    @cached_property
    def sizes(self) -> tuple[float, float]:
        """How many independent positives, and how many negatives, the rows are worth."""
        unit = np.arange(len(self.positive)) if self.units is None else self.units
        p, n = (len(np.unique(unit[of])) / self.inflation for of in (self.positive, ~self.positive))
        return max(1.0, p), max(1.0, n)

    def resampled(self, rounds: int, seed: Seed) -> Iterator[RocCurve]:
        """Draw units with replacement and give the curve of each resample.

        Positives and negatives are drawn apart unless a unit holds both; then resamples without
        one of the classes are left out.
        """
        order = np.argsort(-self.scores, kind="stable")
        ranked, hit = self.scores[order], self.positive[order]
        last = np.append(np.flatnonzero(np.diff(ranked)), len(ranked) - 1)
        unit, strata = self._strata
        rng = np.random.default_rng(seed)
        for _ in range(rounds):
            counts = _drawn(rng, strata)[unit][order]
            tp, fp = np.cumsum(counts * hit), np.cumsum(counts * ~hit)
            if tp[-1] and fp[-1]:
                yield RocCurve(
                    np.append(np.inf, ranked[last]),
                    np.append(0.0, tp[last]),
                    np.append(0.0, fp[last]),
                )

    @property
    def _strata(self) -> tuple[Codes, Codes]:
        """The unit of each row, and the stratum each unit is drawn in."""
        if self.units is None:
            return np.arange(len(self.positive)), self.positive.astype(np.intp)
        names, unit = np.unique(self.units, return_inverse=True)
        share = np.bincount(unit, weights=self.positive) / np.bincount(unit)
        pure = bool(np.isin(share, (0.0, 1.0)).all())
        return unit, share.astype(np.intp) if pure else np.zeros(len(names), dtype=np.intp)


def _drawn(rng: np.random.Generator, strata: Codes) -> Codes:
    counts = np.zeros(len(strata), dtype=np.intp)
    for stratum in np.unique(strata):
        rows = np.flatnonzero(strata == stratum)
        counts[rows] = np.bincount(rng.integers(len(rows), size=len(rows)), minlength=len(rows))
    return counts


def _stated(table: Predictions, pos_label: Label | None) -> Label:
    positive = positive_class(table.classes, pos_label)
    if positive is None:
        names = ", ".join(repr(c) for c in table.classes)
        raise InputError(
            f"a curve needs to know the positive class; pass pos_label, one of {names}"
        )
    return positive


def _check_both(positive: Flags, label: Label) -> None:
    if positive.all() or not positive.any():
        found = "only" if positive.all() else "no"
        raise InputError(
            f"there are {found} cases of the positive class {label!r}; a curve needs positive and "
            "negative cases"
        )


def _units(table: Predictions) -> Codes | None:
    if table.groups is not None:
        return np.asarray(table.groups[table.case])
    repeated = len(np.unique(table.case)) < len(table.case)
    return table.case if repeated else None
