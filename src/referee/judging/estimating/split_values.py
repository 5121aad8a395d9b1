"""A measure split by split: what each fit of a validation scored on its own test cases."""

from __future__ import annotations

import numpy as np

from referee.core.arrays import Floats
from referee.core.predictions import Predictions
from referee.judging.estimating.functions import split_rows
from referee.judging.estimating.quantity import Quantity

__all__ = ["row_losses", "split_values"]


def row_losses(table: Predictions, quantity: Quantity) -> Floats:
    """Return the loss of every row, for a measure that is a mean of them."""
    return quantity.measure.losses(table, quantity.positive, quantity.costs)


def split_values(table: Predictions, quantity: Quantity) -> Floats:
    """Return the measure of each split in order; nan where it is undefined there."""
    parts = [table.rows(rows) for rows in split_rows(table)]
    values = np.array([_value(part, quantity) for part in parts])
    if np.isnan(values).all():
        largest = max(parts, key=lambda part: len(part.case))
        quantity.measure.value(largest, quantity.positive, quantity.costs)  # raises any error
    return values


def _value(rows: Predictions, quantity: Quantity) -> float:
    measure = quantity.measure
    if quantity.is_mean_loss:
        weight = None if rows.weight is None else rows.weight[rows.case]
        loss = float(np.average(row_losses(rows, quantity), weights=weight))
        return 1 - loss if measure.greater_is_better else loss
    if measure.of_matrix is not None:
        return measure.value(rows, quantity.positive, quantity.costs)
    return measure.quiet_value(rows, quantity.positive, quantity.costs)
