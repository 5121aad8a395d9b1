"""How far the methods can be trusted: what each kept of its promise where the truth was known."""

from __future__ import annotations

import math
from collections.abc import Iterable
from importlib import import_module
from typing import Any, Protocol

from referee.core.numbers import percent
from referee.report.document import Block, Column, Paragraph, Section, Table

__all__ = ["CalibrationRecord", "calibration", "trust_section"]


class CalibrationRecord(Protocol):
    """What was measured of a method on tasks with known truth."""

    @property
    def method(self) -> str:
        """Its catalogue name."""

    @property
    def target(self) -> Any:
        """What it speaks about."""

    @property
    def promise(self) -> Any:
        """The coverage, or the share of false alarms, that it promises."""

    @property
    def coverage_mean(self) -> float | None:
        """How often it covered the truth, averaged over cells; None for a test."""

    @property
    def coverage_least(self) -> float | None:
        """The same in the worst cell."""

    @property
    def error(self) -> float | None:
        """The simulation error of the figures, or the share of false alarms of a test."""

    @property
    def cells(self) -> int:
        """On how many tasks, learners and sizes."""

    @property
    def made_by(self) -> str:
        """The command that measures it again."""


def calibration(method: str) -> CalibrationRecord | None:
    """Return what is recorded of a method; None where nothing is."""
    lookup = getattr(import_module("referee.study"), "calibrated", None)
    record: CalibrationRecord | None = None if lookup is None else lookup(method)
    return record


def trust_section(methods: Iterable[str]) -> Section:
    """Return the section that the names of methods lead to."""
    names = list(dict.fromkeys(m for m in methods if m))
    records = [r for name in names if (r := calibration(name)) is not None]
    known = {r.method for r in records}
    blocks: list[Block] = []
    if records:
        blocks.append(_table(records))
    unknown = [name for name in names if name not in known]
    if unknown:
        told = "No calibration is recorded for" if records else "No calibration is recorded yet for"
        blocks.append(Paragraph(f"{told} {', '.join(unknown)}."))
    return Section("How far the methods can be trusted", tuple(blocks), detail=True)


def _table(records: list[CalibrationRecord]) -> Table:
    columns = (
        Column("method"),
        Column("about"),
        Column("promise", numeric=True),
        Column("kept, mean", numeric=True),
        Column("kept, least", numeric=True),
        Column("error", numeric=True),
        Column("cells", numeric=True),
        Column("made by"),
    )
    rows = tuple(
        (
            r.method,
            str(r.target),
            _shown(r.promise),
            _shown(r.coverage_mean),
            _shown(r.coverage_least),
            _shown(r.error),
            str(r.cells),
            r.made_by,
        )
        for r in records
    )
    caption = (
        "Measured by simulation where the truth is known; a cell is a task, a learner and a size."
    )
    return Table(columns, rows, caption=caption, anchors=tuple(r.method for r in records))


def _shown(value: Any) -> str:
    if value is None or (isinstance(value, float) and math.isnan(value)):
        return "–"
    return percent(value) if isinstance(value, float) else str(value)
