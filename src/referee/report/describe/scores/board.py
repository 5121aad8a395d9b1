"""How a board is told: tiers and rank intervals, who is not told apart from whom."""

from __future__ import annotations

import math

from referee.comparing.scores.standings import Board, Place
from referee.core.scores.score_numbers import Writing
from referee.core.showing.numbers import level_text, p_number
from referee.report.describe import describe, provenance_section
from referee.report.describe.references import methods_blocks
from referee.report.describe.scores.score_records import board_record
from referee.report.describe.scores.scores import score_bars
from referee.report.describe.trust import Used, trust_section, used_interval
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

__all__: list[str] = []

_MOST_PAIRS = 45


@describe.register
def _board(result: Board) -> Document:
    sections = [
        Section("Places", tuple(_places(result))),
        Section("How it was measured", tuple(_measured(result))),
        Section("Pairs", (_pairs(result),)),
    ]
    if result.findings:
        sections.append(Section("Findings", (Findings(result.findings),)))
    sections += [
        Section("For the methods section of a paper", methods_blocks(result.methods)),
        trust_section(_used(result)),
        provenance_section(result.provenance),
    ]
    return Document(
        title=result.name,
        subtitle=f"mean {result.scores.name}, {result.how}",
        verdict=result.verdict,
        sections=tuple(sections),
        data=board_record(result),
        headline=_headline(result),
    )


def _headline(result: Board) -> Headline:
    first = result.places[0]
    e, write = first.estimate, _writing(first, result)
    between = ""
    if e.interval is not None:
        i = e.interval
        between = f"{level_text(i.level)} interval {write.span(i.low, i.high)}"
    what = f"mean {result.scores.name} of {first.name}, the best here"
    return Headline(write.value(e.value), what, between, _line(result))


def _line(result: Board) -> Ranks | None:
    """Return the models on a line from the best mean to the worst, tied where not told apart."""
    means = [p.estimate.value for p in result.places]
    best, worst = means[0], means[-1]
    k = len(means)
    if best == worst or any(math.isnan(m) for m in means):
        return None

    def at(value: float) -> float:
        return 1 + (value - best) / (worst - best) * (k - 1)

    write = Writing(result.scores.percent, abs(best - worst))
    return Ranks(
        names=tuple(p.name for p in result.places),
        ranks=tuple(at(m) for m in means),
        difference=0.0,
        cliques=result.groups,
        caption=f"mean {result.scores.name}, best on the left; models under one bar were not shown "
        f"to differ ({level_text(1 - result.level)} level for all pairs)",
        texts=tuple(write.value(m) for m in means),
        marks=tuple((at(v), text) for v, text in _round_marks(best, worst, result.scores.percent)),
    )


def _round_marks(best: float, worst: float, shares: bool) -> list[tuple[float, str]]:
    """Return a few round numbers between the best and the worst, and how they are written.

    Examples
    --------
    >>> _round_marks(0.866, 0.204, True)
    [(0.8, '80 %'), (0.6, '60 %'), (0.4, '40 %')]
    >>> _round_marks(1.13, 1.187, False)
    [(1.14, '1.14'), (1.16, '1.16'), (1.18, '1.18')]
    """
    low, high = min(best, worst), max(best, worst)
    power = 10.0 ** math.floor(math.log10(high - low))
    steps = (power / 5, power / 2, power, 2 * power)
    step = next((s for s in steps if (high - low) / s <= 4), steps[-1])
    inner = range(math.ceil(low / step - 1e-9), math.floor(high / step + 1e-9) + 1)
    digits = max(0, -math.floor(math.log10(step * (100 if shares else 1)) + 1e-9))
    marks = [round(k * step, 12) for k in inner]
    marks = marks[::-1] if best > worst else marks
    if shares:
        return [(m, f"{100 * m:.{digits}f} %") for m in marks]
    return [(m, f"{m:.{digits}f}") for m in marks]


