"""How far the methods can be trusted: what each kept of its promise where the truth was known."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from referee.core.calibration_record import CalibrationRecord, calibrated
from referee.core.plan import Part, Plan
from referee.core.results import Evidence, Interval, Target
from referee.report.document import Block, Column, Paragraph, Section, Table
from referee.report.typesetting import typeset
from referee.resampling.cross_validation import CV

__all__ = ["Used", "scheme_tried", "trust_section", "used_interval", "used_test"]

_PROMISED = {"coverage": "at least .95", "size": "at most .05"}
"""What intervals and tests promise at the usual level, at which they were tried."""


class Used(NamedTuple):
    """A method as a result used it: about what, as an interval or a test, and from which scheme."""

    method: str
    target: str
    quantity: str
    by: str | None = None


def used_interval(interval: Interval, by: str | None = None) -> Used:
    """Return the method of an interval as it was used; `by` counts where it reads several fits."""
    fixed = interval.target is Target.FIXED
    return Used(interval.method, interval.target.value, "coverage", None if fixed else by)


def used_test(evidence: Evidence) -> Used:
    """Return a test as it was used."""
    return Used(evidence.test, evidence.target.value, "size")


def scheme_tried(plan: Plan | None) -> str | None:
    """Return the scheme of the calibration table that comes nearest to a plan."""
    if plan is None or plan.scheme != CV.name:
        return None
    repeated = any(s.repetition > 0 for s in plan.part(Part.MAIN))
    return "10x10" if repeated else "10-fold"


def trust_section(used: Iterable[Used]) -> Section:
    """Return the section that the names of methods lead to; a row for each that was tried so.

    Examples
    --------
    >>> used = [Used("wilson", "fixed", "coverage"), Used("by-eye", "fixed", "size")]
    >>> section = trust_section(used)
    >>> section.blocks[0].rows[0][:3]
    ('wilson', 'fixed, test set', 'covers at least .95')
    """
    asked = {u.method: u for u in reversed(tuple(used))}
    records = {name: _record(u) for name, u in sorted(asked.items())}
    known = [r for r in records.values() if r is not None]
    blocks: list[Block] = [_table(known)] if known else []
    unknown = [name for name, record in records.items() if record is None]
    if unknown:
        blocks.append(
            Paragraph(f"Not in the calibration table, in this use: {', '.join(unknown)}.")
        )
    return Section("How far the methods can be trusted", tuple(blocks), detail=True)


def _record(used: Used) -> CalibrationRecord | None:
    """Return what was recorded for the same target; from another scheme if not from this one."""
    known = {"target": used.target, "quantity": used.quantity}
    return calibrated(used.method, by=used.by, **known) or calibrated(used.method, **known)


def _table(records: list[CalibrationRecord]) -> Table:
    columns = (
        Column("method"),
        Column("about"),
        Column("promises"),
        Column("on average", numeric=True),
        Column("at worst", numeric=True),
        Column("the worst cell"),
        Column("tried on"),
    )
    caption = (
        "Coverage of intervals and size of tests where the truth is known; ± is the Monte Carlo "
        "error, large where data sets were few. Made again by: referee study calibration. All "
        "cells: docs/calibration.md of the project."
    )
    anchors = tuple(r.method for r in records)
    return Table(columns, tuple(_row(r) for r in records), caption=caption, anchors=anchors)


def _row(record: CalibrationRecord) -> tuple[str, ...]:
    verb = "covers" if record.quantity == "coverage" else "false alarms"
    average = "–" if record.repetitions == 0 else f"{record.mean:.3f} ± {record.error:.3f}"
    worst = f"{record.worst:.3f}"
    tried = f"{record.cells} numbers of cases, enumerated"
    if record.repetitions:
        worst += f" ± {record.worst_error:.3f}"
        tried = typeset(f"{record.repetitions} data sets in {record.cells} cells")
    about = f"{record.target}, {record.by}" if record.by else record.target
    promised = f"{verb} {_PROMISED[record.quantity]}"
    return (record.method, about, promised, average, worst, record.worst_cell, tried)
