"""JoinedStream: two tables that are not read whole, joined by the ids of their cases.

Ids are parted by their hashes, so that ids that are equal fall into the same part, and each part is
joined by itself. Memory is that of one part, whatever the number of rows.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from referee.errors import TableError
from referee.sources.stream import Stream

__all__ = ["JoinedStream"]

PART = 8_000_000
"""Rows of a table that are joined at a time."""

_NAMED = 10
_ROW, _ID = "__row of referee__", "__id of referee__"


@dataclass(frozen=True, eq=False)
class JoinedStream:
    """Predictions of two models in tables of their own.

    Attributes
    ----------
    streams : pair of Stream
    predicted : pair of str
        The column of predictions in each.
    truth, on : str
        The column of right answers, in one table or in both, and that of the ids, in both.
    """

    streams: tuple[Stream, Stream]
    predicted: tuple[str, str]
    truth: str
    on: str

    def kinds(self, part: int = PART) -> list[tuple[Any, ...]]:
        """Return distinct (right answer, first, second prediction) with counts.

        In the order in which they come up in the first table. Ids that stand twice, or in one table
        only, are errors that name the first ten.
        """
        import polars as pl

        counted = [_counted(joined) for joined in self._parts(part)]
        whole = (
            pl.concat(counted)
            .group_by("truth", "first", "second")
            .agg(pl.col("len").sum(), pl.col(_ROW).min())
            .sort(_ROW)
        )
        self._refuse_missing(whole)
        rows: list[tuple[Any, ...]] = whole.select("truth", "first", "second", "len").rows()
        return rows

    def _parts(self, part: int) -> Iterator[Any]:
        """Yield the joined rows of each part of the ids."""
        import polars as pl

        rows = [stream.n_rows for stream in self.streams]
        if min(rows) == 0:
            raise TableError(f"{self.streams[rows.index(0)].called} is empty")
        sides, having = self._sides()
        parts = -(-max(rows) // part)
        for number in range(parts):
            here = pl.col(_ID).hash(seed=0) % parts == number
            one, two = (
                stream.collected(side.filter(here) if parts > 1 else side)
                for stream, side in zip(self.streams, sides, strict=True)
            )
            for stream, table in zip(self.streams, (one, two), strict=True):
                self._refuse_repeated(stream, table)
            self._refuse_alone(one, two, *rows)
            yield self._agreed(one.join(two, on=_ID, suffix=" two"), having)

    def _sides(self) -> tuple[list[Any], list[bool]]:
        """Return the columns needed of each table, and which of them holds right answers."""
        import polars as pl

        schemas = [stream.frame.collect_schema() for stream in self.streams]
        having = [self.truth in schema for schema in schemas]
        if not any(having):
            self.streams[0].column(self.truth)
        ids = [schemas[i][s.column(self.on)] for i, s in enumerate(self.streams)]
        sides = []
        for i, (stream, called) in enumerate(zip(self.streams, ("first", "second"), strict=True)):
            key = pl.col(self.on) if ids[0] == ids[1] else pl.col(self.on).cast(pl.String)
            wanted = [key.alias(_ID), pl.col(stream.column(self.predicted[i])).alias(called)]
            wanted += [pl.col(self.truth).alias("truth")] if having[i] else []
            frame = stream.frame.with_row_index(_ROW) if i == 0 else stream.frame
            sides.append(frame.select(*wanted, *([_ROW] if i == 0 else [])))
        return sides, having

    def _refuse_repeated(self, stream: Stream, table: Any) -> None:
        import polars as pl

        if table[_ID].null_count():
            raise TableError(
                f"{stream.called}: column {self.on!r} is missing in some rows",
                concerning="on",
                at=stream.called,
            )
        if table[_ID].n_unique() == len(table):
            return
        again = table.group_by(_ID, maintain_order=True).len().filter(pl.col("len") > 1)[_ID]
        raise TableError(
            f"{stream.called}, column {self.on!r}: ids stand more than once, {_few(again)}",
            remedy="keep one row for each",
        )

    def _refuse_alone(self, one: Any, two: Any, *rows: int) -> None:
        """Refuse ids that stand in one of the tables only."""
        if len(one) == len(two) and len(one.join(two, on=_ID, how="semi")) == len(one):
            return
        (a, b), said = self.streams, []
        for here, there, mine, other in ((one, two, a, b), (two, one, b, a)):
            alone = here.join(there, on=_ID, how="anti")[_ID]
            if len(alone):
                said.append(f"ids of {mine.called} are not in {other.called}: {_few(alone)}")
        raise TableError(
            f"column {self.on!r}: {'; '.join(said)} (tables of {rows[0]} and {rows[1]} rows); "
            "models must be judged on the same cases, so give files with the same ids",
            concerning="on",
        )

    def _agreed(self, joined: Any, having: list[bool]) -> Any:
        """Return the joined rows, which must agree about the right answers."""
        import polars as pl

        if not all(having):
            return joined
        odd = joined.filter(pl.col("truth").cast(pl.String) != pl.col("truth two").cast(pl.String))
        if len(odd):
            raise TableError(
                f"{self.streams[0].called} and {self.streams[1].called} disagree about "
                f"{self.truth!r} of ids {_few(odd[_ID])}",
                remedy="correct them",
            )
        return joined

    def _refuse_missing(self, whole: Any) -> None:
        names = {"truth": self.truth, "first": self.predicted[0], "second": self.predicted[1]}
        for column, name in names.items():
            if whole[column].null_count():
                raise TableError(
                    f"column {name!r} is missing in some rows of {self.streams[0].called} or "
                    f"{self.streams[1].called}",
                    remedy="drop these rows or fill in their labels",
                )


def _counted(joined: Any) -> Any:
    import polars as pl

    return joined.group_by("truth", "first", "second").agg(pl.len(), pl.col(_ROW).min())


def _few(ids: Any) -> str:
    named = ", ".join(repr(i) for i in ids[:_NAMED].to_list())
    return named + (f" and {len(ids) - _NAMED} more" if len(ids) > _NAMED else "")
