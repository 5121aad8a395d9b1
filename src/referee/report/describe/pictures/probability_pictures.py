"""Precision-recall, reliability and decision curves, and the rules they stand for."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np

from referee.core.showing.numbers import level_text, percent, plain, span
from referee.core.showing.pictures import Curve, Curves
from referee.errors import InputError
from referee.intervals.one_set.proportion import clopper_pearson
from referee.judging.evaluation import Evaluation
from referee.judging.operating_points import operating_frame
from referee.measures.formulas.precision_recall import precision_recall
from referee.measures.formulas.probability import reliability_curve
from referee.report.describe.pictures.roc_pictures import thinned
from referee.report.document import Block, Column, Drawing, Paragraph, Section, Table

if TYPE_CHECKING:
    from referee.report.displays.scored import Scored

__all__ = ["decision_sections"]

_STEPS = np.arange(1, 20) / 20


def decision_sections(result: Evaluation) -> list[Section]:
    """Return the sections of what scores are worth as rules; none where there are no scores."""
    from referee.report.displays.scored import Scored

    try:
        scored = Scored.of_evaluation(result)
    except InputError:
        return []  # the section on ranking says why
    interval = result.error.interval or result.guessing.interval
    level = interval.level if interval else 0.95
    recall = Section("Precision and recall", (Drawing(lambda: recall_picture(scored)),))
    if scored.scores.min() < 0 or scored.scores.max() > 1:
        return [recall]
    blocks: list[Block] = [Drawing(lambda: reliability_picture(scored, level))]
    line = calibration_sentence(result, level)
    blocks += [Paragraph(line)] if line else []
    points: tuple[Block, ...] = (
        *points_tables(scored, level),
        Drawing(lambda: decision_picture(scored)),
    )
    return [
        recall,
        Section("Reliability of the probabilities", tuple(blocks)),
        Section("Operating points", points),
    ]


def recall_picture(scored: Scored) -> Curves:
    """Return precision against recall, as steps."""
    curve = precision_recall(scored.curve)
    x = np.repeat(np.append(0.0, curve.recall), 2)[1:-1]
    y = np.repeat(curve.precision, 2)
    share = round(curve.prevalence, 4)
    across, up = thinned(x, y)
    steps = Curve(scored.name, across, up, kind="line")
    random = Curve("share of positives", (0.0, 1.0), (share, share), muted=True, kind="line")
    return Curves(
        (steps, random),
        caption=f"precision and recall of class {scored.pos_label}",
        x_label="recall (share of positives found)",
        y_label="precision",
        square=True,
    )


def reliability_picture(scored: Scored, level: float) -> Curves:
    """Return shares of positives against the probabilities given, in bins of equal size."""
    curve = reliability_curve(scored.positive, scored.scores)
    worth = sum(scored.sizes) / len(scored.scores)
    sizes = np.maximum(1.0, curve.sizes * worth)
    limits = [clopper_pearson(o * n, n, level) for o, n in zip(curve.observed, sizes, strict=True)]
    bins = Curve(
        f"{scored.name}, {level_text(level)} intervals",
        tuple(curve.predicted.round(4).tolist()),
        tuple(curve.observed.round(4).tolist()),
        tuple(round(i.low, 4) for i in limits),
        tuple(round(i.high, 4) for i in limits),
    )
    return Curves(
        (bins, Curve("perfectly reliable", (0.0, 1.0), (0.0, 1.0), muted=True, kind="line")),
        caption="how often cases are positive, by the probability they were given",
        x_label="predicted probability",
        y_label="observed share",
        square=True,
    )


def decision_picture(scored: Scored) -> Curves:
    """Return the net benefit of the model beside treating everybody and nobody."""
    frame = operating_frame(scored, _STEPS.tolist(), 0.95)
    x = tuple(_STEPS.round(4).tolist())
    everybody = np.maximum(frame["treat all"].to_numpy(), -0.05)
    return Curves(
        (
            Curve(scored.name, x, tuple(frame["net benefit"].round(4).tolist()), kind="line"),
            Curve("treat all", x, tuple(everybody.round(4).tolist()), muted=True, kind="line"),
            Curve("treat none", (x[0], x[-1]), (0.0, 0.0), muted=True, kind="line"),
        ),
        caption="decision curve: net benefit by the probability from which on cases are treated",
        x_label="threshold probability",
        y_label="net benefit",
    )


_TABLES = (
    (("sensitivity", "tpr"), ("specificity", "tnr"), ("net benefit", "net benefit")),
    (("PPV", "ppv"), ("NPV", "npv")),
    (("LR+", "lr+"), ("LR−", "lr-")),
)
"""Columns that stand side by side; all in one row would not fit a terminal."""
_SHARES = frozenset(("tpr", "tnr", "ppv", "npv"))
"""Those that are written in per cent."""


def points_tables(scored: Scored, level: float) -> list[Table]:
    """Return what rules at a few thresholds do."""
    frame = operating_frame(scored, None, level)
    caption = f"A case is called positive from the threshold on; {level_text(level)} intervals."
    if frame[[name for group in _TABLES for _, name in group]].isna().any(axis=None):
        caption += " – stands where a share has no cases, or a ratio would be 0 / 0."
    tables = []
    for group in _TABLES:
        columns = [Column("threshold", numeric=True)]
        columns += [Column(title, numeric=True) for title, _ in group]
        rows = [
            (f"{threshold:g}", *(_cell(row, name) for _, name in group))
            for threshold, row in frame.iterrows()
        ]
        tables.append(Table(tuple(columns), tuple(rows), caption if group is _TABLES[-1] else ""))
    return tables


def calibration_sentence(result: Evaluation, level: float) -> str:
    """Return slope and intercept in a sentence; empty where no line can be fitted."""
    frame = result.calibration()
    if frame["value"].isna().any():
        return ""
    fitted = [
        f"{name} {plain(row['value'])} ({plain(row['low'])} to {plain(row['high'])})"
        for name, row in frame.iterrows()
    ]
    return (
        f"Calibration {fitted[0]}, {fitted[1]} ({level_text(level)} intervals); 1 and 0 are right, "
        "a slope below 1 means probabilities too extreme, an intercept above 0 too low ones."
    )


def _cell(row: Any, name: str) -> str:
    value, low, high = (float(row[key]) for key in (name, f"{name} low", f"{name} high"))
    if math.isnan(value):
        return "–"
    if name in _SHARES:
        return f"{percent(value)} ({span(low, high)})"
    shown = _number(value)
    return shown if math.isnan(low) else f"{shown} ({_number(low)} to {_number(high)})"


def _number(value: float) -> str:
    return "∞" if math.isinf(value) else plain(value)
