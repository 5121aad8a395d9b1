"""Every cell of the calibration table: the founders' thirty, and fresh ones."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache
from itertools import product

from referee.errors import InputError, nearest
from referee.study.calibration.cell import (
    Cell,
    GroupCell,
    LossCell,
    NullCell,
    PairCell,
    RankingCell,
    RiskCell,
)
from referee.study.tasks.examples import separation_for, two_normals
from referee.study.tasks.gaussian_task import GaussianTask
from referee.study.tasks.known import HeavyTails, Rings, Xor, imbalanced, more_features_than_cases
from referee.study.tasks.task import Task

__all__ = ["QUICK", "catalogue", "cells_named"]

_FOREST = "sklearn.ensemble:RandomForestClassifier(n_estimators=10)"
_BOOSTING = "sklearn.ensemble:GradientBoostingClassifier(n_estimators=10, max_depth=2)"

_FAST, _SLOW = 1000, 300
"""Data sets of a cell, for learners that train in a moment and for others."""

_BY_NAME = 400
"""Data sets of a cell that tries intervals which are used by name."""

QUICK = (
    "lda, d 2, n 50",
    "5nn, d 10, n 100",
    "imbalance 1:20, lda, n 200",
    "p > n, nb, n 60",
    "groups of 5, lda, n 200",
    "equal: lda, n 100",
    "power: lda, n 100",
    "no structure, lda, n 60",
    "auc .98, 10 + 10",
)
"""Cells of the quick form, one of each kind at least."""


@cache
def catalogue() -> dict[str, Cell]:
    """Return every cell by its name."""
    cells = [*_founders(), *_fresh(), *_grouped(), *_pairs(), *_labels(), *_rankings(), *_tests()]
    return {cell.name: cell for cell in cells}


def cells_named(names: Sequence[str] | None) -> list[Cell]:
    """Return cells by name; a name that ends in * stands for all that begin so.

    Examples
    --------
    >>> [cell.name for cell in cells_named(["lda, d 2*"])]
    ['lda, d 2, n 50', 'lda, d 2, n 100', 'lda, d 2, n 500']
    """
    if names is None:
        return list(catalogue().values())
    cells: dict[str, Cell] = {}
    for name in names:
        some = {k: c for k, c in catalogue().items() if _matches(k, name)}
        if not some:
            hint = nearest(name, catalogue())
            raise InputError(f"cell {name!r} is unknown{hint}; a name may end in *, as 'lda*'")
        cells |= some
    return list(cells.values())


def _matches(name: str, wanted: str) -> bool:
    return name.startswith(wanted[:-1]) if wanted.endswith("*") else name == wanted


def _founders() -> Iterator[Cell]:
    """Two Gaussians at +-e1, Bayes error .1587: the cells our constants were chosen on."""
    for title, (d, n) in product(("lda", "1nn", "5nn", "svm", "tree"), product((2, 10), _SIZES)):
        yield RiskCell(
            name=f"{title}, d {d}, n {n}",
            task=two_normals(1.0, d),
            learner={"5nn": "knn"}.get(title, title),
            size=n,
            origin="founders",
            repetitions=_SLOW if title == "tree" or (title, n) == ("svm", 500) else _FAST,
        )


_SIZES = (50, 100, 500)


def _fresh() -> Iterator[Cell]:
    for title, task, learner, n, repetitions in _FRESH:
        short = {_FOREST: "forest", _BOOSTING: "boosting", "knn": "5nn"}.get(learner, learner)
        yield RiskCell(
            name=f"{title}, {short}, n {n}",
            task=task,
            learner=learner,
            size=n,
            repetitions=repetitions,
        )


def _three() -> GaussianTask:
    return GaussianTask([[-1.5, 0.0], [1.5, 0.0], [0.0, 2.0]], [[1.0, 0.0], [0.0, 1.0]])


_EASY, _HARD = two_normals(separation_for(0.02), 5), two_normals(separation_for(0.30), 5)
_RARE = imbalanced(20.0, s=1.5)
_WIDE = more_features_than_cases()

_FRESH: tuple[tuple[str, Task, str, int, int], ...] = (
    ("imbalance 1:20", _RARE, "lda", 200, _FAST),
    ("imbalance 1:20", _RARE, "knn", 200, _FAST),
    ("imbalance 1:20", _RARE, "logistic", 400, _SLOW),
    ("t3 tails", HeavyTails(), "lda", 100, _FAST),
    ("t3 tails", HeavyTails(d=5), "svm", 100, _FAST),
    ("t3 tails", HeavyTails(d=5), "tree", 200, _SLOW),
    ("p > n", _WIDE, "nb", 60, _FAST),
    ("p > n", _WIDE, "svm", 100, _FAST),
    ("p > n", _WIDE, "1nn", 60, _FAST),
    ("xor", Xor(), "knn", 100, _FAST),
    ("xor", Xor(spread=0.05), "tree", 30, _SLOW),
    ("xor, flipped .1", Xor(flip=0.1), "tree", 100, _SLOW),
    ("rings", Rings(), "svm", 100, _FAST),
    ("rings", Rings(), "1nn", 50, _FAST),
    ("three classes", _three(), "lda", 90, _FAST),
    ("three classes", _three(), "knn", 150, _FAST),
    ("bayes .02", _EASY, "lda", 100, _FAST),
    ("bayes .02", _EASY, "1nn", 50, _FAST),
    ("bayes .30", _HARD, "lda", 50, _FAST),
    ("bayes .30", _HARD, "tree", 100, _SLOW),
    ("two normals", two_normals(1.0, 5), "logistic", 100, _SLOW),
    ("two normals", two_normals(1.0, 10), _FOREST, 100, _SLOW),
    ("imbalance 1:20", _RARE, _FOREST, 200, _SLOW),
    ("three classes", _three(), _BOOSTING, 90, _SLOW),
)


def _grouped() -> Iterator[Cell]:
    for title, n in (("lda", 200), ("1nn", 200), ("5nn", 100)):
        yield GroupCell(
            name=f"groups of 5, {title}, n {n}",
            task=two_normals(1.0, 3),
            learner={"5nn": "knn"}.get(title, title),
            size=n,
            repetitions=_FAST,
        )


def _pairs() -> Iterator[Cell]:
    for title, task, learner, n, repetitions in _EQUAL:
        yield PairCell(
            name=f"equal: {title}, n {n}",
            first=task,
            second=task,
            learner=learner,
            size=n,
            repetitions=repetitions,
        )
    for title, learner, gain, n, repetitions in _UNEQUAL:
        yield PairCell(
            name=f"power: {title}, n {n}",
            first=two_normals(0.7 + gain, 3),
            second=two_normals(0.7, 3),
            learner=learner,
            size=n,
            repetitions=repetitions,
        )


_MIDDLE, _WEAK = two_normals(1.0, 3), two_normals(0.3, 2)
_TEN = imbalanced(10.0, s=1.2, d=3)

_EQUAL: tuple[tuple[str, GaussianTask | HeavyTails | Xor, str, int, int], ...] = (
    ("lda", _MIDDLE, "lda", 100, _FAST),
    ("lda", _MIDDLE, "lda", 40, _FAST),
    ("weak, lda", _WEAK, "lda", 100, _FAST),
    ("nb", _MIDDLE, "nb", 100, _FAST),
    ("1nn", _MIDDLE, "1nn", 100, _FAST),
    ("5nn", _MIDDLE, "knn", 200, _FAST),
    ("1:10, lda", _TEN, "lda", 110, _FAST),
    ("1:10, nb", _TEN, "nb", 110, _FAST),
    ("t3 tails, lda", HeavyTails(d=3), "lda", 100, _FAST),
    ("t3 tails, 5nn", HeavyTails(d=3), "knn", 100, _FAST),
    ("xor, 5nn", Xor(d=3), "knn", 100, _FAST),
    ("svm", _MIDDLE, "svm", 80, _FAST),
    ("1:10, svm", _TEN, "svm", 110, _FAST),
    ("tree", _MIDDLE, "tree", 60, _SLOW),
)
_UNEQUAL = (
    ("lda", "lda", 0.5, 100, _FAST),
    ("nb", "nb", 0.5, 100, _FAST),
    ("1nn", "1nn", 0.5, 100, _FAST),
    ("5nn", "knn", 0.35, 200, _FAST),
    ("svm", "svm", 0.5, 80, _FAST),
)


def _labels() -> Iterator[Cell]:
    for title, learner, shift, n, group in (
        ("no structure, lda", "lda", 0.0, 60, 1),
        ("no structure, 5nn", "knn", 0.0, 40, 1),
        ("no structure, groups of 4, 1nn", "1nn", 0.0, 80, 4),
        ("structure, lda", "lda", 0.4, 60, 1),
    ):
        yield NullCell(
            name=f"{title}, n {n}",
            learner=learner,
            size=n,
            shift=shift,
            group=group,
            repetitions=_FAST,
        )


def _rankings() -> Iterator[Cell]:
    for auc, m, n, spread in (
        (0.80, 10, 10, 1.0),
        (0.90, 10, 10, 1.0),
        (0.98, 10, 10, 1.0),
        (0.98, 20, 20, 1.0),
        (0.98, 50, 50, 1.0),
        (0.98, 10, 200, 1.0),
        (0.90, 10, 200, 3.0),
    ):
        wider = "" if spread == 1 else f", positives {spread:g} times as wide"
        yield RankingCell(
            name=f"auc {auc:.2f}, {m} + {n}{wider}".replace("0.", "."),
            auc=auc,
            positives=m,
            negatives=n,
            spread=spread,
            repetitions=2000,
        )


def _tests() -> Iterator[Cell]:
    """Test sets of a fixed model, for intervals that no enumeration reaches."""
    for error, n in ((0.1, 30), (0.1, 100)):
        name = f"test set, error {error:.2g}, n {n}".replace("0.", ".")
        yield LossCell(name=name, error=error, size=n, repetitions=_BY_NAME)
    for groups, size in ((8, 10), (15, 6), (40, 5)):
        name = f"test set, {groups} groups of {size}"
        yield LossCell(name=name, error=0.2, size=groups * size, group=size, repetitions=_BY_NAME)
    yield LossCell(
        name="test set, one case in 50 weighs 50, n 300",
        error=0.2,
        size=300,
        heavy=50.0,
        repetitions=_BY_NAME,
    )
    for n in (50, 300):
        name = f"test set, hard times stay with .95, n {n}"
        yield LossCell(name=name, error=0.2, size=n, stay=0.95, repetitions=_BY_NAME)
