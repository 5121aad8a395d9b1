"""How looks, the status of a vault and the check of one are told."""

from __future__ import annotations

from typing import Any

from referee.core.results import Interval
from referee.core.showing.numbers import level_text, size_text
from referee.measures import Measure
from referee.report.describe import describe, provenance_section
from referee.report.document import (
    Bar,
    Bars,
    Block,
    Column,
    Document,
    Facts,
    Headline,
    Paragraph,
    Section,
    Table,
)
from referee.report.record import SCHEMA, plain_record
from referee.vault.sealed.history import LookRecord
from referee.vault.sealed.labels.header import Header
from referee.vault.sealed.look import GROUPED, Look, value_span, value_text
from referee.vault.sealed.status import VaultStatus
from referee.vault.sealed.vault_check import VaultCheck

__all__: list[str] = []

_MOST = 20
_MOST_DRAWN = 8


@describe.register
def _look(result: Look) -> Document:
    blocks: list[Block] = [Paragraph(_meaning(result))]
    if result.grouped:
        blocks.append(Paragraph(f"Cases come in groups: each interval {GROUPED}."))
    facts = (
        ("vault", result.vault),
        ("time", result.time),
        ("predictions", result.predictions_hash),
        ("label commitment", result.commitment),
    )
    return Document(
        title=result.name,
        subtitle=f"look {result.looks} at {result.cases} sealed cases in {result.vault}",
        verdict=result.verdict,
        sections=(
            Section("What the look shows", (_shown(result),)),
            Section("What the intervals promise", tuple(blocks)),
            Section("Ledger", (Facts(facts),)),
            provenance_section(),
        ),
        data=_look_record(result),
        label="NO IMPROVEMENT" if result.released is None else "RELEASED",
        headline=_headline(result),
    )


def _headline(result: Look) -> Headline:
    measure = result.measure
    between = f"{level_text(result.interval.level)} interval {_span(result, result.interval)}"
    if result.released is None:
        return Headline(f"{_known(result)[0]} or worse", measure.title, between, _picture(result))
    bound = "" if result.policy.exact else " or better"
    value = value_text(measure, result.released)
    return Headline(f"{value}{bound}", measure.title, between, _picture(result))


def _span(result: Look, interval: Interval) -> str:
    return value_span(result.measure, interval.low, interval.high)


def _known(result: Look) -> tuple[str, str]:
    """Return the better and the worse end of what the look shows."""
    ends = result.ends[::-1] if result.measure.greater_is_better else result.ends
    return value_text(result.measure, ends[0]), value_text(result.measure, ends[1])


def _picture(result: Look) -> Bars:
    measure, value = result.measure, _middle(result)
    base = result.baseline
    if result.policy.exact:
        shown = [(result.name, result.interval.low, result.interval.high, False)]
    else:
        shown = [
            ("however often one looked", result.interval.low, result.interval.high, False),
            ("naively, as if once", result.naive_interval.low, result.naive_interval.high, True),
        ]
    text = value_text(measure, value)
    bars = [Bar(label, value, low, high, text, muted) for label, low, high, muted in shown]
    bars.append(Bar("baseline", base, base, base, value_text(measure, base), muted=True))
    caption = f"{measure.title}, with {level_text(result.interval.level)} intervals"
    return Bars(tuple(bars), caption, percent=measure.percent)


def _middle(result: Look) -> float:
    """Return what was released, or else the better end of what is known."""
    if result.released is not None:
        return result.released
    return result.ends[1] if result.measure.greater_is_better else result.ends[0]


