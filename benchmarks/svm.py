"""Support vector machines against libsvm, liblinear and, where it is installed, oneDAL.

Results are compared before anything is timed: values of the rule at a few hundred cases for kernel
machines, primal objectives for linear ones. Growth with the number of cases: ``python -m
benchmarks.svm``.
"""

from __future__ import annotations

import time
import warnings
from collections.abc import Iterator
from typing import Any

import numpy as np
from scipy import sparse
from sklearn.datasets import make_classification
from sklearn.exceptions import ConvergenceWarning
from sklearn.metrics.pairwise import chi2_kernel
from sklearn.svm import SVC, LinearSVC
from threadpoolctl import threadpool_limits

from benchmarks.race import Race
from referee import kernels
from referee.learners import SVM, LinearSVM
from referee.learners.svm.solvers.scda_linear import LinearProblem

__all__ = ["classes", "growth", "races"]

GAUSSIAN = [(500, 20, 0.5), (1000, 20, 0.5), (2000, 20, 0.5), (5000, 20, 0.25)]
LARGE = (20_000, 50)
_SHIFTS = {"hard": 0.3, "easy": 1.0}


def races() -> Iterator[Race]:
    for n, d, goal in GAUSSIAN:
        yield _gaussian_race(n, d, goal, SVC(gamma=1 / d), "SVC")
    onedal = _onedal(1 / LARGE[1])
    for kind, goal in (("hard", 0.1), ("clusters", 0.1), ("easy", 0.2)):
        yield _gaussian_race(*LARGE, goal, SVC(gamma=1 / LARGE[1]), "SVC", kind)
        if onedal is not None:
            yield _gaussian_race(*LARGE, 0.4, onedal, "oneDAL, single precision", kind)
    yield _chi_squared_race()
    yield _linear_race("dense 100k x 50", _dense(), 0.3)
    yield _linear_race("CSR 50k x 50k, 0.1 %", _sparse(), 0.6)


def classes(n: int, d: int, kind: str = "clusters") -> tuple[Any, Any]:
    """Return clusters with 5 % of wrong labels, or two normals that overlap, or lie apart."""
    if kind != "clusters":
        rng = np.random.default_rng(0)
        y = rng.integers(0, 2, n)
        return rng.normal(size=(n, d)) + _SHIFTS[kind] * y[:, None], y
    X, y = make_classification(n, d, n_informative=d // 2, flip_y=0.05, random_state=0)
    return (X - X.mean(axis=0)) / X.std(axis=0), y


def _onedal(gamma: float) -> Any:
    try:
        from sklearnex import svm
    except ImportError:
        return None
    return svm.SVC(gamma=gamma)


def _gaussian_race(
    n: int, d: int, goal: float, peer: Any, name: str, kind: str = "clusters"
) -> Race:
    X, y = classes(n, d, kind)
    theirs_X = X.astype(np.float32) if "single" in name else X
    model = SVM(kernels.Gaussian(gamma=1 / d))
    probe, theirs_probe = X[:500], theirs_X[:500]

    def agree(ours: Any, theirs: Any) -> None:
        # Both stop at a violation of 1e-3, and values differ by a few times that.
        a, b = ours.decision_function(probe), theirs.decision_function(theirs_probe)
        np.testing.assert_allclose(a, b.ravel(), rtol=0, atol=0.02)

    return Race(
        f"Gaussian SVM, n={n} d={d}" + f", {kind}" * ((n, d) == LARGE),
        name,
        lambda: model.fit(X, y),
        lambda: peer.fit(theirs_X, y),
        agree,
        goal,
        rounds=3 if n > 2000 else 15,
    )


def _chi_squared_race() -> Race:
    rng = np.random.default_rng(0)
    y = rng.integers(0, 2, 4000)
    X = rng.gamma(1.0 + 0.3 * y[:, None] * (np.arange(100) < 20), size=(4000, 100))
    X /= X.sum(axis=1, keepdims=True)
    model = SVM(kernels.ExpChiSquared(gamma=1.0))

    def peer() -> Any:
        K = chi2_kernel(X, gamma=1.0)
        return SVC(kernel="precomputed").fit(K, y), K

    def agree(ours: Any, theirs: Any) -> None:
        svc, K = theirs
        a, b = ours.decision_function(X[:300]), svc.decision_function(K[:300])
        np.testing.assert_allclose(a, b, rtol=0, atol=0.02)

    return Race(
        "SVM with exponential chi2 kernel, end to end, n=4k d=100",
        "chi2_kernel + SVC",
        lambda: model.fit(X, y),
        peer,
        agree,
        0.15,
        rounds=3,
    )


def _dense() -> tuple[Any, Any]:
    rng = np.random.default_rng(0)
    X = rng.normal(size=(100_000, 50))
    return X, (X @ rng.normal(size=50) + 3 * rng.normal(size=100_000) > 0).astype(int)


def _sparse() -> tuple[Any, Any]:
    rng = np.random.default_rng(0)
    n, each = 50_000, 50
    starts = np.arange(0, n * each + 1, each, dtype=np.int32)
    columns = rng.integers(0, n, n * each).astype(np.int32)
    X = sparse.csr_matrix((rng.random(n * each), columns, starts), shape=(n, n))
    X.sum_duplicates()
    return X, (X @ rng.normal(size=n) + 0.5 * rng.normal(size=n) > 0).astype(int)


def _linear_race(name: str, data: tuple[Any, Any], goal: float) -> Race:
    X, y = data
    problem = LinearProblem(X, np.where(y == 1, 1.0, -1.0), np.ones(len(y)))
    model = LinearSVM()
    peer = LinearSVC(loss="hinge", dual=True, random_state=0)

    def fit(estimator: Any) -> Any:
        with warnings.catch_warnings():
            # Neither reaches 1e-4 within 1000 epochs on the dense problem.
            warnings.simplefilter("ignore", ConvergenceWarning)
            return estimator.fit(X, y)

    def agree(ours: Any, theirs: Any) -> None:
        values = [np.append(m.coef_[0], m.intercept_) for m in (ours, theirs)]
        a, b = (problem.primal(w, problem.slopes(w)) for w in values)
        assert a <= b * (1 + 1e-4), (a, b)

    return Race(
        f"linear SVM, {name}",
        "LinearSVC(hinge, dual)",
        lambda: fit(model),
        lambda: fit(peer),
        agree,
        goal,
        rounds=3,
    )


def growth(sizes: tuple[int, ...] = (2500, 5000, 10_000, 20_000), d: int = 20) -> None:
    """Print the CPU time of a Gaussian SVM over n, and the exponent of each doubling."""
    print("| n | ours, CPU s | exponent |\n|---:|---:|---:|")
    last = None
    for n in sizes:
        X, y = classes(n, d)
        model = SVM(kernels.Gaussian(gamma=1 / d)).fit(X, y)
        start = time.process_time()
        model.fit(X, y)
        spent = time.process_time() - start
        grown = "-" if last is None else f"{np.log2(spent / last):.2f}"
        print(f"| {n} | {spent:.3f} | {grown} |", flush=True)
        last = spent


if __name__ == "__main__":
    with threadpool_limits(1):
        growth()
