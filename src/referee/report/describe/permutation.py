"""From a permutation test to a Document."""

from __future__ import annotations

from referee.core.showing.numbers import level_text, p_number, p_text
from referee.permuting.permutation_test import PermutationTest
from referee.report.describe import describe, provenance_section
from referee.report.describe.pictures.plan_picture import plan_grid
from referee.report.describe.references import methods_blocks
from referee.report.describe.trust import trust_section, used_test
from referee.report.document import (
    Block,
    Column,
    Document,
    Drawing,
    Headline,
    Paragraph,
    Section,
    Table,
)
from referee.report.record import permutation_record

__all__: list[str] = []


@describe.register
def _permutation_test(result: PermutationTest) -> Document:
    sections = (
        Section("How it was measured", tuple(_method(result))),
        Section("True labels among those of chance", (_figures(result),)),
        Section("What this number of relabellings can detect", (_reach(result),)),
        Section(
            "For the methods section of a paper",
            methods_blocks(result.methods, own=result.citations),
        ),
        trust_section([used_test(result.evidence)]),
        provenance_section(result.provenance),
    )
    return Document(
        title=result.name,
        subtitle=f"{result.n} cases, {len(result.null)} relabellings",
        verdict=result.verdict,
        sections=sections,
        data=permutation_record(result),
        headline=_headline(result),
    )


def _headline(result: PermutationTest) -> Headline:
    return Headline(
        p_text(result.p_value),
        f"{result.exceedances} of {len(result.null)} relabellings did as well as the true labels",
        picture=result.picture,
    )


def _reach(result: PermutationTest) -> Paragraph:
    m = len(result.null)
    least = 1 / (1 + m)
    alpha = 1 - result.level
    if least > alpha + 1e-12:
        reach = (
            f"too large to show anything at the {level_text(alpha)} level: use more relabellings"
        )
    else:
        reach = f"so structure could have been shown at the {level_text(alpha)} level"
    return Paragraph(f"The smallest p-value of {m} relabellings is {least:.2g}, {reach}.")


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
        p_number(result.p_value),
    )
    return Table(columns, (row,))


def _method(result: PermutationTest) -> list[Block]:
    e = result.evidence
    stop = " (stopped early: p = h / l, Besag and Clifford)" if result.stopped else ""
    text = (
        f"Null hypothesis: {e.null}. {result.plan}, {result.how}. p = (1 + c) / (1 + m), c of m "
        f"relabellings doing at least as well{stop}. Assumed: {'; '.join(e.assumptions)}. Judged "
        f"at the {level_text(1 - result.level)} level."
    )
    blocks: list[Block] = [Paragraph(text)]
    if result.grounds is not None:
        plan = result.grounds.plan
        blocks.append(Drawing(lambda: plan_grid(plan)))
    return blocks + ([Paragraph(f"Mind: {e.flag}.")] if e.flag else [])