def _shown(result: Look) -> Table:
    columns = (
        Column(""),
        Column(result.measure.title, numeric=True),
        Column(f"{level_text(result.interval.level)} interval", numeric=True),
        Column("method", names_methods=True),
    )
    best, worst = _known(result)
    shown = best if best == worst else f"{best} to {worst}"
    if result.policy.exact:
        row = ("score", shown, _span(result, result.interval), result.interval.method)
        return Table(columns, (row,))
    rows = (
        ("guaranteed", shown, _span(result, result.interval), result.interval.method),
        (
            "naive",
            shown,
            _span(result, result.naive_interval),
            result.naive_interval.method,
        ),
    )
    price = size_text(
        result.interval.width - result.naive_interval.width, percent=result.measure.percent
    )
    caption = f"The price of looking: the guaranteed interval is {price} longer."
    return Table(columns, rows, caption=caption)


def _meaning(result: Look) -> str:
    level = level_text(result.interval.level)
    promise = result.policy.promise.format(level=level)
    works = "; ".join(citation.key for citation in result.policy.citations)
    text = f"{promise[0].upper()}{promise[1:]} ({works}). "
    if not result.policy.exact:
        text += (
            "They are computed from what was released, never from the secret count. The naive "
            "interval would hold if this had been the only look. "
        )
    return text + "Assumed: sealed cases are independent draws of what the model will meet."


def _look_record(result: Look) -> dict[str, Any]:
    return {
        "schema": SCHEMA,
        "kind": "look",
        "name": result.name,
        "verdict": plain_record(result.verdict),
        "measure": result.measure.name,
        "released": result.released,
        "ends": list(result.ends),
        "interval": plain_record(result.interval),
        "naive_interval": plain_record(result.naive_interval),
        "looks": result.looks,
        "releases": result.releases,
        "best": result.best,
        "baseline": result.baseline,
        "policy": result.policy.name,
        "allowed": result.policy.looks,
        "n": result.n,
        "cases": result.cases,
        "grouped": result.grouped,
        "vault": result.vault,
        "time": result.time,
        "predictions": result.predictions_hash,
        "commitment": result.commitment,
    }


@describe.register
def _status(result: VaultStatus) -> Document:
    sections = [Section("What is sealed", (_sealed(result.header),))]
    if result.looks:
        sections.append(Section("Looks", (*_climb(result), _looks(result))))
    note = Paragraph("As the ledger tells it; referee vault check verifies that, with the key.")
    facts = (
        ("vault", result.header.vault),
        ("sealed", result.header.created),
        ("label commitment", result.header.commitment),
    )
    sections.append(Section("Ledger", (note, Facts(facts))))
    return Document(
        title="Vault",
        subtitle=result.vault,
        verdict=result.verdict,
        sections=(*sections, provenance_section()),
        data=_status_record(result),
        label="OPENED" if result.opened else "SEALED",
    )


def _sealed(header: Header) -> Facts:
    measure = header.measure.measure
    facts = [
        ("sealed cases", str(header.n)),
        ("classes", str(len(header.classes))),
        ("measure", measure.title),
        ("policy", header.policy.title),
        (
            "looks allowed",
            "any number" if header.policy.looks is None else str(header.policy.looks),
        ),
        ("level", level_text(header.level)),
        ("baseline", f"{value_text(measure, header.start)} ({header.baseline.words})"),
    ]
    if not header.policy.exact:
        step = header.grid.step / header.grid.n if header.grid.counted else header.grid.step
        facts.append(("step", size_text(step, percent=measure.percent)))
        facts.append(("values on the grid", str(header.grid.cells)))
    facts.append(("groups", "kept together" if header.grouped else "none"))
    facts.append(("key", "a file" if header.stretching is None else "a passphrase"))
    return Facts(tuple(facts))


def _climb(result: VaultStatus) -> tuple[Block, ...]:
    """Return the latest releases with both intervals; nothing where there is no ladder."""
    if not result.releases or result.header.policy.exact:
        return ()
    measure = result.header.measure.measure
    bars: list[Bar] = []
    for look in result.releases[-_MOST_DRAWN:]:
        value, *ends = _numbers(look)
        text = value_text(measure, value)
        bars.append(Bar(f"{look.number}: {look.name}", value, ends[0], ends[1], text))
        bars.append(Bar("naively", value, ends[2], ends[3], text, muted=True))
    caption = f"what was released, with {level_text(result.header.level)} intervals"
    return (Bars(tuple(bars), caption, percent=measure.percent),)


