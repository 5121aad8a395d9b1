"""The bootstrap of any measure of a confusion matrix, drawing cases or whole groups.

Units (cases, or groups) that fall into the same cells are interchangeable, so what is drawn is how
often each distinct pattern of cells comes up: with one prediction a case, replicates cost the same
for a million cases as for a hundred.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any, TypeAlias

import numpy as np
import scipy

from referee.core.arrays import Codes, Floats
from referee.core.predictions import Predictions
from referee.core.randomness import Seed
from referee.intervals.one_set.bootstrap.bootstrap import Bootstrapped
from referee.measures.formulas.confusion import cells

__all__ = ["bootstrap_matrix"]

Form: TypeAlias = Callable[[Floats], Any]

_CHUNK = 4_000_000
"""Most numbers held at once, whatever the number of replicates and classes."""

_FEW_CLASSES = 10
"""Up to as many classes a table of zeros is as quick as a sparse one, which takes an import."""


def bootstrap_matrix(
    table: Predictions,
    forms: Mapping[str, Form],
    *,
    rounds: int = 2000,
    seed: Seed = 0,
    worth: float = 1.0,
) -> dict[str, Bootstrapped]:
    """Bootstrap measures of the confusion matrix of a table, all on the same resamples.

    Parameters
    ----------
    table : Predictions
        Units are its cases with all their predictions, or its groups where there are any.
    forms : mapping of name to callable
        From a stack of matrices, shape (m, k, k), to m values; nan where undefined. Undefined
        replicates are left out.
    worth : float
        The share of the units that are drawn: below 1 where n of them are worth fewer independent
        ones, as after several fits. Replicates then vary as those of a smaller sample would.

    Examples
    --------
    >>> from referee.measures.formulas.rates import matthews
    >>> table = Predictions.of([0, 1] * 50, [0, 1] * 40 + [1, 0] * 10)
    >>> b = bootstrap_matrix(table, {"mcc": matthews}, rounds=500)["mcc"]
    >>> round(b.value, 6), 0.05 < b.standard_error < 0.11
    (0.6, True)
    """
    k = len(table.classes)
    patterns, times = _in_one_order(*_patterns(table), k)
    total = patterns.T @ times
    rng = np.random.default_rng(seed)
    drawn = _values(_replicates(patterns, times, rounds, rng, k, worth), forms, k)
    left_out = _values(_without_one(patterns, total, k), forms, k)
    whole = total.reshape(1, k, k)
    return {
        name: Bootstrapped(
            float(np.asarray(form(whole))[0]),
            _defined(drawn[name]),
            *_defined_times(left_out[name], times),
        )
        for name, form in forms.items()
    }


def _patterns(table: Predictions) -> tuple[Any, Any]:
    """Return the distinct rows of cells and how many units have each."""
    if table.counts_suffice:
        return _cell_patterns(table)
    k = len(table.classes)
    unit = table.case if table.groups is None else table.groups[table.case]
    occurring = np.bincount(unit) > 0
    position = (np.cumsum(occurring) - 1)[unit]
    weight = np.ones(len(table.case)) if table.weight is None else table.weight[table.case]
    shape = (int(position.max()) + 1, k * k)
    rows = scipy.sparse.csr_array((weight, (position, cells(table))), shape=shape)
    rows.sum_duplicates()
    kind = _kinds(rows)
    where = np.unique(kind, return_index=True)[1]
    return rows[where], np.bincount(kind)


def _cell_patterns(table: Predictions) -> tuple[Any, Any]:
    """Return the cells that occur and their counts."""
    k = len(table.classes)
    counts = table.cell_counts.ravel()
    order = np.flatnonzero(counts)
    unit = np.eye(k * k)[order]
    return unit if k <= _FEW_CLASSES else scipy.sparse.csr_array(unit), counts[order]


def _in_one_order(patterns: Any, times: Any, k: int) -> tuple[Any, Any]:
    """Return patterns in an order that goes by what they hold, not by which case came first.

    Cells go by how much they hold, the diagonal last, and by their row and column, so that the
    names of the classes matter only where two classes are alike in all of that.
    """
    whole = np.asarray(patterns.T @ times, float).reshape(k, k)
    whole = np.round(whole / whole.sum(), 9)
    sides = [np.broadcast_to(whole.sum(axis=1 - s, keepdims=True), (k, k)) for s in (0, 1)]
    keys = [*sides, np.eye(k), whole]
    place = np.argsort(np.lexsort([key.ravel() for key in keys]))
    mark = np.asarray(patterns @ np.random.default_rng(0).random(k * k)[place])
    order = np.lexsort((np.round(mark / mark.max(), 9), times))
    return patterns[order], times[order]


def _kinds(rows: Any) -> Codes:
    """Return a number for each row of a sparse matrix, the same for rows that are the same.

    Rows of one length are told apart column by column. Numbers follow the rows' first appearance.
    """
    from pandas import factorize

    lengths, values = np.diff(rows.indptr), factorize(rows.data)[0]
    entry = factorize(rows.indices * (int(values.max()) + 1) + values)[0].astype(np.int64)
    kind = np.zeros(len(lengths), dtype=np.int64)
    for length in np.unique(lengths):
        of_length = np.flatnonzero(lengths == length)
        same = np.zeros(len(of_length), dtype=np.int64)
        for j in range(length):
            both = same * (int(entry.max()) + 1) + entry[rows.indptr[of_length] + j]
            same = factorize(both)[0].astype(np.int64)
        kind[of_length] = same * (int(lengths.max()) + 1) + length
    return np.asarray(factorize(kind)[0], dtype=np.intp)


def _replicates(
    patterns: Any, times: Any, rounds: int, rng: np.random.Generator, k: int, worth: float
) -> Iterator[Floats]:
    n = int(times.sum())
    draws = max(1, round(worth * n))
    block = max(1, _CHUNK // max(len(times), k * k))
    for start in range(0, rounds, block):
        counts = rng.multinomial(draws, times / n, size=min(block, rounds - start))
        yield np.asarray((patterns.T @ counts.T).T)


def _without_one(patterns: Any, total: Floats, k: int) -> Iterator[Floats]:
    block = max(1, _CHUNK // (k * k))
    for start in range(0, patterns.shape[0], block):
        some = patterns[start : start + block]
        yield total - (some if isinstance(some, np.ndarray) else some.toarray())


def _values(stacks: Iterator[Floats], forms: Mapping[str, Form], k: int) -> dict[str, Floats]:
    parts: dict[str, list[Floats]] = {name: [] for name in forms}
    for stack in stacks:
        matrices = stack.reshape(-1, k, k)
        for name, form in forms.items():
            parts[name].append(np.asarray(form(matrices), float))
    return {name: np.concatenate(values) for name, values in parts.items()}


def _defined_times(values: Floats, times: Codes) -> tuple[Floats, Codes]:
    known = ~np.isnan(values)
    return values[known], times[known]


def _defined(values: Floats) -> Floats:
    return values[~np.isnan(values)]
