"""The bootstrap of a learner: train on a resample, predict every case (Efron and Tibshirani)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from referee.core.arrays import Rows
from referee.core.citations import Citation
from referee.core.dataset import Dataset
from referee.core.plan import Plan, Split
from referee.core.randomness import Seed, child
from referee.errors import InputError, PlanError, arg
from referee.resampling.scheme import NamedScheme, make_plan, refuse_many_fits

__all__ = ["BOOTSTRAP", "ESTIMATORS", "Bootstrap"]

ESTIMATORS = (".632+", ".632", "out-of-bag", "optimism")
_TRIES = 100


@dataclass(frozen=True)
class Bootstrap:
    """Draw n rows with replacement, train on them, predict all n rows; many times.

    The one table of predictions yields the out-of-bag error, Efron's optimism correction,
    .632 and .632+.

    Parameters
    ----------
    rounds : int
        How many resamples; 200 serve a standard error.
    estimator : {".632+", ".632", "out-of-bag", "optimism"}
        Which of the four is reported as the error; all are shown.

    Notes
    -----
    With groups, whole groups are drawn. A resample of one class only, or one that leaves no case
    out, is drawn again, since no classifier could be trained or tested on it.

    Examples
    --------
    >>> data = Dataset.of([[float(i)] for i in range(10)], [0, 1] * 5)
    >>> plan = Bootstrap(rounds=25).plan(data, seed=0)
    >>> len(plan.splits[0].train), len(plan.splits[0].test), plan.fits
    (10, 10, 26)
    """

    rounds: int = 200
    estimator: str = ".632+"

    def __post_init__(self) -> None:
        if not isinstance(self.rounds, (int, np.integer)) or self.rounds < 2:
            raise InputError(
                "must be a whole number of at least 2", argument="rounds", value=str(self.rounds)
            )
        if self.estimator not in ESTIMATORS:
            known = ", ".join(ESTIMATORS)
            raise InputError(
                f"must be one of {known}", argument="estimator", value=repr(self.estimator)
            )

    def plan(self, data: Dataset, seed: Seed = 0) -> Plan:
        """Return the plan: one split per round, and one fit on all rows."""
        if data.time is not None:
            raise PlanError(
                "the bootstrap would train on the future",
                concerning="by",
                remedy=f"with {arg('time')} use {arg('by', 'cv')}",
            )
        if len(data.classes) == 2 and data.class_counts.min() < 2:
            rare = data.classes[int(np.argmin(data.class_counts))]
            raise PlanError(
                f"class {rare!r} has one case, which the bootstrap would always train on and "
                "never test",
                concerning="by",
                remedy=f"use {arg('by', 'loo')}, or collect more cases",
            )
        refuse_many_fits(data, self.rounds)
        rows = np.arange(data.n)
        splits = [Split(_resample(data, child(seed, b)), rows, b) for b in range(self.rounds)]
        unit = "groups" if data.groups is not None else "rows"
        text = f"bootstrap, {self.rounds} resamples of {unit}"
        return make_plan(data, splits, "bootstrap", text)


def _resample(data: Dataset, seed: Seed) -> Rows:
    rng = np.random.default_rng(seed)
    for _ in range(_TRIES):
        rows = _draw(data, rng)
        two_classes = not data.classes or len(np.unique(data.codes[rows])) > 1
        if two_classes and len(np.unique(rows)) < data.n:
            return rows
    rare = data.stratum(int(np.argmin(data.class_counts)))
    raise PlanError(
        f"{_TRIES} resamples in a row held one class only or left no case out ({rare} has "
        f"{data.class_counts.min()} of {data.n} rows)",
        remedy=f"merge rare classes or use {arg('by', 'cv')}",
    )


def _draw(data: Dataset, rng: np.random.Generator) -> Rows:
    if data.groups is None:
        return rng.integers(data.n, size=data.n)
    members = [np.flatnonzero(data.groups == g) for g in range(int(data.groups.max()) + 1)]
    drawn = rng.integers(len(members), size=len(members))
    return np.concatenate([members[g] for g in drawn])


BOOTSTRAP = NamedScheme(
    "bootstrap",
    title="the bootstrap of training sets",
    make=Bootstrap,
    citations=(
        Citation(
            "Efron and Tibshirani 1997",
            "Efron, B. and Tibshirani, R. (1997). Journal of the American Statistical Association "
            "92, 548-560.",
        ),
    ),
)
