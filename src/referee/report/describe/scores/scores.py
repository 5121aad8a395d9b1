"""How scores are told: the mean of one model, the difference of two, runs, passes, the judge."""

from __future__ import annotations

import math
from collections.abc import Iterable

from referee.comparing.power_line import cases_needed
from referee.comparing.scores.comparison import ScoresComparison
from referee.core.results import Estimate, Finding
from referee.core.scores.score_numbers import Writing
from referee.core.scores.scores import Scores
from referee.core.showing.numbers import count_text, level_text, p_number
from referee.intervals.scores.runs import RunSplit
from referee.judging.scores.evaluation import JudgeCorrection, ScoresEvaluation
from referee.report.describe import describe, provenance_section
from referee.report.describe.references import methods_blocks
from referee.report.describe.scores.score_records import comparison_record, evaluation_record
from referee.report.describe.trust import Used, trust_section, used_interval, used_test
from referee.report.document import (
    Bar,
    Bars,
    Block,
    Column,
    Document,
    Findings,
    Headline,
    Paragraph,
    Section,
    Table,
)

__all__ = ["estimate_table", "score_bars"]


@describe.register
def _evaluation(result: ScoresEvaluation) -> Document:
    write = _writing(result.scores, result.estimate)
    sections = [Section("How it was measured", tuple(_measured(result)))]
    sections.append(
        Section("Scores", (estimate_table(_means(result), result.scores, result.level),))
    )
    if result.passes:
        sections.append(Section("Several tries", tuple(_passes(result))))
    if result.runs is not None:
        sections.append(Section("Items and runs", tuple(_runs(result, result.runs, write))))
    if result.correction is not None:
        sections.append(_judge(result.correction, result.advice, result.scores))
    sections += _closing(result.findings, result.methods, _used(result.estimates))
    sections.append(provenance_section(result.provenance))
    return Document(
        title=result.name,
        subtitle=f"mean {result.scores.name}, {result.how}",
        verdict=result.verdict,
        sections=tuple(sections),
        data=evaluation_record(result),
        label="" if result.claim else "MEASURED",
        headline=_headline(result, write),
    )


def _headline(result: ScoresEvaluation, write: Writing) -> Headline:
    e = result.estimate
    i = e.interval
    between = f"{level_text(i.level)} interval {write.span(i.low, i.high)}" if i else e.reason
    shown = [(result.name, e, False)]
    if result.correction is not None:
        shown += [
            ("judge alone", result.raw, True),
            ("people alone", result.correction.people, True),
        ]
    picture = score_bars(shown, result.scores, result.level)
    return Headline(write.value(e.value), e.name, between, picture)


def score_bars(
    shown: Iterable[tuple[str, Estimate, bool]], scores: Scores, level: float
) -> Bars | None:
    """Return means with their intervals on one scale; None where there is nothing to draw."""
    bars = tuple(
        Bar(label, e.value, e.interval.low, e.interval.high, _value(e, scores), muted)
        for label, e, muted in shown
        if e.interval is not None and e.defined
    )
    # The scale begins at 0, so that nothing below it can be drawn.
    if not bars or min(b.low for b in bars) < 0:
        return None
    caption = f"mean {scores.name}, with {level_text(level)} intervals"
    return Bars(bars, caption, percent=scores.percent)


def _measured(result: ScoresEvaluation) -> list[Block]:
    e = result.estimate
    blocks: list[Block] = [Paragraph(f"Mean over {result.how}.")]
    if result.claim:
        blocks.append(Paragraph(f"Claim: the mean {result.scores.name} is {result.claim}."))
    if e.assumptions:
        blocks.append(Paragraph("Assumes: " + "; ".join(e.assumptions) + "."))
    if e.interval is not None and e.interval.flag:
        blocks.append(Paragraph(f"{e.interval.method}: {e.interval.flag}."))
    return blocks


def _means(result: ScoresEvaluation) -> list[Estimate]:
    if result.correction is None:
        return [result.estimate]
    return [result.estimate, result.raw, result.correction.people]


def estimate_table(estimates: Iterable[Estimate], scores: Scores, level: float) -> Table:
    """Return estimates with their intervals as a table."""
    columns = (
        Column(""),
        Column("value", numeric=True),
        Column(f"{level_text(level)} interval", numeric=True),
        Column("method", names_methods=True),
        Column("items", numeric=True),
        Column("worth", numeric=True),
    )
    rows = tuple(_row(e, scores) for e in estimates)
    caption = "Worth: the number of independent 0/1 items whose mean would be as well known."
    return Table(columns, rows, caption=caption if any(r[-1] != "–" for r in rows) else "")