def _numbers(look: LookRecord) -> list[float]:
    ends = (look.released, look.low, look.high, look.naive_low, look.naive_high)
    return [float(end) for end in ends if end is not None]


def _looks(result: VaultStatus) -> Table:
    measure = result.header.measure.measure
    columns = (
        Column("look", numeric=True),
        Column("time (UTC)"),
        Column("name"),
        Column("answer"),
        Column(measure.title, numeric=True),
        Column(f"{level_text(result.header.level)} interval", numeric=True),
        Column("naive", numeric=True),
    )
    latest = result.looks[-_MOST:]
    shown = sorted({*result.releases, *result.unanswered, *latest}, key=lambda look: look.number)
    left = len(result.looks) - len(shown)
    caption = f"{left} looks without improvement are left out." if left else ""
    return Table(columns, tuple(_look_row(look, measure) for look in shown), caption=caption)


def _look_row(look: LookRecord, measure: Measure) -> tuple[str, ...]:
    start = (str(look.number), look.time[:16].replace("T", " "), look.name, look.outcome)
    value = "–" if look.released is None else value_text(measure, look.released)
    spans = (
        _ends(look.low, look.high, measure),
        _ends(look.naive_low, look.naive_high, measure),
    )
    return (*start, value, *spans)


def _ends(low: float | None, high: float | None, measure: Measure) -> str:
    if low is None or high is None:
        return "–"
    return value_span(measure, low, high)


def _status_record(result: VaultStatus) -> dict[str, Any]:
    header = result.header
    return {
        "schema": SCHEMA,
        "kind": "vault_status",
        "verdict": plain_record(result.verdict),
        "vault": result.vault,
        "id": header.vault,
        "created": header.created,
        "opened": result.opened,
        "certified": result.certified,
        "cases": header.n,
        "classes": len(header.classes),
        "measure": header.measure.name,
        "policy": header.policy.name,
        "allowed": header.policy.looks,
        "level": header.level,
        "baseline": header.start,
        "grid": [header.grid.value(rung) for rung in range(1, header.grid.cells + 1)]
        if not header.policy.exact
        else [],
        "grouped": header.grouped,
        "commitment": header.commitment,
        "looks": [plain_record(look) | {"outcome": look.outcome} for look in result.looks],
        "releases": len(result.releases),
        "unanswered": [look.number for look in result.unanswered],
    }


@describe.register
def _check(result: VaultCheck) -> Document:
    sections = []
    if result.problems:
        blocks = tuple(Paragraph(f"{problem}.") for problem in result.problems[:_MOST])
        sections.append(Section("What is not as it was written", blocks))
    if result.notes:
        blocks = tuple(Paragraph(f"{note}.") for note in result.notes)
        sections.append(Section("Notes", blocks))
    facts = (
        ("entries", str(result.entries)),
        ("looks", str(result.looks)),
        ("releases", str(result.releases)),
        ("head of the ledger", result.head or "none"),
        ("label commitment", result.commitment or "none"),
    )
    sections.append(Section("What was read", (Facts(facts),)))
    return Document(
        title="Vault check",
        subtitle=result.vault,
        verdict=result.verdict,
        sections=(*sections, provenance_section()),
        data={
            "schema": SCHEMA,
            "kind": "vault_check",
            "verdict": plain_record(result.verdict),
            "vault": result.vault,
            "problems": list(result.problems),
            "notes": list(result.notes),
            "entries": result.entries,
            "looks": result.looks,
            "releases": result.releases,
            "unanswered": list(result.unanswered),
            "head": result.head,
            "commitment": result.commitment,
        },
    )
