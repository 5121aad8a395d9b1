"""permutation_test: has the model found structure, or would chance do as well?"""

from __future__ import annotations

import math
import os
from collections.abc import Callable
from contextlib import closing
from dataclasses import replace
from functools import partial
from typing import Any, cast

import numpy as np

from referee.core.arguments import names_arguments
from referee.core.arrays import Label
from referee.core.dataset import Dataset
from referee.core.labels.labels import positive_class
from referee.core.labels.task import task_of
from referee.core.randomness import RandomState, child, integer_seed
from referee.core.results import check_level
from referee.core.shared_work import SharedWork
from referee.errors import InputError, arg
from referee.fitting.checkpoint import Checkpoint, Kept, versions_used
from referee.fitting.engines import engine_named
from referee.fitting.fit import score_method
from referee.fitting.progress import track
from referee.fitting.run import check_model, nested_how
from referee.fitting.sharing import PLAIN, work_of, worker_for
from referee.judging.estimating.quantity import Quantity
from referee.judging.requests import (
    as_costs,
    check_costs,
    check_measure,
    check_quantities,
    check_scores,
    check_single,
)
from referee.learners.kind import kind_of
from referee.learners.naming import name_of
from referee.learners.shortcuts.pairwise import is_pairwise
from referee.measures import Costs, Measure, OwnMeasure
from referee.permuting.grounds import PermutationGrounds
from referee.permuting.null_values import Statistic, main_splits, pooled_value
from referee.permuting.permutation_result import PermutationTest
from referee.permuting.permuting import Permuting
from referee.resampling import LeaveOneOut, NestedCrossValidation, Resubstitution, scheme_for
from referee.resampling.given import FromPairs, TestRows
from referee.resampling.scheme import Scheme
from referee.significance.permutation import check_permutations, permutation_p

__all__ = ["PermutationTest", "permutation_test"]


@names_arguments
def permutation_test(
    model: Any,
    X: Any,
    y: Any,
    *,
    permutations: int = 1000,
    by: Any = 5,
    measure: str | Measure | Callable[..., Any] = "auto",
    null: str = "labels",
    labels: str = "shuffled",
    groups: Any = None,
    pos_label: Label | None = None,
    costs: Costs | tuple[float, float] | None = None,
    stop_after: int | None = None,
    level: float = 0.95,
    name: str | None = None,
    random_state: RandomState = None,
    n_jobs: int | None = None,
    backend: str | None = None,
    checkpoint: str | os.PathLike[str] | None = None,
    task: str = "auto",
) -> PermutationTest:
    """Say whether a model does better than on data in which chance made the labels.

    The model is validated on the true data and then, in the same way, on data as they could be if
    the null hypothesis held. p = (1 + c) / (1 + permutations), c counting those that did at least
    as well; under the null hypothesis P(p <= a) is at most a.

    Parameters
    ----------
    model : scikit-learn classifier or regressor
        Trained anew on every relabelling; a search inside it is repeated, too. Learners that share
        work (see `SharedWork`), and scikit-learn's own that have shortcuts, do thousands of
        relabellings in about the time of one.
    X, y : array-like
        Features, and labels, quantities or several labels a case, as in `evaluate`.
    permutations : int
        How many relabellings.
    by : str, int, scheme, splitter or iterable of index pairs
        As in `evaluate`. Folds asked for by name or number are drawn once, without looking at
        labels, and serve all relabellings; a scheme or splitter that looks at labels splits anew
        each time.
    measure : str, Measure or callable
        Any of `referee.measures.MEASURES`, or a measure of one's own, as in `evaluate`, that has a
        direction; of rankings and own measures the mean over splits is taken. "auto" is the error,
        or the mean absolute error of quantities.
    null : {"labels", "features"}
        "labels": labels have nothing to do with features. "features": within the classes, features
        have nothing to do with each other; each column is shuffled within each class.
    labels : {"shuffled", "sampled"}
        Whether labels are dealt anew, or drawn independently from their shares; the latter treats
        estimated shares as if they were known.
    groups : array-like, optional
        Cases that belong together; groups of equal size are dealt labels where each has one label,
        else labels are shuffled within groups. Where too few groups share a size all are dealt
        labels, keeping the classes' numbers of cases as nearly as whole groups can.
    stop_after : int, optional
        Stop when so many relabellings did at least as well (Besag and Clifford); 10 to 50 save
        most of the work where there is nothing to find.
    level : float
        The verdict is PASS where p is at most 1 - level.
    random_state, n_jobs
        The same numbers for any number of jobs.
    backend : str, optional
        Where relabellings are fitted, as in `evaluate`.
    checkpoint : path, optional
        Directory where the statistic of every relabelling that was fitted is kept. A second call
        goes on where the first stopped; one of other data is refused. Shared work, which takes
        seconds, is done again.
    task : {"auto", "classification", "regression", "multilabel"}
        As in `evaluate`.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
    >>> X, y = load_iris(return_X_y=True)
    >>> result = permutation_test(
    ...     LinearDiscriminantAnalysis(), X, y, permutations=199, random_state=0
    ... )
    >>> result.p_value, result.how
    (0.005, 'by shared work (shortcut for LinearDiscriminantAnalysis)')
    """
    check_permutations(permutations, check_level(level), stop_after)
    check_model(model)
    taken = task_of(y, task, kind=kind_of(model))
    data = Dataset.of(X, y, groups=groups, numeric=taken.numeric, sets=taken.sets)
    if data.numeric:
        check_quantities(pos_label=pos_label, costs=costs)
    if data.labels:
        check_single(pos_label=pos_label, costs=costs)
    positive = positive_class(data.classes, pos_label)
    if isinstance(measure, str) and measure == "auto":
        measure = "mae" if data.numeric else "error"
    what = check_measure(measure, positive, data.classes, sets=taken.sets)
    priced = as_costs(costs)
    check_costs(priced, positive, data.classes)
    quantity = Quantity(measure=what, positive=positive, costs=priced)
    seed = integer_seed(random_state)
    permuting = Permuting(data, null, labels, child(seed, 1))
    statistic = _statistic(model, data, by, quantity, null, child(seed, 2), name)
    statistic = replace(statistic, engine=engine_named(backend, n_jobs))
    if checkpoint is not None:
        measured = measure if callable(measure) else what.name
        asked = (null, labels, measured, str(positive), priced, data.groups, seed)
        statistic = replace(statistic, kept=_kept(checkpoint, data, statistic, asked))
    permuting.check_labellings(level)
    started = statistic.start(permuting, permutations)
    observed = pooled_value(started.predictions.unseen, quantity)
    if isinstance(what, OwnMeasure):
        unseen = started.predictions.unseen
        what.check_order(unseen, positive, priced, what.value(unseen, positive, priced))
    if math.isnan(observed):
        raise InputError(
            f"{what.name} is undefined on the true labels: {what.undefined}",
            concerning="measure",
            remedy="use another measure, or fewer folds",
        )
    values = track(started.null, permutations, statistic.name, unit="relabellings")
    with closing(values):
        counted = permutation_p(
            observed,
            values,
            greater_is_better=bool(what.greater_is_better),
            stop_after=stop_after,
        )
    if np.isnan(counted.null).all():
        statistic.of(permuting.dataset(0))  # raises what went wrong in every one of them
    return PermutationGrounds(
        name=statistic.name,
        quantity=quantity,
        predictions=started.predictions,
        plan=replace(statistic.plan_of(data), task=data.task),
        null=counted.null,
        hypothesis=null,
        draw=labels,
        stop_after=stop_after,
        level=level,
        how=_how(started.worker, model, data),
        data=data.fingerprint,
        seed=seed,
    ).test()


