"""referee compare-predictions FILE... --truth COL: whose predictions are better?"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Optional

import typer

from referee.cli import options
from referee.cli.output import check_places, deliver
from referee.cli.predicted import answers_of, classes_of, unseen_rows
from referee.cli.screen import note, whole_characters

if TYPE_CHECKING:
    from referee.sources.tables import Header, Table

__all__ = ["compare_predictions"]

_IDS = ("id", "ID", "Id", "case", "case_id", "uid", "key")
_PREDICTIONS = ("pred", "prediction", "predicted", "y_pred", "predictions", "answer", "guess")


def compare_predictions(
    files: Annotated[
        list[Path],
        typer.Argument(
            metavar="FILE...",
            help="One table with a column of predictions for each model, or one table for each.",
        ),
    ],
    truth: Annotated[
        str, typer.Option("--truth", metavar="COL", help="Column with the right answers.")
    ],
    on: Annotated[
        Optional[str],  # noqa: UP045 (typer reads it at run time)
        typer.Option("--on", metavar="COL", help="Column with the ids by which files are joined."),
    ] = None,
    pred: Annotated[
        Optional[list[str]],  # noqa: UP045
        typer.Option(
            "--pred",
            metavar="COL",
            help="Column with predicted classes: one for each model of a single file, or the one "
            "that the files share. Found by looking if not said.",
        ),
    ] = None,
    score: Annotated[
        Optional[list[str]],  # noqa: UP045
        typer.Option("--score", metavar="COL", help="Columns with scores, in the order of --pred."),
    ] = None,
    name: Annotated[
        Optional[list[str]],  # noqa: UP045
        typer.Option("--name", help="How to call each model, in order; else by file or column."),
    ] = None,
    unpaired: Annotated[
        bool,
        typer.Option("--unpaired", help="The files are different test sets: nothing is joined."),
    ] = False,
    groups: options.Groups = None,
    label: options.Label = None,
    pos_label: options.PosLabel = None,
    measure: options.MeasureName = "error",
    cost: options.CostPair = None,
    significance: options.TestName = "auto",
    adjust: options.Adjust = "holm",
    interval: options.PairedInterval = "auto",
    rope: options.Rope = 0.0,
    claim: options.Claim = None,
    level: options.Level = 0.95,
    sequential: options.Sequential = False,
    header: options.Header = None,
    seed: options.Seed = 0,
    json: options.Json = False,
    out: options.Out = None,
    bundle: options.Bundle = None,
    force: options.Force = False,
) -> None:
    """Say which of two or more models predicted better, by how much and how sure.

    Files are joined by the ids of --on, whatever their order. The first file is the candidate:
    exits with 0 if it was shown to be better (or what --claim says), with 1 if not.
    """
    from referee.comparing.compare import compare_predictions as judge
    from referee.errors import InputError
    from referee.sources.tables import read_table

    check_places(out, bundle, force=force)
    if unpaired and len(files) == 1:
        raise InputError(
            "--unpaired is for files of different test sets; the columns of one file are about "
            "the same cases"
        )
    kind: Header = "auto" if header is None else header
    tables = [unseen_rows(read_table(f, header=kind), pooled=False) for f in files]
    if not unpaired:
        on = on or _shared_ids(tables)
        tables = _joined(tables, on, truth)
    columns = _Columns(truth=truth, pred=pred or [], score=score or [], on=on, groups=groups)
    answers = columns.of(tables)
    called = _names([a.title for a in answers], name)
    classes = classes_of(_pooled(tables, truth), label or [])
    if len(classes) == 1:  # the answers name the others
        classes |= {c for a in answers for c in a.table.labels(a.column).tolist()}
    truths = _each(called, [a.table.labels(truth) for a in answers]) if unpaired else None
    result = judge(
        truths or _truth(tables, truth),
        _each(called, [answers_of(a.table, a.column, classes, truth) for a in answers]),
        y_scores=_each(called, [a.scores for a in answers]) if score else None,
        labels=sorted(classes),
        groups=None if groups is None else _first_with(tables, groups).complete(groups),
        pos_label=pos_label,
        measure=measure,
        costs=cost,
        significance=significance,
        adjust=adjust,
        interval=interval,
        rope=rope,
        claim=claim,
        level=level,
        sequential=sequential,
        random_state=seed,
    )
    deliver([result], as_json=json, out=out, bundle=bundle, force=force)


@dataclass(frozen=True, eq=False)
class _Answers:
    """One model's column of predictions, and of scores."""

    title: str
    table: Table
    column: str
    score: str | None = None

    @property
    def scores(self) -> Any:
        return None if self.score is None else self.table.complete(self.score, numeric=True)


