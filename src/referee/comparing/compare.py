"""compare and compare_predictions: which model is better, or is it chance?"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from referee.checks import Context
from referee.comparing.comparison import Comparison
from referee.comparing.grounds import ComparisonGrounds
from referee.comparing.named import is_baseline, named_models
from referee.comparing.question import Question, default_claim
from referee.core.arguments import check_texts
from referee.core.arrays import Anything, Label
from referee.core.dataset import Dataset
from referee.core.fingerprint import fingerprint
from referee.core.labels.label_sets import holds_label_sets
from referee.core.labels.label_tables import all_label_names, label_set_table, with_shared_sets
from referee.core.labels.labels import as_labels, classes_of, positive_class, refuse_misaligned
from referee.core.labels.task import task_of
from referee.core.plan import Plan
from referee.core.predictions import Predictions
from referee.core.randomness import RandomState, child, integer_seed
from referee.core.tally import Tally
from referee.errors import InputError, Refusal, arg, named, nearest
from referee.fitting.arguments import FitArguments
from referee.fitting.run import run
from referee.intervals.catalogue import DIFFERENCE_INTERVALS
from referee.intervals.difference.difference_interval import DifferenceInterval
from referee.judging.evaluation import Evaluation, Provenance
from referee.judging.requests import (
    as_costs,
    check_costs,
    check_quantities,
    check_single,
    measures_to_compare,
)
from referee.judging.settings import versions
from referee.judging.streamed import joined_tallies, read_columns, tallies
from referee.learners.kind import kind_of
from referee.measures import Costs, Measure
from referee.resampling import Bootstrap, Resubstitution, scheme_to_compare
from referee.significance.catalogue import COMPARISON_TESTS
from referee.significance.comparison_test import ComparisonSituation, ComparisonTest
from referee.significance.learners.calibrated_t import CALIBRATED_T
from referee.sources.stream import is_source

__all__ = ["compare", "compare_predictions"]

_COUNTED = (None, "error", "accuracy")
"""Measures of which a table that is not read whole gives a comparison: counts say it all."""


def compare(
    models: Mapping[str, Any] | Sequence[Any],
    X: Any = None,
    y: Any = None,
    *,
    by: Any = "auto",
    measure: str | Measure | Callable[..., Any] | Sequence[Any] | None = None,
    groups: Any = None,
    time: Any = None,
    sample_weight: Any = None,
    fit_params: Mapping[str, Any] | None = None,
    weights_in_fit: bool = False,
    eval_share: float | None = None,
    pos_label: Label | None = None,
    costs: Costs | tuple[float, float] | None = None,
    significance: str | ComparisonTest = "auto",
    interval: str | DifferenceInterval = "auto",
    rope: float = 0.0,
    claim: str | None = None,
    adjust: str = "holm",
    dismiss: Sequence[str] = (),
    level: float = 0.95,
    random_state: RandomState = None,
    n_jobs: int | None = None,
    backend: str | None = None,
    checkpoint: str | os.PathLike[str] | None = None,
    task: str = "auto",
) -> Comparison:
    """Say which of two or more learners is better, by how much, and how sure that is.

    All models go through one plan of splits. Several fits are compared by a test that knows that
    training sets overlap, a single split by an exact paired test.

    Parameters
    ----------
    models : mapping of str to model, or sequence of models
        Two or more scikit-learn classifiers, or regressors; or two or more `Evaluation` of the
        same plan, without `X` and `y`.
    X, y : array-like, DataFrame or sparse matrix; array-like
        Features and class labels.
    by : str, int, scheme, splitter or iterable of index pairs
        As in `evaluate`; "auto" adds halvings to repeated cross-validation, from which the default
        test learns how much the difference varies.
    measure : str, Measure or callable, or a sequence of them, optional
        What to compare, by default the error (of quantities "mae"): a name of
        `referee.measures.MEASURES`, or a measure of one's own, as in
        `evaluate`, that has a direction. Of several the verdict is about the first; the others are
        compared beside it (`Comparison.others`), each by a test that suits it.
    groups, time, sample_weight, fit_params, weights_in_fit, eval_share, pos_label, costs
        As in `evaluate`. With weights, tests that count every case once are refused: a paired
        bootstrap (DeLong's test for the AUC) and the corrected t take them into account.
    significance : str or ComparisonTest
        The test: "auto", a name of `referee.significance.COMPARISON_TESTS`, or a test of your own.
        One that does not suit the plan is refused before anything is fitted.
    interval : str or DifferenceInterval
        Interval of a difference of errors on one split: "auto", a name of
        `referee.intervals.DIFFERENCE_INTERVALS`, or one of your own.
    rope : float
        Region of practical equivalence: differences up to this size do not matter. With it,
        models can be shown to be equivalent.
    claim : {"better", "non-inferior", "equivalent", "difference"}, optional
        What is to be shown; the first model is the candidate. "better" than the second (the claim
        about two models unless another is made), "non-inferior": not worse by more than `rope`,
        "equivalent" within `rope` (the claim where there is one), or that there is a "difference"
        (the claim about three and more). `verdict.shown` goes by it.
    adjust : str
        How p-values are raised for the number of pairs, a name of
        `referee.significance.ADJUSTMENTS`.
    dismiss : sequence of str
        Codes of findings that were looked into; a serious one that is not dismissed withholds the
        verdict.
    level : float
        Confidence level.
    random_state, n_jobs, backend, checkpoint, task
        As in `evaluate`.

    Returns
    -------
    Comparison

    Examples
    --------
    >>> import referee
    >>> from sklearn.datasets import load_iris
    >>> from sklearn.dummy import DummyClassifier
    >>> from sklearn.naive_bayes import GaussianNB
    >>> X, y = load_iris(return_X_y=True)
    >>> c = referee.compare({"nb": GaussianNB(), "guess": DummyClassifier()}, X, y, by="10x10",
    ...                     random_state=0)
    >>> c.verdict.outcome.value, c.best, c.evidence.test
    ('first', ('nb',), 'corrected-t')
    """
    by_name = named_models(models)
    if all(isinstance(m, Evaluation) for m in by_name.values()):
        if any(given is not None for given in (X, y, groups, time, sample_weight, fit_params)):
            raise InputError(
                "Evaluations bring their own cases",
                concerning="models",
                remedy="leave out X, y, groups, time and weights, or pass models",
            )
        return _of_evaluations(
            by_name,
            measure=measure,
            pos_label=pos_label,
            costs=costs,
            significance=significance,
            interval=interval,
            rope=rope,
            claim=default_claim(claim, len(by_name), rope),
            adjust=adjust,
            level=level,
        )
    if isinstance(X, Mapping):
        raise InputError(
            "several data sets are compared by compare_datasets(models, datasets)", concerning="X"
        )
    if X is None or y is None:
        raise InputError(
            "X and y are missing",
            concerning="X",
            remedy="pass features and labels, or Evaluations to compare",
        )
    seed = integer_seed(random_state)
    taken = task_of(y, task, kind=_kind(by_name))
    data = Dataset.of(
        X, y, groups=groups, time=time, sample_weight=sample_weight, numeric=taken.numeric,
        sets=taken.sets,
    )  # fmt: skip
    if data.numeric:
        check_quantities(pos_label=pos_label, costs=costs)
    if data.labels:
        check_single(pos_label=pos_label, costs=costs)
    arguments = FitArguments.of(fit_params, weights_in_fit, eval_share, data)
    positive = positive_class(data.classes, pos_label)
    what, *more = measures_to_compare(measure, positive, data.classes, sets=taken.sets)
    question = Question(
        measure=what,
        positive=positive,
        costs=as_costs(costs),
        significance=significance,
        interval=interval,
        rope=rope,
        claim=default_claim(claim, len(by_name), rope),
        adjust=adjust,
        level=level,
        seed=child(seed, 2),
        pairs=_pairs(len(by_name), claim),
        baselines=frozenset(name for name, m in by_name.items() if is_baseline(m)),
    )
    check_costs(question.costs, positive, data.classes)
    choice = scheme_to_compare(by, data, halvings=_wants_halvings(question, data))
    _refuse_scheme(choice.scheme)
    plan = choice.scheme.plan(data, child(seed, 0))
    situation = ComparisonSituation.of_plan(plan, data, **question.asked)
    COMPARISON_TESTS.asked(question.significance, situation)
    DIFFERENCE_INTERVALS.asked(question.interval, situation)
    done = {
        name: run(
            model,
            data,
            plan,
            name=name,
            scores=any(m.scores for m in (what, *more)),
            seed=child(seed, 1),
            n_jobs=n_jobs,
            arguments=arguments,
            backend=backend,
            checkpoint=checkpoint,
        )
        for name, model in by_name.items()
    }
    grounds = ComparisonGrounds(
        tables=with_shared_sets({name: r.predictions for name, r in done.items()}),
        question=question,
        how=plan.description,
        why=choice.reason,
        work={name: r.how for name, r in done.items()},
        contexts={name: Context(data=data, plan=plan, warned=r.warned) for name, r in done.items()},
        dismiss=check_texts("dismiss", dismiss, example="R002"),
        provenance=_provenance(seed, data.fingerprint, plan),
        plan=plan,
        known=situation,
        others=tuple(more),
    )
    return replace(grounds.comparison(), models={name: r.model for name, r in done.items()})


def _wants_halvings(question: Question, data: Dataset) -> bool:
    """Tell whether the default plan should have halvings, which only one test reads."""
    return (
        data.sample_weight is None
        and question.is_mean_loss
        and question.significance
        in (
            "auto",
            CALIBRATED_T.name,
            CALIBRATED_T,
        )
    )


def compare_predictions(
    y_true: Any,
    y_preds: Mapping[str, Any],
    *,
    y_scores: Mapping[str, Any] | None = None,
    pos_label: Label | None = None,
    labels: Any = None,
    groups: Any = None,
    sample_weight: Any = None,
    measure: str | Measure | Callable[..., Any] | Sequence[Any] | None = None,
    costs: Costs | tuple[float, float] | None = None,
    significance: str | ComparisonTest = "auto",
    interval: str | DifferenceInterval = "auto",
    rope: float = 0.0,
    claim: str | None = None,
    adjust: str = "holm",
    level: float = 0.95,
    sequential: bool = False,
    random_state: RandomState = 0,
    task: str = "auto",
    truth: str = "truth",
    on: str | None = None,
) -> Comparison:
    """Say which of two or more models predicted the same cases better; no model is needed.

    Parameters
    ----------
    y_true : array-like, or mapping of str to array-like
        The right answers; a mapping with the names of `y_preds` where the models were tested on
        different cases (then nothing is paired, and more cases are needed). Or a table (a polars
        LazyFrame, or the path of Parquet or CSV files, a folder or a pattern) whose columns the
        other arguments name: errors of two models are then counted in one streaming pass. Or a
        mapping of two such tables, one a model, which are joined by the ids of `on`.
    y_preds : mapping of str to array-like
        Each model's predictions of the same cases, in the same order.
    y_scores : mapping of str to array-like, optional
        Each model's scores, for measures of the ranking or of probabilities.
    labels : array-like, optional
        All classes, where some are absent from `y_true`.
    pos_label, groups, sample_weight, measure, costs, significance, interval
        As in `compare`.
    rope, claim, adjust, level, random_state, task
        As in `compare`.
    sequential : bool
        Whether the cases, in the order given, came in one by one and you may stop (or may have
        stopped) because of what you saw: p-values and intervals then hold at all times.
    truth : str
        The column of right answers, where `y_true` is a table.
    on : str, optional
        The column of ids, where each model has a table of its own.

    Returns
    -------
    Comparison

    Examples
    --------
    >>> import referee
    >>> truth = [0, 1] * 100
    >>> a = truth[:190] + [1, 0] * 5
    >>> b = truth[:170] + [1, 0] * 15
    >>> c = referee.compare_predictions(truth, {"a": a, "b": b})
    >>> c.difference.value, c.evidence.test, round(c.evidence.p_value, 7)
    (-0.1, 'mcnemar-exact', 1.9e-06)
    >>> c.verdict.outcome.value
    'first'
    """
    by_name = named_models(y_preds, "y_preds")
    _check_scores(y_scores, by_name)
    tables: Mapping[str, Predictions]
    alone = y_scores is None and groups is None and sample_weight is None and not sequential
    shares = measure is None or (isinstance(measure, str) and measure in _COUNTED)
    counted = len(by_name) == 2 and shares and task != "regression"
    apart = isinstance(y_true, Mapping) and all(is_source(table) for table in y_true.values())
    if apart:
        _check_apart(y_true, by_name, on, whole=alone and counted)
        tables = joined_tallies(y_true, truth, by_name, str(on), labels)
    elif is_source(y_true) and alone and counted:
        tables = tallies(y_true, truth, dict(by_name), labels)
    else:
        if is_source(y_true):
            y_true, by_name, y_scores, groups, sample_weight = _read(
                y_true, truth, by_name, y_scores, groups, sample_weight
            )
        given = _truths(y_true, by_name)
        if _of_label_sets(given, task):
            check_single(pos_label=pos_label, costs=costs, y_scores=y_scores)
            tables = _label_sets(given, by_name, labels, groups, sample_weight)
        elif _of_quantities(given, by_name, task if labels is None else "classification"):
            check_quantities(
                pos_label=pos_label, costs=costs, y_scores=y_scores, sequential=sequential or None
            )
            tables = {
                name: _quantities(name, given[name], answers, groups, sample_weight)
                for name, answers in by_name.items()
            }
        else:
            tables = _tables(given, by_name, y_scores, groups, labels, sample_weight)
    some = next(iter(tables.values()))
    positive = positive_class(some.classes, pos_label)
    sets = some.label_sets is not None
    what, *more = measures_to_compare(measure, positive, some.classes, sets=sets)
    question = Question(
        measure=what,
        positive=positive,
        costs=as_costs(costs),
        significance=significance,
        interval=interval,
        rope=rope,
        claim=default_claim(claim, len(by_name), rope),
        adjust=adjust,
        level=level,
        seed=integer_seed(random_state),
        pairs=_pairs(len(by_name), claim),
        sequential=sequential,
    )
    check_costs(question.costs, positive, some.classes)
    paired = apart or not isinstance(y_true, Mapping)
    prints = [a for t in tables.values() for a in (t.truth, t.predicted)]
    prints += [t.times for t in tables.values() if isinstance(t, Tally)]
    return ComparisonGrounds(
        tables=tables,
        question=question,
        how=_how(paired, sequential),
        paired=paired,
        contexts=dict.fromkeys(tables, Context()),
        provenance=_provenance(question.seed, fingerprint(prints, codes=True), None),
        others=tuple(more),
    ).comparison()


def _read(
    source: Any, truth: str, by_name: Mapping[str, Any], y_scores: Any, groups: Any, weight: Any
) -> tuple[Any, dict[str, Any], Any, Any, Any]:
    """Return the columns of a table that a comparison needs case by case."""
    scores = {} if y_scores is None else {str(k): v for k, v in y_scores.items()}
    read = read_columns(
        source,
        truth=truth,
        groups=groups,
        weight=weight,
        **{f"answers {name}": column for name, column in by_name.items()},
        **{f"scores {name}": column for name, column in scores.items()},
    )
    answers = {name: read[f"answers {name}"] for name in by_name}
    columns = {name: read[f"scores {name}"] for name in scores} or None
    return read["truth"], answers, columns, read.get("groups"), read.get("weight")


def _check_apart(
    sources: Mapping[str, Any], by_name: Mapping[str, Any], on: str | None, *, whole: bool
) -> None:
    """Refuse what tables of their own do not give: two models, their errors, and ids."""
    if on is None:
        raise InputError(
            "is missing", argument="on", remedy="name the column of ids that joins the tables"
        )
    if set(sources) != set(by_name):
        raise InputError(
            f"must name the models of {named('y_preds')}, {', '.join(map(repr, by_name))}",
            argument="y_true",
            value=", ".join(map(repr, sources)),
        )
    if not whole:
        raise InputError(
            "may hold tables of two models whose errors are compared; for other measures, scores, "
            "groups or weights join the tables first, or read them",
            argument="y_true",
        )


def _tables(
    given: Mapping[str, Any],
    by_name: Mapping[str, Any],
    y_scores: Any,
    groups: Any,
    labels: Any,
    weight: Any,
) -> dict[str, Predictions]:
    """Return the table of every model, checked."""
    truths = _checked(given)
    if labels is None:
        labels = _all_classes(truths, by_name)
    scores = {} if y_scores is None else {str(k): v for k, v in y_scores.items()}
    tables: dict[str, Predictions] = {}
    same: dict[int, Predictions] = {}
    for name, answers in by_name.items():
        truth, score = truths[name], scores.get(name)
        try:
            # Labels that were checked have lost the index of a Series.
            for other, what in ((answers, "y_pred"), (score, "y_score"), (groups, "groups")):
                refuse_misaligned(given[name], other, f"y_true and {what}")
            known = same.get(id(truth))
            if known is None:
                known = same[id(truth)] = Predictions.of(
                    truth, answers, y_score=score, groups=groups, labels=labels,
                    sample_weight=weight,
                )  # fmt: skip
                tables[name] = known
            else:
                tables[name] = known.answered(answers, y_score=score)
        except InputError as problem:
            raise InputError(f"model {name!r}: {problem}", concerning="models") from None
    return tables


def _how(paired: bool, sequential: bool) -> str:
    if sequential:
        return "given predictions as they came, judged at all times"
    return "given predictions" + ("" if paired else " of different cases")


def _pairs(models: int, claim: str | None) -> int:
    return models - 1 if claim == "non-inferior" else models * (models - 1) // 2


def _kind(by_name: Mapping[str, Any]) -> str:
    """Return what the models are, where they say so; classifiers and regressors do not mix."""
    kinds = {name: kind_of(model) for name, model in by_name.items()}
    known = {kind: name for name, kind in kinds.items() if kind}
    if len(known) > 1:
        each = " and ".join(f"{name} is a {kind}" for kind, name in sorted(known.items()))
        raise InputError(each, remedy="compare models of one kind")
    return next(iter(known), "")


def _of_quantities(given: Mapping[str, Any], by_name: Mapping[str, Any], task: str) -> bool:
    """Tell whether quantities were predicted, from the right answers and all models' answers."""
    return any(task_of(given[name], task, answers=a).numeric for name, a in by_name.items())


def _of_label_sets(given: Mapping[str, Any], task: str) -> bool:
    """Tell whether label sets were predicted, asked for or seen in the right answers."""
    if task != "auto":
        return task == "multilabel"
    return all(holds_label_sets(truth) for truth in given.values())


def _label_sets(
    given: Mapping[str, Any], by_name: Mapping[str, Any], labels: Any, groups: Any, weight: Any
) -> Mapping[str, Predictions]:
    tables = {}
    if labels is None:
        labels = all_label_names(*given.values(), *by_name.values())
    for name, answers in by_name.items():
        try:
            tables[name] = label_set_table(
                given[name], answers, labels=labels, groups=groups, sample_weight=weight
            )
        except InputError as problem:
            raise InputError(f"model {name!r}: {problem}", concerning="models") from None
    return with_shared_sets(tables)


def _quantities(
    name: str, truth: Any, answers: Any, groups: Any, sample_weight: Any
) -> Predictions:
    try:
        return Predictions.of_quantities(truth, answers, groups=groups, sample_weight=sample_weight)
    except InputError as problem:
        raise InputError(f"model {name!r}: {problem}", concerning="models") from None


def _refuse_scheme(scheme: Any) -> None:
    if isinstance(scheme, Bootstrap):
        raise Refusal(
            "no honest test compares learners by bootstrap training sets",
            concerning="by",
            remedy=f"use {arg('by', 'auto')} or {arg('by', '10x10')}",
        )
    if isinstance(scheme, Resubstitution):
        raise Refusal(
            "training errors tell (almost) nothing about new cases, and comparing them rewards "
            "the model that memorises",
            concerning="by",
            remedy=f"use {arg('by', 'auto')} or {arg('by', 'holdout')}",
        )


def _provenance(seed: int, data: str, plan: Plan | None) -> Provenance:
    return Provenance(
        seed=seed, data=data, plan=plan.fingerprint if plan else "", versions=versions()
    )


def _check_scores(y_scores: Any, by_name: Mapping[str, Any]) -> None:
    if y_scores is None:
        return
    if not isinstance(y_scores, Mapping):
        raise InputError(
            f"must map the names of {named('y_preds')} to scores, as {{'a': scores_a}}",
            argument="y_scores",
        )
    odd = [name for name in y_scores if str(name) not in by_name]
    if odd:
        raise InputError(
            f"has {odd[0]!r}, which {named('y_preds')} has not{nearest(str(odd[0]), by_name)}",
            argument="y_scores",
        )
    lacking = [name for name in by_name if name not in {str(k) for k in y_scores}]
    if lacking:
        raise InputError(
            f"lacks {lacking[0]!r}",
            argument="y_scores",
            remedy="give scores of every model or of none",
        )


def _truths(y_true: Any, by_name: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return the right answers for each model: the same, unless a mapping gives others."""
    if not isinstance(y_true, Mapping):
        return dict.fromkeys(by_name, y_true)
    truths = {str(k): v for k, v in y_true.items()}
    if set(truths) != set(by_name):
        raise InputError(
            f"and {named('y_preds')} must have the same names",
            argument="y_true",
            value=f"{sorted(truths)} and {sorted(by_name)}",
        )
    return truths


def _checked(given: Mapping[str, Any]) -> Mapping[str, Anything]:
    """Return the right answers as labels, each array checked once however many models share it."""
    checked = {id(truth): as_labels(truth, "y_true") for truth in given.values()}
    return {name: checked[id(truth)] for name, truth in given.items()}


def _all_classes(truths: Mapping[str, Anything], answers: Mapping[str, Any]) -> Any:
    """Return the classes; where the truth has one only, the answers name the others."""
    apart = {id(t): t for t in truths.values()}.values()
    seen = np.concatenate([np.asarray(classes_of(t), dtype=t.dtype) for t in apart])
    if len(np.unique(seen)) > 1:
        return np.unique(seen)
    others = [as_labels(a, "y_preds") for a in answers.values()]
    return np.unique(
        np.concatenate([seen, *(o for o in others if o.dtype.kind == seen.dtype.kind)])
    )


def _of_evaluations(
    by_name: Mapping[str, Evaluation],
    *,
    measure: Any,
    pos_label: Label | None,
    costs: Any,
    **asked: Any,
) -> Comparison:
    """Compare evaluations that were made on the same cases by the same plan."""
    tables = with_shared_sets({name: e.predictions for name, e in by_name.items()})
    some = next(iter(by_name.values()))
    truth = next(iter(tables.values())).truth
    for name, other in by_name.items():
        same = (other.provenance.plan, other.predictions.n) == (
            some.provenance.plan,
            some.predictions.n,
        )
        alike = _same_weights(other.predictions, some.predictions)
        if not (same and alike) or not np.array_equal(tables[name].truth, truth):
            raise Refusal(
                f"{name} was judged by another plan or on other cases than {next(iter(by_name))}, "
                "so their difference mixes models and splits",
                concerning="models",
                remedy=(
                    "use compare(models, X, y), or evaluate both with the same "
                    f"{named('random_state')} and {arg('by')}"
                ),
            )
        _refuse_unfit(name, other)
    positive = _shared_positive(by_name, pos_label)
    sets = some.predictions.label_sets is not None
    what, *more = measures_to_compare(measure, positive, some.predictions.classes, sets=sets)
    question = Question(
        measure=what,
        positive=positive,
        costs=as_costs(costs),
        seed=some.provenance.seed,
        pairs=_pairs(len(by_name), asked["claim"]),
        baselines=frozenset(name for name, e in by_name.items() if is_baseline(e.model)),
        **asked,
    )
    findings = {f.code + f.message: f for e in by_name.values() for f in e.findings}
    return ComparisonGrounds(
        tables=tables,
        question=question,
        how=some.plan.description if some.plan else "given predictions",
        known_findings=tuple(findings.values()),
        provenance=some.provenance,
        plan=some.plan,
        others=tuple(more),
    ).comparison()


def _same_weights(first: Predictions, second: Predictions) -> bool:
    if first.weight is None or second.weight is None:
        return first.weight is second.weight
    return np.array_equal(first.weight, second.weight)


def _shared_positive(by_name: Mapping[str, Evaluation], pos_label: Label | None) -> Label | None:
    if pos_label is not None:
        return positive_class(next(iter(by_name.values())).predictions.classes, pos_label)
    known = {e.pos_label for e in by_name.values()}
    if len(known) > 1:
        raise InputError(
            f"the evaluations have different positive classes ({', '.join(map(repr, known))})",
            concerning="pos_label",
            remedy=f"pass {named('pos_label')}",
        )
    return known.pop()


def _refuse_unfit(name: str, evaluation: Evaluation) -> None:
    scheme = evaluation.plan.scheme if evaluation.plan else ""
    if scheme in ("resubstitution", "bootstrap"):
        raise Refusal(
            f"{name} was evaluated by {scheme}, from which models cannot be compared",
            concerning="by",
            remedy=f"use {arg('by', 'auto')}, {arg('by', '10x10')} or {arg('by', 'holdout')}",
        )