def _statistic(
    model: Any,
    data: Dataset,
    by: Any,
    quantity: Quantity,
    null: str,
    seed: int,
    name: str | None,
) -> Statistic:
    scheme = scheme_for(by, data).scheme
    if isinstance(scheme, Resubstitution):
        raise InputError(
            f"{arg('by', 'resubstitution')} tests no unseen case",
            concerning="by",
            remedy="use a number of folds",
        )
    check_scores(model, quantity.measure)
    if null == "features" and is_pairwise(model):
        raise InputError(
            f"{arg('null', 'features')} shuffles columns, and this model takes a matrix of all "
            "pairs of cases, which would be none any more",
            concerning="null",
            remedy=f"use {arg('null', 'labels')}",
        )
    if (
        null == "labels"
        and isinstance(by, (str, int, np.integer))
        and getattr(scheme, "stratify", False)
    ):
        scheme = replace(cast(Any, scheme), stratify=False)
    blind = null == "features" or _ignores_labels(scheme)
    plan = main_splits(scheme.plan(data, child(seed, 0))) if blind else None
    wanted = score_method(model) if quantity.measure.scores else None
    return Statistic(
        model=model,
        name=name or name_of(model),
        scheme=scheme,
        quantity=quantity,
        plan=None if plan is None else replace(plan, task=""),
        worker=worker_for(model, wanted) if data.classes else None,
        seed=seed,
    )


def _kept(checkpoint: Any, data: Dataset, statistic: Statistic, asked: Any) -> Callable[[], Kept]:
    """Return the way to where finished relabellings of this question are kept."""
    place = Checkpoint(checkpoint, {"data": data.fingerprint, "versions": versions_used()})
    plan = None if statistic.plan is None else statistic.plan.fingerprint
    return partial(place.of_run, "relabellings", statistic.model, statistic.scheme, plan, asked)


def _ignores_labels(scheme: Scheme) -> bool:
    if isinstance(scheme, NestedCrossValidation):
        return False  # draws again where a loop would lose a class
    return isinstance(scheme, (LeaveOneOut, FromPairs, TestRows)) or (
        getattr(scheme, "stratify", True) is False
    )


def _how(worker: SharedWork | None, model: Any, data: Dataset) -> str:
    if worker is not None:
        return work_of(worker)
    nested = nested_how(model, data)
    return "by fitting every relabelling" + ("" if nested == PLAIN else f"; {nested}")
