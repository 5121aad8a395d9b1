"""What a sealed test set can score: shares of a known number of cases, AUC, bounded losses."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from referee.core.arrays import Codes, Floats
from referee.errors import InputError, arg
from referee.intervals.looks import Grid
from referee.measures import (
    MEASURES,
    AreaMeasure,
    Costs,
    LossMeasure,
    Measure,
    ShareMeasure,
    auc,
    measure_named,
)

__all__ = ["SEALED_MEASURES", "SealedMeasure"]


def _sealable(measure: Measure) -> bool:
    """Whether it is a share of known cases, an area, or a mean of losses with a bound."""
    if isinstance(measure, LossMeasure):
        return measure.bounded_loss and measure.of_codes is not None
    return measure.counts_cases or isinstance(measure, AreaMeasure)


SEALED_MEASURES = tuple(name for name, measure in MEASURES.items() if _sealable(measure))
"""Names of measures with a guaranteed interval after many looks."""

_WHY_NOT = {
    "precision": "its number of cases changes with the answers; use tpr or fpr",
    "npv": "its number of cases changes with the answers; use tnr or fnr",
    "log_loss": "it has no bound, so one case could make any interval wrong; use brier",
}


@dataclass(frozen=True)
class SealedMeasure:
    """A measure, with what it needs to know beforehand.

    Attributes
    ----------
    name : str
        One of `SEALED_MEASURES`.
    positive : int or None
        The position of the positive class, where there is one.
    costs : tuple of float or None
        Of a false positive and of a false negative, for "cost".
    classes : int
        How many classes there are.

    Examples
    --------
    >>> error = SealedMeasure("error", None, None, classes=2)
    >>> error.loss(np.array([0, 1, 1]), np.array([0, 0, 0]), None)
    2
    """

    name: str
    positive: int | None
    costs: tuple[float, float] | None
    classes: int

    @classmethod
    def of(cls, record: Mapping[str, Any]) -> SealedMeasure:
        """Read it from a header; ValueError for what was never sealed."""
        costs = record["costs"]
        measure = cls(
            name=record["name"],
            positive=record["positive"],
            costs=None if costs is None else (float(costs[0]), float(costs[1])),
            classes=int(record["classes"]),
        )
        if measure.name not in SEALED_MEASURES:
            raise ValueError("no measure of a vault")
        return measure

    @property
    def measure(self) -> Measure:
        """Its entry in the catalogue of measures."""
        return MEASURES[self.name]

    @property
    def scored(self) -> bool:
        """Whether it is computed from scores, and not from answers."""
        return self.measure.scores

    @property
    def by_class(self) -> bool:
        """Whether the classes' sizes have to be public."""
        return self.is_area or self.measure.whose != ""

    @property
    def is_area(self) -> bool:
        """Whether it goes by the order of the scores alone."""
        return isinstance(self.measure, AreaMeasure)

    @property
    def of_probabilities(self) -> bool:
        """Whether scores have to be probabilities."""
        return self.measure.probabilities

    @property
    def one_score(self) -> bool:
        """Whether a case has one score, of the positive class, and not one for each class."""
        return self.is_area or self.classes == 2

    @property
    def bounds(self) -> tuple[float, float]:
        """Between which the loss of a case lies, by definition."""
        if self.measure.bounded_loss:
            return 0.0, self.measure.greatest_loss(self.classes, self._costs)
        return 0.0, 1.0

    @property
    def _costs(self) -> Costs | None:
        return None if self.costs is None else Costs(*self.costs)

    def grid(
        self,
        sizes: Sequence[int],
        baseline: float,
        step: float | None,
        independent: float | None = None,
    ) -> Grid:
        """Return the grid of values that can be released.

        Parameters
        ----------
        sizes : sequence of int
            How many sealed cases each class has; but for measures `by_class` only their sum counts.
        baseline, step : float
            In units of the measure.
        independent : float or None
            How many independent cases those that the measure is about are worth, where they come
            in groups; an area has no grid for groups.
        """
        up = bool(self.measure.greater_is_better)
        total = sum(sizes)
        if self.is_area:
            positives = sizes[self._at]
            return Grid.of_area(positives, total - positives, baseline=baseline, step=step)
        if isinstance(self.measure, ShareMeasure):
            n = self._among(sizes) if self.by_class else total
            return Grid.of_share(
                n, baseline=baseline, step=step, greater_is_better=up, independent=independent
            )
        return Grid.of_mean(
            total,
            baseline=baseline,
            step=step,
            bounds=self.bounds,
            greater_is_better=up,
            independent=independent,
        )

    def _among(self, sizes: Sequence[int]) -> int:
        positives = sizes[self._at]
        return positives if self._of_positives else sum(sizes) - positives

    @property
    def _of_positives(self) -> bool:
        """Whether a share of one class is one of the positive cases, or of the rest."""
        return isinstance(self.measure, ShareMeasure) and self.measure.of_class

    @property
    def _at(self) -> int:
        assert self.positive is not None
        return self.positive

    def loss(self, truth: Codes, answers: Codes | None, scores: Floats | None) -> float:
        """Return what the model loses on the secret cases, as the grid counts it. It is a secret.

        A share loses whole cases; a mean loses itself; an area what it lacks of 1.
        """
        if self.is_area:
            assert scores is not None
            return 1 - auc(truth == self._at, scores)
        if isinstance(self.measure, LossMeasure):
            losses = self._losses(self.measure, truth, answers, scores)
            # Rows that sum to 1 only nearly may pass the bound by a hair.
            return min(float(np.mean(losses)), self.bounds[1])
        assert answers is not None
        if not self.by_class:
            return int(np.count_nonzero(truth != answers))
        right, said = truth == self._at, answers == self._at
        given = right if self._of_positives else ~right
        return int(np.count_nonzero(given & (said != right)))

    def case_losses(self, truth: Codes, answers: Codes | None, scores: Floats | None) -> Floats:
        """Return what each case loses; of a class rate, of cases of that class."""
        if isinstance(self.measure, LossMeasure):
            return np.minimum(self._losses(self.measure, truth, answers, scores), self.bounds[1])
        assert answers is not None
        if self.by_class:
            return np.asarray((truth == self._at) != (answers == self._at), dtype=float)
        return np.asarray(truth != answers, dtype=float)

    def _losses(
        self, measure: LossMeasure, truth: Codes, answers: Codes | None, scores: Floats | None
    ) -> Floats:
        assert measure.of_codes is not None
        return measure.of_codes(truth, answers, scores, self.positive, self._costs)


