"""The shortcut for LinearSVC in the primal: exact optima, and how far liblinear stays."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from numbers import Real
from typing import Any

import numpy as np

from referee.core.arrays import Codes, Features, Floats, Label
from referee.core.plan import Split
from referee.core.shared_work import SplitOutput, SteppedAside, label_columns
from referee.learners.shortcuts.plain_refit import plain_refit
from referee.learners.shortcuts.value_shortcut import Request, ValueShortcut
from referee.learners.svm.solvers.squared_hinge import MarginProblem

__all__ = ["LinearSvcShortcut", "linear_svc_shortcut"]

_WIDEST = 500
"""Features beyond which Newton's systems do not pay."""

_PROBED = 8
"""After this many labellings, most of them in doubt, shared work gives up."""


@dataclass(frozen=True, eq=False)
class LinearSvcShortcut(ValueShortcut):
    """A scikit-learn LinearSVC with squared hinge, which liblinear solves in the primal.

    The optimum is found exactly; liblinear stops near it. A labelling with a test case whose sign
    could differ within that distance is refitted.

    Attributes
    ----------
    model : LinearSVC
        Never fitted itself.
    C, tol : float
    constant : float
        The constant feature; 0 for no intercept.
    """

    model: Any
    C: float
    tol: float
    constant: float

    def predict_values(self, request: Request) -> tuple[SplitOutput, ...]:
        """Return what the model predicts where its machines are given the values.

        Raises
        ------
        SteppedAside
            For scores, which this model does not have; for more features than rows, where
            liblinear solves the dual; and where most labellings would have to be refitted.
        """
        X, values, plan, classes = request.X, request.values, request.plan, request.classes
        n, d = values.shape
        fewest = min(s.n_train for s in plan.splits)
        if request.scores or n != plan.n or d > _WIDEST or fewest < d:
            raise SteppedAside("scores, or more features than rows")
        Y = label_columns(request.Y, plan.n, len(classes))
        if self.constant:
            values = np.column_stack([values, np.full(n, self.constant)])
        outputs = [self._one_split(X, values, Y, split, classes) for split in plan.splits]
        if not request.check:
            return tuple(outputs)
        plain = plain_refit(self.model, X, Y[:, 0], plan.splits[0], classes=classes)
        if (plain.predicted[:, 0] != outputs[0].predicted[:, 0]).any():
            raise SteppedAside("a plain fit gives other answers")
        return tuple(outputs)

    def _one_split(
        self, X: Features, values: Floats, Y: Codes, split: Split, classes: Sequence[Label]
    ) -> SplitOutput:
        problem = MarginProblem(values[split.train], self.C)
        rows = values[split.test]
        lengths = np.sqrt(np.einsum("ij,ij->i", rows, rows))
        k = len(classes)
        positives = [1] if k == 2 else list(range(k))
        signs = [np.where(Y[split.train] == c, 1.0, -1.0) for c in positives]
        starts = [problem.starts(s) for s in signs]
        predicted = np.empty((len(rows), Y.shape[1]), dtype=np.intp)
        refits = 0
        for column in range(Y.shape[1]):
            answers = None
            if len(np.unique(Y[split.train, column])) == k:
                labels = [s[:, column] for s in signs]
                guesses = [w[:, column] for w in starts]
                answers = self._answers(problem, rows, lengths, labels, guesses)
            if answers is None:
                codes = Y[:, column]
                plain = plain_refit(self.model, X, codes, split, classes=classes)
                answers, refits = plain.predicted[:, 0], refits + 1
            predicted[:, column] = answers
            if column + 1 == _PROBED and 2 * refits > _PROBED:
                raise SteppedAside("liblinear's tolerance leaves most labellings in doubt")
        return SplitOutput(predicted, refits=refits)

    def _answers(
        self,
        problem: MarginProblem,
        rows: Floats,
        lengths: Floats,
        labels: list[Floats],
        guesses: list[Floats],
    ) -> Codes | None:
        values, doubt = np.empty((len(rows), len(labels))), np.empty((len(rows), len(labels)))
        for c, (y, guess) in enumerate(zip(labels, guesses, strict=True)):
            w = problem.solved(y, guess)
            if w is None or not problem.is_round(y, w):
                return None
            values[:, c] = rows @ w
            rounding = 1e-9 * lengths * (1 + np.abs(w).max())
            doubt[:, c] = problem.doubt(y, w, self.tol, rows) + rounding
        if len(labels) == 1:
            sure = (np.abs(values) > doubt).all()
            return (values[:, 0] > 0).astype(np.intp) if sure else None
        best = np.argsort(values, axis=1)[:, -2:]
        each = np.arange(len(rows))
        lead = values[each, best[:, 1]] - values[each, best[:, 0]]
        return best[:, 1] if (lead > 2 * doubt.max(axis=1)).all() else None


def linear_svc_shortcut(model: Any) -> LinearSvcShortcut | None:
    """Return the shortcut for a LinearSVC, None for options not named here.

    Examples
    --------
    >>> from sklearn.svm import LinearSVC
    >>> linear_svc_shortcut(LinearSVC()).constant
    1.0
    >>> linear_svc_shortcut(LinearSVC(loss="hinge")) is None
    True
    """
    options = model.get_params(deep=False)
    dual = options["dual"]
    plain = (
        options["penalty"] == "l2"
        and options["loss"] == "squared_hinge"
        and (dual is False or dual == "auto")
        and options["multi_class"] == "ovr"
        and options["class_weight"] is None
        and options["fit_intercept"] in (True, False)
        and _number(options["max_iter"], least=1000)
        and _number(options["C"])
        and _number(options["tol"])
        and _number(options["intercept_scaling"])
    )
    if not plain or options["verbose"]:
        return None
    constant = float(options["intercept_scaling"]) if options["fit_intercept"] else 0.0
    return LinearSvcShortcut(model, float(options["C"]), float(options["tol"]), constant)


def _number(value: Any, *, least: float = 1e-100) -> bool:
    return type(value) is not bool and isinstance(value, Real) and least <= float(value) < 1e100
