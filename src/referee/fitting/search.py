"""The search inside a model: parameters or features that its own fit chooses.

A model that searches is trained like any other, from scratch in every split. So its search sees
training rows only, and a validation around it is nested. What it found is kept: its best score is
the best of many and flatters.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from sklearn.metrics import get_scorer
from sklearn.model_selection._search import BaseSearchCV
from sklearn.pipeline import Pipeline

from referee.core.arrays import Label
from referee.errors import InputError
from referee.learners.kind import kind_of
from referee.learners.last_step import last_step

__all__ = [
    "SearchOutcome",
    "inner_folds",
    "makes_folds",
    "search_outcome",
    "search_part",
    "values_text",
]

_SKLEARN_FOLDS = 5
"""Folds of scikit-learn's models where cv is None."""

_FOLDING = (
    "LogisticRegressionCV",
    "CalibratedClassifierCV",
    "StackingClassifier",
    "TunedThresholdClassifierCV",
)
"""Classes of scikit-learn, other than searches, whose fit makes cv folds."""

_MEASURES = {
    "accuracy": "error",
    "balanced_accuracy": "balanced_accuracy",
    "matthews_corrcoef": "mcc",
    "f1": "f1",
    "f1_macro": "macro_f1",
    "f1_weighted": "weighted_f1",
    "f1_micro": "micro_f1",
    "precision": "precision",
    "precision_macro": "macro_precision",
    "precision_weighted": "weighted_precision",
    "recall": "tpr",
    "roc_auc": "auc",
    "roc_auc_ovr": "auc_ovr",
    "roc_auc_ovo": "auc_ovo",
    "average_precision": "average_precision",
    "neg_log_loss": "log_loss",
    "neg_brier_score": "brier",
    "neg_mean_absolute_error": "mae",
    "neg_mean_squared_error": "mse",
    "neg_root_mean_squared_error": "rmse",
    "neg_median_absolute_error": "median_ae",
    "r2": "r2",
}
"""scikit-learn's name of a scorer -> measure of the catalogue."""

_OF_CLASS_ONE = ("f1", "precision", "recall", "average_precision")
"""Scorers of scikit-learn that take the class 1 as positive."""


@dataclass(frozen=True, kw_only=True)
class SearchOutcome:
    """What the search of one fit found.

    Attributes
    ----------
    chosen : str
        The parameters or features it chose, in words.
    score : float
        The best inner score, in terms of the measure; nan where the search keeps none.
    measure : str
        The measure by its catalogue name; empty where it is none of the catalogue's.
    scoring : str
        How the search calls it.
    positive : label or None
        The class it speaks about, where it speaks about one.
    """

    chosen: str
    score: float
    measure: str
    scoring: str
    positive: Label | None = None


def search_part(model: Any) -> Any | None:
    """Return the part of a model that searches: itself, or the last step of a pipeline.

    Examples
    --------
    >>> from sklearn.model_selection import GridSearchCV
    >>> from sklearn.svm import SVC
    >>> search_part(GridSearchCV(SVC(), {"C": [1, 10]})) is None, search_part(SVC()) is None
    (False, True)
    """
    _, last = last_step(model)
    return last if isinstance(last, BaseSearchCV) or hasattr(type(last), "search_") else None


def inner_folds(model: Any) -> int | None:
    """Return how many folds the last step's fit makes, where a number says so.

    Examples
    --------
    >>> from sklearn.model_selection import GridSearchCV, KFold
    >>> from sklearn.svm import SVC
    >>> inner_folds(GridSearchCV(SVC(), {})), inner_folds(GridSearchCV(SVC(), {}, cv=KFold(3)))
    (5, None)
    """
    _, last = last_step(model)
    if hasattr(type(last), "search_"):
        folds = getattr(last, "by", None)
    elif isinstance(last, BaseSearchCV) or makes_folds(last):
        folds = _SKLEARN_FOLDS if last.cv is None else last.cv
    else:
        return None
    return folds if isinstance(folds, int) and not isinstance(folds, bool) else None


