"""What the simulation said from which our constants come, to be read beside the table.

It had 500 to 1000 repetitions a cell: thirty cells of two Gaussians, on which the constants were
chosen, and other fresh cells than ours, so that fresh figures agree in kind at best. The least
coverage of a proportion was looked for at n = 100 over a grid of p, which misses some of it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from referee.study.calibration.promises import COLLAPSE

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["FOUNDERS", "Said", "beside"]


@dataclass(frozen=True)
class Said:
    """The mean and the worst rate of a method over a set of cells; nan where nothing was said."""

    cells: str
    method: str
    by: str
    target: str
    mean: float
    worst: float


_NO = float("nan")
_THIRTY, _FRESH, _EQUAL, _SHARES = "thirty", "fresh", "equal learners", "n 100, every p"

FOUNDERS = (
    Said(_THIRTY, "student-t", "10-fold", "conditional", 0.91, 0.86),
    Said(_THIRTY, "wilson", "10-fold", "conditional", 0.92, 0.89),
    Said(_THIRTY, "corrected-t", "25 x 90/10", "conditional", 0.93, 0.91),
    Said(_THIRTY, "nested-cv", "nested-cv", "conditional", 0.95, 0.92),
    Said(_THIRTY, "conservative-z", "conservative-z", "conditional", 0.97, 0.96),
    Said(_FRESH, "effective-jeffreys", "10x10", "conditional", 0.977, 0.907),
    Said(_FRESH, "effective-jeffreys", "10x10", "expected", 0.981, 0.926),
    Said(_FRESH, "nested-cv", "nested-cv", "conditional", 0.918, 0.650),
    Said(_FRESH, "conservative-z", "conservative-z", "conditional", 0.955, 0.873),
    Said(_FRESH, "corrected-t", "25 x 90/10", "conditional", 0.888, 0.593),
    Said(_FRESH, "cv-clt", "10-fold", "conditional", 0.860, 0.537),
    Said(_EQUAL, "calibrated-t", "calibrated-cv", "expected", 0.045, 0.066),
    Said(_EQUAL, "corrected-t", "calibrated-cv", "expected", 0.052, 0.123),
    Said(_EQUAL, "kfold-t", "10-fold", "expected", 0.080, 0.154),
    Said(_EQUAL, "5x2cv-t", "5x2", "expected", 0.072, 0.126),
    Said(_SHARES, "clopper-pearson", "test set", "fixed", _NO, 0.950),
    Said(_SHARES, "agresti-coull", "test set", "fixed", _NO, 0.939),
    Said(_SHARES, "wilson", "test set", "fixed", _NO, 0.895),
    Said(_SHARES, "jeffreys", "test set", "fixed", _NO, 0.881),
    Said(_SHARES, "wald", "test set", "fixed", _NO, 0.394),
)


def beside(table: pd.DataFrame) -> pd.DataFrame:
    """Return what was said, and what the table says of the same methods.

    Cells whose learners collapse are left out, as there.
    """
    import pandas as pd

    rows = []
    for said in FOUNDERS:
        mine = _cells(table, said)
        if mine.empty:
            continue
        worst = mine.value.max() if said.cells == _EQUAL else mine.value.min()
        rows.append(
            {
                "cells": said.cells,
                "method": said.method,
                "target": said.target,
                "mean said": said.mean,
                "mean here": _NO if said.cells == _SHARES else mine.value.mean(),
                "worst said": said.worst,
                "worst here": worst,
            }
        )
    return pd.DataFrame(rows)


def _cells(table: pd.DataFrame, said: Said) -> pd.DataFrame:
    mine = table[
        (table.method == said.method) & (table.by == said.by) & (table.target == said.target)
    ]
    if said.cells == _SHARES:
        return mine[mine.cell == "every share, n 100"]
    if said.cells == _EQUAL:
        return mine[(mine.quantity == "size") & (mine.collapsed <= COLLAPSE)]
    origin = "founders" if said.cells == _THIRTY else "fresh"
    return mine[(mine.section == "risk") & (mine.origin == origin)]
