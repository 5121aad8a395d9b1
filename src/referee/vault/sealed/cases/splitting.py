"""Which cases are sealed: a share of each class, whole groups together.

Messages name rows and never a class: a class that only sealed cases have is a secret.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Sequence

import numpy as np

from referee.core.arrays import Codes, Flags, Rows
from referee.core.randomness import Seed, child
from referee.errors import InputError, arg

__all__ = ["sealed_rows", "share_of"]

_TRIES = 20
_STEPS = 200_000


def share_of(text: str | float, argument: str = "test") -> float | None:
    """Return the share that a number or a percentage stands for; None for what is neither.

    Parameters
    ----------
    text : str or float
        As it was given.
    argument : str
        What it was given for, named where it is no share.

    Examples
    --------
    >>> share_of("20%"), share_of("0.25"), share_of(0.1), share_of("test.csv")
    (0.2, 0.25, 0.1, None)
    """
    if isinstance(text, str):
        match = re.fullmatch(r"\s*(\d+(?:\.\d*)?|\.\d+)\s*(%?)\s*", text)
        if match is None:
            return None
        share = float(match[1]) / (100 if match[2] else 1)
    else:
        share = float(text)
    if not 0 < share < 1:
        raise InputError(
            "must be a share strictly between 0 and 1, or a percentage",
            argument=argument,
            value=str(text),
            remedy="for example 20%",
        )
    return share


def sealed_rows(
    codes: Codes,
    share: float,
    groups: Codes | None,
    seed: Seed,
    place: Callable[[Sequence[int]], str],
) -> Flags:
    """Return which rows are sealed.

    Parameters
    ----------
    codes : array of int
        The class of each row.
    share : float
        Of the rows of each class.
    groups : array of int or None
        Rows with the same number go to the same side.
    seed : int
        The same seed seals the same rows.
    place : callable
        From rows to words, for messages.

    Examples
    --------
    >>> rows = sealed_rows(np.arange(20) % 2, 0.2, None, 0, str)
    >>> int(rows[::2].sum()), int(rows[1::2].sum())
    (2, 2)
    """
    rng = np.random.default_rng(child(seed, 0))
    chosen = _stratified(codes, share, rng) if groups is None else _whole(codes, share, groups, rng)
    inside = np.bincount(codes[chosen], minlength=codes.max() + 1)
    outside = np.bincount(codes[~chosen], minlength=codes.max() + 1)
    for counts, side in ((inside, "sealed"), (outside, "left to train on")):
        if not counts.all():
            rows = np.flatnonzero(codes == int(np.argmin(counts)))
            _refuse(rows, side, share, groups is not None, place)
    return chosen


def _refuse(
    rows: Rows, side: str, share: float, grouped: bool, place: Callable[[Sequence[int]], str]
) -> None:
    whole = " in whole groups" if grouped else ""
    remedy = "a larger" if side == "sealed" else "a smaller"
    raise InputError(
        f"{arg('test', share)} leaves a class out: no case of the class of {place(rows.tolist())} "
        f"would be {side}{whole}",
        concerning="test",
        remedy=f"take {remedy} share, merge rare classes, or give a test file",
    )


def _stratified(codes: Codes, share: float, rng: np.random.Generator) -> Flags:
    """Draw from each class its share; what rounding leaves goes to the largest remainders."""
    counts = np.bincount(codes)
    wanted = share * counts
    taken = np.floor(wanted).astype(np.intp)
    left = max(1, round(share * len(codes))) - int(taken.sum())
    remainders = np.where(taken < counts, wanted - taken, -1.0)
    # Classes with the same remainder take turns by chance.
    order = np.lexsort((rng.permutation(len(counts)), -remainders))
    taken[order[: max(0, left)]] += 1
    chosen = np.zeros(len(codes), dtype=bool)
    for code, number in enumerate(np.minimum(taken, counts)):
        chosen[rng.permutation(np.flatnonzero(codes == code))[:number]] = True
    return chosen


def _whole(codes: Codes, share: float, groups: Codes, rng: np.random.Generator) -> Flags:
    """Draw whole groups so that every class comes near to its share.

    Groups come in random order, each to the side that has less of its share by then; of several
    orders the one is taken whose classes come nearest.
    """
    table = np.zeros((int(groups.max()) + 1, int(codes.max()) + 1))
    np.add.at(table, (groups, codes), 1)
    tries = max(1, min(_TRIES, _STEPS // len(table)))
    draws = [_one_order(table, share, rng) for _ in range(tries)]
    off, best = min(draws, key=lambda draw: draw[0])
    if math.isinf(off):
        raise InputError(
            f"{arg('test', share)} of {len(table)} groups leaves no group on one side",
            concerning="test",
            remedy="take another share, or give a test file",
        )
    return best[groups]


def _one_order(table: np.ndarray, share: float, rng: np.random.Generator) -> tuple[float, Flags]:
    totals = table.sum(axis=0)
    weight = 1 / totals
    sealed = np.zeros(len(table), dtype=bool)
    balance = np.zeros(table.shape[1])  # share of each class sealed so far, beyond what is due
    for group in rng.permutation(len(table)):
        part = table[group] * weight
        up, down = balance + (1 - share) * part, balance - share * part
        sealed[group] = up @ up < down @ down
        balance = up if sealed[group] else down
    one_side = sealed.all() or not sealed.any()
    inside = table[sealed].sum(axis=0)
    absent = np.count_nonzero((inside == 0) | (inside == totals))
    off = math.inf if one_side else absent + float(np.sum((inside * weight - share) ** 2))
    return off, sealed
