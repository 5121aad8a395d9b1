"""Weights: how much of the error alpha each look at a sealed test set may spend.

Before look k, after j releases, the person (or program) who chooses the next model has seen one
of at most C(k-1, j) C(J, j) transcripts: which of the looks were answered, and with which of the J
grid values, each better than the last. Whatever the strategy, a transcript fixes the next model.
So if look k spends alpha times

    w(k, j) = [6 / (pi k)^2] [2^-(j+1) / (1 - 2^-(m+1))] / [C(k-1, j) C(J, j)]

on each transcript, m = min(k-1, J) being the most releases there can have been, all of them
together spend alpha, and with probability 1 - alpha every interval ever shown holds. (The divisor
1 - 2^-(m+1) makes the shares of j = 0, ..., m sum to 1. Without it a first look, before which j
can only be 0, would waste half of what it may spend.)

Where the number of looks K is fixed in advance, 1/K takes the place of 6 / (pi k)^2. A single look
then costs nothing.

References
----------
Dwork, Feldman, Hardt, Pitassi, Reingold and Roth (2015), Generalization in adaptive data analysis
and holdout reuse. Blum and Hardt (2015), The Ladder: a reliable leaderboard for machine learning
competitions.
"""

from __future__ import annotations

import math

from referee.errors import InputError
from referee.intervals.one_set.binomial_tail import log_choose

__all__ = ["log_weight"]


def log_weight(look: int, releases: int, cells: int, *, looks: int | None = None) -> float:
    """Return log w: the share of alpha that one look may spend on what is known by then.

    Parameters
    ----------
    look : int
        The number of this look, from 1.
    releases : int
        How many of the looks before it released a value.
    cells : int
        How many values the grid has.
    looks : int or None
        How many looks there will be at most, where that was fixed before the first.

    Examples
    --------
    >>> round(math.exp(log_weight(1, 0, 31)), 4)
    0.6079
    >>> round(log_weight(1_000_000, 10, 31), 1)
    -176.4
    >>> log_weight(1, 0, 31, looks=1)
    0.0
    """
    _check(look, releases, cells, looks)
    transcripts = log_choose(look - 1, releases) + log_choose(cells, releases)
    turn = math.log(6) - 2 * math.log(math.pi * look) if looks is None else -math.log(looks)
    most = min(look - 1, cells)
    share = -releases * math.log(2) - math.log(2 - 0.5**most)
    return turn + share - transcripts


def _check(look: int, releases: int, cells: int, looks: int | None) -> None:
    if look < 1:
        raise InputError("must be at least 1", argument="look", value=str(look))
    if cells < 1:
        raise InputError("must be at least 1", argument="cells", value=str(cells))
    if not 0 <= releases <= min(look - 1, cells):
        raise InputError(
            f"must lie between 0 and {min(look - 1, cells)} before look {look} on a grid of "
            f"{cells} values",
            argument="releases",
            value=str(releases),
        )
    if looks is not None and look > looks:
        raise InputError(f"must be at most looks = {looks}", argument="look", value=str(look))
