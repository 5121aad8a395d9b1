"""The grid of values that a sealed test set can release, fixed before the first look.

A grid is laid out in losses, things to keep small: from the baseline down in equal steps. For a
measure that is to be great (accuracy, area under ROC) the loss is what is missing to the best
value. Shares are counted in whole cases, so that no rounding can make a cell of the grid larger or
smaller than it says.

A step is at least one standard error of the baseline's score, and 1.25 of them by default. Where
cases come in groups, it is the standard error of groups that err as a whole: an attacker may flip
whole groups, and then as many cases count as there are groups (`independent_cases`). With smaller
steps a patient attacker climbs: by flipping some answers of the best submission and keeping what is
better. After 1000 looks at 1000 cases such an attack looks .082 better than it is with a step of
one standard error, .071 with 1.25 (`referee study looks --step 1`).
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from referee.errors import InputError
from referee.intervals.looks.guaranteed import LookInterval, look_interval, look_interval_of_mean

__all__ = ["DEFAULT_STEP", "Cell", "Grid"]

DEFAULT_STEP = 1.25
"""In standard errors of the baseline's score; at least 1."""


@dataclass(frozen=True)
class Cell:
    """The losses that give one and the same answer, both ends included."""

    low: float
    high: float


@dataclass(frozen=True, kw_only=True)
class Grid:
    """The values baseline - m * step, m = 1 to `cells`, in losses.

    Attributes
    ----------
    n : int
        How many cases the share or mean is of; for an area, the cases of the smaller class.
    baseline, step : float
        Of the loss; whole cases for a share.
    worst : float
        The greatest loss there can be; the least is 0.
    counted : bool
        Whether losses are whole numbers of cases.
    best_value, worst_value : float
        The measure at loss 0 and at the worst loss.

    Examples
    --------
    >>> grid = Grid.of_share(1000, baseline=0.5)
    >>> grid.step, grid.cells, [round(grid.value(m), 3) for m in range(4)]
    (20, 25, [0.5, 0.48, 0.46, 0.44])
    >>> grid.rung(grid.loss(0.47)), grid.cell(1)
    (1, Cell(low=461, high=480))
    >>> accuracy = Grid.of_share(1000, baseline=0.5, greater_is_better=True)
    >>> [round(accuracy.value(m), 3) for m in range(4)]
    [0.5, 0.52, 0.54, 0.56]
    """

    n: int
    baseline: float
    step: float
    worst: float
    counted: bool
    best_value: float
    worst_value: float

    @classmethod
    def of_share(
        cls,
        n: int,
        *,
        baseline: float,
        step: float | None = None,
        greater_is_better: bool = False,
        independent: float | None = None,
    ) -> Grid:
        """Return the grid of a share of `n` cases (error, accuracy, true positive rate ...).

        Parameters
        ----------
        n : int
            The cases it is a share of, known before the first look.
        baseline : float
            The value to be improved on. It must not have been computed from the secret labels.
        step : float or None
            In units of the share; None for 1.25 standard errors. One is the least.
        greater_is_better : bool
            The direction of the measure.
        independent : float or None
            How many independent cases they are worth (`independent_cases`); None for all.
        """
        _check_cases(n, "n")
        share = _checked_baseline(baseline, 0.0, 1.0)
        error = math.sqrt(share * (1 - share) / _checked_independent(independent, n))
        width = _checked_step(step, error, _worth(n, independent))
        lost = 1 - share if greater_is_better else share
        return cls(
            n=n,
            baseline=math.ceil(_snapped(lost * n)),
            step=math.ceil(_snapped(width * n)),
            worst=n,
            counted=True,
            best_value=1.0 if greater_is_better else 0.0,
            worst_value=0.0 if greater_is_better else 1.0,
        )._with_cells()

    @classmethod
    def of_mean(
        cls,
        n: int,
        *,
        baseline: float,
        step: float | None = None,
        bounds: tuple[float, float] = (0.0, 1.0),
        greater_is_better: bool = False,
        independent: float | None = None,
    ) -> Grid:
        """Return the grid of a mean of `n` scores that lie between the `bounds` by definition."""
        _check_cases(n, "n")
        low, high = bounds
        if not -math.inf < low < high < math.inf:
            raise InputError(
                "must be two finite numbers, low < high", argument="bounds", value=str(bounds)
            )
        value, width = _checked_baseline(baseline, low, high), high - low
        share = (value - low) / width
        error = width * math.sqrt(share * (1 - share) / _checked_independent(independent, n))
        return cls(
            n=n,
            baseline=high - value if greater_is_better else value - low,
            step=_checked_step(step, error, _worth(n, independent)),
            worst=width,
            counted=False,
            best_value=high if greater_is_better else low,
            worst_value=low if greater_is_better else high,
        )._with_cells()

    @classmethod
    def of_area(
        cls, positives: int, negatives: int, *, baseline: float = 0.5, step: float | None = None
    ) -> Grid:
        """Return the grid of an area under the ROC curve; both numbers of cases are public."""
        _check_cases(positives, "positives")
        _check_cases(negatives, "negatives")
        return cls.of_mean(
            min(positives, negatives), baseline=baseline, step=step, greater_is_better=True
        )

    def _with_cells(self) -> Grid:
        if self.cells < 1:
            raise InputError(
                f"baseline {self.value(0):g} is within one step of the best value, so nothing "
                "could ever be released",
                concerning="baseline",
                remedy="use more cases (or groups of them), or an easier baseline",
            )
        return self

    @property
    def cells(self) -> int:
        """How many values can be released (J)."""
        rungs = math.floor(self.baseline / self.step)
        return rungs if self.edge(rungs) >= 0 else rungs - 1

    def edge(self, rung: int) -> float:
        """Return the greatest loss of a rung; rung 0 is the baseline."""
        return self.baseline - rung * self.step

    def rung(self, loss: float) -> int:
        """Return the number of whole steps by which a loss beats the baseline; 0 for none."""
        if not 0 <= loss <= self.worst:
            raise InputError(
                f"must lie between 0 and {self.worst:g}", argument="loss", value=str(loss)
            )
        rung = max(0, min(self.cells, math.floor((self.baseline - loss) / self.step)))
        # A quotient may be rounded; the edges themselves decide.
        while rung > 0 and loss > self.edge(rung):
            rung -= 1
        while rung < self.cells and loss <= self.edge(rung + 1):
            rung += 1
        return rung

    def cell(self, rung: int) -> Cell:
        """Return the losses that are released as this rung."""
        return Cell(self._above(rung + 1), self.edge(rung))

    def not_improved(self, rung: int) -> Cell:
        """Return the losses that do not improve on this rung by a step."""
        return Cell(self._above(rung + 1), self.worst)

    def _above(self, rung: int) -> float:
        """Return the least loss above the edge of a rung."""
        if rung > self.cells:
            return 0
        return self.edge(rung) + 1 if self.counted else self.edge(rung)

    def loss(self, value: float) -> float:
        """Return the loss at a value of the measure; a share becomes a whole number of cases."""
        share = (value - self.best_value) / (self.worst_value - self.best_value)
        if not self.counted:
            return min(max(share * self.worst, 0.0), self.worst)
        count = round(share * self.n)
        if abs(count - share * self.n) > 1e-6:
            raise InputError(
                f"no count among {self.n} cases gives a share of {value!r}", concerning="value"
            )
        return count

    def value(self, rung: int) -> float:
        """Return the value of the measure that is released for a rung."""
        return self._value_at(self.edge(rung))

    def _value_at(self, loss: float) -> float:
        return self.best_value + loss / self.worst * (self.worst_value - self.best_value)

    def ends(self, cell: Cell) -> tuple[float, float]:
        """Return the least and the greatest value of the measure in a cell."""
        one, other = self._value_at(cell.low), self._value_at(cell.high)
        return min(one, other), max(one, other)

    def interval(
        self,
        cell: Cell,
        look: int,
        releases: int,
        level: float = 0.95,
        *,
        looks: int | None = None,
    ) -> LookInterval:
        """Return the guaranteed interval of the measure, for what a look showed.

        Parameters
        ----------
        cell : Cell
            What the look showed.
        look, releases : int
            The number of the look, and the releases before it.
        level : float
            The probability that all intervals of the test set hold.
        looks : int or None
            How many looks there will be at most, where that was fixed before the first.

        Examples
        --------
        >>> grid = Grid.of_share(1000, baseline=0.5, greater_is_better=True)
        >>> i = grid.interval(grid.cell(8), look=5, releases=1).interval
        >>> round(i.low, 3), round(i.high, 3)
        (0.588, 0.745)
        """
        if self.counted:
            counts = (round(cell.low), round(cell.high))
            both = look_interval(*counts, self.n, look, releases, self.cells, level, looks=looks)
            return self._in_value(both) if self.best_value > self.worst_value else both
        low, high = self.ends(cell)
        span = sorted((self.best_value, self.worst_value))
        return look_interval_of_mean(
            low,
            high,
            self.n,
            look,
            releases,
            self.cells,
            level,
            bounds=(span[0], span[1]),
            looks=looks,
        )

    @staticmethod
    def _in_value(both: LookInterval) -> LookInterval:
        return LookInterval(
            interval=both.interval.complement(),
            naive=both.naive.complement(),
            look=both.look,
            releases=both.releases,
            cells=both.cells,
            log_weight=both.log_weight,
        )


