"""Own measures: a user's function, a scikit-learn metric or a scikit-learn scorer as a Measure."""

from __future__ import annotations

import inspect
import math
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from functools import partial
from typing import Any

import numpy as np

from referee.core.arrays import Label
from referee.core.predictions import Predictions
from referee.errors import InputError, named
from referee.measures.catalogue import MEASURES
from referee.measures.formulas.cost import Costs
from referee.measures.mean_losses import probabilities
from referee.measures.measure import Measure
from referee.measures.rankings import required_scores

__all__ = ["OwnMeasure", "as_measure", "as_measures", "make_measure"]

_NEEDS = ("predictions", "scores", "probabilities")
_OF_PROBABILITIES = frozenset({"log_loss", "d2_log_loss_score", "d2_brier_score"})
"""scikit-learn's functions of probabilities that call them y_pred."""
_OF_SCORES = frozenset({"y_score", "y_scores"})
_OF_PROBABILITY = frozenset({"y_proba", "y_prob", "y_probas"})
_UP = ("_score", "_accuracy", "_corrcoef")
_DOWN = ("_loss", "_error", "_distance", "_deviance", "_cost")
"""Endings of names that tell the direction, by scikit-learn's convention."""


@dataclass(frozen=True, kw_only=True)
class OwnMeasure(Measure):
    """Any function of truth and predictions; its interval comes from resampled cases.

    Attributes
    ----------
    function : callable
        From right answers and predictions (or scores) to a number.
    options : mapping
        Further arguments of every call.
    weighted : bool
        Whether it takes ``sample_weight``.
    flags : bool
        Whether it is given 1 for the positive class and 0 for the rest instead of labels, where
        it reads the scores of two classes: scikit-learn's metrics take the larger label to be the
        positive one, whatever was said.
    """

    function: Callable[..., Any]
    options: Mapping[str, Any] = field(default_factory=dict)
    weighted: bool = False
    flags: bool = False
    numeric: bool | None = None
    sets: bool | None = None

    def value(
        self, table: Predictions, positive: Label | None = None, costs: Costs | None = None
    ) -> float:
        """Return what the function says of all rows of a table."""
        truth, answers = self._arguments(table, positive)
        weight = self._weight(table)
        try:
            number = self.function(truth, answers, **self.options, **weight)
        except Exception as problem:
            kind = type(problem).__name__
            raise InputError(
                f"measure {self.name!r} raised {kind} on {len(table.case)} cases: {problem}",
                concerning="measures",
                remedy="mend the function, or leave the measure out",
            ) from problem
        return self._checked(number)

    @property
    def pools(self) -> bool:
        """Nobody knows whether it may mix models, so the mean over splits is taken."""
        return False

    def _arguments(self, table: Predictions, positive: Label | None) -> tuple[Any, Any]:
        if table.numeric:
            return self._quantities(table)
        if table.label_sets is not None:
            return self._flags(table)
        names = np.asarray(table.classes)
        truth = names[table.row_truth]
        if not self.scores:
            return truth, names[table.predicted]
        scores = required_scores(table)
        if self.probabilities:
            scores = probabilities(table, positive)
        if len(table.classes) > 2:
            return truth, scores
        about = self.options.get("pos_label", positive)
        if about is None or about not in table.classes:
            raise InputError(
                f"{self.name} needs to know the positive class",
                concerning="pos_label",
                remedy=(
                    f"pass {named('pos_label')}, one of {', '.join(repr(c) for c in table.classes)}"
                ),
            )
        at = table.classes.index(about)
        column = scores if scores.ndim == 1 else scores[:, at]
        if scores.ndim == 1 and positive is not None and about != positive:
            column = 1 - scores if self.probabilities else -scores
        as_flags = self.flags and "pos_label" not in self.options
        return (table.row_truth == at).astype(int) if as_flags else truth, column

    def _flags(self, table: Predictions) -> tuple[Any, Any]:
        """Return a column of 0 and 1 for each label, as scikit-learn's metrics take them."""
        if self.scores:
            raise InputError(
                f"measure {self.name!r} reads scores, and label sets have none here",
                concerning="measures",
                remedy="leave it out",
            )
        return table.truth_members.astype(int), table.predicted_members.astype(int)

    def _quantities(self, table: Predictions) -> tuple[Any, Any]:
        if self.scores:
            raise InputError(
                f"measure {self.name!r} reads scores of classes, and quantities are predicted",
                concerning="measures",
                remedy="leave it out",
            )
        return table.truth[table.case], table.predicted

    def _weight(self, table: Predictions) -> dict[str, Any]:
        if table.weight is None:
            return {}
        self.check_weights()
        return {"sample_weight": table.weight[table.case]}

    def check_weights(self) -> None:
        """Refuse a function that would ignore the weights of cases."""
        if not self.weighted:
            raise InputError(
                f"measure {self.name!r} takes no {named('sample_weight')}, so it would ignore the "
                "weights",
                concerning="measures",
                remedy=("give the function that argument, or leave the measure or the weights out"),
            )

    def _checked(self, number: Any) -> float:
        kind = np.asarray(number)
        if kind.ndim or kind.dtype.kind not in "biuf":
            shown = repr(number)
            shown = shown if len(shown) <= 60 else shown[:57] + "..."
            raise InputError(
                f"measure {self.name!r} must return one number",
                concerning="measures",
                value=f"{shown} ({type(number).__name__})",
            )
        value = float(kind)
        if math.isinf(value):
            raise InputError(
                f"measure {self.name!r} must return a finite number",
                concerning="measures",
                value=str(value),
            )
        if not math.isnan(value) and not self.low <= value <= self.high:
            raise InputError(
                f"measure {self.name!r} returned {value:g}, outside its range of {self.low:g} to "
                f"{self.high:g}",
                concerning="measures",
                remedy="state another low= and high=",
            )
        return value


