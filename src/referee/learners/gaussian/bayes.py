"""GaussianBayes: the plug-in rule of normal classes, quadratic, linear or diagonal."""

from __future__ import annotations

from collections.abc import Sequence
from numbers import Real
from typing import Any

import numpy as np
from scipy.linalg import solve_triangular
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.covariance import ledoit_wolf
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import check_is_fitted, validate_data

from referee.core.arrays import Anything, Codes, Features, Floats, Label
from referee.core.plan import Plan
from referee.core.shared_work import SplitOutput, SteppedAside, label_columns
from referee.errors import InputError
from referee.learners.gaussian.plan import predict_gaussian_plan
from referee.learners.gaussian.rule import GaussianRule
from referee.learners.plain_numbers import numbers_of
from referee.learners.shortcuts.plain_refit import plain_plan

__all__ = ["GaussianBayes"]

_COVARIANCES = ("full", "shared", "diagonal")

_SINGULAR = 1e-12
"""A feature with less than this share of its variance left, given the others, is redundant."""


class GaussianBayes(ClassifierMixin, BaseEstimator):  # type: ignore[misc]
    """Bayes rule with estimated normal densities of the classes.

    Answers with the class of the largest log prior + log density. The estimates are those of
    maximum likelihood: with S_k the scatter of the n_k training rows of class k about their mean,

    - ``covariance="full"``: S_k / n_k, a quadratic rule;
    - ``covariance="shared"``: the sum of all S_k, divided by n, a linear rule;
    - ``covariance="diagonal"``: the diagonal of S_k / n_k, naive Bayes.

    Parameters
    ----------
    covariance : {"full", "shared", "diagonal"}
        Which covariances are estimated.
    shrinkage : float or "auto"
        0 by default. C becomes (1 - shrinkage) C + shrinkage (tr C / d) I; the diagonal of that for
        ``"diagonal"``. The result depends on the units of the features: standardise them first if
        they differ. "auto" shrinks the covariance of each class, of standardised features, as
        Ledoit and Wolf do; the shared one is their mean, weighted by the sizes of the classes.
    priors : array-like of shape (k,), optional
        In the order of the sorted classes; by default the shares of the training rows.

    Attributes
    ----------
    classes_ : array of shape (k,)
        The labels, sorted.
    means_ : array of shape (k, d)
        The class means.
    covariances_ : array of shape (k, d, d), (d, d) or (k, d)
        As estimated: full, shared or diagonal.
    priors_ : array of shape (k,)
        The priors that were used.

    Notes
    -----
    Predictions are those of scikit-learn 1.9's QuadraticDiscriminantAnalysis for "full",
    LinearDiscriminantAnalysis for "shared" and GaussianNB(var_smoothing=0) for "diagonal", apart
    from these differences. QuadraticDiscriminantAnalysis refuses covariances with an eigenvalue of
    less than 1e-4, whatever the units, LinearDiscriminantAnalysis drops directions without
    spread, GaussianNB adds 1e-9 of the largest variance; here a covariance is refused where it is
    singular in any units. With priors, the solvers lsqr and eigen of LinearDiscriminantAnalysis
    weight the shared covariance by them; here and in its solver svd the rows weigh the same.

    References
    ----------
    .. [1] O. Ledoit, M. Wolf (2004). A well-conditioned estimator for large-dimensional covariance
       matrices. Journal of Multivariate Analysis 88, 365-411.

    Examples
    --------
    >>> X = np.array([[0.0], [2.0], [8.0], [12.0]])
    >>> model = GaussianBayes().fit(X, ["a", "a", "b", "b"])
    >>> model.means_.ravel().tolist(), model.covariances_.ravel().tolist()
    ([1.0, 10.0], [1.0, 4.0])
    >>> model.predict([[3.0], [6.0]]).tolist()
    ['a', 'b']
    """

    def __init__(
        self,
        covariance: str = "full",
        *,
        shrinkage: float | str = 0.0,
        priors: Any = None,
    ) -> None:
        self.covariance = covariance
        self.shrinkage = shrinkage
        self.priors = priors

    def fit(self, X: Features, y: Any) -> GaussianBayes:
        """Estimate priors, means and covariances.

        Raises
        ------
        InputError
            Where a covariance is singular, naming the class, its number of cases and the remedy.
        """
        self._check_options()
        X, y = validate_data(self, X, y, dtype=np.float64)
        check_classification_targets(y)
        self.classes_, codes = np.unique(y, return_inverse=True)
        k = len(self.classes_)
        if k < 2:
            raise InputError(
                f"holds one class only ({self.classes_[0]!r}); GaussianBayes needs at least two",
                argument="y",
            )
        counts = np.bincount(codes)
        self.priors_ = counts / len(y) if self.priors is None else _checked_priors(self.priors, k)
        rows = [X[codes == c] for c in range(k)]
        self.means_ = np.stack([r.mean(axis=0) for r in rows])
        self.covariances_ = self._covariances(rows)
        self._factors, self._log_dets = self._factorised(counts)
        return self

    def decision_function(self, X: Features) -> Floats:
        """Return log prior + log density, up to a constant; of two classes second minus first."""
        g = self._discriminants(X)
        return g[:, 1] - g[:, 0] if g.shape[1] == 2 else g

    def predict(self, X: Features) -> Anything:
        """Return the label of the largest discriminant."""
        best = self._discriminants(X).argmax(axis=1)
        return np.asarray(self.classes_[best])

    def predict_log_proba(self, X: Features) -> Floats:
        """Return log posterior probabilities, a column for each class."""
        g = self._discriminants(X)
        g -= g.max(axis=1, keepdims=True)
        return np.asarray(g - np.log(np.exp(g).sum(axis=1, keepdims=True)))

    def predict_proba(self, X: Features) -> Floats:
        """Return posterior probabilities, a column for each class."""
        return np.asarray(np.exp(self.predict_log_proba(X)))

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

        Folds come from sums over all rows minus those of the fold, leave-one-out in closed form,
        the bootstrap from weighted sums and many label columns from matrix products. A model whose
        two best discriminants are, for some case, closer than rounding errors may reach is fitted
        plainly, and so is one whose training rows lack a class.

        Examples
        --------
        >>> from referee.core import Dataset
        >>> from referee.resampling import LeaveOneOut
        >>> data = Dataset.of([[0.0], [1.0], [2.0], [7.0], [9.0], [11.0]], list("aaabbb"))
        >>> plan = LeaveOneOut().plan(data)
        >>> outputs = GaussianBayes().predict_plan(
        ...     data.X, data.codes[:, None], plan, classes=data.classes
        ... )
        >>> [int(o.predicted[0, 0]) for o in outputs[:6]]
        [0, 0, 0, 1, 1, 1]
        """
        self._check_options()
        Y = label_columns(Y, plan.n, len(classes))
        if isinstance(self.shrinkage, str):
            return plain_plan(self, X, Y, plan, classes=classes, scores=scores)
        if self.priors is not None:
            _checked_priors(self.priors, len(classes))
        rule = GaussianRule(
            self.covariance,
            shrinkage=float(self.shrinkage),
            priors=None if self.priors is None else tuple(float(p) for p in self.priors),
        )
        try:
            return predict_gaussian_plan(
                self, rule, X, numbers_of(X), Y, plan, classes=classes, scores=scores
            )
        except SteppedAside:
            return plain_plan(self, X, Y, plan, classes=classes, scores=scores)

    def _check_options(self) -> None:
        if self.covariance not in _COVARIANCES:
            raise InputError(
                "must be 'full', 'shared' or 'diagonal'",
                argument="covariance",
                value=repr(self.covariance),
            )
        amount: Any = self.shrinkage
        if amount != "auto" and not (isinstance(amount, Real) and 0 <= float(amount) <= 1):
            raise InputError(
                "must lie between 0 and 1, or be 'auto'", argument="shrinkage", value=repr(amount)
            )

    def _covariances(self, rows: list[Floats]) -> Floats:
        each = np.stack([_covariance(r, m) for r, m in zip(rows, self.means_, strict=True)])
        if self.shrinkage == "auto":
            each = np.stack([_ledoit_wolf(r) for r in rows])
        if self.covariance == "shared":
            shares = np.array([len(r) for r in rows]) / sum(len(r) for r in rows)
            each = np.tensordot(shares, each, 1)[None]
        if not isinstance(self.shrinkage, str):
            rule = GaussianRule(self.covariance, shrinkage=float(self.shrinkage))
            each = np.stack([rule.regularised(c) for c in each])
        if self.covariance == "shared":
            return np.asarray(each[0])
        return np.diagonal(each, axis1=1, axis2=2).copy() if self.covariance == "diagonal" else each

    def _factorised(self, counts: Codes) -> tuple[Floats, Floats]:
        """Return Cholesky factors (standard deviations, if diagonal) and log determinants."""
        if self.covariance == "diagonal":
            for c, variances in enumerate(self.covariances_):
                if not (variances > 0).all():
                    self._refuse_singular(c, counts)
            return np.sqrt(self.covariances_), np.log(self.covariances_).sum(axis=1)
        matrices = self.covariances_.reshape(-1, *self.covariances_.shape[-2:])
        factors = np.empty_like(matrices)
        for c, matrix in enumerate(matrices):
            factor = _cholesky(matrix)
            if factor is None:
                self._refuse_singular(c, counts)
            factors[c] = factor
        return factors, 2 * np.log(np.diagonal(factors, axis1=1, axis2=2)).sum(axis=1)

    def _refuse_singular(self, c: int, counts: Codes) -> None:
        d = self.n_features_in_
        if self.covariance == "shared":
            raise InputError(
                f"the shared covariance of {len(counts)} classes ({counts.sum()} cases, {d} "
                "features) is singular",
                remedy=(
                    "use shrinkage=0.1 (of standardised features) or "
                    "covariance='diagonal', or drop constant and redundant features"
                ),
            )
        others = "'shared'" if self.covariance == "diagonal" else "'shared' or 'diagonal'"
        raise InputError(
            f"the covariance of class {self.classes_[c].item()!r} ({counts[c]} cases, {d} "
            "features) is singular",
            concerning="covariances",
            remedy=f"use shrinkage=0.1 (of standardised features) or covariance={others}",
        )

    def _discriminants(self, X: Features) -> Floats:
        check_is_fitted(self)
        X = validate_data(self, X, reset=False, dtype=np.float64)
        g = np.empty((len(X), len(self.classes_)))
        for c, mean in enumerate(self.means_):
            at = 0 if self.covariance == "shared" else c
            if self.covariance == "diagonal":
                whitened = ((X - mean) / self._factors[at]).T
            else:
                whitened = solve_triangular(self._factors[at], (X - mean).T, lower=True)
            g[:, c] = -0.5 * ((whitened**2).sum(axis=0) + self._log_dets[at])
        with np.errstate(divide="ignore"):
            return np.asarray(g + np.log(self.priors_))


def _covariance(rows: Floats, mean: Floats) -> Floats:
    return np.asarray((rows - mean).T @ (rows - mean) / len(rows))


def _ledoit_wolf(rows: Floats) -> Floats:
    """Return the Ledoit-Wolf covariance, of standardised features, in the units of the rows."""
    scale = rows.std(axis=0)
    scale[scale == 0] = 1.0
    matrix: Floats = ledoit_wolf(rows / scale)[0] * np.outer(scale, scale)
    return matrix


def _cholesky(matrix: Floats) -> Floats | None:
    """Return the Cholesky factor, or None where the matrix is singular up to rounding."""
    try:
        factor: Floats = np.asarray(np.linalg.cholesky(matrix), dtype=float)
    except np.linalg.LinAlgError:
        return None
    left = np.diagonal(factor) ** 2
    return factor if (left > _SINGULAR * np.diagonal(matrix)).all() else None


def _checked_priors(priors: Any, k: int) -> Floats:
    try:
        shares = np.asarray(priors, dtype=float)
    except (TypeError, ValueError):
        raise InputError(
            "priors must be numbers", concerning="priors", value=repr(priors)
        ) from None
    if shares.shape != (k,):
        raise InputError(
            f"priors must hold one number for each of the {k} classes",
            concerning="priors",
            value=repr(priors),
        )
    # Written so that nan is refused, too.
    if not (shares >= 0).all() or not abs(shares.sum() - 1) <= 1e-9:
        raise InputError(
            "priors must not be negative and must sum to 1",
            concerning="priors",
            value=f"{shares.tolist()} (sum {shares.sum():g})",
            remedy="divide them by their sum",
        )
    return shares
