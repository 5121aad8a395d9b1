"""One split: clone, seed, fit, predict, and say clearly what went wrong."""

from __future__ import annotations

import threading
import warnings
from dataclasses import dataclass
from typing import Any

import numpy as np
from sklearn.base import clone
from sklearn.pipeline import Pipeline

from referee.core.arrays import Anything, Codes, Floats
from referee.core.dataset import Dataset
from referee.core.labels import as_labels, encode
from referee.core.plan import Part, Split
from referee.core.randomness import Seed, child
from referee.errors import FitError
from referee.fitting.inner_groups import keep_groups_whole
from referee.fitting.search import Found, found_by, search_part
from referee.learners.shortcuts.pairwise import rows_for
from referee.learners.shortcuts.plain_refit import score_columns
from referee.resampling.given import seeded_splitter

__all__ = ["Fitted", "fit_and_predict", "score_method", "unseeded_parts"]


_LONGEST = 400
_ODD = "the model must answer with the labels it was trained on"


@dataclass(frozen=True, eq=False)
class Fitted:
    """What one fit gave.

    Attributes
    ----------
    predicted : array of int
        Class codes for the split's test rows.
    scores : array or None
        One column per class of the data.
    warned : tuple of str
        Messages of warnings the model raised.
    model : estimator or None
        The fitted model, where it was trained on all rows.
    found : Found or None
        What the search inside the model found, where it has one.
    """

    predicted: Codes
    scores: Floats | None
    warned: tuple[str, ...]
    model: Any = None
    found: Found | None = None


def fit_and_predict(
    model: Any,
    data: Dataset,
    split: Split,
    number: int,
    *,
    name: str,
    seed: Seed,
    unseeded: tuple[str, ...] = (),
    scores: str | None = None,
) -> Fitted:
    """Train a fresh copy of the model on one split and predict its test rows.

    Raises
    ------
    FitError
        Naming split, model and the original message.
    """
    fresh = _fresh(model, unseeded, child(seed, number))
    record = threading.current_thread() is threading.main_thread()
    with warnings.catch_warnings(record=record) as caught:
        if record:
            warnings.simplefilter("always")
        try:
            rows = rows_for(fresh, data.X, split.train, split.train)
            told = keep_groups_whole(fresh, data, split.train)
            fresh.fit(rows, data.y[split.train], **told)
            found = found_by(fresh)
            rows = rows_for(fresh, data.X, split.test, split.train)
            columns = None if scores is None else _scores(fresh, rows, scores, data)
            if columns is not None and _answers_follow_scores(fresh):
                answers = np.asarray(data.classes)[columns.argmax(axis=1)]
            else:
                answers = fresh.predict(rows)
        except Exception as problem:
            raise FitError(_explain(problem, name, number, split)) from problem
    codes = encode(_labels(answers, name, split), data.classes, f"predictions of {name}", _ODD)
    messages = tuple(str(w.message) for w in caught or ())
    whole = fresh if split.part is Part.RESUBSTITUTION else None
    return Fitted(codes, columns, messages, whole, found)


def unseeded_parts(model: Any) -> tuple[str, ...]:
    """Return the parameters of the model that leave something random unseeded.

    Examples
    --------
    >>> from sklearn.tree import DecisionTreeClassifier
    >>> unseeded_parts(DecisionTreeClassifier())
    ('random_state',)
    >>> unseeded_parts(DecisionTreeClassifier(random_state=1))
    ()
    """
    return tuple(
        sorted(
            key
            for key, value in model.get_params(deep=True).items()
            if value is None and (key == "random_state" or key.endswith("__random_state"))
        )
    )


def _fresh(model: Any, unseeded: tuple[str, ...], seed: Seed) -> Any:
    """Return a copy whose unseeded random parts have seeds of their own.

    So the same ``random_state`` of the evaluation gives the same numbers for any number of jobs;
    a ``random_state`` the user did set is left alone.
    """
    copy = clone(model)
    search = search_part(copy)
    if search is not None and hasattr(search, "cv"):
        search.set_params(cv=seeded_splitter(search.cv, child(seed, len(unseeded))))
    if not unseeded:
        return copy
    return copy.set_params(**{key: child(seed, i) for i, key in enumerate(unseeded)})


def _answers_follow_scores(model: Any) -> bool:
    """Tell whether predict is, to the letter, the class of the largest probability.

    Then one pass over the rows gives both. Only models whose code says so are named here.
    """
    last = model.steps[-1][1] if type(model) is Pipeline else model
    kind = type(last)
    if "predict" in vars(last) or "predict" in vars(model):
        return False
    if not kind.__module__.startswith("sklearn."):
        return False
    if kind.__name__ == "KNeighborsClassifier":
        return bool(last.weights == "uniform")
    return kind.__name__ in ("RandomForestClassifier", "ExtraTreesClassifier")


def score_method(model: Any) -> str | None:
    """Return the name of the method that gives scores, if the model has one."""
    for method in ("predict_proba", "decision_function"):
        if hasattr(model, method):
            return method
    return None


def _labels(answers: Any, name: str, split: Split) -> Anything:
    labels = as_labels(answers, f"predictions of {name}")
    if len(labels) != len(split.test):
        raise FitError(f"{name} gave {len(labels)} answers for {len(split.test)} test rows")
    return labels


def _scores(model: Any, rows: Any, method: str, data: Dataset) -> Floats:
    values = getattr(model, method)(rows)
    return score_columns(values, _positions(model, data), len(data.classes), method)


def _positions(model: Any, data: Dataset) -> Codes:
    known: Anything = np.asarray(model.classes_)
    return encode(known, data.classes, "classes of the model")


def _explain(problem: Exception, name: str, number: int, split: Split) -> str:
    said = " ".join(str(problem).split()) or "no message"
    said = said if len(said) <= _LONGEST else said[:_LONGEST].rstrip() + " …"
    return (
        f"{name} failed in split {number} ({len(split.train)} training rows): "
        f"{type(problem).__name__}: {said}"
    )
