"""SVM: the support vector machine with any kernel, for two or more classes."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from scipy import sparse
from sklearn.base import BaseEstimator, ClassifierMixin, clone
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils.metaestimators import available_if
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import check_is_fitted, validate_data

from referee.core.arrays import Anything, Codes, Features, Floats, Label, Rows
from referee.core.plan import Plan
from referee.core.shared_work import SplitOutput
from referee.errors import InputError, nearest
from referee.kernels import (
    CATALOGUE,
    ChiSquared,
    ExpChiSquared,
    FeatureMap,
    FromFunction,
    HistogramIntersection,
    Kernel,
)
from referee.kernels.algebra import of_matrix, parts, takes_matrix
from referee.kernels.given import check_matrix
from referee.learners.svm.cases import Cases, cases_of
from referee.learners.svm.indefinite import warn_if_indefinite
from referee.learners.svm.multiclass import combined, tasks_of, train_all
from referee.learners.svm.solution import Solution
from referee.learners.svm.threads import one_thread
from referee.learners.svm.training import SOLVERS, Settings
from referee.learners.svm.weights import bounds_of, check_count, check_positive, seed_of, shown

__all__ = ["SVM"]

_ALIASES = {"rbf": "gaussian", "poly": "polynomial"}
_FOLDS = 5
_HISTOGRAM_KERNELS = (HistogramIntersection, ChiSquared, ExpChiSquared)


class SVM(ClassifierMixin, BaseEstimator):  # type: ignore[misc]
    r"""A support vector machine.

    Answers with the sign of f(x) = sum_i alpha_i y_i k(x_i, x) + b, where alpha solves

    .. math:: \max_\alpha \sum_i \alpha_i - \tfrac12 \sum_{i,j}
       \alpha_i \alpha_j y_i y_j k(x_i, x_j), \quad 0 \le \alpha_i \le C_i,
       \quad \sum_i \alpha_i y_i = 0,

    the last only where there is a bias; C_i is C times the weights of the case and its class.

    Parameters
    ----------
    kernel : Kernel or str
        A kernel of `referee.kernels`, or a name: "gaussian" (or "rbf"), "linear",
        "polynomial" (or "poly"), "laplacian", "intersection", "chi2", "exp-chi2", "precomputed".
    C : float
        What a violation of the margin costs.
    bias : bool
        Whether there is a b. Solver "scda" takes k + 1 for the kernel instead, which penalises b.
    solver : {"auto", "working-set", "smo", "scda"}
        "auto" is "working-set". Without a bias all reach the same optimum; with one, "scda"
        solves another problem (see `bias`).
    class_weight : dict or "balanced", optional
        As in scikit-learn.
    probability : bool
        Whether to fit `predict_proba`, by scikit-learn's CalibratedClassifierCV (sigmoid, 5
        folds): five more fits.
    tol : float
        The violation of the optimality conditions at which to stop.
    cache_mb : float
        Megabytes for kernel rows. An n x n matrix is never made unless it fits.
    max_iter : int
        Steps after which to stop, with a warning that states the gap.
    multiclass : {"ovo", "ovr"}
        Pairs of classes, or each class against all others.
    record : bool
        Whether solutions keep a trace of objective and gap.
    random_state : int, Generator or None
        Of solver "scda"; others have nothing random. None stands for 0, so that the same data
        give the same machine.

    Attributes
    ----------
    classes_ : array of shape (k,)
        The labels, sorted.
    support_ : array of int
        The training cases with a coefficient in some problem.
    support_vectors_ : array
        Those cases (for a precomputed kernel, their rows of the matrix).
    dual_coef_ : array of shape (problems, n_support)
        alpha_i y_i; the problems are one (two classes), all pairs of classes (0, 1), (0, 2), ... or
        all classes. y is 1 for the second class, or for the one against the rest.
    intercept_ : array of shape (problems,)
    kernel_ : Kernel
        With parameters that depend on the data filled in.
    solutions_ : tuple of Solution
        Of each problem, with objective, gap, violation and more.

    Notes
    -----
    Up to 2048 cases, kernel values are computed in double and kept in single precision; beyond,
    rows are computed in single precision. The slopes are kept in double. Once solved, slopes are
    computed anew in double for a sample of cases; where they are off by more than a tenth of
    `tol`, the problem is solved on with rows in double precision.

    References
    ----------
    .. [1] B. Boser, I. Guyon, V. Vapnik (1992). A training algorithm for optimal margin
       classifiers. COLT.
    .. [2] E. Osuna, R. Freund, F. Girosi (1997). An improved training algorithm for support vector
       machines. NNSP.

    Examples
    --------
    >>> X = np.array([[0.0, 0.0], [1.0, 1.0], [1.0, 0.0], [0.0, 1.0]])
    >>> model = SVM("gaussian", C=10.0).fit(X, ["same", "same", "other", "other"])
    >>> model.predict([[0.1, 0.1], [0.9, 0.1]]).tolist()
    ['same', 'other']
    >>> model.solutions_[0].converged
    True
    """

    def __init__(
        self,
        kernel: Kernel | str = "gaussian",
        C: float = 1.0,
        *,
        bias: bool = True,
        solver: str = "auto",
        class_weight: Any = None,
        probability: bool = False,
        tol: float = 1e-3,
        cache_mb: float = 200.0,
        max_iter: int = 10_000_000,
        multiclass: str = "ovo",
        record: bool = False,
        random_state: Any = None,
    ) -> None:
        self.kernel = kernel
        self.C = C
        self.bias = bias
        self.solver = solver
        self.class_weight = class_weight
        self.probability = probability
        self.tol = tol
        self.cache_mb = cache_mb
        self.max_iter = max_iter
        self.multiclass = multiclass
        self.record = record
        self.random_state = random_state

    def fit(self, X: Features, y: Any, sample_weight: Any = None) -> SVM:
        """Solve the problem of each task.

        Raises
        ------
        InputError
            For C or weights that are not positive, one class, values that are not finite,
            histograms with negative values, a precomputed matrix that is not symmetric.
        """
        kernel, settings = self._kernel(), self._settings()
        X, y = self._validated(X, y, kernel)
        if (
            y.ndim > 1 or y.dtype.kind not in "biuUS"
        ):  # those are always classes, and looking takes a while
            check_classification_targets(y)
        self.classes_, codes = np.unique(y, return_inverse=True)
        k = len(self.classes_)
        if k < 2:
            raise InputError(
                f"holds one class only ({shown(self.classes_[0])}); SVM needs at least two classes",
                argument="y",
            )
        bounds = bounds_of(self.C, self.class_weight, sample_weight, y, self.classes_, codes, X)
        kept = np.flatnonzero(bounds > 0)
        part = self._some(X, kept, kernel)
        self.kernel_ = kernel.resolved(part)
        cases = self._cases(part)
        self.witness_ = warn_if_indefinite(self.kernel_, cases, kept)
        tasks = tasks_of(codes[kept], k, self.multiclass)
        with one_thread(len(kept)):
            self.solutions_ = tuple(train_all(cases, tasks, bounds[kept], settings))
        self.keep(X, [replace(task, rows=kept[task.rows]) for task in tasks])
        self._warn_unless_converged()
        if self.probability:
            self._calibrate(part, y, sample_weight, codes, kept)
        return self

    def decision_function(self, X: Features) -> Floats:
        """Return f(x); with several classes a column for each (pairs of classes won, in "ovo")."""
        check_is_fitted(self)
        values = self.task_values(self._validated_new(X))
        return combined(values, len(self.classes_), self.multiclass)

    def predict(self, X: Features) -> Anything:
        """Return the label of the largest value."""
        values = self.decision_function(X)
        best = (values > 0).astype(np.intp) if values.ndim == 1 else values.argmax(axis=1)
        return np.asarray(self.classes_[best])

    def _has_probabilities(self) -> bool:
        if not self.probability:
            raise AttributeError("predict_proba needs SVM(probability=True)")
        return True

    @available_if(_has_probabilities)  # type: ignore[untyped-decorator]
    def predict_proba(self, X: Features) -> Floats:
        """Return calibrated probabilities, a column for each class."""
        check_is_fitted(self)
        if takes_matrix(self.kernel_):
            X = self._validated_new(X)[:, self._calibrated_on]
        return np.asarray(self.calibrated_.predict_proba(X))

    def task_values(self, X: Features) -> Floats:
        """Return the value of every task, a column each, of features that were checked."""
        n = len(X)
        step = max(1, int(self.cache_mb * 2**17 / max(1, len(self.support_))))
        values = np.empty((n, len(self.intercept_)))
        kernel_values = self._kernel_values()
        with one_thread(max(n, len(self.support_))):
            for start in range(0, n, step):
                some = slice(start, start + step)
                values[some] = kernel_values(X[some]) @ self.dual_coef_.T
        return np.asarray(values + self.intercept_)

    @property
    def score_method(self) -> str:
        """The method whose values shared work gives as scores; see `SharedWork`."""
        return "predict_proba" if self.probability else "decision_function"

    def predict_plan(
        self,
        X: Features,
        Y: Codes,
        plan: Plan,
        *,
        classes: Sequence[Label],
        scores: bool = False,
    ) -> tuple[SplitOutput, ...]:
        """Return what is predicted in every split, for every column of labels; see `SharedWork`.

        One kernel matrix serves all splits and columns. Each problem is solved from the same
        numbers by the same steps as a plain fit, so that answers and scores are the same; see
        `referee.learners.svm.plan`.
        """
        from referee.learners.svm.plan import predict_svm_plan

        return predict_svm_plan(self, X, Y, plan, classes=classes, scores=scores)

    def _kernel(self) -> Kernel:
        if isinstance(self.kernel, Kernel):
            return self.kernel
        given: Any = self.kernel
        if isinstance(given, type):
            called = given.__name__
            raise InputError(
                "must be an instance",
                argument="kernel",
                value="the class",
                remedy=f"write {called}()",
            )
        if callable(self.kernel):
            called = getattr(self.kernel, "__name__", "f")
            raise InputError(
                "must be a Kernel or a name",
                argument="kernel",
                value=f"the function {called}",
                remedy=f"wrap a function of two points as kernels.FromFunction({called})",
            )
        name = _ALIASES.get(self.kernel, self.kernel) if isinstance(self.kernel, str) else None
        if name not in CATALOGUE:
            names = [*CATALOGUE, *_ALIASES]
            raise InputError(
                "must be a Kernel or a name",
                argument="kernel",
                value=repr(self.kernel),
                remedy=nearest(str(self.kernel), names),
            )
        return CATALOGUE[name]()

    def _settings(self) -> Settings:
        for name in ("C", "tol", "cache_mb"):
            check_positive(getattr(self, name), name)
        check_count(self.max_iter, "max_iter")
        if self.multiclass not in ("ovo", "ovr"):
            raise InputError(
                "must be 'ovo' or 'ovr'", argument="multiclass", value=repr(self.multiclass)
            )
        if self.solver != "auto" and self.solver not in SOLVERS:
            raise InputError(
                "must be 'auto' or a known one",
                argument="solver",
                value=repr(self.solver),
                remedy=nearest(str(self.solver), SOLVERS),
            )
        solver = "working-set" if self.solver == "auto" else self.solver
        return Settings(
            solver=solver,
            bias=bool(self.bias) and solver != "scda",
            tol=float(self.tol),
            max_iter=int(self.max_iter),
            cache_mb=float(self.cache_mb),
            record=bool(self.record),
            seed=seed_of(self.random_state) if solver == "scda" else 0,
        )

    @property
    def _lifted(self) -> bool:
        """Whether the bias comes from k + 1."""
        return bool(self.bias) and self.solver == "scda"

    def _cases(self, X: Features) -> Cases:
        if not self._lifted:
            return cases_of(self.kernel_, X)
        return cases_of(self.kernel_ + 1.0, X)

    @staticmethod
    def _some(X: Features, rows: Rows, kernel: Kernel) -> Any:
        """Return some of the training cases; those of weight 0 have no part in anything."""
        if len(rows) == len(X):
            return X
        return X[np.ix_(rows, rows)] if takes_matrix(kernel) else X[rows]

    def _validated(self, X: Features, y: Any, kernel: Kernel) -> tuple[Any, Any]:
        if _takes_anything(kernel, X):
            labels = np.asarray(y)
            if len(labels) != len(X):
                raise InputError(
                    f"has {len(X)} points but y has {len(labels)} labels", argument="X"
                )
            return _points(X), labels
        _refuse_sparse(X)
        X, y = validate_data(self, X, y, dtype=np.float64, order="C")
        if takes_matrix(kernel):
            check_matrix(X)
        return X, y

    def _validated_new(self, X: Features) -> Any:
        if _takes_anything(self.kernel_, X):
            return _points(X)
        _refuse_sparse(X)
        return validate_data(self, X, reset=False, dtype=np.float64, order="C")

    def keep(self, X: Features, tasks: list[Any]) -> None:
        """Keep what the rule needs of the solutions: for `fit` and shared work."""
        coefficients = np.zeros((len(tasks), len(X)))
        for row, task, solution in zip(coefficients, tasks, self.solutions_, strict=True):
            row[task.rows] = solution.signed
        self.support_ = np.flatnonzero(coefficients.any(axis=0))
        # As in scikit-learn, none where features are kernel values.
        self.support_vectors_ = X[:0] if takes_matrix(self.kernel_) else X[self.support_]
        self.dual_coef_ = coefficients[:, self.support_]
        self.intercept_ = np.array([s.intercept for s in self.solutions_])
        if self._lifted:
            self.intercept_ = self.dual_coef_.sum(axis=1)
        self.n_iter_ = np.array([s.iterations for s in self.solutions_])

    def _kernel_values(self) -> Callable[[Features], Floats]:
        """Return what gives the kernel values of new points with the support vectors."""
        if takes_matrix(self.kernel_):
            return lambda X: of_matrix(self.kernel_, X[:, self.support_])
        if not len(self.support_):
            return lambda X: np.zeros((len(X), 0))
        # The support vectors are laid out, so that no new point tells on the values of others.
        prepared = self.kernel_.prepare(self.support_vectors_)
        return lambda X: prepared.against(X, "X")

    def _warn_unless_converged(self) -> None:
        failed: list[Solution] = [s for s in self.solutions_ if not s.converged]
        if failed:
            worst = max(failed, key=lambda s: s.violation)
            warnings.warn(
                f"stopped after {worst.iterations} steps with a violation of {worst.violation:.2g} "
                f"(tol is {self.tol:g}) and a duality gap of {worst.gap:.3g} at an objective of "
                f"{worst.objective:.6g}; raise max_iter or tol, lower C, or scale "
                "features that are not scaled",
                ConvergenceWarning,
                stacklevel=3,
            )

    def _calibrate(
        self, part: Any, y: Anything, sample_weight: Any, codes: Codes, kept: Rows
    ) -> None:
        """Calibrate on the cases of positive weight; the features are theirs already."""
        from sklearn.calibration import CalibratedClassifierCV

        fewest = int(np.bincount(codes[kept]).min())
        if fewest < 2:
            raise InputError(
                "probability=True needs at least two cases of every class, of positive weight, "
                "for its folds",
                value=f"{fewest} of one",
            )
        plain = clone(self).set_params(probability=False)
        folds = min(_FOLDS, fewest)
        weights = None if sample_weight is None else np.asarray(sample_weight)[kept]
        self.calibrated_ = CalibratedClassifierCV(plain, cv=folds, ensemble=False)
        self.calibrated_.fit(part, y[kept], weights)
        self._calibrated_on = kept

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        given = isinstance(self.kernel, Kernel) and takes_matrix(self.kernel)
        tags.input_tags.pairwise = given or self.kernel == "precomputed"
        tags.input_tags.positive_only = _of_histograms(self.kernel)
        return tags


def _of_histograms(kernel: Any) -> bool:
    """Tell whether a kernel, or what a name stands for, takes no negative numbers."""
    name = _ALIASES.get(kernel, kernel) if isinstance(kernel, str) else None
    known = CATALOGUE[name]() if name in CATALOGUE else kernel
    kernels = parts(known) if isinstance(known, Kernel) else ()
    return any(isinstance(part, _HISTOGRAM_KERNELS) for part in kernels)


def _refuse_sparse(X: Features) -> None:
    if sparse.issparse(X):
        raise InputError(
            "is sparse data, which SVM does not take",
            argument="X",
            remedy="use LinearSVM for a linear rule, or X.toarray() if it fits in memory",
        )


def _takes_anything(kernel: Kernel, X: Features) -> bool:
    """Tell whether points are left to the user's function: texts, for example."""
    if not all(isinstance(part, FeatureMap | FromFunction) for part in parts(kernel)):
        return False
    table = np.asarray(X) if hasattr(X, "__array__") else None
    return not (table is not None and table.ndim == 2 and table.dtype.kind in "fiub")


def _points(X: Features) -> Anything:
    """Return the points, which are the rows of a table: a frame by itself yields its columns."""
    rows = np.asarray(X) if hasattr(X, "__array__") else X
    points = np.empty(len(rows), dtype=object)
    for i, x in enumerate(rows):
        points[i] = x
    return points