def sealed_measure(
    name: str,
    classes: Sequence[str],
    positive: int | None,
    costs: tuple[float, float] | None,
) -> SealedMeasure:
    """Return the measure to be sealed, or say why it cannot be and what could stand in.

    Examples
    --------
    >>> sealed_measure("mcc", ["a", "b"], None, None)
    Traceback (most recent call last):
    ...
    referee.errors.InputError: measure 'mcc' has no interval that holds after many looks; \
use one of error, accuracy, tpr, tnr, fpr, fnr, auc, brier, cost
    """
    measure = measure_named(name)
    if measure.name not in SEALED_MEASURES:
        why = _WHY_NOT.get(measure.name)
        if why is not None:
            raise InputError(f"measure {name!r} cannot be sealed: {why}", concerning="measure")
        known = ", ".join(SEALED_MEASURES)
        raise InputError(
            f"measure {name!r} has no interval that holds after many looks",
            remedy=f"use one of {known}",
        )
    needed = measure.positive or (measure.probabilities and len(classes) == 2)
    if needed and positive is None:
        raise InputError(
            f"measure {name!r} needs to know the positive class",
            concerning="pos_label",
            remedy=f"name it with {arg('pos_label')}",
        )
    if measure.costs != (costs is not None):
        raise InputError(
            f"{arg('measure', 'cost')} and {arg('costs')} (of a false positive and of a false "
            "negative) go together",
            concerning="measure",
            remedy="give both or neither",
        )
    return SealedMeasure(measure.name, positive if needed else None, costs, len(classes))
