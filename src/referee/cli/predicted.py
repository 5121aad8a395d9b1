"""Columns of predictions in files named on the command line."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from referee.cli.output import note

if TYPE_CHECKING:
    from referee.tables import Table

__all__ = ["classes_of", "refuse_unknown", "unseen_rows"]


def unseen_rows(table: Table) -> Table:
    """Return the honest rows of a predictions.parquet that referee itself wrote.

    It also holds predictions of training rows and of further repetitions; they must not count.
    """
    if not {"case", "split", "repetition", "part", "seen"} <= set(table.columns):
        return table
    keep = (table.column("part") == "main") & (table.column("seen") == 0)
    keep &= table.column("repetition") == 0
    note(f"{table.path} is referee's own: {int(keep.sum())} of {table.n_rows} rows are unseen")
    return table.keep(keep)


def classes_of(answers: Any, more: list[str]) -> set[Any]:
    """Return the classes of the truth and those named besides, in the truth's own type."""
    kind = int if answers.dtype.kind == "i" else str
    try:
        return set(answers.tolist()) | {kind(m) for m in more}
    except ValueError:
        from referee.errors import InputError

        raise InputError(f"--label must be a whole number like the truth, got {more}") from None


def refuse_unknown(table: Table, column: str, classes: set[Any], truth: str) -> None:
    """Refuse predictions of a class that the truth does not have."""
    from referee.errors import InputError

    predicted = table.labels(column)
    unknown = [row for row, value in enumerate(predicted.tolist()) if value not in classes]
    if unknown:
        raise InputError(
            f"{table.places(unknown)}, column {table.resolve(column)!r}: "
            f"{predicted[unknown[0]]} does not occur in {truth!r}; correct it, or name the classes "
            "the truth lacks with --label"
        )
