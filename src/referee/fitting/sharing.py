"""Sharing: splits whose predictions come from the model's shared work instead of fits."""

from __future__ import annotations

import threading
import warnings
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from referee.core.dataset import Dataset
from referee.core.plan import Part, Plan
from referee.core.shared_work import SharedWork, SplitOutput
from referee.learners.shortcuts.shortcut import Shortcut, shortcut_of

if TYPE_CHECKING:
    from referee.fitting.fit import Fitted

__all__ = [
    "PLAIN",
    "Shared",
    "offers_shared_work",
    "share_work",
    "shared_how",
    "work_of",
    "worker_for",
]

PLAIN = "by fitting every split"

_FEWEST = 3
"""Splits from which on sharing pays for the fit that checks it."""


@dataclass(frozen=True, eq=False)
class Shared:
    """What shared work gave.

    Attributes
    ----------
    fits : dict of int to Fitted
        By the number of the split; empty where every split has to be fitted.
    answers : dict of int to Fitted
        What the model would answer in splits where it is wanted itself, and still to be trained.
    how : str
        In words.
    """

    fits: dict[int, Fitted] = field(default_factory=dict)
    answers: dict[int, Fitted] = field(default_factory=dict)
    how: str = PLAIN


def share_work(model: Any, data: Dataset, plan: Plan, scores: str | None) -> Shared:
    """Return predictions of all splits; of the one on all rows where they are dearer than a fit.

    Whatever the plain loop would raise or warn about must come from there, with its message: on
    the slightest doubt nothing is shared.
    """
    worker = None if not data.classes else worker_for(model, scores)
    numbers = [i for i, s in enumerate(plan.splits) if s.part is not Part.RESUBSTITUTION]
    # Warnings can be caught in the main thread only.
    main = threading.current_thread() is threading.main_thread()
    if worker is None or len(numbers) < _FEWEST or not main:
        return Shared()
    if getattr(worker.work if isinstance(worker, Shortcut) else worker, "dear_answers", False):
        numbers = list(range(plan.fits))
    part = plan if len(numbers) == plan.fits else plan.only(numbers)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            outputs = worker.predict_plan(
                data.X,
                data.codes[:, None],
                part,
                classes=data.classes,
                scores=scores is not None,
            )
        fits = {i: _fitted(o, scores) for i, o in zip(numbers, outputs, strict=True)}
    except Exception:  # the plain loop will say what is wrong, if anything is
        return Shared()
    whole = {i for i in numbers if plan.splits[i].part is Part.RESUBSTITUTION}
    answers = {i: fits.pop(i) for i in whole}
    if all(o.refits >= o.predicted.shape[1] for o in outputs):
        return Shared(fits, answers)
    return Shared(fits, answers, work_of(worker))


def worker_for(model: Any, scores: str | None) -> SharedWork | None:
    """Return what predicts whole plans as the model would, itself or its shortcut, or None.

    Parameters
    ----------
    scores : str or None
        The method whose values are wanted beside labels, if any.
    """
    worker = model if offers_shared_work(model) else shortcut_of(model)
    if worker is None or scores is None:
        return worker
    return worker if scores == _score_method(worker) and scores not in vars(model) else None


def work_of(worker: SharedWork) -> str:
    """Say whose shared work it was.

    Examples
    --------
    >>> from referee.learners import GaussianBayes
    >>> work_of(GaussianBayes())
    'by shared work'
    """
    return "by shared work" + (
        f" (shortcut for {worker.name})" if isinstance(worker, Shortcut) else ""
    )


def offers_shared_work(model: Any) -> bool:
    """Tell whether a model's own class defines shared work, and the instance is not altered.

    A subclass that inherits it may fit or predict otherwise, and shared work would not know.

    Examples
    --------
    >>> from referee.learners import GaussianBayes
    >>> class Mine(GaussianBayes):
    ...     pass
    >>> offers_shared_work(GaussianBayes()), offers_shared_work(Mine())
    (True, False)
    """
    methods = {"fit", "predict", "predict_proba", "decision_function", "predict_plan"}
    altered = methods & set(vars(model))
    return "predict_plan" in vars(type(model)) and not altered


def _score_method(worker: Any) -> str:
    """Return the method of the model whose values shared work gives as scores."""
    work = worker.work if isinstance(worker, Shortcut) else worker
    return str(getattr(work, "score_method", "predict_proba"))


def shared_how(how: str, work: Mapping[str, str]) -> str:
    """Say of a validation whose predictions came from shared work; by name if there are several.

    Examples
    --------
    >>> shared_how("10-fold cross-validation", {"lda": "by shared work", "tree": PLAIN})
    '10-fold cross-validation; lda by shared work'
    """
    sharing = [f"{name} {text}" for name, text in work.items() if text not in ("", PLAIN)]
    if len(work) == 1 and sharing:
        sharing = [next(iter(work.values()))]
    return "; ".join([how, *sharing])


def _fitted(output: SplitOutput, scores: str | None) -> Fitted:
    from referee.fitting.fit import Fitted  # scikit-learn, which words alone do not need

    columns = output.scores[:, 0] if scores is not None and output.scores is not None else None
    return Fitted(np.asarray(output.predicted[:, 0], dtype=np.intp), columns, ())
