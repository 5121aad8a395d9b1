"""Strata and exclusions, fixed before anything is seen.

Every value of a named column is a stratum; with several columns each has its own strata. Cases are
excluded by id, or by the value of a column, and with a reason.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from referee.core.arrays import Rows
from referee.errors import InputError, nearest
from referee.sources.tables import Table
from referee.vault.certificate.deciding.decision import RULES
from referee.vault.sealed.cases.case_ids import few, ids_in_table
from referee.vault.sealed.files import cell_text

__all__ = ["ALL_CASES", "Exclusions", "Strata", "column_reader", "exclusions_of", "strata_of"]

ALL_CASES = "all cases"
_MOST = 50
_WHERE = re.compile(r"(?P<column>.+?)\s*==\s*(?P<value>.*)")


@dataclass(frozen=True)
class Exclusions:
    """Cases that do not count.

    Attributes
    ----------
    ids : tuple of str
        Which they are.
    rules : tuple of str
        What excluded them, as the protocol says it.
    reason : str
        Why.
    """

    ids: tuple[str, ...] = ()
    rules: tuple[str, ...] = ()
    reason: str = ""

    def record(self) -> dict[str, Any]:
        """Return them as a lock writes them."""
        return {"ids": list(self.ids), "rules": list(self.rules), "reason": self.reason}

    @classmethod
    def of(cls, record: Mapping[str, Any]) -> Exclusions:
        """Read them from a lock."""
        return cls(tuple(record["ids"]), tuple(record["rules"]), str(record["reason"]))


@dataclass(frozen=True)
class Strata:
    """Groups of cases.

    Attributes
    ----------
    rule : {"each", "single"}
        Whether the claim is that all of them hold, or each is a claim of its own.
    members : mapping of str to tuple of int
        The cases of each, as positions in the test set, in its order.
    """

    rule: str
    members: Mapping[str, tuple[int, ...]]

    @property
    def sizes(self) -> dict[str, int]:
        """How many cases each has."""
        return {name: len(rows) for name, rows in self.members.items()}

    def rows(self, name: str) -> Rows:
        """Return the cases of a stratum."""
        return np.array(self.members[name], dtype=np.intp)

    def record(self) -> dict[str, Any]:
        """Return them as a lock writes them."""
        return {
            "rule": self.rule,
            "names": list(self.members),
            "members": [list(rows) for rows in self.members.values()],
        }

    @classmethod
    def of(cls, record: Mapping[str, Any]) -> Strata:
        """Read them from a lock."""
        members = zip(record["names"], record["members"], strict=True)
        return cls(str(record["rule"]), {name: tuple(map(int, rows)) for name, rows in members})


def column_reader(table: Table, id_column: str, ids: Sequence[str]) -> Callable[[str], list[str]]:
    """Return what gives a column in the order of the cases; empty cells are empty texts."""
    known = ids_in_table(table, id_column)
    row = {name: at for at, name in enumerate(known)}
    missing = [name for name in ids if name not in row]
    if missing:
        raise InputError(
            f"{table.path}, column {id_column!r}: {len(missing)} cases of the test set are not "
            f"there ({few(missing)})",
            remedy="name the table that has them all with data.inputs",
        )
    rows = [row[name] for name in ids]

    def column(name: str) -> list[str]:
        values = table.column(name)
        return [cell_text(values[at]) for at in rows]

    return column


def exclusions_of(
    record: Mapping[str, Any], ids: Sequence[str], column: Callable[[str], list[str]]
) -> Exclusions:
    """Find the cases that a protocol excludes."""
    named = [str(name) for name in record.get("ids", ())]
    unknown = [name for name in named if name not in set(ids)]
    if unknown:
        raise InputError(
            f"exclusions.ids: {few(unknown)} are no cases of the test set", remedy="correct it"
        )
    rules = [str(rule) for rule in record.get("where", ())]
    out = set(named)
    for rule in rules:
        out |= _matching(rule, ids, column)
    reason = str(record.get("reason", "")).strip()
    if (named or rules) and not reason:
        raise InputError("exclusions.reason is empty", remedy="say why these cases do not count")
    if len(out) == len(ids):
        raise InputError("exclusions leave no case", remedy="correct them")
    return Exclusions(tuple(name for name in ids if name in out), tuple(rules), reason)


def _matching(rule: str, ids: Sequence[str], column: Callable[[str], list[str]]) -> set[str]:
    match = _WHERE.fullmatch(rule)
    if match is None:
        raise InputError(
            f"exclusions.where {rule!r} cannot be read", remedy="write, as 'quality == bad'"
        )
    wanted = match["value"].strip().strip("'\"")
    values = column(match["column"].strip())
    members = {name for name, value in zip(ids, values, strict=True) if value == wanted}
    if not members:
        raise InputError(
            f"exclusions.where {rule!r} excludes no case",
            remedy=nearest(wanted, sorted(set(values))),
        )
    return members


def strata_of(
    record: Mapping[str, Any],
    ids: Sequence[str],
    excluded: Sequence[str],
    column: Callable[[str], list[str]],
) -> Strata:
    """Divide the cases that count by the columns of a protocol."""
    rule = record.get("rule", "each")
    if rule not in RULES:
        raise InputError(f"strata.rule {rule!r} is unknown", remedy=nearest(str(rule), RULES))
    out = set(excluded)
    kept = [at for at, name in enumerate(ids) if name not in out]
    columns = [str(name) for name in record.get("columns", ())]
    if not columns:
        return Strata(rule, {ALL_CASES: tuple(kept)})
    members: dict[str, list[int]] = {}
    for name in columns:
        values = column(name)
        empty = [ids[at] for at in kept if not values[at]]
        if empty:
            raise InputError(
                f"strata: column {name!r} is empty for {few(empty)}",
                remedy="fill it in, or exclude these cases in advance",
            )
        for at in kept:
            members.setdefault(f"{name} = {values[at]}", []).append(at)
    if len(members) > _MOST:
        raise InputError(
            f"strata: {few(columns)} have {len(members)} values, and at most {_MOST} strata are "
            "judged",
            remedy="name columns with few values",
        )
    return Strata(rule, {name: tuple(members[name]) for name in sorted(members)})
