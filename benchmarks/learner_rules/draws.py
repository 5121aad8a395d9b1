"""From a data set to the few numbers that every rule is made of."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from benchmarks.learner_rules.learners import LEARNERS
from benchmarks.learner_rules.tasks import MirrorTask

__all__ = ["COLUMNS", "Splits", "drawn"]

REPETITIONS, FOLDS, HALVINGS, WITHIN = 10, 10, 40, 5

_PARTS = tuple(f"{what} {m}" for what in ("spread", "expected") for m in range(HALVINGS))

COLUMNS = ("n", "value", "of case", "of one", "between", "corrected", "collapsed", *_PARTS)
"""Mean difference, its variances, the corrected t's, and both sums of each halving."""


@dataclass(frozen=True, eq=False)
class Splits:
    """Who trains (splits by cases) and who is tested where, of both parts of the plan."""

    train: Any
    split: Any
    case: Any

    @classmethod
    def of(cls, fold: Any, inside: Any, folds: int) -> Splits:
        """Read the folds of every repetition; `inside` marks the cases that take part."""
        number = np.arange(folds)[None, :, None]
        test = (fold[:, None, :] == number) & inside[:, None, :]
        train = (inside[:, None, :] & ~test).reshape(-1, fold.shape[1])
        split, case = np.nonzero(test.reshape(train.shape))
        return cls(train, split, case)


def _dealt(y: Any, inside: Any, folds: Any, rng: np.random.Generator) -> Any:
    """Return folds of each row of `inside`, dealt class by class at random."""
    keys = np.where(inside, y + rng.random(inside.shape), 9.0)
    rank = np.argsort(np.argsort(keys, axis=1), axis=1)
    return rank % folds


def main_splits(y: Any, rng: np.random.Generator) -> Splits:
    """Return ten stratified 10-fold cross-validations."""
    inside = np.ones((REPETITIONS, len(y)), dtype=bool)
    return Splits.of(_dealt(y, inside, FOLDS, rng), inside, FOLDS)


def half_splits(y: Any, rng: np.random.Generator) -> tuple[Splits, Any]:
    """Return a stratified 5-fold cross-validation inside either half of every halving."""
    n, chosen = len(y), []
    while len(chosen) < HALVINGS:
        half = np.zeros(n, dtype=bool)
        half[rng.permutation(n)[: n // 2]] = True
        ones = y[half].sum()
        counts = (ones, half.sum() - ones, y.sum() - ones, (~half).sum() - (y.sum() - ones))
        chosen += [half] if min(counts) >= 2 else []
    inside = np.array([side for half in chosen for side in (half, ~half)])
    ones = (inside & (y == 1)).sum(axis=1)
    rarest = np.minimum(ones, inside.sum(axis=1) - ones)
    folds = np.clip(rarest, 2, WITHIN)[:, None]
    return Splits.of(_dealt(y, inside, folds, rng), inside, WITHIN), inside


def drawn(task: MirrorTask, learners: tuple[str, ...], seed: list[int]) -> dict[str, list[float]]:
    """Return the numbers of one data set for each learner; the splits are shared."""
    rng = np.random.default_rng(seed)
    y, blocks = task.draw(rng)
    main, (half, inside) = main_splits(y, rng), half_splits(y, rng)
    return {name: _numbers(name, y, blocks, main, half, inside) for name in learners}


def _numbers(name, y, blocks, main, half, inside):  # type: ignore[no-untyped-def]
    n = len(y)
    answers = [LEARNERS[name](X, y, main.train, main.split, main.case) for X in blocks]
    wrong = [(a != y[main.case]).astype(float) for a in answers]
    by_case = np.zeros((REPETITIONS, n))
    by_case[main.split // FOLDS, main.case] = wrong[0] - wrong[1]
    by_fold = np.bincount(main.split, weights=wrong[0] - wrong[1]) / np.bincount(main.split)
    collapsed = 0.0
    for a in answers:
        ones = np.bincount(main.split // FOLDS, weights=a)
        collapsed = max(collapsed, float(np.mean((ones == 0) | (ones == n))))
    of_half = _half_differences(name, y, blocks, half)
    total = np.where(inside, of_half, 0.0).sum(axis=1)
    many = inside.sum(axis=1)
    mean = total / many
    away = np.where(inside, of_half - mean[:, None], 0.0)
    variance = (away**2).sum(axis=1) / (many - 1) / many
    spread = (mean[::2] - mean[1::2]) ** 2
    expected = variance[::2] + variance[1::2]
    per_case = by_case.mean(axis=0)
    corrected = by_fold.var(ddof=1) * (1 / len(by_fold) + 1 / (FOLDS - 1))
    numbers = [
        n,
        per_case.mean(),
        per_case.var(ddof=1) / n,
        by_case.var(axis=1, ddof=1).mean() / n,
        by_case.mean(axis=1).var(ddof=1),
        corrected,
        collapsed,
    ]
    return [*map(float, numbers), *spread.tolist(), *expected.tolist()]


def _half_differences(name, y, blocks, half):  # type: ignore[no-untyped-def]
    wrong = [
        LEARNERS[name](X, y, half.train, half.split, half.case) != y[half.case] for X in blocks
    ]
    made = np.zeros((2 * HALVINGS, len(y)))
    made[half.split // WITHIN, half.case] = wrong[0].astype(float) - wrong[1]
    return made
