"""Shrinking: kernel rows cut down to the cases that may still move."""

from __future__ import annotations

import numpy as np

from referee.core.arrays import Flags, Floats, Rows
from referee.learners.svm.problem import DualProblem, KernelRows

__all__ = ["ActiveRows", "still_active"]


class ActiveRows:
    """Kernel rows of the active cases among themselves, slot by slot those of a larger store."""

    def __init__(self, rows: KernelRows, active: Rows) -> None:
        self._rows = rows
        self._active = active
        self.store = np.ascontiguousarray(rows.store[:, active])
        self.slot = rows.slot[active]
        self.diagonal = rows.diagonal[active]

    @property
    def evaluations(self) -> int:
        """Kernel values computed so far."""
        return self._rows.evaluations

    def fetch(self, rows: Rows) -> None:
        """Bring rows into both stores."""
        cases = self._active[rows]
        self._rows.fetch(cases)
        slots = self._rows.slot[cases]
        self.store[slots] = self._rows.store[np.ix_(slots, self._active)]
        self.slot = self._rows.slot[self._active]


def still_active(problem: DualProblem, signed: Floats, slopes: Floats) -> Flags:
    """Tell which cases may still move: all but those firmly held at an end of their box.

    Reference: T. Joachims (1999), Making large-scale SVM learning practical; the test is that of
    R.-E. Fan, P.-H. Chen, C.-J. Lin (2005).
    """
    up, down = problem.steepest(signed, slopes)
    if not problem.bias:
        violation = max(up, -down, 0.0)
        up, down = violation, -violation
    held_high = (signed >= problem.high) & (slopes > up)
    held_low = (signed <= problem.low) & (slopes < down)
    return np.asarray(~(held_high | held_low))
