"""Nested cross-validation, the plan of the interval of Bates, Hastie and Tibshirani (2024)."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations

import numpy as np

from referee.core.arrays import Rows
from referee.core.citations import Citation
from referee.core.dataset import Dataset
from referee.core.plan import Part, Plan, Split
from referee.core.randomness import Seed, child
from referee.errors import InputError, PlanError, arg, named
from referee.resampling.cross_validation import CrossValidation
from referee.resampling.scheme import NamedScheme, make_plan, refuse_many_fits

__all__ = ["NESTED_CV", "NestedCrossValidation"]

REDRAWS = 100
_LEAST = 3
"""A class must outlive the loss of two folds."""


@dataclass(frozen=True)
class NestedCrossValidation:
    """Cross-validation, and for each fold one more among the other folds.

    Parameters
    ----------
    folds : int
        K, at least 3.
    repetitions : int
        How many partitions; the width of the interval is their average. The paper takes 200 of 10
        folds where it can, 10 of 5 are affordable.
    stratify : bool
        Spread each class evenly over the folds. The paper's folds are random, and stratified ones
        differ less from each other than the formula supposes.

    Notes
    -----
    A repetition has K main splits and K (K - 1)/2 with ``Part.NESTED``: each trains without two
    folds and is tested on both, which serves the inner loops of either. A random partition that
    would leave an inner loop without a class is drawn again, up to 100 times; then the partition
    is stratified and the description says so. Cases in groups, in time or with weights are
    refused: the formula needs independent ones that count alike.

    Examples
    --------
    >>> data = Dataset.of([[float(i)] for i in range(60)], [0, 1] * 30)
    >>> plan = NestedCrossValidation().plan(data, seed=0)
    >>> plan.description, plan.fits
    ('nested cross-validation, 10 × 5 folds', 151)
    """

    folds: int = 5
    repetitions: int = 10
    stratify: bool = False

    def __post_init__(self) -> None:
        for name, least in (("folds", 3), ("repetitions", 1)):
            value = getattr(self, name)
            if not isinstance(value, (int, np.integer)) or value < least:
                raise InputError(
                    f"{name} of nested cross-validation must be a whole number of at least {least}",
                    value=repr(value),
                    remedy="for example NestedCrossValidation(5, 10)",
                )

    def plan(self, data: Dataset, seed: Seed = 0) -> Plan:
        """Return the plan: folds, pairs of folds, and one fit on all rows."""
        self._check(data)
        refuse_many_fits(data, self.repetitions * self.folds * (self.folds + 1) // 2)
        drawn = [self._partition(data, child(seed, r)) for r in range(self.repetitions)]
        splits = [
            split
            for r, (folds, _) in enumerate(drawn)
            for split in (*_outer(folds, data.n, r), *_inner(folds, data.n, r))
        ]
        main = [s for s in splits if s.part is Part.MAIN]
        nested = [s for s in splits if s.part is Part.NESTED]
        text = f"nested cross-validation, {self.repetitions} × {self.folds} folds"
        stratified = sum(kind for _, kind in drawn)
        if stratified:
            some = "" if stratified == len(drawn) else f" {stratified} times"
            text += f", stratified{some}"
        return make_plan(data, [*main, *nested], "nested-cv", text)

    def _partition(self, data: Dataset, seed: Seed) -> tuple[list[Rows], bool]:
        """Return the folds, and whether they are stratified."""
        for attempt in range(0 if self.stratify else REDRAWS):
            folds = self._draw(data, child(seed, attempt), stratify=False)
            if _each_class_stays(folds, data):
                return folds, False
        return self._draw(data, seed, stratify=True), True

    def _draw(self, data: Dataset, seed: Seed, *, stratify: bool) -> list[Rows]:
        kind: bool | str = "best effort" if stratify else False
        plain = CrossValidation(self.folds, stratify=kind).plan(data, seed)
        return [s.test for s in plain.part(Part.MAIN)]

    def _check(self, data: Dataset) -> None:
        if data.time is not None:
            raise PlanError(
                "nested cross-validation needs cases whose order does not matter, and these have "
                "times",
                concerning="by",
                remedy=(
                    f"use {arg('by', 'cv')}, which validates forward, or leave out {arg('time')}"
                ),
            )
        if data.groups is not None:
            raise PlanError(
                "nested cross-validation needs independent cases, and these come in groups",
                concerning="by",
                remedy=(
                    f"use {arg('by', 'auto')}, whose interval counts groups, or "
                    f"{arg('by', 'conservative-z')}, which halves them"
                ),
            )
        if data.sample_weight is not None:
            raise PlanError(
                "nested cross-validation cannot weight cases",
                concerning="by",
                remedy=f"use {arg('by', 'auto')} with {named('sample_weight')}",
            )
        if 2 * self.folds > data.n:
            raise PlanError(
                "nested cross-validation needs 2 cases in each fold: folds must be between 3 and "
                f"{data.n // 2} for {data.n} cases",
                concerning="by",
                value=str(self.folds),
                remedy=f"use fewer folds, or {arg('by', 'cv')}",
            )
        rare = int(np.argmin(data.class_counts))
        if data.class_counts[rare] < _LEAST:
            raise PlanError(
                f"{data.stratum(rare)} has {data.class_counts[rare]} cases, and an inner loop is "
                f"left without it unless there are {_LEAST}",
                remedy=f"merge the class, or use {arg('by', 'auto')}",
            )


def _each_class_stays(folds: list[Rows], data: Dataset) -> bool:
    """Tell whether every class is left to train on when any two folds are taken away."""
    k = data.strata
    held = np.array([np.bincount(data.codes[fold], minlength=k) for fold in folds])
    two_largest = np.sort(held, axis=0)[-2:].sum(axis=0)
    return bool(np.all(two_largest < data.class_counts))


def _outer(folds: list[Rows], n: int, repetition: int) -> list[Split]:
    return [Split(_without(n, fold), fold, repetition) for fold in folds]


def _inner(folds: list[Rows], n: int, repetition: int) -> list[Split]:
    pairs = [np.sort(np.concatenate(pair)) for pair in combinations(folds, 2)]
    return [Split(_without(n, pair), pair, repetition, Part.NESTED) for pair in pairs]


def _without(n: int, rows: Rows) -> Rows:
    return np.setdiff1d(np.arange(n), rows, assume_unique=True)


NESTED_CV = NamedScheme(
    "nested-cv",
    title="nested cross-validation",
    make=NestedCrossValidation,
    assumptions=("cases are independent and count alike",),
    citations=(
        Citation(
            "Bates, Hastie and Tibshirani 2024",
            "Bates, S., Hastie, T. and Tibshirani, R. (2024). Journal of the American Statistical "
            "Association 119, 1434-1445.",
        ),
    ),
)
