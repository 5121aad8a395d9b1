"""The paragraph for a paper on models over several data sets, and the works it cites."""

from __future__ import annotations

from collections.abc import Mapping

from referee.core.citations import Citation
from referee.core.showing.numbers import level_text
from referee.judging.settings import computed_with
from referee.significance.datasets.critical_difference import (
    CriticalDifference,
)
from referee.significance.datasets.dataset_test import DatasetTest, Role
from referee.significance.datasets.wilcoxon import WILCOXON
from referee.significance.multiplicity.holm import HOLM
from referee.significance.works import DEMSAR_2006

__all__ = ["cited_works", "methods_paragraph"]


def methods_paragraph(
    critical: CriticalDifference,
    tests: Mapping[Role, DatasetTest],
    measure: str,
    level: float,
    *,
    how: str,
    seed: int,
) -> str:
    """Return the paragraph: what was compared on how many data sets, and by which tests."""
    names = ", ".join(critical.names[:-1]) + f" and {critical.names[-1]}"
    measured = f" Each value comes from {how}; the seed was {seed}." if how else ""
    return (
        f"We compared {names} by {measure} on {critical.n} data sets.{measured} "
        f"{_tested(critical, tests, level_text(1 - level))} "
        f"{computed_with()}"
    )


def _tested(critical: CriticalDifference, tests: Mapping[Role, DatasetTest], alpha: str) -> str:
    pair = tests[Role.PAIR]
    if len(critical.names) == 2:
        exact = ", exact and two-sided" if pair is WILCOXON else ", two-sided"
        zeros = f", zeros split evenly {DEMSAR_2006.in_text}" if pair is WILCOXON else ""
        return f"The difference was tested with {pair.cited}{exact} at the {alpha} level{zeros}."
    control = critical.control
    which = "pairs" if control is None else f"{control} against each other model"
    beside = (
        "pairwise Wilcoxon signed rank tests" if pair is WILCOXON else f"for pairs {pair.cited}"
    )
    return (
        f"Equality was tested with {tests[Role.ALL].cited}, {which} by "
        f"{tests[Role.AFTER].cited}, both at the {alpha} level "
        f"{DEMSAR_2006.in_text}; {beside} adjusted by {HOLM.cited} are given beside."
    )


def cited_works(
    critical: CriticalDifference, tests: Mapping[Role, DatasetTest]
) -> tuple[Citation, ...]:
    """Return the works that the paragraph cites."""
    pair = tests[Role.PAIR]
    if len(critical.names) == 2:
        return tuple(sorted({*pair.citations, *((DEMSAR_2006,) if pair is WILCOXON else ())}))
    used = [tests[Role.ALL], tests[Role.AFTER], HOLM, *([] if pair is WILCOXON else [pair])]
    return tuple(sorted({DEMSAR_2006, *(work for t in used for work in t.citations)}))
