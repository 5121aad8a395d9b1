"""How locks, certificates and checks of certificates are told."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict
from typing import Any

from referee.core.showing.numbers import level_text, p_text, percent
from referee.report.describe import describe, provenance_section
from referee.report.document import Block, Column, Document, Facts, Paragraph, Section, Table
from referee.report.record import SCHEMA, plain_record
from referee.vault.certificate.certificate import Certificate
from referee.vault.certificate.certificate_check import CertificateCheck
from referee.vault.certificate.page import rule_text
from referee.vault.certificate.protocol.lock import Lock
from referee.vault.certificate.protocol.plan import plan_of

__all__: list[str] = []


@describe.register
def _lock(result: Lock) -> Document:
    cases = result.cases
    sizes = tuple((name, str(n)) for name, n in result.strata.sizes.items())
    facts = (
        ("claim", result.claim.text),
        ("level", level_text(result.level)),
        ("plan", result.plan.text),
        ("test set", "a vault" if cases.kind == "vault" else "a file of labels"),
        ("excluded", f"{len(result.exclusions.ids)} cases"),
        ("signer", result.signer.name),
        ("frozen", result.time),
        ("fingerprint", result.fingerprint),
        ("label commitment", cases.commitment),
    )
    publish = (
        "Publish the fingerprint, or have the lock time-stamped, before anything is predicted: "
        "from then on nobody can say that the protocol was made to fit."
    )
    return Document(
        title=result.title,
        subtitle=f"a frozen protocol for {cases.n} cases",
        verdict=result.verdict,
        sections=(
            Section("What is fixed", (Facts(facts), Paragraph(publish))),
            Section("Strata", (Table((Column("stratum"), Column("cases", numeric=True)), sizes),)),
            provenance_section(),
        ),
        data={
            "schema": SCHEMA,
            "kind": "protocol_lock",
            "verdict": plain_record(result.verdict),
            "title": result.title,
            "claim": result.claim.text,
            "level": result.level,
            "plan": result.plan.record(),
            "rule": result.strata.rule,
            "strata": result.strata.sizes,
            "cases": cases.n,
            "excluded": len(result.exclusions.ids),
            "frozen": result.time,
            "fingerprint": result.fingerprint,
            "commitment": cases.commitment,
            "keyid": result.signer.key.keyid,
        },
        label="FROZEN",
    )


@describe.register
def _certificate(result: Certificate) -> Document:
    p = result.predicate
    facts = (
        ("certificate", result.path),
        ("claim", str(p["claim"])),
        ("level", level_text(p["level"])),
        ("plan", plan_of(p["plan"]).text),
        ("protocol", f"{p['protocol']['fingerprint']}, frozen {p['protocol']['frozen']}"),
        ("label commitment", str(p["data"]["commitment"])),
        ("signed by", f"{p['signer']['name']}, key {p['signer']['keyid'][:16]}"),
        ("time", str(p["time"])),
    )
    return Document(
        title=str(p["title"]),
        subtitle=f"certificate on {p['cases'] - p['excluded']} cases",
        verdict=result.verdict,
        sections=(
            Section("Results", (_results(p), Paragraph(rule_text(p)))),
            Section("What it rests on", (Facts(facts),)),
            provenance_section(),
        ),
        data={"schema": SCHEMA, "kind": "certificate", "path": result.path}
        | {"verdict": plain_record(result.verdict), "predicate": plain_record(dict(p))},
    )


def _results(p: Mapping[str, Any]) -> Table:
    columns = (
        Column("stratum"),
        Column("claim"),
        Column("cases", numeric=True),
        Column("failures", numeric=True),
        Column("measured", numeric=True),
        Column("bound", numeric=True),
        Column("p", numeric=True),
        Column("outcome"),
    )
    rows = [_row(r) for r in (*p["results"], *p["overall"])]
    pairs = any(len(r["counts"]) > 1 for r in p["results"])
    caption = "+ and −: right in this model alone, in the other alone." if pairs else ""
    return Table(columns, tuple(rows), caption=caption)


def _row(r: Mapping[str, Any]) -> tuple[str, ...]:
    share = len(r["counts"]) == 1
    counts = str(r["counts"][0]) if share else f"+{r['counts'][1]} −{r['counts'][2]}"
    value, bound = (
        "–" if v is None else percent(v) if share else f"{100 * v:+.2f} points"
        for v in (r["value"], r["bound"])
    )
    note = f" ({r['note']})" if r["note"] else ""
    p = p_text(r.get("p_pass_adjusted", r["p_pass"]))
    outcome = r.get("outcome", "for information")
    return f"{r['stratum']}{note}", r["part"], str(r["n"]), counts, value, bound, p, outcome


@describe.register
def _check(result: CertificateCheck) -> Document:
    columns = (Column("step"), Column("state"), Column("seen"))
    rows = tuple((s.name, s.state, s.problem or s.detail) for s in result.steps)
    blocks: list[Block] = [Table(columns, rows)]
    sections = [Section("What was checked", tuple(blocks))]
    if result.predicate:
        said = f"{result.predicate['outcome']}: {result.predicate['sentence']}"
        sections.insert(0, Section("What it states", (Paragraph(said),)))
    sections.append(Section("What this shows", (Paragraph(_meaning(result)), _facts(result))))
    return Document(
        title="Verification of a certificate",
        subtitle=result.path,
        verdict=result.verdict,
        sections=(*sections, provenance_section()),
        data={
            "schema": SCHEMA,
            "kind": "certificate_check",
            "verdict": plain_record(result.verdict),
            "path": result.path,
            "sha256": result.sha256,
            "steps": [asdict(s) | {"state": s.state} for s in result.steps],
            "predicate": plain_record(dict(result.predicate)),
        },
        label="HOLDS" if result.verdict.shown else "DOES NOT HOLD",
    )


def _facts(result: CertificateCheck) -> Facts:
    return Facts((("SHA-256", result.sha256),))


def _meaning(result: CertificateCheck) -> str:
    if not result.verdict.shown:
        return (
            "Shown: this is not what was signed, or it contradicts itself. Not shown: who changed "
            "it, or whether by accident. Fetch it again, or ask the signer."
        )
    return (
        "Shown: the holder of the signing key stated this verdict, about these predictions and "
        "this protocol, and the numbers follow. Not shown: that the key belongs to who is named "
        "(give the public key, from where you trust it), that the clock was right (a time stamp "
        "shows it), and that nobody saw the labels by another way."
    )
