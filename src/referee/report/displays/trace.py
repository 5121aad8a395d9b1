"""TraceDisplay: how solvers of one problem come near its optimum."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import combinations
from typing import TYPE_CHECKING, Any, Literal, Self

import numpy as np

from referee.errors import InputError
from referee.learners.svm.solution import Solution
from referee.report.displays.display import Display
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

_MANY = 8
"""Problems beyond which lines are alike and have no names."""

_FEW = 12
"""Points up to which each has a marker; a line of one point would not be seen."""


class TraceDisplay(Display):
    """The courses of several solvers of the same problem, on logarithmic axes.

    Parameters
    ----------
    solutions : mapping of str to Solution or fitted model, or a fitted model
        By the name of the solver, each recorded (``record=True``). A model is a fitted `SVM` or
        `LinearSVM`; of one with several problems, all are drawn, each against its own optimum.

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
    >>> from referee.learners.svm.solvers.smo import solve_by_smo
    >>> x = np.array([-2.0, -1.0, 1.0, 3.0])
    >>> problem = DualProblem(GivenRows(np.outer(x, x)), np.sign(x), np.ones(4), bias=True)
    >>> display = TraceDisplay({"SMO": solve_by_smo(problem, record=True)}).plot()
    >>> display.best, len(display.ax_.lines)
    (0.5, 1)
    >>> plt.close(display.figure_)
    """

    def __init__(self, solutions: Mapping[str, Any] | Any) -> None:
        given = _named(solutions)
        if not given:
            raise InputError("must hold at least one solution", argument="solutions", value="none")
        for name, solution in given.items():
            if solution.trace is None:
                raise InputError(
                    f"the solution of {name!r} has no trace", remedy="solve again with record=True"
                )
        self.solutions = given
        self.best = max(s.objective for s in given.values())
        self._one_problem = isinstance(solutions, Mapping)

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
            raise InputError("must be 'gap' or 'objective'", argument="show", value=repr(show))
        ax = self._take(ax, 1.25 * COLUMN, COLUMN)
        many = len(self.solutions) > _MANY
        for number, (name, solution) in enumerate(self.solutions.items()):
            trace, how = solution.trace, stroke(0 if many else number)
            assert trace is not None
            best = self.best if self._one_problem else solution.objective
            values = trace.gap if show == "gap" else np.asarray(best - trace.objective)
            drawn = values > _FLOOR * abs(best)
            ax.plot(
                trace.iterations[drawn],
                values[drawn],
                color=how.color,
                ls=how.linestyle,
                lw=0.6 if many else 1.2,
                alpha=0.6 if many else 1.0,
                marker="o" if drawn.sum() <= _FEW else "",
                ms=3,
                label=shortened(name),
            )
        ax.set(yscale="log")
        ax.set_xscale("symlog", linthresh=1)  # every course begins at step 0
        ax.set_xlim(left=0)  # the courses fall to the right, which leaves room for their names
        steps = "steps on coefficients"
        dress(ax, f"{steps}, of {len(self.solutions)} problems" if many else steps, _LABELS[show])
        if legend and not many:
            key(ax, loc="lower left")
        return self

    def plot_both(self) -> Self:
        """Draw objective and gap side by side."""
        import matplotlib.pyplot as plt

        _, axes = plt.subplots(1, 2, figsize=(2.2 * COLUMN, COLUMN), layout="constrained")
        self.plot(axes[0], show="objective")
        return self.plot(axes[1], show="gap", legend=False)


def _named(given: Mapping[str, Any] | Any) -> dict[str, Solution]:
    """Return solutions by name, from solutions or models."""
    if not isinstance(given, Mapping):
        solutions = _solutions_of(given, "solutions")
        if len(solutions) == 1:
            return {solutions[0].solver: solutions[0]}
        return dict(zip(_problems(given), solutions, strict=True))
    named = {}
    for name, value in given.items():
        solutions = (value,) if isinstance(value, Solution) else _solutions_of(value, name)
        if len(solutions) > 1:
            raise InputError(
                f"the model {name!r} has {len(solutions)} problems, of several classes",
                remedy="give one of its solutions_, or the model alone",
            )
        named[name] = solutions[0]
    return named


def _problems(model: Any) -> list[str]:
    """Return what each problem of a model with several classes tells apart."""
    classes = [str(c) for c in model.classes_]
    if getattr(model, "multiclass", "ovr") == "ovo":
        return [f"{one} and {other}" for one, other in combinations(classes, 2)]
    return [f"{c} and the rest" for c in classes]


def _solutions_of(model: Any, name: str) -> tuple[Solution, ...]:
    solutions = getattr(model, "solutions_", None)
    if not solutions:
        raise InputError(
            f"{name} must be solutions or a fitted SVM or LinearSVM",
            concerning=name,
            value=repr(model),
            remedy="fit it first",
        )
    return tuple(solutions)
