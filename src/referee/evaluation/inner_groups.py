"""Inner groups: models that validate inside their own fit are told which rows belong together."""

from __future__ import annotations

from typing import Any

from sklearn.utils.validation import has_fit_parameter

__all__ = ["group_argument"]


def group_argument(model: Any) -> str | None:
    """Return the keyword by which a model's ``fit`` takes groups, or None if it takes none.

    That is ``groups`` for a model such as `Selected`, and its name and ``__groups`` for a pipeline
    that ends with one.

    Examples
    --------
    >>> from sklearn.neighbors import KNeighborsClassifier
    >>> from sklearn.pipeline import make_pipeline
    >>> from sklearn.preprocessing import StandardScaler
    >>> from referee.evaluation.selection import Selected
    >>> group_argument(make_pipeline(StandardScaler(), Selected("knn")))
    'selected__groups'
    >>> group_argument(KNeighborsClassifier()) is None
    True
    """
    if getattr(model, "steps", None):
        name, last = model.steps[-1]
        inner = group_argument(last)
        return None if inner is None else f"{name}__{inner}"
    return "groups" if has_fit_parameter(model, "groups") else None
