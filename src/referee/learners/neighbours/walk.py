"""The walk: from lists over all cases to the nearest among each split's training rows, compiled."""

from __future__ import annotations

from typing import Any

import numpy as np

from referee.core.arrays import Floats, Rows
from referee.core.machine.compiling import compiled

__all__ = [
    "SETTLED",
    "SHORT",
    "TIED",
    "choice_matters",
    "count_rows",
    "in_training_order",
    "undecided",
    "walk",
]

SETTLED, TIED, SHORT = 0, 1, 2
"""What the walk of a pair of split and case came to: its neighbours are known; it is a matter of
ties which they are; the list is too short to tell."""


@compiled
def count_rows(train: Rows, times: Any) -> bool:
    """Count how often each row is trained on, from zeros; tell whether rows come in order."""
    back, total = np.int64(0), train[0]
    for i in range(1, len(train)):  # sums, which compile to vector instructions
        back += np.int64(train[i] <= train[i - 1])
        total += train[i]
    if back == 0 and len(train) == len(times) - 1:  # leave-one-out: all rows but one
        times[:] = 1
        times[len(times) * (len(times) - 1) // 2 - total] = 0
        return True
    ordered = True
    for i in range(len(train)):
        times[train[i]] += 1
        ordered &= i == 0 or train[i - 1] <= train[i]
    return ordered


@compiled
def walk(
    which: Any,
    split: Any,
    test: Any,
    sizes: Any,
    times: Any,
    place: Any,
    reduced: Floats,
    rows: Any,
    relative: float,
    absolute: Floats,
    deepest: int,
    chosen: Any,
    reached: Floats,
    edges: Floats,
    status: Any,
) -> None:
    """Walk down lists, taking each row as often as it is trained on, until enough are found.

    Parameters
    ----------
    which : array of int
        The pairs to walk for.
    split, test, sizes : arrays of int, shape (pairs,)
        The split of each pair, its case, and how many neighbours vote.
    times : array of int, shape (splits, n)
        How often each row is trained on.
    place : array of int, shape (n,)
        The list of each case.
    reduced, rows : arrays of shape (lists, length)
        Cases, nearest first.
    relative, absolute : float, array of shape (n,)
        Reduced distances are tied with one of v up to v (1 + relative) + absolute.
    deepest : int
        Lists shorter than this must hold all tied rows.
    chosen : array of int, shape (pairs, most)
        Filled: rows that vote.
    reached : array of shape (pairs, most), or empty
        Filled, if there is room: their reduced distances.
    edges, status : arrays of shape (pairs,)
        Filled: the reduced distance of the last, where a list holds ties, and one of the states
        above.
    """
    length, n, kept = rows.shape[1], times.shape[1], len(reached) > 0
    clear, last = _clear(place, reduced, relative, absolute), chosen.shape[1] - 1
    for pair in which:
        # Elements, not parts of arrays, which would be counted references in every pair.
        s, line, need = split[pair], place[test[pair]], sizes[pair]
        at = count = before = 0
        while at < length and count < need:
            row, before = rows[line, at], count
            often = times[s, row]
            # Written even if the row is not trained on: the next one then takes its place.
            chosen[pair, count] = row
            chosen[pair, min(count + 1, last)] = row
            count = min(count + often, need)
            for repeat in range(before + 2, count):
                chosen[pair, repeat] = row
            if kept:
                reached[pair, before:count] = reduced[line, at]
            at += 1
        if count < need:
            status[pair] = SHORT
        elif clear[line]:
            status[pair] = SETTLED if at < length or length == n else SHORT
        else:
            values, slack = reduced[line], absolute[test[pair]]
            spare = times[s, rows[line, at - 1]] > count - before
            tied = _tied(values, rows[line], times[s], at, spare, relative, slack)
            limit = values[at - 1] * (1 + relative) + slack
            cut = length < n and values[length - 1] <= limit
            short = cut and (length < deepest or not tied)
            edges[pair] = values[at - 1]
            status[pair] = SHORT if short else TIED if tied else SETTLED


@compiled
def _clear(place: Any, reduced: Floats, relative: float, absolute: Floats) -> Any:
    """Tell which lists hold no two distances that count as equal."""
    clear = np.zeros(len(reduced), dtype=np.bool_)
    for case in range(len(place)):
        if place[case] >= 0:
            values, apart = reduced[place[case]], True
            for at in range(1, len(values)):
                apart &= values[at] > values[at - 1] * (1 + relative) + absolute[case]
            clear[place[case]] = apart
    return clear


@compiled
def _tied(
    values: Floats, line: Any, times_of: Any, at: int, spare: bool, relative: float, slack: float
) -> bool:
    """Tell whether other rows could have been taken than the first `at` of a list.

    Repeats of the last row that were not taken, if it has some to spare, compete with other rows at
    the same distance.
    """
    edge = values[at - 1]
    if spare:
        back = at - 2
        while back >= 0 and values[back] * (1 + relative) + slack >= edge:
            if times_of[line[back]] > 0:
                return True
            back -= 1
    limit = edge * (1 + relative) + slack
    while at < len(values) and values[at] <= limit:
        if times_of[line[at]] > 0:
            return True
        at += 1
    return False


@compiled
def in_training_order(
    which: Any,
    test: Any,
    sizes: Any,
    train: Rows,
    place: Any,
    reduced: Floats,
    rows: Any,
    chosen: Any,
    edges: Floats,
) -> None:
    """Settle the ties of one split: of equally distant rows those that come first in training."""
    n = len(place)
    first, after = np.full(n, -1, dtype=np.int64), np.empty(len(train), dtype=np.int64)
    for position in range(len(train) - 1, -1, -1):
        after[position] = first[train[position]]
        first[train[position]] = position
    for pair in which:
        line, values = rows[place[test[pair]]], reduced[place[test[pair]]]
        start, sure = np.searchsorted(values, edges[pair]), 0
        for at in range(start):
            position = first[line[at]]
            while position >= 0:
                sure += 1
                position = after[position]
        positions = np.full(sizes[pair] - sure, len(train), dtype=np.int64)
        for at in range(start, len(line)):
            if values[at] > edges[pair]:
                break
            position = first[line[at]]
            while position >= 0 and position < positions[-1]:
                _put(positions, position)
                position = after[position]
        for at in range(len(positions)):
            chosen[pair, sure + at] = train[positions[at]]


@compiled
def _put(positions: Any, position: int) -> None:
    at = len(positions) - 1
    while at > 0 and positions[at - 1] > position:
        positions[at] = positions[at - 1]
        at -= 1
    positions[at] = position


@compiled
def undecided(
    which: Any,
    split: Any,
    test: Any,
    sizes: Any,
    times: Any,
    place: Any,
    reduced: Floats,
    rows: Any,
    relative: float,
    absolute: Floats,
    edges: Floats,
    codes: Any,
    k: int,
    shares: bool,
    answer: Any,
) -> None:
    """Tell for which tied pairs the choice among tied rows matters, given one column of labels.

    It matters if another class could win, or, where `shares` are asked for, if shares could
    differ. Lists that end within the ties count as undecided.
    """
    sure, open_ = np.empty(k, dtype=np.int64), np.empty(k, dtype=np.int64)
    n, length = times.shape[1], rows.shape[1]
    for i in range(len(which)):
        pair = which[i]
        line, values = rows[place[test[pair]]], reduced[place[test[pair]]]
        slack = absolute[test[pair]]
        edge = edges[pair]
        limit = edge * (1 + relative) + slack
        if length < n and values[length - 1] <= limit:
            answer[i] = True
            continue
        sure[:] = 0
        open_[:] = 0
        for at in range(length):
            if values[at] > limit:
                break
            weight = times[split[pair], line[at]]
            if values[at] * (1 + relative) + slack < edge:
                sure[codes[line[at]]] += weight
            else:
                open_[codes[line[at]]] += weight
        answer[i] = choice_matters(sure, open_, sizes[pair] - sure.sum(), shares)


@compiled
def choice_matters(sure: Any, open_: Any, left: int, shares: bool) -> bool:
    """Tell whether the choice of `left` voters among the open ones matters, given sure votes."""
    total = open_.sum()
    if open_.max() == total:
        return False
    if shares:
        return True
    for c in range(len(sure)):
        least = sure[c] + max(0, left - (total - open_[c]))
        wins = True
        for other in range(len(sure)):
            most = sure[other] + min(left, open_[other])
            if other != c and (most > least or (most == least and other < c)):
                wins = False
        if wins:
            return False
    return True
