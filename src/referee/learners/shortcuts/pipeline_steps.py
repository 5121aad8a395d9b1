"""Steps: transformers whose results depend on the training rows of a split and nothing else."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from sklearn.base import clone

from referee.core.arrays import Features, Floats
from referee.core.dataset import take_rows
from referee.core.plan import Split
from referee.core.shared_work import SteppedAside
from referee.learners.plain_numbers import numbers_of

__all__ = ["is_affine", "known_steps", "transformed"]

_KNOWN: dict[str, frozenset[str]] = {
    "sklearn.preprocessing._data.StandardScaler": frozenset({"copy", "with_mean", "with_std"}),
    "sklearn.preprocessing._data.MinMaxScaler": frozenset({"feature_range", "copy", "clip"}),
    "sklearn.preprocessing._data.MaxAbsScaler": frozenset({"copy", "clip"}),
    "sklearn.preprocessing._data.RobustScaler": frozenset(
        {"with_centering", "with_scaling", "quantile_range", "copy", "unit_variance"}
    ),
    "sklearn.preprocessing._data.Normalizer": frozenset({"norm", "copy"}),
    "sklearn.impute._base.SimpleImputer": frozenset(
        {
            "missing_values",
            "strategy",
            "fill_value",
            "copy",
            "add_indicator",
            "keep_empty_features",
        }
    ),
}
"""Classes and the parameters that are known of them."""

_AFFINE = frozenset({"StandardScaler", "MinMaxScaler", "MaxAbsScaler", "RobustScaler"})

_ALTERED = frozenset(
    {"fit", "transform", "fit_transform", "_metadata_request", "_sklearn_output_config"}
)


def known_steps(steps: Sequence[Any]) -> tuple[Any, ...] | None:
    """Return the transformers among steps, without those that pass everything through.

    None if one of them is not known, altered, or asked to give data frames.

    Examples
    --------
    >>> from sklearn.decomposition import PCA
    >>> from sklearn.preprocessing import StandardScaler
    >>> known_steps(["passthrough", StandardScaler()])
    (StandardScaler(),)
    >>> known_steps([PCA(2)]) is None
    True
    """
    at_work = tuple(s for s in steps if not (s is None or (type(s) is str and s == "passthrough")))
    return at_work if all(_is_known(s) for s in at_work) else None


def _is_known(step: Any) -> bool:
    kind = type(step)
    options = _KNOWN.get(f"{kind.__module__}.{kind.__qualname__}")
    if options is None or _ALTERED & set(vars(step)):
        return False
    given = step.get_params(deep=False)
    # A strategy may be a function, which may do anything.
    plain = all(_is_literal(value) for value in given.values())
    return set(given) == options and plain and given["copy"] is True


def _is_literal(value: Any) -> bool:
    if isinstance(value, (tuple, list)):
        return all(_is_literal(v) for v in value)
    return value is None or isinstance(value, (str, bool, int, float, np.number))


def is_affine(step: Any) -> bool:
    """Tell whether a known step multiplies each feature by a number and adds one.

    Examples
    --------
    >>> from sklearn.preprocessing import MinMaxScaler
    >>> is_affine(MinMaxScaler()), is_affine(MinMaxScaler(clip=True))
    (True, False)
    """
    return type(step).__name__ in _AFFINE and not getattr(step, "clip", False)


def transformed(steps: Sequence[Any], X: Features, split: Split, n: int) -> Floats:
    """Return all rows as steps fitted on the training rows of one split give them.

    Raises
    ------
    SteppedAside
        Where the result is not plain numbers, or where steps give a row that is trained on and
        tested in two ways.
    """
    rest = np.setdiff1d(np.arange(n), np.concatenate([split.train, split.test]))
    # Rows in the portions in which a pipeline would see them.
    portions = [part for part in (split.train, split.test, rest) if len(part)]
    rows = [take_rows(X, part) for part in portions]
    for step in steps:
        fitted = clone(step)
        first = fitted.fit_transform(rows[0])
        rows = [first, *(fitted.transform(other) for other in rows[1:])]
    numbers = [numbers_of(part) for part in rows]
    values = np.empty((n, numbers[0].shape[1]))
    for part, number in zip(portions, numbers, strict=True):
        values[part] = number
    if not np.array_equal(values[split.train], numbers[0]):
        raise SteppedAside("a row is transformed in one way to train on and in another to test")
    return values
