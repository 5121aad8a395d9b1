"""RankedStream: scores of a table that is not read whole, in exact falling order.

A first pass counts positives and negatives in a fine histogram of the scores. It says how many rows
lie where, so that every further pass can fetch a range of scores that fits into memory, from the
top down; within a range the scores are sorted as they are. Memory is that of one range, whatever
the number of rows.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from referee.core.arrays import Floats, Rows
from referee.errors import TableError
from referee.sources.stream import Stream

__all__ = ["LossSums", "RankedStream", "ScoreHistogram"]

BINS = 1 << 20
"""Bins of the histogram; each class has a count of 8 bytes in each."""

FETCHED = 16_000_000
"""Rows that a pass may bring into memory; nine bytes each, and as many again to sort them."""

_PIECE = 500_000
"""Cases of a class in a piece of what was fetched."""

_EPS = float(np.finfo(float).eps)
_LOSSES = ("log_loss", "brier")


@dataclass(frozen=True, eq=False)
class ScoreHistogram:
    """How many positives and negatives have a score in each bin, from the lowest up.

    Attributes
    ----------
    low, high : float
        The least and the largest score.
    positives, negatives : arrays of int

    Examples
    --------
    >>> h = ScoreHistogram(0.0, 1.0, np.array([1, 3]), np.array([2, 0]))
    >>> [round(float(end), 3) for end in h.area_bounds]
    [0.75, 1.0]
    """

    low: float
    high: float
    positives: Rows
    negatives: Rows

    @property
    def area_bounds(self) -> tuple[float, float]:
        """The least and the largest area under the ROC curve with these counts.

        They differ by the share of pairs whose scores lie in one bin.
        """
        p, n = self.positives, self.negatives
        pairs = float(p.sum()) * float(n.sum())
        if pairs == 0:
            return math.nan, math.nan
        below = np.cumsum(n) - n
        least = int(p @ below)
        return least / pairs, (least + int(p @ n)) / pairs


@dataclass(frozen=True)
class LossSums:
    """The sum of the losses of all cases, and of their squares and cubes."""

    n: int
    first: float
    second: float
    third: float


@dataclass(frozen=True, eq=False)
class RankedStream:
    """A column of scores, and which rows are positive.

    Attributes
    ----------
    stream : Stream
    truth, score : str
        Columns.
    hits : tuple
        The values of the column of right answers that are the positive class.
    """

    stream: Stream
    truth: str
    score: str
    hits: tuple[Any, ...]

    @property
    def _frame(self) -> Any:
        import polars as pl

        hit = pl.any_horizontal(*(pl.col(self.truth) == value for value in self.hits))
        return self.stream.frame.select(
            pl.col(self.score).cast(pl.Float64, strict=True).alias("s"), hit.alias("h")
        )

    def limits(self) -> tuple[float, float, dict[str, LossSums]]:
        """Return the least and the largest score, and what losses of probabilities sum to.

        The sums mean something where all scores lie between 0 and 1. A score that is missing or
        not finite is an error that names its row.
        """
        import polars as pl

        s, h = pl.col("s"), pl.col("h")
        given = pl.when(h).then(s).otherwise(1 - s)
        losses = {
            "log_loss": -given.clip(_EPS, 1 - _EPS).log(),
            "brier": (s - h.cast(pl.Float64)) ** 2,
        }
        sums = [
            (loss**power).sum().alias(f"{name}{power}")
            for name, loss in losses.items()
            for power in (1, 2, 3)
        ]
        bad = (~s.is_finite()).fill_null(True).sum().alias("bad")
        row = self.stream.collected(
            self._frame.select(bad, s.min().alias("low"), s.max().alias("high"), pl.len(), *sums)
        ).row(0, named=True)
        if row["bad"]:
            self._refuse(row["bad"])
        of = {
            name: LossSums(row["len"], *(float(row[f"{name}{power}"]) for power in (1, 2, 3)))
            for name in _LOSSES
        }
        return float(row["low"]), float(row["high"]), of

    def _refuse(self, rows: int) -> None:
        import polars as pl

        odd = self._frame.with_row_index("row").filter((~pl.col("s").is_finite()).fill_null(True))
        first = self.stream.collected(odd.head(1)).row(0, named=True)
        value = "missing" if first["s"] is None else first["s"]
        raise TableError(
            f"column {self.score!r} of {self.stream.called} must hold finite numbers; it does not "
            f"in {rows} rows, the first of them row {first['row']} ({value})",
            remedy="drop these rows or score them",
        )

    def histogram(self, low: float, high: float, bins: int = BINS) -> ScoreHistogram:
        """Return the counts of both classes in bins of one width, from `low` to `high`.

        Scores outside are left out.
        """
        import polars as pl

        counts = np.zeros(2 * bins, dtype=np.intp)
        cell = 2 * _bin(low, high, bins) + pl.col("h").cast(pl.UInt32)
        inside = self._frame.filter(pl.col("s").is_between(low, high))
        for batch in self.stream.batches(inside.select(cell.alias("cell"))):
            counts += np.bincount(batch["cell"].to_numpy(), minlength=len(counts))
        return ScoreHistogram(low, high, counts[1::2], counts[::2])

    def falling(
        self, low: float, high: float, *, fetched: int = FETCHED, bins: int = BINS
    ) -> Iterator[tuple[Floats, Floats]]:
        """Yield scores of positives and of negatives, range after range from the top down.

        Both are sorted, the lowest first. All rows of one score come together.
        """
        counted = self.histogram(low, high, bins)
        sizes = counted.positives + counted.negatives
        end = bins
        while end > 0:
            start = _start(sizes, end, fetched)
            if sizes[start:end].sum():
                yield from self._between(counted, start, end, fetched)
            end = start

    def _between(
        self, counted: ScoreHistogram, start: int, end: int, fetched: int
    ) -> Iterator[tuple[Floats, Floats]]:
        """Yield what bins hold; one that is too full is counted again by itself."""
        import polars as pl

        bins = len(counted.positives)
        place = _bin(counted.low, counted.high, bins)
        inside = pl.col("s").is_between(counted.low, counted.high)
        rows = self._frame.filter(inside & place.is_between(start, end - 1))
        if int((counted.positives + counted.negatives)[start:end].sum()) > fetched:
            ends = rows.select(pl.col("s").min().alias("low"), pl.col("s").max().alias("high"))
            low, high = self.stream.collected(ends).row(0)
            if low < high:
                yield from self.falling(low, high, fetched=fetched, bins=bins)
            else:
                p, n = int(counted.positives[start]), int(counted.negatives[start])
                yield np.broadcast_to(low, p), np.broadcast_to(low, n)
            return
        table = self.stream.collected(rows)
        score, hit = table["s"].to_numpy(), table["h"].to_numpy()
        del table
        positives, negatives = np.sort(score[hit]), np.sort(score[~hit])
        del score, hit
        yield from _pieces(positives, negatives)


def _pieces(positives: Floats, negatives: Floats) -> Iterator[tuple[Floats, Floats]]:
    """Cut sorted scores into pieces from the top down, so that what is computed of one is small."""
    cuts = np.union1d(positives[_PIECE::_PIECE], negatives[_PIECE::_PIECE])
    ends = [len(positives), len(negatives)]
    for cut in (*cuts[::-1], -np.inf):
        starts = [int(np.searchsorted(a, cut, "left")) for a in (positives, negatives)]
        if starts != ends:
            yield positives[starts[0] : ends[0]], negatives[starts[1] : ends[1]]
        ends = starts


def _bin(low: float, high: float, bins: int) -> Any:
    """Return the bin of a score as an expression of polars; it never falls as scores rise."""
    import polars as pl

    if not low < high:
        return pl.lit(0, dtype=pl.UInt32)
    # Halved, so that the width of the widest range of floats is a number.
    width = high / 2 - low / 2
    place = ((pl.col("s") / 2 - low / 2) / width * bins).floor().clip(0, bins - 1)
    return place.cast(pl.UInt32)


def _start(sizes: Rows, end: int, fetched: int) -> int:
    """Return where a range of bins that ends here starts, so that it holds as much as it may."""
    before = np.cumsum(sizes[:end][::-1])
    return end - max(1, int(np.searchsorted(before, fetched, side="right")))
