"""How a gate is told: the decision, what it rests on, and how often the cases were used."""

from __future__ import annotations

from typing import Any

from referee.core.results import Estimate
from referee.core.showing.numbers import (
    count_text,
    level_text,
    p_number,
    p_text,
    percent,
    plain,
    size_text,
)
from referee.core.showing.numbers import signed_span as span
from referee.gating.decision import Gate
from referee.gating.family import TOGETHER, GateFamily
from referee.gating.question import GateQuestion
from referee.report.describe import describe, provenance_section
from referee.report.document import (
    Bar,
    Bars,
    Block,
    Column,
    Document,
    Facts,
    Findings,
    Headline,
    Paragraph,
    Section,
    Table,
)
from referee.report.record import SCHEMA, plain_record

__all__ = ["claim_text", "gate_table"]

_MEANS = {
    "report": "an undecided gate ends with exit code 3",
    "pass": "an undecided gate counts as passed",
    "fail": "an undecided gate counts as failed",
}


@describe.register
def _gate(result: Gate) -> Document:
    # The sentence stands above, as the verdict.
    sections = [Section("The gate", tuple(_asked(result)[1:]))]
    inner = None
    if result.compared is not None:
        sections.append(Section("Both models", (gate_table([result]),)))
        inner = describe(result.compared.result)
        left_out = ("Both models", "Findings", "Provenance")
        sections += [s for s in inner.sections if s.title not in left_out]
    if result.findings:
        sections.append(Section("Findings", (Findings(result.findings),)))
    provenance = None
    if result.compared is not None:
        provenance = result.compared.result.provenance
    sections.append(provenance_section(provenance))
    return Document(
        title=f"Gate: {result.name}",
        subtitle=f"{result.measure}, {count_text(result.n)} case{'s' * (result.n != 1)}",
        verdict=result.verdict,
        sections=tuple(sections),
        data=_record(result),
        headline=_headline(result),
    )


@describe.register
def _family(result: GateFamily) -> Document:
    sections = [
        Section("Gates", (gate_table(result.gates, result.p_values), _rule(result))),
        *(Section(g.label, tuple(_asked(g))) for g in result.gates),
    ]
    if result.findings:
        sections.append(Section("Findings", (Findings(result.findings),)))
    sections.append(provenance_section())
    return Document(
        title=f"{len(result.gates)} gates: {result.name}",
        subtitle=TOGETHER[result.together],
        verdict=result.verdict,
        sections=tuple(sections),
        data=_family_record(result),
        headline=Headline(result.word, "all gates together", "", _bars(result.gates)),
    )


def claim_text(question: GateQuestion, baseline: str, candidate: str, *, shares: bool) -> str:
    """Return what is to be shown, in words."""
    size = size_text(question.rope, percent=shares) if question.rope else ""
    return {
        "non-inferior": f"{candidate} is not worse than {baseline} by more than {size}",
        "better": f"{candidate} is better than {baseline}",
        "equivalent": f"{candidate} and {baseline} differ by less than {size}",
    }[question.claim]


def _asked(result: Gate) -> list[Block]:
    q = result.question
    claim = claim_text(q, result.baseline, result.candidate, shares=_shares(result))
    blocks: list[Block] = [
        Paragraph(f"{result.sentence}"),
        Paragraph(
            f"Claim: {claim}. A candidate of which it is false passes with probability at most "
            f"{level_text(q.alpha)}{' over all runs together' if result.history else ''}; "
            f"{_MEANS[q.undecided]}."
        ),
    ]
    if result.p_value is not None and result.p_opposite is not None:
        blocks.append(
            Paragraph(f"Claim {p_text(result.p_value)}; the opposite {p_text(result.p_opposite)}.")
        )
    if result.history is not None:
        blocks += _history(result)
    return blocks


def _history(result: Gate) -> list[Block]:
    h = result.history
    assert h is not None
    blocks: list[Block] = [
        Facts(
            (
                ("runs so far", str(h.runs)),
                ("looks at known cases", str(h.looks)),
                ("new cases of this run", str(h.new_cases)),
                ("new cases of this version so far", str(h.stream)),
                ("versions", str(h.versions)),
                ("share of the error probability", f"{h.spent:.3g}"),
            )
        )
    ]
    if not h.version:
        blocks.append(
            Paragraph(
                "Without a version each run counts as another model, and evidence does not add up "
                "over runs; name the version of the candidate to add it up."
            )
        )
    if result.compared is None:
        blocks.append(
            Paragraph(
                "Figures are withheld: the promise over all runs holds only while candidates are "
                "chosen by the answers alone."
            )
        )
    return blocks


