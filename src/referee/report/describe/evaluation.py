"""How an evaluation is told: the error, how it was measured, every measure, who was confused."""

from __future__ import annotations

import numpy as np

from referee.core.arrays import Floats
from referee.core.results import Estimate
from referee.core.showing.numbers import (
    level_text,
    percent,
    percents,
    plain,
    points,
    size_text,
    span,
    spans,
)
from referee.errors import arg
from referee.intervals.one_set.priors import KNOWN
from referee.judging.evaluation import Evaluation
from referee.judging.inflation import SearchReport
from referee.judging.methods_paragraph import intervals_used
from referee.measures import measure_named
from referee.measures.matrix import MCC
from referee.measures.shares import ERROR
from referee.report.describe import describe, provenance_section
from referee.report.describe.label_sets import label_sets_subtitle, labels_blocks
from referee.report.describe.pictures.confusion_picture import confusion_block
from referee.report.describe.pictures.plan_picture import plan_grid
from referee.report.describe.pictures.probability_pictures import decision_sections
from referee.report.describe.pictures.roc_pictures import roc_section
from referee.report.describe.quantities import (
    quantity_headline,
    quantity_sections,
    quantity_subtitle,
)
from referee.report.describe.reach import reach_of_evaluation
from referee.report.describe.references import methods_blocks
from referee.report.describe.trust import Used, scheme_tried, trust_section, used_interval
from referee.report.document import (
    Bar,
    Bars,
    Block,
    Column,
    Document,
    Drawing,
    Findings,
    Headline,
    Paragraph,
    Section,
    Table,
)
from referee.report.record import record

__all__: list[str] = []


_MOST_CLASSES = 20


@describe.register
def _evaluation(result: Evaluation) -> Document:
    p = result.predictions
    if p.numeric:
        return _of_quantities(result)
    if p.label_sets is not None:
        return _of_label_sets(result)
    classes = ", ".join(str(c) for c in p.classes[:6]) + (" …" if len(p.classes) > 6 else "")
    sections = [
        Section("How it was measured", tuple(_method(result))),
        Section("Measures", tuple(_measures(result))),
    ]
    sequence = result.sequence
    if sequence is not None:
        limit = result.grounds.settings.max_error if result.grounds else None
        sections.append(Section("Over the cases", (sequence.picture("error", limit),)))
    if len(p.classes) > 2 and result.error.defined and MCC.name in result.estimates:
        sections.append(Section("Each class against the rest", (_classes(result),)))
    if result.error.defined:
        sections.append(Section("Confusion matrix", (confusion_block(result),)))
    sections.append(roc_section(result))
    sections += decision_sections(result)
    return _whole(result, sections, subtitle=f"{p.n} cases, {len(p.classes)} classes ({classes})")


def _of_label_sets(result: Evaluation) -> Document:
    """Return the document of an evaluation whose cases may have several labels."""
    sections = [
        Section("How it was measured", tuple(_method(result))),
        Section("Measures", tuple(_measures(result))),
    ]
    sequence = result.sequence
    if sequence is not None:
        limit = result.grounds.settings.max_error if result.grounds else None
        sections.append(Section("Over the cases", (sequence.picture("error", limit),)))
    if result.error.defined:
        sections.append(Section("Each label on its own", labels_blocks(result)))
    return _whole(result, sections, subtitle=label_sets_subtitle(result))


def _whole(result: Evaluation, sections: list[Section], *, subtitle: str) -> Document:
    """Return the document with what every evaluation of classes or label sets ends with."""
    if result.search is not None:
        sections.append(Section("The search inside", tuple(_search(result.search))))
    if result.findings:
        sections.append(Section("Findings", (Findings(result.findings),)))
    sections.append(Section("What this number of cases can detect", _reach(result)))
    paper = methods_blocks(result.methods, intervals_used(result), result.citations)
    sections.append(Section("For the methods section of a paper", paper))
    sections.append(trust_section(_used(result)))
    sections.append(provenance_section(result.provenance))
    return Document(
        title=result.name,
        subtitle=subtitle,
        verdict=result.verdict,
        sections=tuple(sections),
        data=record(result),
        headline=_headline(result),
    )


def _of_quantities(result: Evaluation) -> Document:
    """Return the document of an evaluation whose target holds quantities."""
    sections = quantity_sections(result)
    if result.search is not None:
        sections.append(Section("The search inside", tuple(_search(result.search))))
    if result.findings:
        sections.append(Section("Findings", (Findings(result.findings),)))
    paper = methods_blocks(result.methods, intervals_used(result), result.citations)
    sections.append(Section("For the methods section of a paper", paper))
    sections.append(trust_section(_used(result)))
    sections.append(provenance_section(result.provenance))
    return Document(
        title=result.name,
        subtitle=quantity_subtitle(result),
        verdict=result.verdict,
        sections=tuple(sections),
        data=record(result),
        headline=quantity_headline(result),
    )


def _headline(result: Evaluation) -> Headline:
    if result.leading in result.estimates and result.leading != ERROR.name:
        return _leading(result, result.estimates[result.leading])
    e = result.error
    what = "of new cases answered wrongly"
    if not e.defined:
        return Headline("undefined", f"share {what}: {e.reason}")
    i = e.interval
    between = f"{level_text(i.level)} interval {span(i.low, i.high)}" if i else e.reason
    return Headline(percent(e.value), what, between, _picture(result))


