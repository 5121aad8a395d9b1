"""Predictions, cases, plan and scores as Parquet tables, and back."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from io import BytesIO
from typing import TYPE_CHECKING, Any

import numpy as np

from referee.core.arrays import Anything, Codes, Label, Rows
from referee.core.plan import Part, Plan, Split
from referee.core.predictions import Predictions
from referee.errors import InputError, PlanError
from referee.report.describe.predictions_table import predictions_table
from referee.vault.bundle.contradiction import Contradiction

if TYPE_CHECKING:
    import polars as pl

__all__ = [
    "CASES",
    "MOST_ROWS",
    "NULL",
    "PLAN",
    "PREDICTIONS",
    "SCORES",
    "cases_table",
    "from_parquet",
    "plan_of",
    "plan_table",
    "predictions_of",
    "several_predictions_of",
    "to_parquet",
]

PREDICTIONS, CASES, PLAN = "predictions.parquet", "cases.parquet", "plan.parquet"
NULL, SCORES = "null.parquet", "scores.parquet"

MOST_ROWS = 100_000_000
"""A table that claims more rows is not read: a few bytes can unfold into a memory full."""


def to_parquet(table: pl.DataFrame) -> bytes:
    """Return the table as a file."""
    buffer = BytesIO()
    table.write_parquet(buffer)
    return buffer.getvalue()


def from_parquet(content: bytes, name: str) -> pl.DataFrame:
    """Return the table in a file, or say that there is none."""
    import polars as pl
    from polars.exceptions import PanicException, PolarsError

    try:
        rows = pl.scan_parquet(BytesIO(content)).select(pl.len()).collect().item()
        if rows > MOST_ROWS:
            raise InputError(
                f"{name} claims to hold {rows} rows; more than {MOST_ROWS} are refused", at=name
            )
        return pl.read_parquet(BytesIO(content))
    except (PolarsError, PanicException, OSError, ValueError, MemoryError) as problem:
        if isinstance(problem, InputError):
            raise
        why = str(problem).splitlines()[0] if str(problem) else type(problem).__name__
        raise InputError(f"{name} cannot be read as a Parquet table: {why}", at=name) from None


def cases_table(predictions: Predictions | Mapping[str, Predictions]) -> pl.DataFrame:
    """Return the right answer of every case, its group and its weight; by model if they differ."""
    import polars as pl

    if isinstance(predictions, Predictions):
        return _cases(predictions)
    return pl.concat(
        _cases(table).select(pl.lit(name).alias("model"), pl.all())
        for name, table in predictions.items()
    )


def _cases(table: Predictions) -> pl.DataFrame:
    import polars as pl

    columns: dict[str, Any] = {
        "case": np.arange(table.n),
        "truth": table.truth if table.numeric else np.asarray(table.classes)[table.truth],
    }
    if table.groups is not None:
        columns["group"] = table.groups
    if table.weight is not None:
        columns["weight"] = table.weight
    if table.moment is not None:
        columns["moment"] = table.moment
    return pl.DataFrame(columns)


def plan_table(plan: Plan) -> pl.DataFrame:
    """Return a row for every row of every training and test set, in order."""
    import polars as pl

    sets = [(k, s, role) for k, s in enumerate(plan.splits) for role in ("train", "test")]
    sizes = [len(getattr(s, role)) for _, s, role in sets]
    return pl.DataFrame(
        {
            "split": np.repeat([k for k, _, _ in sets], sizes),
            "part": np.repeat([s.part.value for _, s, _ in sets], sizes),
            "repetition": np.repeat([s.repetition for _, s, _ in sets], sizes),
            "set": np.repeat([role for _, _, role in sets], sizes),
            "row": np.concatenate([getattr(s, role) for _, s, role in sets]),
        }
    )


def plan_of(table: pl.DataFrame, **known: Any) -> Plan:
    """Return the plan of a table; one that is not as `plan_table` writes it is refused."""
    try:
        split, row = table["split"].to_numpy(), table["row"].to_numpy().astype(np.intp)
        test = (table["set"] == "test").to_numpy()
        part, repetition = table["part"], table["repetition"]
        starts = np.flatnonzero(np.diff(2 * split + test, prepend=-1))
        ends = np.append(starts[1:], len(row))
        if len(starts) % 2 or not len(starts):
            raise Contradiction(PLAN, "a split lacks its training or its test set")
        splits = [
            Split(
                train=row[starts[k] : ends[k]],
                test=row[starts[k + 1] : ends[k + 1]],
                repetition=int(repetition[int(starts[k])]),
                part=Part(part[int(starts[k])]),
            )
            for k in range(0, len(starts), 2)
        ]
        plan = Plan(tuple(splits), **known)
    except (PlanError, _polars_error(), TypeError, ValueError, IndexError) as problem:
        if isinstance(problem, Contradiction):
            raise
        raise Contradiction(PLAN, str(problem)) from None
    if not plan_table(plan).equals(table):
        raise Contradiction(PLAN, "its rows are not in the order of splits")
    return plan


def predictions_of(
    table: pl.DataFrame, cases: pl.DataFrame, *, classes: Sequence[Label], plan: Plan | None
) -> Predictions:
    """Return the predictions of a single model."""
    predictions = _read(table, cases, classes, plan)
    # What could be said twice must be said alike, and nothing may be there that is not read.
    if not predictions_table(predictions).equals(table):
        raise Contradiction(PREDICTIONS, _UNFOUNDED)
    return predictions


def several_predictions_of(
    table: pl.DataFrame,
    cases: pl.DataFrame,
    *,
    names: Sequence[str],
    classes: Sequence[Label],
    plan: Plan | None,
) -> dict[str, Predictions]:
    """Return the predictions of each model."""
    tables = {
        name: _read(_of_model(table, name), _of_model(cases, name), classes, plan) for name in names
    }
    if not predictions_table(tables).equals(table):
        raise Contradiction(PREDICTIONS, _UNFOUNDED)
    return tables


_UNFOUNDED = f"its rows do not follow from {CASES} and {PLAN}"


def _of_model(table: pl.DataFrame, name: str) -> pl.DataFrame:
    return table.filter(table["model"] == name) if "model" in table.columns else table


def _read(
    table: pl.DataFrame, cases: pl.DataFrame, classes: Sequence[Label], plan: Plan | None
) -> Predictions:
    try:
        return _predictions(table, cases, classes, plan)
    except (_polars_error(), TypeError, ValueError, IndexError) as problem:
        if isinstance(problem, Contradiction):
            raise
        raise Contradiction(PREDICTIONS, f"it holds no predictions ({problem})") from None


def _predictions(
    table: pl.DataFrame, cases: pl.DataFrame, classes: Sequence[Label], plan: Plan | None
) -> Predictions:
    read = _codes if classes else _quantities
    truth = read(cases["truth"].to_list(), classes, CASES)
    n = len(truth)
    splits = plan.splits if plan else (Split(np.empty(0, np.intp), np.arange(n)),)
    case: Rows = np.concatenate([s.test for s in splits])
    if len(case) != len(table) or case.max() >= n:
        raise Contradiction(PREDICTIONS, f"it has {len(table)} rows, the plan tests {len(case)}")
    return Predictions(
        classes=tuple(classes),
        truth=truth,
        case=case,
        split=np.repeat(np.arange(len(splits)), [len(s.test) for s in splits]),
        seen=np.concatenate([np.bincount(s.train, minlength=n)[s.test] for s in splits]),
        predicted=read(table["predicted"].to_list(), classes, PREDICTIONS),
        part=tuple(s.part for s in splits),
        repetition=np.array([s.repetition for s in splits]),
        n_train=np.array([len(s.train) for s in splits]),
        scores=_scores(table, classes),
        groups=cases["group"].to_numpy().astype(np.intp) if "group" in cases.columns else None,
        weight=cases["weight"].to_numpy() if "weight" in cases.columns else None,
        moment=cases["moment"].to_numpy().astype(np.intp) if "moment" in cases.columns else None,
    )


def _codes(labels: Sequence[Label], classes: Sequence[Label], name: str) -> Codes:
    known = {label: code for code, label in enumerate(classes)}
    odd = next((label for label in labels if label not in known), None)
    if odd is not None or None in labels:
        raise Contradiction(name, f"{odd!r} is none of the classes")
    return np.array([known[label] for label in labels], dtype=np.intp)


def _quantities(numbers: Sequence[Any], classes: Sequence[Label], name: str) -> Anything:
    """Return the numbers of a column where there are no classes."""
    odd = next((v for v in numbers if not isinstance(v, float) or not np.isfinite(v)), 0.0)
    if not isinstance(odd, float) or not np.isfinite(odd):
        raise Contradiction(name, f"{odd!r} is no quantity")
    return np.array(numbers, dtype=float)


def _scores(table: pl.DataFrame, classes: Sequence[Label]) -> Anything | None:
    """Return the scores of a model, whose columns are empty if it has none."""
    several = [f"score {c}" for c in classes]
    if "score" in table.columns and not table["score"].null_count():
        return table["score"].to_numpy()
    if several and set(several) <= set(table.columns) and not table[several[0]].null_count():
        return np.column_stack([table[c].to_numpy() for c in several])
    return None


def _polars_error() -> type[Exception]:
    from polars.exceptions import PolarsError

    return PolarsError
