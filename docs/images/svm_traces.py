"""Draw the picture of docs/svm.md: python docs/images/svm_traces.py."""

from __future__ import annotations

from pathlib import Path

import matplotlib as mpl

mpl.use("agg")

import numpy as np
from sklearn.datasets import load_breast_cancer

from referee.kernels import Linear
from referee.learners.svm.cache import GivenRows
from referee.learners.svm.problem import DualProblem
from referee.learners.svm.solvers.scda import solve_by_scda
from referee.learners.svm.solvers.scda_linear import LinearProblem, solve_linear
from referee.learners.svm.solvers.smo import solve_by_smo
from referee.learners.svm.solvers.working_set import solve_by_working_sets
from referee.report.displays.trace import TraceDisplay


def main() -> None:
    """Solve one bias-free problem in four ways."""
    X, labels = load_breast_cancer(return_X_y=True)
    X = (X - X.mean(axis=0)) / X.std(axis=0)
    y, C = np.where(labels == 1, 1.0, -1.0), np.ones(len(labels))
    K = (Linear() + 1).gram(X)

    def problem() -> DualProblem:
        return DualProblem(GivenRows(K), y, C, bias=False)

    solutions = {
        "working sets of 64": solve_by_working_sets(problem(), tol=1e-6, record=True, size=64),
        "SMO": solve_by_smo(problem(), tol=1e-6, record=True),
        "SCDA, kernel": solve_by_scda(problem(), tol=1e-6, record=True),
        "SCDA, linear": solve_linear(
            LinearProblem(X, y, C), tol=1e-6, max_iter=20_000, record=True
        )[0],
    }
    display = TraceDisplay(solutions).plot_both()
    target = Path(__file__).parent / "svm_traces.png"
    display.figure_.savefig(target, dpi=110, metadata={"Software": None})


if __name__ == "__main__":
    main()
