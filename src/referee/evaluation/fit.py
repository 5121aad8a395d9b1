"""One split: clone, seed, fit, predict, and say clearly what went wrong."""

from __future__ import annotations

import threading
import warnings
from dataclasses import dataclass
from typing import Any

import numpy as np
from sklearn.base import clone

from referee.core.arrays import Anything, Codes, Floats
from referee.core.dataset import Dataset, take_rows
from referee.core.labels import encode
from referee.core.plan import Part, Split
from referee.core.randomness import Seed, child
from referee.errors import FitError

__all__ = ["Fitted", "fit_and_predict", "score_method"]


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
    """

    predicted: Codes
    scores: Floats | None
    warned: tuple[str, ...]
    model: Any = None


def fit_and_predict(
    model: Any,
    data: Dataset,
    split: Split,
    number: int,
    *,
    name: str,
    seed: Seed,
    scores: str | None = None,
) -> Fitted:
    """Train a fresh copy of the model on one split and predict its test rows.

    Raises
    ------
    FitError
        Naming split, model and the original message.
    """
    fresh = seeded(clone(model), child(seed, number))
    record = threading.current_thread() is threading.main_thread()
    with warnings.catch_warnings(record=record) as caught:
        if record:
            warnings.simplefilter("always")
        try:
            fresh.fit(take_rows(data.X, split.train), data.y[split.train])
            rows = take_rows(data.X, split.test)
            answers = np.asarray(fresh.predict(rows))
            columns = None if scores is None else _scores(fresh, rows, scores, data)
        except Exception as problem:
            raise FitError(_explain(problem, name, number, split)) from problem
    codes = encode(answers.reshape(-1), data.classes, f"predictions of {name}")
    messages = tuple(str(w.message) for w in caught or ())
    return Fitted(codes, columns, messages, fresh if split.part is Part.RESUBSTITUTION else None)


def seeded(model: Any, seed: Seed) -> Any:
    """Give every random part that was left unseeded a seed of its own.

    So the same ``random_state`` of the evaluation gives the same numbers for any number of jobs.
    A ``random_state`` the user did set is left alone.

    Examples
    --------
    >>> from sklearn.tree import DecisionTreeClassifier
    >>> seeded(DecisionTreeClassifier(), 7).random_state == seeded(
    ...     DecisionTreeClassifier(), 7).random_state
    True
    >>> seeded(DecisionTreeClassifier(random_state=1), 7).random_state
    1
    """
    unseeded = sorted(
        key
        for key, value in model.get_params(deep=True).items()
        if value is None and (key == "random_state" or key.endswith("__random_state"))
    )
    return model.set_params(**{key: child(seed, i) for i, key in enumerate(unseeded)})


def score_method(model: Any) -> str | None:
    """Return the name of the method that gives scores, if the model has one."""
    for method in ("predict_proba", "decision_function"):
        if hasattr(model, method):
            return method
    return None


def _scores(model: Any, rows: Any, method: str, data: Dataset) -> Floats:
    raw = np.asarray(getattr(model, method)(rows), dtype=float)
    if raw.ndim == 1:
        raw = np.column_stack([-raw, raw])
    columns = np.full((len(raw), len(data.classes)), 0.0 if method == "predict_proba" else -np.inf)
    columns[:, _positions(model, data)] = raw
    return columns


def _positions(model: Any, data: Dataset) -> Codes:
    known: Anything = np.asarray(model.classes_)
    return encode(known, data.classes, "classes of the model")


def _explain(problem: Exception, name: str, number: int, split: Split) -> str:
    first = str(problem).strip().splitlines() or [type(problem).__name__]
    return (
        f"{name} failed in split {number} ({len(split.train)} training rows): "
        f"{type(problem).__name__}: {first[0]}"
    )
