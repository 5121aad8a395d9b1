"""The shortcut for scikit-learn's SVC: libsvm's own steps over kernel values computed once."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from numbers import Real
from typing import Any

import numpy as np
from sklearn.utils.multiclass import _ovr_decision_function

from referee.core.arrays import Anything, Codes, Features, Floats, Label, Rows
from referee.core.plan import Plan, Split
from referee.core.shared_work import SplitOutput, SteppedAside, label_columns
from referee.learners.shortcuts.plain_refit import plain_refit, score_columns, side_by_side
from referee.learners.shortcuts.value_shortcut import Request, ValueShortcut
from referee.learners.svm.solvers.libsvm_steps import (
    MOST_STEPS,
    exponentials,
    inner_products,
    libsvm_kernel,
    libsvm_solve,
    libsvm_values,
    square_distances,
)

__all__ = ["SvcShortcut", "svc_shortcut"]

_LARGEST = 4096
"""Cases beyond which the matrix of inner products is not made."""

_FEWEST = 12
"""Fits from which on all inner products cost less than the rows that libsvm would compute."""

_DOUBT = 1e-12
"""Of the sum of absolute terms, up to 4096 of them: what sums in another order may differ by."""


@dataclass(frozen=True, eq=False)
class SvcShortcut(ValueShortcut):
    """A scikit-learn SVC with a Gaussian or linear kernel, and what its libsvm is asked to do.

    Coefficients and decision values come out as scikit-learn's to the last bit where libsvm was
    compiled without fused operations. One split is compared; were a machine to round otherwise,
    scores would be left to scikit-learn, and labellings where that might tip a case refitted.

    Attributes
    ----------
    model : SVC
        Never fitted itself.
    C, tol : float
    gamma : float, "scale", "auto" or None
        None for the linear kernel.
    shrinking, one_against_rest : bool
        The latter: whether scores are those of classes, and not of pairs of them.
    score_method : str
        The method of the model whose values are given as scores.
    """

    model: Any
    C: float
    tol: float
    gamma: float | str | None
    shrinking: bool
    one_against_rest: bool = True
    score_method: str = "decision_function"

    def predict_values(self, request: Request) -> tuple[SplitOutput, ...]:
        """Return what the model predicts where its kernel is given the values.

        Raises
        ------
        SteppedAside
            For more cases than fit in memory, for so few fits that sharing costs more than it
            saves, and for scores of pairs of classes.
        """
        values, plan, classes = request.values, request.plan, request.classes
        if len(values) > _LARGEST or len(values) != plan.n:
            raise SteppedAside("too many cases")
        if request.scores and len(classes) > 2 and not self.one_against_rest:
            raise SteppedAside("scores are those of pairs of classes")
        Y = label_columns(request.Y, plan.n, len(classes))
        if plan.fits * Y.shape[1] < _FEWEST:
            raise SteppedAside("too few fits to share work")
        kernels = _Kernels.of(values, linear=self.gamma is None)
        asked = _Asked(request.X, classes, request.scores)
        outputs = [self._one_split(values, Y, split, kernels, asked) for split in plan.splits]
        if request.check:
            self._compare_one(Y, plan, asked, outputs)
        return tuple(outputs)

    def _gamma(self, X: Floats) -> float:
        if self.gamma is None:
            return 0.0
        if not isinstance(self.gamma, str):
            return float(self.gamma)
        if self.gamma == "auto":
            return float(1.0 / X.shape[1])
        spread = X.var()
        return float(1.0 / (X.shape[1] * spread)) if spread != 0 else 1.0

    def _one_split(
        self, values: Floats, Y: Codes, split: Split, kernels: _Kernels, asked: _Asked
    ) -> SplitOutput:
        gamma = self._gamma(values[split.train])
        K, own = kernels.training(split.train, gamma)
        between = kernels.between(split.train, split.test, gamma)
        size = np.abs(between).max(axis=0, initial=0.0)
        outputs = []
        for codes in Y.T:
            decisions = self._decisions(codes[split.train], K, own, between, size)
            if decisions is None:
                outputs.append(asked.plainly(self.model, codes, split))
            else:
                outputs.append(asked.answered(np.unique(codes[split.train]), decisions))
        return side_by_side(outputs)

    def _decisions(
        self, codes: Codes, K: Anything, own: Floats, between: Floats, size: Floats
    ) -> Floats | None:
        """Return the values of all pairs of classes, None where scikit-learn has to decide."""
        present = np.unique(codes)
        pairs = list(combinations(present, 2))
        if not pairs:
            return None
        values = np.empty((len(pairs), between.shape[1]))
        for (a, b), value in zip(pairs, values, strict=True):
            first, second = np.flatnonzero(codes == a), np.flatnonzero(codes == b)
            order = np.concatenate([first, second])
            signs = np.ones(len(order))
            signs[len(first) :] = -1.0
            signed = np.empty(len(order))
            rho, steps = libsvm_solve(
                K, own, order, signs, self.C, self.tol, self.shrinking, signed
            )
            if steps >= MOST_STEPS:
                raise SteppedAside("libsvm's steps do not end soon")
            libsvm_values(between, order, signed, rho, value)
            doubt = _DOUBT * (1 + abs(rho) + size * np.abs(signed).sum())
            if not (np.abs(value) > doubt).all():
                return None
        return values.T

    def _compare_one(self, Y: Codes, plan: Plan, asked: _Asked, outputs: list[SplitOutput]) -> None:
        """Refuse to go on where a plain fit says otherwise: another libsvm, or another machine."""
        plain, ours = asked.plainly(self.model, Y[:, 0], plan.splits[0]), outputs[0]
        if (plain.predicted[:, 0] != ours.predicted[:, 0]).any():
            raise SteppedAside("a plain fit gives other answers")
        if plain.scores is None or ours.scores is None:
            return
        if not np.array_equal(plain.scores[:, 0], ours.scores[:, 0]):
            raise SteppedAside("a plain fit gives other scores")


@dataclass(frozen=True, eq=False)
class _Asked:
    """What is asked of every split: codes, and scores if they are wanted."""

    X: Features
    classes: Sequence[Label]
    scores: bool

    def plainly(self, model: Any, codes: Codes, split: Split) -> SplitOutput:
        """Leave a labelling to scikit-learn."""
        return plain_refit(
            model, self.X, codes, split,
            classes=self.classes, scores=self.scores, method="decision_function",
        )  # fmt: skip

    def answered(self, present: Codes, decisions: Floats) -> SplitOutput:
        """Turn values of pairs into votes and scores, as scikit-learn does."""
        k = len(present)
        votes = np.zeros((len(decisions), k), dtype=np.intp)
        for value, (a, b) in zip(decisions.T, combinations(range(k), 2), strict=True):
            votes[:, a] += value > 0
            votes[:, b] += value <= 0
        predicted = np.asarray(present[votes.argmax(axis=1)])[:, None]
        if not self.scores:
            return SplitOutput(predicted)
        # scikit-learn turns the sign of libsvm's values, in its own words of several classes.
        values = (
            -decisions[:, 0] if k == 2 else _ovr_decision_function(decisions < 0, -decisions, k)
        )
        columns = score_columns(values, present, len(self.classes), "decision_function")
        return SplitOutput(predicted, columns[:, None, :])


@dataclass(frozen=True, eq=False)
class _Kernels:
    """Kernel values from what is computed once; matrices are kept for a gamma that comes again."""

    products: Floats
    distances: Floats
    matrices: dict[float, tuple[Anything, Floats]]

    @classmethod
    def of(cls, X: Floats, *, linear: bool) -> _Kernels:
        products, distances = np.empty((len(X), len(X))), np.empty((0, 0))
        inner_products(X, products)
        if not linear:
            distances = np.empty_like(products)
            square_distances(X, distances)
        return cls(products, distances, {})

    def training(self, rows: Rows, gamma: float) -> tuple[Anything, Floats]:
        """Return the matrix of the training rows in single, its diagonal in double precision."""
        if gamma in self.matrices:
            K, own = self.matrices[gamma]
            return K[np.ix_(rows, rows)], own[rows]
        everyone = np.arange(len(self.products))
        # Gamma "scale" differs from split to split; other kernels serve all of them.
        chosen = everyone if not self.matrices else rows
        K, own = np.empty((len(chosen), len(chosen)), np.float32), np.empty(len(chosen))
        libsvm_kernel(self.products, chosen, gamma, K, own)
        if chosen is everyone:
            self.matrices[gamma] = K, own
            return K[np.ix_(rows, rows)], own[rows]
        return K, own

    def between(self, train: Rows, test: Rows, gamma: float) -> Floats:
        """Return the values of training with test rows in double precision."""
        at = np.ix_(train, test)
        if gamma == 0.0:
            return np.ascontiguousarray(self.products[at])
        values = np.empty((len(train), len(test)))
        exponentials(self.distances[at], gamma, values)
        return values


def svc_shortcut(model: Any) -> SvcShortcut | None:
    """Return the shortcut for an SVC, None for options not named here.

    Examples
    --------
    >>> from sklearn.svm import SVC
    >>> svc_shortcut(SVC()).gamma
    'scale'
    >>> svc_shortcut(SVC(kernel="poly")) is None
    True
    """
    options = model.get_params(deep=False)
    kernel, gamma = options["kernel"], options["gamma"]
    plain = (
        isinstance(kernel, str)
        and kernel in ("rbf", "linear")
        and options["class_weight"] is None
        and options["probability"] in (False, "deprecated")
        and options["break_ties"] is False
        and options["max_iter"] == -1
        and options["shrinking"] in (True, False)
        and _positive(options["C"])
        and _positive(options["tol"])
    )
    if not plain or not (gamma in ("scale", "auto") or _positive(gamma)):
        return None
    return SvcShortcut(
        model,
        float(options["C"]),
        float(options["tol"]),
        None if kernel == "linear" else gamma,
        bool(options["shrinking"]),
        options["decision_function_shape"] == "ovr",
    )


def _positive(value: Any) -> bool:
    return type(value) is not bool and isinstance(value, Real) and 0 < float(value) < 1e100
