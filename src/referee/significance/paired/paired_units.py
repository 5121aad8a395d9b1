"""Units of a paired resample: cases, or groups, with what both models said about them.

Units that add the same to both models' confusion matrices are interchangeable, so resamples are
drawn as counts of kinds of units.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import scipy

from referee.core.arrays import Codes, Floats
from referee.errors import InputError, arg

__all__ = ["aligned_answers", "drawn_differences", "group_units", "jackknife", "kinds_of_units"]

_CHUNK = 4_000_000
"""Most numbers held at once."""


def aligned_answers(truth: Any, first: Any, second: Any) -> tuple[Codes, Codes, Codes]:
    """Return truth and answers as codes, of the same cases."""
    t, a, b = (np.asarray(v, dtype=np.intp) for v in (truth, first, second))
    if not len(t) == len(a) == len(b):
        raise InputError(
            f"truth and both models' answers must be of the same cases, got {len(t)}, {len(a)} "
            f"and {len(b)}",
            concerning="truth",
        )
    if not len(t):
        raise InputError("at least one case is needed", value="none")
    return t, a, b


def group_units(groups: Any, n: int, stratify: bool) -> Codes | None:
    """Return the group of each case as a code; None where cases are drawn one by one."""
    if groups is None:
        return None
    if stratify:
        raise InputError(
            "groups are drawn whole and may hold several classes",
            concerning="groups",
            remedy=f"leave {arg('stratify', False)} with {arg('groups')}",
        )
    coded = np.unique(np.asarray(groups), return_inverse=True)[1]
    if len(coded) != n:
        raise InputError(
            "must have one entry a case", argument="groups", value=f"{len(coded)} for {n} cases"
        )
    return np.asarray(coded, dtype=np.intp)


def kinds_of_units(
    t: Codes, a: Codes, b: Codes, k: int, units: Codes | None, weights: Floats | None
) -> tuple[Any, Codes, Codes]:
    """Return what each kind of unit adds to both matrices, how many there are, and their class.

    Units that add the same are interchangeable: a million cases are a handful of kinds.
    """
    w = np.ones(len(t)) if weights is None else np.asarray(weights, dtype=float)
    if units is None:
        key = np.column_stack([t, a, b, w]) if weights is not None else (t * k + a) * k + b
        _, first, kind = np.unique(key, axis=0, return_index=True, return_inverse=True)
        # In the order of their first case, which does not depend on which model comes first.
        order = np.argsort(first)
        first, times = first[order], np.bincount(kind.ravel())[order]
        rows = _rows(t[first], a[first], b[first], w[first], np.arange(len(first)), k)
        return rows, times, t[first]
    rows = _rows(t, a, b, w, units, k)
    keys: dict[Any, int] = {}
    spans = zip(rows.indptr[:-1], rows.indptr[1:], strict=True)
    kind = np.array(
        [
            keys.setdefault((rows.indices[i:j].tobytes(), rows.data[i:j].tobytes()), len(keys))
            for i, j in spans
        ]
    )
    where = np.unique(kind, return_index=True)[1]
    return rows[where], np.bincount(kind), np.zeros(len(where), dtype=np.intp)


def _rows(t: Codes, a: Codes, b: Codes, w: Floats, unit: Codes, k: int) -> Any:
    """Return a row a unit: the cells of the first model's matrix, then of the second's."""
    column = np.concatenate([t * k + a, k * k + t * k + b])
    shape = (int(unit.max()) + 1, 2 * k * k)
    rows = scipy.sparse.csr_array((np.tile(w, 2), (np.tile(unit, 2), column)), shape=shape)
    rows.sum_duplicates()
    return rows


def drawn_differences(
    patterns: Any,
    times: Codes,
    parts: list[Codes] | None,
    rounds: int,
    rng: np.random.Generator,
    difference: Callable[[Floats], Floats],
) -> Floats:
    """Return the difference in each resample; `parts` are drawn apart, each as often as it is."""
    out = []
    block = max(1, _CHUNK // max(len(times), patterns.shape[1]))
    for start in range(0, rounds, block):
        counts = np.zeros((min(block, rounds - start), len(times)))
        for part in parts if parts is not None else [np.arange(len(times))]:
            size = int(times[part].sum())
            counts[:, part] = rng.multinomial(size, times[part] / size, size=len(counts))
        out.append(difference((patterns.T @ counts.T).T))
    return np.concatenate(out)


def jackknife(rest: Floats, times: Codes, kinds: Codes | None) -> tuple[float, float]:
    """Return the jackknife's standard error and Satterthwaite's degrees of freedom.

    The variance is a sum over the true classes; a small class that carries most of it leaves few
    degrees of freedom. Groups may hold several classes and count as they are.
    """
    n = int(times.sum())
    good = ~np.isnan(rest)
    if n < 2 or not good.any():
        return 0.0, 1.0
    away = np.where(good, rest - np.average(rest[good], weights=times[good]), 0.0)
    spread = times * away**2
    se = math.sqrt((n - 1) / n * float(spread.sum()))
    if kinds is None or se == 0:
        return se, float(n - 1)
    below = 0.0
    for c in np.unique(kinds):
        mine = kinds == c
        below += float(spread[mine].sum()) ** 2 / max(int(times[mine].sum()) - 1, 1)
    return se, max(float(spread.sum()) ** 2 / below, 1.0)