def gate_table(gates: Any, p_values: Any = None) -> Table:
    """Return one row for each gate: both models, the difference, the outcome.

    One gate alone needs no name.
    """
    level = level_text(gates[0].question.level)
    columns = (
        Column("gate"),
        Column("cases", numeric=True),
        Column("baseline", numeric=True),
        Column("candidate", numeric=True),
        Column("difference", numeric=True),
        Column(f"{level} interval", numeric=True),
        Column("margin", numeric=True),
        Column("p", numeric=True),
        Column("outcome"),
    )
    used = p_values or [g.p_value for g in gates]
    rows = [_row(g, p) for g, p in zip(gates, used, strict=True)]
    first = 0 if len(gates) > 1 else 1
    return Table(columns[first:], tuple(row[first:] for row in rows))


def _row(gate: Gate, p: float | None) -> tuple[str, ...]:
    c, shares = gate.compared, _shares(gate)
    margin = gate.question.margin
    d = None if c is None else c.difference
    i = None if d is None else d.interval
    return (
        gate.label,
        count_text(gate.n),
        "–" if c is None else _value(c.baseline, shares),
        "–" if c is None else _value(c.candidate, shares),
        "–" if d is None else size_text(d.value, percent=shares, sign=True),
        # The difference beside it says what the unit is.
        "–" if i is None else span(i.low, i.high, percent=shares).removesuffix(" points"),
        "–" if margin is None else size_text(margin, percent=shares),
        "–" if p is None else p_number(p),
        gate.word.lower(),
    )


def _value(estimate: Estimate, shares: bool) -> str:
    return (percent if shares else plain)(estimate.value)


def _shares(gate: Gate) -> bool:
    return gate.question.scale == 1


def _rule(result: GateFamily) -> Paragraph:
    if result.together == "all":
        return Paragraph(
            "All must hold: if one claim is false, all gates pass together with probability at "
            "most one minus the level, so nothing is adjusted. Worse is said by Holm's adjustment."
        )
    return Paragraph(
        "p-values are raised by Holm for the number of gates: the chance that any false claim is "
        "shown is at most one minus the level."
    )


def _headline(result: Gate) -> Headline | None:
    if result.compared is None:
        return None
    d, shares = result.compared.difference, _shares(result)
    i = d.interval
    between = ""
    if i is not None:
        between = f"{level_text(i.level)} interval {span(i.low, i.high, percent=shares)}"
    return Headline(
        size_text(d.value, percent=shares, sign=True) if d.defined else "undefined",
        f"{result.measure} of {result.candidate} minus that of {result.baseline}",
        between,
        _bars([result]),
    )


def _bars(gates: Any) -> Bars | None:
    bars, ropes = [], set()
    for g in gates:
        d = None if g.compared is None else g.compared.difference
        if d is not None and d.interval is not None and d.defined:
            label = g.label if len(gates) > 1 else f"{g.candidate} – {g.baseline}"
            text = size_text(d.value, percent=_shares(g), sign=True)
            bars.append(Bar(label, d.value, d.interval.low, d.interval.high, text))
            ropes.add(g.question.rope)
    if not bars or len({_shares(g) for g in gates}) > 1:
        return None
    rope = ropes.pop() if len(ropes) == 1 else 0.0
    level = level_text(gates[0].question.level)
    caption = f"difference of {gates[0].measure}, candidate minus baseline, with {level} interval"
    return Bars(tuple(bars), caption, percent=_shares(gates[0]), signed=True, rope=rope)


def _record(result: Gate) -> dict[str, Any]:
    content = {
        "schema": SCHEMA,
        "kind": "gate",
        "verdict": result.verdict,
        **result.flat(),
        "findings": result.findings,
        "history": result.history,
        "provenance": None if result.compared is None else result.compared.result.provenance,
    }
    return {key: plain_record(value) for key, value in content.items()}


def _family_record(result: GateFamily) -> dict[str, Any]:
    content = {
        "schema": SCHEMA,
        "kind": "gates",
        "verdict": result.verdict,
        "outcome": result.flat()["outcome"],
        "passed": result.passed,
        "exit_code": result.exit_code,
        "together": result.together,
        "gates": [
            {"gate": g.label, **g.flat(), "p_adjusted": p, "findings": g.findings}
            for g, p in zip(result.gates, result.p_values, strict=True)
        ],
        "findings": result.findings,
    }
    return {key: plain_record(value) for key, value in content.items()}
