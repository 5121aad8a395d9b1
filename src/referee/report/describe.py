"""From a result to a Document: the only place that knows both."""

from __future__ import annotations

import math
from functools import singledispatch
from typing import Any

from referee.core.numbers import level_text, percent, plain, points, span
from referee.core.results import Estimate
from referee.errors import InputError
from referee.evaluation.evaluation import Evaluation, Provenance
from referee.measures import measure_named
from referee.report.document import (
    Bar,
    Bars,
    Block,
    Column,
    Document,
    Facts,
    Findings,
    Paragraph,
    Section,
    Table,
)
from referee.report.record import record

__all__ = ["describe", "provenance_facts"]


_MOST_CLASSES = 20


@singledispatch
def describe(result: Any) -> Document:
    """Return the document of a result; each result type registers its own description."""
    raise TypeError(f"no report is known for {type(result).__name__}")


@describe.register
def _evaluation(result: Evaluation) -> Document:
    p = result.predictions
    classes = ", ".join(str(c) for c in p.classes[:6]) + (" …" if len(p.classes) > 6 else "")
    sections = [
        Section("Error", (_picture(result),)),
        Section("Measures", tuple(_measures(result))),
    ]
    if len(result.predictions.classes) > 2 and result.error.defined and "mcc" in result.estimates:
        sections.append(Section("Each class against the rest", (_classes(result),)))
    if result.findings:
        sections.append(Section("Findings", (Findings(result.findings),)))
    sections.append(Section("How it was measured", tuple(_method(result))))
    sections.append(Section("Provenance", (provenance_facts(result.provenance),)))
    return Document(
        title=result.name,
        subtitle=f"{p.n} cases, {len(p.classes)} classes ({classes})",
        verdict=result.verdict,
        sections=tuple(sections),
        data=record(result),
    )


def _picture(result: Evaluation) -> Block:
    shown = [(result.name, result.error, False), ("guessing", result.guessing, True)]
    bars = tuple(
        Bar(label, e.value, e.interval.low, e.interval.high, percent(e.value), muted)
        for label, e, muted in shown
        if e.interval is not None and e.defined
    )
    level = result.guessing.interval.level if result.guessing.interval else 0.95
    return Bars(bars, f"share of new cases answered wrongly, with {level_text(level)} intervals")


def _measures(result: Evaluation) -> list[Block]:
    i = result.error.interval
    level = level_text(i.level) if i else "95 %"
    columns = (
        Column("measure"),
        Column("value", numeric=True),
        Column(f"{level} interval", numeric=True),
        Column("method"),
        Column("n", numeric=True),
    )
    rows = [_measure_row(e) for e in result.estimates.values()]
    blocks: list[Block] = [Table(columns, tuple(rows), caption=_caption(result))]
    blocks += [Paragraph(text) for text in _optimism(result)]
    return blocks


def _measure_row(e: Estimate) -> tuple[str, ...]:
    title, signed = _title(e.name)
    value = plain(e.value) if signed else percent(e.value)
    if e.interval is None:
        return (title, value, "–", e.reason or "–", str(e.n))
    low, high = e.interval.low, e.interval.high
    between = f"{low:.3f} to {high:.3f}" if signed else span(low, high)
    mark = " *" if e.interval.flag else ""
    return (title, value, between, e.interval.method + mark, str(e.n))


def _classes(result: Evaluation) -> Block:
    frame = result.per_class()
    names = ("tpr", "precision")
    columns = [Column("class"), Column("cases", numeric=True)]
    for name in names:
        columns += [Column(_title(name)[0], numeric=True), Column("interval", numeric=True)]
    rows = []
    for label, row in frame.head(_MOST_CLASSES).iterrows():
        cells = [str(label), str(int(row["n"]))]
        for name in names:
            low, high = row[f"{name} low"], row[f"{name} high"]
            cells += [percent(row[name]), "–" if math.isnan(low) else span(low, high)]
        rows.append(tuple(cells))
    rest = len(frame) - _MOST_CLASSES
    caption = f"{rest} more classes: see per_class()." if rest > 0 else ""
    return Table(tuple(columns), tuple(rows), caption=caption)


def _title(name: str) -> tuple[str, bool]:
    """Return how a measure is called, and whether it is a plain number, not a percentage."""
    try:
        measure = measure_named(name)
    except InputError:
        return name, False  # the bootstrap's variants of the error
    return measure.title, not measure.percent


def _caption(result: Evaluation) -> str:
    flags = {e.interval.flag for e in result.estimates.values() if e.interval and e.interval.flag}
    positive = f"Positive class: {result.pos_label}. "
    if result.pos_label is None:
        two = len(result.predictions.classes) == 2
        positive = "For the rates of a class, pass pos_label=. " if two else ""
    return positive + " ".join(f"* {flag}." for flag in sorted(flags))


def _optimism(result: Evaluation) -> list[str]:
    t = result.training_error
    if t is None:
        return []
    if result.optimism is None:
        return [f"Training error {percent(t.value)}: it {t.reason}, and is not a result."]
    flattered = result.optimism >= 0.0005
    flatters = ": so much the training error flatters the model" if flattered else ""
    return [f"Training error {percent(t.value)}, optimism {points(result.optimism)}{flatters}."]


def _method(result: Evaluation) -> list[Block]:
    blocks: list[Block] = [Paragraph(result.how[0].upper() + result.how[1:] + ".")]
    e = result.error
    if e.interval is not None:
        size = e.interval.n_effective
        worth = f", worth {size:.0f} independent cases" if size and size < e.n - 0.5 else ""
        blocks.append(
            Paragraph(
                f"The interval of the error ({e.interval.method}) speaks about "
                f"{e.interval.target.sentence}; {e.n} cases tested{worth}."
            )
        )
        if e.interval.basis:
            blocks.append(Paragraph(e.interval.basis[0].upper() + e.interval.basis[1:] + "."))
        if e.interval.centre is not None:
            blocks.append(Paragraph(f"The error is from {e.method}."))
    if e.assumptions:
        blocks.append(Paragraph("Assumes: " + "; ".join(e.assumptions) + "."))
    return blocks


def provenance_facts(p: Provenance) -> Facts:
    """Return where a result comes from."""
    versions = ", ".join(f"{k} {v}" for k, v in p.versions.items())
    facts = [("seed", str(p.seed)), ("data", p.data)]
    if p.plan:
        facts.append(("plan", p.plan))
    return Facts((*facts, ("versions", versions)))
