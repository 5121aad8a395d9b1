"""The works that a paragraph for a paper cites."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from referee.core.citations import Citation
from referee.intervals.catalogue import (
    AREA_INTERVALS,
    DIFFERENCE_INTERVALS,
    MEASURE_INTERVALS,
    RISK_INTERVALS,
)
from referee.intervals.scores.catalogue import MEAN_INTERVALS
from referee.intervals.scores.works import ANGELOPOULOS_2023
from referee.report.document import Block, Paragraph
from referee.significance.works import (
    BESAG_CLIFFORD_1991,
    MOGSTAD_2024,
    OBUCHOWSKI_1997,
    OJALA_GARRIGA_2010,
    PHIPSON_SMYTH_2010,
)

__all__ = ["cited", "methods_blocks"]


def cited(text: str, own: Iterable[Citation] = ()) -> list[str]:
    """Return the works a text cites, in the order of their authors.

    Parameters
    ----------
    own : citations
        Works besides those of the catalogues: of methods that a user brought along.

    Examples
    --------
    >>> cited("by the score interval (Wilson 1927)")
    ['Wilson, E. B. (1927). Journal of the American Statistical Association 22, 209-212.']
    """
    plain = " ".join(text.split())
    return sorted({c.work for c in (*_known(), *own) if c.key in plain or c.as_subject in plain})


def _known() -> Iterator[Citation]:
    catalogues = (RISK_INTERVALS, AREA_INTERVALS, DIFFERENCE_INTERVALS, MEASURE_INTERVALS)
    for catalogue in (*catalogues, MEAN_INTERVALS):
        for method in catalogue.values():
            yield from method.citations
    yield from (OJALA_GARRIGA_2010, BESAG_CLIFFORD_1991, PHIPSON_SMYTH_2010)
    yield from (ANGELOPOULOS_2023, MOGSTAD_2024, OBUCHOWSKI_1997)


def methods_blocks(
    text: str, methods: Iterable[str] = (), own: Iterable[Citation] = ()
) -> tuple[Block, ...]:
    """Return a paragraph for a paper and the works it cites."""
    works = cited(text, own)
    paragraph = Paragraph(text, tuple(methods))
    return (paragraph, Paragraph("References: " + " ".join(works))) if works else (paragraph,)
