"""Mirror tasks: two blocks of features, equally informative and independent given the class.

The first learner sees one block, the second, the same method, the other. Without a `gain` they are
exchangeable, so whatever is declared different is declared so in error.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

__all__ = ["FRESH", "TUNING", "Cell", "MirrorTask"]


@dataclass(frozen=True)
class MirrorTask:
    """Two normals (or t) in each block; with `curved` the classes differ by a square."""

    n: int
    share: float = 0.5
    shift: float = 1.0
    features: int = 3
    tails: float = math.inf
    alike: float = 0.0
    curved: bool = False
    gain: float = 0.0

    def draw(self, rng: np.random.Generator) -> tuple[Any, list[Any]]:
        """Return classes and both blocks; at least eight cases of either class."""
        y = np.zeros(self.n, dtype=int)
        while not 8 <= y.sum() <= self.n - 8:
            y = (rng.random(self.n) < self.share).astype(int)
        return y, [self._block(y, self.shift + g, rng) for g in (self.gain, 0.0)]

    def _block(self, y: Any, shift: float, rng: np.random.Generator) -> Any:
        shape = (self.n, self.features)
        normal = math.isinf(self.tails)
        x = rng.normal(size=shape) if normal else rng.standard_t(self.tails, shape)
        common = rng.normal(size=(self.n, 1))
        x = math.sqrt(1 - self.alike) * x + math.sqrt(self.alike) * common
        side = rng.choice([-1, 1], self.n) * y if self.curved else 2 * y - 1
        x[:, 0] += (2 if self.curved else 1) * shift * side
        return x


@dataclass(frozen=True)
class Cell:
    """A learner on a task, equal in both blocks, and the gain that shows power."""

    learner: str
    title: str
    task: MirrorTask
    gain: float = 0.5

    @property
    def name(self) -> str:
        """Learner and task."""
        return f"{self.learner}, {self.title}"

    @property
    def unequal(self) -> MirrorTask:
        """The same task with better features in the first block."""
        return replace(self.task, gain=self.gain)


def _cells(tasks: dict[str, tuple[MirrorTask, float]], learners: tuple[str, ...]) -> list[Cell]:
    return [Cell(k, title, t, gain) for title, (t, gain) in tasks.items() for k in learners]


TUNING = _cells(
    {
        "n 40": (MirrorTask(40), 0.8),
        "n 100": (MirrorTask(100, shift=0.7), 0.5),
        "n 200": (MirrorTask(200, shift=0.7), 0.35),
        "n 100, weak": (MirrorTask(100, shift=0.3, features=2), 0.5),
        "n 110, 1:10": (MirrorTask(110, share=1 / 11, shift=1.2), 0.8),
        "n 100, t3": (MirrorTask(100, tails=3.0), 0.7),
    },
    ("lda", "nearest mean", "naive bayes", "1-nn", "5-nn", "stump"),
)
"""Cells that rules were chosen on."""

FRESH = _cells(
    {
        "n 60, five features": (MirrorTask(60, shift=0.8, features=5), 0.6),
        "n 80, 1:3": (MirrorTask(80, share=0.25, shift=0.8), 0.6),
        "n 150, features alike": (MirrorTask(150, shift=0.6, features=4, alike=0.5), 0.35),
        "n 120, easy": (MirrorTask(120, shift=1.5), 0.8),
        "n 90, t4": (MirrorTask(90, shift=0.8, features=2, tails=4.0), 0.6),
        "n 300": (MirrorTask(300, shift=0.5, features=2), 0.25),
        "n 100, curved": (MirrorTask(100, shift=1.0, features=2, curved=True), 0.5),
    },
    ("lda", "naive bayes", "3-nn", "9-nn", "stump"),
)
"""Cells that were drawn once the rule was frozen."""
