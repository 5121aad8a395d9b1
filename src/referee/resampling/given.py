"""Splits that somebody else decided: scikit-learn splitters, index pairs, a separate test set."""

from __future__ import annotations

from collections.abc import Iterable
from copy import deepcopy
from dataclasses import dataclass
from typing import Any

import numpy as np

from referee.core.arrays import Rows
from referee.core.dataset import Dataset
from referee.core.plan import Plan, Split
from referee.core.randomness import Seed
from referee.errors import PlanError
from referee.resampling.quietly import quietly
from referee.resampling.scheme import make_plan

__all__ = ["FromPairs", "FromSplitter", "TestRows", "seeded_splitter"]


@dataclass(frozen=True)
class FromSplitter:
    """Any scikit-learn splitter, used as it is; a shuffling one without a seed gets the plan's.

    Examples
    --------
    >>> from sklearn.model_selection import KFold
    >>> data = Dataset.of([[float(i)] for i in range(10)], [0, 1] * 5)
    >>> FromSplitter(KFold(5)).plan(data).description
    'KFold(n_splits=5, random_state=None, shuffle=False)'
    """

    splitter: Any

    def plan(self, data: Dataset, seed: Seed = 0) -> Plan:
        """Return the splitter's splits, and one fit on all rows."""
        placeholder = np.zeros((data.n, 1))
        try:
            with quietly("The least populated class", "The groups parameter is ignored"):
                pairs = list(
                    seeded_splitter(self.splitter, seed).split(placeholder, data.y, data.groups)
                )
        except ValueError as problem:
            raise PlanError(
                f"{self.splitter!r} cannot split these data: {problem}", concerning="by"
            ) from problem
        text = " ".join(repr(self.splitter).split())
        return make_plan(data, _splits(pairs), "splitter", text)


@dataclass(frozen=True)
class FromPairs:
    """Pairs of (training rows, test rows).

    Examples
    --------
    >>> data = Dataset.of([[0.0], [1.0], [2.0]], ["a", "b", "a"])
    >>> FromPairs([([0, 1], [2])]).plan(data).description
    '1 given split'
    """

    pairs: Iterable[tuple[Any, Any]]

    def plan(self, data: Dataset, seed: Seed = 0) -> Plan:
        """Return the given splits, and one fit on all rows where there are several."""
        splits = _splits(self.pairs)
        if not splits:
            raise PlanError(
                "index pairs must hold at least one (training rows, test rows)",
                concerning="by",
                value="[]",
            )
        text = f"{len(splits)} given split{'s' if len(splits) != 1 else ''}"
        return make_plan(data, splits, "splitter", text)


@dataclass(frozen=True)
class TestRows:
    """A separate test set that follows the training rows: the test-set method.

    Parameters
    ----------
    n_train : int
        The first so many rows train; the others test.
    """

    __test__ = False

    n_train: int

    def plan(self, data: Dataset, seed: Seed = 0) -> Plan:
        """Return the one split."""
        if not isinstance(self.n_train, (int, np.integer)) or not 0 < self.n_train < data.n:
            raise PlanError(
                "must leave both parts rows",
                argument="n_train",
                value=f"{self.n_train} of {data.n}",
            )
        split = Split(np.arange(self.n_train), np.arange(self.n_train, data.n))
        if not np.isin(data.codes[split.test], data.codes[split.train]).any():
            raise PlanError(
                "no class of the test rows occurs in the training rows",
                concerning="y_test",
                remedy="check that both have the same target",
            )
        text = f"trained on {self.n_train} rows, tested on the {len(split.test)} of the test set"
        return make_plan(data, [split], "test-set", text)


def seeded_splitter(splitter: Any, seed: Seed) -> Any:
    """Return the splitter, or a seeded copy of one that would draw anew at every call.

    Examples
    --------
    >>> from sklearn.model_selection import KFold
    >>> seeded_splitter(KFold(3, shuffle=True), 7), seeded_splitter(5, 7)
    (KFold(n_splits=3, random_state=7, shuffle=True), 5)
    """
    unseeded = getattr(splitter, "random_state", seed) is None
    if not unseeded or not getattr(splitter, "shuffle", True):
        return splitter
    copy = deepcopy(splitter)
    copy.random_state = seed
    return copy


def _splits(pairs: Iterable[tuple[Any, Any]]) -> list[Split]:
    seen: dict[int, int] = {}
    splits = []
    for number, pair in enumerate(pairs):
        try:
            train, test = (_rows(part) for part in pair)
        except (TypeError, ValueError):
            raise PlanError(
                f"split {number} must be a pair (training rows, test rows) of row numbers",
                value=repr(pair),
            ) from None
        # The k-th time a case is tested belongs to repetition k.
        repetition = max((seen.get(int(t), 0) for t in test), default=0)
        for t in test:
            seen[int(t)] = seen.get(int(t), 0) + 1
        splits.append(Split(train, test, repetition))
    return splits


def _rows(part: Any) -> Rows:
    rows = np.asarray(part)
    if rows.dtype == bool:
        rows = np.flatnonzero(rows)
    if rows.ndim != 1 or (rows.size and rows.dtype.kind not in "iu"):
        raise TypeError
    return rows.astype(np.intp)
