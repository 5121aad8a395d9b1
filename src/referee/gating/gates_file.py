"""gates.toml: several gates on one candidate, in a file that is kept with the code."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from referee.core.machine.plain_file import file_text
from referee.errors import InputError, nearest
from referee.gating.decision import Gate
from referee.gating.family import TOGETHER, GateFamily, gates_together
from referee.gating.gate import decide
from referee.gating.question import GateQuestion, margin_of
from referee.gating.sides.compared import Sides
from referee.gating.sides.files import ScoreOptions, read_sides, silent
from referee.sources.predictions import Note, PredictionColumns

__all__ = ["NO_LEDGER", "GatesFile", "read_gates_file"]

NO_LEDGER = (
    "a ledger is of one gate, and gates.toml holds several; run each as a referee gate of its own "
    "with its own --sequential, and go on only if all of them pass"
)
"""Why several gates have no ledger together."""

_OWN = (
    *("baseline", "candidate", "truth", "on", "pred", "score", "groups"),
    *("together", "undecided", "level", "pos_label", "greater_is_better", "gate"),
)
_GATE = ("name", "measure", "claim", "margin", "where", "pos_label")
_TEXTS = ("baseline", "candidate", "truth", "on", "groups", "together", "undecided")


@dataclass(frozen=True, kw_only=True)
class GateRow:
    """One gate of the file.

    Attributes
    ----------
    name : str
        What it is called.
    where : mapping of str to tuple of str
        Which cases it is about: values of columns; all cases where it is empty.
    """

    name: str
    question: GateQuestion
    measure: str = "error"
    where: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    pos_label: Any = None


@dataclass(frozen=True, kw_only=True)
class GatesFile:
    """All that the file says, checked."""

    path: str
    baseline: Path
    candidate: Path
    columns: PredictionColumns | None
    score: str | None
    rows: tuple[GateRow, ...]
    together: str
    undecided: str
    greater_is_better: bool | None = None

    def decide(self, *, note: Note = silent) -> GateFamily:
        """Decide on every gate, and on all together."""
        gates: list[Gate] = []
        for row in self.rows:
            sides = read_sides(
                [self.baseline, self.candidate],
                self.columns,
                scores=ScoreOptions(score=self.score, greater_is_better=self.greater_is_better),
                measure=row.measure,
                options={"pos_label": row.pos_label},
                note=note if not gates else silent,
            )
            part = _slice(sides, row, self.path)
            try:
                folder = self.baseline.parent
                gates.append(decide(part, row.question, folder=folder, label=row.name))
            except InputError as problem:
                raise InputError(
                    f"{self.path}, gate {row.name!r}: {problem}",
                    at=str(self.path),
                ) from None
        return gates_together(gates, self.together, undecided=self.undecided)


def read_gates_file(
    path: str | Path, *, candidate: str | Path | None = None, undecided: str | None = None
) -> GatesFile:
    """Return the gates of a file; paths in it are relative to it, what is given here goes first."""
    place = Path(path)
    held = _parsed(place)
    _refuse_unknown(held, _OWN, f"{path}")
    for name in _TEXTS:
        if not isinstance(held.get(name, ""), str):
            raise InputError(
                f"{path}: {name} must be a text, got {held[name]!r}",
                at=str(path),
            )
    for name in ("pred", "score"):
        if not all(isinstance(value, str) for value in _listed(held.get(name))):
            raise InputError(
                f"{path}: {name} must name columns, got {held[name]!r}",
                at=str(path),
            )
    together = held.get("together", "all")
    if together not in TOGETHER:
        raise InputError(
            f"{path}: together must be 'all' or 'holm', got {together!r}",
            at=str(path),
        )
    greater = held.get("greater_is_better")
    if greater not in (None, True, False):
        raise InputError(
            f"{path}: greater_is_better must be true or false, got {greater!r}",
            at=str(path),
        )
    policy = undecided or held.get("undecided", "report")
    where = place.parent
    candidate_file = Path(candidate) if candidate else where / _text(held, "candidate", path)
    columns = None
    if "truth" in held:
        columns = PredictionColumns(
            truth=held["truth"],
            pred=_listed(held.get("pred")),
            score=_listed(held.get("score")),
            on=held.get("on"),
            groups=held.get("groups"),
        )
    rows = held.get("gate", [])
    if not isinstance(rows, list) or not rows or not all(isinstance(r, Mapping) for r in rows):
        raise InputError(
            f"{path} has no [[gate]]; each gate is a table of its own under [[gate]]",
            at=str(path),
        )
    gates = tuple(_row(r, n, held, policy, path) for n, r in enumerate(rows, start=1))
    names = [g.name for g in gates]
    if len(set(names)) < len(names):
        twice = next(name for name in names if names.count(name) > 1)
        raise InputError(
            f"{path}: two gates are called {twice!r}",
            at=str(path),
            remedy="give each a name of its own",
        )
    return GatesFile(
        path=str(path),
        baseline=where / _text(held, "baseline", path),
        candidate=candidate_file,
        columns=columns,
        score=None if columns else held.get("score"),
        rows=gates,
        together=together,
        undecided=policy,
        greater_is_better=greater,
    )


def _row(
    held: Mapping[str, Any], number: int, above: Mapping[str, Any], policy: str, path: Any
) -> GateRow:
    name = str(held.get("name", f"gate {number}"))
    _refuse_unknown(held, _GATE, f"{path}, gate {name!r}")
    try:
        question = GateQuestion(
            claim=held.get("claim", "non-inferior"),
            margin=margin_of(held.get("margin")),
            level=above.get("level", 0.95),
            undecided=policy,
            scale=np.inf,
        )
    except InputError as problem:
        raise InputError(
            f"{path}, gate {name!r}: {problem}",
            at=str(path),
        ) from None
    where = held.get("where", {})
    if not isinstance(where, Mapping):
        raise InputError(
            f"{path}, gate {name!r}: where must look like {{language = 'de'}}",
            at=str(path),
        )
    return GateRow(
        name=name,
        question=question,
        measure=str(held.get("measure", "error")),
        where={str(c): tuple(map(_written, _listed(v))) for c, v in where.items()},
        pos_label=held.get("pos_label", above.get("pos_label")),
    )


def _slice(sides: Sides, row: GateRow, path: str) -> Sides:
    if not row.where:
        return sides
    kept = np.ones(sides.n, dtype=bool)
    for column, values in row.where.items():
        kept &= np.isin(sides.column(column), values)
    if not kept.any():
        wanted = ", ".join(f"{c} = {' or '.join(v)}" for c, v in row.where.items())
        raise InputError(
            f"{path}, gate {row.name!r}: no case has {wanted}",
            at=str(path),
        )
    return sides.keep(kept)


def _parsed(path: Path) -> dict[str, Any]:
    try:
        return tomllib.loads(file_text(path))
    except OSError as problem:
        absent = isinstance(problem, FileNotFoundError)
        reason = "there is no such file" if absent else problem.strerror
        raise InputError(
            f"{path} cannot be read: {reason}",
            at=str(path),
        ) from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError, RecursionError) as problem:
        raise InputError(f"{path} is no TOML: {problem}", remedy=_remedy(path)) from None


def _remedy(path: Path) -> str:
    """Return what to write instead, where a number begins with a point: TOML has none such."""
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError):
        return ""
    for number, line in enumerate(text.splitlines(), start=1):
        bare = re.search(r"=\s*([-+]?)(\.\d+)\s*(#.*)?$", line)
        if bare:
            return f"line {number}: write {bare[1]}0{bare[2]} instead of {bare[1]}{bare[2]}"
    return ""


def _refuse_unknown(held: Mapping[str, Any], known: tuple[str, ...], where: str) -> None:
    odd = [name for name in held if name not in known]
    if "sequential" in odd:
        raise InputError(
            f"{where}: {NO_LEDGER}",
            at=str(where),
        )
    if odd:
        raise InputError(
            f"{where}: {odd[0]!r} is unknown",
            at=str(where),
            remedy=nearest(odd[0], known),
        )


def _written(value: Any) -> str:
    """Return a value as columns are read: whole numbers without a point."""
    return f"{value:g}" if isinstance(value, float) and value.is_integer() else str(value)


def _text(held: Mapping[str, Any], name: str, path: Any) -> str:
    value = held.get(name)
    if not isinstance(value, str):
        raise InputError(
            f"{path}: {name} must name a file, as {name} = 'file.csv'",
            at=str(path),
        )
    return value


def _listed(value: Any) -> tuple[Any, ...]:
    if value is None:
        return ()
    return tuple(value) if isinstance(value, list) else (value,)
