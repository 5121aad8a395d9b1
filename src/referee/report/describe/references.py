"""The works that a paragraph for a paper cites."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from referee.comparing.methods_paragraph import REFERENCES
from referee.core.citations import Citation
from referee.intervals.catalogue import (
    AREA_INTERVALS,
    DIFFERENCE_INTERVALS,
    MEASURE_INTERVALS,
    RISK_INTERVALS,
)
from referee.report.document import Block, Paragraph

__all__ = ["cited", "methods_blocks"]

_OF_PERMUTATIONS = (
    Citation(
        "Ojala and Garriga 2010",
        "Ojala, M. and Garriga, G. C. (2010). Journal of Machine Learning Research 11, 1833-1863.",
    ),
    Citation(
        "Besag and Clifford 1991", "Besag, J. and Clifford, P. (1991). Biometrika 78, 301-304."
    ),
    Citation(
        "Phipson and Smyth 2010",
        "Phipson, B. and Smyth, G. K. (2010). Statistical Applications in Genetics and Molecular "
        "Biology 9, article 39.",
    ),
)


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
    for catalogue in catalogues:
        for method in catalogue.values():
            yield from method.citations
    yield from _OF_PERMUTATIONS
    for key, work in REFERENCES.items():
        yield Citation(key, work)


def methods_blocks(
    text: str, methods: Iterable[str] = (), own: Iterable[Citation] = ()
) -> tuple[Block, ...]:
    """Return a paragraph for a paper and the works it cites."""
    works = cited(text, own)
    paragraph = Paragraph(text, tuple(methods))
    return (paragraph, Paragraph("References: " + " ".join(works))) if works else (paragraph,)
