"""One split: clone, seed, fit, predict, and say clearly what went wrong."""

from __future__ import annotations

import threading
import warnings
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from sklearn.base import clone
from sklearn.pipeline import Pipeline

from referee.core.arrays import Anything, Codes, Floats
from referee.core.dataset import Dataset
from referee.core.labels.label_sets import as_members
from referee.core.labels.labels import as_labels, encode
from referee.core.labels.task import as_numbers
from referee.core.plan import Part, Split
from referee.core.randomness import Seed, child
from referee.errors import FitError
from referee.fitting.arguments import NOTHING_MORE, FitArguments
from referee.fitting.search import SearchOutcome, search_outcome, search_part
from referee.learners.shortcuts.pairwise import is_pairwise, rows_for
from referee.learners.shortcuts.plain_refit import score_columns
from referee.resampling.given import seeded_splitter

__all__ = ["Fitted", "alone", "fit_and_predict", "score_method", "unseeded_parts"]


_LONGEST = 400
_ODD = "the model must answer with the labels it was trained on"


@dataclass(frozen=True, eq=False, slots=True)
class Fitted:
    """What one fit gave.

    Attributes
    ----------
    predicted : array
        Class codes, quantities or columns of 0 and 1 for the split's test rows.
    scores : array or None
        One column per class of the data.
    warned : tuple of str
        Messages of warnings the model raised.
    model : estimator or None
        The fitted model, where it was trained on all rows.
    search : SearchOutcome or None
        What the search inside the model found, where it has one.
    """

    predicted: Codes | Floats
    scores: Floats | None
    warned: tuple[str, ...]
    model: Any = None
    search: SearchOutcome | None = None


def fit_and_predict(
    model: Any,
    data: Dataset,
    split: Split,
    number: int,
    answered: Fitted | None = None,
    *,
    name: str,
    seed: Seed,
    unseeded: tuple[str, ...] = (),
    scores: str | None = None,
    arguments: FitArguments = NOTHING_MORE,
    pairwise: bool | None = None,
) -> Fitted:
    """Train a fresh copy of the model on one split and predict its test rows.

    Where its answers are known (`answered`), it is trained only. Whether features are similarities
    of all cases (`pairwise`) is asked of the model, unless that is known.

    Raises
    ------
    FitError
        Naming split, model and the original message.
    """
    fresh = clone(model)
    search = search_part(fresh)
    drawn = bool(unseeded) or search is not None or arguments.eval_share is not None
    own = child(seed, number) if drawn else 0
    _seed(fresh, search, unseeded, own)
    main = threading.current_thread() is threading.main_thread()
    record = main or getattr(_ALONE, "yes", False)
    with warnings.catch_warnings(record=record) as caught:
        if record:
            warnings.simplefilter("always")
        try:
            if pairwise is None:
                pairwise = is_pairwise(fresh)
            trained = arguments.train(fresh, data, split.train, own, pairwise)
            outcome = None if search is None else search_outcome(fresh)
            if answered is not None:
                return replace(answered, model=fresh, warned=_messages(caught), search=outcome)
            rows = rows_for(fresh, data.X, split.test, trained, pairwise)
            columns = None if scores is None else _scores(fresh, rows, scores, data)
            if columns is not None and _answers_follow_scores(fresh):
                answers = np.asarray(data.classes)[columns.argmax(axis=1)]
            else:
                answers = fresh.predict(rows)
        except Exception as problem:
            raise FitError(_explain(problem, name, number, split), concerning="model") from problem
    codes = _checked_answers(answers, data, name, split)
    whole = fresh if split.part is Part.RESUBSTITUTION else None
    return Fitted(codes, columns, _messages(caught), whole, outcome)


def _messages(caught: Sequence[warnings.WarningMessage] | None) -> tuple[str, ...]:
    return tuple(str(w.message) for w in caught or ())


_ALONE = threading.local()


@contextmanager
def alone(yes: bool = True) -> Iterator[None]:
    """Say that the thread at hand is the only one that fits in its process.

    Warnings can be recorded in one thread at a time; by default that is the main one.
    """
    _ALONE.yes = yes
    try:
        yield
    finally:
        _ALONE.yes = False


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


def _seed(copy: Any, search: Any, unseeded: tuple[str, ...], seed: Seed) -> None:
    """Give the unseeded random parts of a copy seeds of their own.

    So the same ``random_state`` of the evaluation gives the same numbers for any number of jobs;
    a ``random_state`` the user did set is left alone.
    """
    if search is not None and hasattr(search, "cv"):
        search.set_params(cv=seeded_splitter(search.cv, child(seed, len(unseeded))))
    if unseeded:
        copy.set_params(**{key: child(seed, i) for i, key in enumerate(unseeded)})


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


def _checked_answers(answers: Any, data: Dataset, name: str, split: Split) -> Codes | Floats:
    """Return what a model answered as codes, or as quantities where those are predicted."""
    whose = f"predictions of {name}"
    if data.labels:
        return _checked_sets(answers, data, whose, split)
    known = as_numbers(answers, whose) if data.numeric else as_labels(answers, whose)
    if len(known) != split.n_test:
        raise FitError(
            f"{name} gave {len(known)} answers for {split.n_test} test rows", concerning="model"
        )
    return known if data.numeric else encode(known, data.classes, whose, _ODD)


def _checked_sets(answers: Any, data: Dataset, whose: str, split: Split) -> Codes:
    """Return a column of 0 and 1 for each label."""
    shape = (split.n_test, len(data.labels))
    if np.shape(answers) != shape:
        raise FitError(
            f"{whose} have shape {np.shape(answers)}, and {shape} was needed: a column of 0 and 1 "
            "for each label",
            remedy="wrap the model in MultiOutputClassifier",
        )
    return as_members(answers, whose).astype(np.intp)


def _scores(model: Any, rows: Any, method: str, data: Dataset) -> Floats:
    values = getattr(model, method)(rows)
    return score_columns(values, _positions(model, data), len(data.classes), method)


def _positions(model: Any, data: Dataset) -> Codes:
    known: Anything = np.asarray(model.classes_)
    if known.shape == (len(data.classes),) and (known == np.asarray(data.classes)).all():
        return np.arange(len(known))
    return encode(known, data.classes, "classes of the model")


def _explain(problem: Exception, name: str, number: int, split: Split) -> str:
    said = " ".join(str(problem).split()) or "no message"
    said = said if len(said) <= _LONGEST else said[:_LONGEST].rstrip() + " …"
    return (
        f"{name} failed in split {number} ({split.n_train} training rows): "
        f"{type(problem).__name__}: {said}"
    )
