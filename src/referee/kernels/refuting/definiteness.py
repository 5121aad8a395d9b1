"""Is a function a positive definite kernel? A search for points that refute it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from typing import Any

import numpy as np

from referee.core.arrays import Floats
from referee.core.randomness import RandomState, integer_seed
from referee.errors import InputError
from referee.kernels.algebra import takes_matrix
from referee.kernels.given import FeatureMap, FromFunction
from referee.kernels.kernel import Kernel, KernelOverflow, checked_number
from referee.kernels.refuting.sources import Histograms, Numbers, Pool, Source, source_of
from referee.kernels.refuting.witness import (
    Asymmetry,
    Witness,
    entry_error,
    is_negative,
    symmetric_part,
    witness_at,
)

__all__ = ["Definiteness", "is_positive_definite"]

_MOVABLE = 6
"""More points than these are not moved."""

_STEPS = 300
"""Evaluations when points are moved to lower the smallest eigenvalue."""


@dataclass(frozen=True)
class Definiteness:
    """What a search for a counterexample found.

    True in a condition where nothing was found, which is no proof, unless the function was asked
    about given points only: then ``settled`` is true.

    Attributes
    ----------
    formula : str
        The function.
    counterexample : Witness or Asymmetry, optional
        Points at which it fails.
    sets : int
        How many sets of points were looked at.
    settled : bool
        Whether the answer is final: a counterexample, or all the points given together.
    accuracy : float
        The error of values that was allowed for, as a share of the largest.
    seed : int
        The seed of the search; with it the search can be repeated.
    """

    formula: str
    counterexample: Witness | Asymmetry | None
    sets: int
    settled: bool
    accuracy: float
    seed: int

    def __bool__(self) -> bool:
        return self.counterexample is None

    def __str__(self) -> str:
        if isinstance(self.counterexample, Asymmetry):
            return f"{self.formula} is no kernel, it is not symmetric: {self.counterexample}"
        if self.counterexample is not None:
            return f"{self.formula} is not positive definite: {self.counterexample}"
        if self.settled:
            return f"{self.formula} is positive semidefinite at the given points, up to rounding"
        return f"{self.formula}: no counterexample in {self.sets} sets of points; that is no proof"


def is_positive_definite(
    kernel: Any,
    points: Any = None,
    *,
    tries: int = 200,
    accuracy: float = 1e-10,
    random_state: RandomState = 0,
) -> Definiteness:
    """Search for points and weights with sum_ij t_i t_j k(x_i, x_j) < 0.

    Random sets of points at several scales are tried, and every tenth time the set that came
    nearest is moved to lower the smallest eigenvalue. A counterexample counts only if it is
    negative whatever the errors of the kernel values: the form is summed in rational numbers, and
    values may err by `accuracy` of the largest, or more where the kernel itself says so. Where a
    function given fractions returns fractions, the counterexample is exact. Counterexamples are
    made small and plain before they are returned; points that were given are not changed.

    Parameters
    ----------
    kernel : Kernel or callable
        A function of two points is taken as `FromFunction`.
    points : {"numbers", "histograms", "strings"} or sequence, optional
        Where to search. A sequence is searched as it is; a table of numbers, row by row. By
        default numbers, not negative if the kernel wants that. For `Precomputed`, the matrix.
    tries : int
        Sets of points to look at.
    accuracy : float
        Allowed error of kernel values, as a share of the largest one.
    random_state : int, Generator or None
        The seed of the search.

    Returns
    -------
    Definiteness
        True in a condition if no counterexample was found.

    Examples
    --------
    >>> from referee.kernels import Gaussian
    >>> def suspect(x, z):
    ...     return 1 - ((x - z) ** 2).sum()
    >>> print(is_positive_definite(suspect))
    suspect(x, x') is not positive definite: 2 points ... (exactly)
    >>> print(is_positive_definite(Gaussian(gamma=1.0), tries=20))
    exp(-|x - x'|^2): no counterexample in 20 sets of points; that is no proof
    """
    kernel = _as_kernel(kernel)
    checked_number(tries, "tries", least=1)
    checked_number(accuracy, "accuracy")
    seed = integer_seed(random_state)
    if takes_matrix(kernel):
        kernel, points = _of_matrix(kernel, points)
    source = _default_source(kernel) if points is None else source_of(points)
    rng = np.random.default_rng(seed)
    sets = 0
    for candidate in islice(_candidates(kernel, source, rng), int(tries)):
        try:
            witness = _counterexample(kernel, candidate, accuracy, not isinstance(source, Pool))
        except (KernelOverflow, OverflowError):
            continue
        sets += 1
        if witness is not None:
            return Definiteness(kernel.formula, witness, sets, True, accuracy, seed)
    if not sets:
        raise InputError(
            f"{kernel.formula} has no finite values at any of {tries} sets of points",
            concerning="kernel",
        )
    return Definiteness(
        kernel.formula, None, sets, isinstance(source, Pool) and source.is_whole, accuracy, seed
    )


def _as_kernel(kernel: Any) -> Kernel:
    if isinstance(kernel, Kernel):
        return kernel
    if callable(kernel):
        return FromFunction(kernel)
    if isinstance(kernel, np.ndarray):
        raise InputError(
            "must be a Kernel or a function of two points",
            argument="kernel",
            value=f"an array of shape {kernel.shape}",
            remedy="for a kernel matrix write is_positive_definite(Precomputed(), K)",
        )
    raise InputError(
        "must be a Kernel or a function of two points", argument="kernel", value=repr(kernel)
    )


def _of_matrix(kernel: Kernel, matrix: Any) -> tuple[Kernel, list[int]]:
    """Turn a matrix into a function of row numbers."""
    if matrix is None:
        raise InputError(
            "points must be the kernel matrix where the kernel is Precomputed", concerning="points"
        )
    K = kernel.gram(matrix)

    def precomputed(i: int, j: int) -> float:
        return float(K[i, j])

    return FromFunction(precomputed), list(range(len(K)))


def _default_source(kernel: Kernel) -> Source:
    """Return numbers, or histograms where the kernel does not take negative numbers."""
    if isinstance(kernel, (FromFunction, FeatureMap)):
        return Numbers()
    try:
        kernel.checked([[-1.0]])
    except InputError:
        return Histograms()
    return Numbers()


def _candidates(kernel: Kernel, source: Source, rng: np.random.Generator) -> Iterator[list[Any]]:
    """Yield sets of points; after nine of them, if they can be moved, the best one improved."""
    best: tuple[float, list[Any]] | None = None
    for number, points in enumerate(source.sets(rng), start=1):
        yield points
        if not isinstance(source, Numbers):
            continue
        X = np.stack(points)
        low = _lowest(kernel, X) if len(X) <= _MOVABLE else np.inf
        if low < (best[0] if best else np.inf):
            best = low, points
        if number % 9 == 0 and best is not None:
            yield list(_improved(kernel, source, np.stack(best[1])))
            best = None


def _lowest(kernel: Kernel, X: Floats) -> float:
    """Return the smallest eigenvalue as a share of the sum of all."""
    try:
        values = np.linalg.eigvalsh(symmetric_part(kernel.gram(X)))
    except (KernelOverflow, OverflowError):
        return np.inf
    return float(values[0] / max(np.abs(values).sum(), 1e-300))


def _improved(kernel: Kernel, source: Numbers, X: Floats) -> Floats:
    """Move points so that the smallest eigenvalue falls (Nelder and Mead's simplex)."""
    from scipy.optimize import minimize

    def height(flat: Floats) -> float:
        return _lowest(kernel, source.tamed(flat.reshape(X.shape)))

    moved = minimize(height, X.ravel(), method="Nelder-Mead", options={"maxfev": _STEPS})
    return source.tamed(np.asarray(moved.x).reshape(X.shape))


def _counterexample(
    kernel: Kernel, points: list[Any], accuracy: float, movable: bool
) -> Witness | Asymmetry | None:
    table = np.stack(points) if isinstance(points[0], np.ndarray) else points
    K = kernel.gram(table)
    error = entry_error(kernel, table, K, accuracy)
    apart = np.abs(K - K.T)
    if apart.max() > 2 * error:
        i, j = np.unravel_index(int(apart.argmax()), K.shape)
        return Asymmetry((points[i], points[j]), float(K[i, j]), float(K[j, i]))
    if not is_negative(symmetric_part(K), error):
        return None
    return witness_at(kernel, points, accuracy=accuracy, movable=movable)
