"""The inner judge: every candidate of a choice made inside a fit is judged by one fixed plan.

`evaluation.run` fits the candidates, one after the other, with whatever work their learner shares
over the plan.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, Self

import numpy as np

from referee.core.arrays import Features, Flags
from referee.core.dataset import Dataset
from referee.core.plan import Part, Plan, Split
from referee.core.predictions import Predictions
from referee.core.randomness import Seed
from referee.core.results import Estimate, Target
from referee.core.situation import Situation
from referee.errors import InputError, arg
from referee.fitting.run import run
from referee.intervals.catalogue import risk_interval
from referee.intervals.risk import RiskSample
from referee.measures import Losses
from referee.resampling import CrossValidation, scheme_for

__all__ = ["InnerJudge"]


@dataclass(frozen=True, eq=False)
class InnerJudge:
    """Judges variants of one learner by one plan.

    Attributes
    ----------
    learner : estimator
        Cloned for every fit.
    data : Dataset
        All training cases, all features.
    plan : Plan
        The same for every candidate; tests none of a split's training rows.
    seed : int
        Of whatever is random in the learner.
    n_jobs : int or None
        As in joblib.
    """

    learner: Any
    data: Dataset
    plan: Plan
    seed: Seed
    n_jobs: int | None = None

    @classmethod
    def of(
        cls,
        learner: Any,
        data: Dataset,
        *,
        by: Any,
        split_seed: Seed,
        seed: Seed,
        n_jobs: int | None = None,
    ) -> Self:
        """Make the plan that judges every candidate."""
        if isinstance(by, (int, np.integer)) and not isinstance(by, bool):
            scheme: Any = CrossValidation(int(by), stratify="best effort")
        else:
            scheme = scheme_for(by, data).scheme
        plan = scheme.plan(data, split_seed)
        splits = tuple(s.testing(np.sort(s.unseen)) for s in plan.part(Part.MAIN))
        if not splits or any(not len(s.test) for s in splits):
            raise InputError(
                "must leave cases to test that a model was not trained on",
                argument="inner_by",
                value=repr(by),
                remedy=f"for example {arg('inner_by', 5)}",
            )
        if any(_shares_groups(s, data) for s in splits):
            raise InputError(
                f"{arg('inner_by', by)} puts cases of one group on both sides of an inner split",
                concerning="inner_by",
                remedy="use a number of folds, or a splitter that keeps groups whole",
            )
        return cls(learner, data, replace(plan, splits=splits), seed, n_jobs)

    def predictions(
        self, learner: Any, X: Features | None = None, *, scores: bool = False
    ) -> Predictions:
        """Return what a learner answers under the plan, from all features or from these."""
        data = self.data if X is None else replace(self.data, X=X)
        done = run(
            learner,
            data,
            self.plan,
            scores=scores,
            seed=self.seed,
            n_jobs=self.n_jobs,
            progress=False,
        )
        return done.predictions

    def estimate(self, wrong: Flags, level: float) -> Estimate:
        """Return the share of wrong tests with its interval."""
        losses = replace(self._losses, value=wrong.astype(float))
        sample = RiskSample(
            losses=losses,
            fits=self.plan.fits,
            halves=None,
            partition=self._situation.partition,
            level=level,
            target=Target.CONDITIONAL,
            seed=self.seed,
        )
        return Estimate(
            name="error",
            value=losses.mean,
            n=losses.n,
            method=f"{self.plan.description}, of the learner whose features it chose",
            interval=risk_interval(sample, "auto"),
            greater_is_better=False,
        )

    @cached_property
    def _situation(self) -> Situation:
        return Situation.of_plan(self.plan)

    @cached_property
    def _losses(self) -> Losses:
        case = np.concatenate([s.test for s in self.plan.splits])
        sizes = [len(s.test) for s in self.plan.splits]
        groups = self.data.groups
        return Losses(
            value=np.zeros(len(case)),
            case=case,
            split=np.repeat(np.arange(self.plan.fits), sizes),
            repetition=np.repeat([s.repetition for s in self.plan.splits], sizes),
            n_train=np.repeat([float(len(s.train)) for s in self.plan.splits], sizes),
            groups=None if groups is None else groups[case],
        )


def _shares_groups(split: Split, data: Dataset) -> bool:
    if data.groups is None:
        return False
    return bool(np.isin(data.groups[split.test], data.groups[split.train]).any())