def _check_cases(n: int, name: str) -> None:
    if isinstance(n, bool) or n != int(n) or n < 1:
        raise InputError(
            f"{name} must be a whole number of cases of at least 1", concerning=name, value=str(n)
        )


def _checked_independent(independent: float | None, n: int) -> float:
    if independent is None:
        return n
    if not 1 <= independent * (1 + 1e-9) <= n * (1 + 1e-6):
        raise InputError(
            f"independent must lie between 1 and the {n} cases",
            concerning="independent",
            value=f"{independent:g}",
        )
    return independent


def _worth(n: int, independent: float | None) -> str:
    if independent is None:
        return f"with {n} cases"
    return f"with {n} cases in groups, which are worth {independent:.3g} independent ones"


def _checked_baseline(baseline: float, low: float, high: float) -> float:
    if not low < baseline < high:
        raise InputError(
            f"baseline must lie strictly between {low:g} and {high:g}",
            concerning="baseline",
            value=f"{baseline:g}",
        )
    return float(baseline)


def _checked_step(step: float | None, least: float, where: str) -> float:
    if step is None:
        return DEFAULT_STEP * least
    if not least * (1 - 1e-9) <= step < math.inf:
        raise InputError(
            f"step must be at least one standard error of the baseline, {least:.4g} {where}, got "
            f"{step:g}; smaller steps can be climbed by chance. Leave it out for {DEFAULT_STEP} "
            "of them",
            concerning="step",
        )
    return float(step)


def _snapped(count: float) -> float:
    """Return the whole number that a count was before it was divided by n and multiplied again."""
    return round(count) if abs(count - round(count)) < 1e-6 else count
