"""What the calibration table says of a method, read from the table that is kept with the package.

Nothing heavy is imported: a report may ask for the record of every method it names.
"""

from __future__ import annotations

import csv
import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

__all__ = ["CalibrationRecord", "calibrated", "false_alarms"]

_PAGES = {"scores": "docs/scores.md"}
_PAGE = "docs/calibration.md"
_TABLES = ("calibration.csv", "calibration_scores.csv")


@dataclass(frozen=True, kw_only=True)
class CalibrationRecord:
    """How often a method was right, over all cells in which it was tried.

    Attributes
    ----------
    method, by, target : str
        The method, the scheme it read, and what it was held against.
    quantity : {"coverage", "size"}
    mean, error : float
        Mean over the cells, and its Monte Carlo error. By enumeration every cell is the worst
        over all unknown shares.
    worst, worst_error : float
        The least coverage or the largest size, and its Monte Carlo error.
    worst_cell : str
    cells, repetitions : int
        How many cells, and data sets in all of them; 0 by enumeration.
    page : str
        The page of the documentation that tells of it.
    """

    method: str
    by: str
    target: str
    quantity: str
    mean: float
    error: float
    worst: float
    worst_error: float
    worst_cell: str
    cells: int
    repetitions: int
    page: str = _PAGE

    @property
    def how(self) -> str:
        """How it was made, in a few words."""
        if self.repetitions == 0:
            return f"by enumeration at {self.cells} numbers of cases"
        return f"simulated: {self.repetitions} data sets of known truth in {self.cells} cells"

    @property
    def anchor(self) -> str:
        """Where its rows stand in the documentation."""
        return f"{self.page}#{self.method}"

    @property
    def sentence(self) -> str:
        """The record in one sentence."""
        verb = "covers" if self.quantity == "coverage" else "rejects what is true in"
        least = "at least" if self.quantity == "coverage" else "at most"
        if self.repetitions == 0:
            return f"{self.method} {verb} {least} {self.worst:.3f}, {self.how}"
        return (
            f"{self.method} {verb} {self.mean:.3f} ± {self.error:.3f} on average, {self.worst:.3f} "
            f"± {self.worst_error:.3f} at worst ({self.worst_cell}), nominal "
            f"{'.95' if self.quantity == 'coverage' else '.05'}; {self.how}"
        )


def calibrated(
    method: str,
    *,
    target: str | None = None,
    by: str | None = None,
    quantity: str | None = None,
) -> CalibrationRecord | None:
    """Return what the calibration table says of a method, or None if it was not tried.

    Parameters
    ----------
    method : str
        Its name, as reports give it.
    target : {"fixed", "conditional", "expected"}, optional
        What it is held against; by default the first that the table has.
    by : str, optional
        The scheme it reads, as "10x10" or "10-fold"; by default the first that the table has.
    quantity : {"coverage", "size"}, optional
        As an interval, or as a test, where a method is both.

    Examples
    --------
    >>> record = calibrated("clopper-pearson")
    >>> record.quantity, record.worst >= 0.95, record.anchor
    ('coverage', True, 'docs/calibration.md#clopper-pearson')
    >>> calibrated("by-eye") is None
    True
    """
    rows = [
        row
        for row in _rows()
        if row["method"] == method
        and row["quantity"] in ("coverage", "size")
        and "ignored" not in row["note"]
        and target in (None, row["target"])
        and by in (None, row["by"])
        and quantity in (None, row["quantity"])
    ]
    if not rows:
        return None
    first = rows[0]
    keys = ("by", "target", "quantity", "section")
    return _record([r for r in rows if all(r[k] == first[k] for k in keys)])


def false_alarms(method: str) -> str:
    """Say how often a test of learners declares equal ones different, in the table's figures.

    Examples
    --------
    >>> record = calibrated("kfold-t", quantity="size")
    >>> f"{record.mean:.3f} on average" in false_alarms("kfold-t")
    True
    """
    record = calibrated(method, quantity="size")
    if record is None:
        raise LookupError(f"the calibration table has no sizes of {method}")
    return (
        f"of equal learners it declares {record.mean:.3f} on average and {record.worst:.3f} at "
        f"worst different at the .05 level (simulated, by {record.by})"
    )


def _record(rows: Sequence[dict[str, str]]) -> CalibrationRecord:
    first = rows[0]
    pick = max if first["quantity"] == "size" else min
    worst = pick(rows, key=lambda row: float(row["value"]))
    return CalibrationRecord(
        method=first["method"],
        by=first["by"],
        target=first["target"],
        quantity=first["quantity"],
        mean=sum(float(r["value"]) for r in rows) / len(rows),
        error=math.sqrt(sum(float(r["error"]) ** 2 for r in rows)) / len(rows),
        worst=float(worst["value"]),
        worst_error=float(worst["error"]),
        worst_cell=worst["cell"],
        cells=len(rows),
        repetitions=sum(int(r["repetitions"]) for r in rows),
        page=_PAGES.get(first["section"], _PAGE),
    )


@cache
def _rows() -> tuple[dict[str, str], ...]:
    rows: list[dict[str, str]] = []
    for name in _TABLES:
        with (files("referee.core") / name).open(encoding="utf-8") as lines:
            rows += csv.DictReader(lines)
    return tuple(rows)
