"""The twin of scikit-learn's SVC: libsvm's own steps over kernel values computed once."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from numbers import Real
from typing import Any

import numpy as np

from referee.core.arrays import Anything, Codes, Features, Floats, Label, Rows
from referee.core.plan import Plan, Split
from referee.core.shared_work import SplitOutput, SteppedAside, label_columns
from referee.learners.plain_numbers import numbers_of
from referee.learners.plain_refit import plain_refit
from referee.learners.svm.libsvm_steps import inner_products, libsvm_kernel, libsvm_solve

__all__ = ["SvcTwin", "svc_twin"]

_LARGEST = 4096
"""Cases beyond which the matrix of inner products is not made."""

_FEWEST = 12
"""Fits from which on all inner products cost less than the rows that libsvm would compute."""

_DOUBT = 1e-9
"""Of the sum of absolute terms: values smaller than this may have another sign in libsvm."""


@dataclass(frozen=True, eq=False)
class SvcTwin:
    """A scikit-learn SVC with a Gaussian or linear kernel, and what its libsvm is asked to do.

    Coefficients come out as scikit-learn's to the last bit; only the sum over support vectors at
    a test case may be rounded otherwise, and a column where that might tip a case is refitted.

    Attributes
    ----------
    model : SVC
        Never fitted itself.
    C, tol : float
    gamma : float, "scale", "auto" or None
        None for the linear kernel.
    shrinking : bool
    """

    model: Any
    C: float
    tol: float
    gamma: float | str | None
    shrinking: bool

    def predict_plan(
        self,
        X: Features,
        Y: Codes,
        plan: Plan,
        *,
        classes: Sequence[Label],
        scores: bool = False,
    ) -> tuple[SplitOutput, ...]:
        """Return what the model predicts in every split; see `SharedWork`.

        Raises
        ------
        SteppedAside
            For scores, which this model does not have, for more cases than fit in memory, and
            for so few fits that sharing costs more than it saves.
        """
        values = numbers_of(X)
        if scores or len(values) > _LARGEST or len(values) != plan.n:
            raise SteppedAside("scores, or too many cases")
        Y = label_columns(Y, plan.n, len(classes))
        if plan.fits * Y.shape[1] < _FEWEST:
            raise SteppedAside("too few fits to share work")
        products = np.empty((plan.n, plan.n))
        inner_products(values, products)
        kernels = _Kernels(products, {})
        outputs = [self._one_split(X, values, Y, split, kernels, classes) for split in plan.splits]
        self._compare_one(X, Y, plan, classes, outputs)
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
        self,
        X: Features,
        values: Floats,
        Y: Codes,
        split: Split,
        kernels: _Kernels,
        classes: Sequence[Label],
    ) -> SplitOutput:
        gamma = self._gamma(values[split.train])
        K, own = kernels.training(split.train, gamma)
        between = kernels.between(split.test, split.train, gamma)
        size = np.abs(between)
        predicted = np.empty((len(split.test), Y.shape[1]), dtype=np.intp)
        refits = 0
        for column, codes in enumerate(Y.T):
            answers = self._answers(codes[split.train], K, own, between, size)
            if answers is None:
                plain = plain_refit(self.model, X, codes, split, classes=classes)
                answers, refits = plain.predicted[:, 0], refits + 1
            predicted[:, column] = answers
        return SplitOutput(predicted, refits=refits)

    def _answers(
        self, codes: Codes, K: Anything, own: Floats, between: Floats, size: Floats
    ) -> Codes | None:
        """Return the codes of the test cases by votes, None where scikit-learn has to decide."""
        present = np.unique(codes)
        if len(present) < 2:
            return None
        votes = np.zeros((len(between), len(present)), dtype=np.intp)
        for a, b in combinations(range(len(present)), 2):
            first = np.flatnonzero(codes == present[a])
            second = np.flatnonzero(codes == present[b])
            order = np.concatenate([first, second])
            signs = np.ones(len(order))
            signs[len(first) :] = -1.0
            signed = np.empty(len(order))
            rho, _ = libsvm_solve(K, own, order, signs, self.C, self.tol, self.shrinking, signed)
            spread = np.zeros(len(codes))
            spread[order] = signed
            value = between @ spread - rho
            doubt = _DOUBT * (1 + abs(rho) + size @ np.abs(spread))
            if not (np.abs(value) > doubt).all():
                return None
            votes[:, a] += value > 0
            votes[:, b] += value <= 0
        return np.asarray(present[votes.argmax(axis=1)])

    def _compare_one(
        self,
        X: Features,
        Y: Codes,
        plan: Plan,
        classes: Sequence[Label],
        outputs: list[SplitOutput],
    ) -> None:
        """Refuse to go on where a plain fit says otherwise: another libsvm, or another machine."""
        plain = plain_refit(self.model, X, Y[:, 0], plan.splits[0], classes=classes)
        if (plain.predicted[:, 0] != outputs[0].predicted[:, 0]).any():
            raise SteppedAside("a plain fit gives other answers")


@dataclass(frozen=True, eq=False)
class _Kernels:
    """Kernel values from inner products; whole matrices are kept for a gamma that comes again."""

    products: Floats
    made: dict[float, tuple[Anything, Floats]]

    def training(self, rows: Rows, gamma: float) -> tuple[Anything, Floats]:
        """Return the matrix of the training rows in single, its diagonal in double precision."""
        if gamma in self.made:
            K, own = self.made[gamma]
            return K[np.ix_(rows, rows)], own[rows]
        everyone = np.arange(len(self.products))
        # Gamma "scale" differs from split to split; other kernels serve all of them.
        chosen = everyone if not self.made else rows
        K, own = np.empty((len(chosen), len(chosen)), np.float32), np.empty(len(chosen))
        libsvm_kernel(self.products, chosen, gamma, K, own)
        if chosen is everyone:
            self.made[gamma] = K, own
            return K[np.ix_(rows, rows)], own[rows]
        return K, own

    def between(self, test: Rows, train: Rows, gamma: float) -> Floats:
        """Return the values of test with training rows in double precision."""
        values = self.products[np.ix_(test, train)]
        if gamma == 0.0:
            return values
        own = np.diagonal(self.products)
        return np.asarray(np.exp(-gamma * (own[test][:, None] + own[train] - 2 * values)))


def svc_twin(model: Any) -> SvcTwin | None:
    """Return the twin of an SVC, None for options not named here.

    Examples
    --------
    >>> from sklearn.svm import SVC
    >>> svc_twin(SVC()).gamma
    'scale'
    >>> svc_twin(SVC(kernel="poly")) is None
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
    return SvcTwin(
        model,
        float(options["C"]),
        float(options["tol"]),
        None if kernel == "linear" else gamma,
        bool(options["shrinking"]),
    )


def _positive(value: Any) -> bool:
    return type(value) is not bool and isinstance(value, Real) and 0 < float(value) < 1e100
