"""The models of a comparison, each with a name of its own."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from sklearn.dummy import DummyClassifier, DummyRegressor

from referee.core.machine.limits import MOST_MODELS
from referee.errors import InputError
from referee.judging.evaluation import Evaluation
from referee.learners.last_step import last_step
from referee.learners.naming import name_of

__all__ = ["is_baseline", "named_models"]


def is_baseline(model: Any) -> bool:
    """Tell whether a model answers without looking at the features."""
    return isinstance(last_step(model)[1], (DummyClassifier, DummyRegressor))


def named_models(models: Any, argument: str = "models") -> dict[str, Any]:
    """Return two or more models by name; a list of them is named by their classes.

    Examples
    --------
    >>> from sklearn.naive_bayes import GaussianNB
    >>> list(named_models([GaussianNB(), GaussianNB(var_smoothing=0.1)]))
    ['GaussianNB 1', 'GaussianNB 2']
    """
    if hasattr(models, "columns"):
        models = {name: models[name] for name in models.columns}
    if not isinstance(models, Mapping):
        if isinstance(models, (str, bytes)) or not isinstance(models, Sequence):
            raise InputError(
                f"{argument} must map names to {argument}, as {{'a': ..., 'b': ...}}; got "
                f"{type(models).__name__}",
                concerning=argument,
            )
        models = _with_names(models)
    if len(models) < 2:
        raise InputError(
            f"{argument} must hold at least two models to compare",
            concerning=argument,
            value=str(len(models)),
            remedy="for one model use evaluate",
        )
    if len(models) > MOST_MODELS:
        raise InputError(
            f"{argument} must hold at most {MOST_MODELS} models, as every pair is compared",
            concerning=argument,
            value=str(len(models)),
            remedy="compare those that matter, chosen on other cases",
        )
    written = Counter(str(name) for name in models)
    twice = next((name for name, count in written.items() if count > 1), None)
    if twice is not None:
        raise InputError(
            f"two of {argument} are called {twice!r}", remedy="give them names of their own"
        )
    return {str(name): model for name, model in models.items()}


def _with_names(models: Sequence[Any]) -> dict[str, Any]:
    """Call models by their classes, numbered where two share one."""
    names = [m.name if isinstance(m, Evaluation) else name_of(m) for m in models]
    counts, seen = Counter(names), Counter[str]()
    named = {}
    for name, model in zip(names, models, strict=True):
        seen[name] += 1
        named[f"{name} {seen[name]}" if counts[name] > 1 else name] = model
    return named
