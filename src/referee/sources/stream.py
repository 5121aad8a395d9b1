"""Streams: tables of predictions that are counted where they are, without being read into memory.

polars' streaming engine goes through Parquet and CSV in pieces. It was chosen over duckdb by
measurement (`python -m benchmarks stream` prints both).
"""

from __future__ import annotations

import glob
import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from referee.errors import InputError, TableError, nearest
from referee.sources.tables.cells import MISSING, QUOTES

__all__ = ["LONG", "Stream", "is_long", "is_source", "names_many"]

LONG = 20_000_000
"""Bytes from which on the command line counts a file without reading it into memory."""

_PARQUET = (".parquet", ".pq")
_TEXT = {".csv": ",", ".tsv": "\t"}
_ROW = "__row of referee__"
_CASES = "__cases of referee__"
_MOST_KINDS = 1_000_000


def is_source(given: Any) -> bool:
    """Tell whether something names a table on disk, or is a polars LazyFrame.

    Examples
    --------
    >>> is_source("answers.parquet"), is_source(["a", "b"])
    (True, False)
    """
    if isinstance(given, (str, os.PathLike, Stream)):
        return True
    return type(given).__name__ == "LazyFrame" and type(given).__module__.startswith("polars")


def names_many(path: str | os.PathLike[str]) -> bool:
    """Tell whether a folder is named, or a pattern of file names.

    Examples
    --------
    >>> names_many("answers-*.csv"), names_many("answers.csv")
    (True, False)
    """
    place = Path(path)
    return place.is_dir() or (not place.exists() and glob.has_magic(str(place)))


def is_long(path: str | os.PathLike[str]) -> bool:
    """Tell whether a table is better counted than read: long, of a kind, and without `seen`.

    A column `seen` says which rows a model was trained on; those tables are read. A folder, or a
    pattern, is always counted.
    """
    if names_many(path):
        return True
    place = Path(path)
    if place.suffix.lower() not in (*_PARQUET, *_TEXT) or not place.is_file():
        return False
    if place.stat().st_size < LONG:
        return False
    return "seen" not in Stream.of(place).frame.collect_schema().names()


