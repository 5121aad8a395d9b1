"""Measure: a number read off a table of predictions, with all that anybody asks about it.

A measure knows its range, its direction and what it needs, how its value is computed, and which
way to an interval suits it: it asks whoever judges (`Judge`) or compares (`PairJudge`) for that
way, so that nobody has to tell measures apart by their names.
"""

from __future__ import annotations

import math
import warnings
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, ClassVar, Protocol

import numpy as np

from referee.core.arrays import Floats, Label, Rows
from referee.core.method import Method
from referee.core.predictions import Predictions
from referee.core.results import Estimate
from referee.errors import InputError
from referee.measures.formulas.cost import Costs

__all__ = ["Judge", "Measure", "PairJudge", "always", "on_request"]


def always(table: Predictions, positive: Label | None) -> bool:
    """Show the measure whenever what it needs is there."""
    return True


def on_request(table: Predictions, positive: Label | None) -> bool:
    """Show the measure only where it is asked for."""
    return False


def _other_orders(table: Predictions) -> Iterator[Rows]:
    """Yield orders of the rows that tell a function of order by itself: one by chance would not.

    A measure of the first rows alone is the same after most shuffles; not so with all errors first
    and then last.
    """
    yield np.random.default_rng(0).permutation(len(table.case))
    truth = table.row_truth
    off = np.abs(truth - table.predicted) if table.numeric else truth != table.predicted
    by_error = np.lexsort((truth, off))
    yield by_error
    yield by_error[::-1]


class Judge(Protocol):
    """Whoever turns measures of one model into estimates; each method is one way to an interval."""

    def of_share(self, measure: Any) -> Estimate:
        """Return exact limits of a share of cases, or those of the splits after several fits."""

    def of_matrix(self, measure: Any) -> Estimate:
        """Resample confusion matrices."""

    def of_rates(self, measure: Any) -> Estimate:
        """Combine the exact limits of every class's rate."""

    def of_area(self, measure: Any) -> Estimate:
        """Place each case among those of the other class."""

    def of_ranking(self, measure: Any) -> Estimate:
        """Resample rankings of one class against the rest."""

    def of_classes(self, measure: Any) -> Estimate:
        """Resample rankings of all classes."""

    def of_losses(self, measure: Any) -> Estimate:
        """Average one loss per case."""

    def of_residuals(self, measure: Any) -> Estimate:
        """Average one loss of a quantity per case."""

    def of_median(self, measure: Any) -> Estimate:
        """Go by the share of cases with a larger loss."""

    def of_ratios(self, measure: Any) -> Estimate:
        """Linearise a ratio of sums over cases."""

    def of_function(self, measure: Measure) -> Estimate:
        """Resample cases, for any function of them; several fits give no interval."""


class PairJudge(Protocol):
    """Whoever compares two fixed models on the same cases by resampling them."""

    def of_matrices(self, measure: Any) -> Any:
        """Resample differences of a measure of the confusion matrix."""

    def of_rankings(self, measure: Any) -> Any:
        """Resample differences of a measure of the ranking of one class against the rest."""

    def of_means(self, measure: Any) -> Any:
        """Resample differences of a mean of one loss per case."""

    def of_ratios(self, measure: Any) -> Any:
        """Resample differences of a ratio of sums over cases."""

    def of_functions(self, measure: Measure) -> Any:
        """Resample differences of any function of the cases."""


