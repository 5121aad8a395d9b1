"""How far the methods can be trusted: what each kept of its promise where the truth was known."""

from __future__ import annotations

from collections.abc import Iterable

from referee.core.calibration_record import CalibrationRecord, calibrated
from referee.report.document import Block, Column, Paragraph, Section, Table

__all__ = ["trust_section"]

_PROMISED = {"coverage": "at least .95", "size": "at most .05"}
"""What intervals and tests promise at the usual level, at which they were tried."""


def trust_section(methods: Iterable[str]) -> Section:
    """Return the section that the names of methods lead to.

    Examples
    --------
    >>> trust_section(["clopper-pearson", "by-eye"]).blocks[0].rows[0][:3]
    ('clopper-pearson', 'fixed, test set', 'covers at least .95')
    """
    names = list(dict.fromkeys(m for m in methods if m))
    records = [r for name in names if (r := calibrated(name)) is not None]
    blocks: list[Block] = [_table(records)] if records else []
    known = {r.method for r in records}
    unknown = [name for name in names if name not in known]
    if unknown:
        blocks.append(Paragraph(f"Not in the calibration table: {', '.join(unknown)}."))
    return Section("How far the methods can be trusted", tuple(blocks), detail=True)


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
        "Coverage of intervals and size of tests where the truth is known, with Monte Carlo error; "
        "made again by: referee study calibration. All cells: docs/calibration.md."
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
        tried = f"{record.repetitions} data sets in {record.cells} cells"
    about = f"{record.target}, {record.by}" if record.by else record.target
    promised = f"{verb} {_PROMISED[record.quantity]}"
    return (record.method, about, promised, average, worst, record.worst_cell, tried)
