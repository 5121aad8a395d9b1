"""From a comparison to a Document: the pair or the ranking, the evidence, the methods paragraph."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from referee.comparing.comparison import Comparison, Pair, Standing
from referee.comparing.pairs.contrast_pair import mirrored
from referee.comparing.pairs.edge import edge_sentence
from referee.comparing.power_line import cases_needed
from referee.core.results import Estimate, Interval, Target
from referee.core.showing.numbers import (
    count_text,
    level_text,
    p_number,
    p_text,
    percent,
    percents,
    plain,
    signed_span,
    size_text,
    span,
    spans,
)
from referee.report.describe import describe, provenance_section
from referee.report.describe.pictures.plan_picture import plan_grid
from referee.report.describe.references import methods_blocks
from referee.report.describe.trust import (
    Used,
    scheme_tried,
    trust_section,
    used_interval,
    used_test,
)
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
from referee.report.record import comparison_record

__all__: list[str] = []

_MOST_PAIRS = 45


@describe.register
def _comparison(result: Comparison) -> Document:
    two = len(result.names) == 2
    sections = [
        Section("How it was measured", tuple(_method(result))),
        Section("Both models" if two else "Ranking", (_places(result),)),
        Section("Evidence", tuple(_evidence(result))),
    ]
    if result.others:
        sections.append(Section("By other measures", (_others(result),)))
    if two and result.pairs[0].counts is not None:
        sections.insert(2, Section("Cases by who was right", (_counts(result.pairs[0]),)))
    if two and result.sequence is not None:
        sections.append(Section("Over the cases", _over_cases(result)))
    if result.findings:
        sections.append(Section("Findings", (Findings(result.findings),)))
    if result.sequence is None:
        sections.append(Section("What this number of cases can detect", _reach(result)))
    methods = _methods(result)
    paper = methods_blocks(result.methods, methods, result.citations)
    sections.append(Section("For the methods section of a paper", paper))
    sections.append(trust_section(_used(result)))
    sections.append(provenance_section(result.provenance))
    n = result.pairs[0].evidence.n
    return Document(
        title=result.name,
        subtitle=f"{result.measure.title}, {n} cases",
        verdict=result.verdict,
        sections=tuple(sections),
        data=comparison_record(result),
        headline=_difference(result) if two else _best(result),
    )


def _over_cases(result: Comparison) -> tuple[Block, ...]:
    """Return the difference and the evidence over the cases as they came."""
    sequence, process = result.sequence, result.evidence_process
    assert sequence is not None
    assert process is not None
    first = process.first_rejection(result.level)
    when = (
        "The evidence has not reached the line yet."
        if first is None
        else f"The evidence first reached the line after {first} cases."
    )
    label = "difference of errors" if result.measure.percent else "difference of losses"
    band = sequence.picture(label, 0.0, "no difference")
    return band, process.picture(result.level), Paragraph(when)


def _difference(result: Comparison) -> Headline:
    pair = result.pairs[0]
    bars = tuple(b for d in result.pairs if (b := _pair_bar(d, result)) is not None)
    level = level_text(result.level)
    unit = ", in points," if result.measure.percent else ""
    rope = f"; within ±{_size(result.rope, result)} it does not matter" if result.rope else ""
    caption = (
        f"how much {_way(result)} the {result.measure.title} of the first is{unit} with {level} "
        f"interval{rope}"
    )
    picture = Bars(bars, caption, percent=result.measure.percent, signed=True, rope=result.rope)
    d, ahead = pair.difference, _Ahead.of(pair, result)
    return Headline(
        _size(ahead.value, result) if d.defined else "undefined",
        f"by so much the {result.measure.title} of {ahead.first} is {_way(result)} than that of "
        f"{ahead.second}",
        f"{level} interval {ahead.between(result)}" if d.interval else d.reason,
        picture if bars else None,
    )


@dataclass(frozen=True)
class _Ahead:
    """A pair as every sentence about it goes: the model that did better first, and by how much.

    The difference of a `Pair` is of its first and second model; a page that told it in both
    directions would have one interval with two signs.
    """

    first: str
    second: str
    value: float
    interval: Interval | None

    @classmethod
    def of(cls, pair: Pair, result: Comparison) -> _Ahead:
        d, up = pair.difference, 1 if result.measure.greater_is_better else -1
        turned = up * d.value < 0
        names = (pair.second, pair.first) if turned else (pair.first, pair.second)
        sign = -up if turned else up
        interval = None if d.interval is None else mirrored(d.interval, sign)
        return cls(*names, abs(d.value), interval)

    @property
    def label(self) -> str:
        return f"{self.first} against {self.second}"

    def between(self, result: Comparison) -> str:
        """Return the interval; empty where there is none."""
        i = self.interval
        return "" if i is None else signed_span(i.low, i.high, percent=result.measure.percent)


def _way(result: Comparison) -> str:
    return "higher" if result.measure.greater_is_better else "lower"


def _best(result: Comparison) -> Headline:
    bars = tuple(_bar(s, result) for s in result.standings if s.estimate.interval is not None)
    level = level_text(result.level)
    caption = f"{result.measure.title} of each model, with {level} intervals, best first"
    guess = result.guessing
    if guess is not None and guess.interval is not None:
        i = guess.interval
        bars += (Bar("guessing", guess.value, i.low, i.high, _value(guess, result), True),)
    first = result.standings[0]
    between = _between(first.estimate, result)
    return Headline(
        _value(first.estimate, result),
        f"{result.measure.title} of {first.name}, the best here",
        "" if between == "–" else f"{level} interval {between}",
        Bars(bars, caption, percent=result.measure.percent) if bars else None,
    )


def _pair_bar(pair: Pair, result: Comparison) -> Bar | None:
    ahead = _Ahead.of(pair, result)
    if ahead.interval is None or not pair.difference.defined:
        return None
    text = _size(ahead.value, result)
    return Bar(ahead.label, ahead.value, ahead.interval.low, ahead.interval.high, text)


def _bar(place: Standing, result: Comparison) -> Bar:
    e = place.estimate
    assert e.interval is not None
    text = _value(e, result)
    return Bar(place.name, e.value, e.interval.low, e.interval.high, text, place.tier > 1)


def _places(result: Comparison) -> Table:
    columns = [Column("model"), Column(result.measure.title, numeric=True)]
    columns.append(Column(f"{level_text(result.level)} interval", numeric=True))
    several = len(result.names) > 2
    if several:
        columns += [Column(c, numeric=True) for c in ("rank", "rank interval", "tier")]
    rows = []
    estimates = [s.estimate for s in result.standings]
    cells = zip(_values(estimates, result), _betweens(estimates, result), strict=True)
    for s, shown in zip(result.standings, cells, strict=True):
        row = [s.name, *shown]
        if several:
            row += [str(s.rank), f"{s.best_rank} to {s.worst_rank}", str(s.tier)]
        rows.append(tuple(row))
    return Table(
        tuple(columns),
        tuple(rows),
        caption=" ".join(
            filter(
                None,
                [
                    _pooled_caption(result),
                    _tiers_caption(result) if several else "",
                    _target_caption(result),
                ],
            )
        ),
    )


def _pooled_caption(result: Comparison) -> str:
    """Say that values and differences are averaged differently, where they are."""
    if result.test is None or not result.test.over_splits:
        return ""
    if all(s.estimate.method == "mean over splits" for s in result.standings):
        return "Values and differences are means over splits."
    return "Values are pooled over all cases; differences are means over splits."


def _target_caption(result: Comparison) -> str:
    """Say why the intervals are not those of `evaluate`, where they are not."""
    targets = {s.estimate.interval.target for s in result.standings if s.estimate.interval}
    if Target.EXPECTED not in targets:
        return ""
    return (
        "Intervals speak about the learning procedure at this sample size, as the test does; "
        "evaluate speaks about the model trained on all the data, which is less uncertain."
    )


def _tiers_caption(result: Comparison) -> str:
    tiers = "No model of tier 1 was shown to be worse than another; "
    if not result.family_wise:
        return tiers + "p-values control false discoveries, so rank intervals promise no level."
    return (
        tiers
        + f"rank intervals hold for all models at once, at the {level_text(result.level)} level."
    )


def _counts(pair: Pair) -> Table:
    """Return the 2 x 2 table of the paired tests."""
    p = pair.counts
    assert p is not None
    columns = (
        Column(""),
        Column(f"{pair.second} right", numeric=True),
        Column(f"{pair.second} wrong", numeric=True),
    )
    rows = (
        (f"{pair.first} right", count_text(p.both_right), count_text(p.first_right)),
        (f"{pair.first} wrong", count_text(p.second_right), count_text(p.both_wrong)),
    )
    return Table(columns, rows, caption="Only cases that one model got right tell them apart.")


def _evidence(result: Comparison) -> list[Block]:
    several = len(result.pairs) > 1
    unit = ", points" if result.measure.percent else ""
    columns = [Column("pair"), Column(f"{_way(result)} by{unit}", numeric=True)]
    columns += [Column(f"{level_text(result.level)} interval", numeric=True)]
    columns.append(Column("test", names_methods=True))
    columns += [Column("p", numeric=True)]
    columns += [Column("adjusted p", numeric=True)] if several else []
    columns += [Column("outcome"), Column("can detect", numeric=True)]
    rows = [_row(d, result, several) for d in result.pairs[:_MOST_PAIRS]]
    rest = len(result.pairs) - _MOST_PAIRS
    flags = sorted({d.evidence.flag for d in result.pairs if d.evidence.flag})
    caption = [f"{rest} more pairs: see frame()."] if rest > 0 else []
    caption += ["Intervals are of each pair alone; outcomes go by the adjusted p."] * several
    caption += _edges(result) * several
    caption += [f"* {flag}." for flag in flags]
    blocks: list[Block] = [Table(tuple(columns), tuple(rows), caption=" ".join(caption))]
    return blocks + [Paragraph(text) for text in _further(result)]


def _edges(result: Comparison) -> list[str]:
    """Say of which pairs interval and test disagree."""
    shown = result.pairs[:_MOST_PAIRS]
    said = [(d, edge_sentence(d.difference, d.evidence)) for d in shown if not d.reservation]
    return [f"{d.first} against {d.second}:{edge}" for d, edge in said if edge]


def _others(result: Comparison) -> Block:
    """Return the pairs by all further measures; the verdict does not rest on them."""
    several = len(result.pairs) > 1
    columns = [Column("measure"), Column("pair"), Column("better by", numeric=True)]
    columns += [Column(f"{level_text(result.level)} interval", numeric=True)]
    columns += [Column("test", names_methods=True), Column("p", numeric=True)]
    columns += [Column("adjusted p", numeric=True)] if several else []
    columns.append(Column("outcome"))
    rows = []
    for other in result.others.values():
        for d in other.pairs[:_MOST_PAIRS]:
            pair, difference, interval, *rest = _row(d, other, several)
            unit = " points" if other.measure.percent else ""
            cells = (other.measure.title, pair, difference + unit, interval, *rest[:-1])
            rows.append(cells)
    caption = (
        f"The verdict rests on the {result.measure.title} alone, which was named first; p is not "
        "adjusted for the number of measures."
    )
    edges = [f"{m.measure.title}, {edge}" for m in result.others.values() for edge in _edges(m)]
    return Table(tuple(columns), tuple(rows), caption=" ".join([caption, *edges]))


def _row(d: Pair, result: Comparison, several: bool) -> tuple[str, ...]:
    ahead = _Ahead.of(d, result)
    cells = [
        ahead.label,
        _bare(_size(ahead.value, result)) if d.difference.defined else "undefined",
        _bare(ahead.between(result)) or "–",
        d.evidence.test + (" *" if d.evidence.flag else ""),
        p_number(d.evidence.p_value),
    ]
    cells += [p_number(d.p_adjusted)] if several else []
    cells.append(f"{d.better} better" if d.better else d.outcome.value)
    cells.append("–" if d.detectable is None else _bare(_size(d.detectable, result)))
    return tuple(cells)


def _further(result: Comparison) -> list[str]:
    """Tell what else was tested: all at once, equivalence, the posterior."""
    sentences = []
    if result.omnibus is not None:
        q = result.omnibus
        sentences.append(f"All models alike: Cochran's Q = {q.statistic:.3g}, {p_text(q.p_value)}.")
    for d in result.pairs:
        if d.posterior is not None:
            sentences.append(
                f"Posterior (correlated t): {d.first} better {percent(d.posterior.first_better)}, "
                f"equivalent {percent(d.posterior.equivalent)}, {d.second} better "
                f"{percent(d.posterior.second_better)}."
            )
        if d.reservation:
            sentences.append(f"{d.first} – {d.second}: no verdict, because {d.reservation}.")
    return sentences


def _method(result: Comparison) -> list[Block]:
    e = result.pairs[0].evidence
    blocks: list[Block] = [Paragraph(result.how[0].upper() + result.how[1:] + ".")]
    plan = result.plan
    if plan is not None:
        blocks.append(Drawing(lambda: plan_grid(plan)))
    null = e.null
    if result.pairs[0].equivalence is not None:
        null += f"; against the rope: {result.pairs[0].equivalence.null}"
    blocks.append(Paragraph(f"Null hypothesis: {null}. The test is about {_about(e.target)}."))
    if e.assumptions:
        blocks.append(Paragraph("Assumes: " + "; ".join(e.assumptions) + "."))
    return blocks


def _about(target: object) -> str:
    return {
        "fixed": "these fitted models",
        "expected": "the learning procedures at this sample size",
    }.get(str(target), "the models trained on all the data")


def _methods(result: Comparison) -> tuple[str, ...]:
    """Return the tests and intervals that were used."""
    used = [d.evidence.test for d in result.pairs]
    used += [d.equivalence.test for d in result.pairs if d.equivalence is not None]
    estimates = [d.difference for d in result.pairs] + [s.estimate for s in result.standings]
    used += [e.interval.method for e in estimates if e.interval is not None]
    return tuple(dict.fromkeys(used))


def _used(result: Comparison) -> list[Used]:
    """Return the tests, which decide, before the intervals."""
    tests = [d.evidence for d in result.pairs]
    tests += [d.equivalence for d in result.pairs if d.equivalence is not None]
    estimates = [d.difference for d in result.pairs] + [s.estimate for s in result.standings]
    by = scheme_tried(result.plan)
    intervals = [used_interval(e.interval, by) for e in estimates if e.interval is not None]
    return [used_test(e) for e in tests] + intervals


def _reach(result: Comparison) -> tuple[Block, ...]:
    """Return what difference would have been shown, and what the observed one takes."""
    d = result.leading
    n = d.evidence.n
    names = f"{d.first} and {d.second}: " if len(result.names) > 2 else ""
    if d.detectable is None:
        text = f"{names}that is not known for this test, or no difference could be detected."
    else:
        text = (
            f"{names}{n} cases can detect a difference of {_size(d.detectable, result)} or more "
            "with 80 % power."
        )
    rows = d.rows_needed
    if rows is not None and math.isfinite(rows) and d.difference.value != 0:
        text += (
            f" To show the difference seen here, {_size(abs(d.difference.value), result)}, as "
            f"reliably takes {cases_needed(rows)}."
        )
    return (Paragraph(text[0].upper() + text[1:] if not names else text),)


def _value(e: Estimate, result: Comparison) -> str:
    return (percent if result.measure.percent else plain)(e.value)


def _values(estimates: Sequence[Estimate], result: Comparison) -> list[str]:
    """Return the cells of a column, all with as many decimals."""
    values = [e.value for e in estimates]
    return percents(values) if result.measure.percent else [plain(v) for v in values]


def _betweens(estimates: Sequence[Estimate], result: Comparison) -> list[str]:
    """Return the cells of a column, all with as many decimals."""
    if not result.measure.percent:
        return [_between(e, result) for e in estimates]
    known = [(e.interval.low, e.interval.high) for e in estimates if e.interval]
    shown = iter(spans(known))
    return [next(shown) if e.interval else "–" for e in estimates]


def _between(e: Estimate, result: Comparison) -> str:
    if e.interval is None:
        return "–"
    low, high = e.interval.low, e.interval.high
    return span(low, high) if result.measure.percent else f"{low:.3f} to {high:.3f}"


def _size(value: float, result: Comparison) -> str:
    return size_text(value, percent=result.measure.percent)


def _bare(text: str) -> str:
    """Return the number alone, where the column's title names the unit."""
    return text.removesuffix(" points")
