"""Kernel matrices against scikit-learn and scipy, and rows for solvers against a bare product.

Both sides compute the same matrix, which is checked first. "threads" are ours; the peers run on
one thread, as they do by default. ``python -m benchmarks.kernels`` prints these races and how time
grows with the number of points.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
from scipy.spatial.distance import cdist
from sklearn.metrics.pairwise import additive_chi2_kernel, chi2_kernel, rbf_kernel
from threadpoolctl import threadpool_limits

from benchmarks.race import Race
from referee.kernels import (
    ChiSquared,
    ExpChiSquared,
    Gaussian,
    HistogramIntersection,
    Kernel,
)

__all__ = ["races"]

N, D = 4000, 100
GOAL = 0.10
INTERSECTION_GOAL = 0.15
"""In double precision: its bound alone is .08 of cdist (`benchmarks.roofline`)."""


def races() -> Iterator[Race]:
    X = np.random.default_rng(0).dirichlet(np.ones(D), N)
    for kernel, peer_name, peer in (
        (ExpChiSquared(gamma=1.0), "chi2_kernel", lambda: chi2_kernel(X, gamma=1.0)),
        (ChiSquared(), "additive_chi2_kernel", lambda: _chi_squared(X)),
        (HistogramIntersection(), "cdist, cityblock", lambda: _intersection(X)),
        (Gaussian(gamma=1.0), "rbf_kernel", lambda: rbf_kernel(X, gamma=1.0)),
    ):
        goal = None if isinstance(kernel, Gaussian) else GOAL
        for dtype, threads in ((np.float64, 1), (np.float64, 2), (np.float32, 1), (np.float32, 2)):
            bounded = isinstance(kernel, HistogramIntersection) and dtype is np.float64
            own = INTERSECTION_GOAL if bounded else goal
            yield _matrix_race(kernel, X, dtype, threads, peer_name, peer, own)
    for d in (20, 50, 100):
        for dtype in (np.float32, np.float64):
            yield _rows_race(d, dtype)


def _chi_squared(X: Any) -> Any:
    """Make sum x x' / (x + x') of scikit-learn's -sum (x - x')^2 / (x + x')."""
    sums = X.sum(axis=1)
    K = additive_chi2_kernel(X)
    K += sums[:, None]
    K += sums
    K /= 4
    return K


def _intersection(X: Any) -> Any:
    """Make sum min(x, x') of scipy's sum |x - x'|."""
    sums = X.sum(axis=1)
    K = cdist(X, X, "cityblock")
    np.subtract(sums[:, None], K, out=K)
    K += sums
    K /= 2
    return K


def _matrix_race(
    kernel: Kernel,
    X: Any,
    dtype: Any,
    threads: int,
    peer_name: str,
    peer: Callable[[], Any],
    goal: float | None,
) -> Race:
    def agree(ours: Any, theirs: Any) -> None:
        scale = np.abs(theirs).max()
        np.testing.assert_allclose(ours / scale, theirs / scale, atol=_tolerance(dtype))

    return Race(
        f"{type(kernel).__name__} matrix, n=4k d=100, {np.dtype(dtype).name}, {threads} thread"
        + ("s" if threads > 1 else ""),
        peer_name,
        lambda: kernel.gram(X, dtype=dtype, n_jobs=threads),
        peer,
        agree,
        goal,
        rounds=3,
    )


def _rows_race(d: int, dtype: Any) -> Race:
    """512 rows against 20,000 points, and the product alone: how much the exponential adds."""
    rng = np.random.default_rng(1)
    X = rng.normal(size=(20_000, d))
    chosen = rng.permutation(len(X))[:512]
    rows = Gaussian(gamma=1 / d).prepare(X, dtype)
    out = np.empty((512, len(X)), dtype)
    product = np.empty_like(out)
    A = np.ascontiguousarray(X, dtype)

    def agree(ours: Any, theirs: Any) -> None:
        squares = (X**2).sum(axis=1)
        apart = squares[chosen, None] + squares - 2 * theirs
        np.testing.assert_allclose(ours, np.exp(-apart / d), atol=100 * _tolerance(dtype))

    return Race(
        f"512 Gaussian rows, n=20k d={d}, {np.dtype(dtype).name}",
        "the matrix product alone",
        lambda: rows.block(chosen, out=out),
        lambda: np.dot(A[chosen], A.T, out=product),
        agree,
        rounds=7,
    )


def _tolerance(dtype: Any) -> float:
    return 1e-12 if dtype is np.float64 else 1e-6


def growth(kernel: Kernel, sizes: tuple[int, ...] = (1000, 2000, 4000, 8000)) -> float:
    """Return the exponent of time over n, fitted to the median of three rounds each."""
    X = np.random.default_rng(0).dirichlet(np.ones(D), max(sizes))
    seconds = []
    with threadpool_limits(1):
        for n in sizes:
            rounds = []
            for _ in range(3):
                start = time.process_time()
                kernel.gram(X[:n], dtype=np.float32)
                rounds.append(time.process_time() - start)
            seconds.append(sorted(rounds)[1])
    return float(np.polyfit([math.log(n) for n in sizes], np.log(seconds), 1)[0])


def peak(dtype: Any) -> float:
    """Return how many floating-point operations a square matrix product does in a second."""
    A = np.ones((2000, 2000), dtype)
    best = math.inf
    with threadpool_limits(1):
        for _ in range(5):
            start = time.perf_counter()
            A @ A
            best = min(best, time.perf_counter() - start)
    return 2 * 2000**3 / best


def main() -> None:
    print("| race | peer | ours, wall s | ours / peer, wall | ours / peer, CPU | goal |  |")
    print("|---|---|---:|---:|---:|---:|---|")
    for race in races():
        o = race.run()
        print(
            f"| {o.name} | {o.peer_name} | {o.ours_wall:.3f} | {o.wall:.3f} | {o.cpu:.3f} "
            f"| {o.goal or '-'} | {o.met} |",
            flush=True,
        )
    print()
    for kernel in (ExpChiSquared(), HistogramIntersection(), Gaussian(gamma=1.0)):
        print(f"{type(kernel).__name__}: time grows as n^{growth(kernel):.2f}")
    for dtype in (np.float32, np.float64):
        at_peak = peak(dtype)
        for d in (20, 50, 100):
            seconds = _rows_race(d, dtype).run().ours_wall
            share = 2 * 512 * 20_000 * d / seconds / at_peak
            print(
                f"Gaussian rows, d={d}, {np.dtype(dtype).name}: {share:.0%} of "
                f"{at_peak / 1e9:.0f} GFLOP/s"
            )


if __name__ == "__main__":
    main()
