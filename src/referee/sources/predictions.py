"""Files of predictions: the columns that are meant, and rows of several files in one order.

One table may hold a column for each model, or each model has a file of its own; the right answers
stand in any of them, or in one more.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, TypeAlias

import numpy as np

from referee.core.arrays import Anything, Flags
from referee.core.showing.characters import whole_characters
from referee.errors import InputError, Refusal, TableError, arg, named
from referee.sources.file_names import names_of_files
from referee.sources.packed_stream import PackedStream
from referee.sources.tables import Header, Table, aligned, read_table
from referee.sources.tables.columns import Coded

__all__ = [
    "NamedPredictions",
    "Note",
    "PredictionColumns",
    "answers_of",
    "case_names",
    "classes_of",
    "counted_answers",
    "named_predictions",
    "one_column_of_predictions",
    "prediction_table",
    "unseen_rows",
]

Note: TypeAlias = Callable[[str], None]
"""Says something about the work to whoever asked."""

_IDS = ("id", "ID", "Id", "case", "case_id", "uid", "key")
_PREDICTIONS = ("pred", "prediction", "predicted", "y_pred", "predictions", "answer", "guess")


@dataclass(frozen=True, kw_only=True)
class PredictionColumns:
    """Which columns were named; what was not named is found by looking.

    Attributes
    ----------
    truth : str
        The right answers.
    pred, score : sequence of str
        Predicted classes and scores: one for each model, or the one that the files share.
    on : str or None
        The ids by which files are joined.
    groups : str or None
        Which rows belong together.
    weight : str or None
        How much each row counts.
    """

    truth: str
    pred: Sequence[str] = ()
    score: Sequence[str] = ()
    on: str | None = None
    groups: str | None = None
    weight: str | None = None


@dataclass(frozen=True, kw_only=True, eq=False)
class NamedPredictions:
    """What each model predicted, and the right answers.

    Attributes
    ----------
    tables : tuple of Table
        The files, their rows in one order unless the models have cases of their own.
    names : tuple of str
        The models.
    truth : array, or mapping of str to array
        The right answers; a mapping where each model has cases of its own.
    answers : mapping of str to array
        The predicted classes, in the truth's own type.
    scores : mapping of str to array, or None
        The models' scores.
    classes : tuple
        All classes there are.
    groups : array or None
        Which cases belong together.
    ids : array of str, or None
        What the cases are called, where files were joined by that.
    weight : array or None
        How much each case counts.
    """

    tables: tuple[Table, ...]
    names: tuple[str, ...]
    truth: Any
    answers: Mapping[str, Anything]
    scores: Mapping[str, Anything] | None
    classes: tuple[Any, ...]
    groups: Anything | None
    ids: Anything | None
    weight: Anything | None = None

    def column(self, name: str) -> Anything:
        """Return a column of the cases, as text, from the first file that has it."""
        table = _first_with(self.tables, name)
        values = table.complete(name)
        return np.array([_text(v) for v in values.tolist()], dtype=object)

    def keep(self, rows: Flags) -> NamedPredictions:
        """Return the marked cases only."""

        def each(given: Mapping[str, Anything]) -> dict[str, Anything]:
            return {name: values[rows] for name, values in given.items()}

        return replace(
            self,
            tables=tuple(t.keep(rows) for t in self.tables),
            truth=self.truth[rows],
            answers=each(self.answers),
            scores=None if self.scores is None else each(self.scores),
            groups=None if self.groups is None else self.groups[rows],
            ids=None if self.ids is None else self.ids[rows],
            weight=None if self.weight is None else self.weight[rows],
        )


def named_predictions(
    tables: Sequence[Table],
    columns: PredictionColumns,
    *,
    names: Sequence[str] = (),
    labels: Sequence[str] = (),
    unpaired: bool = False,
    task: str = "auto",
    note: Note,
) -> NamedPredictions:
    """Find each model's predictions in the tables, and bring the rows into one order.

    Parameters
    ----------
    tables : sequence of Table
        One with a column for each model, or one for each model.
    columns : PredictionColumns
        What was named.
    names : sequence of str
        How to call the models, in order; by default after their files or columns.
    labels : sequence of str
        Classes that the truth may lack.
    unpaired : bool
        Whether the files are about different cases.
    task : {"auto", "classification", "regression"}
        Whether classes or quantities were predicted; "auto" looks for fractions.
    note : callable
        Is told what was found by looking.
    """
    if unpaired and len(tables) == 1:
        raise InputError(
            f"{arg('paired', False)} is for files of different test sets; the columns of one file "
            "are about the same cases"
        )
    if task == "regression" or (task == "auto" and _fractions(tables, columns)):
        tables = [replace(t, quantities=True) for t in tables]
    if not unpaired:
        columns = replace(columns, on=columns.on or _shared_ids(tables, note))
        marked = tables[0].quantities
        tables = [
            replace(t, quantities=marked) for t in _joined(tables, columns.on, columns.truth, note)
        ]
    models = _Choice(columns, note).of(tables)
    called = _names([m.title for m in models], names)
    quantities = tables[0].quantities
    classes = set() if quantities else classes_of(_pooled(tables, columns.truth), labels)
    if len(classes) == 1:  # the answers name the others
        classes |= {c for m in models for c in m.table.labels(m.column).tolist()}
    truth = columns.truth
    return NamedPredictions(
        tables=tuple(tables),
        names=tuple(called),
        truth=_each(called, [m.table.labels(truth) for m in models])
        if unpaired
        else _truth(tables, truth),
        answers=_each(
            called,
            [
                m.table.labels(m.column)
                if quantities
                else answers_of(m.table, m.column, classes, truth)
                for m in models
            ],
        ),
        scores=_each(called, [m.scores for m in models]) if columns.score else None,
        classes=tuple(sorted(classes)),
        groups=None
        if columns.groups is None
        else _first_with(tables, columns.groups).complete(columns.groups),
        weight=None
        if columns.weight is None
        else _first_with(tables, columns.weight).complete(columns.weight, numeric=True),
        ids=None if unpaired or columns.on is None else _ids(tables[0], columns.on),
    )


@dataclass(frozen=True, eq=False)
class _Model:
    """One model's column of predictions, and of scores."""

    title: str
    table: Table
    column: str
    score: str | None = None

    @property
    def scores(self) -> Any:
        return None if self.score is None else self.table.complete(self.score, numeric=True)


