"""FitArguments: what a model's ``fit`` is told besides features and labels, split by split.

Values with one entry per row are cut to the training rows. Names follow scikit-learn: with metadata
routing on, whoever requested an argument gets it; otherwise a pipeline's step is named in front, as
``svc__sample_weight``.
"""

from __future__ import annotations

import inspect
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from sklearn import get_config
from sklearn.model_selection import GroupShuffleSplit, ShuffleSplit, StratifiedShuffleSplit
from sklearn.model_selection._search import BaseSearchCV
from sklearn.utils.metadata_routing import MetadataRouter, MethodMapping, process_routing
from sklearn.utils.validation import has_fit_parameter

from referee.core.arrays import Rows
from referee.core.dataset import Dataset, take_rows
from referee.core.randomness import Seed
from referee.core.showing.numbers import percent
from referee.errors import InputError, arg, named
from referee.fitting.inner_groups import keep_groups_whole
from referee.learners.last_step import last_step
from referee.learners.naming import name_of
from referee.learners.shortcuts.pairwise import rows_for

__all__ = ["NOTHING_MORE", "FitArguments"]

_WATCHED = ("eval_set", "X_val", "y_val")
"""Arguments by which a fit watches cases that it is not trained on."""
_WATCHED_WEIGHTS = ("sample_weight_eval_set", "eval_sample_weight", "sample_weight_val")