@dataclass(frozen=True, eq=False)
class Stream:
    """A table that is gone through in pieces.

    Attributes
    ----------
    frame : polars.LazyFrame
    files : tuple of Path
        Where it comes from; empty for a LazyFrame, of which nothing is known.
    stamps : tuple
        Size and time of change of every file when it was opened.
    spelled : polars.LazyFrame or None
        The table of a text file as it is written, before its words are given their meaning.
    """

    frame: Any
    files: tuple[Path, ...] = ()
    stamps: tuple[tuple[int, int], ...] = ()
    spelled: Any = None

    @classmethod
    def of(cls, source: Any) -> Stream:
        """Open a LazyFrame, a file, a folder of files or a pattern of file names."""
        if isinstance(source, Stream):
            return source
        import polars as pl

        if isinstance(source, pl.LazyFrame):
            return cls(source)
        files = _files(os.fspath(source))
        if files[0].suffix.lower() in _PARQUET:
            return cls(pl.scan_parquet(list(files)), files, _stamps(files))
        separator = _TEXT[files[0].suffix.lower()]
        frame = pl.scan_csv(
            list(files),
            separator=separator,
            infer_schema_length=10_000,
            null_values=sorted(MISSING),
        )
        stream = cls(frame, files, _stamps(files))
        return replace(stream, frame=stream._guarded(lambda: _cleaned(frame)), spelled=frame)

    @property
    def n_rows(self) -> int:
        """How many rows there are; Parquet files say so in their footers."""
        import polars as pl

        return int(self.collected(self.frame.select(pl.len())).item())

    def column(self, name: Any) -> str:
        """Return the name of a column, or say which there are."""
        names = self._guarded(lambda: self.frame.collect_schema().names())
        if name not in names:
            raise TableError(
                f"{self.called} has no column {name!r}",
                remedy=nearest(str(name), names),
            )
        return str(name)

    def kinds(self, columns: Sequence[str]) -> list[tuple[Any, ...]]:
        """Return the distinct rows of some columns with their counts, in order of appearance.

        A missing value is an error that names its column and how many there are.
        """
        names = [self.column(c) for c in columns]
        table = self._counted(names)
        if len(table) == 0:
            raise TableError(f"{self.called} is empty", at=self.called)
        if len(table) > _MOST_KINDS:
            raise TableError(
                f"columns {', '.join(map(repr, columns))} of {self.called} hold {len(table)} "
                "different combinations, so they hold no classes",
                at=self.called,
            )
        self._refuse_missing(table, columns)
        rows = table.select([*columns, _CASES]).rows()
        return [tuple(row) for row in rows]

    def _counted(self, names: list[str]) -> Any:
        """Return distinct rows with their counts and first rows, in order of appearance.

        Spellings of a text file are counted first: words are then looked at once for each of them.
        """
        import polars as pl

        counted = (
            (self.frame if self.spelled is None else self.spelled)
            .select(names)
            .with_row_index(_ROW)
            .group_by(names)
            .agg(pl.len().alias(_CASES), pl.col(_ROW).min().alias(_ROW))
        )
        if self.spelled is None:
            return self.collected(counted.sort(_ROW))
        cleaned = _cleaned(self.collected(counted).lazy()).group_by(names)
        return cleaned.agg(pl.col(_CASES).sum(), pl.col(_ROW).min()).sort(_ROW).collect()

    def columns(self, names: Sequence[str]) -> dict[str, Any]:
        """Return some columns as arrays, read into memory."""
        table = self.collected(self.frame.select([self.column(name) for name in names]))
        return {name: _array(table[name]) for name in names}

    def coded(self, codes: Mapping[str, Mapping[Any, int]], names: Sequence[str]) -> dict[str, Any]:
        """Return columns whose values are replaced by whole numbers, and others, as arrays.

        Words that repeat are replaced piece by piece, so that they are never held all at once.
        """
        import polars as pl

        coded = [
            pl.col(name).replace_strict(list(of), list(of.values()), return_dtype=pl.Int32)
            for name, of in self._by_spelling(codes).items()
        ]
        others = [self.column(name) for name in dict.fromkeys(names) if name not in codes]
        frame = self.frame
        if self.spelled is not None:
            frame = _cleaned(self.spelled, others)
        table = self.collected(frame.select(*coded, *others))
        return {name: _array(table[name]) for name in table.columns}

    def _by_spelling(
        self, codes: Mapping[str, Mapping[Any, int]]
    ) -> Mapping[str, Mapping[Any, int]]:
        """Return codes by the spellings of a text file: few are cleaned, and not every row."""
        if self.spelled is None:
            return codes
        spellings = self.collected(self.spelled.select(list(codes)).unique())
        words = _cleaned(spellings.lazy()).collect()
        return {
            name: {
                written: of[word]
                for written, word in zip(spellings[name], words[name], strict=True)
            }
            for name, of in codes.items()
        }

    def holds_fractions(self, name: str) -> bool:
        """Tell whether a column is one of floats."""
        return bool(self.frame.collect_schema()[self.column(name)].is_float())

    def _refuse_missing(self, table: Any, columns: Sequence[str]) -> None:
        import polars as pl

        for column in columns:
            lacking = table.filter(pl.col(column).is_null())
            if len(lacking):
                rows, first = lacking[_CASES].sum(), lacking[_ROW].min()
                raise TableError(
                    f"column {column!r} of {self.called} is missing in {rows} rows, the first of "
                    f"them row {first}",
                    remedy="drop these rows or fill in their labels",
                )

    def collected(self, query: Any) -> Any:
        """Return a query's table; a file that changed since it was opened is an error."""
        table = self._guarded(lambda: query.collect(engine="streaming"))
        self._refuse_changed()
        return table

    def batches(self, query: Any) -> Iterator[Any]:
        """Yield a query's table piece by piece, in any order."""
        pieces = self._guarded(lambda: query.collect_batches(maintain_order=False))
        while (piece := self._guarded(lambda: next(pieces, None))) is not None:
            yield piece
        self._refuse_changed()

    def _refuse_changed(self) -> None:
        if _stamps(self.files) != self.stamps:
            raise TableError(f"{self.called} changed while it was read; try again", at=self.called)

    def _guarded(self, query: Any) -> Any:
        import polars as pl

        try:
            return query()
        except (pl.exceptions.PolarsError, OSError) as problem:
            self.refuse_mixed_types()
            said = " ".join(str(problem).split())[:300]
            raise TableError(
                f"{self.called} cannot be read as one table ({said})", at=self.called
            ) from None

    def refuse_mixed_types(self) -> None:
        """Name the first column whose type differs between files of Parquet."""
        import polars as pl

        first: dict[str, Any] = {}
        parquet = bool(self.files) and self.files[0].suffix.lower() in _PARQUET
        for file in self.files if parquet else ():
            try:
                types = pl.read_parquet_schema(file)
            except (pl.exceptions.PolarsError, OSError):
                return
            first = first or dict(types)
            odd = next((c for c in types if c in first and types[c] != first[c]), None)
            if odd is not None:
                raise TableError(
                    f"column {odd!r} holds {first[odd]} in {self.files[0]} and {types[odd]} in "
                    f"{file}, so they are not one table",
                    remedy="write the column in one type",
                ) from None

    @property
    def called(self) -> str:
        """How messages call it."""
        if not self.files:
            return "the LazyFrame"
        more = f" and {len(self.files) - 1} more files" if len(self.files) > 1 else ""
        return f"{self.files[0]}{more}"


