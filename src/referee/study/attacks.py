"""Attacks on a board that shows scores: ways to use its answers to look good on secret labels.

Every attack is a generator: it yields predictions (-1 or 1 for each case) and is sent what the
board showed for them, a share of errors, or None where it showed nothing. All but the last know
nothing about the labels but what the board tells, so their true error is one half throughout.

References
----------
Blum and Hardt (2015), The Ladder (boosting of random labels). Dinur and Nissim (2003), Revealing
information while preserving privacy (linear decoding). Dwork and others (2015), Science 349.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Generator
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np

from referee.core.arrays import Floats

__all__ = ["CATALOGUE", "Attack", "Moves"]

Moves: TypeAlias = Generator[Floats, "float | None", None]
"""Predictions come out, what the board showed goes in."""


@dataclass(frozen=True)
class Attack:
    """A way to use a board.

    Attributes
    ----------
    name : str
        How it is called in tables.
    does : str
        What it does, in a few words.
    moves : callable
        (cases, looks, step, generator) -> Moves; `step` is that of the board in cases, 0 where
        every score is shown.
    """

    name: str
    does: str
    moves: Callable[[int, int, float, np.random.Generator], Moves]


def _signs(n: int, rng: np.random.Generator) -> Floats:
    return np.where(rng.integers(0, 2, n) == 1, 1.0, -1.0)


def _boosting(n: int, looks: int, step: float, rng: np.random.Generator) -> Moves:
    """Submit random answers; let those that did better than half vote, and submit the vote."""
    votes = np.zeros(n)
    while True:
        guess = _signs(n, rng)
        shown = yield guess
        if shown is not None:
            votes += guess * np.sign(0.5 - shown)
        undecided = votes == 0
        yield np.where(undecided, _signs(n, rng), np.sign(votes))


def _decoding(n: int, looks: int, step: float, rng: np.random.Generator) -> Moves:
    """Submit random answers; solve the linear equations that their scores are, now and then."""
    guesses: list[Floats] = []
    agreement: list[float] = []
    solve_at = set(np.unique(np.geomspace(10, looks, 8).round().astype(int)).tolist())
    for look in range(1, looks + 1):
        if look in solve_at and guesses:
            shown = yield _solved(np.array(guesses), np.array(agreement), rng)
            continue
        guess = _signs(n, rng)
        shown = yield guess
        if shown is not None:
            guesses.append(guess)
            agreement.append(n * (1 - 2 * shown))


def _solved(guesses: Floats, agreement: Floats, rng: np.random.Generator) -> Floats:
    """Return the labels of least norm that agree so much with each guess, as signs."""
    gram = guesses @ guesses.T
    gram[np.diag_indices_from(gram)] += 1e-6 * guesses.shape[1]
    labels = guesses.T @ np.linalg.solve(gram, agreement)
    return np.where(labels == 0, _signs(len(labels), rng), np.sign(labels))


def _flips(n: int, looks: int, step: float, rng: np.random.Generator) -> Moves:
    """Turn over random answers of the best submission, and keep the new one when it is better.

    Where every score is shown, pairs are turned over. Where answers come in steps, as many as have
    the best chance to gain one: a gain of s cases by turning over m, at an error of 1/2 - g, is
    likeliest at m = s / (2 g). Until something was shown, new answers are drawn.
    """
    best, score = _signs(n, rng), 1.0
    while True:
        trial = _signs(n, rng) if score == 1 else best.copy()
        gain = max(0.5 - score + step / n / 2, 1 / n)
        size = min(n / 2, step / (2 * gain)) if step else 2.0
        if score < 1:
            trial[rng.choice(n, max(2, int(size)), replace=False)] *= -1
        shown = yield trial
        if shown is not None and shown < score:
            best, score = trial, shown


def _climbing(n: int, looks: int, step: float, rng: np.random.Generator) -> Moves:
    """Tune the weights of a linear rule on 20 features of noise, keeping what scores better."""
    features = rng.normal(size=(n, 20))
    weights, score = rng.normal(size=20), 1.0
    while True:
        trial = weights + 0.5 * rng.normal(size=20) * np.linalg.norm(weights) / math.sqrt(20)
        answers = np.sign(features @ trial)
        answers[answers == 0] = 1.0
        shown = yield answers
        if shown is not None and shown < score:
            weights, score = trial, shown


CATALOGUE: dict[str, Attack] = {
    attack.name: attack
    for attack in (
        Attack("boosting", "votes of random answers that did well", _boosting),
        Attack("decoding", "linear equations in the labels", _decoding),
        Attack("flips", "the best submission with some answers turned over", _flips),
        Attack("climbing", "a tuner that keeps what scores better", _climbing),
    )
}
"""Name -> attack; the labels are random, so every one of them errs half of the time."""
