"""The only fit loop: a model, data and a plan give Predictions."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import partial
from typing import Any

import numpy as np
from joblib import Parallel, delayed, effective_n_jobs
from sklearn.base import clone

from referee.core.arrays import Floats
from referee.core.dataset import Dataset
from referee.core.plan import Plan
from referee.core.predictions import Predictions
from referee.core.randomness import Seed
from referee.errors import InputError
from referee.fitting.fit import Fitted, fit_and_predict, score_method, unseeded_parts
from referee.fitting.progress import track
from referee.fitting.search import Found, inner_folds, search_part
from referee.fitting.search_check import check_inner_folds, check_search
from referee.fitting.sharing import PLAIN, share_work
from referee.vocabulary import in_these_words

__all__ = ["Run", "nested_how", "run"]


@dataclass(frozen=True, eq=False)
class Run:
    """What running a plan gave.

    Attributes
    ----------
    predictions : Predictions
        The table.
    warned : Counter of str
        In how many fits each warning was raised.
    model : estimator or None
        The model trained on all rows, where the plan trains one.
    how : str
        "by fitting every split", or by what shared work.
    searches : mapping of int to Found
        What the search inside the model found, by the number of the split.
    """

    predictions: Predictions
    warned: Counter[str]
    model: Any = None
    how: str = PLAIN
    searches: Mapping[int, Found] = field(default_factory=dict)


def run(
    model: Any,
    data: Dataset,
    plan: Plan,
    *,
    name: str = "model",
    scores: bool = False,
    seed: Seed = 0,
    n_jobs: int | None = None,
    progress: bool = True,
) -> Run:
    """Fit the model on every split of the plan and collect its predictions.

    Parameters
    ----------
    model : scikit-learn classifier
        Cloned for every split; never fitted itself.
    data, plan : Dataset, Plan
        The plan must have been made for the data.
    name : str
        How messages call the model.
    scores : bool
        Whether to ask for probabilities or decision values too.
    seed : int
        Seeds whatever is random in the model; the same numbers for any `n_jobs`.
    n_jobs : int or None
        As in joblib; any joblib backend serves.
    progress : bool
        Whether a terminal shows how far it is; loops around this one show their own.

    Examples
    --------
    >>> from sklearn.neighbors import KNeighborsClassifier
    >>> from referee.resampling import CrossValidation
    >>> data = Dataset.of([[float(i)] for i in range(20)], [0] * 10 + [1] * 10)
    >>> plan = CrossValidation(5).plan(data)
    >>> int(run(KNeighborsClassifier(1), data, plan).predictions.unseen.wrong.sum())
    0
    """
    _check_model(model)
    if n_jobs is not None and not isinstance(n_jobs, (int, np.integer)):
        raise InputError("must be a whole number or None", argument="n_jobs", value=repr(n_jobs))
    if n_jobs == 0:
        raise InputError(
            "must not be 0", argument="n_jobs", remedy="use 1, a larger number, or -1 for all cores"
        )
    plan.check_suits(data)
    check_inner_folds(model, data, plan)
    method = score_method(model) if scores else None
    shared = share_work(model, data, plan, method)
    fits = _fits(model, data, plan, name, method, seed, n_jobs, shared.fits, progress)
    done = list(fits)
    warned = Counter(message for fit in done for message in set(fit.warned))
    whole = next((f.model for f in done if f.model is not None), None)
    searches = {i: fit.found for i, fit in enumerate(done) if fit.found is not None}
    how = nested_how(model, data) if shared.how == PLAIN else shared.how
    predicted = np.concatenate([fit.predicted for fit in done])
    table = Predictions.of_plan(plan, data, predicted, scores=_stacked_scores(done))
    return Run(table, warned, whole, how, searches)


def nested_how(model: Any, data: Dataset) -> str:
    """Say that a search is repeated in every training set, and how it keeps groups whole."""
    if search_part(model) is None:
        return PLAIN
    folds = inner_folds(model)
    count = "" if folds is None else f"{folds} "
    whole = "" if data.groups is None else f", its {count}inner folds keep groups whole"
    return f"nested: the search is repeated in every training set{whole}"


def _fits(
    model: Any,
    data: Dataset,
    plan: Plan,
    name: str,
    method: str | None,
    seed: Seed,
    n_jobs: int | None,
    known: dict[int, Fitted],
    progress: bool,
) -> Iterator[Fitted]:
    """Yield what each split gave, fitting those that are not known yet."""
    fit = partial(
        fit_and_predict,
        model,
        data,
        name=name,
        seed=seed,
        unseeded=unseeded_parts(model),
        scores=method,
    )
    splits = [(i, split) for i, split in enumerate(plan.splits) if i not in known]
    if effective_n_jobs(n_jobs) == 1 or len(splits) < 2:
        results = (fit(split, number) for number, split in splits)
    else:
        jobs = (delayed(in_these_words(fit))(split, number) for number, split in splits)
        results = Parallel(n_jobs=n_jobs, return_as="generator")(jobs)
    fitted = track(results, len(splits) if progress else 0, name)
    yield from (known[i] if i in known else next(fitted) for i in range(plan.fits))
    yield from fitted  # nothing is left, but bar and workers end here


def _stacked_scores(fits: list[Fitted]) -> Floats | None:
    if any(f.scores is None for f in fits):
        return None
    return np.concatenate([f.scores for f in fits if f.scores is not None])


def _check_model(model: Any) -> None:
    if isinstance(model, type):
        raise InputError(f"model must be an instance, got the class; write {model.__name__}()")
    check_search(model)
    missing = [m for m in ("fit", "predict", "get_params") if not hasattr(model, m)]
    if missing:
        raise InputError(
            f"model must be a scikit-learn classifier; {type(model).__name__} has no "
            f"{' and no '.join(missing)}"
        )
    _check_copy(model)


def _check_copy(model: Any) -> None:
    """Refuse a model of which no fresh copy can be made; every split trains one."""
    try:
        clone(model)
    except Exception as problem:
        raise InputError(
            f"model {type(model).__name__} cannot be copied by scikit-learn's clone "
            f"({type(problem).__name__}: {problem})",
            remedy="its get_params must return what its __init__ takes",
        ) from problem
