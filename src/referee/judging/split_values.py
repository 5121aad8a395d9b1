"""A measure split by split: what each fit of a validation scored on its own test cases."""

from __future__ import annotations

import numpy as np

from referee.core.arrays import Floats, Rows
from referee.core.predictions import Predictions
from referee.judging.mean_losses import case_losses
from referee.judging.quantity import Quantity
from referee.judging.ranked import Ranked
from referee.measures import Kind, confusion

__all__ = ["row_losses", "split_values"]

_ZERO_ONE = ("error", "accuracy")


def row_losses(table: Predictions, quantity: Quantity) -> Floats:
    """Return the loss of every row, for a measure that is a mean of them."""
    if quantity.measure.name in _ZERO_ONE:
        return table.wrong
    return case_losses(quantity.measure, table, quantity.positive, quantity.costs)


def split_values(table: Predictions, quantity: Quantity) -> Floats:
    """Return the measure of each split in order; nan where it is undefined there."""
    order = np.argsort(table.split, kind="stable")
    _, starts = np.unique(table.split[order], return_index=True)
    parts = np.split(order, starts[1:])
    return np.array([_value(_only(table, rows), quantity) for rows in parts])


def _only(table: Predictions, rows: Rows) -> Predictions:
    keep = np.zeros(len(table.case), dtype=bool)
    keep[rows] = True
    return table.rows(keep)


def _value(rows: Predictions, quantity: Quantity) -> float:
    measure = quantity.measure
    if quantity.is_mean_loss:
        loss = float(row_losses(rows, quantity).mean())
        return 1 - loss if measure.greater_is_better else loss
    if measure.kind is Kind.RANKING:
        return Ranked(table=rows, positive=quantity.positive, fits=1).value(measure)
    assert measure.of_matrix is not None
    at = (rows.classes.index(quantity.positive),) if measure.positive else ()
    return float(measure.of_matrix(confusion(rows), *at))
