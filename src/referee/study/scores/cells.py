"""Every cell of the study of scores: a law, a number of items, clusters or runs."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial

from referee.study.scores.laws import LAWS, Law

__all__ = ["PAIRS", "ScoreCell", "score_cells"]

SIZES = (10, 30, 100, 300, 1000)
CLUSTERED = ((30, 10), (100, 10), (100, 30), (300, 20), (1000, 50))
"""Items and clusters."""
ALIKE = (0.0, 0.3)
RUNS = 4


@dataclass(frozen=True, kw_only=True)
class ScoreCell:
    """One setting in which intervals are tried.

    Attributes
    ----------
    law : Law
        Of the scores of a model, or of the first of two.
    other : Law or None
        Of the second model, for a difference.
    origin : {"tuning", "fresh", "confirming", "rare"}
        Whether forms and constants were chosen on it; "confirming" cells were drawn up after the
        leaning of differences had been chosen, "rare" cells are known to fail.
    n, clusters, runs : int
        Items, clusters (0 for none) and runs of each item.
    alike : float
        How alike items of one cluster are.
    unequal : bool
        Whether clusters have different sizes.
    shared : float
        How alike two models are on one item, for a difference.
    """

    law: Law
    origin: str
    n: int
    other: Law | None = None
    clusters: int = 0
    runs: int = 1
    alike: float = 0.0
    unequal: bool = False
    shared: float = 0.7

    @property
    def name(self) -> str:
        """What the cell is called."""
        text = f"{self.laws}, n {self.n}"
        if self.clusters:
            sizes = "unequal" if self.unequal else "equal"
            text += f", {self.clusters} {sizes} clusters, alike {self.alike:g}"
        return text + (f", {self.runs} runs" if self.runs > 1 else "")

    @property
    def laws(self) -> str:
        """The law of the scores, or the laws of both models."""
        if self.other is None:
            return self.law.name
        return f"{self.law.name} " + ("twice" if self.twice else f"against {self.other.name}")

    @property
    def key(self) -> str:
        """What tells the cell from all others."""
        return f"{self.origin}: {self.name}"

    @property
    def twice(self) -> bool:
        """Whether both models have one law."""
        return self.other is not None and self.other.name == self.law.name

    @property
    def truth(self) -> float:
        """The mean, or the difference of the means."""
        return self.law.mean - (0.0 if self.other is None else self.other.mean)


def score_cells(origin: str, *, differences: bool) -> Iterator[ScoreCell]:
    """Return the cells of means, or of differences of two models."""
    if origin == "rare":
        yield from _rare() if not differences else ()
        return
    if origin == "confirming":
        yield from _confirming() if differences else ()
        return
    pairs = PAIRS[origin] if differences else tuple((law, None) for law in LAWS[origin])
    for law, other in pairs:
        for n in SIZES:
            yield ScoreCell(law=law, other=other, origin=origin, n=n)
            yield ScoreCell(law=law, other=other, origin=origin, n=n, runs=RUNS)
        for number, (n, clusters) in enumerate(CLUSTERED):
            for alike in ALIKE:
                yield ScoreCell(
                    law=law,
                    other=other,
                    origin=origin,
                    n=n,
                    clusters=clusters,
                    alike=alike,
                    unequal=number % 2 == (origin == "fresh"),
                )


def _rare() -> Iterator[ScoreCell]:
    for law in LAWS["rare"]:
        for n, clusters in CLUSTERED:
            yield ScoreCell(law=law, origin="rare", n=n, clusters=clusters, alike=max(ALIKE))


def _confirming() -> Iterator[ScoreCell]:
    """Return differences of unequal models, where they lean: few clusters, few items with runs."""
    for law, other in PAIRS["confirming"]:
        cell = partial(ScoreCell, law=law, other=other, origin="confirming")
        for n in (12, 25, 60):
            yield cell(n=n, runs=3)
        for number, (n, clusters) in enumerate(((80, 8), (150, 12), (120, 24), (400, 40))):
            for alike in (0.2, 0.4):
                yield cell(n=n, clusters=clusters, alike=alike, unequal=number % 2 == 0)


def _pairs(origin: str, chosen: tuple[tuple[int, int], ...]) -> tuple[tuple[Law, Law], ...]:
    laws = LAWS[origin]
    return tuple((laws[a], laws[b]) for a, b in chosen)


PAIRS = {
    "tuning": _pairs("tuning", ((0, 0), (1, 0), (2, 2), (3, 2), (4, 4), (5, 5), (6, 6))),
    "fresh": _pairs("fresh", ((0, 1), (1, 1), (2, 3), (4, 4), (5, 5), (6, 6), (7, 7))),
    "confirming": _pairs("confirming", ((0, 1), (2, 3), (4, 5), (6, 7))),
}
"""Two models of one law, or of two."""
