"""Predictions: the hinge. One table, whatever made it, one row per (split, case)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from referee.core.arrays import Anything, Codes, Flags, Floats, Label, Rows
from referee.core.dataset import Dataset, checked_weights, group_codes, moments
from referee.core.labels.label_sets import LabelSets
from referee.core.labels.labels import (
    as_labels,
    classes_of,
    encode,
    refuse_many_classes,
    refuse_misaligned,
    rows_text,
)
from referee.core.labels.task import as_numbers
from referee.core.machine.blocks import blocks
from referee.core.plan import Part, Plan
from referee.errors import InputError, arg, named

if TYPE_CHECKING:
    import pandas as pd

    from referee.core.situation import Situation

__all__ = ["Predictions"]

_SHORT = np.int32
"""Codes of bare predictions, of which there may be many, take half of the usual room."""


@dataclass(frozen=True, eq=False)
class Predictions:
    """What was predicted for which case by which fit, and whether that fit had seen the case.

    Attributes
    ----------
    classes : tuple
        All classes; `truth` and `predicted` are positions in it. Empty where quantities are
        predicted: then both are numbers. Where a case may have several labels, every distinct
        set of labels is a class.
    truth : array, one per case
        The right answers.
    case, split, seen, predicted : arrays, one entry per row of the table
        The case that was predicted; the split whose model predicted it; how often that case was
        in the model's training set; the answer.
    part, repetition, n_train : arrays, one entry per split
        What the split was for, which repetition it belongs to, how many rows it trained on.
    scores : array or None
        One column (score of the positive class) or one per class, a row per row of the table.
    groups, weight : arrays or None, one entry per case
    moment : array or None, one entry per case
        The place of the case in time, 0 for the first; cases of one moment share it.
    label_sets : LabelSets or None
        The labels of every class, where classes are sets of labels.

    Examples
    --------
    >>> p = Predictions.of(["a", "b", "b"], ["a", "b", "a"])
    >>> p.n, p.frame()[["truth", "predicted", "seen"]].values.tolist()
    (3, [['a', 'a', 0], ['b', 'b', 0], ['b', 'a', 0]])
    """

    classes: tuple[Label, ...]
    truth: Anything
    case: Rows
    split: Rows
    seen: Rows
    predicted: Anything
    part: tuple[Part, ...]
    repetition: Rows
    n_train: Rows
    scores: Floats | None = None
    groups: Codes | None = None
    weight: Floats | None = None
    moment: Codes | None = None
    label_sets: LabelSets | None = None

    @classmethod
    def of(
        cls,
        y_true: Any,
        y_pred: Any,
        *,
        y_score: Any = None,
        groups: Any = None,
        sample_weight: Any = None,
        time: Any = None,
        labels: Any = None,
    ) -> Predictions:
        """Check bare predictions once and return them as a table of one split.

        Parameters
        ----------
        y_true, y_pred : array-like
            Right answers and predictions, in the same order.
        y_score : array-like, optional
            A score of the positive class per case, or one column per class: in sorted order of the
            classes, or a DataFrame whose columns are named like them.
        groups, sample_weight, time : array-like, optional
            As in `Dataset`.
        labels : array-like, optional
            All classes, where some do not occur in `y_true`.
        """
        truth = as_labels(y_true, "y_true")
        answers = as_labels(y_pred, "y_pred")
        n = len(truth)
        others = (y_pred, "y_pred"), (y_score, "y_score"), (groups, "groups"), (time, "time")
        for other, name in others:
            refuse_misaligned(y_true, other, f"{named('y_true')} and {name}")
        if len(answers) != n:
            raise InputError(
                f"has {n} rows and {named('y_pred')} has {len(answers)}", argument="y_true"
            )
        classes = classes_of(truth if labels is None else as_labels(labels, "labels"))
        if labels is None and len(classes) == 1 and truth.dtype.kind == answers.dtype.kind:
            # The answers show what else there could have been.
            classes = classes_of(np.append(truth, answers))
        refuse_many_classes(classes, "y_true")
        if len(classes) < 2:
            raise InputError(
                f"holds one class only ({classes[0]!r})",
                argument="y_true",
                remedy=f"name all classes with {arg('labels')} if others are merely absent here",
            )
        return cls.of_codes(
            classes,
            encode(truth, classes, "y_true", dtype=_SHORT),
            encode(answers, classes, "y_pred", dtype=_SHORT),
            y_score=y_score,
            groups=groups,
            sample_weight=sample_weight,
            time=time,
        )

    @classmethod
    def of_codes(
        cls,
        classes: Sequence[Label],
        truth: Codes,
        predicted: Codes,
        *,
        y_score: Any = None,
        groups: Any = None,
        sample_weight: Any = None,
        time: Any = None,
    ) -> Predictions:
        """Return bare predictions whose labels are known as positions among the classes.

        Examples
        --------
        >>> p = Predictions.of_codes(("a", "b"), np.array([0, 1, 1]), np.array([0, 1, 0]))
        >>> p.cell_counts.tolist()
        [[1, 0], [1, 1]]
        """
        n = len(truth)
        return cls(
            classes=tuple(classes),
            truth=truth,
            case=np.arange(n),
            split=np.broadcast_to(np.intp(0), n),
            seen=np.broadcast_to(np.intp(0), n),
            predicted=predicted,
            part=(Part.MAIN,),
            repetition=np.zeros(1, dtype=np.intp),
            n_train=np.zeros(1, dtype=np.intp),
            scores=_checked_scores(_in_class_order(y_score, classes), n, len(classes)),
            groups=group_codes(groups, n),
            weight=checked_weights(sample_weight, n),
            moment=moments(time, n),
        )

    def answered(self, y_pred: Any, *, y_score: Any = None) -> Predictions:
        """Return another model's bare predictions of the same cases; these are not checked again.

        Examples
        --------
        >>> first = Predictions.of(["a", "b", "b"], ["a", "b", "a"])
        >>> second = first.answered(["b", "b", "a"])
        >>> second.predicted.tolist(), second.truth is first.truth
        ([1, 1, 0], True)
        """
        answers = as_labels(y_pred, "y_pred")
        if len(answers) != self.n:
            raise InputError(
                f"has {self.n} rows and {named('y_pred')} has {len(answers)}", argument="y_true"
            )
        k = len(self.classes)
        return replace(
            self,
            predicted=encode(answers, self.classes, "y_pred", dtype=_SHORT),
            scores=_checked_scores(_in_class_order(y_score, self.classes), self.n, k),
        )

    @classmethod
    def of_quantities(
        cls,
        y_true: Any,
        y_pred: Any,
        *,
        groups: Any = None,
        sample_weight: Any = None,
        time: Any = None,
    ) -> Predictions:
        """Check bare predictions of quantities once and return them as a table of one split.

        Examples
        --------
        >>> p = Predictions.of_quantities([1.0, 2.5], [1.5, 2.0])
        >>> p.numeric, (p.predicted - p.truth).tolist()
        (True, [0.5, -0.5])
        """
        truth, answers = as_numbers(y_true, "y_true"), as_numbers(y_pred, "y_pred")
        n = len(truth)
        for other, name in ((y_pred, "y_pred"), (groups, "groups"), (time, "time")):
            refuse_misaligned(y_true, other, f"{named('y_true')} and {name}")
        if len(answers) != n:
            raise InputError(
                f"has {n} rows and {named('y_pred')} has {len(answers)}", argument="y_true"
            )
        return cls(
            classes=(),
            truth=truth,
            case=np.arange(n),
            split=np.zeros(n, dtype=np.intp),
            seen=np.zeros(n, dtype=np.intp),
            predicted=answers,
            part=(Part.MAIN,),
            repetition=np.zeros(1, dtype=np.intp),
            n_train=np.zeros(1, dtype=np.intp),
            groups=group_codes(groups, n),
            weight=checked_weights(sample_weight, n),
            moment=moments(time, n),
        )

    @classmethod
    def of_plan(
        cls,
        plan: Plan,
        data: Dataset,
        predicted: Codes | Floats,
        *,
        scores: Floats | None = None,
        truth: Codes | Floats | None = None,
    ) -> Predictions:
        """Return what the models of a plan predicted, split after split, as a table.

        Parameters
        ----------
        plan, data : Plan, Dataset
            Who was trained and tested on what.
        predicted, scores : arrays
            One entry per test row of each split, in the order of the splits.
        truth : array, optional
            Other labels than those of the data, for a relabelling.
        """
        splits = plan.splits
        classes, sets = data.classes, None
        truth = data.truth if truth is None else truth
        if data.labels:
            sets, (truth, predicted) = LabelSets.coded(data.labels, truth == 1, predicted == 1)
            classes = sets.names
        return cls(
            classes=classes,
            truth=truth,
            case=plan.tested,
            split=np.repeat(np.arange(plan.fits), plan.sizes),
            seen=plan.seen,
            predicted=predicted,
            part=tuple(s.part for s in splits),
            repetition=np.array([s.repetition for s in splits]),
            n_train=plan.train_sizes,
            scores=scores,
            groups=data.groups,
            weight=data.sample_weight,
            moment=_moments_of(plan, data),
            label_sets=sets,
        )

    @property
    def truth_members(self) -> Flags:
        """Which labels each row's case has, a column per label, where classes are label sets."""
        assert self.label_sets is not None
        return self.label_sets.members[self.row_truth]

    @property
    def predicted_members(self) -> Flags:
        """Which labels were predicted in each row, a column per label."""
        assert self.label_sets is not None
        return self.label_sets.members[self.predicted]

    @property
    def n(self) -> int:
        """The number of distinct cases that are known."""
        return len(self.truth)

    @property
    def numeric(self) -> bool:
        """Whether quantities are predicted, not classes."""
        return not self.classes

    @property
    def spelled_out(self) -> Predictions:
        """The table with a row for every case: this one, unless alike cases are held as one."""
        return self

    @property
    def scored(self) -> bool:
        """Whether scores are known besides labels."""
        return self.scores is not None

    @property
    def residuals(self) -> Floats:
        """The right answer minus the prediction, row by row, where quantities are predicted."""
        return np.asarray(self.truth[self.case] - self.predicted, dtype=float)

    def rows(self, keep: Flags | Rows) -> Predictions:
        """Return the table with only the marked rows, or with the rows of these numbers."""
        if keep.dtype == bool:
            if keep.all():
                return self
            keep = np.flatnonzero(keep)
        scores = None if self.scores is None else self.scores[keep]
        return replace(
            self,
            case=self.case[keep],
            split=self.split[keep],
            seen=self.seen[keep],
            predicted=self.predicted[keep],
            scores=scores,
        )

    def of_part(self, part: Part) -> Predictions:
        """Return the rows whose split serves one purpose."""
        if set(self.part) == {part}:
            return self
        if part not in self._parts:
            wanted = np.array([p is part for p in self.part])
            self._parts[part] = self.rows(wanted[self.split])
        return self._parts[part]

    @cached_property
    def _parts(self) -> dict[Part, Predictions]:
        """The rows of each part that was asked for: measures ask for the same ones."""
        return {}

    @cached_property
    def unseen(self) -> Predictions:
        """The rows an honest estimate may read: main splits, cases the model had not seen."""
        main = self.of_part(Part.MAIN)
        unseen = main.seen == 0
        if self.weight is not None:
            unseen &= self.weight[main.case] > 0
        return main.rows(unseen)

    @cached_property
    def resubstitution(self) -> Predictions:
        """Rows predicted by a model that had seen them once, as trained: the training error.

        From the fit on all rows where there is one; otherwise from the training rows of the one
        main split (holdout).
        """
        whole = self.of_part(Part.RESUBSTITUTION)
        if len(whole.case):
            return whole
        main = self.of_part(Part.MAIN)
        single = len(main.split) > 0 and bool(np.all(main.split == main.split[0]))
        return main.rows((main.seen > 0) & single)

    @cached_property
    def cases(self) -> Rows:
        """The distinct cases that have a row here, in order.

        Marking them takes one pass, where sorting or hashing a million numbers takes seconds.
        """
        if self.in_order:
            return self.case
        present = np.zeros(self.n, dtype=bool)
        present[self.case] = True
        return np.flatnonzero(present)

    @cached_property
    def in_order(self) -> bool:
        """Whether every case has one row, and rows stand in the order of the cases."""
        if len(self.case) != self.n:
            return False
        return all(
            np.array_equal(self.case[rows], np.arange(rows.start, rows.stop))
            for rows in blocks(self.n)
        )

    @property
    def row_truth(self) -> Anything:
        """The right answer of every row of the table."""
        return self.truth if self.in_order else self.truth[self.case]

    @cached_property
    def cell_counts(self) -> Rows:
        """How many rows have each right answer (rows of the matrix) and prediction (columns)."""
        truth, k = self.row_truth, len(self.classes)
        counts = np.zeros(k * k, dtype=np.intp)
        for rows in blocks(len(truth)):
            counts += np.bincount(truth[rows] * k + self.predicted[rows], minlength=k * k)
        return counts.reshape(k, k)

    @cached_property
    def counts_suffice(self) -> bool:
        """Whether counts of right answer and prediction say all that labels can say.

        So it is when one model predicted every case once, and cases are alone and count alike.
        """
        alone = self.groups is None and self.moment is None
        alike = alone and self.weight is None and self.label_sets is None
        return alike and self.part == (Part.MAIN,) and self.in_order and not self.seen.any()

    @cached_property
    def situation(self) -> Situation:
        """What a statistical method must know of this table, read off once."""
        from referee.core.situation import Situation

        return Situation.of_table(self)

    @property
    def wrong(self) -> Floats:
        """The zero-one loss of every row of the table."""
        return np.asarray(self.predicted != self.row_truth, dtype=float)

    def frame(self) -> pd.DataFrame:
        """Return the table as a pandas DataFrame with the classes' names."""
        import pandas as pd

        truth, predicted = self.truth[self.case], self.predicted
        if not self.numeric:
            names = np.asarray(self.classes)
            truth, predicted = names[truth], names[predicted]
        columns: dict[str, Anything] = {
            "case": self.case,
            "split": self.split,
            "repetition": self.repetition[self.split],
            "part": np.array([p.value for p in self.part])[self.split],
            "seen": self.seen,
            "truth": truth,
            "predicted": predicted,
        }
        return pd.DataFrame(columns | dict(self._score_columns()))

    def _score_columns(self) -> list[tuple[str, Floats]]:
        if self.scores is None:
            return []
        if self.scores.ndim == 1:
            return [("score", self.scores)]
        return [(f"score {c}", self.scores[:, k]) for k, c in enumerate(self.classes)]