@dataclass(frozen=True, eq=False)
class FitArguments:
    """What every fit is told, and which of its training rows it watches to stop early.

    Attributes
    ----------
    params : mapping of str to value
        As scikit-learn's ``params``.
    weights : bool
        Whether the cases' weights go into every fit.
    eval_share : float or None
        Share of each training set that is set aside for early stopping.

    Examples
    --------
    >>> FitArguments(weights=True, eval_share=0.1).words
    'weights in every fit, early stopping watched on 10.0 % of each training set'
    """

    params: Mapping[str, Any] = field(default_factory=dict)
    weights: bool = False
    eval_share: float | None = None

    @classmethod
    def of(
        cls, fit_params: Any, weights_in_fit: bool, eval_share: float | None, data: Dataset
    ) -> FitArguments:
        """Check what was asked for, once."""
        params = {} if fit_params is None else fit_params
        if not isinstance(params, Mapping) or not all(isinstance(key, str) for key in params):
            raise InputError(
                "must map names of arguments of fit to values",
                argument="fit_params",
                value=repr(fit_params),
                remedy="for example {'sample_weight': weights}",
            )
        watched = next((key for key in params if key.split("__")[-1] in _WATCHED), None)
        if watched is not None:
            raise InputError(
                f"has {watched!r}, which would be the same rows in every split, test rows of some",
                argument="fit_params",
                remedy=f"pass {arg('eval_share', 0.1)}: rows are set aside in each training set",
            )
        if weights_in_fit and data.sample_weight is None:
            raise InputError(
                f"{arg('weights_in_fit', True)} needs {named('sample_weight')}",
                concerning="weights_in_fit",
            )
        if eval_share is not None and not (_is_number(eval_share) and 0 < eval_share < 1):
            raise InputError(
                "must lie strictly between 0 and 1",
                argument="eval_share",
                value=repr(eval_share),
                remedy="for example 0.1",
            )
        return cls(dict(params), bool(weights_in_fit), eval_share)

    @property
    def plain(self) -> bool:
        """Whether a fit is told nothing but features and labels."""
        return not self.params and not self.weights and self.eval_share is None

    @property
    def words(self) -> str:
        """What the fits were told, in words; empty where nothing."""
        words = [f"fit with {', '.join(self.params)}"] if self.params else []
        words += ["weights in every fit"] if self.weights else []
        if self.eval_share is not None:
            share = percent(self.eval_share)
            words.append(f"early stopping watched on {share} of each training set")
        return ", ".join(words)

    def check(self, model: Any) -> None:
        """Refuse what the model's ``fit`` does not take, before anything is fitted."""
        if self.weights:
            self._check_weights(model)
        if self.eval_share is not None and _watching(last_step(model)[1]) is None:
            raise InputError(
                f"{arg('eval_share')} sets rows aside for early stopping, and "
                f"{name_of(last_step(model)[1])}.fit takes neither eval_set nor X_val",
                concerning="eval_share",
                remedy="leave it out",
            )
        _check_names(model, self.params)

    def _check_weights(self, model: Any) -> None:
        if "sample_weight" in {key.split("__")[-1] for key in self.params}:
            raise InputError(
                f"{arg('weights_in_fit', True)} and {named('fit_params')} both give a "
                "sample_weight",
                concerning="weights_in_fit",
                remedy="leave out one of them",
            )
        _, last = _answering(model)
        if not _routing() and not has_fit_parameter(last, "sample_weight"):
            raise InputError(
                f"{arg('weights_in_fit', True)}: {name_of(last)}.fit takes no sample_weight",
                concerning="weights_in_fit",
                remedy="leave it out, or use another model",
            )

    def train(
        self, model: Any, data: Dataset, train: Rows, seed: Seed, pairwise: bool | None = None
    ) -> Rows:
        """Fit a model on training rows, and return those it was really trained on."""
        rows, held = self._inner_split(data, train, seed)
        keywords = keep_groups_whole(model, data, rows) | self._keywords(model, data, rows)
        features, labels = rows_for(model, data.X, rows, rows, pairwise), data.y[rows]
        if held is None:
            model.fit(features, labels, **keywords)
        else:
            _fit_watched(
                model, features, labels, keywords, _Held.of(data, held, rows, self.weights)
            )
        return rows

    def _inner_split(self, data: Dataset, train: Rows, seed: Seed) -> tuple[Rows, Rows | None]:
        """Set aside rows of a training set: whole groups, else class by class where it can be."""
        if self.eval_share is None:
            return train, None
        rows, codes = np.unique(train), data.codes
        options = {"n_splits": 1, "test_size": self.eval_share, "random_state": seed}
        counts = np.bincount(codes[rows], minlength=len(data.classes))
        aside = self.eval_share * len(rows)
        splitter: Any = StratifiedShuffleSplit(**options)
        if data.groups is not None:
            splitter = GroupShuffleSplit(**options)
        elif counts[counts > 0].min() < 2 or min(aside, len(rows) - aside) < len(data.classes):
            splitter = ShuffleSplit(**options)
        groups = None if data.groups is None else data.groups[rows]
        kept, held = next(splitter.split(rows, codes[rows], groups))
        # A bootstrap sample draws rows several times; none of them may be on both sides.
        return train[np.isin(train, rows[kept])], rows[held]

    def _keywords(self, model: Any, data: Dataset, rows: Rows) -> dict[str, Any]:
        keywords = {key: _cut(value, rows, data.n) for key, value in self.params.items()}
        if self.weights:
            assert data.sample_weight is not None
            prefix = "" if _routing() else _answering(model)[0]
            keywords[f"{prefix}sample_weight"] = data.sample_weight[rows]
        return _routed(model, keywords)


NOTHING_MORE = FitArguments()
"""Features and labels alone."""


@dataclass(frozen=True, eq=False)
class _Held:
    """Rows of a training set that a fit watches."""

    data: Dataset
    rows: Rows
    trained: Rows
    weights: Any

    @classmethod
    def of(cls, data: Dataset, rows: Rows, trained: Rows, weighted: bool) -> _Held:
        weights = data.sample_weight[rows] if weighted and data.sample_weight is not None else None
        return cls(data, rows, trained, weights)


