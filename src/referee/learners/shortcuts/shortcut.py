"""Shortcuts: plain scikit-learn classifiers whose predictions over a plan come from shared work."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from referee.core.arrays import Codes, Features, Label
from referee.core.plan import Plan
from referee.core.shared_work import SharedWork, SplitOutput

__all__ = ["Shortcut", "shortcut_of"]


@dataclass(frozen=True, eq=False)
class Shortcut:
    """A scikit-learn classifier and shared work that predicts what it would.

    Attributes
    ----------
    model : estimator
        As it was given.
    work : SharedWork
        Whose predictions are the model's.
    """

    model: Any
    work: SharedWork

    @property
    def name(self) -> str:
        """The class of the model; of a pipeline its steps, too."""
        return str(getattr(self.work, "name", type(self.model).__name__))

    def predict_plan(
        self,
        X: Features,
        Y: Codes,
        plan: Plan,
        *,
        classes: Sequence[Label],
        scores: bool = False,
    ) -> tuple[SplitOutput, ...]:
        """Return what the model predicts in every split; see `SharedWork`."""
        return self.work.predict_plan(X, Y, plan, classes=classes, scores=scores)


def shortcut_of(model: Any) -> Shortcut | None:
    """Return the shortcut for a plain scikit-learn classifier, or None where there is none.

    Known are LinearDiscriminantAnalysis, QuadraticDiscriminantAnalysis, GaussianNB,
    KNeighborsClassifier, SVC and LinearSVC, with the options that their families name, and
    pipelines that scale features for one of them; not their subclasses.
    ``REFEREE_SHORTCUTS=0`` in the environment turns shortcuts off.

    Examples
    --------
    >>> from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
    >>> shortcut_of(LinearDiscriminantAnalysis()).name
    'LinearDiscriminantAnalysis'
    >>> shortcut_of(LinearDiscriminantAnalysis(solver="lsqr", shrinkage="auto")) is None
    True
    >>> from sklearn.pipeline import make_pipeline
    >>> from sklearn.preprocessing import StandardScaler
    >>> shortcut_of(make_pipeline(StandardScaler(), LinearDiscriminantAnalysis())).name
    'Pipeline(StandardScaler, LinearDiscriminantAnalysis)'
    """
    if os.environ.get("REFEREE_SHORTCUTS", "1") == "0":
        return None
    kind = type(model)
    family = _FAMILIES.get(f"{kind.__module__}.{kind.__qualname__}")
    if family is None or _looks_altered(model):
        return None
    work = family(model)
    return None if work is None else Shortcut(model, work)


def _looks_altered(model: Any) -> bool:
    """Tell whether an instance carries methods, or asks for sample weights or other metadata."""
    odd = {"fit", "predict", "predict_proba", "decision_function", "_metadata_request"}
    return bool(odd & set(vars(model))) or _array_api()


def _array_api() -> bool:
    from sklearn import get_config

    return bool(get_config().get("array_api_dispatch", False))


def _gaussian(model: Any) -> SharedWork | None:
    from referee.learners.shortcuts.gaussian import gaussian_shortcut

    return gaussian_shortcut(model)


def _neighbours(model: Any) -> SharedWork | None:
    from referee.learners.shortcuts.neighbours import neighbours_shortcut

    return neighbours_shortcut(model)


def _svc(model: Any) -> SharedWork | None:
    from referee.learners.shortcuts.svc import svc_shortcut

    return svc_shortcut(model)


def _linear_svc(model: Any) -> SharedWork | None:
    from referee.learners.shortcuts.linear_svc import linear_svc_shortcut

    return linear_svc_shortcut(model)


def _pipeline(model: Any) -> SharedWork | None:
    from referee.learners.shortcuts.pipeline import pipeline_shortcut

    last = shortcut_of(model.steps[-1][1]) if model.steps else None
    return None if last is None else pipeline_shortcut(model, last.work)


_FAMILIES: dict[str, Callable[[Any], SharedWork | None]] = {
    "sklearn.discriminant_analysis.LinearDiscriminantAnalysis": _gaussian,
    "sklearn.discriminant_analysis.QuadraticDiscriminantAnalysis": _gaussian,
    "sklearn.naive_bayes.GaussianNB": _gaussian,
    "sklearn.neighbors._classification.KNeighborsClassifier": _neighbours,
    "sklearn.svm._classes.SVC": _svc,
    "sklearn.svm._classes.LinearSVC": _linear_svc,
    "sklearn.pipeline.Pipeline": _pipeline,
}
