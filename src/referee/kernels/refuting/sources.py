"""Where a search for counterexamples takes its points from."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import cycle, product
from typing import Any, Protocol

import numpy as np

from referee.core.arrays import Floats
from referee.errors import InputError
from referee.kernels.points import checked_objects

__all__ = ["Histograms", "Numbers", "Pool", "Source", "Strings", "source_of"]

_SIZES = (2, 2, 2, 2, 3, 3, 4, 6, 9, 14, 20)
"""Few points first: a counterexample with two is the best."""

_LARGEST = 400
"""Points looked at together."""


class Source(Protocol):
    """A supply of finite sets of points."""

    def sets(self, rng: np.random.Generator) -> Iterator[list[Any]]:
        """Yield sets of points, without end or until all were given."""
        ...


@dataclass(frozen=True)
class Numbers:
    """Vectors of one to three numbers, at scales from a hundredth to a hundred."""

    widths: tuple[int, ...] = (1, 2, 3)

    def sets(self, rng: np.random.Generator) -> Iterator[list[Any]]:
        """Yield clouds, grids and rays, in turn, with a few to many points."""
        for n, shape in cycle(product(_SIZES, (_cloud, _grid, _rays))):
            scale = 10 ** rng.uniform(-2, 2)
            yield list(self.tamed(scale * shape(rng, n, int(rng.choice(self.widths)))))

    def tamed(self, X: Floats) -> Floats:
        """Bring points back to where the kernel is defined."""
        return X


@dataclass(frozen=True)
class Histograms(Numbers):
    """Vectors of numbers that are not negative, many of them 0."""

    def tamed(self, X: Floats) -> Floats:
        """Take absolute values."""
        return np.abs(X)


@dataclass(frozen=True)
class Strings:
    """All short strings of two and three letters, then random ones of up to four letters."""

    def sets(self, rng: np.random.Generator) -> Iterator[list[Any]]:
        """Yield whole sets of short strings, then random sets."""
        for letters, longest in (
            ("ab", 2),
            ("ab", 3),
            ("abc", 2),
            ("ab", 4),
            ("abc", 3),
            ("ab", 5),
        ):
            yield _all_strings(letters, longest)
        while True:
            letters = "abcd"[: int(rng.integers(1, 5))]
            drawn = {_random_string(rng, letters) for _ in range(60)}
            yield sorted(drawn)


@dataclass(frozen=True)
class Pool:
    """Points the user gave."""

    points: tuple[Any, ...]

    @property
    def is_whole(self) -> bool:
        """Whether all points are looked at together; a part of them then cannot fail."""
        return len(self.points) <= _LARGEST

    def sets(self, rng: np.random.Generator) -> Iterator[list[Any]]:
        """Yield all points, if they are not too many, otherwise random sets of them."""
        n = len(self.points)
        if self.is_whole:
            yield list(self.points)
            return
        while True:
            yield [self.points[i] for i in np.sort(rng.choice(n, _LARGEST, replace=False))]


def source_of(points: Any) -> Source:
    """Return the source that a name or a sequence of points stands for.

    Examples
    --------
    >>> source_of("strings")
    Strings()
    """
    known: dict[str, Source] = {
        "numbers": Numbers(),
        "histograms": Histograms(),
        "strings": Strings(),
    }
    if isinstance(points, str):
        if points not in known:
            raise InputError(
                "must be 'numbers', 'histograms', 'strings' or a list of points",
                argument="points",
                value=repr(points),
            )
        return known[points]
    pool = checked_objects(points, "points")
    if not pool:
        raise InputError("must not be empty", argument="points", remedy="give at least one point")
    if all(isinstance(p, Sequence) and not isinstance(p, str) for p in pool):
        pool = tuple(np.asarray(points, dtype=np.float64)) if _is_table(points) else pool
    return Pool(pool)


def _is_table(points: Any) -> bool:
    try:
        return np.asarray(points, dtype=np.float64).ndim == 2
    except (TypeError, ValueError):
        return False


def _cloud(rng: np.random.Generator, n: int, d: int) -> Floats:
    return rng.normal(size=(n, d))


def _grid(rng: np.random.Generator, n: int, d: int) -> Floats:
    return rng.integers(-3, 4, size=(n, d)).astype(np.float64)


def _rays(rng: np.random.Generator, n: int, d: int) -> Floats:
    """Multiples of one vector, 0 and opposite directions among them."""
    direction = rng.normal(size=d)
    return rng.choice([-4, -2, -1, 0, 0.5, 1, 2, 4], size=n)[:, None] * direction


def _all_strings(letters: str, longest: int) -> list[str]:
    return ["".join(p) for m in range(longest + 1) for p in product(letters, repeat=m)]


def _random_string(rng: np.random.Generator, letters: str) -> str:
    return "".join(rng.choice(list(letters), size=int(rng.integers(0, 8))))
