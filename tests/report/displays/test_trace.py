"""TraceDisplay against the numbers of the traces."""

import matplotlib as mpl
import numpy as np
import pytest

import referee
from referee.errors import InputError
from referee.learners import SVM, LinearSVM
from referee.learners.svm.cache import GivenRows
from referee.learners.svm.problem import DualProblem
from referee.learners.svm.solvers.scda import solve_by_scda
from referee.learners.svm.solvers.smo import solve_by_smo
from referee.report.displays.trace import TraceDisplay

mpl.use("agg")

X = np.random.default_rng(0).normal(size=(60, 3))
PROBLEM = DualProblem(
    GivenRows(X @ X.T + 1), np.where(X[:, 0] + 0.3 > 0, 1.0, -1.0), np.ones(60), bias=False
)


@pytest.fixture
def solutions():
    return {
        "SMO": solve_by_smo(PROBLEM, tol=1e-6, record=True),
        "SCDA": solve_by_scda(PROBLEM, tol=1e-6, record=True),
    }


def test_lines_hold_the_traces(solutions):
    import matplotlib.pyplot as plt

    display = TraceDisplay(solutions).plot_both()
    shortfall, gap = (a.lines for a in display.figure_.axes)
    assert [line.get_label() for line in gap] == ["SMO", "SCDA"]
    trace = solutions["SCDA"].trace
    shown = gap[1].get_ydata()
    assert set(shown) <= set(trace.gap)
    assert gap[1].get_xdata()[0] == trace.iterations[0] == 0
    assert shortfall[1].get_ydata()[0] == display.best - trace.objective[0]
    plt.close(display.figure_)


def test_short_courses_have_markers(solutions):
    import matplotlib.pyplot as plt

    model = LinearSVM(tol=10.0, record=True).fit(X, X[:, 0] > 0)
    assert len(model.solutions_[0].trace.iterations) == 2
    display = referee.TraceDisplay({"linear": model, **solutions}).plot()
    one, _, many = display.ax_.lines
    assert len(one.get_xdata()) == 2
    assert one.get_marker() == "o"
    assert len(many.get_xdata()) > 12
    assert many.get_marker() == ""
    plt.close(display.figure_)


def test_a_fitted_model_is_drawn_problem_by_problem():
    import matplotlib.pyplot as plt

    two = SVM(record=True, solver="smo").fit(X, X[:, 0] > 0)
    assert list(TraceDisplay(two).solutions) == ["smo"]
    three = SVM(record=True, tol=1e-6).fit(X, np.arange(60) % 3)
    display = TraceDisplay(three).plot(show="objective")
    assert [line.get_label() for line in display.ax_.lines] == [
        "0 and 1",
        "0 and 2",
        "1 and 2",
    ]
    for line, solution in zip(display.ax_.lines, three.solutions_, strict=True):
        missing = solution.objective - solution.trace.objective
        assert set(line.get_ydata()) <= set(missing)
    plt.close(display.figure_)
    rest = LinearSVM(record=True, tol=0.1).fit(X, np.arange(60) % 3)
    assert list(TraceDisplay(rest).solutions) == [f"{c} and the rest" for c in range(3)]
    with pytest.raises(InputError, match="has 3 problems"):
        TraceDisplay({"three": three})
    with pytest.raises(InputError, match="fit it first"):
        TraceDisplay(SVM())


def test_many_problems_are_drawn_without_names():
    import matplotlib.pyplot as plt

    five = SVM(record=True, tol=0.1).fit(X, np.arange(60) % 5)
    display = TraceDisplay(five).plot()
    assert len(display.ax_.lines) == 10
    assert display.ax_.get_legend() is None
    assert display.ax_.get_xlabel().endswith("of 10 problems")
    plt.close(display.figure_)


def test_solutions_without_a_trace_are_refused(solutions):
    with pytest.raises(InputError, match="record=True"):
        TraceDisplay({"SMO": solve_by_smo(PROBLEM)})
    with pytest.raises(InputError, match="at least one"):
        TraceDisplay({})
    with pytest.raises(InputError, match="'gap' or 'objective'"):
        TraceDisplay(solutions).plot(show="speed")
