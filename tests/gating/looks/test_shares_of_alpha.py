"""Streams and looks together spend at most alpha, whichever strategy chooses them."""

from functools import cache
from itertools import product
from math import comb, exp, pi

import pytest

from referee.intervals.looks.answers import answer_log_weight, stream_log_weight

LONGEST = 24


@cache
def look(runs, changes):
    return exp(answer_log_weight(runs, changes))


@cache
def stream(number):
    return exp(stream_log_weight(number))


@cache
def dearest(runs, changes, streams, real):
    """Return the most that any strategy can spend from here on: every choice at every node.

    `real` is the transcript that happens: there a stream costs its share, in others nothing. A look
    costs its share in every transcript that could be. After each run come the same answer again, or
    one of two others.
    """
    if runs == LONGEST:
        return 0.0

    def after(begun):
        quiet = [dearest(runs + 1, changes + other, begun, False) for other in (0, 1, 1)]
        if not real:
            return sum(quiet)
        happens = [dearest(runs + 1, changes + other, begun, True) for other in (0, 1, 1)]
        return sum(quiet) + max(h - q for h, q in zip(happens, quiet, strict=True))

    choices = [after(streams) if runs else 0.0]  # another night of a version that was begun
    choices.append(after(streams + 1) + (stream(streams + 1) if real else 0.0))
    if runs:
        choices.append(after(streams) + look(runs, changes))
    return max(choices)


def test_no_strategy_spends_more_than_alpha():
    spent = dearest(0, 0, 0, True)
    assert 0.9 < spent <= 1  # nearly all of it can be spent, so nothing is given away for nothing


def test_all_strategies_of_a_few_runs_one_by_one():
    """The same without dynamic programming: every assignment of choices to every node."""
    nodes = [()] + [(a,) for a in range(3)]

    def cost(choices, real):
        total, streams = 0.0, 0
        for depth in range(2):
            if choices[real[:depth]] == "stream":
                streams += 1
                total += stream(streams)
        for node in nodes[1:]:
            if choices[node] == "look":
                total += look(1, int(node[0] != 0))
        return total

    dear = 0.0
    for rest in product(("stream", "look", "same"), repeat=3):
        choices = dict(zip(nodes, ("stream", *rest), strict=True))
        dear = max(dear, *(cost(choices, (a,)) for a in range(3)))
    # All three look but one that happens, which begins a second stream; or all look.
    assert dear == pytest.approx(
        max(
            stream(1) + stream(2) + look(1, 0) + look(1, 1),
            stream(1) + stream(2) + 2 * look(1, 1),
            stream(1) + look(1, 0) + 2 * look(1, 1),
        )
    )
    assert dear <= 1


def test_looks_of_one_length_sum_to_their_share():
    """By the count of transcripts: C(r, j) 2^j of them have j changes in r answers."""
    for runs in (1, 2, 7, 150):
        total = sum(comb(runs, j) * 2**j * look(runs, j) for j in range(runs + 1))
        assert total == pytest.approx(3 / (pi * (runs + 1)) ** 2)
