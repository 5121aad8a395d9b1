"""By how much the best inner score of a search flatters: python docs/images/inflation.py.

Small samples of the breast cancer data; the cases that were left out tell the truth.
"""

from __future__ import annotations

import numpy as np
from sklearn.datasets import load_breast_cancer
from sklearn.model_selection import GridSearchCV
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC

import referee

SAMPLES, CASES = 15, 50
GRID = {"svc__C": [1, 10, 100], "svc__gamma": [0.001, 0.01, 0.1]}


def errors(seed: int) -> tuple[float, float, float]:
    """Return the inner, the nested and the true error of a search on one small sample."""
    X, y = load_breast_cancer(return_X_y=True)
    rng = np.random.default_rng(seed)
    rows = rng.permutation(len(y))
    mine, rest = rows[:CASES], rows[CASES:]
    search = GridSearchCV(make_pipeline(StandardScaler(), SVC()), GRID, cv=5)
    made = referee.evaluate(search, X[mine], y[mine], by=5, measures="error", random_state=seed)
    truth = float(np.mean(made.model.predict(X[rest]) != y[rest]))
    assert made.search is not None
    return made.search.inner, made.search.nested, truth


def main() -> None:
    """Print mean errors over the samples, with their standard errors."""
    table = np.array([errors(seed) for seed in range(SAMPLES)])
    flat = table[:, :2] - table[:, 2:]
    print(f"{SAMPLES} samples of {CASES} cases, 9 candidates")  # noqa: T201
    print("true labels: mean error (less the truth, standard error)")  # noqa: T201
    for name, column in (("inner", 0), ("nested", 1)):
        mean, spread = flat[:, column].mean(), flat[:, column].std(ddof=1) / np.sqrt(SAMPLES)
        print(f"  {name:7}{table[:, column].mean():.3f} ({mean:+.3f}, {spread:.3f})")  # noqa: T201
    print(f"  truth  {table[:, 2].mean():.3f}")  # noqa: T201


if __name__ == "__main__":
    main()
