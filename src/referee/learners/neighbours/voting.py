"""Voting: from the labels of the nearest rows to posteriors M_k / M, and the tie rule."""

from __future__ import annotations

from typing import Any

import numpy as np

from referee.core.arrays import Codes, Floats
from referee.errors import InputError

__all__ = ["check_weights", "posteriors", "votes", "weights_of"]


def check_weights(weights: Any) -> None:
    """Refuse weights that are neither known nor a function."""
    if not callable(weights) and weights not in ("uniform", "distance"):
        raise InputError(
            "must be 'uniform', 'distance' or a function of distances",
            argument="weights",
            value=repr(weights),
        )


def weights_of(distances: Floats, weights: Any) -> Floats | None:
    """Return what each neighbour's vote counts, None where all count the same.

    "distance" is 1 / d; rows at distance 0, if there are any, have the only votes, one each. A
    function gets the distances, a line for each query, nearest first.

    Examples
    --------
    >>> weights_of(np.array([[1.0, 2.0], [0.0, 3.0]]), "distance").tolist()
    [[1.0, 0.5], [1.0, 0.0]]
    """
    if isinstance(weights, str):
        if weights == "uniform":
            return None
        with np.errstate(divide="ignore"):
            inverse = 1.0 / distances
        at_zero = np.isinf(inverse)
        same = at_zero.any(axis=1)
        inverse[same] = at_zero[same]
        return np.asarray(inverse)
    given = np.asarray(weights(distances), dtype=float)
    if given.shape != distances.shape:
        raise InputError(
            f"must return an array of the shape of the distances, {distances.shape}",
            argument="weights",
            value=str(given.shape),
        )
    if not np.isfinite(given).all() or (given < 0).any() or not (given > 0).any(axis=1).all():
        raise InputError(
            "must return finite numbers that are not negative, one of them positive for each case",
            argument="weights",
            remedy="change the function",
        )
    return given


def votes(codes: Codes, weights: Floats | None, k: int) -> Floats:
    """Return the votes for each of k classes, a line for each query.

    Examples
    --------
    >>> votes(np.array([[0, 1, 1]]), None, 2).tolist()
    [[1.0, 2.0]]
    """
    cells = codes + k * np.arange(len(codes))[:, None]
    flat = None if weights is None else weights.ravel()
    counted = np.bincount(cells.ravel(), weights=flat, minlength=k * len(codes))
    return counted.reshape(len(codes), k).astype(float, copy=False)


def posteriors(counted: Floats) -> Floats:
    """Return M_k / M: votes divided by their sum. The largest wins, the first among equals."""
    return np.asarray(counted / counted.sum(axis=1, keepdims=True))