@dataclass(frozen=True)
class _Choice:
    """The columns that are meant, model by model."""

    named: PredictionColumns
    note: Note

    def of(self, tables: Sequence[Table]) -> list[_Model]:
        return self._wide(tables[0]) if len(tables) == 1 else self._long(tables)

    def _wide(self, table: Table) -> list[_Model]:
        pred, score = self.named.pred, self.named.score
        columns = [table.resolve(c) for c in pred] or self._guessed(table)
        if len(set(columns)) < 2:
            raise InputError(
                f"{table.path}: at least two columns of predictions are needed, got "
                f"{', '.join(columns) or 'none'}; name them with {named('pred')}, once for each "
                "model"
            )
        if score and len(score) != len(columns):
            raise InputError(
                f"{named('score')} must name one column for each of the {len(columns)} models, got "
                f"{len(score)}"
            )
        scores: Sequence[str | None] = score or [None] * len(columns)
        return [_Model(c, table, c, s) for c, s in zip(columns, scores, strict=True)]

    def _guessed(self, table: Table) -> list[str]:
        """Find the columns that hold nothing but classes of the truth."""
        if table.quantities:
            alike = [c for c in self._others(table) if table.values[c].dtype != object]
        else:
            classes = set(table.labels(self.named.truth).tolist())
            alike = [c for c in self._others(table) if _holds_only(table, c, classes)]
        if len(alike) > 1:
            self.note(
                f"{table.path}: comparing the columns {', '.join(alike)}; {named('pred')} names "
                "others"
            )
        return alike

    def _others(self, table: Table) -> list[str]:
        known = [self.named.truth, *self.named.score]
        known += [c for c in (self.named.on, self.named.groups, self.named.weight) if c is not None]
        taken = {table.resolve(c) for c in known if c in table.columns or not table.header}
        return [c for c in table.columns if c not in taken]

    def _long(self, tables: Sequence[Table]) -> list[_Model]:
        with_answers = [t for t in tables if not self._holds_truth_alone(t)]
        if len(with_answers) < 2:
            with_answers = list(tables)  # whatever is wrong is said of the files as they are
        for option, given in (("pred", self.named.pred), ("score", self.named.score)):
            if len(given) not in (0, 1, len(with_answers)):
                raise InputError(
                    f"{named(option)} must name one column, or one for each of the "
                    f"{len(with_answers)} files, got {len(given)}"
                )
        models = []
        called = names_of_files([table.path for table in with_answers])
        for number, table in enumerate(with_answers):
            column = _nth(self.named.pred, number) or self.guess_one(table)
            title = whole_characters(called[number])
            models.append(_Model(title, table, column, _nth(self.named.score, number)))
        if len(models) < 2:
            raise InputError(
                "at least two files with a column of predictions are needed, found "
                f"{len(models)}; name the column with {named('pred')}"
            )
        return models

    def _holds_truth_alone(self, table: Table) -> bool:
        """Tell whether a file has the right answers and no predictions."""
        if self.named.truth not in table.columns:
            return False
        if self.named.pred:
            return not any(c in table.columns for c in self.named.pred)
        return not self._others(table)

    def guess_one(self, table: Table) -> str:
        others = self._others(table)
        usual = [c for c in others if c in _PREDICTIONS]
        if len(usual) == 1:
            return usual[0]
        if len(others) == 1:
            return others[0]
        raise InputError(
            f"{table.path}: which column holds the predictions? It has "
            f"{', '.join(others[:8])}; name one with {named('pred')}"
        )