def _cleaned(frame: Any, columns: Sequence[str] | None = None) -> Any:
    """Give words of a text file the meaning they have where a table is read (`tables/cells.py`).

    Blanks around a word and matching quotes go, and what says "missing" becomes missing, so that
    a long file does not have other classes than a short one.
    """
    import polars as pl

    kinds = frame.collect_schema()
    names = [name for name in (kinds if columns is None else columns) if kinds[name] == pl.String]
    return frame.with_columns(_word(name) for name in names) if names else frame


def _word(name: str) -> Any:
    import polars as pl

    word = pl.col(name).str.strip_chars()
    for quote in QUOTES:
        quoted = word.str.starts_with(quote) & word.str.ends_with(quote)
        inside = word.str.slice(1, word.str.len_chars() - 2).str.strip_chars()
        word = pl.when(quoted & (word.str.len_bytes() > 1)).then(inside).otherwise(word)
    return pl.when(word.is_in(sorted(MISSING))).then(None).otherwise(word).alias(name)


def _array(series: Any) -> Any:
    """Return a column as an array; of words that repeat, every different one is made once."""
    import polars as pl

    if series.dtype != pl.String or series.null_count():
        return series.to_numpy()
    kinds = series.unique(maintain_order=True)
    if 2 * len(kinds) > len(series):
        return series.to_numpy()
    codes = series.cast(pl.Enum(kinds)).to_physical()
    return kinds.to_numpy()[codes.to_numpy()]


def _stamps(files: Sequence[Path]) -> tuple[tuple[int, int], ...]:
    try:
        return tuple((f.stat().st_size, f.stat().st_mtime_ns) for f in files)
    except OSError:
        return ()


def _files(path: str) -> tuple[Path, ...]:
    """Return the files that a path, a folder or a pattern names, all of one kind."""
    if os.path.isdir(path):
        files = sorted(f for f in Path(path).rglob("*") if f.suffix.lower() in (*_PARQUET, *_TEXT))
    else:
        files = [Path(path)] if os.path.exists(path) else [Path(f) for f in sorted(glob.glob(path))]
    if not files:
        raise InputError(
            f"there is no table at {path}",
            remedy="name a file, a folder or a pattern",
        )
    kinds = {f.suffix.lower() for f in files}
    odd = kinds - {*_PARQUET, *_TEXT}
    if odd:
        raise TableError(
            f"{files[0]} is no .parquet, .csv or .tsv file, which streams are read of",
            at=str(files[0]),
        )
    if len(kinds) > 1:
        raise TableError(
            f"{path} holds files of several kinds ({', '.join(sorted(kinds))})",
            at=str(path),
        )
    return tuple(files)
