"""Every measure by name, with its direction and what it needs."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from referee.errors import InputError, nearest
from referee.measures import rates

__all__ = ["CATALOGUE", "DEFAULT", "Measure", "measure_named"]


@dataclass(frozen=True, kw_only=True)
class Measure:
    """A named measure.

    Attributes
    ----------
    name, title : str
        Catalogue name, and how reports call it.
    greater_is_better : bool
        Its direction.
    of_matrix : callable or None
        Computes it from confusion matrices; None for measures of scores.
    positive : bool
        Whether it needs to know the positive class.
    given : str
        For plain shares of cases: which cases it is a share of ("all", "truth", "answer");
        empty for anything that is not a plain share.
    of_class : bool
        For shares: whether those cases are the positive ones (True) or the rest.
    undefined : str
        What makes it 0/0.
    """

    name: str
    title: str
    greater_is_better: bool
    of_matrix: Callable[..., Any] | None
    positive: bool = False
    given: str = ""
    of_class: bool = True
    undefined: str = ""


def _share(
    name: str, title: str, up: bool, form: Callable[..., Any], given: str, of_class: bool
) -> Measure:
    whose = "positive" if of_class else "negative"
    why = f"no {whose} {'case' if given == 'truth' else 'answer'}"
    return Measure(
        name=name,
        title=title,
        greater_is_better=up,
        of_matrix=form,
        positive=True,
        given=given,
        of_class=of_class,
        undefined=why,
    )


_ALL = (
    Measure(
        name="error", title="error", greater_is_better=False, of_matrix=rates.error, given="all"
    ),
    Measure(
        name="accuracy",
        title="accuracy",
        greater_is_better=True,
        of_matrix=rates.accuracy,
        given="all",
    ),
    Measure(
        name="balanced_accuracy",
        title="balanced accuracy",
        greater_is_better=True,
        of_matrix=rates.balanced_accuracy,
        undefined="a class has no case",
    ),
    Measure(
        name="mcc",
        title="Matthews correlation",
        greater_is_better=True,
        of_matrix=rates.matthews,
        undefined="truth or answers are all of one class",
    ),
    Measure(
        name="kappa",
        title="Cohen's kappa",
        greater_is_better=True,
        of_matrix=rates.kappa,
        undefined="truth and answers are all of one class",
    ),
    _share("tpr", "true positive rate", True, rates.true_positive_rate, "truth", True),
    _share("tnr", "true negative rate", True, rates.true_negative_rate, "truth", False),
    _share("fpr", "false positive rate", False, rates.false_positive_rate, "truth", False),
    _share("fnr", "false negative rate", False, rates.false_negative_rate, "truth", True),
    _share("precision", "precision", True, rates.precision, "answer", True),
    _share(
        "npv", "negative predictive value", True, rates.negative_predictive_value, "answer", False
    ),
    Measure(
        name="f1",
        title="F1",
        greater_is_better=True,
        of_matrix=rates.f1,
        positive=True,
        undefined="no positive case and no positive answer",
    ),
    Measure(
        name="informedness",
        title="informedness",
        greater_is_better=True,
        of_matrix=rates.informedness,
        positive=True,
        undefined="a class has no case",
    ),
    Measure(
        name="auc",
        title="area under ROC",
        greater_is_better=True,
        of_matrix=None,
        positive=True,
        undefined="one class has no case",
    ),
)

CATALOGUE: dict[str, Measure] = {m.name: m for m in _ALL}
"""Name -> measure."""

DEFAULT = ("error", "accuracy", "balanced_accuracy", "mcc", "tpr", "tnr", "precision", "f1", "auc")
"""What is reported when nothing is asked for; those that do not apply are left out."""


def measure_named(name: str) -> Measure:
    """Return the measure with that name.

    Examples
    --------
    >>> measure_named("mcc").title
    'Matthews correlation'
    >>> measure_named("acuracy")
    Traceback (most recent call last):
    ...
    referee.errors.InputError: measure 'acuracy' is unknown; did you mean 'accuracy' or 'auc'?
    """
    if name not in CATALOGUE:
        raise InputError(f"measure {name!r} is unknown{nearest(name, CATALOGUE)}")
    return CATALOGUE[name]
