"""How much of the error alpha an answer of one of three kinds may spend, after many runs.

A gate answers *shown*, *worse* or *undecided*, and nothing else. Two kinds of runs share alpha:

- **Streams.** The k-th stream of cases that nobody has seen before spends alpha times
  u(1) = 6 / pi^2, u(k) = 3 / (pi k)^2 from the second on. Its cases are new whatever was answered
  before, so its error is at most that given the past, and over the streams of any one history these
  sum to at most alpha U, U = sum of u.
- **Looks** at known cases. Whoever chose the model has seen the answers before, so a look must hold
  for each transcript there can have been. An answer other than the last is a release; with j of
  them among r runs there were at most C(r, j) 2^j transcripts. The look that is run s = r + 1
  (s is at least 2: nothing is known before the first) spends alpha times

      w = [3 / (pi s)^2] [2^-(j+1) / (1 - 2^-(r+1))] / [C(r, j) 2^j].

  Over all transcripts of one length these sum to 3 / (pi s)^2, whichever of them look, so over all
  lengths to V = sum over s of 3 / (pi s)^2, from s = 2 on.

U + V = 1. A look is numbered by its run, not by how many hypotheses came before it: histories of
different lengths would else share a number, and their weights sum to more than 1. Streams and looks
have sums of their own because a stream is paid for by what happened and a look by what could have.

References
----------
Dwork, Feldman, Hardt, Pitassi, Reingold and Roth (2015), Generalization in adaptive data analysis
and holdout reuse. Blum and Hardt (2015), The Ladder.
"""

from __future__ import annotations

import math

from referee.errors import InputError
from referee.intervals.one_set.binomial_tail import log_choose

__all__ = ["answer_log_weight", "stream_log_weight"]


def stream_log_weight(number: int) -> float:
    """Return the logarithm of the share of alpha of the k-th stream of new cases, from 1.

    Examples
    --------
    >>> round(math.exp(stream_log_weight(1)), 4), round(math.exp(stream_log_weight(2)), 4)
    (0.6079, 0.076)
    """
    if number < 1:
        raise InputError("must be at least 1", argument="number", value=str(number))
    # Before the first run no case is known, so that share is not halved.
    return math.log(6 if number == 1 else 3) - 2 * math.log(math.pi * number)


def answer_log_weight(runs: int, changes: int, *, answers: int = 3) -> float:
    """Return the logarithm of the share of alpha of one look at known cases.

    Parameters
    ----------
    runs : int
        How many answers were given before, at least 1.
    changes : int
        How many of those differed from the one before; the first is held against *undecided*.
    answers : int
        How many kinds of answers there are.

    Examples
    --------
    The second run, after one that left it undecided, and the two hundredth of a model that was
    passed every night:

    >>> round(math.exp(answer_log_weight(1, 0)), 4)
    0.0507
    >>> f"{math.exp(answer_log_weight(199, 1)):.1e}"
    '4.8e-09'
    """
    if runs < 1:
        raise InputError(
            f"must be at least 1, got {runs}; no case is known before the first", argument="runs"
        )
    if not 0 <= changes <= runs:
        raise InputError(
            f"must lie between 0 and {runs} after as many runs",
            argument="changes",
            value=str(changes),
        )
    transcripts = log_choose(runs, changes) + changes * math.log(answers - 1)
    share = -changes * math.log(2) - math.log(2 - 0.5**runs)
    return math.log(3) - 2 * math.log(math.pi * (runs + 1)) + share - transcripts
