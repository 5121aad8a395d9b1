"""Inner groups: models that validate inside their own fit keep rows together that belong together.

Only copies are altered, never the user's model.
"""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
from sklearn.model_selection import GroupKFold, StratifiedGroupKFold, check_cv
from sklearn.model_selection._search import BaseSearchCV
from sklearn.utils.validation import has_fit_parameter

from referee.core.arrays import Codes, Rows
from referee.core.dataset import Dataset
from referee.errors import InputError
from referee.fitting.search import inner_folds, makes_folds
from referee.learners.last_step import last_step

__all__ = ["group_argument", "keep_groups_whole"]


def group_argument(model: Any) -> str | None:
    """Return the keyword by which a model's ``fit`` takes groups, or None if it takes none.

    That is ``groups`` for a model such as `Selected` or GridSearchCV, and its name and ``__groups``
    for a pipeline that ends with one.

    Examples
    --------
    >>> from sklearn.neighbors import KNeighborsClassifier
    >>> from sklearn.pipeline import make_pipeline
    >>> from sklearn.preprocessing import StandardScaler
    >>> from referee.choosing.selection import Selected
    >>> group_argument(make_pipeline(StandardScaler(), Selected("knn")))
    'selected__groups'
    >>> group_argument(KNeighborsClassifier()) is None
    True
    """
    prefix, last = last_step(model)
    takes = isinstance(last, BaseSearchCV) or has_fit_parameter(last, "groups")
    return f"{prefix}groups" if takes else None


def keep_groups_whole(copy: Any, data: Dataset, train: Rows) -> dict[str, Codes]:
    """Make a copy's inner folds keep groups whole, and return what its ``fit`` must be told.

    A number of folds becomes as many stratified folds of whole groups; a splitter is used as it
    is, and refused where it tears groups apart.
    """
    if data.groups is None:
        return {}
    groups, y = data.groups[train], data.y[train]
    _, last = last_step(copy)
    name, folds = group_argument(copy), inner_folds(copy)
    if not isinstance(last, BaseSearchCV):
        if makes_folds(last) and folds is not None:
            pairs = list(_whole_groups(folds, y, groups).split(y, y, groups))
            last.set_params(cv=pairs)
        return {} if name is None else {name: groups}
    if folds is not None:
        last.set_params(cv=_whole_groups(folds, y, groups))
    elif not _reads_groups(last.cv, y, groups):
        return {}
    assert name is not None
    return {name: groups}


def _whole_groups(folds: int, y: Any, groups: Codes) -> Any:
    """Return a splitter of so many folds of whole groups, stratified as far as no fold is empty."""
    stratified = StratifiedGroupKFold(folds)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        sizes = [len(test) for _, test in stratified.split(y, y, groups)]
    return stratified if all(sizes) else GroupKFold(folds)


def _reads_groups(cv: Any, y: Any, groups: Codes) -> bool:
    """Tell whether a splitter reads groups; refuse one that puts a group on both sides."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        pairs = list(check_cv(cv, y, classifier=True).split(y, y, groups))
    if any(np.isin(groups[test], groups[train]).any() for train, test in pairs):
        raise InputError(
            f"cv={cv!r} puts cases of one group on both sides of an inner split",
            remedy=("use a number of folds, or a splitter that keeps groups whole, as GroupKFold"),
        )
    return not any("groups parameter is ignored" in str(w.message) for w in caught)
