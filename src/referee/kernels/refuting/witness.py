"""Proof that a function is no kernel: points and weights with a negative quadratic form."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from numbers import Rational
from typing import Any

import numpy as np

from referee.core.arrays import Floats
from referee.kernels.given import FromFunction
from referee.kernels.kernel import Kernel

__all__ = ["Asymmetry", "Witness", "entry_error", "witness_at"]

_GRIDS = (1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 64, 128, 1024)
"""The largest whole-number weight tried first."""

_DECIMALS = (0, 1, 2, 3)

_FEW = 40
"""Points that are worth dropping one by one."""


@dataclass(frozen=True)
class Asymmetry:
    """Two points with k(x, x') different from k(x', x)."""

    points: tuple[Any, Any]
    there: float
    back: float

    def __str__(self) -> str:
        x, z = (_shown(p) for p in self.points)
        return f"k({x}, {z}) = {self.there:g} but k({z}, {x}) = {self.back:g}"


@dataclass(frozen=True)
class Witness:
    """Points x_i and weights t_i with sum_ij t_i t_j k(x_i, x_j) < 0.

    Attributes
    ----------
    points : tuple
        The x_i.
    weights : tuple of float
        The t_i.
    value : float
        The quadratic form, summed without rounding.
    bound : float
        How much the errors of the kernel values can have contributed; value + bound < 0.
    exact : bool
        Whether the kernel values themselves are rational numbers without error.
    """

    points: tuple[Any, ...]
    weights: tuple[float, ...]
    value: float
    bound: float
    exact: bool

    def __str__(self) -> str:
        shown = ", ".join(_shown(p) for p in self.points[:8])
        weights = ", ".join(f"{t:g}" for t in self.weights[:8])
        more = ", ..." if len(self.points) > 8 else ""
        sure = "exactly" if self.exact else f"errors below {self.bound:.1g}"
        return (
            f"{_counted(len(self.points))} {shown}{more} with weights {weights}{more}: "
            f"sum t_i t_j k(x_i, x_j) = {self.value:.4g} ({sure})"
        )


def _counted(points: int) -> str:
    return "1 point" if points == 1 else f"{points} points"


def entry_error(kernel: Kernel, points: Any, K: Floats, accuracy: float) -> float:
    """Bound the error of values: a share of the largest, more where the kernel says so."""
    kernel = kernel.resolved(points)
    stated = kernel.rounding(kernel.checked(points), np.float64)
    assumed = accuracy * float(np.abs(K).max(initial=0.0))
    return assumed if np.isnan(stated) else max(assumed, 16 * stated)


def witness_at(
    kernel: Kernel, points: list[Any], *, accuracy: float, movable: bool = True
) -> Witness | None:
    """Return the plainest witness at some of these points, if there is one beyond all errors.

    Points that are not movable are left as they are: only the weights are made plain.
    """
    K = symmetric_part(kernel.gram(_table(points)))
    error = entry_error(kernel, _table(points), K, accuracy)
    chosen = _fewest(K, error)
    if chosen is None:
        return None
    points = [points[i] for i in chosen]
    return _plainest(kernel, points, accuracy, movable) or _judged(
        kernel, points, _bottom(K[np.ix_(chosen, chosen)])[1], accuracy
    )


def symmetric_part(K: Floats) -> Floats:
    """Return (K + K') / 2, which has the quadratic form of K."""
    return np.asarray(K / 2 + K.T / 2)


def is_negative(K: Floats, error: float) -> bool:
    """Whether the smallest eigenvalue is negative whatever errors of that size do."""
    value, t = _bottom(K)
    return value + error * float(np.abs(t).sum()) ** 2 < 0


def _bottom(K: Floats) -> tuple[float, Floats]:
    values, vectors = np.linalg.eigh(K)
    return float(values[0]), np.asarray(vectors[:, 0])


def _fewest(K: Floats, error: float) -> list[int] | None:
    """Drop points as long as what remains is negative; many at once, where there are many."""
    chosen = list(range(len(K)))
    if not is_negative(K, error):
        return None
    share = 0.5
    while len(chosen) > _FEW and share * len(chosen) >= 1:
        t = np.abs(_bottom(K[np.ix_(chosen, chosen)])[1])
        drop = set(np.argsort(t)[: int(share * len(chosen))].tolist())
        rest = [c for k, c in enumerate(chosen) if k not in drop]
        if rest and is_negative(K[np.ix_(rest, rest)], error):
            chosen = rest
        else:
            share /= 2
    while (fewer := _one_less(K, chosen, error)) is not None:
        chosen = fewer
    return chosen


def _one_less(K: Floats, chosen: list[int], error: float) -> list[int] | None:
    """Drop the point without which the smallest eigenvalue stays lowest."""
    rests = [[c for c in chosen if c != drop] for drop in chosen] if len(chosen) > 1 else []
    negative = [r for r in rests if is_negative(K[np.ix_(r, r)], error)]
    return min(negative, key=lambda r: _bottom(K[np.ix_(r, r)])[0], default=None)


def _plainest(kernel: Kernel, points: list[Any], accuracy: float, movable: bool) -> Witness | None:
    """Round coordinates and weights as far as the quadratic form stays negative."""
    for candidate in _rounded_points(points) if movable else [points]:
        K = symmetric_part(kernel.gram(_table(candidate)))
        if not is_negative(K, entry_error(kernel, _table(candidate), K, accuracy)):
            continue
        t = _bottom(K)[1]
        t = t / np.abs(t).max() * np.sign(t[np.abs(t).argmax()])
        for grid in _GRIDS:
            witness = _judged(kernel, candidate, np.round(grid * t), accuracy)
            if witness is not None:
                return witness
    return None


def _rounded_points(points: list[Any]) -> list[list[Any]]:
    """Return the points with few decimals, as far as they are numbers, then as they are."""
    if not all(isinstance(p, np.ndarray) and p.dtype.kind == "f" for p in points):
        return [points]
    return [[np.round(p, k) + 0.0 for p in points] for k in _DECIMALS] + [points]


def _judged(kernel: Kernel, points: list[Any], t: Floats, accuracy: float) -> Witness | None:
    """Sum the quadratic form in rational numbers; None unless it is negative beyond errors."""
    exact = _rational_values(kernel, points)
    if exact is not None:
        values, error = exact, Fraction(0)
    else:
        K = kernel.gram(_table(points))
        values = [[Fraction(float(v)) for v in row] for row in K]
        error = Fraction(entry_error(kernel, _table(points), K, accuracy))
    weights = [Fraction(float(w)) for w in t]
    total = sum(
        (a * b * values[i][j] for i, a in enumerate(weights) for j, b in enumerate(weights)),
        Fraction(0),
    )
    bound = error * sum((abs(w) for w in weights), Fraction(0)) ** 2
    if total + bound >= 0:
        return None
    return Witness(
        tuple(points), tuple(float(w) for w in t), float(total), float(bound), exact is not None
    )


def _rational_values(kernel: Kernel, points: list[Any]) -> list[list[Fraction]] | None:
    """Return the values as fractions where the function computes in them, given fractions."""
    if not isinstance(kernel, FromFunction):
        return None
    try:
        rational = [_rational_point(p) for p in points]
        values = [[kernel.function(x, z) for z in rational] for x in rational]
    # A function of floats may raise anything when it meets fractions.
    except Exception:
        return None
    if not all(isinstance(v, Rational) for row in values for v in row):
        return None
    return [[Fraction(int(v.numerator), int(v.denominator)) for v in row] for row in values]


def _rational_point(point: Any) -> Any:
    if isinstance(point, np.ndarray):
        return np.array([Fraction(float(v)) for v in point], dtype=object)
    return Fraction(point) if isinstance(point, float) else point


def _table(points: list[Any]) -> Any:
    """Put vectors below one another; leave other points in their list."""
    vectors = bool(points) and all(isinstance(p, np.ndarray) for p in points)
    return np.stack(points) if vectors else points


def _shown(point: Any) -> str:
    if isinstance(point, np.ndarray):
        return "(" + ", ".join(f"{v:.4g}" for v in point) + ")"
    return repr(point)
