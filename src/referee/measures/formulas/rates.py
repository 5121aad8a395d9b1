"""Measures read off a confusion matrix.

Every function takes one matrix, or a stack of them in the leading dimensions, with truth in the
rows; 0/0 is nan, never a silent 0. Functions of a positive class take its position.
"""

from __future__ import annotations

import numpy as np

from referee.core.arrays import Floats

__all__ = [
    "accuracy",
    "balanced_accuracy",
    "error",
    "f1",
    "f_beta",
    "false_negative_rate",
    "false_positive_rate",
    "informedness",
    "kappa",
    "macro_f1",
    "macro_precision",
    "matthews",
    "negative_predictive_value",
    "precision",
    "true_negative_rate",
    "true_positive_rate",
    "weighted_f1",
    "weighted_precision",
]


def accuracy(matrix: Floats) -> Floats:
    """Return the share of right answers.

    Examples
    --------
    >>> accuracy(np.array([[40, 10], [5, 45]])).item()
    0.85
    """
    return _ratio(_diagonal(matrix).sum(-1), matrix.sum((-1, -2)))


def error(matrix: Floats) -> Floats:
    """Return the share of wrong answers."""
    total = matrix.sum((-1, -2))
    return _ratio(total - _diagonal(matrix).sum(-1), total)


def balanced_accuracy(matrix: Floats) -> Floats:
    """Return the mean over classes of the share of its cases that were recognised."""
    return np.asarray(_ratio(_diagonal(matrix), matrix.sum(-1)).mean(-1))


def matthews(matrix: Floats) -> Floats:
    """Return Matthews' correlation of truth and prediction, for any number of classes.

    References
    ----------
    Gorodkin (2004), Computational Biology and Chemistry 28.

    Examples
    --------
    >>> round(matthews(np.array([[40, 10], [5, 45]])).item(), 6)
    0.703526
    """
    total = matrix.sum((-1, -2))
    truth, answers = matrix.sum(-1), matrix.sum(-2)
    agree = _diagonal(matrix).sum(-1) * total - (truth * answers).sum(-1)
    of_truth = _clear_of_zero(total**2 - (truth**2).sum(-1), total**2)
    of_answers = _clear_of_zero(total**2 - (answers**2).sum(-1), total**2)
    return _ratio(agree, np.sqrt(of_truth * of_answers))


def kappa(matrix: Floats) -> Floats:
    """Return Cohen's kappa: agreement beyond what the margins alone would give."""
    total = matrix.sum((-1, -2))
    chance = _ratio((matrix.sum(-1) * matrix.sum(-2)).sum(-1), total**2)
    return _ratio(accuracy(matrix) - chance, _clear_of_zero(1 - chance, 1.0))


def true_positive_rate(matrix: Floats, positive: int) -> Floats:
    """Return the share of positives that were recognised (sensitivity, recall)."""
    return _ratio(matrix[..., positive, positive], matrix[..., positive, :].sum(-1))


def false_negative_rate(matrix: Floats, positive: int) -> Floats:
    """Return the share of positives that were missed."""
    row = matrix[..., positive, :].sum(-1)
    return _ratio(row - matrix[..., positive, positive], row)


def true_negative_rate(matrix: Floats, positive: int) -> Floats:
    """Return the share of negatives that were left alone (specificity)."""
    negatives = _without(matrix, positive).sum(-1)
    return _ratio(negatives - _false_positives(matrix, positive), negatives)


def false_positive_rate(matrix: Floats, positive: int) -> Floats:
    """Return the share of negatives that were taken for positives."""
    return _ratio(_false_positives(matrix, positive), _without(matrix, positive).sum(-1))


def precision(matrix: Floats, positive: int) -> Floats:
    """Return the share of positive answers that were right."""
    return _ratio(matrix[..., positive, positive], matrix[..., :, positive].sum(-1))


def negative_predictive_value(matrix: Floats, positive: int) -> Floats:
    """Return the share of negative answers that were right."""
    missed = matrix[..., positive, :].sum(-1) - matrix[..., positive, positive]
    right = _without(matrix, positive).sum(-1) - _false_positives(matrix, positive)
    return _ratio(right, right + missed)


def f_beta(matrix: Floats, positive: int, beta: float = 1.0) -> Floats:
    """Return the weighted harmonic mean of precision and true positive rate.

    A beta above 1 weighs the true positive rate more.

    Examples
    --------
    >>> f_beta(np.array([[40, 10], [5, 45]]), 1, beta=2.0).round(4).item()
    0.8824
    """
    b = beta**2
    hits = (1 + b) * matrix[..., positive, positive]
    rest = b * matrix[..., positive, :].sum(-1) + matrix[..., :, positive].sum(-1)
    return _ratio(hits, rest)


def f1(matrix: Floats, positive: int) -> Floats:
    """Return the harmonic mean of precision and true positive rate."""
    return f_beta(matrix, positive)


def macro_precision(matrix: Floats) -> Floats:
    """Return the mean over classes of precision."""
    return np.asarray(_ratio(_diagonal(matrix), matrix.sum(-2)).mean(-1))


def weighted_precision(matrix: Floats) -> Floats:
    """Return the mean of the classes' precision, weighted by their cases."""
    cases = matrix.sum(-1)
    each = np.where(cases > 0, _ratio(_diagonal(matrix), matrix.sum(-2)), 0.0)
    return _ratio((each * cases).sum(-1), cases.sum(-1))


def macro_f1(matrix: Floats) -> Floats:
    """Return the mean over classes of F1, each class against the rest."""
    return np.asarray(_each_f1(matrix).mean(-1))


def weighted_f1(matrix: Floats) -> Floats:
    """Return the mean of the classes' F1, weighted by their cases."""
    cases = matrix.sum(-1)
    scores = np.where(cases > 0, _each_f1(matrix), 0.0)
    return _ratio((scores * cases).sum(-1), cases.sum(-1))


def _each_f1(matrix: Floats) -> Floats:
    return _ratio(2 * _diagonal(matrix), matrix.sum(-1) + matrix.sum(-2))


def informedness(matrix: Floats, positive: int) -> Floats:
    """Return true positive rate minus false positive rate (Youden's J)."""
    return true_positive_rate(matrix, positive) - false_positive_rate(matrix, positive)


def _clear_of_zero(difference: Floats, scale: Floats | float) -> Floats:
    """Return a difference, 0 where it is mere rounding: weights do not add up exactly."""
    return np.where(difference > 1e-14 * np.asarray(scale), difference, 0.0)


def _diagonal(matrix: Floats) -> Floats:
    return np.asarray(np.diagonal(matrix, axis1=-2, axis2=-1))


def _without(matrix: Floats, positive: int) -> Floats:
    return np.asarray(np.delete(matrix, positive, axis=-2).sum(-1))


def _false_positives(matrix: Floats, positive: int) -> Floats:
    return np.asarray(np.delete(matrix[..., :, positive], positive, axis=-1).sum(-1))


def _ratio(numerator: Floats, denominator: Floats) -> Floats:
    top, bottom = np.asarray(numerator, float), np.asarray(denominator, float)
    out = np.full(bottom.shape, np.nan)
    return np.asarray(np.divide(top, bottom, out=out, where=bottom > 0))
