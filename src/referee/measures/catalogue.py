"""Every measure by name, with its direction and what it needs."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from functools import partial
from typing import Any

from referee.errors import InputError, nearest
from referee.measures import rates

__all__ = ["ALIASES", "CATALOGUE", "DEFAULT", "Kind", "Measure", "measure_named"]


class Kind(StrEnum):
    """How a measure is computed, and so how its interval is made."""

    SHARE = "share"
    """A plain share of cases: exact intervals."""

    MATRIX = "matrix"
    """Any other function of the confusion matrix."""

    RANKING = "ranking"
    """A function of the order of the scores."""

    LOSS = "loss"
    """A mean of one loss per case."""


@dataclass(frozen=True, kw_only=True)
class Measure:
    """A named measure.

    Attributes
    ----------
    name, title : str
        Catalogue name, and how reports call it.
    kind : Kind
        How it is computed.
    greater_is_better : bool
        Its direction.
    of_matrix : callable or None
        Computes shares and matrix measures from confusion matrices.
    positive : bool
        Whether it needs to know the positive class.
    given : str
        For shares: which cases it is a share of, "all", "truth" or "answer".
    of_class : bool
        For shares: whether those cases are the positive ones (True) or the rest.
    scores : bool
        Whether it needs scores.
    of_shares : bool
        Whether its value changes with the classes' shares in the test set.
    percent : bool
        Whether it is written as a percentage.
    undefined : str
        What makes it 0/0.
    """

    name: str
    title: str
    kind: Kind
    greater_is_better: bool
    of_matrix: Callable[..., Any] | None = None
    positive: bool = False
    given: str = ""
    of_class: bool = True
    scores: bool = False
    of_shares: bool = False
    percent: bool = True
    undefined: str = ""


def _share(
    name: str,
    title: str,
    up: bool,
    form: Callable[..., Any],
    given: str,
    of_class: bool = True,
) -> Measure:
    whose = "positive" if of_class else "negative"
    why = f"no {whose} {'case' if given == 'truth' else 'answer'}"
    return Measure(
        name=name,
        title=title,
        kind=Kind.SHARE,
        greater_is_better=up,
        of_matrix=form,
        positive=given != "all",
        given=given,
        of_class=of_class,
        of_shares=given == "answer",
        undefined=why,
    )


def _matrix(
    name: str, title: str, form: Callable[..., Any], undefined: str, **options: Any
) -> Measure:
    return Measure(
        name=name,
        title=title,
        kind=Kind.MATRIX,
        greater_is_better=True,
        of_matrix=form,
        undefined=undefined,
        **options,
    )


def _ranking(name: str, title: str, **options: Any) -> Measure:
    return Measure(
        name=name,
        title=title,
        kind=Kind.RANKING,
        greater_is_better=True,
        scores=True,
        percent=False,
        undefined="one class has no case",
        **options,
    )


def _loss(name: str, title: str, **options: Any) -> Measure:
    return Measure(
        name=name,
        title=title,
        kind=Kind.LOSS,
        greater_is_better=False,
        percent=False,
        of_shares=True,
        **options,
    )


_ONE_CLASS = "truth or answers are all of one class"
_NO_CASE = "a class has no case"
_NO_ANSWER = "a class has no case and no answer, or was never answered"

_ALL = (
    _share("error", "error", False, rates.error, "all"),
    _share("accuracy", "accuracy", True, rates.accuracy, "all"),
    _matrix("balanced_accuracy", "balanced accuracy", rates.balanced_accuracy, _NO_CASE),
    _matrix(
        "mcc", "Matthews correlation", rates.matthews, _ONE_CLASS, percent=False, of_shares=True
    ),
    _matrix("kappa", "Cohen's kappa", rates.kappa, _ONE_CLASS, percent=False, of_shares=True),
    _share("tpr", "true positive rate", True, rates.true_positive_rate, "truth"),
    _share("tnr", "true negative rate", True, rates.true_negative_rate, "truth", False),
    _share("fpr", "false positive rate", False, rates.false_positive_rate, "truth", False),
    _share("fnr", "false negative rate", False, rates.false_negative_rate, "truth"),
    _share("precision", "precision", True, rates.precision, "answer"),
    _share(
        "npv", "negative predictive value", True, rates.negative_predictive_value, "answer", False
    ),
    _matrix(
        "f1",
        "F1",
        rates.f1,
        "no positive case and no positive answer",
        positive=True,
        of_shares=True,
    ),
    _matrix(
        "informedness", "informedness", rates.informedness, _NO_CASE, positive=True, percent=False
    ),
    _matrix(
        "macro_precision", "macro precision", rates.macro_precision, _NO_ANSWER, of_shares=True
    ),
    _matrix(
        "weighted_precision",
        "weighted precision",
        rates.weighted_precision,
        _NO_ANSWER,
        of_shares=True,
    ),
    _matrix("macro_f1", "macro F1", rates.macro_f1, _NO_ANSWER, of_shares=True),
    _matrix("weighted_f1", "weighted F1", rates.weighted_f1, _NO_ANSWER, of_shares=True),
    _matrix("micro_f1", "micro F1", rates.accuracy, "no case", of_shares=True),
    _ranking("auc", "area under ROC", positive=True),
    _ranking("auc50", "AUC50", positive=True, of_shares=True),
    _ranking("partial_auc", "partial area, FPR up to .1", positive=True),
    _ranking("average_precision", "average precision", positive=True, of_shares=True),
    _ranking("auc_ovr", "area under ROC, one against rest"),
    _ranking("auc_ovo", "area under ROC, one against one"),
    _loss("log_loss", "log loss", scores=True),
    _loss("brier", "Brier score", scores=True),
    _loss("cost", "cost per case", positive=True),
)

CATALOGUE: dict[str, Measure] = {m.name: m for m in _ALL}
"""Name -> measure. Also understood: f and a number (f2, f0.5), auc and a number (auc10)."""

ALIASES = {
    "recall": "tpr",
    "sensitivity": "tpr",
    "specificity": "tnr",
    "ppv": "precision",
    "roc_auc": "auc",
    "matthews_corrcoef": "mcc",
    "neg_log_loss": "log_loss",
    "brier_score": "brier",
}
"""Other names by which users know measures -> catalogue name."""

DEFAULT = (
    "error",
    "accuracy",
    "balanced_accuracy",
    "mcc",
    "tpr",
    "tnr",
    "precision",
    "f1",
    "macro_f1",
    "auc",
    "auc50",
    "average_precision",
    "auc_ovr",
    "log_loss",
    "brier",
)
"""What is reported when nothing is asked for; those that do not apply are left out."""


def measure_named(name: str) -> Measure:
    """Return the measure with that name.

    Examples
    --------
    >>> measure_named("mcc").title, measure_named("f2").title, measure_named("auc10").title
    ('Matthews correlation', 'F2', 'AUC10')
    >>> measure_named("acuracy")
    Traceback (most recent call last):
    ...
    referee.errors.InputError: measure 'acuracy' is unknown; did you mean 'accuracy' or 'auc'?
    """
    name = ALIASES.get(name, name)
    if name in CATALOGUE:
        return CATALOGUE[name]
    if match := re.fullmatch(r"f(\d+(?:\.\d+)?)", name):
        return _f_beta(name, float(match[1]))
    if match := re.fullmatch(r"auc([1-9]\d*)", name):
        return _ranking(name, f"AUC{match[1]}", positive=True, of_shares=True)
    raise InputError(f"measure {name!r} is unknown{nearest(name, CATALOGUE)}")


def _f_beta(name: str, beta: float) -> Measure:
    if beta <= 0:
        raise InputError(f"the beta of {name} must be positive; for example f2 or f0.5")
    why = "no positive case and no positive answer"
    form = partial(rates.f_beta, beta=beta)
    return _matrix(name, f"F{beta:g}", form, why, positive=True, of_shares=True)
