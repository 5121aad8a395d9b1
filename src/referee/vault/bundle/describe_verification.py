"""How a verification is told."""

from __future__ import annotations

from typing import Any

from referee.report.describe import describe
from referee.report.document import Block, Column, Document, Facts, Paragraph, Section, Table
from referee.report.record import SCHEMA, plain_record
from referee.vault.bundle.agreement import Agreement, Value
from referee.vault.bundle.verification import Verification

__all__: list[str] = []

_MOST = 40

_SHOWS = (
    "Shown: the files are those that were written together, and the recomputed values follow from "
    "the predictions in them. Not shown: that the predictions were made honestly, on cases the "
    "model had not seen, nor by whom. Hashes are no signature; anyone can make a bundle that "
    "agrees with itself. Compare its SHA-256 with one that its author published, or signed."
)

_LEAVES_OPEN = (
    "Shown: this is not the bundle of the result it states. Not shown: who changed it, when, and "
    "whether by accident; a broken copy looks like a forged one. Fetch the bundle again, or ask "
    "its author for the SHA-256."
)


@describe.register
def _verification(result: Verification) -> Document:
    sections = []
    if result.claim:
        sections.append(Section("What it states", (Paragraph(result.claim),)))
    if result.values:
        sections.append(Section("Values", tuple(_values(result))))
    sections.append(Section("Files", (_files(result),)))
    sections.append(Section("What this shows", tuple(_meaning(result))))
    kind = f"{result.kind} from {result.rows} rows of evidence" if result.kind else "a bundle"
    return Document(
        title="Verification",
        subtitle=f"{result.path}: {kind}",
        verdict=result.verdict,
        sections=tuple(sections),
        data=_data(result),
    )


def _values(result: Verification) -> list[Block]:
    shown = list(result.differing)
    shown += [v for v in result.values if v.agreement is not Agreement.DIFFERS and _telling(v)]
    columns = (
        Column("value"),
        Column("stated", numeric=True),
        Column("recomputed", numeric=True),
        Column("agree"),
    )
    rows = tuple((v.path, *_sides(v), _word(v)) for v in shown[:_MOST])
    rest = len(result.values) - len(rows)
    caption = f"{rest} more values: see frame(), or --json." if rest > 0 else ""
    blocks: list[Block] = [Table(columns, rows, caption=caption)] if rows else []
    counts = result.counts
    counted = ", ".join(f"{counts[a]} {_COUNTED[a]}" for a in Agreement if counts[a])
    blocks.append(Paragraph(f"Of {len(result.values)} values {counted}."))
    if result.changes:
        blocks.append(
            Paragraph(
                f"Numbers may differ by {result.tolerance:g} of their size, for they were computed "
                f"elsewhere: {'; '.join(result.changes)}."
            )
        )
    blocks += [Paragraph(f"Not recomputed: {text}.") for text in _reasons(result)]
    return blocks


_COUNTED = {
    Agreement.EXACT: "agree exactly",
    Agreement.CLOSE: "agree nearly",
    Agreement.DIFFERS: "differ",
    Agreement.STATED: "were not recomputed",
}


def _telling(value: Value) -> bool:
    """Tell whether a value is one of those people quote."""
    last = value.path.rpartition(".")[2]
    number = isinstance(value.stated, float) and value.agreement is not Agreement.STATED
    return number and last in ("value", "low", "high", "p_value", "p_adjusted", "observed")


def _reasons(result: Verification) -> list[str]:
    why: dict[str, list[str]] = {}
    for value in result.values:
        if value.agreement is Agreement.STATED:
            start = value.path.split("[")[0] if "[" in value.path else value.path
            places = why.setdefault(value.why, [])
            if start not in places:
                places.append(start)
    return [f"{', '.join(places)} ({reason})" for reason, places in why.items()]


def _word(value: Value) -> str:
    return "NO" if value.agreement is Agreement.DIFFERS else value.agreement.value


def _sides(value: Value) -> tuple[str, str]:
    """Return both sides; all digits of what differs."""
    if value.agreement is Agreement.DIFFERS:
        return value.apart()
    return f"{value.stated:.6g}", f"{value.recomputed:.6g}"


def _files(result: Verification) -> Table:
    columns = (Column("file"), Column("bytes", numeric=True), Column("SHA-256"), Column("state"))
    rows = tuple(
        (f.name, str(f.size) if f.sha256 else "–", f.sha256[:16] or "–", f.state)
        for f in result.files
    )
    return Table(columns, rows, caption="Hashes are shown by their first 16 digits.")


def _meaning(result: Verification) -> list[Block]:
    facts = [("SHA-256", result.sha256)]
    if result.command:
        facts.append(("command", result.command))
    return [Paragraph(_SHOWS if result.verdict.shown else _LEAVES_OPEN), Facts(tuple(facts))]


def _data(result: Verification) -> dict[str, Any]:
    return {
        "schema": SCHEMA,
        "kind": "verification",
        "verdict": plain_record(result.verdict),
        "path": result.path,
        "sha256": result.sha256,
        "verified": result.kind,
        "claim": result.claim,
        "rows": result.rows,
        "tolerance": result.tolerance,
        "changes": list(result.changes),
        "command": result.command,
        "files": plain_record(result.files),
        "values": plain_record(result.values),
    }
