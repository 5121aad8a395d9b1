"""How label sets are told: how many labels there are, and how each of them fared."""

from __future__ import annotations

import math

from referee.core.showing.numbers import level_text, percent, span
from referee.judging.evaluation import Evaluation
from referee.report.document import Block, Column, Paragraph, Table

__all__ = ["label_sets_subtitle", "labels_blocks"]

_MOST_LABELS = 40
_SHOWN = {"error": "error", "tpr": "recall", "precision": "precision", "f1": "F1"}


def label_sets_subtitle(result: Evaluation) -> str:
    """Say how many cases and labels there are, and how many labels a case has."""
    p = result.predictions
    assert p.label_sets is not None
    labels = p.label_sets.labels
    named = ", ".join(labels[:6]) + (" …" if len(labels) > 6 else "")
    each = float(p.label_sets.members[p.truth].sum(axis=1).mean())
    return f"{p.n} cases, {len(labels)} labels ({named}), {each:.2g} a case"


def labels_blocks(result: Evaluation) -> tuple[Block, ...]:
    """Return a table with a row for each label, those with most cases first where many."""
    frame = result.per_label()
    if len(frame) > _MOST_LABELS:
        frame = frame.sort_values("n", ascending=False, kind="stable").head(_MOST_LABELS)
    columns = [Column("label"), Column("cases", numeric=True)]
    for title in _SHOWN.values():
        columns += [Column(title, numeric=True), Column(f"{title} interval", numeric=True)]
    rows = []
    for label, row in frame.iterrows():
        cells = [str(label), str(int(row["n"]))]
        for name in _SHOWN:
            cells += [_share(row[name]), _between(row[f"{name} low"], row[f"{name} high"])]
        rows.append(tuple(cells))
    i = result.error.interval
    level = f"{level_text(i.level)} " if i else ""
    text = (
        "A label alone is a task of two classes on the same cases. Each "
        f"{level}interval holds for its own label; among many labels some intervals will miss."
    )
    left = len(result.per_label()) - len(frame)
    if left:
        text += f" {left} labels with fewer cases are in per_label()."
    return Table(tuple(columns), tuple(rows)), Paragraph(text)


def _share(value: float) -> str:
    return "–" if math.isnan(value) else percent(value)


def _between(low: float, high: float) -> str:
    return "–" if math.isnan(low) else span(low, high)
