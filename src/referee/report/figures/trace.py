"""TraceDisplay: how solvers of one problem come near its optimum (S7)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Literal, Self

import numpy as np

from referee.core.arrays import Floats
from referee.errors import InputError
from referee.learners.svm.solution import Solution
from referee.learners.svm.trace import Trace
from referee.report.figures.display import Display
from referee.report.figures.style import COLUMN, dress, key, shortened, stroke

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["TraceDisplay"]

Show = Literal["gap", "objective"]

_LABELS: dict[str, str] = {
    "gap": "duality gap, least so far",
    "objective": "objective missing to the optimum",
}
_FLOOR = 1e-12
"""Of the optimum: less is rounding error, and is not drawn."""


class TraceDisplay(Display):
    """The courses of several solvers of the same problem, on logarithmic axes.

    Parameters
    ----------
    solutions : mapping of str to Solution
        By the name of the solver, each recorded (``record=True``).

    Attributes
    ----------
    best : float
        The largest objective that any of them reached.
    ax_, figure_ : matplotlib Axes and Figure

    Examples
    --------
    >>> import matplotlib.pyplot as plt
    >>> from referee.learners.svm.cache import GivenRows
    >>> from referee.learners.svm.problem import DualProblem
    >>> from referee.learners.svm.smo import solve_by_smo
    >>> x = np.array([-2.0, -1.0, 1.0, 3.0])
    >>> problem = DualProblem(GivenRows(np.outer(x, x)), np.sign(x), np.ones(4), bias=True)
    >>> display = TraceDisplay({"SMO": solve_by_smo(problem, record=True)}).plot()
    >>> display.best, len(display.ax_.lines)
    (0.5, 1)
    >>> plt.close(display.figure_)
    """

    def __init__(self, solutions: Mapping[str, Solution]) -> None:
        if not solutions:
            raise InputError("solutions must hold at least one solution, got none")
        for name, solution in solutions.items():
            if solution.trace is None:
                raise InputError(
                    f"the solution of {name!r} has no trace; solve again with record=True"
                )
        self.solutions = dict(solutions)
        self.best = max(s.objective for s in solutions.values())

    def plot(self, ax: Axes | None = None, *, show: Show = "gap", legend: bool = True) -> Self:
        """Draw one line for each solver over its steps.

        Parameters
        ----------
        ax : matplotlib Axes, optional
            Where to draw; a new figure if not given.
        show : {"gap", "objective"}
            What to draw.
        legend : bool
            Whether to name the solvers.
        """
        if show not in _LABELS:
            raise InputError(f"show must be 'gap' or 'objective', got {show!r}")
        ax = self._take(ax, 1.25 * COLUMN, COLUMN)
        for number, (name, solution) in enumerate(self.solutions.items()):
            trace, how = solution.trace, stroke(number)
            assert trace is not None
            values = self._values(trace, show)
            drawn = (values > _FLOOR * abs(self.best)) & (trace.iterations > 0)
            ax.plot(
                trace.iterations[drawn],
                values[drawn],
                color=how.color,
                ls=how.linestyle,
                lw=1.2,
                label=shortened(name),
            )
        ax.set(xscale="log", yscale="log")
        ax.set_xlim(left=1)  # the courses fall to the right, which leaves room for their names
        dress(ax, "steps on coefficients", _LABELS[show])
        if legend:
            key(ax, loc="lower left")
        return self

    def plot_both(self) -> Self:
        """Draw objective and gap side by side."""
        import matplotlib.pyplot as plt

        _, axes = plt.subplots(1, 2, figsize=(2.2 * COLUMN, COLUMN), layout="constrained")
        self.plot(axes[0], show="objective")
        return self.plot(axes[1], show="gap", legend=False)

    def _values(self, trace: Trace, show: Show) -> Floats:
        return trace.gap if show == "gap" else np.asarray(self.best - trace.objective)