def _row(e: Estimate, scores: Scores) -> tuple[str, ...]:
    i = e.interval
    write = _writing(scores, e)
    return (
        e.name,
        write.value(e.value),
        write.span(i.low, i.high) if i else f"– ({e.reason})",
        i.method if i else "–",
        str(e.n),
        f"{i.n_effective:.0f}" if i and i.n_effective else "–",
    )


def _passes(result: ScoresEvaluation) -> list[Block]:
    shares = Writing(True)
    columns = (
        Column("tries"),
        Column("value", numeric=True),
        Column(f"{level_text(result.level)} interval", numeric=True),
        Column("method", names_methods=True),
    )
    rows = []
    for e in result.passes:
        i = e.interval
        assert i is not None
        rows.append((e.name, shares.value(e.value), shares.span(i.low, i.high), i.method))
    caption = (
        "pass@k: at least one of k tries succeeds; pass^k: all of k do; at-least-k-of-m: at least "
        "k of m. Each is the unbiased chance among the tries of an item, averaged over items."
    )
    bars = tuple(
        Bar(e.name, e.value, e.interval.low, e.interval.high, shares.value(e.value))
        for e in result.passes
        if e.interval is not None
    )
    picture = Bars(bars, f"share of items, with {level_text(result.level)} intervals")
    return [picture, Table(columns, tuple(rows), caption=caption)]


def _runs(result: ScoresEvaluation, split: RunSplit, write: Writing) -> list[Block]:
    e = result.estimate
    blocks: list[Block] = [Paragraph(result.advice)] if result.correction is None else []
    if e.interval is None or split.variance == 0:
        return blocks
    half = e.interval.width / 2 / split.se
    columns = (
        Column("plan"),
        Column("answers", numeric=True),
        Column("half width", numeric=True),
    )
    now = split.n * split.runs
    rows = [("as it is", count_text(round(now)), write.size(half * split.se))]
    for more in sorted({1, max(1, round(split.runs)), 3}):
        runs = f"{more} more run{'s' if more > 1 else ''} of every item"
        rows.append(
            (runs, count_text(now + split.answers(more)), write.size(half * split.with_runs(more)))
        )
        items = split.items_for(more)
        rows.append(
            (
                f"{items} more items instead",
                count_text(round(now + items * split.runs)),
                write.size(half * split.with_items(items)),
            )
        )
    rows.append(("infinitely many runs", "∞", write.size(half * split.floor)))
    caption = (
        f"Half width of the {level_text(result.level)} interval, about. Runs of an item vary by "
        f"{math.sqrt(split.run_variance):.3g} (standard deviation); "
        f"{100 * split.share_of_runs:.0f} % of the variance of the mean would vanish with "
        "infinitely many of them."
    )
    blocks.append(Table(columns, tuple(rows), caption=caption))
    return blocks


def _judge(correction: JudgeCorrection, advice: str, scores: Scores) -> Section:
    p, b = correction.powered, correction.bias
    write = Writing(scores.percent, b.interval.width if b.interval else 0.0)
    between = (
        f" ({level_text(b.interval.level)} interval {write.apart(b.interval.low, b.interval.high)})"
        if b.interval
        else ""
    )
    way = "higher" if b.value > 0 else "lower"
    sentences = (
        f"On the {p.n} items that people marked, the judge marks {write.size(abs(b.value))} {way} "
        f"than they do{between}."
        if b.value
        else f"On the {p.n} items that people marked, the judge is right on average{between}."
    )
    agree = f"Their correlation is {p.correlation:.2f}; the judge counts {p.weight:.2f}."
    return Section("The judge", (Paragraph(f"{sentences} {agree}"), Paragraph(advice)))


@describe.register
def _comparison(result: ScoresComparison) -> Document:
    d, i = result.difference, result.difference.interval
    write = Writing(result.scores.percent, i.width if i else 0.0)
    sections = [
        Section("How it was measured", tuple(_compared(result))),
        Section(
            "Both models",
            (_both(result),),
        ),
        Section("Evidence", (_evidence(result, write),)),
    ]
    if result.pair.table is not None:
        sections.insert(2, Section("Items by who was right", (_counts(result),)))
    if result.correction is not None:
        sections.append(_judge(result.correction, result.advice, result.scores))
    sections.append(Section("What this number of items can detect", (_reach(result, write),)))
    used = [used_test(result.evidence), *_used([d, *result.estimates.values()])]
    sections += _closing(result.findings, result.methods, used)
    sections.append(provenance_section(result.provenance))
    return Document(
        title=result.name,
        subtitle=f"mean {result.scores.name}, {result.how}",
        verdict=result.verdict,
        sections=tuple(sections),
        data=comparison_record(result),
        headline=_difference(result, write),
    )


