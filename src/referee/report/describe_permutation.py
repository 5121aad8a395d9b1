"""From a permutation test to a Document."""

from __future__ import annotations

from referee.core.numbers import level_text, p_text
from referee.evaluation.permutation_test import PermutationTest
from referee.report.describe import describe, provenance_facts
from referee.report.document import Block, Column, Document, Paragraph, Section, Table
from referee.report.record import permutation_record

__all__: list[str] = []


@describe.register
def _permutation_test(result: PermutationTest) -> Document:
    sections = (
        Section("True labels among those of chance", (result.picture, _figures(result))),
        Section("How it was measured", tuple(_method(result))),
        Section("Provenance", (provenance_facts(result.provenance),)),
    )
    return Document(
        title=result.name,
        subtitle=f"{result.n} cases, {len(result.null)} relabellings",
        verdict=result.verdict,
        sections=sections,
        data=permutation_record(result),
    )


def _figures(result: PermutationTest) -> Table:
    columns = (
        Column(result.measure.title, numeric=True),
        Column("as good by chance", numeric=True),
        Column("relabellings", numeric=True),
        Column("p-value", numeric=True),
    )
    row = (
        f"{result.observed:.4g}",
        str(result.exceedances),
        str(len(result.null)),
        p_text(result.p_value).removeprefix("p = ").removeprefix("p "),
    )
    return Table(columns, (row,))


def _method(result: PermutationTest) -> list[Block]:
    e = result.evidence
    stop = " (stopped early: p = h / l, Besag and Clifford)" if result.stopped else ""
    text = (
        f"Null hypothesis: {e.null}. {result.plan}, {result.how}. p = (1 + c) / (1 + m), c of m "
        f"relabellings doing at least as well{stop}. Assumed: {'; '.join(e.assumptions)}. Judged "
        f"at level {level_text(result.level)}."
    )
    return [Paragraph(text), *([Paragraph(f"Mind: {e.flag}.")] if e.flag else [])]
