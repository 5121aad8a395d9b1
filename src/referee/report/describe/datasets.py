"""From a comparison over several data sets to a Document."""

from __future__ import annotations

import numpy as np

from referee.comparing.datasets.datasets_comparison import DatasetsComparison
from referee.core.showing.numbers import alike, level_text, p_number, p_text, percent
from referee.report.describe import describe, provenance_section
from referee.report.describe.references import methods_blocks
from referee.report.describe.trust import Used, trust_section, used_test
from referee.report.document import (
    Block,
    Column,
    Document,
    Findings,
    Headline,
    Paragraph,
    Ranks,
    Section,
    Table,
)
from referee.report.record import datasets_record
from referee.significance.datasets.dataset_test import Role
from referee.significance.datasets.friedman import FRIEDMAN
from referee.significance.datasets.iman_davenport import IMAN_DAVENPORT

__all__: list[str] = []

_MOST = 40


@describe.register
def _datasets(result: DatasetsComparison) -> Document:
    sections = [
        Section("Average ranks", (_ranks(result),)),
        Section("Evidence", tuple(_evidence(result))),
        Section("Scores", (_scores(result),)),
        Section("What this number of data sets can detect", (_reach(result),)),
        Section(
            "For the methods section of a paper",
            methods_blocks(result.methods, own=result.citations),
        ),
        trust_section(_used(result)),
        provenance_section(result.provenance),
    ]
    sections.insert(0, Section("How it was measured", (_measured(result),)))
    if result.findings:
        sections.insert(4, Section("Findings", (Findings(result.findings),)))
    way = "greater" if result.greater_is_better else "smaller"
    return Document(
        title=result.name,
        subtitle=f"{result.measure}, {way} is better",
        verdict=result.verdict,
        sections=tuple(sections),
        data=datasets_record(result),
        headline=_headline(result),
    )


def _measured(result: DatasetsComparison) -> Paragraph:
    how = result.how[:1].upper() + result.how[1:] if result.how else "Given scores"
    return Paragraph(
        f"{how}. What varies is the data set: each counts once, by the ranks of the models on it. "
        "Assumes: the data sets are independent draws from those the models are meant for."
    )


def _headline(result: DatasetsComparison) -> Headline:
    c = result.critical
    best = c.order[0]
    return Headline(
        f"{c.rank(best):.2f}",
        f"average rank of {best}, the best of {len(c.names)} on {c.n} data sets",
        f"critical difference {c.difference:.2f}",
        _diagram(result),
    )


def _diagram(result: DatasetsComparison) -> Ranks:
    c = result.critical
    tied = f"tied models were not shown to differ ({c.method}, {level_text(c.alpha)} level)"
    return Ranks(
        names=c.names,
        ranks=c.ranks,
        difference=c.difference,
        cliques=c.cliques,
        caption=f"average ranks over {c.n} data sets, 1 is best; {tied}",
    )


def _ranks(result: DatasetsComparison) -> Table:
    c = result.critical
    letters = {
        m: "".join(chr(ord("a") + i) for i, clique in enumerate(c.cliques[:26]) if m in clique)
        for m in c.names
    }
    means = alike([float(result.scores[m].mean()) for m in c.order])
    rows = tuple(
        (m, f"{c.rank(m):.2f}", mean, letters[m] or "–")
        for m, mean in zip(c.order, means, strict=True)
    )
    columns = (
        Column("model"),
        Column("average rank", numeric=True),
        Column("mean", numeric=True),
        Column("group"),
    )
    caption = (
        f"Models that share a letter were not shown to differ; critical difference "
        f"{c.difference:.2f} ({c.method})."
    )
    return Table(columns, rows, caption=caption)


def _evidence(result: DatasetsComparison) -> list[Block]:
    pair, every = result.tests[Role.PAIR], result.tests[Role.ALL]
    tested = {
        FRIEDMAN.called: result.friedman,
        IMAN_DAVENPORT.called: result.iman_davenport,
        every.called: result.omnibus,
    }
    stated = "; ".join(
        f"{name} = {e.statistic:.3g}, {p_text(e.p_value)}" for name, e in tested.items()
    )
    blocks: list[Block] = [Paragraph(f"All models alike: {stated}.")]
    rows = tuple(
        (
            f"{a} – {b}",
            f"{e.statistic:g}",
            p_number(e.p_value),
            p_number(result.signs[a, b].p_value),
        )
        for (a, b), e in list(result.pairs.items())[:_MOST]
    )
    columns = (
        Column("pair"),
        Column(pair.called, numeric=True),
        Column("adjusted p", numeric=True),
        Column("sign test p", numeric=True),
    )
    rest = len(result.pairs) - _MOST
    caption = (
        f"{pair.label or pair.title}, p raised by Holm's method; the sign test is not adjusted."
    )
    caption += f" {rest} more pairs: see frame()." if rest > 0 else ""
    blocks.append(Table(columns, rows, caption=caption))
    if result.posterior is not None:
        p, (a, b) = result.posterior, result.names
        blocks.append(
            Paragraph(
                f"Posterior (Bayesian signed rank): {a} better {percent(p.first_better)}, "
                f"equivalent {percent(p.equivalent)}, {b} better {percent(p.second_better)}."
            )
        )
    return blocks


def _scores(result: DatasetsComparison) -> Table:
    columns = (Column("data set"), *(Column(m, numeric=True) for m in result.names))
    frame = result.scores.head(_MOST)
    cells = np.reshape(alike(frame.to_numpy(dtype=float).ravel().tolist()), frame.shape)
    rows = tuple((str(i), *row) for i, row in zip(frame.index, cells.tolist(), strict=True))
    rest = len(result.scores) - _MOST
    return Table(columns, rows, caption=f"{rest} more data sets: see scores." if rest > 0 else "")


def _reach(result: DatasetsComparison) -> Paragraph:
    c = result.critical
    largest = len(c.names) - 1
    if c.difference > largest:
        return Paragraph(
            f"Nothing: average ranks of {len(c.names)} models differ by {largest} at most, and on "
            f"{c.n} data sets they would have to differ by {c.difference:.2f}."
        )
    return Paragraph(
        f"On {c.n} data sets average ranks that differ by {c.difference:.2f} or more are told "
        f"apart, of {largest} that are possible; half that difference takes four times as many."
    )


def _used(result: DatasetsComparison) -> list[Used]:
    tests = (result.friedman, result.iman_davenport, result.omnibus, *result.pairs.values())
    further = [Used(name, "expected", "size") for name in (result.critical.method, "sign")]
    return [used_test(e) for e in tests] + further
