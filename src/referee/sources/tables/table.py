"""A Table: named columns read from a file, which still knows where each row stands in it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from referee.core.arrays import Anything, Features, Rows
from referee.core.machine.limits import LONGEST_LABEL
from referee.errors import TableError, arg, nearest
from referee.sources.tables.columns import Coded, Columns, Spelled
from referee.sources.tables.source import Source, places

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["Table"]

_LARGEST_EXACT = 2.0**53


@dataclass(frozen=True, eq=False)
class Table:
    """Columns of equal length, and the file and line of every row.

    Parameters
    ----------
    values : mapping of str to array
        The columns in the order of the file: float64 with NaN for missing values, or object
        arrays of strings with None for missing values.
    sources : tuple of Source
        The files the rows come from, in order.
    header : bool
        Whether the columns have names; without, they are called ``"1"``, ``"2"``, ...
    header_guessed : bool
        Whether `header` was decided from the first line and not stated.
    sparse : sparse matrix or None
        The features of an svmlight file, by the feature numbers written in it.
    quantities : bool
        Whether targets and answers are numbers to predict, not classes.
    exact : mapping of str to array
        Columns of numbers too long for float64 (from 2**53 on), as they are written.

    Examples
    --------
    >>> table = Table(
    ...     {"1": np.array([5.1, np.nan]), "2": np.array(["yes", "no"], dtype=object)},
    ...     sources=(Source("data.csv", range(1, 3)),),
    ...     header=False,
    ... )
    >>> table.n_rows, table.columns, table.resolve("last")
    (2, ('1', '2'), '2')
    >>> table.labels("-1").tolist()
    ['yes', 'no']
    >>> table.features(drop=["last"])
            1
    line
    1     5.1
    2     NaN
    """

    values: Mapping[str, Anything] = field(repr=False)
    sources: tuple[Source, ...]
    header: bool = True
    header_guessed: bool = False
    sparse: Any = field(default=None, repr=False)
    exact: Mapping[str, Anything] = field(default_factory=dict, repr=False)
    quantities: bool = False
    _labels: dict[str, Anything] = field(default_factory=dict, repr=False, init=False)

    @property
    def path(self) -> str:
        """The file, or the files, as the user named them."""
        return " + ".join(source.path for source in self.sources)

    @property
    def columns(self) -> tuple[str, ...]:
        """The names of the columns in the order of the file."""
        return tuple(self.values)

    @property
    def n_rows(self) -> int:
        """The number of rows."""
        return sum(source.n_rows for source in self.sources)

    @property
    def first_line(self) -> int:
        """The number of the first row's line in its file."""
        return int(self.sources[0].lines[0])

    def place(self, row: int) -> str:
        """Name the file and the line of a row, counted from 0."""
        return self.places([row])

    def places(self, rows: Sequence[int]) -> str:
        """Name the files and lines of the first five of some rows, and how many more there are."""
        return places(self.sources, rows)

    def resolve(self, name: str) -> str:
        """Return the column that is meant.

        Parameters
        ----------
        name : str
            A column's name. Where the table has no header, also a number counted from 1, a
            negative number counted from the end, or ``"last"``.
        """
        if name in self.values:
            return name
        if name == "last":
            return self.columns[-1]
        if self.header:
            raise TableError(
                f"{self.path} has no column {name!r}",
                at=str(self.path),
                remedy=nearest(name, self.columns),
            )
        return self._counted(name)

    def _counted(self, name: str) -> str:
        count = len(self.columns)
        try:
            position = -1 if name == "last" else int(name)
        except ValueError:
            position = 0
        if -count <= position <= -1:
            return self.columns[position]
        raise TableError(
            f"{self.path} has no column {name!r}; it has no header, so its columns are 1 to "
            f"{count}, or -1 (or last) to -{count} from the end",
            at=str(self.path),
        )

    def column(self, name: str) -> Anything:
        """Return a column: float64 with NaN, or an object array of strings with None."""
        return self.values[self.resolve(name)]

    def complete(self, name: str, *, numeric: bool = False) -> Anything:
        """Return a column that has a value in every row, or say where it has none.

        Parameters
        ----------
        name : str
            The column, as `resolve` takes it.
        numeric : bool
            Whether the values must be numbers, as for weights and scores.
        """
        name = self.resolve(name)
        column = self.values[name]
        missing = np.flatnonzero(_absent(column)).tolist()
        if missing:
            raise TableError(
                f"{self.path}, column {name!r}: {len(missing)} of {self.n_rows} values are "
                f"missing ({self.places(missing)})",
                at=str(self.path),
                remedy="fill them in or delete those rows",
            )
        if numeric and column.dtype == object:
            row = next(r for r, v in enumerate(column) if not _is_number(v))
            raise TableError(
                f"{self.place(row)}, column {name!r}: {column[row]!r} is not a number",
                at=self.place(row),
                remedy="correct it or name another column",
            )
        return column

    def keep(self, rows: Anything) -> Table:
        """Return the table with only the marked rows of its one file."""
        (source,) = self.sources
        lines = np.asarray(source.lines)[rows]
        values = (
            self.values.take(rows)
            if isinstance(self.values, Columns)
            else {name: column[rows] for name, column in self.values.items()}
        )
        exact = {name: column[rows] for name, column in self.exact.items()}
        source = replace(source, lines=lines.tolist())
        return replace(self, values=values, sources=(source,), exact=exact)

    def holds_fractions(self, name: str) -> bool:
        """Tell whether a column holds numbers that are not whole."""
        column = self.values[self.resolve(name)]
        if column.dtype == object:
            return False
        known = column[~_absent(column)]
        return bool(np.any(known != np.round(known)))

    def labels(self, name: str) -> Anything:
        """Return a column as class labels, or as quantities where the table holds those.

        Parameters
        ----------
        name : str
            The target column, as `resolve` takes it.

        Returns
        -------
        array of int or of str
            Integers where every label is one, otherwise the strings of the file.
        """
        name = self.resolve(name)
        if name not in self._labels:
            self._labels[name] = self._checked_labels(name)
        return self._labels[name]

    def coded_labels(self, name: str) -> Coded:
        """Return class labels as the different ones in order of appearance, and which each row has.

        A column of words that the file gave takes a byte or two a row that way.
        """
        name = self.resolve(name)
        held = self.values.held(name) if isinstance(self.values, Columns) else self.values[name]
        if isinstance(held, Coded):
            return self._coded_words(name, held)
        import pandas as pd

        if not isinstance(held, Spelled) and held.dtype != object:
            self._refuse_missing_labels(name, np.flatnonzero(np.isnan(held)))
            self._refuse_quantities(name, held)
            codes, kinds = pd.factorize(held)
            return Coded(_narrow(codes, len(kinds)), kinds.astype(np.int64))
        codes, kinds = pd.factorize(self.labels(name).astype(object))
        return Coded(_narrow(codes, len(kinds)), np.array(kinds.tolist()))

    def _coded_words(self, name: str, column: Coded) -> Coded:
        absent = np.array([kind is None for kind in column.kinds])
        rows = np.flatnonzero(absent[column.codes]) if absent.any() else np.empty(0, np.intp)
        self._refuse_missing_labels(name, rows)
        used = np.flatnonzero(np.bincount(column.codes, minlength=len(column.kinds)))
        self._refuse_long_kinds(name, column, used)
        if len(used) == len(column.kinds):
            return Coded(column.codes, _label_texts(column.kinds))
        codes = np.searchsorted(used, column.codes)
        return Coded(_narrow(codes, len(used)), _label_texts(column.kinds[used]))

    def _checked_labels(self, name: str) -> Anything:
        """Give a column its type and check it; that is done once."""
        if self.quantities:
            return self.complete(name, numeric=True).astype(float)
        if isinstance(self.values, Columns) and isinstance(self.values.held(name), Coded):
            return self.coded_labels(name).array()
        column = self.values[name]
        self._refuse_missing_labels(name, np.flatnonzero(_absent(column)))
        if column.dtype == object:
            self._refuse_long_labels(name, column)
            return _label_texts(column)
        self._refuse_quantities(name, column)
        return column.astype(np.int64)

    def _refuse_missing_labels(self, name: str, missing: Rows) -> None:
        if len(missing):
            raise TableError(
                f"{self.path}, column {name!r}: {len(missing)} of {self.n_rows} labels are "
                f"missing ({self.places(missing.tolist())})",
                at=str(self.path),
                remedy="fill them in or delete those rows",
            )

    def _refuse_long_labels(self, name: str, column: Anything) -> None:
        row, longest = max(enumerate(map(len, column)), key=lambda numbered: numbered[1])
        if longest > LONGEST_LABEL:
            self._refuse_long(name, row, column[row])

    def _refuse_long_kinds(self, name: str, column: Coded, used: Rows) -> None:
        code = max(used, key=lambda kind: len(column.kinds[kind]))
        if len(column.kinds[code]) > LONGEST_LABEL:
            row = int(np.flatnonzero(column.codes == code)[0])
            self._refuse_long(name, row, column.kinds[code])

    def _refuse_long(self, name: str, row: int, label: str) -> None:
        raise TableError(
            f"{self.place(row)}, column {name!r}: {label[:40]!r}... has {len(label)} "
            f"characters, and a class's name has at most {LONGEST_LABEL}",
            at=self.place(row),
            remedy="name another target column, or give the classes short names",
        )

    def _refuse_quantities(self, name: str, column: Anything) -> None:
        odd = np.flatnonzero(column != np.round(column))
        if odd.size:
            row = int(odd[0])
            raise TableError(
                f"{self.place(row)}, column {name!r}: {column[row]:g} looks like a number to "
                "predict, not a class",
                concerning="task",
                at=self.place(row),
                remedy="name another target column, bin this one into classes, or predict it "
                f"({arg('task', 'regression')})",
            )
        huge = np.flatnonzero(np.abs(column) >= _LARGEST_EXACT)
        if huge.size:
            row = int(huge[0])
            raise TableError(
                f"{self.place(row)}, column {name!r}: {column[row]:.17g} is too large to be "
                "told from its neighbours",
                at=self.place(row),
                remedy="write labels as words or as integers below 2**53",
            )

    def features(self, drop: Iterable[str] = ()) -> Features:
        """Return the features: every column but those dropped.

        Parameters
        ----------
        drop : iterable of str
            Columns that are no features: the target, groups, weights ...

        Returns
        -------
        DataFrame or sparse matrix
            Columns of float64 and of object dtype (strings and None); for svmlight files the
            matrix of the file, which has no columns to drop.
        """
        dropped = {self.resolve(name) for name in drop}
        if self.sparse is not None:
            return _without_unused_zero(self.sparse)
        kept = [name for name in self.columns if name not in dropped]
        if not kept:
            named = ", ".join(repr(name) for name in self.columns)
            raise TableError(
                f"{self.path} has no column left for the features once {named} "
                f"{'is' if len(dropped) == 1 else 'are'} set aside",
                at=str(self.path),
                remedy="give a table with at least one more column",
            )
        import pandas as pd

        index = self._lines()
        # A Series for each column: a frame built from arrays would make str dtype of the strings.
        return pd.DataFrame(
            {
                name: pd.Series(self.values[name], index=index, dtype=self.values[name].dtype)
                for name in kept
            }
        )

    def _lines(self) -> pd.Index:
        """Return the line of each row as an index, so that findings can name lines."""
        import pandas as pd

        if len(self.sources) > 1:
            return pd.RangeIndex(self.n_rows)
        source = self.sources[0]
        index: pd.Index = pd.Index(np.asarray(source.lines), name=source.unit)
        return index


def _absent(column: Anything) -> Any:
    """Return where a column has no value."""
    import pandas as pd

    return np.isnan(column) if column.dtype.kind == "f" else pd.isna(column)


def _narrow(codes: Any, kinds: int) -> Any:
    """Return codes in the smallest type that holds them."""
    return codes.astype(np.min_scalar_type(max(kinds - 1, 1)))


def _is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True


def _label_texts(column: Anything) -> Anything:
    texts = column.astype(str)
    try:
        whole = texts.astype(np.int64)
    except (ValueError, OverflowError):
        return texts
    # "01" and "1" are two labels: only what reads back the same is taken for a number.
    return whole if np.array_equal(whole.astype(str), texts) else texts


def _without_unused_zero(matrix: Any) -> Any:
    """Leave out feature 0 where a file counts from 1; `stack` needs both files' own numbers."""
    return matrix[:, 1:] if matrix.shape[1] > 1 and matrix[:, [0]].nnz == 0 else matrix
