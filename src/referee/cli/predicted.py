"""Columns of predictions in files named on the command line."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from referee.cli.screen import note

if TYPE_CHECKING:
    from referee.sources.tables import Table

__all__ = ["answers_of", "classes_of", "unseen_rows"]


def unseen_rows(table: Table, *, pooled: bool = True) -> Table:
    """Return the honest rows of a predictions.parquet that referee itself wrote.

    It also holds predictions of training rows and of further repetitions; they must not count. Nor
    may those of several models be taken for one, nor (unless `pooled`) those of several fits.
    """
    if not {"case", "split", "repetition", "part", "seen"} <= set(table.columns):
        return table
    from referee.errors import InputError, Refusal

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


def classes_of(answers: Any, more: list[str]) -> set[Any]:
    """Return the classes of the truth and those named besides, in the truth's own type."""
    kind = int if answers.dtype.kind == "i" else str
    try:
        return set(answers.tolist()) | {kind(m) for m in more}
    except ValueError:
        from referee.errors import InputError

        raise InputError(f"--label must be a whole number like the truth, got {more}") from None


def answers_of(table: Table, column: str, classes: set[Any], truth: str) -> Any:
    """Return a column of predictions in the truth's own type, or name the first unknown class."""
    import numpy as np

    from referee.errors import InputError

    labels, positions = np.unique(table.labels(column), return_inverse=True)
    known = {str(c): c for c in classes}
    odd = [position for position, label in enumerate(labels) if str(label) not in known]
    if odd:
        rows = np.flatnonzero(np.isin(positions, odd)).tolist()
        raise InputError(
            f"{table.places(rows)}, column {table.resolve(column)!r}: "
            f"{labels[positions[rows[0]]]} does not occur in {truth!r}; correct it, or name the "
            "classes the truth lacks with --label"
        )
    return np.array([known[str(label)] for label in labels])[positions]
