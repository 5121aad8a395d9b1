"""LinearSVM: the linear support vector machine, for many rows, dense or sparse."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from typing import Any

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import check_is_fitted, validate_data

from referee.core.arrays import Anything, Codes, Features, Floats, Label
from referee.core.plan import Plan
from referee.core.shared_work import SplitOutput, label_columns
from referee.errors import InputError
from referee.learners.shortcuts.plain_refit import plain_plan
from referee.learners.svm.solvers.scda_linear import LinearProblem, solve_linear
from referee.learners.svm.weights import bounds_of, check_count, check_positive, seed_of, shown

__all__ = ["LinearSVM"]


class LinearSVM(ClassifierMixin, BaseEstimator):  # type: ignore[misc]
    r"""A linear support vector machine, trained by dual coordinate ascent.

    Answers with the sign of <w, x> + b, where (w, b) solves

    .. math:: \min_{w, b} \tfrac12 (|w|^2 + b^2) + \sum_i C_i \max(0, 1 - y_i (\langle w, x_i
       \rangle + b))^p,

    with p = 1 or 2; C_i is C times the weights of the case and its class. As in liblinear the
    intercept is the weight of a constant feature 1 and is penalised; without it, b = 0. Several
    classes are told apart one against the rest.

    Parameters
    ----------
    C : float
        What a violation of the margin costs.
    loss : {"hinge", "squared_hinge"}
        p = 1 or 2.
    bias : bool
        Whether there is a b.
    class_weight : dict or "balanced", optional
        As in scikit-learn.
    tol : float
        The spread of projected slopes at which to stop, as in liblinear; the violation of the
        optimality conditions is no larger then.
    max_iter : int
        Epochs after which to stop, with a warning that states the gap.
    record : bool
        Whether solutions keep a trace of objective and gap.
    random_state : int, Generator or None
        Of the orders in which coefficients are visited. None stands for 0, so that the same data
        give the same machine.

    Attributes
    ----------
    classes_ : array of shape (k,)
        The labels, sorted.
    coef_ : array of shape (1 or k, d)
    intercept_ : array of shape (1 or k,)
    support_ : array of int
        The training cases with a coefficient in some problem.
    dual_coef_ : array of shape (1 or k, n_support)
        alpha_i y_i.
    solutions_ : tuple of Solution
        Of each problem, with objective, gap, violation and more.
    n_iter_ : int
        Epochs of the problem that took most.

    References
    ----------
    .. [1] C.-J. Hsieh, K.-W. Chang, C.-J. Lin, S. S. Keerthi, S. Sundararajan (2008). A dual
       coordinate descent method for large-scale linear SVM. ICML.

    Examples
    --------
    >>> X = np.array([[-2.0], [-1.0], [1.0], [3.0]])
    >>> model = LinearSVM(C=10.0).fit(X, ["left", "left", "right", "right"])
    >>> model.coef_.round(3).tolist(), model.predict([[0.5]]).tolist()
    ([[1.0]], ['right'])
    """

    def __init__(
        self,
        C: float = 1.0,
        *,
        loss: str = "hinge",
        bias: bool = True,
        class_weight: Any = None,
        tol: float = 1e-4,
        max_iter: int = 1000,
        record: bool = False,
        random_state: Any = None,
    ) -> None:
        self.C = C
        self.loss = loss
        self.bias = bias
        self.class_weight = class_weight
        self.tol = tol
        self.max_iter = max_iter
        self.record = record
        self.random_state = random_state

    def fit(self, X: Features, y: Any, sample_weight: Any = None) -> LinearSVM:
        """Solve the problem, or that of each class against the rest.

        Raises
        ------
        InputError
            For C or weights that are not positive, or one class.
        """
        self._check_options()
        X, y = validate_data(self, X, y, dtype=np.float64, order="C", accept_sparse="csr")
        check_classification_targets(y)
        self.classes_, codes = np.unique(y, return_inverse=True)
        k = len(self.classes_)
        if k < 2:
            raise InputError(
                f"holds one class only ({shown(self.classes_[0])}); LinearSVM needs at least two "
                "classes",
                argument="y",
            )
        bounds = bounds_of(self.C, self.class_weight, sample_weight, y, self.classes_, codes, X)
        seed = seed_of(self.random_state)
        kept = np.flatnonzero(bounds > 0)
        positives = [1] if k == 2 else list(range(k))
        solved = [
            solve_linear(
                LinearProblem(
                    X if len(kept) == len(codes) else X[kept],
                    np.where(codes[kept] == c, 1.0, -1.0),
                    bounds[kept],
                    squared=self.loss == "squared_hinge",
                    constant=1.0 if self.bias else 0.0,
                ),
                tol=float(self.tol),
                max_iter=int(self.max_iter),
                record=bool(self.record),
                random_state=seed,
            )
            for c in positives
        ]
        self._keep(solved, kept, len(codes))
        return self

    def decision_function(self, X: Features) -> Floats:
        """Return <w, x> + b; with several classes a column for each."""
        check_is_fitted(self)
        X = validate_data(self, X, reset=False, dtype=np.float64, accept_sparse="csr")
        values = np.asarray(X @ self.coef_.T + self.intercept_)
        return values[:, 0] if values.shape[1] == 1 else values

    def predict(self, X: Features) -> Anything:
        """Return the label of the largest value."""
        values = self.decision_function(X)
        best = (values > 0).astype(np.intp) if values.ndim == 1 else values.argmax(axis=1)
        return np.asarray(self.classes_[best])

    def predict_plan(
        self,
        X: Features,
        Y: Codes,
        plan: Plan,
        *,
        classes: Sequence[Label],
        scores: bool = False,
    ) -> tuple[SplitOutput, ...]:
        """Return what is predicted in every split, by plain fits; see `SharedWork`.

        A machine that stops at a tolerance depends on the order of its steps. Starting elsewhere
        would save time and might change answers, which shared work promises not to do.
        """
        Y = label_columns(Y, plan.n, len(classes))
        return plain_plan(self, X, Y, plan, classes=classes, scores=scores)

    def _check_options(self) -> None:
        if self.loss not in ("hinge", "squared_hinge"):
            raise InputError(
                "must be 'hinge' or 'squared_hinge'", argument="loss", value=repr(self.loss)
            )
        check_positive(self.C, "C")
        check_positive(self.tol, "tol")
        check_count(self.max_iter, "max_iter")

    def _keep(self, solved: list[Any], kept: Any, n: int) -> None:
        self.solutions_ = tuple(s for s, _ in solved)
        weights = np.stack([w for _, w in solved])
        self.coef_ = weights[:, :-1]
        self.intercept_ = np.array([s.intercept for s in self.solutions_])
        coefficients = np.zeros((len(solved), n))
        coefficients[:, kept] = [s.signed for s in self.solutions_]
        self.support_ = np.flatnonzero(coefficients.any(axis=0))
        self.dual_coef_ = coefficients[:, self.support_]
        self.n_iter_ = max(s.epochs for s in self.solutions_)
        failed = [s for s in self.solutions_ if not s.converged]
        if failed:
            worst = max(failed, key=lambda s: s.gap)
            warnings.warn(
                f"stopped after {self.max_iter} epochs with a violation of {worst.violation:.2g} "
                f"(tol is {self.tol:g}) and a duality gap of {worst.gap:.3g} at an objective of "
                f"{worst.objective:.6g}; raise max_iter or tol, lower C, or scale "
                "features that are not scaled",
                ConvergenceWarning,
                stacklevel=3,
            )

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        return tags