def makes_folds(model: Any) -> bool:
    """Tell whether it is one of scikit-learn's models that fold inside, without being a search."""
    kind = type(model)
    return kind.__name__ in _FOLDING and kind.__module__.startswith("sklearn.")


def search_outcome(model: Any) -> SearchOutcome | None:
    """Return what the search of a fitted model found; None where it has none.

    Raises
    ------
    InputError
        Where every candidate failed, so that scikit-learn took the first.
    """
    search = search_part(model)
    if search is None:
        return None
    if not isinstance(search, BaseSearchCV):
        return search.search_  # type: ignore[no-any-return]
    chosen = values_text(getattr(search, "best_params_", {}))
    score = float(getattr(search, "best_score_", math.nan))
    scoring = scoring_of(search)
    if not hasattr(search, "best_score_"):
        return SearchOutcome(chosen=chosen, score=math.nan, measure="", scoring=scoring)
    if math.isnan(score):
        raise InputError(
            f"no candidate of the search has a score by {scoring} (all are nan), so it chose "
            "blindly",
            concerning="model",
            remedy="pass error_score='raise' to the search to see what fails",
        )
    return SearchOutcome(
        chosen=chosen,
        score=_in_terms(score, scoring),
        measure=_MEASURES.get(scoring, ""),
        scoring=scoring,
        positive=1 if scoring in _OF_CLASS_ONE else None,
    )


def _in_terms(score: float, scoring: str) -> float:
    if scoring == "accuracy":
        return 1 - score
    return -score if scoring.startswith("neg_") else score


def scoring_of(search: Any) -> str:
    """Return the name of the scorer that chose, as scikit-learn calls it."""
    scoring = search.scoring
    if scoring is None:
        return _default_score(search.estimator)
    if isinstance(scoring, Mapping):
        scoring = scoring.get(search.refit) if isinstance(search.refit, str) else None
    elif isinstance(scoring, (list, tuple, set)):
        scoring = search.refit if isinstance(search.refit, str) else None
    if isinstance(scoring, str):
        return scoring
    if scoring is None:
        return "a rule of its own"
    named = [name for name in _MEASURES if _same_scorer(scoring, get_scorer(name))]
    # The name of a function says nothing about what it computes.
    function = f"the function {getattr(scoring, '__name__', type(scoring).__name__)}"
    return named[0] if named else function


def _same_scorer(given: Any, known: Any) -> bool:
    parts = ("_score_func", "_sign", "_kwargs", "_response_method")
    return type(given) is type(known) and all(
        getattr(given, part, None) == getattr(known, part, None) for part in parts
    )


def _default_score(estimator: Any) -> str:
    """Return what ``score`` computes: accuracy or R² where it is scikit-learn's own.

    One's own may mean anything. A pipeline hands the question on to its last step.
    """
    if type(estimator) is Pipeline:
        return _default_score(last_step(estimator)[1])
    kind = "" if isinstance(estimator, BaseSearchCV | Pipeline) else kind_of(estimator)
    home = next((c for c in type(estimator).__mro__ if "score" in vars(c)), object)
    if not kind or not home.__module__.startswith("sklearn."):
        return "its own score"
    if estimator.get_params(deep=False).get("scoring") is not None:
        return "its own score"
    return "accuracy" if kind == "classifier" else "r2"


def values_text(values: Mapping[str, Any]) -> str:
    """Return parameters as they are written in a call.

    Examples
    --------
    >>> values_text({"C": 10, "kernel": "rbf"})
    "C=10, kernel='rbf'"
    """
    return ", ".join(_pairs(values)) or "no parameter"


def _pairs(values: Mapping[str, Any]) -> Iterator[str]:
    for name, value in values.items():
        text = " ".join(repr(value.item() if hasattr(value, "item") else value).split())
        yield f"{name}={text if len(text) <= 60 else text[:57] + '...'}"