def _fit_watched(
    model: Any, features: Any, labels: Any, keywords: Mapping[str, Any], held: _Held
) -> None:
    """Fit a model, or the steps of a pipeline one after the other, so that it watches rows.

    The steps before the last are trained without those rows, and prepare them.
    """
    watched = rows_for(model, held.data.X, held.rows, held.trained)
    prefix, last = last_step(model)
    own = {key.removeprefix(prefix): v for key, v in keywords.items() if key.startswith(prefix)}
    if prefix:
        before = {key: v for key, v in keywords.items() if not key.startswith(prefix)}
        head = model[:-1]
        features = head.fit_transform(features, labels, **before)
        watched = head.transform(watched)
        model.steps[:-1] = head.steps  # a pipeline with a memory fits copies
    last.fit(features, labels, **own, **_watching_arguments(last, watched, held))


def _watching_arguments(last: Any, watched: Any, held: _Held) -> dict[str, Any]:
    labels = held.data.y[held.rows]
    if _watching(last) == "eval_set":
        keywords: dict[str, Any] = {"eval_set": [(watched, labels)]}
    else:
        keywords = {"X_val": watched, "y_val": labels}
    if held.weights is not None:
        name = next((w for w in _WATCHED_WEIGHTS if has_fit_parameter(last, w)), None)
        if name is not None:
            keywords[name] = held.weights if name == "sample_weight_val" else [held.weights]
    return keywords


def _watching(last: Any) -> str | None:
    return next((w for w in _WATCHED[:2] if has_fit_parameter(last, w)), None)


def _answering(model: Any) -> tuple[str, Any]:
    """Return the model that is trained in the end, inside a search too, and its prefix."""
    prefix, last = last_step(model)
    if isinstance(last, BaseSearchCV):
        inner, last = last_step(last.estimator)
        prefix += inner
    return prefix, last


def _cut(value: Any, rows: Rows, n: int) -> Any:
    """Return the entries of the training rows, of a value that has one for each row."""
    if isinstance(value, (str, bytes, Mapping)) or not hasattr(value, "__len__"):
        return value
    if (value.shape[0] if hasattr(value, "shape") and value.shape else len(value)) != n:
        return value
    return take_rows(value if hasattr(value, "shape") else np.asarray(value), rows)


def _check_names(model: Any, params: Mapping[str, Any]) -> None:
    if _routing():
        _routed(model, params)
        return
    prefix, last = last_step(model)
    for key in params:
        if prefix and "__" not in key:
            raise InputError(
                f"has {key!r}, and a pipeline must know for which step",
                argument="fit_params",
                remedy=f"write {prefix}{key}, or turn on scikit-learn's metadata routing",
            )
        if not prefix and not _takes(last, key):
            raise InputError(
                f"has {key!r}, which {name_of(model)}.fit does not take", argument="fit_params"
            )


def _takes(model: Any, name: str) -> bool:
    kinds = inspect.signature(model.fit).parameters.values()
    return any(p.name == name or p.kind is inspect.Parameter.VAR_KEYWORD for p in kinds)


def _routing() -> bool:
    return bool(get_config().get("enable_metadata_routing", False))


def _routed(model: Any, keywords: Mapping[str, Any]) -> dict[str, Any]:
    """Return what the model asked for, where metadata routing is on; all of it otherwise."""
    if not _routing() or not keywords:
        return dict(keywords)
    try:
        return dict(process_routing(_Caller(model), "fit", **keywords).estimator.fit)
    except Exception as problem:
        said = " ".join(str(problem).split())
        raise InputError(f"cannot be routed: {said}", argument="fit_params") from problem


class _Caller:
    """Whoever calls fit, as scikit-learn's metadata routing wants to know it."""

    def __init__(self, model: Any) -> None:
        self.model = model

    def get_metadata_routing(self) -> Any:
        """Say that fit calls the model's fit."""
        mapping = MethodMapping().add(caller="fit", callee="fit")
        return MetadataRouter(owner=self).add(estimator=self.model, method_mapping=mapping)


def _is_number(value: Any) -> bool:
    return isinstance(value, (int, float, np.number)) and not isinstance(value, bool)