def one_column_of_predictions(table: Table, columns: PredictionColumns, note: Note) -> str:
    """Return the column of the predictions of one model: the one named, or found by looking."""
    if columns.pred:
        return table.resolve(columns.pred[0])
    if columns.on is None:
        usual = next((c for c in _IDS if c in table.columns), None)
        columns = replace(columns, on=usual)
    return _Choice(columns, note).guess_one(table)


def case_names(table: Table, on: str | None, note: Note) -> Anything | None:
    """Return the ids of the cases, from the column named or one of a usual name; None for none."""
    column = on or next((c for c in _IDS if c in table.columns), None)
    if column is None:
        return None
    if on is None:
        note(f"cases are named by the column {column!r}; {named('on')} names another")
    return _ids(table, column)


def prediction_table(
    file: str | os.PathLike[str], *, header: Header = "auto", pooled: bool = False, note: Note
) -> Table:
    """Return the table of a file of predictions; of referee's own files the unseen rows."""
    return unseen_rows(read_table(file, header=header), pooled=pooled, note=note)


def unseen_rows(table: Table, *, pooled: bool = True, note: Note) -> Table:
    """Return the honest rows of a predictions.parquet that referee itself wrote.

    It also holds predictions of training rows and of further repetitions; they must not count. Nor
    may those of several models be taken for one, nor (unless `pooled`) those of several fits.
    """
    if not {"case", "split", "repetition", "part", "seen"} <= set(table.columns):
        return table
    if "model" in table.columns and len(set(table.column("model").tolist())) > 1:
        raise InputError(
            f"{table.path} holds the predictions of several models, one below the other; write one "
            "file for each model, or use referee compare on the data themselves"
        )
    main = (table.column("part") == "main") & (table.column("seen") == 0)
    if not pooled and len(set(table.column("split")[main].tolist())) > 1:
        raise Refusal(
            f"{table.path} holds predictions of several fits, and a paired test would take them "
            "for those of one model; use referee compare, which knows that training sets overlap"
        )
    keep = main & (table.column("repetition") == 0)
    note(f"{table.path} is referee's own: {int(keep.sum())} of {table.n_rows} rows are unseen")
    return table.keep(keep)


def classes_of(answers: Any, more: Sequence[str]) -> set[Any]:
    """Return the classes of the truth and those named besides, in the truth's own type."""
    kind = int if answers.dtype.kind == "i" else str
    try:
        return set(np.unique(answers).tolist()) | {kind(m) for m in more}
    except ValueError:
        raise InputError(
            f"{named('labels')} must be a whole number like the truth, got {list(more)}"
        ) from None


def answers_of(table: Table, column: str, classes: set[Any], truth: str) -> Any:
    """Return a column of predictions in the truth's own type, or name the first unknown class."""
    return _in_type_of(table, column, classes, truth).array()


def counted_answers(table: Table, truth: str, pred: str, classes: set[Any]) -> PackedStream:
    """Return right answers and predictions to be counted, which take a byte or two a row.

    Parameters
    ----------
    table : Table
    truth, pred : str
        The columns, which have the same names in the stream.
    classes : set
        All classes there are.
    """
    answers = _in_type_of(table, pred, classes, table.resolve(truth))
    return PackedStream(labels={truth: table.coded_labels(truth), pred: answers})


