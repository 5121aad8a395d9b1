"""The inner judge of a feature selection: every candidate by one fixed plan, shared where possible.

`evaluation.run` fits the candidates, one after the other, with whatever work their learner shares
over the plan. k nearest neighbours also share work between candidates; any whose votes rounding
errors might have decided are run like the others, so numbers do not depend on the way.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np

from referee.core.arrays import Features, Flags
from referee.core.dataset import Dataset
from referee.core.plan import Part, Plan, Split
from referee.core.randomness import Seed
from referee.core.results import Estimate, Target
from referee.errors import InputError
from referee.evaluation.run import run
from referee.intervals.risk import RiskSample, risk_interval
from referee.learners.neighbours.candidates import FeatureCandidates, candidates_of
from referee.measures import Losses
from referee.resampling import CrossValidation, scheme_for

__all__ = ["InnerJudge", "take_columns"]


def take_columns(X: Features, columns: Sequence[int]) -> Features:
    """Return the given columns of an array, a pandas or polars frame, or a sparse matrix.

    Examples
    --------
    >>> take_columns(np.arange(6).reshape(2, 3), [0, 2]).tolist()
    [[0, 2], [3, 5]]
    """
    at = list(columns)
    if hasattr(X, "iloc"):
        return X.iloc[:, at]
    return X[[X.columns[c] for c in at]] if hasattr(X, "columns") else X[:, at]


@dataclass(frozen=True, eq=False)
class InnerJudge:
    """Judges sets of features of one learner by one plan.

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
    ) -> InnerJudge:
        """Make the plan that judges every candidate."""
        if isinstance(by, (int, np.integer)) and not isinstance(by, bool):
            scheme: Any = CrossValidation(int(by), stratify="best effort")
        else:
            scheme = scheme_for(by, data).scheme
        made = scheme.plan(data, split_seed)
        splits = tuple(_unseen(s) for s in made.part(Part.MAIN))
        if not splits or any(not len(s.test) for s in splits):
            raise InputError(
                f"by must leave cases to test that a model was not trained on, got {by!r}; for "
                "example by=5"
            )
        if any(_shares_groups(s, data) for s in splits):
            raise InputError(
                f"by={by!r} puts cases of one group on both sides of an inner split; use a number "
                "of folds, or a splitter that keeps groups whole"
            )
        return cls(learner, data, replace(made, splits=splits), seed, n_jobs)

    def wrong(self, base: Sequence[int], columns: Sequence[int], *, drop: bool) -> Flags:
        """Return which tests go wrong with the base, plus or minus each column, a line for each."""
        if self._shared is None:
            return np.stack([self.plainly(_changed(base, c, drop)) for c in columns])
        judged = self._shared.judge(base, columns, drop=drop)
        for at in np.flatnonzero(judged.doubt):
            judged.wrong[at] = self.plainly(_changed(base, columns[int(at)], drop))
        return judged.wrong

    def plainly(self, columns: Sequence[int]) -> Flags:
        """Return which tests go wrong with these features, by the one fit loop."""
        part = replace(self.data, X=take_columns(self.data.X, columns))
        made = run(self.learner, part, self.plan, seed=self.seed, n_jobs=self.n_jobs)
        return np.asarray(made.predictions.wrong > 0)

    def estimate(self, wrong: Flags, level: float) -> Estimate:
        """Return the share of wrong tests with its interval."""
        losses = replace(self._losses, value=wrong.astype(float))
        sample = RiskSample(
            losses=losses,
            fits=self.plan.fits,
            halves=None,
            partition=self._partition,
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
    def _shared(self) -> FeatureCandidates | None:
        data = self.data
        return candidates_of(self.learner, data.X, data.codes, self.plan, len(data.classes))

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

    @cached_property
    def _partition(self) -> bool:
        """Whether every repetition tests the same cases, each of them once."""
        losses = self._losses
        pairs = np.unique(losses.repetition * self.data.n + losses.case)
        return len(pairs) == len(losses.case) == losses.repetitions * losses.n


def _shares_groups(split: Split, data: Dataset) -> bool:
    if data.groups is None:
        return False
    return bool(np.isin(data.groups[split.test], data.groups[split.train]).any())


def _unseen(split: Split) -> Split:
    return replace(split, test=np.setdiff1d(split.test, split.train))


def _changed(base: Sequence[int], column: int, drop: bool) -> list[int]:
    return [c for c in base if c != column] if drop else [*base, column]
