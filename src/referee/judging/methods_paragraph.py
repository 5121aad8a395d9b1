"""The evaluation as a paragraph for the methods section of a paper, and the works it cites."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

import numpy as np

from referee.core.citations import Citation
from referee.core.results import Estimate
from referee.core.showing.counting import listed
from referee.core.showing.numbers import level_text, percent, quantities
from referee.intervals.area.area_interval import AreaInterval
from referee.intervals.catalogue import interval_method
from referee.intervals.interval_method import IntervalMethod
from referee.judging.settings import computed_with
from referee.measures import Measure

if TYPE_CHECKING:
    from referee.judging.evaluation import Evaluation

__all__ = ["assumed_by", "evaluation_paragraph", "intervals_used", "quantity_between", "works_used"]


def evaluation_paragraph(result: Evaluation) -> str:
    """Return what was done, in sentences that can stand in a paper."""
    e, measures = result.error, _measures(result)
    how = result.plan.description if result.plan else result.how
    first = measures.get(e.name)
    title = e.name if first is None else first.cited
    others = [m.cited for name, m in measures.items() if name != e.name]
    sentences = [
        f"We measured the {title} of {result.name} on {e.n} cases ({how}).",
        f"Beside it stand {listed(others, len(others))}." if others else "",
        _search(result),
        *_intervals(result),
        assumed_by(measures.values()),
        _rival(result),
        computed_with(result.provenance.seed),
    ]
    return " ".join(s for s in sentences if s)


def works_used(result: Evaluation) -> tuple[Citation, ...]:
    """Return the works that the paragraph cites."""
    used = [m for m in intervals_used(result).values() if m is not None]
    every = [*used, *_measures(result).values()]
    return tuple(sorted({work for method in every for work in method.citations}))


def intervals_used(result: Evaluation) -> dict[str, IntervalMethod | None]:
    """Return the methods of all intervals by name, one that a user brought along among them."""
    estimates = result.estimates.values()
    names = dict.fromkeys(e.interval.method for e in estimates if e.interval is not None)
    own = result.grounds.settings.interval if result.grounds else "auto"
    brought = {} if isinstance(own, str) else {own.name: own}
    return {name: brought.get(name) or interval_method(name) for name in names}


def assumed_by(measures: Iterable[Measure]) -> str:
    """Say what measures rest on, where they say so.

    Examples
    --------
    >>> from referee.measures import ERROR
    >>> assumed_by([ERROR])
    ''
    """
    sentences = [f"The {m.title} assumes: {'; '.join(m.assumptions)}." for m in measures
                 if m.assumptions]  # fmt: skip
    return " ".join(sentences)


def quantity_between(estimate: Estimate) -> str:
    """Write an estimate with its interval, in the digits that the interval can show."""
    i = estimate.interval
    if i is None or not i.width:
        return quantities(0.0, estimate.value)[0]
    value, low, high = quantities(i.width, estimate.value, i.low, i.high)
    return f"{value} ({low} to {high})"


def _measures(result: Evaluation) -> Mapping[str, Measure]:
    """Return the measures shown, by name; the bootstrap's variants of the error are none."""
    measures = {name: result.measure(name) for name in result.estimates}
    return {name: m for name, m in measures.items() if m is not None}


def _search(result: Evaluation) -> str:
    if result.search is None:
        return ""
    return (
        "The search inside it was repeated in every training set; on all rows it chose "
        f"{result.search.chosen}."
    )


def _intervals(result: Evaluation) -> list[str]:
    """Say which interval the first measure has and what it is about, and those of the others."""
    e, methods = result.error, intervals_used(result)
    measure = result.measure(e.name)
    title = e.name if measure is None else measure.title
    i = e.interval
    if i is None:
        return [f"There is no interval of the {title}: {e.reason}."] if e.reason else []
    titles = {name: name if m is None else m.cited for name, m in methods.items()}
    others = [cited for name, cited in titles.items() if name != i.method]
    rest = f"; other measures have {listed(others)}" if others else ""
    return [
        f"The {level_text(i.level)} interval of the {title} is {titles[i.method]}{rest}.",
        f"The interval of the {title} speaks about {i.target.sentence}.",
        *_areas_of_groups(result, methods),
    ]


def _areas_of_groups(result: Evaluation, methods: Mapping[str, IntervalMethod | None]) -> list[str]:
    """Return how the interval of an area counts cases that come in groups on one test set."""
    table = result.predictions
    area = any(isinstance(method, AreaInterval) for method in methods.values())
    if not area or result.plan is not None or table.groups is None or result.pos_label is None:
        return []
    positive = table.row_truth == table.classes.index(result.pos_label)
    groups = table.groups[table.case]
    fewer = min(len(np.unique(groups[kind])) for kind in (positive, ~positive))
    return [
        f"The cases come in {len(np.unique(groups))} groups; the variance of an area is that of "
        f"groups (Obuchowski 1997), with t quantiles at {max(fewer - 1, 1)} degrees of freedom."
    ]


def _rival(result: Evaluation) -> str:
    guessing = result.guessing
    if result.predictions.numeric:
        return f"The rival is {guessing.method}: {quantity_between(guessing)}."
    return f"Always giving the commonest answer errs on {percent(guessing.value)} of the cases."
