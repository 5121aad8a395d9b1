"""The only fit loop: a model, data and a plan give Predictions."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import partial
from typing import Any

import numpy as np
from sklearn.base import clone

from referee.core.arrays import Floats
from referee.core.dataset import Dataset
from referee.core.plan import Plan, Split
from referee.core.predictions import Predictions
from referee.core.randomness import Seed
from referee.errors import InputError, PlanError, arg
from referee.fitting.arguments import NOTHING_MORE, FitArguments
from referee.fitting.checkpoint import Checkpoint, Kept, versions_used
from referee.fitting.engines import Engine, engine_named
from referee.fitting.fit import Fitted, fit_and_predict, score_method, unseeded_parts
from referee.fitting.progress import track
from referee.fitting.search import SearchOutcome, inner_folds, search_part
from referee.fitting.search_check import check_inner_folds, check_search
from referee.fitting.sharing import PLAIN, Shared, share_work
from referee.learners.shortcuts.pairwise import is_pairwise

__all__ = ["Run", "check_model", "nested_how", "run"]

_MOST_LEFT_OUT = 10_000
"""Cases that leave-one-out fits one by one; where work is shared there is no such limit."""


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
    searches : mapping of int to SearchOutcome
        What the search inside the model found, by the number of the split.
    """

    predictions: Predictions
    warned: Counter[str]
    model: Any = None
    how: str = PLAIN
    searches: Mapping[int, SearchOutcome] = field(default_factory=dict)


def run(
    model: Any,
    data: Dataset,
    plan: Plan,
    *,
    name: str = "model",
    scores: bool = False,
    seed: Seed = 0,
    n_jobs: int | None = None,
    backend: str | None = None,
    checkpoint: str | os.PathLike[str] | None = None,
    progress: bool = True,
    arguments: FitArguments = NOTHING_MORE,
) -> Run:
    """Fit the model on every split of the plan and collect its predictions.

    Parameters
    ----------
    model : scikit-learn classifier or regressor
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
    backend : str or None
        Where the fits are made: a backend of joblib, ``dask:ADDRESS`` or ``ray:ADDRESS``.
    checkpoint : path or None
        Directory where finished splits are kept; a second call goes on from there.
    progress : bool
        Whether a terminal shows how far it is; loops around this one show their own.
    arguments : FitArguments
        What every fit is told besides features and labels.

    Examples
    --------
    >>> from sklearn.neighbors import KNeighborsClassifier
    >>> from referee.resampling import CrossValidation
    >>> data = Dataset.of([[float(i)] for i in range(20)], [0] * 10 + [1] * 10)
    >>> plan = CrossValidation(5).plan(data)
    >>> int(run(KNeighborsClassifier(1), data, plan).predictions.unseen.wrong.sum())
    0
    """
    check_model(model)
    engine = engine_named(backend, n_jobs)
    plan.check_suits(data)
    check_inner_folds(model, data, plan)
    arguments.check(model)
    method = score_method(model) if scores else None
    shared = share_work(model, data, plan, method) if arguments.plain else Shared()
    _refuse_slow(name, plan, len(shared.fits))
    kept = _kept(checkpoint, model, data, plan, seed, method, arguments)
    known = shared.fits | _loaded(kept, plan, shared.fits)
    answers = {i: fit for i, fit in shared.answers.items() if i not in known}
    fits = _fits(model, data, plan, name, method, seed, engine, known, answers, progress, arguments)
    done = [_keep(kept, i, fit, known) for i, fit in enumerate(fits)]
    warned = Counter(message for fit in done for message in set(fit.warned))
    whole = next((f.model for f in done if f.model is not None), None)
    searches = {i: fit.search for i, fit in enumerate(done) if fit.search is not None}
    how = nested_how(model, data) if shared.how == PLAIN else shared.how
    if not arguments.plain:
        how = arguments.words if how == PLAIN else f"{how}; {arguments.words}"
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


def _kept(
    checkpoint: Any,
    model: Any,
    data: Dataset,
    plan: Plan,
    seed: Seed,
    method: str | None,
    arguments: FitArguments,
) -> Kept | None:
    """Return where finished splits of this model, with this seed, are kept; None where nowhere."""
    if checkpoint is None:
        return None
    of = {"data": data.fingerprint, "plan": plan.fingerprint, "versions": versions_used()}
    settings = (dict(arguments.params), arguments.weights, arguments.eval_share)
    cases = (data.groups, data.sample_weight)
    return Checkpoint(checkpoint, of).of_run(model, int(seed), method or "", settings, cases)


def _loaded(kept: Kept | None, plan: Plan, known: Mapping[int, Fitted]) -> dict[int, Fitted]:
    """Return the splits that an earlier run finished."""
    numbers = [i for i in kept or () if i < plan.fits and i not in known]
    finished = {i: kept.load(i) for i in numbers} if kept is not None else {}
    return {i: fit for i, fit in finished.items() if isinstance(fit, Fitted)}


def _keep(kept: Kept | None, number: int, fit: Fitted, known: Mapping[int, Fitted]) -> Fitted:
    if kept is not None and number not in known:
        kept.keep(number, fit)
    return fit


@dataclass(frozen=True, eq=False)
class _Numbered:
    """A fit by the number of its split, so that a plan travels once."""

    fit: Callable[[Split, int], Fitted]
    splits: tuple[Split, ...]

    def __call__(self, number: int) -> Fitted:
        return self.fit(self.splits[number], number)


def _fits(
    model: Any,
    data: Dataset,
    plan: Plan,
    name: str,
    method: str | None,
    seed: Seed,
    engine: Engine,
    known: Mapping[int, Fitted],
    answers: Mapping[int, Fitted],
    progress: bool,
    arguments: FitArguments,
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
        arguments=arguments,
        pairwise=is_pairwise(model),
    )
    missing = [i for i in range(plan.fits) if i not in known]
    if engine.far:
        results = engine.results(_Numbered(fit, plan.splits), [(i,) for i in missing])
    else:
        results = engine.results(fit, [(plan.splits[i], i, answers.get(i)) for i in missing])
    fitted = track(results, len(missing) if progress else 0, name)
    yield from (known[i] if i in known else next(fitted) for i in range(plan.fits))
    yield from fitted  # nothing is left, but bar and workers end here


def _stacked_scores(fits: list[Fitted]) -> Floats | None:
    if any(f.scores is None for f in fits):
        return None
    return np.concatenate([f.scores for f in fits if f.scores is not None])


def _refuse_slow(name: str, plan: Plan, shared: int) -> None:
    """Refuse to leave out each of very many cases where every one of them means a fit."""
    fits = plan.fits - shared
    if plan.leaves_one_out and fits * plan.n > _MOST_LEFT_OUT**2:
        raise PlanError(
            f"leave-one-out of {plan.n} cases means {fits} fits of {name} (the most is "
            f"{_MOST_LEFT_OUT**2 // plan.n}), which shares no work between them",
            concerning="by",
            remedy=f"use {arg('by', 'cv')}, which differs little at this size",
        )


def check_model(model: Any) -> None:
    """Refuse what cannot be fitted and copied as a scikit-learn model is."""
    if isinstance(model, type):
        raise InputError(
            "model must be an instance",
            concerning="model",
            value="the class",
            remedy=f"write {model.__name__}()",
        )
    check_search(model)
    missing = [m for m in ("fit", "predict", "get_params") if not hasattr(model, m)]
    if missing:
        raise InputError(
            f"model must be a scikit-learn classifier or regressor; {type(model).__name__} has no "
            f"{' and no '.join(missing)}",
            concerning="model",
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
