"""Data as chance could have given them: labels shuffled or drawn, or columns shuffled by class.

Two null hypotheses (Ojala and Garriga). *labels*: labels have nothing to do with features; whole
labels are dealt anew. *features*: within a class, features have nothing to do with each other; each
column is shuffled within each class. A model that beats the first but not the second needs no
dependence between features, and a simpler one would do.

With groups, cases of a group are not exchangeable with others. Where every group has one label,
groups of equal size are dealt labels (`strata`); otherwise labels are shuffled within the groups.

References
----------
Ojala and Garriga (2010), Journal of Machine Learning Research 11, 1833-1863.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np

from referee.core.arrays import Codes, Features
from referee.core.dataset import Dataset
from referee.core.randomness import Seed, child
from referee.errors import InputError, arg, nearest
from referee.permuting.strata import filled, log_arrangements, log_labellings, size_strata

__all__ = ["DRAWS", "NULLS", "Permuting"]

NULLS = ("labels", "features")
"""What chance is supposed to have made."""

DRAWS = ("shuffled", "sampled")
"""Where new labels come from: the old ones in another order, or independent draws from p(y)."""


@dataclass(frozen=True, eq=False)
class Permuting:
    """How data are made that chance could have given.

    Attributes
    ----------
    data : Dataset
        The true one.
    null : {"labels", "features"}
    draw : {"shuffled", "sampled"}
        For the null "labels".
    seed : int
        Relabelling r depends on it and on r only.

    Examples
    --------
    >>> data = Dataset.of(np.arange(6.0)[:, None], ["a", "a", "a", "b", "b", "b"])
    >>> Permuting(data).codes(0).tolist(), Permuting(data).unit
    ([1, 1, 0, 0, 0, 1], 'cases')
    """

    data: Dataset
    null: str = "labels"
    draw: str = "shuffled"
    seed: Seed = 0

    def __post_init__(self) -> None:
        for name, value, known in (("null", self.null, NULLS), ("relabelling", self.draw, DRAWS)):
            if value not in known:
                raise InputError(
                    f"must be {' or '.join(repr(k) for k in known)}",
                    argument=name,
                    value=f"{value!r}{nearest(str(value), known)}",
                )
        if self.null == "features":
            if self.draw == "sampled":
                raise InputError(
                    f"{arg('relabelling', 'sampled')} goes with {arg('null', 'labels')} only",
                    concerning="relabelling",
                )
            if not self.data.classes:
                raise InputError(
                    f"{arg('null', 'features')} shuffles columns within the classes, and the "
                    "target holds none",
                    concerning="null",
                    remedy=f"use {arg('null', 'labels')}",
                )
            if self.data.groups is not None:
                raise InputError(
                    f"{arg('null', 'features')} shuffles columns case by case and cannot keep "
                    "groups whole",
                    concerning="null",
                    remedy=f"use {arg('null', 'labels')}",
                )
            if self.data.n_features < 2:
                raise InputError(
                    f"{arg('null', 'features')} asks how features go together, and X has one only",
                    concerning="null",
                    remedy=f"use {arg('null', 'labels')}",
                )
            _columns(self.data.X)
        elif self.draw == "sampled" and self.data.groups is not None:
            raise InputError(
                f"{arg('relabelling', 'sampled')} knows no groups",
                concerning="relabelling",
                remedy=f"use {arg('relabelling', 'shuffled')}",
            )

    @cached_property
    def coded(self) -> Dataset:
        """The data with a code for each distinct value of the target, whatever it holds."""
        if self.data.classes:
            return self.data
        _, codes = np.unique(self.data.y, axis=0, return_inverse=True)
        kinds = tuple(range(int(codes.max()) + 1))
        return replace(self.data, classes=kinds, codes=codes.ravel().astype(np.intp))

    @property
    def unit(self) -> str:
        """What is dealt anew: "cases", "groups" (of equal size), or "cases within groups"."""
        if self.data.groups is None:
            return "cases"
        if not _one_label_each(self.coded):
            return "cases within groups"
        if len(np.unique(self._sizes)) == 1:
            return "groups"
        return "groups of any size" if self.mixes_sizes else "groups of equal size"

    @property
    def mixes_sizes(self) -> bool:
        """Whether groups of different sizes are dealt labels among each other."""
        if self.data.groups is None or not _one_label_each(self.coded):
            return False
        return len(np.unique(self._sizes)) > 1 and self._strata is None

    @cached_property
    def _sizes(self) -> Codes:
        return np.unique(np.asarray(self.data.groups), return_counts=True)[1]

    @cached_property
    def _strata(self) -> Codes | None:
        """Which groups are dealt labels among each other; None where too few share a size."""
        return size_strata(self._sizes, _group_labels(self.coded))

    @property
    def log_labellings(self) -> float:
        """The logarithm of how many different labellings there are."""
        if self.null == "features" or self.draw == "sampled":
            return math.inf
        if self.unit.startswith("groups"):
            labels = _group_labels(self.coded)
            strata = np.zeros_like(labels) if self._strata is None else self._strata
            return log_labellings(strata, labels)
        if self.unit == "cases":
            return log_arrangements(self.coded.codes)
        groups = self.data.groups
        assert groups is not None
        return sum(log_arrangements(self.coded.codes[groups == g]) for g in np.unique(groups))

    def check_labellings(self, level: float) -> None:
        """Refuse data with so few different labellings that nothing could ever be shown."""
        if self.log_labellings >= -math.log(1 - level) - 1e-9:
            return
        many = round(math.exp(self.log_labellings))
        needed = math.ceil(1 / (1 - level) - 1e-9)
        raise InputError(
            f"the data allow {many} different labelling{('s' if many != 1 else '')} only, so that "
            f"chance gives the true one too often for a level of {level:g}; at least {needed} are "
            f"needed: {self._remedy}",
            concerning="y",
        )

    @property
    def _remedy(self) -> str:
        groups = self.data.groups
        if groups is None or self.unit.startswith("groups"):
            return f"give more {'cases' if groups is None else 'groups'}"
        every = np.unique(groups)
        mixed = sum(len(np.unique(self.coded.codes[groups == g])) > 1 for g in every)
        return (
            f"labels move within the {mixed} of {len(every)} groups that hold several; whole "
            "groups are dealt labels where each holds one only"
        )

    def codes(self, r: int) -> Codes:
        """Return the labels of relabelling r, as codes."""
        rng = np.random.default_rng(np.random.SeedSequence(self.seed, spawn_key=(r,)))
        codes = self.coded.codes
        if self.draw == "sampled":
            return np.asarray(rng.choice(codes, len(codes)))
        if self.unit == "cases":
            return np.asarray(rng.permutation(codes))
        groups = self.data.groups
        assert groups is not None
        if self.unit.startswith("groups"):
            _, of_case = np.unique(groups, return_inverse=True)
            return np.asarray(self._dealt_groups(rng)[of_case])
        dealt = codes.copy()
        for group in np.unique(groups):
            rows = np.flatnonzero(groups == group)
            dealt[rows] = rng.permutation(codes[rows])
        return dealt

    def _dealt_groups(self, rng: np.random.Generator) -> Codes:
        labels = _group_labels(self.coded)
        if self.mixes_sizes:
            return filled(self._sizes, labels, rng)
        if self._strata is None:
            return np.asarray(rng.permutation(labels))
        for stratum in np.unique(self._strata):
            mine = np.flatnonzero(self._strata == stratum)
            labels[mine] = rng.permutation(labels[mine])
        return labels

    def dataset(self, r: int) -> Dataset:
        """Return the whole data of relabelling r."""
        if self.null == "features":
            return replace(self.data, X=self._shuffled_columns(r))
        codes = self.codes(r)
        if not self.data.classes:
            _, first = np.unique(self.coded.codes, return_index=True)
            return replace(self.data, y=self.data.y[first][codes])
        return replace(self.data, codes=codes, y=np.asarray(self.data.classes)[codes])

    def _shuffled_columns(self, r: int) -> Features:
        rng = np.random.default_rng(child(self.seed, r))
        columns = _columns(self.data.X)
        members = [np.flatnonzero(self.coded.codes == c) for c in range(len(self.data.classes))]
        for number in range(self.data.n_features):
            rows = np.arange(self.data.n)
            for mine in members:
                rows[mine] = rng.permutation(mine)
            columns.move(number, rows)
        return columns.X


@dataclass
class _Frame:
    """A pandas frame whose columns can be shuffled one by one."""

    X: Any

    def move(self, number: int, rows: Codes) -> None:
        self.X.isetitem(number, self.X.iloc[rows, number].array)


@dataclass
class _Matrix:
    """An array whose columns can be shuffled one by one."""

    X: Any

    def move(self, number: int, rows: Codes) -> None:
        self.X[:, number] = self.X[rows, number]


def _columns(X: Features) -> _Frame | _Matrix:
    if hasattr(X, "isetitem"):
        return _Frame(X.copy())
    if isinstance(X, np.ndarray) and X.ndim == 2:
        return _Matrix(X.copy())
    raise InputError(
        f"{arg('null', 'features')} needs an array or a pandas DataFrame",
        concerning="null",
        value=str(type(X).__name__),
        remedy="convert X",
    )


def _one_label_each(data: Dataset) -> bool:
    assert data.groups is not None
    first = _group_labels(data)
    return bool((first[data.groups] == data.codes).all())


def _group_labels(data: Dataset) -> Codes:
    """Return the label of the first case of every group."""
    assert data.groups is not None
    _, first = np.unique(data.groups, return_index=True)
    return np.asarray(data.codes[first])
