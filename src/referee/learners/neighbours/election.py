"""Elections: the votes of chosen neighbours counted for many columns of labels, compiled."""

from __future__ import annotations

from typing import Any

import numpy as np

from referee.core.arrays import Codes, Floats
from referee.core.machine.compiling import compiled

__all__ = ["elect", "elect_weighted", "small_codes"]

_MANY = 8
"""From this number of label columns on, comparing whole rows of labels pays."""


def small_codes(Y: Codes, k: int) -> Any:
    """Return labels in the smallest type that holds k classes, row by row."""
    return np.ascontiguousarray(Y, dtype=np.uint8 if k <= 256 else np.int32)


@compiled
def elect(
    chosen: Any, sizes: Any, Y: Any, k: int, predicted: Codes, scores: Floats, scored: bool
) -> None:
    """Write the class with most votes, the first among equals, and the shares of votes.

    Parameters
    ----------
    chosen : array of int, shape (pairs, most)
        Rows that vote, of which the first ``sizes[pair]`` count.
    Y : array of int, shape (n, m)
        Class codes.
    k : int
        The number of classes.
    predicted : array of int, shape (pairs, m)
        Filled.
    scores : array of shape (pairs, m, k)
        Filled where `scored`.
    """
    m = Y.shape[1]
    if m == 1:
        _elect_one(chosen, sizes, Y[:, 0], k, predicted[:, 0], scores, scored)
        return
    tally = np.zeros((k, m), dtype=np.int32)
    best = np.empty(m, dtype=np.int32)
    for pair in range(len(chosen)):
        tally[:] = 0
        if m < _MANY:
            for at in range(sizes[pair]):
                row = chosen[pair, at]
                for column in range(m):
                    tally[Y[row, column], column] += 1
        else:
            _compare(chosen[pair, : sizes[pair]], Y, tally)
        best[:] = tally[0]
        winner = predicted[pair]
        winner[:] = 0
        for c in range(1, k):
            counted = tally[c]
            for column in range(m):
                if counted[column] > best[column]:
                    best[column] = counted[column]
                    winner[column] = c
        if scored:
            for column in range(m):
                for c in range(k):
                    scores[pair, column, c] = tally[c, column] / sizes[pair]


@compiled
def _elect_one(
    chosen: Any, sizes: Any, labels: Any, k: int, predicted: Any, scores: Floats, scored: bool
) -> None:
    tally = np.zeros(k, dtype=np.int64)
    for pair in range(len(chosen)):
        if k == 2:  # one sum, without a branch
            second = np.int64(0)
            for at in range(sizes[pair]):
                second += labels[chosen[pair, at]]
            tally[0], tally[1] = sizes[pair] - second, second
            predicted[pair] = 2 * second > sizes[pair]
        else:
            predicted[pair] = _winner(chosen[pair, : sizes[pair]], labels, tally)
        if scored:
            for c in range(k):
                scores[pair, 0, c] = tally[c] / sizes[pair]


@compiled
def _winner(rows: Any, labels: Any, tally: Any) -> int:
    tally[:] = 0
    for row in rows:
        tally[labels[row]] += 1
    winner = 0
    for c in range(1, len(tally)):
        if tally[c] > tally[winner]:
            winner = c
    return winner


@compiled
def _compare(rows: Any, Y: Any, tally: Any) -> None:
    """Count class by class; loops over contiguous columns compile to vector instructions."""
    for c in range(len(tally)):
        counted = tally[c]
        for row in rows:
            labels = Y[row]
            for column in range(len(counted)):
                counted[column] += np.int32(labels[column] == c)


@compiled
def elect_weighted(
    chosen: Any,
    sizes: Any,
    weights: Floats,
    Y: Any,
    k: int,
    predicted: Codes,
    scores: Floats,
    scored: bool,
    margin: Floats,
) -> None:
    """Do as `elect`, with a weight for each vote; `margin` is the winner's lead, of all votes."""
    m = Y.shape[1]
    tally = np.zeros((k, m))
    for pair in range(len(chosen)):
        tally[:] = 0.0
        for at in range(sizes[pair]):
            row = chosen[pair, at]
            for column in range(m):
                tally[Y[row, column], column] += weights[pair, at]
        for column in range(m):
            winner, total, second = 0, 0.0, 0.0
            for c in range(k):
                total += tally[c, column]
                if tally[c, column] > tally[winner, column]:
                    winner = c
            for c in range(k):
                if c != winner:
                    second = max(second, tally[c, column])
            predicted[pair, column] = winner
            margin[pair, column] = (tally[winner, column] - second) / total
            if scored:
                for c in range(k):
                    scores[pair, column, c] = tally[c, column] / total
