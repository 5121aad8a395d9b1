"""Repeated cross-validation with halvings, the plan of the halves-calibrated t."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from referee.core.arrays import Flags, Rows
from referee.core.dataset import Dataset
from referee.core.plan import Part, Plan, Split
from referee.core.randomness import Seed, child
from referee.errors import InputError, PlanError, arg
from referee.resampling.cross_validation import CrossValidation
from referee.resampling.dealing import Strata
from referee.resampling.quietly import quietly
from referee.resampling.scheme import NamedScheme, make_plan

__all__ = ["CALIBRATED_CV", "CalibratedCrossValidation"]

FOLDS_WITHIN = 5
REDRAWS = 100


@dataclass(frozen=True)
class CalibratedCrossValidation:
    """Repeated cross-validation, and one more inside either half of many random halvings.

    Two halves share no case, so what their cross-validations differ by shows how much such a
    result really varies.

    Parameters
    ----------
    folds, repetitions, stratify
        As in `CrossValidation`.
    halvings : int
        How many random halvings; 10 is the cheap form.

    Notes
    -----
    Halves are drawn at random, not class by class: a sample of the population would be. A draw
    that leaves a half with fewer than 2 cases (or groups) of a class is repeated, up to 100 times;
    then the halves are stratified and the description says so. Inside a half a stratified 5-fold
    cross-validation is made, with fewer folds where a class has fewer than 5 cases there. Its
    splits have ``Part.HALVINGS`` and repetition 2 m for one half of the m-th halving, 2 m + 1 for
    the other. Groups stay whole in halves and folds.

    Examples
    --------
    >>> data = Dataset.of([[float(i)] for i in range(60)], [0, 1] * 30)
    >>> plan = CalibratedCrossValidation(halvings=3).plan(data, seed=0)
    >>> plan.description, plan.fits
    ('10 × 10-fold cross-validation, stratified, with 3 halvings', 131)
    """

    folds: int = 10
    repetitions: int = 10
    halvings: int = 40
    stratify: bool | str = True

    def __post_init__(self) -> None:
        self._main()
        if not isinstance(self.halvings, (int, np.integer)) or self.halvings < 1:
            raise InputError(
                f"must be a whole number of at least 1, got {self.halvings}; 40 are usual",
                argument="halvings",
            )

    def plan(self, data: Dataset, seed: Seed = 0) -> Plan:
        """Return the plan: the main splits, those inside halves, and one fit on all rows."""
        if data.time is not None:
            raise PlanError(
                "halvings need cases whose order does not matter, and these have times",
                concerning="halvings",
                remedy=(
                    f"use {arg('by', 'cv')}, which validates forward, or leave out {arg('time')}"
                ),
            )
        main = self._main().plan(data, seed)
        _check_enough(data)
        drawn = [_halve(data, child(seed, 2_000_000 + m)) for m in range(self.halvings)]
        inside = [
            Split(train, test, repetition=2 * m + j, part=Part.HALVINGS)
            for m, halving in enumerate(drawn)
            for j, rows in enumerate((halving.first, halving.second))
            for train, test in _folds_within(data, rows, child(seed, 3_000_000 + 2 * m + j))
        ]
        text = f"{main.description}, with {self.halvings} halvings"
        stratified = sum(halving.stratified for halving in drawn)
        if stratified:
            text += f", {stratified} of them stratified"
        return make_plan(data, [*main.part(Part.MAIN), *inside], "calibrated-cv", text)

    def _main(self) -> CrossValidation:
        return CrossValidation(self.folds, self.repetitions, self.stratify, halves=0)


class _Halving(NamedTuple):
    first: Rows
    second: Rows
    stratified: bool


def _halve(data: Dataset, seed: Seed) -> _Halving:
    from sklearn.model_selection import StratifiedGroupKFold, StratifiedKFold

    units = np.arange(data.n) if data.groups is None else data.groups
    held = _classes_held(data)
    count = len(held)
    rng = np.random.default_rng(seed)
    for _ in range(REDRAWS):
        chosen = np.zeros(count, dtype=bool)
        chosen[rng.permutation(count)[: count // 2]] = True
        if _enough(held, chosen):
            return _halving(chosen[units], stratified=False)
    splitter = StratifiedKFold if data.groups is None else StratifiedGroupKFold
    halves = splitter(n_splits=2, shuffle=True, random_state=seed % 2**32)
    first, _ = next(halves.split(np.zeros(data.n), data.codes, data.groups))
    chosen = np.zeros(count, dtype=bool)
    chosen[units[first]] = True
    if not _enough(held, chosen):
        raise PlanError(
            "the groups cannot be halved so that 2 groups of each half hold each class",
            concerning="groups",
            remedy=f"use the corrected t over {arg('by', '10x10')}",
        )
    return _halving(chosen[units], stratified=True)


def _halving(in_first: Flags, *, stratified: bool) -> _Halving:
    return _Halving(np.flatnonzero(in_first), np.flatnonzero(~in_first), stratified)


def _classes_held(data: Dataset) -> Flags:
    """Return which classes each case, or each group, holds."""
    units = np.arange(data.n) if data.groups is None else data.groups
    held = np.zeros((int(units.max()) + 1, data.strata), dtype=bool)
    held[units, data.codes] = True
    return held


def _enough(held: Flags, chosen: Flags) -> bool:
    return bool(min(held[chosen].sum(axis=0).min(), held[~chosen].sum(axis=0).min()) >= 2)


def _folds_within(data: Dataset, rows: Rows, seed: Seed) -> list[tuple[Rows, Rows]]:
    codes = data.codes[rows]
    if data.groups is None:
        rarest = int(np.bincount(codes, minlength=data.strata).min())
        folds = max(2, min(FOLDS_WITHIN, rarest))
        fold = Strata.of(codes).dealt(folds, seed)
        tests = [fold == number for number in range(folds)]
        return [(rows[~test], rows[test]) for test in tests if test.any()]
    groups = data.groups[rows]
    rarest = _classes_held(data)[np.unique(groups)].sum(axis=0).min()
    from sklearn.model_selection import StratifiedGroupKFold

    splitter = StratifiedGroupKFold(
        max(2, min(FOLDS_WITHIN, int(rarest))), shuffle=True, random_state=seed
    )
    with quietly("The least populated class"):
        pairs = list(splitter.split(np.zeros(len(rows)), codes, groups))
    return [(rows[train], rows[test]) for train, test in pairs if len(test)]


def _check_enough(data: Dataset) -> None:
    counts = _classes_held(data).sum(axis=0)
    rare = int(np.argmin(counts))
    if counts[rare] < 4:
        what = "cases" if data.groups is None else "groups"
        raise PlanError(
            f"{data.stratum(rare)} has {counts[rare]} {what}, and halvings need at least 4 {what} "
            "of each class",
            concerning="by",
            remedy=f"merge the class, or use the corrected t over {arg('by', '10x10')}",
        )


CALIBRATED_CV = NamedScheme(
    "calibrated-cv",
    title="repeated cross-validation with halvings",
    make=CalibratedCrossValidation,
)
