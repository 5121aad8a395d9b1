"""evaluate and evaluate_predictions: how good is this model, honestly?"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, TypeAlias

from referee.core.arguments import check_text, check_texts
from referee.core.arrays import Label
from referee.core.dataset import Dataset
from referee.core.fingerprint import fingerprint
from referee.core.labels import positive_class
from referee.core.predictions import Predictions
from referee.core.randomness import RandomState, child, integer_seed
from referee.core.results import Target
from referee.errors import InputError, arg, named
from referee.fitting.run import run
from referee.intervals.one_set.priors import priors_in_order
from referee.intervals.risk import RiskInterval
from referee.judging.evaluation import Evaluation
from referee.judging.grounds import EvaluationGrounds
from referee.judging.requests import (
    as_costs,
    check_budget,
    check_costs,
    check_measures,
    check_scores,
)
from referee.judging.sequential import check_sequential
from referee.judging.settings import Settings, check_interval
from referee.learners.naming import name_of
from referee.measures import ERROR, Costs, Measure, as_measures
from referee.resampling import Bootstrap, scheme_for

__all__ = ["evaluate", "evaluate_predictions"]

Measures: TypeAlias = "str | Measure | Callable[..., Any] | Sequence[Any] | None"
"""Names, measures, functions of truth and predictions, scikit-learn metrics or scorers."""


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
    pos_label: Label | None = None,
    interval: str | RiskInterval = "auto",
    about: str = "auto",
    max_fits: int | None = None,
    max_error: float | None = None,
    costs: Costs | tuple[float, float] | None = None,
    dismiss: Sequence[str] = (),
    level: float = 0.95,
    random_state: RandomState = None,
    n_jobs: int | None = None,
    name: str | None = None,
) -> Evaluation:
    """Measure how good a model is, with intervals, warnings and one sentence.

    Parameters
    ----------
    model : scikit-learn classifier or Pipeline
        Cloned and trained afresh in every split. Preprocessing belongs inside it, and so does a
        search (`Tuned`, `Selected`, GridSearchCV ...): it is then nested, and its own score is
        shown beside the estimate.
    X, y : array-like, DataFrame or sparse matrix; array-like
        Features and class labels.
    by : str, int, scheme, splitter or iterable of index pairs
        How to split: "auto", "cv", "holdout", "repeated-holdout", "nested-cv", "conservative-z",
        "loo", "bootstrap", "resubstitution", a number of folds, "10x10", a scheme of
        `referee.resampling`, any scikit-learn splitter, or pairs (training rows, test rows).
    measures : sequence of str, Measure or callable, optional
        Names of `referee.measures.MEASURES`; functions ``f(y_true, y_pred)`` and scikit-learn
        metrics or scorers (see `referee.measures.make_measure`). The error is always included.
    groups : array-like, optional
        Which cases belong together; they are never split, and intervals know about them.
    time : array-like, optional
        When each case was observed; models are trained on the past only.
    sample_weight : array-like, optional
        How much each case counts in the estimates.
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
    max_error : float, optional
        Claim to judge: the error is at most this. Without it the claim is that the model beats
        always answering the commonest class.
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
    name : str, optional
        How to call the model.

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
    settings = Settings(
        interval=interval,
        target=_target(check_text("about", about, example="expected")),
        target_asked=about != "auto",
        max_error=max_error,
        costs=as_costs(costs),
        level=level,
        seed=integer_seed(random_state),
    )
    data = Dataset.of(X, y, groups=groups, time=time, sample_weight=sample_weight)
    positive = positive_class(data.classes, pos_label)
    asked = check_measures(
        measures, positive, data.classes, weighted=data.sample_weight is not None
    )
    check_costs(settings.costs, positive, data.classes)
    for measure in asked or ():
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
        _check_bootstrap(asked, settings, data)
    plan = choice.scheme.plan(data, child(settings.seed, 0))
    check_budget(plan, max_fits)
    check_interval(plan, data, settings)
    called = check_text("name", name, example="my model") if name else name_of(model)
    done = run(
        model,
        data,
        plan,
        name=called,
        scores=_wants_scores(asked, data, positive),
        seed=child(settings.seed, 1),
        n_jobs=n_jobs,
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
        work=done.how,
        searches=done.searches,
    ).evaluation(data=data, warned=done.warned, model=done.model)