def make_measure(
    function: Callable[..., Any],
    *,
    name: str | None = None,
    needs: str | None = None,
    greater_is_better: bool | None = None,
    low: float = -math.inf,
    high: float = math.inf,
    percent: bool = False,
    title: str | None = None,
    **options: Any,
) -> OwnMeasure:
    """Return a function of truth and predictions as a measure.

    Parameters
    ----------
    function : callable
        ``f(y_true, y_pred)`` or ``f(y_true, y_score)``, returning one number that depends neither
        on the order of the cases nor on chance. A parameter ``sample_weight`` is used where cases
        are weighted.
    name : str, optional
        How it is called; by default the function's name.
    needs : {"predictions", "scores", "probabilities"}, optional
        What the second argument is. By default scores where it is called ``y_score``,
        probabilities where it is called ``y_proba``, predictions otherwise. Of two classes it is
        the score of the positive one, of more a column per class.
    greater_is_better : bool, optional
        By default read off a name that ends in ``_score``, or in ``_loss`` or ``_error``; without
        a direction models cannot be compared by the measure.
    low, high : float
        The least and the largest value.
    percent : bool
        Whether it is written as a percentage.
    title : str, optional
        How reports call it.
    **options
        Further arguments of the function.

    Examples
    --------
    >>> def hit_rate(y_true, y_pred):
    ...     return (y_true == y_pred).mean()
    >>> make_measure(hit_rate, greater_is_better=True).value(Predictions.of([0, 1], [0, 0]))
    0.5
    >>> make_measure(lambda t, p: 0.0)
    Traceback (most recent call last):
    ...
    referee.errors.InputError: a measure needs a name, and a lambda has none; pass \
referee.measures.make_measure(function, name='...')
    """
    if not callable(function):
        raise InputError("must be callable", argument="function", value=repr(function))
    if name is not None and _is_taken(name):
        raise InputError(f"measure {name!r} is one of referee's own", remedy="give it another name")
    called = name or _name_of(function)
    if needs is not None and needs not in _NEEDS:
        raise InputError(
            f"must be one of {', '.join(map(repr, _NEEDS))}", argument="needs", value=repr(needs)
        )
    needed = needs or _needs_of(function)
    return OwnMeasure(
        called,
        title=title or called.replace("_", " "),
        greater_is_better=_direction(called) if greater_is_better is None else greater_is_better,
        low=low,
        high=high,
        percent=percent,
        of_shares=True,
        scores=needed != "predictions",
        probabilities=needed == "probabilities",
        undefined="the function returned nan",
        function=function,
        options=options,
        weighted="sample_weight" in _parameters(function),
        flags=_is_sklearn(function),
    )