@dataclass(frozen=True, kw_only=True)
class _Columns:
    """Which columns the user named."""

    truth: str
    pred: Sequence[str]
    score: Sequence[str]
    on: str | None
    groups: str | None

    def of(self, tables: Sequence[Table]) -> list[_Answers]:
        """Return the columns of predictions, model by model."""
        return self._wide(tables[0]) if len(tables) == 1 else self._long(tables)

    def _wide(self, table: Table) -> list[_Answers]:
        from referee.errors import InputError

        columns = [table.resolve(c) for c in self.pred] or self._guessed(table)
        if len(set(columns)) < 2:
            raise InputError(
                f"{table.path}: at least two columns of predictions are needed, got "
                f"{', '.join(columns) or 'none'}; name them with --pred, once for each model"
            )
        if self.score and len(self.score) != len(columns):
            raise InputError(
                f"--score must name one column for each of the {len(columns)} models, got "
                f"{len(self.score)}"
            )
        scores: Sequence[str | None] = self.score or [None] * len(columns)
        return [_Answers(c, table, c, s) for c, s in zip(columns, scores, strict=True)]

    def _guessed(self, table: Table) -> list[str]:
        """Find the columns that hold nothing but classes of the truth."""
        classes = set(table.labels(self.truth).tolist())
        found = [c for c in self._others(table) if _holds_only(table, c, classes)]
        if len(found) > 1:
            note(f"{table.path}: comparing the columns {', '.join(found)}; --pred names others")
        return found

    def _others(self, table: Table) -> list[str]:
        known = [self.truth, *self.score]
        known += [c for c in (self.on, self.groups) if c is not None]
        taken = {table.resolve(c) for c in known if c in table.columns or not table.header}
        return [c for c in table.columns if c not in taken]

    def _long(self, tables: Sequence[Table]) -> list[_Answers]:
        from referee.errors import InputError

        with_answers = [t for t in tables if not self._holds_truth_alone(t)]
        if len(with_answers) < 2:
            with_answers = list(tables)  # whatever is wrong is said of the files as they are
        for option, given in (("--pred", self.pred), ("--score", self.score)):
            if len(given) not in (0, 1, len(with_answers)):
                raise InputError(
                    f"{option} must name one column, or one for each of the {len(with_answers)} "
                    f"files, got {len(given)}"
                )
        found = []
        for number, table in enumerate(with_answers):
            column = _nth(self.pred, number) or self._guess_one(table)
            stem = Path(table.path).stem
            found.append(_Answers(stem, table, column, _nth(self.score, number)))
        if len(found) < 2:
            raise InputError(
                "at least two files with a column of predictions are needed, found "
                f"{len(found)}; name the column with --pred"
            )
        return found

    def _holds_truth_alone(self, table: Table) -> bool:
        """Tell whether a file has the right answers and no predictions."""
        if self.truth not in table.columns:
            return False
        if self.pred:
            return not any(c in table.columns for c in self.pred)
        return not self._others(table)

    def _guess_one(self, table: Table) -> str:
        from referee.errors import InputError

        others = self._others(table)
        usual = [c for c in others if c in _PREDICTIONS]
        if len(usual) == 1:
            return usual[0]
        if len(others) == 1:
            return others[0]
        raise InputError(
            f"{table.path}: which column holds the predictions? It has "
            f"{', '.join(others[:8])}; name one with --pred"
        )


def _nth(names: Sequence[str], number: int) -> str | None:
    if not names:
        return None
    return names[0] if len(names) == 1 else names[number]


def _shared_ids(tables: Sequence[Table]) -> str | None:
    """Return a column of ids that several files share, found by its usual names."""
    if len(tables) == 1:
        return None
    shared = next((c for c in _IDS if all(c in t.columns for t in tables)), None)
    if shared is not None:
        note(f"files are joined by the column {shared!r}; --on names another")
    return shared


def _joined(tables: list[Table], on: str | None, truth: str) -> list[Table]:
    """Bring the rows of several files into one order, by ids or, if need be, as they stand."""
    from referee.errors import InputError
    from referee.sources.tables import aligned

    if len(tables) == 1:
        return tables
    if on is not None:
        return list(aligned(tables, on))
    sizes = {t.n_rows for t in tables}
    if len(sizes) > 1:
        raise InputError(
            "the files have different numbers of rows "
            f"({', '.join(f'{t.path}: {t.n_rows}' for t in tables)}); join them by their ids with "
            "--on, or say --unpaired if they are different test sets"
        )
    with_truth = [t for t in tables if truth in t.columns]
    if len(with_truth) < len(tables):
        note("files are taken row by row, as they have no ids; --on names a column to join by")
    return tables


def _truth(tables: Sequence[Table], truth: str) -> Any:
    """Return the right answers, which every file that has them must agree on."""
    from referee.errors import InputError

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
                "with --on, or correct them"
            )
    return right


def _first_with(tables: Sequence[Table], column: str) -> Table:
    return next((t for t in tables if column in t.columns), tables[0])


def _pooled(tables: Sequence[Table], truth: str) -> Any:
    import numpy as np

    having = [t for t in tables if truth in t.columns] or tables[:1]
    return np.concatenate([t.labels(truth) for t in having])


def _holds_only(table: Table, column: str, classes: set[Any]) -> bool:
    from referee.errors import TableError

    try:
        return set(table.labels(column).tolist()) <= classes
    except TableError:
        return False


def _names(titles: Sequence[str], names: Sequence[str] | None) -> list[str]:
    from referee.errors import InputError

    if names and len(names) != len(titles):
        raise InputError(f"--name must be given for each of {len(titles)} models, got {len(names)}")
    called = [whole_characters(n) for n in names or titles]
    twice = sorted({n for n in called if called.count(n) > 1})
    if twice:
        raise InputError(f"two models are called {twice[0]!r}; name them apart with --name")
    return called


def _each(names: Sequence[str], values: Sequence[Any]) -> dict[str, Any]:
    return dict(zip(names, values, strict=True))
