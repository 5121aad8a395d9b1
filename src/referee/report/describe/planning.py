"""From plans and audits of published tables to a Document."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from referee.core.showing.numbers import level_text, p_number, percent, span
from referee.core.showing.pictures import Curves
from referee.planning.acceptance import AcceptancePlan
from referee.planning.operating import fixed_rows, operating_characteristic
from referee.planning.printed_rates import sizes_text
from referee.planning.published_table import (
    PairAudit,
    RateAudit,
    TableAudit,
)
from referee.planning.sequential_acceptance import SequentialOutcome, SequentialPlan
from referee.planning.sizes.result import SampleSize, Scenario, chance_text
from referee.report.describe import describe, provenance_section
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
from referee.report.record import SCHEMA, plain_record

__all__: list[str] = []

_MOST_PAIRS = 30
_SHOWN_STOPS = 10
_MOST_CURVES = 5


@describe.register
def _sample_size(result: SampleSize) -> Document:
    sections = []
    if result.scenarios:
        sections.append(Section("Cases needed", (_scenarios(result),)))
    if result.acceptance is not None:
        sections.append(Section("Cases by failures allowed", (_acceptance(result.acceptance),)))
        if result.sequential is not None:
            sections.append(Section("Tested one by one", _sequential(result, result.sequential)))
        curves = _operating(result.acceptance, result)
        sections.append(Section("Operating characteristic", (curves,)))
    if result.detectable:
        sections.append(Section("Smallest difference shown", (_detectable(result),)))
    if result.widths:
        sections.append(
            Section(f"How exactly {result.n} cases measure an error", (_widths(result),))
        )
    sections.append(provenance_section())
    return Document(
        title="Sample size",
        subtitle=_question(result),
        verdict=result.verdict,
        sections=tuple(sections),
        data=_without_margin(_data("sample_size", result)),
        label="SAMPLE SIZE",
        headline=_needed(result),
    )


def _without_margin(data: dict[str, Any]) -> dict[str, Any]:
    """Leave out the margin where there is none, as plans of other questions have it."""
    return {name: v for name, v in data.items() if name != "margin" or v is not None}


def _needed(result: SampleSize) -> Headline | None:
    """Return the number of cases the claim takes, where one was asked for."""
    if result.sequential is not None and result.sequential.pass_after:
        first = result.sequential.pass_after[0]
        return Headline(f"{first} cases", "without a failure, tested one by one")
    if result.acceptance is not None:
        step = result.acceptance.steps[0]
        return Headline(f"{step.rows} cases", f"with {step.failures} failures at most")
    if not result.scenarios:
        return None
    rows = [s.rows for s in result.scenarios if s.paired] or [s.rows for s in result.scenarios]
    between = str(rows[0]) if len(set(rows)) == 1 else f"{min(rows)} to {max(rows)}"
    return Headline(f"{between} cases", "needed, by how the errors of the models overlap")


def _question(result: SampleSize) -> str:
    if result.a is not None and result.b is not None:
        asked = f"{percent(result.a)} against {percent(result.b)} right, power {_power(result)}"
    elif result.margin is not None:
        asked = f"not worse by more than {percent(result.margin)}, power {_power(result)}"
    elif result.error is not None and result.confidence is not None:
        return f"error at most {percent(result.error)}, confidence {level_text(result.confidence)}"
    else:
        asked = f"what {result.n} cases can show, power {_power(result)}"
    return f"{asked}, level {level_text(result.level)}"


def _power(result: SampleSize) -> str:
    return level_text(result.power)


def _scenarios(result: SampleSize) -> Table:
    columns = [
        Column("the models have"),
        Column("they disagree on", numeric=True),
        Column("cases needed", numeric=True),
        Column("by formula", numeric=True),
    ]
    if result.n is not None:
        columns.append(Column(f"power with {result.n}", numeric=True))
    return Table(
        tuple(columns),
        tuple(_scenario_row(s, result.n is not None) for s in result.scenarios),
        caption=_scenario_caption(result),
    )


def _scenario_row(s: Scenario, with_power: bool) -> tuple[str, ...]:
    each = "" if s.paired else " each"
    row = (
        s.name,
        "–" if s.discordance is None else percent(s.discordance),
        f"{s.rows}{each}",
        f"{s.formula:.0f}{each}",
    )
    return (*row, chance_text(s.power or 0.0)) if with_power else row


def _scenario_caption(result: SampleSize) -> str:
    if result.margin is not None:
        return (
            f"Same cases: by the formula of Nam (1997), so many show it with {_power(result)} "
            "probability; the exact test asks for a few more."
        )
    apart = "Different cases: Boschloo's test up to 100 for each model, beyond by formula (Fleiss)."
    if not result.paired:
        return apart
    return (
        f"Same cases: from so many on the exact McNemar test shows the difference with "
        f"{_power(result)} probability (its power is a saw-tooth); by formula: Connor (1987). "
        f"{apart}"
    )


def _acceptance(plan: AcceptancePlan) -> Table:
    errors = [f * plan.max_error for f in (0.1, 0.25, 0.5, 1)]
    columns = [Column("failures", numeric=True), Column("cases", numeric=True)]
    columns += [Column(f"passes at {percent(e)}", numeric=True) for e in errors]
    rows = tuple(
        (str(s.failures), str(s.rows), *(chance_text(s.passes(e)) for e in errors))
        for s in plan.steps
    )
    return Table(
        tuple(columns),
        rows,
        caption=f"So many failures at most show an error of {percent(plan.max_error)} or less; the "
        "other columns: how likely a model of that true error passes. Fix the row before testing.",
    )


def _sequential(result: SampleSize, test: SequentialPlan) -> tuple[Block, ...]:
    columns = (
        Column("true error", numeric=True),
        Column("passes", numeric=True),
        Column("fails", numeric=True),
        Column("cases on average", numeric=True),
        Column("fixed plan", numeric=True),
    )
    rows = tuple(
        (
            percent(o.true_error),
            chance_text(o.passes),
            chance_text(o.fails),
            f"{o.expected:.0f}",
            _fixed(test, o),
        )
        for o in result.outcomes
    )
    outcomes = Table(
        columns,
        rows,
        caption="Exact, from the distribution of failures after every case. Fixed plan: the cases "
        "of the smallest one that a model of this error passes as often, or in 99.9 % of tests.",
    )
    stops = Table(
        (Column("failures", numeric=True), Column("pass after", numeric=True)),
        tuple((str(x), str(n)) for x, n in enumerate(test.pass_after[:_SHOWN_STOPS])),
        caption="Look after every case, and stop as soon as one of these numbers is reached: the "
        "error stays at most as promised. The test may also end early with FAIL; after "
        f"{test.most} cases it is undecided.",
    )
    return outcomes, stops


def _operating(fixed: AcceptancePlan, result: SampleSize) -> Curves:
    """Return the curves; beside a sequential test only some fixed plans, to keep them apart."""
    if result.sequential is not None and len(fixed.steps) > _MOST_CURVES:
        fixed = replace(fixed, steps=tuple(s for s in fixed.steps if s.failures in (0, 1, 3, 5)))
    return operating_characteristic(fixed, result.sequential).picture


def _fixed(test: SequentialPlan, outcome: SequentialOutcome) -> str:
    power = min(outcome.passes, 0.999)
    rows = fixed_rows(test.max_error, outcome.true_error, confidence=test.confidence, power=power)
    return "–" if rows is None else str(rows)


def _detectable(result: SampleSize) -> Table:
    rows = tuple(
        (percent(d.discordance), "none" if d.difference is None else percent(d.difference))
        for d in result.detectable
    )
    columns = (
        Column("two models disagree on", numeric=True),
        Column("smallest difference shown", numeric=True),
    )
    caption = (
        f"Exact McNemar test, same cases, shown with {_power(result)} probability. No difference "
        "can exceed the share they disagree on"
    )
    if any(d.difference is None for d in result.detectable):
        caption += "; none: not even a difference of that size would be shown"
    return Table(columns, rows, caption=f"{caption}.")


def _widths(result: SampleSize) -> Bars:
    bars = tuple(
        Bar(f"error {percent(e)}", e, i.low, i.high, span(i.low, i.high))
        for e, i in zip(result.expected_errors, result.widths, strict=True)
    )
    return Bars(bars, f"exact {level_text(result.level)} intervals (Clopper-Pearson)")


@describe.register
def _audit(result: TableAudit) -> Document:
    sections = [Section("Rates", (_rates(result),))]
    if result.findings:
        sections.append(Section("Findings", (Findings(result.findings),)))
    sections.append(Section("Numbers of cases that fit", tuple(_fitting(result))))
    if result.pairs:
        sections.append(Section("Differences", (_pairs(result.pairs, _pairs_caption(result)),)))
    for n, pairs in result.elsewhere:
        if pairs:
            sections.append(Section(f"Differences if n was {n}", (_pairs(pairs),)))
    sections.append(provenance_section())
    count = len(result.rates)
    return Document(
        title="Published table",
        subtitle=f"{count} rate{'s' if count > 1 else ''}, {result.n} cases",
        verdict=result.verdict,
        sections=tuple(sections),
        data=_data("table_audit", result),
        headline=_attainable(result),
    )


def _attainable(result: TableAudit) -> Headline:
    possible = sum(r.attainable for r in result.rates)
    return Headline(
        f"{possible} of {len(result.rates)}",
        f"rates can have been counted on {result.n} cases",
        picture=_pictured(result),
    )


def _rates(result: TableAudit) -> Table:
    columns = (
        Column("rate", numeric=True),
        Column("cases", numeric=True),
        Column("possible"),
        Column("standard error", numeric=True),
        Column(f"{level_text(result.level)} interval", numeric=True),
    )
    rows = tuple(
        (
            r.printed,
            _counts(r),
            _possible(r),
            percent(r.standard_error),
            span(r.interval.low, r.interval.high),
        )
        for r in result.rates
    )
    caption = "Exact intervals (Clopper-Pearson) around the nearest whole number of cases."
    return Table(columns, rows, caption=caption)


def _counts(r: RateAudit) -> str:
    if len(r.counts) > 1:
        return f"{r.counts[0]} to {r.counts[-1]}"
    return str(r.counts[0]) if r.counts else f"{r.cases:.10g}"


def _possible(r: RateAudit) -> str:
    if r.attainable:
        return "yes"
    return "only if cut off" if r.truncated else "NO"


def _pictured(result: TableAudit) -> Bars:
    """Draw what is rare, errors or hits, so that the picture has room for the intervals."""
    flip = sum(r.share for r in result.rates) > 0.5 * len(result.rates)
    bars = []
    for r in result.rates:
        i = r.interval.complement() if flip else r.interval
        value = 1 - r.share if flip else r.share
        bars.append(Bar(r.printed, value, i.low, i.high, percent(value), not r.attainable))
    what = "100 % minus the rate" if flip else "rate"
    return Bars(tuple(bars), f"{what}, with {level_text(result.level)} intervals")


def _fitting(result: TableAudit) -> list[Block]:
    scope = f"Up to {2 * result.n} cases, " if result.n <= 500_000 else "Of those tried, "
    if not result.sizes:
        return [Paragraph(f"{scope}no number fits all the rates.")]
    blocks: list[Block] = []
    if result.exact_sizes:
        blocks.append(Paragraph(f"{scope}without rounding: n = {sizes_text(result.exact_sizes)}."))
        scope = ""
    rounded = f"{scope}rounded as printed: n = {sizes_text(result.sizes)}."
    blocks.append(Paragraph(rounded[0].upper() + rounded[1:]))
    return blocks


def _pairs(pairs: tuple[PairAudit, ...], caption: str = "") -> Table:
    columns = (
        Column("rates"),
        Column("best case", numeric=True),
        Column("worst case", numeric=True),
        Column("different cases", numeric=True),
        Column("cases needed", numeric=True),
    )
    rows = tuple(
        (
            f"{p.first} and {p.second}",
            p_number(p.best_p),
            p_number(p.worst_p),
            p_number(p.unpaired_p),
            "–" if p.rows_best is None else f"{p.rows_best} to {p.rows_independent}",
        )
        for p in pairs[:_MOST_PAIRS]
    )
    return Table(columns, rows, caption=caption)


def _pairs_caption(result: TableAudit) -> str:
    rest = len(result.pairs) - _MOST_PAIRS
    more = f" {rest} more pairs: see pair_frame()." if rest > 0 else ""
    return (
        f"Exact McNemar on {result.n} cases if errors are nested (best) or shared as little as "
        "possible (worst); Fisher for different cases. Needed: to show the difference with "
        f"{level_text(result.power)} probability, errors nested to independent (Connor).{more}"
    )


def _data(kind: str, result: Any) -> dict[str, Any]:
    return {"schema": SCHEMA, "kind": kind, **plain_record(result)}