def _moments_of(plan: Plan, data: Dataset) -> Codes | None:
    """Return the places in time, also where the plan takes the order of the rows for time."""
    if data.time is None and plan.forward:
        return np.arange(data.n)
    return moments(data.time, data.n)


def _in_class_order(y_score: Any, classes: Sequence[Label]) -> Any:
    """Return a frame of scores whose columns are named like the classes in their order."""
    names = {str(c): c for c in getattr(y_score, "columns", ())}
    if set(names) == {str(c) for c in classes}:
        return y_score[[names[str(c)] for c in classes]]
    return y_score


def _checked_scores(y_score: Any, n: int, k: int) -> Floats | None:
    if y_score is None:
        return None
    try:
        scores = np.asarray(y_score, dtype=float)
    except (TypeError, ValueError) as problem:
        raise InputError(f"must hold numbers: {problem}", argument="y_score") from None
    if scores.shape not in {(n,), (n, k)}:
        raise InputError(
            f"must have shape ({n},) or ({n}, {k}): one score per case, or one per case and class",
            argument="y_score",
            value=str(scores.shape),
        )
    finite = np.isfinite(scores) if scores.ndim == 1 else np.isfinite(scores).all(axis=1)
    bad = np.flatnonzero(~finite)
    if bad.size:
        raise InputError(
            "must be finite",
            argument="y_score",
            value=str(scores[bad[0]]),
            place=rows_text(bad[:1]),
            remedy="drop the row or score it",
        )
    return scores