def _difference(result: ScoresComparison, write: Writing) -> Headline:
    d = result.difference
    i, level = d.interval, level_text(result.level)
    bars: tuple[Bar, ...] = ()
    if i is not None:
        label = f"{result.names[0]} – {result.names[1]}"
        bars = (Bar(label, d.value, i.low, i.high, write.size(d.value, sign=True)),)
    unit = " in points" if result.scores.percent else ""
    rope = f"; within ±{write.size(result.rope)} it does not matter" if result.rope else ""
    caption = f"{d.name}{unit}, with {level} interval{rope}"
    picture = Bars(bars, caption, percent=result.scores.percent, signed=True, rope=result.rope)
    return Headline(
        write.size(d.value, sign=True),
        f"mean {result.scores.name} of {result.names[0]} minus that of {result.names[1]}",
        f"{level} interval {write.apart(i.low, i.high)}" if i else d.reason,
        picture if bars else None,
    )


def _compared(result: ScoresComparison) -> list[Block]:
    e = result.evidence
    sentences = [result.how[0].upper() + result.how[1:] + ".", f"Null hypothesis: {e.null}."]
    if result.pair.equivalence is not None:
        sentences[1] = (
            f"Null hypothesis: {e.null}; against the rope: {result.pair.equivalence.null}."
        )
    sentences.append("Assumes: " + "; ".join(e.assumptions) + ".")
    return [Paragraph(text) for text in sentences]


def _both(result: ScoresComparison) -> Table:
    columns = (
        Column("model"),
        Column(f"mean {result.scores.name}", numeric=True),
        Column(f"{level_text(result.level)} interval", numeric=True),
        Column("method", names_methods=True),
        Column("items", numeric=True),
    )
    rows = []
    for name, e in result.estimates.items():
        i, write = e.interval, _writing(result.scores, e)
        between = write.span(i.low, i.high) if i else "–"
        rows.append((name, write.value(e.value), between, i.method if i else "–", str(e.n)))
    way = "greater" if result.scores.greater_is_better else "smaller"
    judge = "By the judge's scores as they are. " if result.correction is not None else ""
    paired = "Intervals of single models say little about their difference: that is paired."
    caption = f"{judge}{way.capitalize()} is better. " + (paired if result.pair.paired else "")
    return Table(columns, tuple(rows), caption=caption.strip())


def _counts(result: ScoresComparison) -> Table:
    p, (first, second) = result.pair.table, result.names
    assert p is not None
    columns = (
        Column(""),
        Column(f"{second} right", numeric=True),
        Column(f"{second} wrong", numeric=True),
    )
    rows = (
        (f"{first} right", count_text(p.both_right), count_text(p.first_right)),
        (f"{first} wrong", count_text(p.second_right), count_text(p.both_wrong)),
    )
    return Table(columns, rows, caption="Only items that one model got right tell them apart.")


def _evidence(result: ScoresComparison, write: Writing) -> Table:
    pair = result.pair
    columns = [Column("test", names_methods=True), Column("statistic", numeric=True)]
    columns += [Column("df", numeric=True), Column("p", numeric=True), Column("outcome")]
    rows = []
    for e in (pair.evidence, pair.equivalence):
        if e is None:
            continue
        shown = f"{pair.better} better" if pair.better else pair.outcome.value
        df = "–" if e.df is None else f"{e.df:.1f}"
        rows.append((e.test, f"{e.statistic:.3g}", df, p_number(e.p_value), shown))
    flags = [e.flag for e in (pair.evidence, pair.equivalence) if e is not None and e.flag]
    return Table(tuple(columns), tuple(rows), caption=" ".join(f"{f}." for f in flags))


def _reach(result: ScoresComparison, write: Writing) -> Paragraph:
    pair = result.pair
    n = pair.evidence.n
    if pair.detectable is None:
        text = "That is not known for this test, or no difference could have been shown."
    else:
        text = (
            f"With a probability of 80 % {n} items show a difference of "
            f"{write.size(pair.detectable)} or more."
        )
    needed = pair.items_needed
    if needed is not None and math.isfinite(needed) and result.difference.value != 0:
        text += (
            f" To show the difference seen here, {write.size(abs(result.difference.value))}, as "
            f"reliably takes {cases_needed(needed, 'items')}."
        )
    return Paragraph(text)


def _closing(findings: tuple[Finding, ...], methods: str, used: Iterable[Used]) -> list[Section]:
    sections = [Section("Findings", (Findings(findings),))] if findings else []
    sections.append(Section("For the methods section of a paper", methods_blocks(methods)))
    sections.append(trust_section(used))
    return sections


def _used(estimates: Iterable[Estimate]) -> list[Used]:
    return [used_interval(e.interval) for e in estimates if e.interval is not None]


def _writing(scores: Scores, e: Estimate) -> Writing:
    return Writing(scores.percent, e.interval.width if e.interval else 0.0)


def _value(e: Estimate, scores: Scores) -> str:
    return _writing(scores, e).value(e.value)