def evaluate_predictions(
    y_true: Any,
    y_pred: Any = None,
    *,
    y_score: Any = None,
    pos_label: Label | None = None,
    measures: Measures = None,
    groups: Any = None,
    sample_weight: Any = None,
    priors: Any = None,
    labels: Any = None,
    interval: str | RiskInterval = "auto",
    max_error: float | None = None,
    costs: Costs | tuple[float, float] | None = None,
    level: float = 0.95,
    sequential: bool = False,
    random_state: RandomState = 0,
    name: str = "the model",
) -> Evaluation:
    """Measure how good given predictions are; no model and no features are needed.

    Parameters
    ----------
    y_true, y_pred : array-like
        Right answers and predictions, case by case.
    y_score : array-like, optional
        Score of the positive class per case, or one column per class; needed for the AUC.
    priors : sequence or mapping, optional
        Share of each class where the model will be used, when the test set was drawn class by
        class.
    labels : array-like, optional
        All classes, where some are absent from `y_true`.
    pos_label, measures, groups, sample_weight, interval, max_error, costs, level
        As in `evaluate`.
    sequential : bool
        Whether the cases, in the order given, came in one by one and you may stop (or may have
        stopped) because of what you saw: intervals then hold at all times at once.
    random_state, name
        As in `evaluate`.

    Returns
    -------
    Evaluation

    Examples
    --------
    >>> import referee
    >>> e = referee.evaluate_predictions(["a"] * 60 + ["b"] * 40, ["a"] * 95 + ["b"] * 5)
    >>> e.error.value, round(e.error.interval.low, 3), round(e.error.interval.high, 3)
    (0.35, 0.257, 0.452)
    """
    if y_pred is None:
        raise InputError(
            "is missing", argument="y_pred", remedy="pass the predicted label of every case"
        )
    settings = Settings(
        interval=interval,
        max_error=max_error,
        costs=as_costs(costs),
        level=level,
        seed=integer_seed(random_state),
        sequential=sequential,
    )
    predictions = Predictions.of(
        y_true,
        y_pred,
        y_score=y_score,
        groups=groups,
        sample_weight=sample_weight,
        labels=labels,
    )
    if sequential:
        check_sequential(predictions, interval=interval, priors=priors is not None)
    positive = positive_class(predictions.classes, pos_label)
    asked = as_measures(measures)
    check_costs(settings.costs, positive, predictions.classes)
    if predictions.scores is not None and predictions.scores.ndim == 1 and positive is None:
        names = ", ".join(repr(c) for c in predictions.classes)
        raise InputError(
            "scores one class, and which is not known",
            argument="y_score",
            remedy=f"pass {named('pos_label')}, one of {names}",
        )
    return EvaluationGrounds(
        name=check_text("name", name, example="my model"),
        predictions=predictions,
        settings=settings,
        data=fingerprint([predictions.truth, predictions.predicted]),
        measures=asked,
        positive=positive,
        priors=None if priors is None else priors_in_order(priors, predictions.classes),
    ).evaluation()


def _target(name: str) -> Target:
    try:
        return Target.CONDITIONAL if name == "auto" else Target(name)
    except ValueError:
        raise InputError(
            "must be 'conditional' or 'expected' (or 'auto')", argument="about", value=repr(name)
        ) from None


def _check_bootstrap(
    measures: tuple[Measure, ...] | None, settings: Settings, data: Dataset
) -> None:
    """Refuse what the bootstrap estimates of the error would silently leave out."""
    if any(measure is not ERROR for measure in measures or ()):
        raise InputError(
            f"{arg('by', 'bootstrap')} gives the error only; use {arg('by', 'cv')} for other "
            "measures"
        )
    if settings.interval != "auto":
        own = settings.interval
        asked = own if isinstance(own, str) else own.name
        raise InputError(
            f"interval {asked!r} cannot be used with {arg('by', 'bootstrap')}, which has its own "
            f"(efron-tibshirani); use {arg('interval', 'auto')}"
        )
    if settings.target_asked and settings.target is not Target.EXPECTED:
        raise InputError(
            f"{arg('by', 'bootstrap')} speaks about the learning procedure, and "
            f"{arg('about', 'conditional')} was asked for; use {arg('about', 'expected')}, or "
            f"{arg('by', 'cv')}"
        )
    if data.sample_weight is not None:
        raise InputError(
            f"{arg('by', 'bootstrap')} cannot weight cases; use {arg('by', 'cv')} with "
            f"{named('sample_weight')}"
        )


def _wants_scores(
    measures: tuple[Measure, ...] | None, data: Dataset, positive: Label | None
) -> bool:
    if measures is None:
        return positive is not None or len(data.classes) > 2
    return any(measure.scores for measure in measures)
