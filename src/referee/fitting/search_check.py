"""What can be known of a search before anything is fitted: grid, scorer, inner folds."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from typing import Any

import numpy as np
from sklearn.base import clone
from sklearn.model_selection import ParameterGrid, PredefinedSplit
from sklearn.model_selection._search import BaseSearchCV

from referee.core.dataset import Dataset
from referee.core.plan import Plan, Split
from referee.errors import InputError, PlanError, arg, nearest
from referee.fitting.search import inner_folds, scoring_of, search_part
from referee.learners.last_step import last_step

__all__ = ["check_grid", "check_inner_folds", "check_names", "check_search"]

_PROBABILITIES = (
    "neg_log_loss",
    "neg_brier_score",
    "roc_auc_ovr",
    "roc_auc_ovo",
    "roc_auc_ovr_weighted",
    "roc_auc_ovo_weighted",
)
_SCORES = ("roc_auc", "average_precision")
_RANKING = ("decision_function", "predict_proba")

_TRIED = 500
"""Candidates that are looked at before a scorer is refused."""


def check_grid(grid: Any, name: str = "grid") -> None:
    """Refuse what is no grid: parameters by name, each with values to try.

    Examples
    --------
    >>> check_grid({"C": []})
    Traceback (most recent call last):
    ...
    referee.errors.InputError: grid has no value to try for 'C'; give at least one, as {'C': [1]}
    """
    parts = [grid] if isinstance(grid, Mapping) else grid
    if not isinstance(parts, (list, tuple)) or not all(isinstance(p, Mapping) for p in parts):
        raise InputError(
            f"{name} must be a mapping of parameters to lists of values, or a list of such",
            concerning=name,
            value=repr(grid),
            remedy="for example {'n_neighbors': [1, 3, 5]}",
        )
    if not parts or not all(parts):
        raise InputError(
            f"{name} is empty, so there is nothing to search",
            concerning=name,
            remedy="name parameters and their values, as {'n_neighbors': [1, 3, 5]}",
        )
    for key, values in ((k, v) for p in parts for k, v in p.items()):
        _check_values(name, key, values)


def _check_values(name: str, key: Any, values: Any) -> None:
    sized = hasattr(values, "__len__") and hasattr(values, "__getitem__")
    if not sized or isinstance(values, (str, bytes, Mapping)) or getattr(values, "ndim", 1) != 1:
        raise InputError(
            f"{name} must hold a list of values for {key!r}",
            concerning=name,
            value=repr(values),
            remedy=f"write [{values!r}]",
        )
    if len(values) == 0:
        raise InputError(
            f"{name} has no value to try for {key!r}",
            concerning=name,
            remedy=f"give at least one, as {{{key!r}: [1]}}",
        )


def check_names(estimator: Any, names: Sequence[str], whose: str) -> None:
    """Refuse a parameter that the estimator does not have.

    Examples
    --------
    >>> from sklearn.svm import SVC
    >>> check_names(SVC(), ["c"], "grid")
    Traceback (most recent call last):
    ...
    referee.errors.InputError: grid: SVC has no parameter 'c'; did you mean 'C'?
    """
    known = estimator.get_params(deep=True)
    exchanged = set(names)  # parts that the grid itself exchanges have parameters of their own
    for name in names:
        if name not in known and name.rpartition("__")[0] not in exchanged:
            alike = [k for k in known if k.lower() == name.lower()]
            hint = f"; did you mean {alike[0]!r}?" if alike else nearest(name, sorted(known))
            raise InputError(
                f"{whose}: {type(estimator).__name__} has no parameter {name!r}", remedy=hint
            )


def check_search(model: Any) -> None:
    """Refuse a search that cannot be used or cannot work, whatever the data are."""
    search = search_part(model)
    if search is None:
        return
    if not isinstance(search, BaseSearchCV):
        getattr(search, "check_options", lambda: None)()
        return
    kind = type(search).__name__
    if search.refit is False:
        raise InputError(
            f"{kind} has refit=False, so it cannot predict",
            concerning="model",
            remedy="pass refit=True, or the name of the score that chooses",
        )
    several = search.scoring is not None and not isinstance(search.scoring, str)
    if several and not callable(search.scoring) and search.refit is True:
        raise InputError(
            f"{kind} has several scores and refit=True",
            concerning="model",
            remedy=f"name the one that chooses, as refit={next(iter(search.scoring))!r}",
        )
    cv = search.cv
    if isinstance(cv, PredefinedSplit) or not (
        cv is None or isinstance(cv, (int, np.integer)) or hasattr(cv, "split")
    ):
        raise InputError(
            f"cv of {kind} names rows by their numbers, which are other rows in every training set",
            remedy="use a number of folds, or a splitter",
        )
    for name in ("param_grid", "param_distributions"):
        grid = getattr(search, name, None)
        if grid is None:
            continue
        parts = [grid] if isinstance(grid, Mapping) else grid
        if name == "param_grid":
            check_grid(grid, f"param_grid of {kind}")
        elif not parts or not all(parts):
            raise InputError(
                f"param_distributions of {kind} is empty", remedy="name what to search"
            )
        check_names(search.estimator, [k for p in parts for k in p], kind)
    _check_scorer(search)


def _check_scorer(search: Any) -> None:
    scoring = scoring_of(search)
    if scoring not in (*_PROBABILITIES, *_SCORES):
        return
    methods = ("predict_proba",) if scoring in _PROBABILITIES else _RANKING
    if any(hasattr(c, m) for c in _candidates(search) for m in methods):
        return
    raise InputError(
        f"scoring={scoring!r} of {type(search).__name__} needs {' or '.join(methods)}, which "
        f"{type(last_step(search.estimator)[1]).__name__} does not have",
        concerning="model",
        remedy="use another score or model",
    )


def _candidates(search: Any) -> Iterator[Any]:
    """Yield the estimator as it stands, and as the first candidates would have it."""
    yield search.estimator
    grid = getattr(search, "param_grid", None)
    for values in islice(ParameterGrid(grid), _TRIED) if grid is not None else ():
        yield clone(search.estimator).set_params(**values)


def check_inner_folds(model: Any, data: Dataset, plan: Plan) -> None:
    """Refuse a plan one of whose training sets leaves the inner folds without a class, or groups.

    Before anything is fitted; for models whose inner folds are given by their number.
    """
    if data.groups is not None:
        _check_groups_reach(model)
    folds = inner_folds(model)
    if folds is None:
        return
    for number, split in enumerate(plan.splits):
        _check_groups(folds, data, split, number)
        if search_part(model) is not None:
            _check_classes(folds, data, split, number)


def _check_groups_reach(model: Any) -> None:
    """Refuse a model with parts that fold inside where groups cannot be handed to them."""
    _, last = last_step(model)
    for name, part in model.get_params(deep=True).items():
        if part is last or not hasattr(part, "get_params") or isinstance(part, type):
            continue
        folds = part.get_params(deep=False).get("cv", "prefit")
        if hasattr(type(part), "search_") or folds != "prefit":
            raise InputError(
                f"{name} ({type(part).__name__}) validates inside the model's fit, and groups "
                "cannot be handed to it, so its folds would tear them apart",
                concerning="model",
                remedy=(
                    "make it the last step of the model, or use a part without inner folds there"
                ),
            )


def _check_groups(folds: int, data: Dataset, split: Split, number: int) -> None:
    if data.groups is None:
        return
    groups = len(np.unique(data.groups[split.train]))
    if groups < folds:
        raise PlanError(
            f"the {folds} inner folds of the model exceed the {groups} groups that train in split "
            f"{number}",
            concerning="model",
            remedy=f"use at most {groups} inner folds, or fewer outer ones",
        )


def _check_classes(folds: int, data: Dataset, split: Split, number: int) -> None:
    codes = data.codes[split.train]
    cases = units = np.bincount(codes, minlength=len(data.classes))
    if data.groups is not None:
        pairs = np.unique(np.column_stack([codes, data.groups[split.train]]), axis=0)
        units = np.bincount(pairs[:, 0], minlength=len(data.classes))
    alone = np.flatnonzero(units == 1)
    if alone.size:
        what = "case" if data.groups is None else "group"
        raise PlanError(
            f"class {data.classes[alone[0]]!r} has one {what} among the {len(codes)} training "
            f"rows of split {number}, so the model's inner folds would train without it",
            concerning="by",
            remedy=(
                "merge or drop the class, or use splits that train on more of it, as "
                f"{arg('by', 10)}"
            ),
        )
    if cases.max() < folds:
        raise PlanError(
            f"no class has as many cases among the {len(codes)} training rows of split {number} "
            f"as the model has inner folds ({folds})",
            concerning="by",
            remedy=f"use at most {int(cases.max())} of them",
        )
