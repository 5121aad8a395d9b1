"""From the experiments of a study to a Document."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from referee.core.results import Outcome, Verdict
from referee.core.showing.experiment import Experiment
from referee.report.describe import describe, provenance_section
from referee.report.document import Column, Document, Headline, Section, Table
from referee.report.record import SCHEMA

if TYPE_CHECKING:
    import pandas as pd

__all__: list[str] = []


@describe.register
def _experiment(result: Experiment) -> Document:
    first, *others = result.pictures or (None,)
    sections = [Section("Further pictures", tuple(p for p in others if p))] if others else []
    sections += [Section(title, (_table(frame),)) for title, frame in result.tables.items()]
    sections.append(provenance_section())
    return Document(
        title=result.title,
        subtitle=result.setting,
        # An experiment judges nothing; its sentence says what was seen.
        verdict=Verdict(outcome=Outcome.UNDECIDED, sentence=result.conclusion),
        sections=tuple(sections),
        data={
            "schema": SCHEMA,
            "kind": "experiment",
            "title": result.title,
            "setting": result.setting,
            "conclusion": result.conclusion,
            "table": [_plain(row) for row in result.frame().to_dict("records")],
        },
        label="STUDY",
        headline=Headline("", "", picture=first) if first else None,
    )


def _table(frame: pd.DataFrame) -> Table:
    columns = tuple(
        Column(str(name).replace("_", " "), numeric=frame[name].dtype.kind in "iuf")
        for name in frame.columns
    )
    rows = tuple(tuple(_cell(value) for value in row) for row in frame.to_numpy().tolist())
    return Table(columns, rows)


def _cell(value: Any) -> str:
    if not isinstance(value, float):
        return str(value)
    if math.isnan(value):
        return "–"
    return str(int(value)) if value == int(value) and abs(value) >= 1 else f"{value:.4f}"


def _plain(row: dict[Any, Any]) -> dict[str, Any]:
    return {
        str(name): None if isinstance(value, float) and not math.isfinite(value) else value
        for name, value in row.items()
    }
