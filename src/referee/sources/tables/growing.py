"""Growing columns: cells that come block by block and are packed at once."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from referee.core.arrays import Floats
from referee.sources.tables.cells import numbers, texts, too_long, words
from referee.sources.tables.columns import Coded, Held, Spelled

__all__ = ["GrowingColumn", "GrowingWords"]

_MANY = 50_000
"""Different words from which on a column may be packed word by word."""


class GrowingColumn:
    """A column that holds numbers as long as all of its cells do, and words from then on.

    Words that come late find earlier cells turned into floats already, and how they were written
    is gone; so it is with numbers that are too long or infinite. Such a column is not `complete`,
    and its cells must be gone through once more, as words.

    Examples
    --------
    >>> column = GrowingColumn()
    >>> column.add(["1", "?"])
    >>> column.add(["2.5"])
    >>> column.complete, column.finish().tolist()
    (True, [1.0, nan, 2.5])
    >>> column.add(["two"])
    >>> column.complete
    False
    """

    def __init__(self) -> None:
        self._pieces: list[Floats] = []
        self._words: GrowingWords | None = None
        self.complete = True

    def add(self, cells: Sequence[str]) -> None:
        """Take the next cells, as they stand in the file."""
        if not self.complete:
            return
        if self._words is None:
            values = _floats(cells)
            if values is not None:
                self._pieces.append(values)
                return
            self.complete = not self._pieces
            self._pieces = []
            self._words = GrowingWords()
        if self.complete:
            self._words.add(cells)

    def finish(self) -> Held:
        """Return the column, and let go of its pieces."""
        if self._words is not None:
            return self._words.finish()
        values: Floats = np.concatenate(self._pieces) if len(self._pieces) > 1 else self._pieces[0]
        self._pieces = [values]
        return values

    @property
    def odd(self) -> bool:
        """Whether there are numbers that must be seen as they are written: infinite or long."""
        return any(too_long(piece) for piece in self._pieces)


class GrowingWords:
    """A column of words, each different one kept once as long as they are not too many.

    Examples
    --------
    >>> column = GrowingWords()
    >>> column.add([" red", "?"])
    >>> column.add(["red"])
    >>> column.finish().array().tolist()
    ['red', None, 'red']
    """

    def __init__(self, many: int = _MANY) -> None:
        self._many = many
        self._codes: list[Any] = []
        self._kinds: dict[str | None, int] = {}
        self._n = 0
        self._series: list[Any] | None = None

    def add(self, cells: Sequence[str]) -> None:
        """Take the next cells, as they stand in the file."""
        if self._series is not None:
            self._series.append(_series(words(cells)))
            return
        written = list(dict.fromkeys(cells))
        kinds = self._kinds
        code_of = {
            cell: kinds.setdefault(word, len(kinds))
            for cell, word in zip(written, words(written), strict=True)
        }
        codes = np.fromiter(map(code_of.__getitem__, cells), dtype=np.int32, count=len(cells))
        self._codes.append(codes.astype(np.min_scalar_type(len(kinds) - 1)))
        self._n += len(cells)
        if len(kinds) > self._many and 2 * len(kinds) > self._n:
            self._spell()

    def _spell(self) -> None:
        """Give up numbering: nearly every row has a word of its own."""
        self._series = [_series(list(self._kinds)).gather(codes) for codes in self._codes]
        self._codes, self._kinds = [], {}

    def finish(self) -> Coded | Spelled:
        """Return the column, and let go of its pieces."""
        if self._series is not None:
            import polars as pl

            series, self._series = pl.concat(self._series), []
            return Spelled(series)
        codes = np.concatenate(self._codes) if len(self._codes) > 1 else self._codes[0]
        self._codes = [codes]
        return Coded(codes, texts(list(self._kinds)))


def _series(values: Sequence[str | None]) -> Any:
    import polars as pl

    return pl.Series(values, dtype=pl.String)


def _floats(cells: Sequence[str]) -> Floats | None:
    """Return the cells as floats; the quick way first, which takes what `numbers` would."""
    try:
        values = np.fromiter(map(float, cells), dtype=np.float64, count=len(cells))
    except ValueError:
        return numbers(words(cells))
    return None if "_" in "".join(cells) else values