def _in_type_of(table: Table, column: str, classes: set[Any], truth: str) -> Coded:
    answers = table.coded_labels(column)
    known = {str(c): c for c in classes}
    odd = [code for code, label in enumerate(answers.kinds) if str(label) not in known]
    if odd:
        rows = np.flatnonzero(np.isin(answers.codes, odd)).tolist()
        raise InputError(
            f"{table.places(rows)}, column {table.resolve(column)!r}: "
            f"{answers.kinds[answers.codes[rows[0]]]} does not occur in {truth!r}; correct it, or "
            f"name the classes the truth lacks with {named('labels')}"
        )
    return Coded(answers.codes, np.array([known[str(label)] for label in answers.kinds]))


def _nth(names: Sequence[str], number: int) -> str | None:
    if not names:
        return None
    return names[0] if len(names) == 1 else names[number]


def _shared_ids(tables: Sequence[Table], note: Note) -> str | None:
    """Return a column of ids that several files share, found by its usual names."""
    if len(tables) == 1:
        return None
    shared = next((c for c in _IDS if all(c in t.columns for t in tables)), None)
    if shared is not None:
        note(f"files are joined by the column {shared!r}; {named('on')} names another")
    return shared


def _joined(tables: Sequence[Table], on: str | None, truth: str, note: Note) -> list[Table]:
    """Bring the rows of several files into one order, by ids or, if need be, as they stand."""
    if len(tables) == 1:
        return list(tables)
    if on is not None:
        return list(aligned(tables, on))
    sizes = {t.n_rows for t in tables}
    if len(sizes) > 1:
        raise InputError(
            "the files have different numbers of rows "
            f"({', '.join(f'{t.path}: {t.n_rows}' for t in tables)}); join them by their ids with "
            f"{named('on')}, or say {arg('paired', False)} if they are different test sets"
        )
    with_truth = [t for t in tables if truth in t.columns]
    if len(with_truth) < len(tables):
        note(
            f"files are taken row by row, as they have no ids; {named('on')} names a column to "
            "join by"
        )
    return list(tables)


def _truth(tables: Sequence[Table], truth: str) -> Any:
    """Return the right answers, which every file that has them must agree on."""
    first = _first_with(tables, truth)
    right = first.labels(truth)
    for other in tables:
        if other is first or truth not in other.columns:
            continue
        odd = [r for r, v in enumerate(other.labels(truth).tolist()) if str(v) != str(right[r])]
        if odd:
            raise InputError(
                f"{first.path} and {other.path} disagree about {truth!r} in {len(odd)} of "
                f"{len(right)} rows ({first.place(odd[0])}: {right[odd[0]]}; "
                f"{other.place(odd[0])}: {other.labels(truth)[odd[0]]}); join them by their ids "
                f"with {named('on')}, or correct them"
            )
    return right


def _ids(table: Table, on: str) -> Anything:
    """Return the ids as text, the same whether a file holds numbers only or words too."""
    column = table.complete(on)
    values = table.exact.get(table.resolve(on), column).tolist()
    return np.array([_text(v) for v in values], dtype=object)


def _text(value: Any) -> str:
    return str(int(value)) if isinstance(value, float) and value.is_integer() else str(value)


def _fractions(tables: Sequence[Table], columns: PredictionColumns) -> bool:
    """Tell whether right answers, or predictions that were named, are not whole numbers."""
    named_ones = (columns.truth, *columns.pred)
    return any(t.holds_fractions(c) for t in tables for c in named_ones if c in t.columns)


def _first_with(tables: Sequence[Table], column: str) -> Table:
    return next((t for t in tables if column in t.columns), tables[0])


def _pooled(tables: Sequence[Table], truth: str) -> Any:
    having = [t for t in tables if truth in t.columns] or tables[:1]
    return np.concatenate([t.labels(truth) for t in having])


def _holds_only(table: Table, column: str, classes: set[Any]) -> bool:
    try:
        return set(table.labels(column).tolist()) <= classes
    except TableError:
        return False


def _names(titles: Sequence[str], names: Sequence[str]) -> list[str]:
    if names and len(names) != len(titles):
        raise InputError(
            f"{named('name')} must be given for each of {len(titles)} models, got {len(names)}"
        )
    called = list(names or titles)
    twice = sorted({n for n in called if called.count(n) > 1})
    if twice:
        raise InputError(
            f"two models are called {twice[0]!r}; name them apart with {named('name')}"
        )
    return called


def _each(names: Sequence[str], values: Sequence[Any]) -> dict[str, Any]:
    return dict(zip(names, values, strict=True))
