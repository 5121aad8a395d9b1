"""The confusion matrix of an evaluation as a picture."""

from __future__ import annotations

from referee.core.showing.pictures import Matrix
from referee.judging.evaluation import Evaluation
from referee.measures.formulas.confusion import confusion
from referee.report.document import Block, Paragraph

__all__ = ["confusion_block"]

_MOST_CLASSES = 60


def confusion_block(result: Evaluation) -> Block:
    """Return the matrix of cases the models had not seen, or why it is not drawn.

    Where cases were predicted several times, counts are means over the repetitions.
    """
    table = result.predictions.unseen
    if len(table.classes) > _MOST_CLASSES:
        return Paragraph(f"{len(table.classes)} classes are too many to draw; see confusion().")
    times = len(table.case) / len(table.cases)
    repeated = "" if times <= 1 else f", each predicted {times:.3g} times: means over repetitions"
    return Matrix(
        names=tuple(str(c) for c in table.classes),
        counts=tuple(tuple(row) for row in (confusion(table) / times).tolist()),
        caption=f"cases by true class (rows) and predicted class (columns){repeated}",
    )