def _leading(result: Evaluation, e: Estimate) -> Headline:
    """Return the number that the verdict is about, where that is not the error."""
    title, _ = _title(result, e.name)
    _, value, between, *_ = _measure_row(result, e)
    errs = f"{percent(result.error.value)} of new cases answered wrongly"
    level = f"{level_text(e.interval.level)} interval {between}" if e.interval else e.reason
    return Headline(value, f"{title}; {errs}", level, _picture(result))


def _picture(result: Evaluation) -> Bars | None:
    shown = [(result.name, result.error, False), ("guessing", result.guessing, True)]
    bars = tuple(
        Bar(label, e.value, e.interval.low, e.interval.high, percent(e.value), muted)
        for label, e, muted in shown
        if e.interval is not None and e.defined
    )
    level = result.guessing.interval.level if result.guessing.interval else 0.95
    caption = f"share of new cases answered wrongly, with {level_text(level)} intervals"
    return Bars(bars, caption) if bars else None


def _measures(result: Evaluation) -> list[Block]:
    i = result.error.interval
    level = level_text(i.level) if i else "95 %"
    columns = (
        Column("measure"),
        Column("value", numeric=True),
        Column(f"{level} interval", numeric=True),
        Column("method", names_methods=True),
        Column("n", numeric=True),
    )
    rows = [_measure_row(result, e) for e in result.estimates.values()]
    forest = _forest(result, level)
    blocks: list[Block] = [forest] if len(forest.bars) > 1 else []
    blocks.append(Table(columns, tuple(rows), caption=_caption(result)))
    blocks += [Paragraph(text) for text in _optimism(result)]
    return blocks


def _forest(result: Evaluation, level: str) -> Bars:
    """Return the measures that are shares, on one scale."""
    bars = tuple(
        Bar(title, e.value, e.interval.low, e.interval.high, percent(e.value))
        for e in result.estimates.values()
        for title, signed in [_title(result, e.name)]
        if e.interval is not None and e.defined and not signed and 0 <= e.value <= 1
    )
    return Bars(bars, f"the measures that are shares, with {level} intervals")


def _measure_row(result: Evaluation, e: Estimate) -> tuple[str, ...]:
    title, signed = _title(result, e.name)
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
        title = _title(result, name)[0]
        columns += [Column(title, numeric=True), Column(f"{title} interval", numeric=True)]
    shown = frame.head(_MOST_CLASSES)
    cells = [[str(label) for label in shown.index], [str(int(n)) for n in shown["n"]]]
    for name in names:
        ends = shown[[f"{name} low", f"{name} high"]].to_numpy()
        cells += [percents(shown[name].tolist()), _spans_or_none(ends)]
    rows = zip(*cells, strict=True)
    rest = len(frame) - _MOST_CLASSES
    caption = f"{rest} more classes: see per_class()." if rest > 0 else ""
    return Table(tuple(columns), tuple(rows), caption=caption)


def _spans_or_none(ends: Floats) -> list[str]:
    known = ~np.isnan(ends[:, 0])
    texts = iter(spans([(low, high) for low, high in ends[known].tolist()]))
    return [next(texts) if there else "–" for there in known]


def _search(search: SearchReport) -> list[Block]:
    blocks: list[Block] = [Paragraph(search.sentence), Paragraph(search.stability)]
    inflation = search.inflation
    if inflation is None:
        return blocks
    measure = measure_named(search.measure)
    columns = (
        Column(measure.title),
        Column("best inner score", numeric=True),
        Column("nested", numeric=True),
        Column("flatters by", numeric=True),
    )
    size = size_text(inflation, percent=measure.percent, sign=True)
    row = (
        f"chosen by {search.scoring}",
        search.text(search.inner),
        search.text(search.nested),
        size,
    )
    return [Table(columns, (row,)), *blocks]


def _title(result: Evaluation, name: str) -> tuple[str, bool]:
    """Return how a measure is called, and whether it is a plain number, not a percentage."""
    measure = result.measure(name)
    if measure is None:
        return name, False  # the bootstrap's variants of the error
    return measure.title, not measure.percent


def _caption(result: Evaluation) -> str:
    flags = {e.interval.flag for e in result.estimates.values() if e.interval and e.interval.flag}
    positive = f"Positive class: {result.pos_label}. "
    if result.pos_label is None:
        two = len(result.predictions.classes) == 2
        positive = f"For the rates of a class, pass {arg('pos_label')}. " if two else ""
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
    plan = result.plan
    if plan is not None:
        blocks.append(Drawing(lambda: plan_grid(plan)))
    e = result.error
    if e.interval is not None:
        size = e.interval.n_effective
        worth = (
            f", and it is as wide as an exact interval of {size:.0f} independent cases"
            if size and size < e.n - 0.5
            else ""
        )
        text = (
            f"The interval of the error ({e.interval.method}) speaks about "
            f"{e.interval.target.sentence}; {e.n} cases tested{worth}."
        )
        blocks.append(Paragraph(text, (e.interval.method,)))
        if e.interval.basis:
            blocks.append(Paragraph(e.interval.basis[0].upper() + e.interval.basis[1:] + "."))
        if e.interval.centre is not None:
            blocks.append(Paragraph(f"The error is from {e.method}."))
    if result.seeds:
        blocks.append(Paragraph(result.seeds))
    if e.assumptions:
        blocks.append(Paragraph("Assumes: " + "; ".join(e.assumptions) + "."))
    return blocks


def _reach(result: Evaluation) -> tuple[Block, ...]:
    return reach_of_evaluation(result.error, result.guessing)


def _used(result: Evaluation) -> list[Used]:
    by = scheme_tried(result.plan)
    intervals = [e.interval for e in (*result.estimates.values(), result.guessing)]
    return [used_interval(i, by) for i in intervals if i is not None and i.method != KNOWN.name]
