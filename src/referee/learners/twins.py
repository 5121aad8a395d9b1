"""Twins: plain scikit-learn classifiers whose predictions over a plan come from shared work."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from numbers import Real
from typing import Any

import numpy as np

from referee.core.arrays import Codes, Features, Floats, Label
from referee.core.plan import Plan
from referee.core.shared_work import SplitOutput, SteppedAside
from referee.learners.gaussian_plan import predict_gaussian_plan
from referee.learners.gaussian_rule import GaussianRule

__all__ = ["Twin", "numbers_of", "twin_of"]


@dataclass(frozen=True, eq=False)
class Twin:
    """A scikit-learn classifier and the rule it follows.

    Attributes
    ----------
    model : estimator
        Never fitted itself; clones of it decide where the rule leaves a doubt.
    rule : GaussianRule
        What it computes.
    """

    model: Any
    rule: GaussianRule

    @property
    def name(self) -> str:
        """The class of the model."""
        return type(self.model).__name__

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
            Where the model's own fits would warn or fail, or compute in other precision.
        """
        values = numbers_of(X)
        k = len(classes)
        if self.rule.priors is not None and len(self.rule.priors) != k:
            raise SteppedAside(f"{len(self.rule.priors)} priors for {k} classes")
        if 4 * k > min(len(s.train) for s in plan.splits):
            raise SteppedAside("nearly as many classes as rows: the model may warn")
        return predict_gaussian_plan(
            self.model, self.rule, X, values, Y, plan, classes=classes, scores=scores, check=True
        )


def twin_of(model: Any) -> Twin | None:
    """Return the twin of a plain scikit-learn classifier, or None where there is none.

    Known are LinearDiscriminantAnalysis, QuadraticDiscriminantAnalysis and GaussianNB, with the
    options named in this file; not their subclasses. ``REFEREE_TWINS=0`` in the environment turns
    twins off.

    Examples
    --------
    >>> from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
    >>> twin_of(LinearDiscriminantAnalysis()).rule.covariance
    'shared'
    >>> twin_of(LinearDiscriminantAnalysis(solver="lsqr", shrinkage="auto")) is None
    True
    """
    if os.environ.get("REFEREE_TWINS", "1") == "0":
        return None
    kind = type(model)
    known = _KNOWN.get(f"{kind.__module__}.{kind.__qualname__}")
    if known is None or _looks_altered(model):
        return None
    rule = known(**model.get_params(deep=False))
    return None if rule is None else Twin(model, rule)


def numbers_of(X: Features) -> Floats:
    """Return features as float64, which is what the models would compute with.

    Raises
    ------
    SteppedAside
        For sparse matrices, text, single precision, missing values and the like.
    """
    if hasattr(X, "tocsr"):
        raise SteppedAside("X is sparse")
    if hasattr(X, "dtypes") and not all(_is_number(t) for t in np.atleast_1d(X.dtypes)):
        raise SteppedAside("X has columns that are not plain numbers")
    values = np.asarray(X)
    if values.ndim != 2 or not _is_number(values.dtype):
        raise SteppedAside(f"X is of type {values.dtype}")
    values = np.ascontiguousarray(values, dtype=float)
    # Sums of squares must stay finite, too.
    if not np.abs(values).max() < 1e100:
        raise SteppedAside("X is not finite")
    return values


def _is_number(dtype: Any) -> bool:
    return str(dtype).lower() in ("float64", "int64", "int32", "int16", "int8", "uint8")


def _looks_altered(model: Any) -> bool:
    """Tell whether an instance carries methods, or asks for sample weights or other metadata."""
    odd = {"fit", "predict", "predict_proba", "_metadata_request"}
    return bool(odd & set(vars(model))) or _array_api()


def _array_api() -> bool:
    from sklearn import get_config

    return bool(get_config().get("array_api_dispatch", False))


def _linear(
    *,
    solver: Any,
    shrinkage: Any,
    priors: Any,
    n_components: Any,
    store_covariance: Any,
    tol: Any,
    covariance_estimator: Any,
    **unknown: Any,
) -> GaussianRule | None:
    shares = _priors(priors)
    plain = solver in ("svd", "lsqr", "eigen") and store_covariance in (True, False)
    if unknown or not plain or covariance_estimator is not None or n_components is not None:
        return None
    if priors is not None and shares is None:
        return None
    if solver == "svd":
        if shrinkage is not None or not _is_share(tol):
            return None
        return GaussianRule("shared", priors=shares, tol=float(tol), skips_constant=True, raw=0.0)
    if shrinkage is not None and not _is_share(shrinkage):
        return None
    return GaussianRule(
        "shared",
        shrinkage=float(shrinkage or 0.0),
        priors=shares,
        weighted=shares is not None,
        skips_constant=solver == "lsqr" and not shrinkage,
        lone=False,
        raw=1.0,
        far=2,  # the intercepts hold squares of means
    )


def _quadratic(
    *,
    priors: Any,
    reg_param: Any,
    store_covariance: Any,
    tol: Any,
    solver: Any = "svd",
    shrinkage: Any = None,
    covariance_estimator: Any = None,
    **unknown: Any,
) -> GaussianRule | None:
    shares = _priors(priors)
    if unknown or covariance_estimator is not None or not _is_share(tol):
        return None
    if (priors is not None and shares is None) or store_covariance not in (True, False):
        return None
    if solver == "svd" and shrinkage is None and _is_share(reg_param):
        return GaussianRule("full", ridge=float(reg_param), priors=shares, least=float(tol))
    # This solver ignores reg_param.
    if solver == "eigen" and (shrinkage is None or _is_share(shrinkage)) and reg_param == 0:
        return GaussianRule(
            "full", shrinkage=float(shrinkage or 0.0), priors=shares, least=float(tol), raw=1.0
        )
    return None


def _naive(*, priors: Any, var_smoothing: Any, **unknown: Any) -> GaussianRule | None:
    shares = _priors(priors)
    if unknown or not _is_share(var_smoothing) or (priors is not None and shares is None):
        return None
    return GaussianRule("diagonal", smoothing=float(var_smoothing), priors=shares)


def _is_share(value: Any) -> bool:
    return isinstance(value, Real) and 0 <= float(value) <= 1


def _priors(priors: Any) -> tuple[float, ...] | None:
    """Return priors that no model would renormalise, warn about or refuse."""
    if priors is None:
        return None
    try:
        shares = np.asarray(priors, dtype=float)
    except (TypeError, ValueError):
        return None
    if shares.ndim != 1 or not (shares > 0).all() or abs(shares.sum() - 1) > 1e-12:
        return None
    return tuple(shares.tolist())


_KNOWN: dict[str, Callable[..., GaussianRule | None]] = {
    "sklearn.discriminant_analysis.LinearDiscriminantAnalysis": _linear,
    "sklearn.discriminant_analysis.QuadraticDiscriminantAnalysis": _quadratic,
    "sklearn.naive_bayes.GaussianNB": _naive,
}
