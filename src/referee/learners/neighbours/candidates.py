"""Candidates: the errors of k nearest neighbours when one feature is added or dropped, for many.

Squared distances are sums over features. So the sum over the features chosen so far is made once
for a tested case, and each candidate adds, or takes away, one term. Each candidate costs n² sums
of two numbers, whatever the number of features, and nothing larger than a row is held.

Added terms are added last, as `KNN` itself does with a feature that comes last, so sums are equal
to the bit. Where a term was taken away and rounding errors may decide a vote, the sums are made
anew. How scikit-learn breaks ties depends on its search, so there such candidates stay in doubt.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np

from referee.core.arrays import Codes, Features, Flags, Floats, Rows
from referee.core.machine.compiling import compiled
from referee.core.plan import Plan
from referee.core.shared_work import SteppedAside
from referee.learners.plain_numbers import numbers_of

__all__ = ["FeatureCandidates", "Judged", "candidates_of"]

_BUDGET = 2**25
"""The most numbers that say who trains in which split: a quarter of a gigabyte."""

_ULPS = 32
"""Rounding errors of a distance, per feature, that plain fits and sums in another order reach."""

_BLOCK = 32


@dataclass(frozen=True, eq=False)
class Judged:
    """What became of each candidate.

    Attributes
    ----------
    wrong : array of bool, shape (candidates, tests)
        Whether each test of the plan, split by split, goes wrong.
    doubt : array of bool, shape (candidates,)
        Whether rounding errors may have decided a vote; then only plain fits can tell.
    """

    wrong: Flags
    doubt: Flags


class FeatureCandidates(Protocol):
    """Shared work of feature selection: judges many candidates of one step together."""

    def judge(self, base: Sequence[int], columns: Sequence[int], *, drop: bool) -> Judged:
        """Return which tests go wrong with the base features, in their order, plus or minus each.

        A column that is added comes last.
        """


def candidates_of(
    model: Any, X: Features, codes: Codes, plan: Plan, n_classes: int
) -> FeatureCandidates | None:
    """Return the shared work of a model's feature selection, or None where it has none.

    `KNN` and plain scikit-learn KNeighborsClassifier have it, with Euclidean distances and equal
    weights, for plans that train on no row twice.

    Examples
    --------
    >>> from referee.core import Dataset
    >>> from referee.learners.neighbours.knn import KNN
    >>> from referee.resampling import LeaveOneOut
    >>> data = Dataset.of([[0.0, 5.0], [1.0, 3.0], [8.0, 4.0], [9.0, 6.0]], list("aabb"))
    >>> plan = LeaveOneOut().plan(data)
    >>> plan = Plan(plan.splits[:4], 4, "loo", "")
    >>> work = candidates_of(KNN(1), data.X, data.codes, plan, 2)
    >>> work.judge([], [0, 1], drop=False).wrong.sum(axis=1).tolist()
    [0, 4]
    """
    rule = _rule_of(model)
    sizes = [s.n_train for s in plan.splits]
    if rule is None or plan.fits * plan.n > _BUDGET:
        return None
    ks = np.array([_k(rule.k, size) for size in sizes])
    ascending = all((np.diff(s.train) > 0).all() for s in plan.splits)
    if not ascending or (ks < 1).any() or (ks > sizes).any():
        return None
    try:
        values = numbers_of(X)
    except SteppedAside:
        return None
    return _NeighbourCandidates.of(rule, values, codes, plan, ks, n_classes)


@dataclass(frozen=True)
class _Rule:
    """How many neighbours vote, and whether equally near ones do so in the order of rows."""

    k: int | str
    by_row: bool


def _rule_of(model: Any) -> _Rule | None:
    from referee.learners.neighbours.knn import KNN

    if type(model) is KNN:
        euclidean = model.metric == "euclidean" or (model.metric == "minkowski" and model.p == 2)
        exact = model.eps == 0 and model.index in ("auto", "brute", "kd_tree")
        plain = exact and isinstance(model.weights, str) and model.weights == "uniform"
        return _Rule(model.k, by_row=True) if plain and euclidean else None
    kind = type(model)
    if (
        f"{kind.__module__}.{kind.__name__}"
        != "sklearn.neighbors._classification.KNeighborsClassifier"
    ):
        return None
    euclidean = model.metric == "euclidean" or (model.metric == "minkowski" and model.p == 2)
    plain = isinstance(model.weights, str) and model.weights == "uniform"
    altered = {"fit", "predict", "predict_proba"} & set(vars(model)) or model.metric_params
    if not (euclidean and plain) or altered or os.environ.get("REFEREE_SHORTCUTS", "1") == "0":
        return None
    return _Rule(model.n_neighbors, by_row=False)


def _k(k: Any, n: int) -> int:
    """Return how many of n rows vote; 0 where plain fits have to say what is wrong."""
    if isinstance(k, str):
        return max(1, int(np.ceil(np.log(n)))) if k == "log" else 0
    return int(k) if isinstance(k, (int, np.integer)) and not isinstance(k, bool) else 0


@dataclass(frozen=True, eq=False)
class _NeighbourCandidates:
    columns: Floats
    codes: Codes
    case: Rows
    split: Rows
    absent: Floats
    ks: Rows
    n_classes: int
    by_row: bool
    largest: Floats
    """The largest square in each column."""

    @classmethod
    def of(
        cls, rule: _Rule, X: Floats, codes: Codes, plan: Plan, ks: Rows, n_classes: int
    ) -> _NeighbourCandidates:
        absent = np.full((plan.fits, plan.n), np.inf)
        for number, split in enumerate(plan.splits):
            absent[number, split.train] = 0.0
        return cls(
            columns=np.ascontiguousarray(X.T),
            codes=np.ascontiguousarray(codes, dtype=np.intp),
            case=np.concatenate([s.test for s in plan.splits]).astype(np.intp),
            split=np.repeat(np.arange(plan.fits), [s.n_test for s in plan.splits]),
            absent=absent,
            ks=ks.astype(np.intp),
            n_classes=n_classes,
            by_row=rule.by_row,
            largest=(X**2).max(axis=0),
        )

    def judge(self, base: Sequence[int], columns: Sequence[int], *, drop: bool) -> Judged:
        held, tried = np.array(base, dtype=np.intp), np.array(columns, dtype=np.intp)
        wrong = np.zeros((len(tried), len(self.case)), dtype=np.bool_)
        doubt = np.zeros(len(tried), dtype=np.bool_)
        _judge(
            self.columns, held, tried, -1.0 if drop else 1.0, self.case, self.split, self.absent,
            self.ks, self.codes, self.n_classes, self._slack(held, tried, drop),
            self.by_row, wrong, doubt,
        )  # fmt: skip
        return Judged(wrong, doubt)

    def _slack(self, held: Rows, tried: Rows, drop: bool) -> Floats:
        """Return by how much two equal sums of squares may differ, for each candidate.

        scikit-learn may compute distances from norms, whose errors grow with the squares of the
        features themselves.
        """
        if self.by_row and not drop:
            return np.full(len(tried), -1.0)
        reach = self.largest[held].sum() + (0.0 if drop else self.largest[tried])
        unit = _ULPS * float(np.finfo(float).eps)
        return np.asarray(unit * (len(held) + 4) * 4 * reach * np.ones(len(tried)))


@compiled
def _judge(
    columns: Floats,
    held: Rows,
    tried: Rows,
    sign: float,
    case: Rows,
    split: Rows,
    absent: Floats,
    ks: Rows,
    codes: Codes,
    n_classes: int,
    slack: Floats,
    by_row: bool,
    wrong: Flags,
    doubt: Flags,
) -> None:
    n = columns.shape[1]
    sums, distances = np.empty(n), np.empty(n)
    near, at = np.empty(ks.max() + 1), np.empty(ks.max() + 1, dtype=np.intp)
    ballot = np.empty(n_classes, dtype=np.intp)
    for test in range(len(case)):
        i, k = case[test], ks[split[test]]
        _sums_without(columns, held, -1, absent[split[test]], i, sums)
        # Terms are added to sums only: rows far by the sums alone stay far.
        reach = _short_reach(sums, k) if sign > 0 and len(held) > 0 else -np.inf
        close = np.flatnonzero(sums < reach)
        at[: k + 1] = np.arange(k + 1)
        for c in range(len(tried)):
            values = columns[tried[c]]
            far, rows, bound = True, n, np.inf
            if len(close) > k:
                _add_terms_of(values, close, i, sums, distances)
                bound = _worst(distances, at[: k + 1])
                _nearest(distances[: len(close)], near[: k + 1], at[: k + 1], bound)
                far, bound = near[k] + max(slack[c], 0.0) >= reach, near[k]
                rows = len(close)
            if far:
                rows = n
                _add_terms(values, i, sign, sums, distances)
                _nearest(distances, near[: k + 1], at[: k + 1], bound)
            if near[k] - near[k - 1] <= slack[c]:
                level = _tied_rows(distances[:rows], near[k - 1], slack[c], close, far, codes)
                doubt[c] = doubt[c] or (level and not by_row)
                if level and by_row:
                    far = True
                    _sums_without(columns, held, tried[c], absent[split[test]], i, distances)
                    _nearest(distances, near[: k + 1], at[: k + 1], np.inf)
            ballot[:] = 0
            for place in range(k):
                ballot[codes[at[place] if far else close[at[place]]]] += 1
            wrong[c, test] = ballot.argmax() != codes[i]
            if far:
                at[: k + 1] = np.arange(k + 1)


@compiled
def _tied_rows(
    distances: Floats, kth: float, slack: float, close: Rows, far: bool, codes: Codes
) -> bool:
    """Tell whether rows of several classes are as near as the k-th, up to rounding."""
    tied = -1
    for j in range(len(distances)):
        if abs(distances[j] - kth) <= slack:
            code = codes[j if far else close[j]]
            if tied >= 0 and code != tied:
                return True
            tied = code
    return False


@compiled
def _sums_without(
    columns: Floats, held: Rows, without: int, absent: Floats, i: int, sums: Floats
) -> None:
    """Write squared distances over the held features but one, added up in their order.

    They are infinite to rows that do not train.
    """
    sums[:] = absent
    for column in held:
        if column != without:
            values = columns[column]
            own = values[i]
            for j in range(len(sums)):
                gap = values[j] - own
                sums[j] += gap * gap


@compiled
def _short_reach(sums: Floats, k: int) -> float:
    """Return a sum that about an eighth of the rows lie below, many more than k."""
    count = max(len(sums) // 8, 4 * (k + 1))
    return float(np.partition(sums, count)[count]) if count < len(sums) else -np.inf


@compiled
def _add_terms(values: Floats, i: int, sign: float, sums: Floats, distances: Floats) -> None:
    own = values[i]
    for j in range(len(sums)):
        gap = values[j] - own
        distances[j] = sums[j] + sign * (gap * gap)


@compiled
def _add_terms_of(values: Floats, rows: Rows, i: int, sums: Floats, distances: Floats) -> None:
    own = values[i]
    for j in range(len(rows)):
        gap = values[rows[j]] - own
        distances[j] = sums[rows[j]] + gap * gap


@compiled
def _worst(distances: Floats, at: Rows) -> float:
    worst = -np.inf
    for place in at:
        worst = max(worst, distances[place])
    return worst


@compiled
def _nearest(distances: Floats, near: Floats, at: Rows, bound: float) -> None:
    """Write the smallest distances, in order, and their places, the first ones among equals.

    None of them is larger than `bound`. Blocks without a distance below the largest one found so
    far, which are most, are passed over by a count that compiles to vector instructions.
    """
    last = len(near) - 1
    near[:] = np.inf
    at[:] = 0
    bound = np.nextafter(bound, np.inf)
    for start in range(0, len(distances), _BLOCK):
        block = distances[start : start + _BLOCK]
        if _count_below(block, bound) == 0:
            continue
        for j in range(len(block)):
            distance = block[j]
            if distance < bound:
                place = last
                while place > 0 and near[place - 1] > distance:
                    near[place], at[place] = near[place - 1], at[place - 1]
                    place -= 1
                near[place], at[place] = distance, start + j
                bound = min(bound, near[last])


@compiled
def _count_below(block: Floats, bound: float) -> int:
    below = 0
    for j in range(len(block)):
        below += 1 if block[j] < bound else 0
    return below
