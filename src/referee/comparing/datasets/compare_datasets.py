"""compare_datasets: which learner ranks better over several data sets?"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from referee.checks import CHECKS, Context, check_all, in_order
from referee.comparing.datasets.datasets_comparison import DatasetsComparison
from referee.comparing.datasets.score_table import compare_score_table
from referee.comparing.grounds import shared
from referee.comparing.named import is_baseline, named_models
from referee.core.arguments import check_texts, names_arguments
from referee.core.arrays import Label
from referee.core.dataset import Dataset
from referee.core.labels.labels import positive_class
from referee.core.plan import Plan
from referee.core.predictions import Predictions
from referee.core.randomness import RandomState, Seed, child, integer_seed
from referee.core.results import Finding
from referee.errors import InputError, RefereeError, Refusal, arg, nearest
from referee.fitting.run import Run, run
from referee.judging.estimating.measuring import Measuring
from referee.judging.requests import check_measures
from referee.measures import measure_named
from referee.resampling import Bootstrap, CrossValidation, Resubstitution, Scheme, scheme_for
from referee.significance.catalogue import DATASET_TESTS
from referee.significance.datasets.dataset_test import DatasetSituation, DatasetTest, Role

__all__ = ["compare_datasets"]


@names_arguments
def compare_datasets(
    models: Mapping[str, Any] | Sequence[Any] | None = None,
    datasets: Mapping[str, tuple[Any, Any]] | None = None,
    *,
    scores: Any = None,
    by: Any = "auto",
    measure: str | None = None,
    greater_is_better: bool | None = None,
    pos_label: Label | None = None,
    control: str | None = None,
    significance: str | DatasetTest = "auto",
    rope: float = 0.0,
    level: float = 0.95,
    dismiss: Sequence[str] = (),
    random_state: RandomState = None,
    n_jobs: int | None = None,
) -> DatasetsComparison:
    """Say which of two or more learners is better over several data sets.

    Each model gets one value on each data set, by the same splits, or is given with it as
    `scores`; values are compared by ranks. What varies is the data set, so one pass of
    cross-validation each is enough.

    Parameters
    ----------
    models : mapping of str to model, or sequence of models
        Two or more scikit-learn classifiers; or functions that take the features of a data set
        and return one, where preparation depends on the columns.
    datasets : mapping of str to (X, y)
        Two or more; six or more are needed before two models can be shown to differ.
    scores : DataFrame, or mapping of model to scores, optional
        Instead of models and data sets: one row per data set, one column per model; a DataFrame's
        index names the data sets.
    by : str, int, scheme or splitter
        How to split each; "auto" is one pass of stratified 10-fold cross-validation.
    measure : str, optional
        What is compared; by default "error", for given scores "accuracy".
    greater_is_better : bool, optional
        The direction of given scores whose `measure` is not a name of
        `referee.measures.CATALOGUE`.
    pos_label, n_jobs, random_state, level
        As in `compare`.
    control : str, optional
        Compare every model with this one only (Bonferroni-Dunn), not all pairs (Nemenyi).
    significance : str or DatasetTest
        The test of two models (by default Wilcoxon's), of all at once (Iman and Davenport's), or
        of which differ after it, by its name in `referee.significance.DATASET_TESTS`, or one of
        your own.
    rope : float
        Differences up to this size do not matter, for the Bayesian test of two models.
    dismiss : sequence of str
        Codes of findings that were looked into, on every data set; a serious one that is not
        dismissed withholds the verdict.

    Returns
    -------
    DatasetsComparison

    Examples
    --------
    >>> import referee
    >>> from sklearn.datasets import load_iris, load_wine
    >>> from sklearn.dummy import DummyClassifier
    >>> from sklearn.naive_bayes import GaussianNB
    >>> c = referee.compare_datasets(
    ...     {"nb": GaussianNB(), "guess": DummyClassifier()},
    ...     {"iris": load_iris(return_X_y=True), "wine": load_wine(return_X_y=True)},
    ...     by=5, random_state=0)
    >>> c.critical.order, c.verdict.outcome.value
    (('nb', 'guess'), 'undecided')
    >>> published = {"a": [0.9, 0.8, 0.7, 0.9, 0.8, 0.6], "b": [0.8, 0.7, 0.6, 0.8, 0.7, 0.5]}
    >>> c = referee.compare_datasets(scores=published)
    >>> c.verdict.outcome.value, c.evidence.p_value
    ('first', 0.03125)
    """
    if scores is not None:
        _refuse_both(models, datasets)
        return compare_score_table(
            scores,
            measure="accuracy" if measure is None else measure,
            greater_is_better=greater_is_better,
            control=control,
            significance=significance,
            rope=rope,
            level=level,
            random_state=0 if random_state is None else integer_seed(random_state),
        )
    if models is None:
        raise InputError(
            "models and datasets are missing",
            concerning="models",
            remedy="or pass scores=, a row per data set",
        )
    measure = "error" if measure is None else measure
    named = named_models(models)
    if not isinstance(datasets, Mapping) or len(datasets) < 2:
        raise InputError(
            "must map at least two names to (X, y)",
            argument="datasets",
            remedy="for one data set use compare",
        )
    if control is not None and control not in named:
        raise InputError(
            f"control {control!r} is none of the models",
            concerning="control",
            remedy=nearest(control, named),
        )
    measure_named(measure)
    situation = DatasetSituation(
        role=Role.PAIR, models=len(named), data_sets=len(datasets), control=control is not None
    )
    DATASET_TESTS.asked(significance, situation)  # refused before any fit
    seed = integer_seed(random_state)
    trial = _Trial(
        by=by,
        measure=measure,
        pos_label=pos_label,
        n_jobs=n_jobs,
        dismiss=check_texts("dismiss", dismiss, example="R002"),
    )
    tried = {
        str(name): trial.of(named, str(name), given, child(seed, number))
        for number, (name, given) in enumerate(datasets.items())
    }
    import pandas as pd

    values = {name: done.values for name, done in tried.items()}
    frame = pd.DataFrame.from_dict(values, orient="index", columns=list(named))
    return compare_score_table(
        frame,
        measure=measure,
        control=control,
        significance=significance,
        rope=rope,
        level=level,
        random_state=seed,
        how=_how({name: done.how for name, done in tried.items()}),
        findings=in_order(f for done in tried.values() for f in done.findings),
    )


def _how(each: Mapping[str, str]) -> str:
    """Say how every data set was split; those that were split differently are named."""
    splits: dict[str, list[str]] = {}
    for name, how in each.items():
        splits.setdefault(how, []).append(name)
    commonest = max(splits, key=lambda how: len(splits[how]))
    text = f"{commonest} on each data set, all models on the same splits"
    others = [f"{how} on {', '.join(on)}" for how, on in splits.items() if how != commonest]
    return "; ".join([text, *others])


def _refuse_both(models: Any, datasets: Any) -> None:
    if models is not None or datasets is not None:
        raise InputError("pass models and datasets, or scores=, not both", concerning="scores")


@dataclass(frozen=True)
class _Tried:
    """The value of every model on one data set, how it came about and what was found."""

    values: list[float]
    how: str
    findings: list[Finding]


@dataclass(frozen=True, kw_only=True)
class _Trial:
    """How every model is measured on one data set."""

    by: Any
    measure: str
    pos_label: Label | None
    n_jobs: int | None
    dismiss: tuple[str, ...]

    def of(self, models: Mapping[str, Any], name: str, given: Any, seed: Seed) -> _Tried:
        """Measure the models on one data set, whose name stands before every message."""
        try:
            X, y = given
            data = Dataset.of(X, y)
            plan = self._scheme(data).plan(data, child(seed, 0))
            estimators = {k: m if hasattr(m, "fit") else m(X) for k, m in models.items()}
            return self._tried(estimators, name, data, plan, seed)
        except (TypeError, ValueError, RefereeError) as problem:
            kind = type(problem) if isinstance(problem, RefereeError) else InputError
            raise kind(f"data set {name!r}: {problem}") from problem

    def _scheme(self, data: Dataset) -> Scheme:
        if isinstance(self.by, str) and self.by == "auto":
            return CrossValidation(10, stratify="best effort")
        scheme = scheme_for(self.by, data).scheme
        if isinstance(scheme, (Bootstrap, Resubstitution)):
            raise Refusal(
                f"{arg('by', self.by)} cannot compare models",
                concerning="by",
                remedy=f"use {arg('by', 'auto')} or 'holdout'",
            )
        return scheme

    def _tried(
        self, models: Mapping[str, Any], name: str, data: Dataset, plan: Plan, seed: Seed
    ) -> _Tried:
        positive = positive_class(data.classes, self.pos_label)
        check_measures(self.measure, positive, data.classes)
        done = {
            k: run(
                m,
                data,
                plan,
                name=k,
                scores=measure_named(self.measure).scores,
                seed=child(seed, 1),
                n_jobs=self.n_jobs,
            )
            for k, m in models.items()
        }
        values = [self._value(k, fits.predictions, positive) for k, fits in done.items()]
        findings = shared(
            {k: self._findings(models[k], data, plan, fits) for k, fits in done.items()}
        )
        named = [replace(f, message=f"{name}: {f.message}") for f in findings]
        return _Tried(values, plan.description, named)

    def _value(self, name: str, predictions: Predictions, positive: Label | None) -> float:
        estimate = Measuring(predictions=predictions, positive=positive).estimate(self.measure)
        if not estimate.defined:
            raise InputError(
                f"{self.measure} of {name} is undefined: {estimate.reason}", concerning="measure"
            )
        return estimate.value

    def _findings(self, model: Any, data: Dataset, plan: Plan, fits: Run) -> list[Finding]:
        context = Context(data=data, plan=plan, predictions=fits.predictions, warned=fits.warned)
        findings = check_all(context, self.dismiss)
        baseline = is_baseline(model)
        return [f for f in findings if not (baseline and CHECKS[f.code].spares_baselines)]
