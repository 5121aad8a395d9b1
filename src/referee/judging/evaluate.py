"""evaluate: how good is this model, honestly?"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from typing import Any

from referee.core.arguments import check_text, check_texts, names_arguments
from referee.core.arrays import Label
from referee.core.dataset import Dataset
from referee.core.labels.labels import positive_class
from referee.core.labels.task import task_of
from referee.core.randomness import RandomState, child, integer_seed
from referee.core.results import Target
from referee.errors import InputError, arg, named
from referee.fitting.arguments import FitArguments
from referee.fitting.run import run
from referee.intervals.risk import RiskInterval
from referee.judging.applicable import Measures
from referee.judging.claims import claims_of
from referee.judging.evaluation import Evaluation
from referee.judging.grounds import EvaluationGrounds
from referee.judging.requests import (
    as_costs,
    check_budget,
    check_costs,
    check_measures,
    check_quantities,
    check_scores,
    check_single,
    claimed_measures,
)
from referee.judging.seeds import check_repeats, repeated_plan
from referee.judging.settings import Settings, check_interval
from referee.learners.kind import kind_of
from referee.learners.naming import name_of
from referee.measures import ERROR, Costs, Measure
from referee.resampling import Bootstrap, scheme_for

__all__ = ["evaluate"]


@names_arguments
def evaluate(
    model: Any,
    X: Any,
    y: Any,
    *,
    by: Any = "auto",
    measures: Measures = None,
    groups: Any = None,
    time: Any = None,
    sample_weight: Any = None,
    weights_in_fit: bool = False,
    fit_params: Mapping[str, Any] | None = None,
    eval_share: float | None = None,
    pos_label: Label | None = None,
    interval: str | RiskInterval = "auto",
    about: str = "auto",
    max_fits: int | None = None,
    repeats: int = 1,
    max_error: float | None = None,
    claim: str | Sequence[str] | None = None,
    costs: Costs | tuple[float, float] | None = None,
    dismiss: Sequence[str] = (),
    level: float = 0.95,
    random_state: RandomState = None,
    n_jobs: int | None = None,
    backend: str | None = None,
    checkpoint: str | os.PathLike[str] | None = None,
    name: str | None = None,
    task: str = "auto",
) -> Evaluation:
    """Measure how good a model is, with intervals, warnings and one sentence.

    Parameters
    ----------
    model : scikit-learn classifier, regressor or Pipeline
        Cloned and trained afresh in every split. Preprocessing belongs inside it, and so does a
        search (`Tuned`, `Selected`, GridSearchCV ...): it is then nested, and its own score is
        shown beside the estimate.
    X, y : array-like, DataFrame or sparse matrix; array-like
        Features, and class labels or quantities; or several labels a case: a column of 0 and 1
        for each label, or a collection of names a row.
    by : str, int, scheme, splitter or iterable of index pairs
        How to split: "auto", "cv", "holdout", "repeated-holdout", "nested-cv", "conservative-z",
        "loo", "bootstrap", "resubstitution", a number of folds, "10x10", a scheme of
        `referee.resampling`, any scikit-learn splitter, or pairs (training rows, test rows).
    measures : sequence of str, Measure or callable, optional
        Names of `referee.measures.MEASURES`; functions ``f(y_true, y_pred)`` and scikit-learn
        metrics or scorers (see `referee.measures.make_measure`). The error is always included; of
        quantities the first one named is what the verdict is about, by default "mae".
    groups : array-like, optional
        Which cases belong together; they are never split, and intervals know about them.
    time : array-like, optional
        When each case was observed; models are trained on the past only.
    sample_weight : array-like, optional
        How much each case counts in the estimates.
    weights_in_fit : bool
        Whether these weights also go into every fit.
    fit_params : mapping of str to value, optional
        What else every ``fit`` is told, as scikit-learn's ``params``: values with one entry a row
        are cut to the training rows; with metadata routing on they go where they are requested.
    eval_share : float, optional
        Share of each training set that is set aside and given to ``fit`` as ``eval_set`` (or
        ``X_val`` and ``y_val``) for early stopping; never test rows. Whole groups, where there are.
    pos_label : label, optional
        The positive class; needed for rates of a class unless labels are 0/1, -1/1 or booleans.
    interval : str or RiskInterval
        Interval of the error: a name of `referee.intervals.RISK_INTERVALS`, a `RiskInterval` of
        your own, or "auto".
    about : {"auto", "conditional", "expected"}
        Whether intervals from several fits speak about the model trained on all the data, or about
        the learning procedure. "auto" is the first, except for intervals that can only be about
        something else; when asked for, an interval by name that is about something else is refused.
    max_fits : int, optional
        How many models may be trained, besides the one on all rows. ``by="auto"`` keeps to it (10
        give one pass of cross-validation, fewer than 5 a holdout); a dearer plan is refused.
    repeats : int
        How often the plan is gone through with other seeds of a learner that has chance in it: the
        estimate is the mean over runs, and how much of the doubt the seeds make is shown.
    max_error : float, optional
        Claim to judge: the error is at most this. Without it the claim is that the model beats
        always answering the commonest class (of quantities: always predicting the mean or the
        median); with `costs`, that it costs less than the best
        constant answer; where one class has more than five times as many cases as all others, that
        it tells the classes apart better than chance (by AUC, or balanced accuracy).
    claim : str or sequence of str, optional
        What to judge instead, as "auc >= 0.8" or ["tpr >= 95 %", "cost <= 0.5"]: any measures, all
        of which must hold.
    costs : Costs or pair of floats, optional
        What a false positive and a false negative cost; adds the measure "cost".
    dismiss : sequence of str
        Codes of findings that were looked into and do not matter here, for example ``["R002"]``.
        A serious finding that is not dismissed withholds a pass.
    level : float
        Confidence level.
    random_state : int, Generator or RandomState, optional
        Seeds the splits and every unseeded part of the model.
    n_jobs : int, optional
        As in joblib; the numbers do not depend on it.
    backend : str, optional
        Where models are trained: a backend of joblib ("loky", "threading"), a cluster of Dask
        ("dask:tcp://host:8786") or of Ray ("ray:auto"). The numbers do not depend on it.
    checkpoint : path, optional
        Directory where every finished split is kept. A second call with the same data, plan and
        model goes on where the first stopped; one of other data is refused.
    name : str, optional
        How to call the model.
    task : {"auto", "classification", "regression", "multilabel"}
        What the target holds: classes, quantities or sets of labels; "auto" goes by the model and
        the target, and asks where neither tells.

    Returns
    -------
    Evaluation

    Examples
    --------
    >>> import referee
    >>> from sklearn.datasets import load_iris
    >>> from sklearn.neighbors import KNeighborsClassifier
    >>> X, y = load_iris(return_X_y=True)
    >>> e = referee.evaluate(KNeighborsClassifier(), X, y, by=10, random_state=0)
    >>> round(e.error.value, 3), e.error.n, e.verdict.outcome.value
    (0.027, 150, 'pass')
    """
    taken = task_of(y, task, kind=kind_of(model))
    settings = Settings(
        interval=interval,
        target=_target(check_text("about", about, example="expected")),
        target_asked=about != "auto",
        max_error=max_error,
        claims=claims_of(claim),
        costs=as_costs(costs),
        level=level,
        seed=integer_seed(random_state),
        numeric=taken.numeric,
    )
    data = Dataset.of(
        X, y, groups=groups, time=time, sample_weight=sample_weight, numeric=taken.numeric,
        sets=taken.sets,
    )  # fmt: skip
    arguments = FitArguments.of(fit_params, weights_in_fit, eval_share, data)
    if data.numeric:
        check_quantities(pos_label=pos_label, costs=costs)
    if data.labels:
        check_single(pos_label=pos_label, costs=costs)
    positive = positive_class(data.classes, pos_label)
    asked = check_measures(
        measures,
        positive,
        data.classes,
        weighted=data.sample_weight is not None,
        sets=taken.sets,
    )
    check_costs(settings.costs, positive, data.classes)
    claimed = claimed_measures(settings, asked, positive, data.classes, sets=taken.sets)
    for measure in (*(asked or ()), *claimed):
        check_scores(model, measure)
    choice = scheme_for(
        by,
        data,
        interval=settings.interval,
        max_fits=max_fits,
        expected=settings.target is Target.EXPECTED,
    )
    resampled = choice.scheme if isinstance(choice.scheme, Bootstrap) else None
    if resampled is not None:
        _check_bootstrap((*(asked or ()), *claimed), settings, data)
    plan = choice.scheme.plan(data, child(settings.seed, 0))
    plan = repeated_plan(plan, check_repeats(repeats, model))
    check_budget(plan, max_fits)
    check_interval(plan, data, settings)
    called = check_text("name", name, example="my model") if name else name_of(model)
    done = run(
        model,
        data,
        plan,
        name=called,
        scores=_wants_scores(asked, data, positive) or any(m.scores for m in claimed),
        seed=child(settings.seed, 1),
        n_jobs=n_jobs,
        arguments=arguments,
        backend=backend,
        checkpoint=checkpoint,
    )
    return EvaluationGrounds(
        name=called,
        predictions=done.predictions,
        settings=settings,
        data=data.fingerprint,
        plan=plan,
        measures=asked,
        positive=positive,
        estimator=resampled.estimator if resampled else "",
        dismiss=check_texts("dismiss", dismiss, example="R002"),
        why=choice.reason,
        task=taken.taken_for,
        work=done.how,
        searches=done.searches,
        repeats=int(repeats),
    ).evaluation(data=data, warned=done.warned, model=done.model)


def _target(name: str) -> Target:
    try:
        return Target.CONDITIONAL if name == "auto" else Target(name)
    except ValueError:
        raise InputError(
            "must be 'conditional' or 'expected' (or 'auto')", argument="about", value=repr(name)
        ) from None


def _check_bootstrap(measures: tuple[Measure, ...], settings: Settings, data: Dataset) -> None:
    """Refuse what the bootstrap estimates of the error would silently leave out."""
    if not data.classes:
        what = "label sets" if data.labels else "quantities"
        raise InputError(
            f"{arg('by', 'bootstrap')} estimates errors of classes; for {what} use "
            f"{arg('by', 'cv')}",
            concerning="by",
        )
    if any(measure is not ERROR for measure in measures or ()):
        raise InputError(
            f"{arg('by', 'bootstrap')} gives the error only",
            concerning="by",
            remedy=f"use {arg('by', 'cv')} for other measures",
        )
    if settings.interval != "auto":
        own = settings.interval
        asked = own if isinstance(own, str) else own.name
        raise InputError(
            f"interval {asked!r} cannot be used with {arg('by', 'bootstrap')}, which has its own "
            "(efron-tibshirani)",
            remedy=f"use {arg('interval', 'auto')}",
        )
    if settings.target_asked and settings.target is not Target.EXPECTED:
        raise InputError(
            f"{arg('by', 'bootstrap')} speaks about the learning procedure, and "
            f"{arg('about', 'conditional')} was asked for",
            concerning="by",
            remedy=f"use {arg('about', 'expected')}, or {arg('by', 'cv')}",
        )
    if data.sample_weight is not None:
        raise InputError(
            f"{arg('by', 'bootstrap')} cannot weight cases",
            concerning="by",
            remedy=f"use {arg('by', 'cv')} with {named('sample_weight')}",
        )


def _wants_scores(
    measures: tuple[Measure, ...] | None, data: Dataset, positive: Label | None
) -> bool:
    if not data.classes:
        return False
    if measures is None:
        return positive is not None or len(data.classes) > 2
    return any(measure.scores for measure in measures)