@dataclass(frozen=True, kw_only=True)
class Measure(Method):
    """A named measure; `referee.measures` has a subclass for each way to compute one.

    Attributes
    ----------
    greater_is_better : bool or None
        Its direction; None where that was not said, and then models cannot be ranked by it.
    low, high : float
        The least and the largest value it can take.
    positive, scores, probabilities, costs : bool
        What it needs besides labels: the positive class, scores, scores that are probabilities,
        the costs of errors.
    one_fit : bool
        Whether it needs all cases scored by one model.
    of_shares : bool
        Whether its value changes with the classes' shares in the test set.
    percent : bool
        Whether it is written as a percentage.
    numeric : bool or None
        Whether it is of quantities (True) or of classes (False); None where it takes both.
    sets : bool or None
        Whether it is of label sets alone (True), not of them (False), or of both (None).
    undefined : str
        What makes it 0/0.
    by_chance : callable or None
        From the number of classes to what guessing scores, whatever the classes' shares.
    ability : str
        What it says of a model, its value in the place of ``{}``, where one class has nearly all
        cases and the error says little.
    shown : callable
        From predictions and the positive class to whether it is reported unasked, where all that
        it needs is there.
    of_matrix : callable or None
        From a stack of confusion matrices (and the position of the positive class, where it needs
        one) to values, for measures that the matrix determines.

    Examples
    --------
    >>> from referee.measures import measure_named
    >>> mcc = measure_named("mcc")
    >>> (mcc.low, mcc.high), mcc.value(Predictions.of([0, 1, 1, 0], [0, 1, 0, 1]))
    ((-1.0, 1.0), 0.0)
    """

    listed_in: ClassVar[str] = "referee.measures.catalogue:MEASURES"

    greater_is_better: bool | None
    low: float = 0.0
    high: float = 1.0
    positive: bool = False
    scores: bool = False
    probabilities: bool = False
    costs: bool = False
    one_fit: bool = False
    of_shares: bool = False
    percent: bool = True
    numeric: bool | None = False
    sets: bool | None = False
    undefined: str = ""
    by_chance: Callable[[int], float] | None = None
    ability: str = ""
    shown: Callable[[Predictions, Label | None], bool] = on_request
    of_matrix: Callable[..., Any] | None = None

    def value(
        self, table: Predictions, positive: Label | None = None, costs: Costs | None = None
    ) -> float:
        """Return the measure of all rows of a table, taken as those of one model."""
        raise NotImplementedError(f"{type(self).__name__} must define value")

    def estimate(self, judge: Judge) -> Estimate:
        """Return the measure with its interval, by the judge's way for measures of this kind."""
        return judge.of_function(self)

    def paired(self, pair: PairJudge) -> Any:
        """Return the resampled difference of two fixed models on the same cases."""
        return pair.of_functions(self)

    def quiet_value(
        self, table: Predictions, positive: Label | None = None, costs: Costs | None = None
    ) -> float:
        """Return the value on some of the cases; nan where it cannot be computed there."""
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # as many as there are resamples
            try:
                return self.value(table, positive, costs)
            except Exception:  # a resample without a class, for example
                return math.nan

    def check_order(
        self, table: Predictions, positive: Label | None, costs: Costs | None, value: float
    ) -> None:
        """Refuse a function that says something else of the same cases in another order."""
        for rows in _other_orders(table):
            again = self.value(table.rows(rows), positive, costs)
            if math.isnan(value) and math.isnan(again):
                continue
            if not math.isclose(value, again, rel_tol=1e-9, abs_tol=1e-12):
                raise InputError(
                    f"measure {self.name!r} gave {value:g} and, for the same {len(rows)} cases in "
                    f"another order, {again:g}; a measure must depend neither on the order of the "
                    "cases nor on chance",
                    concerning="measures",
                )

    def losses(
        self, table: Predictions, positive: Label | None = None, costs: Costs | None = None
    ) -> Floats:
        """Return the loss of every row, for measures that are a mean of them."""
        raise NotImplementedError(f"{self.name} is no mean of losses")

    def suits(self, table: Predictions) -> bool:
        """Whether it is of what was predicted: classes, quantities or label sets."""
        if table.label_sets is not None:
            return self.sets is not False
        return self.sets is not True and self._suits_one(table)

    def _suits_one(self, table: Predictions) -> bool:
        return self.numeric is None or self.numeric == table.numeric

    @property
    def is_mean_loss(self) -> bool:
        """Whether it is a mean of one loss per case, over all cases, or 1 minus that."""
        return False

    @property
    def counts_all_cases(self) -> bool:
        """Whether it is the share of all cases that were answered rightly, or wrongly."""
        return False

    @property
    def counts_cases(self) -> bool:
        """Whether it is a share of cases that are known before any answer: an error or a rate."""
        return False

    @property
    def bounded_loss(self) -> bool:
        """Whether it is a mean of losses of which the largest possible is known."""
        return False

    def greatest_loss(self, classes: int, costs: Costs | None = None) -> float:
        """Return the largest loss a case can have; infinite where there is no bound."""
        return math.inf

    @property
    def pools(self) -> bool:
        """Whether rows predicted by different models may be read as one table."""
        return True

    @property
    def whose(self) -> str:
        """Which cases it is about, "positive" or "negative"; empty where all."""
        return ""

    @property
    def widest(self) -> float:
        """The largest difference two models can have."""
        return self.high - self.low if math.isfinite(self.high - self.low) else math.inf