def _places(result: Board) -> list[Block]:
    columns = (
        Column("tier", numeric=True),
        Column("model"),
        Column(f"mean {result.scores.name}", numeric=True),
        Column(f"{level_text(result.level)} interval", numeric=True),
        Column("rank", numeric=True),
        Column("rank interval", numeric=True),
        Column("behind", numeric=True),
        Column("p against the first", numeric=True),
    )
    rows = tuple(_row(p, result) for p in result.places)
    caption = (
        "No model of tier 1 was shown to be worse than another. Intervals of the means are of each "
        "model alone; the difference of two models is better known, as their items are the same. "
    )
    caption += (
        f"Rank intervals hold for all models at once, at the {level_text(result.level)} level."
        if result.family_wise
        else "p-values control false discoveries, so rank intervals promise no level."
    )
    shown = [(p.name, p.estimate, p.tier > 1) for p in result.places]
    bars = score_bars(shown, result.scores, result.level)
    return [*([bars] if bars else []), Table(columns, rows, caption=caption)]


def _row(p: Place, result: Board) -> tuple[str, ...]:
    i, write = p.estimate.interval, _writing(p, result)
    return (
        str(p.tier),
        p.name,
        write.value(p.estimate.value),
        write.span(i.low, i.high) if i else "–",
        str(p.rank),
        f"{p.best_rank} to {p.worst_rank}",
        write.size(p.behind).removesuffix(" points") if p.behind else "–",
        "–" if math.isnan(p.p_leader) else p_number(p.p_leader),
    )


def _measured(result: Board) -> list[Block]:
    way = "Greater" if result.scores.greater_is_better else "Smaller"
    paragraphs = [
        f"Mean over {result.how}; {way.lower()} is better.",
        f"All {len(result.p_adjusted)} pairs of models were compared on the items both have "
        f"({result.pairs.test}), p-values adjusted by {result.adjust}.",
    ]
    assumed = result.places[0].estimate.assumptions
    if assumed:
        paragraphs.append("Assumes: " + "; ".join(assumed) + ".")
    return [Paragraph(text) for text in paragraphs]


def _pairs(result: Board) -> Table:
    """Return the pairs that the first model is in and those of neighbours; all where few."""
    frame = result.pair_frame()
    shown = frame if len(frame) <= _MOST_PAIRS else frame[_telling(result)]
    columns = (
        Column("pair"),
        Column("difference", numeric=True),
        Column(f"{level_text(result.level)} interval", numeric=True),
        Column("p", numeric=True),
        Column("adjusted p", numeric=True),
    )
    rows = []
    for r in shown.to_dict("records"):
        none = math.isnan(r["low"])
        write = Writing(result.scores.percent, 0.0 if none else r["high"] - r["low"])
        between = "–" if none else write.apart(r["low"], r["high"]).removesuffix(" points")
        size = write.size(r["difference"], sign=True).removesuffix(" points")
        pair = f"{r['first']} – {r['second']}"
        rows.append((pair, size, between, p_number(r["p"]), p_number(r["p_adjusted"])))
    rest = len(frame) - len(rows)
    unit = "Differences in points. " if result.scores.percent else ""
    caption = f"{unit}Intervals are of each pair alone; what was shown goes by the adjusted p."
    caption += f" {rest} more pairs: see pair_frame()." if rest else ""
    return Table(columns, tuple(rows), caption=caption)


def _telling(result: Board) -> list[bool]:
    """Mark the pairs of neighbours in the order, and of the first model with its next ones."""
    rank = {p.name: number for number, p in enumerate(result.places)}
    frame = result.pair_frame()
    near = []
    for a, b in zip(frame["first"], frame["second"], strict=True):
        low, high = sorted((rank[a], rank[b]))
        near.append(high - low == 1 or (low == 0 and high < 10))
    kept = 0
    for number, keep in enumerate(near):
        kept += keep
        near[number] = keep and kept <= _MOST_PAIRS
    return near


def _used(result: Board) -> list[Used]:
    used = [
        Used(result.pairs.test, "fixed", "size"),
        Used(result.pairs.method, "fixed", "coverage"),
    ]
    return used + [
        used_interval(p.estimate.interval) for p in result.places if p.estimate.interval is not None
    ]


def _writing(p: Place, result: Board) -> Writing:
    i = p.estimate.interval
    return Writing(result.scores.percent, i.width if i else 0.0)
