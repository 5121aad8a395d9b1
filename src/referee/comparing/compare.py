"""compare: which of these learners is better, or is it chance?"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from referee.checks import Context
from referee.comparing.comparison import Comparison
from referee.comparing.grounds import ComparisonGrounds
from referee.comparing.named import is_baseline, named_models
from referee.comparing.of_evaluations import compare_evaluations
from referee.comparing.question import Question, default_claim, pairs_claimed
from referee.core.arguments import check_texts, names_arguments
from referee.core.arrays import Label
from referee.core.dataset import Dataset
from referee.core.labels.label_tables import with_shared_sets
from referee.core.labels.labels import positive_class
from referee.core.labels.task import task_of
from referee.core.randomness import RandomState, child, integer_seed
from referee.errors import InputError, Refusal, arg
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
from referee.learners.kind import kind_of
from referee.measures import Costs, Measure
from referee.resampling import Bootstrap, Resubstitution, scheme_to_compare
from referee.significance.catalogue import COMPARISON_TESTS
from referee.significance.comparison_test import ComparisonSituation, ComparisonTest
from referee.significance.learners.calibrated_t import CALIBRATED_T
from referee.significance.learners.shrunken_t import SHRUNKEN_T
from referee.significance.multiplicity.adjustment import Adjustment

__all__ = ["compare"]


@names_arguments
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
    adjust: str | Adjustment = "holm",
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
        return compare_evaluations(
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
        pairs=pairs_claimed(len(by_name), claim),
        baselines=frozenset(name for name, m in by_name.items() if is_baseline(m)),
    )
    check_costs(question.costs, positive, data.classes)
    choice = scheme_to_compare(by, data, halvings=_halvings(question, data))
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
        provenance=Provenance(
            seed=seed, data=data.fingerprint, plan=plan.fingerprint, versions=versions()
        ),
        plan=plan,
        known=situation,
        others=tuple(more),
    )
    return replace(grounds.comparison(), models={name: r.model for name, r in done.items()})


def _halvings(question: Question, data: Dataset) -> int:
    """Return how many halvings the default plan should have: as many as the test wants."""
    if data.sample_weight is not None or not question.is_mean_loss:
        return 0
    wanted = {"auto": 40, CALIBRATED_T.name: 40, SHRUNKEN_T.name: 10}
    named = question.significance
    return wanted.get(named if isinstance(named, str) else named.name, 0)


def _kind(by_name: Mapping[str, Any]) -> str:
    """Return what the models are, where they say so; classifiers and regressors do not mix."""
    kinds = {name: kind_of(model) for name, model in by_name.items()}
    known = {kind: name for name, kind in kinds.items() if kind}
    if len(known) > 1:
        each = " and ".join(f"{name} is a {kind}" for kind, name in sorted(known.items()))
        raise InputError(each, remedy="compare models of one kind")
    return next(iter(known), "")


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
