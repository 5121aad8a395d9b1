"""Shortcuts of scikit-learn's discriminant analyses and naive Bayes: the rule each one follows."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from numbers import Real
from typing import Any

import numpy as np

from referee.core.shared_work import SplitOutput, SteppedAside
from referee.learners.gaussian.plan import predict_gaussian_plan
from referee.learners.gaussian.rule import GaussianRule
from referee.learners.shortcuts.value_shortcut import Request, ValueShortcut

__all__ = ["GaussianShortcut", "gaussian_shortcut"]


@dataclass(frozen=True, eq=False)
class GaussianShortcut(ValueShortcut):
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

    def predict_values(self, request: Request) -> tuple[SplitOutput, ...]:
        """Return what the model predicts where its rule is given the values.

        Raises
        ------
        SteppedAside
            Where the model's own fits would warn or fail, or compute in other precision.
        """
        k = len(request.classes)
        if self.rule.priors is not None and len(self.rule.priors) != k:
            raise SteppedAside(f"{len(self.rule.priors)} priors for {k} classes")
        if 4 * k > min(s.n_train for s in request.plan.splits):
            raise SteppedAside("nearly as many classes as rows: the model may warn")
        return predict_gaussian_plan(
            self.model,
            self.rule,
            request.X,
            request.values,
            request.Y,
            request.plan,
            classes=request.classes,
            scores=request.scores,
            check=request.check,
        )


def gaussian_shortcut(model: Any) -> GaussianShortcut | None:
    """Return the shared work of a model of normal classes, None for options not named here.

    Examples
    --------
    >>> from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
    >>> gaussian_shortcut(LinearDiscriminantAnalysis()).rule.covariance
    'shared'
    """
    rule = _RULES[type(model).__name__](**model.get_params(deep=False))
    return None if rule is None else GaussianShortcut(model, rule)


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


_RULES: dict[str, Callable[..., GaussianRule | None]] = {
    "LinearDiscriminantAnalysis": _linear,
    "QuadraticDiscriminantAnalysis": _quadratic,
    "GaussianNB": _naive,
}
