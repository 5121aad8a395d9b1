"""Every cell of the calibration table: the founders' thirty, and fresh ones."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache
from itertools import product

from referee.errors import InputError, nearest
from referee.study.calibration.cell import (
    Cell,
    GroupCell,
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
    made = [*_founders(), *_fresh(), *_grouped(), *_pairs(), *_labels(), *_rankings()]
    return {cell.name: cell for cell in made}


def cells_named(names: Sequence[str] | None) -> list[Cell]:
    """Return cells by name; a name that ends in * stands for all that begin so.

    Examples
    --------
    >>> [cell.name for cell in cells_named(["lda, d 2*"])]
    ['lda, d 2, n 50', 'lda, d 2, n 100', 'lda, d 2, n 500']
    """
    if names is None:
        return list(catalogue().values())
    found: dict[str, Cell] = {}
    for name in names:
        some = {k: c for k, c in catalogue().items() if _matches(k, name)}
        if not some:
            hint = nearest(name, catalogue())
            raise InputError(f"cell {name!r} is unknown{hint}; a name may end in *, as 'lda*'")
        found |= some
    return list(found.values())


def _matches(name: str, wanted: str) -> bool:
    return name.startswith(wanted[:-1]) if wanted.endswith("*") else name == wanted


def _founders() -> Iterator[Cell]:
    """Two Gaussians at +-e1, Bayes error .1587: the cells our constants were chosen on."""
    slow = {("tree", 500): 40, ("svm", 500): 40, ("tree", 100): 60, ("tree", 50): 60}
    for title, (d, n) in product(("lda", "1nn", "5nn", "svm", "tree"), product((2, 10), _SIZES)):
        yield RiskCell(
            name=f"{title}, d {d}, n {n}",
            task=two_normals(1.0, d),
            learner={"5nn": "knn"}.get(title, title),
            size=n,
            origin="founders",
            repetitions=slow.get((title, n), 60 if n == 500 else 100),
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
    ("imbalance 1:20", _RARE, "lda", 200, 200),
    ("imbalance 1:20", _RARE, "knn", 200, 200),
    ("imbalance 1:20", _RARE, "logistic", 400, 50),
    ("t3 tails", HeavyTails(), "lda", 100, 200),
    ("t3 tails", HeavyTails(d=5), "svm", 100, 200),
    ("t3 tails", HeavyTails(d=5), "tree", 200, 80),
    ("p > n", _WIDE, "nb", 60, 200),
    ("p > n", _WIDE, "svm", 100, 200),
    ("p > n", _WIDE, "1nn", 60, 200),
    ("xor", Xor(), "knn", 100, 200),
    ("xor", Xor(spread=0.05), "tree", 30, 100),
    ("xor, flipped .1", Xor(flip=0.1), "tree", 100, 80),
    ("rings", Rings(), "svm", 100, 200),
    ("rings", Rings(), "1nn", 50, 200),
    ("three classes", _three(), "lda", 90, 200),
    ("three classes", _three(), "knn", 150, 200),
    ("bayes .02", _EASY, "lda", 100, 200),
    ("bayes .02", _EASY, "1nn", 50, 200),
    ("bayes .30", _HARD, "lda", 50, 200),
    ("bayes .30", _HARD, "tree", 100, 80),
    ("two normals", two_normals(1.0, 5), "logistic", 100, 50),
    ("two normals", two_normals(1.0, 10), _FOREST, 100, 30),
    ("imbalance 1:20", _RARE, _FOREST, 200, 30),
    ("three classes", _three(), _BOOSTING, 90, 20),
)


def _grouped() -> Iterator[Cell]:
    for title, n in (("lda", 200), ("1nn", 200), ("5nn", 100)):
        yield GroupCell(
            name=f"groups of 5, {title}, n {n}",
            task=two_normals(1.0, 3),
            learner={"5nn": "knn"}.get(title, title),
            size=n,
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
    ("lda", _MIDDLE, "lda", 100, 100),
    ("lda", _MIDDLE, "lda", 40, 100),
    ("weak, lda", _WEAK, "lda", 100, 100),
    ("nb", _MIDDLE, "nb", 100, 100),
    ("1nn", _MIDDLE, "1nn", 100, 100),
    ("5nn", _MIDDLE, "knn", 200, 100),
    ("1:10, lda", _TEN, "lda", 110, 100),
    ("1:10, nb", _TEN, "nb", 110, 100),
    ("t3 tails, lda", HeavyTails(d=3), "lda", 100, 100),
    ("t3 tails, 5nn", HeavyTails(d=3), "knn", 100, 100),
    ("xor, 5nn", Xor(d=3), "knn", 100, 100),
    ("svm", _MIDDLE, "svm", 80, 60),
    ("1:10, svm", _TEN, "svm", 110, 60),
    ("tree", _MIDDLE, "tree", 60, 40),
)
_UNEQUAL = (
    ("lda", "lda", 0.5, 100, 60),
    ("nb", "nb", 0.5, 100, 60),
    ("1nn", "1nn", 0.5, 100, 60),
    ("5nn", "knn", 0.35, 200, 60),
    ("svm", "svm", 0.5, 80, 40),
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
            repetitions=200,
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