def as_measure(measure: str | Measure | Callable[..., Any]) -> Measure:
    """Return what a user passes as a measure: a name, a Measure, a function, a metric or a scorer.

    Examples
    --------
    >>> from sklearn.metrics import get_scorer, jaccard_score
    >>> as_measure("recall").name, as_measure(jaccard_score).greater_is_better
    ('tpr', True)
    >>> scorer = as_measure(get_scorer("neg_log_loss"))
    >>> scorer.name, scorer.greater_is_better, scorer.probabilities
    ('log_loss (own)', False, True)
    """
    if isinstance(measure, (str, Measure)):
        return MEASURES.named(measure)
    if isinstance(measure, type):
        raise InputError(
            "must be an instance", argument="measure", value=f"the class {measure.__name__}"
        )
    own = _of_scorer(measure) if hasattr(measure, "_score_func") else None
    if own is None and callable(measure):
        _refuse_unreadable(measure)
        own = make_measure(measure)
    if own is None:
        raise InputError(
            "must be a name, a Measure, a function f(y_true, y_pred) or a scikit-learn scorer",
            argument="measure",
            value=repr(measure),
        )
    return own


def as_measures(measures: Any) -> tuple[Measure, ...] | None:
    """Return what a user passes as ``measures=``, each once; None where nothing was asked for.

    Examples
    --------
    >>> [m.name for m in as_measures(["mcc", "auc", "mcc"])]
    ['mcc', 'auc']
    """
    if measures is None:
        return None
    one = isinstance(measures, (str, Measure)) or callable(measures)
    if not one and not isinstance(measures, Iterable):
        raise InputError(
            "must be names or measures",
            argument="measures",
            value=repr(measures),
            remedy="for example ['auc', 'mcc']",
        )
    every: dict[str, Measure] = {}
    for measure in map(as_measure, [measures] if one else measures):
        other = every.setdefault(measure.name, measure)
        if other != measure:
            raise InputError(
                f"two measures are called {measure.name!r}",
                concerning="measures",
                remedy="give one of them another name with make_measure(function, name='...')",
            )
    return tuple(every.values())


def _of_scorer(scorer: Any) -> OwnMeasure:
    """Return a scikit-learn scorer as the measure it computes, in the function's own direction."""
    methods = getattr(scorer, "_response_method", "predict")
    methods = (methods,) if isinstance(methods, str) else tuple(methods)
    needs = "scores"
    if "predict" in methods:
        needs = "predictions"
    elif methods == ("predict_proba",):
        needs = "probabilities"
    return make_measure(
        scorer._score_func,
        needs=needs,
        greater_is_better=scorer._sign > 0,
        **scorer._kwargs,
    )


def _refuse_unreadable(measure: Any) -> None:
    """Refuse callables that want a model: they cannot be computed from predictions."""
    wanted = list(_parameters(measure))[:1]
    if type(measure).__name__ == "_PassthroughScorer" or wanted in (["estimator"], ["X"]):
        raise InputError(
            f"measure {measure!r} wants a fitted model, and measures are computed from its "
            "predictions",
            concerning="measure",
            remedy="pass f(y_true, y_pred), or a scorer made by make_scorer",
        )


def _name_of(function: Callable[..., Any]) -> str:
    inner = function
    while isinstance(inner, partial):
        inner = inner.func
    name = str(getattr(inner, "__name__", type(inner).__name__))
    if name == "<lambda>":
        raise InputError(
            "a measure needs a name, and a lambda has none",
            concerning="measures",
            remedy="pass referee.measures.make_measure(function, name='...')",
        )
    return f"{name} (own)" if _is_taken(name) else name


def _is_taken(name: str) -> bool:
    try:
        MEASURES.named(name)
    except InputError:
        return False
    return True


def _parameters(function: Callable[..., Any]) -> Mapping[str, inspect.Parameter]:
    try:
        return inspect.signature(function).parameters
    except (TypeError, ValueError):  # compiled functions may not tell
        return {}


def _needs_of(function: Callable[..., Any]) -> str:
    inner = function
    while isinstance(inner, partial):
        inner = inner.func
    if _is_sklearn(inner) and getattr(inner, "__name__", "") in _OF_PROBABILITIES:
        return "probabilities"
    second = list(_parameters(function))[1:2]
    if set(second) & _OF_PROBABILITY:
        return "probabilities"
    return "scores" if set(second) & _OF_SCORES else "predictions"


def _direction(name: str) -> bool | None:
    plain = name.removesuffix(" (own)")
    if plain.endswith(_DOWN):
        return False
    return True if plain.endswith(_UP) else None


def _is_sklearn(function: Callable[..., Any]) -> bool:
    while isinstance(function, partial):
        function = function.func
    return str(getattr(function, "__module__", "")).startswith("sklearn.")
