"""m-fold cross-validation: every case is tested by a model that never saw it."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import partial

import numpy as np

from referee.core.arrays import Codes
from referee.core.dataset import Dataset
from referee.core.fold_split import fold_splits
from referee.core.plan import Part, Plan, Split
from referee.core.randomness import Seed, child
from referee.errors import InputError, PlanError, arg
from referee.resampling.dealing import Strata, dealt
from referee.resampling.quietly import quietly
from referee.resampling.scheme import NamedScheme, make_plan, refuse_many_fits, without_groups_of

__all__ = ["CV", "CrossValidation", "folds_named"]


@dataclass(frozen=True)
class CrossValidation:
    """Partition the rows into folds; train on all but one, test on that one, for each.

    Parameters
    ----------
    folds : int
        How many folds, 10 by custom.
    repetitions : int
        How many independent partitions.
    stratify : bool or "best effort"
        Spread each class evenly over the folds. True insists that every class has a case in each
        fold; "best effort" spreads rare classes as far as they go.
    forward : bool
        Train on the past, test on the next block. Data with times do so by themselves; without
        times the order of the rows is the time.
    halves : int or None
        Additional twofold cross-validations, from which the default interval learns how steeply
        the learner still improves; None adds as many as there are repetitions, if more than one.

    Notes
    -----
    Data with groups keep every group on one side. Folds are shuffled; the seed decides.

    Examples
    --------
    >>> data = Dataset.of([[float(i)] for i in range(20)], [0, 1] * 10)
    >>> plan = CrossValidation(5).plan(data, seed=0)
    >>> plan.description, plan.fits
    ('5-fold cross-validation, stratified', 6)
    """

    folds: int = 10
    repetitions: int = 1
    stratify: bool | str = True
    forward: bool = False
    halves: int | None = None

    def __post_init__(self) -> None:
        for name, least in (("folds", 2), ("repetitions", 1), ("halves", 0)):
            value = getattr(self, name)
            if name == "halves" and value is None:
                continue
            if not isinstance(value, (int, np.integer)) or value < least:
                raise InputError(
                    f"{name} must be a whole number of at least {least}",
                    concerning=name,
                    value=str(value),
                    remedy=f"for example {arg('by', 5)} or {arg('by', '10x10')}",
                )
        if self.stratify not in (True, False, "best effort"):
            raise InputError(
                "must be True, False or 'best effort'",
                argument="stratify",
                value=repr(self.stratify),
            )

    def plan(self, data: Dataset, seed: Seed = 0) -> Plan:
        """Return the plan: folds times repetitions, the halves, and one fit on all rows."""
        if self.forward or data.time is not None:
            return self._forward_plan(data)
        self._check(data)
        # A partition is held as one short number a row, whatever the number of its folds.
        fits = self.repetitions * self.folds + 2 * self._n_halves(data)
        refuse_many_fits(data, fits, held=2 / min(self.folds, 2))
        splits: list[Split] = []
        strata = Strata.of(data.codes) if self.stratify and data.groups is None else None
        for r in range(self.repetitions):
            splits += fold_splits(self._partition(data, strata, self.folds, child(seed, r)), r)
        for r in range(self._n_halves(data)):
            folds = self._partition(data, strata, 2, child(seed, 1_000_000 + r))
            splits += fold_splits(folds, r, Part.HALVES)
        return make_plan(data, splits, "cv", self._describe(data))

    def _n_halves(self, data: Dataset) -> int:
        if data.groups is not None:
            return 0
        if self.halves is None:
            return self.repetitions if self.repetitions > 1 else 0
        return self.halves

    def _describe(self, data: Dataset) -> str:
        times = f"{self.repetitions} × " if self.repetitions > 1 else ""
        text = f"{times}{self.folds}-fold cross-validation"
        if data.groups is not None:
            return text + ", groups kept whole"
        return text + (", stratified" if self.stratify and data.classes else "")

    def _partition(self, data: Dataset, strata: Strata | None, folds: int, seed: Seed) -> Codes:
        """Return the fold of every case."""
        if data.groups is None:
            return dealt(data.n, folds, seed) if strata is None else strata.dealt(folds, seed)
        from sklearn.model_selection import GroupKFold, StratifiedGroupKFold

        options = {"n_splits": folds, "shuffle": True, "random_state": seed}
        splitter = StratifiedGroupKFold(**options) if self.stratify else GroupKFold(**options)
        number = np.zeros(data.n, dtype=np.intp)
        with quietly("The least populated class"):
            pairs = splitter.split(np.zeros(data.n), data.codes, data.groups)
            for fold, (_, test) in enumerate(pairs):
                number[test] = fold
        return number

    def _check(self, data: Dataset) -> None:
        if self.folds > data.n:
            raise PlanError(
                f"must be between 2 and {data.n} cases",
                argument="folds",
                value=str(self.folds),
                remedy=f"use {arg('by', 'loo')}",
            )
        if data.groups is not None:
            n_groups = int(data.groups.max()) + 1
            if self.folds > n_groups:
                raise PlanError(
                    f"must not exceed the {n_groups} groups",
                    argument="folds",
                    value=str(self.folds),
                    remedy=f"use {arg('folds', n_groups)}",
                )
            if self.stratify and data.class_counts.max() < self.folds:
                most = int(data.class_counts.max())
                folds = arg("folds", most) if most > 1 else arg("by", "loo")
                raise PlanError(
                    f"no class has as many cases as there are folds ({self.folds})",
                    concerning="by",
                    remedy=f"use {folds} or {arg('stratify', False)}",
                )
            return
        rare = int(np.argmin(data.class_counts))
        fewest = int(data.class_counts[rare])
        if self.stratify is True and fewest < self.folds:
            folds = arg("folds", fewest) if fewest > 1 else arg("stratify", False)
            raise PlanError(
                f"{data.stratum(rare)} has {fewest} cases, fewer than the {self.folds} folds",
                concerning="by",
                remedy=(
                    f"use {folds}, {arg('stratify', 'best effort')} or {arg('by', 'loo')}, "
                    "or merge the class"
                ),
            )
        if self.stratify and data.class_counts.max() < self.folds:
            raise PlanError(
                f"no class has as many cases as there are folds ({self.folds})",
                concerning="by",
                remedy=f"use {arg('by', 'loo')}",
            )

    def _forward_plan(self, data: Dataset) -> Plan:
        time = np.arange(data.n) if data.time is None else data.time
        moments, when = np.unique(time, return_inverse=True)
        if self.repetitions > 1:
            raise PlanError(
                "forward cross-validation has one order only; it cannot be repeated",
                concerning="forward",
            )
        if len(moments) < 3:
            raise PlanError(
                "forward cross-validation needs at least 3 moments",
                concerning="forward",
                value=str(len(moments)),
                remedy=(
                    f"use {arg('by', 'holdout')}, or leave {arg('time')} out if the order "
                    "does not matter"
                ),
            )
        if len(moments) < self.folds + 1:
            raise PlanError(
                f"{self.folds} forward folds need at least {self.folds + 1} moments",
                concerning="by",
                value=str(len(moments)),
                remedy=f"use {arg('folds', max(2, len(moments) - 1))}",
            )
        from sklearn.model_selection import TimeSeriesSplit

        splits = []
        for _, block in TimeSeriesSplit(self.folds).split(np.zeros(data.n)):
            # Blocks of equal numbers of rows; rows of one moment stay in the later block.
            first, end = np.sort(when)[block[0]], np.sort(when)[min(block[-1] + 1, data.n - 1)]
            last_block = block[-1] == data.n - 1
            train = np.flatnonzero(when < first)
            test = np.flatnonzero((when >= first) & ((when < end) | last_block))
            if len(train) and len(test):
                splits.append(Split(without_groups_of(test, train, data), test))
        tested = sum(len(s.test) for s in splits)
        text = (
            f"{len(splits)}-fold forward validation: each block tested by its past, "
            f"{data.n - tested} earliest rows only train"
        )
        return make_plan(data, splits, "cv", text)


CV = NamedScheme(
    "cv",
    title="cross-validation",
    make=CrossValidation,
)


def folds_named(name: str) -> NamedScheme | None:
    """Return so many folds by their number, as 5, or repeated, as 10x5; None for other names.

    Examples
    --------
    >>> folds_named("10x5").title, folds_named("cv")
    ('10 repetitions of 5 folds', None)
    """
    match = re.fullmatch(r"(?:(\d+)\s*[xX×]\s*)?(\d+)", name.strip())
    if match is None:
        return None
    folds, repetitions = int(match[2]), int(match[1] or 1)
    times = f"{repetitions} repetitions of " if repetitions > 1 else ""
    return NamedScheme(
        name, title=f"{times}{folds} folds", make=partial(CrossValidation, folds, repetitions)
    )
