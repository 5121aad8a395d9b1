"""The bootstrap of a ranking: sort once, draw counts, one pass over the cases per replicate.

Each replicate draws positives and negatives with replacement, class by class, and reads every
measure of the ranking off one sweep. Memory is O(n), whatever the number of replicates.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np

from referee.core.arrays import Codes, Flags, Floats
from referee.core.machine.compiling import compiled
from referee.core.randomness import Seed, child
from referee.intervals.one_set.bootstrap.draws import draw_counts, in_lanes, masks, thresholds

_PART = 250
"""Replicates drawn from one seed."""

_LANES = 512
"""Runs of cases that are gone through side by side."""

_DEEPEST = 8192
"""Cases of a lane, each drawn ten times at the most, whose pairs 32 bits can count."""

__all__ = [
    "MEASURES",
    "bootstrap_auc",
    "bootstrap_ranking",
    "bootstrap_ranking_pair",
    "bootstrap_roc",
]

MEASURES = ("auc", "auc_k", "partial_auc", "average_precision")
"""The columns of `bootstrap_ranking`."""


def bootstrap_auc(positive: Flags, scores: Floats, *, rounds: int = 2000, seed: Seed = 0) -> Floats:
    """Return replicates of the area under the ROC curve alone, the fastest of all.

    Examples
    --------
    >>> rng = np.random.default_rng(0)
    >>> positive = np.arange(200) < 100
    >>> drawn = bootstrap_auc(positive, rng.normal(size=200) + positive, rounds=500)
    >>> drawn.shape, bool(0.7 < drawn.mean() < 0.85)
    ((500,), True)
    """
    p, last = _ranked(positive, scores)
    out = np.empty(rounds)
    t = thresholds(p)
    if not last.all():
        rows = masks(p)
        _in_parts(out, seed, lambda part, s: _tied_replicates(*rows, last, t, s, part))
    else:
        rows = in_lanes(p, _LANES)
        _in_parts(out, seed, lambda part, s: _auc_replicates(*rows, t, s, part))
    return out


def bootstrap_ranking(
    positive: Flags,
    scores: Floats,
    *,
    k: int = 50,
    high: float = 0.1,
    rounds: int = 2000,
    seed: Seed = 0,
    groups: Codes | None = None,
    stratify: bool = True,
) -> Floats:
    """Return replicates of all `MEASURES`, one row each, from the same resamples.

    Parameters
    ----------
    k : int
        False positives up to which `auc_k` reaches.
    high : float
        False positive rate up to which `partial_auc` reaches.
    groups : array of int, optional
        Draw whole groups instead of cases; replicates without both classes are nan.
    stratify : bool
        Hold the number of positives fixed. False draws it, too, as in a test set of cases drawn at
        random; replicates without both classes are nan. Groups always do.
    """
    order = np.argsort(-scores, kind="stable")
    p, last = _ranked(positive, scores)
    out = np.empty((rounds, len(MEASURES)))
    if groups is None and stratify:
        t, rows = thresholds(p), masks(p)
        _in_parts(out, seed, lambda part, s: _ranking_replicates(*rows, last, t, s, k, high, part))
        return out
    if groups is None:
        everyone = np.ones(len(p), dtype=bool)
        t, rows, own = thresholds(everyone), masks(everyone), masks(p)[0]
        _in_parts(
            out, seed, lambda part, s: _random_replicates(rows, own, last, t, s, k, high, part)
        )
        return out
    names, unit = np.unique(groups, return_inverse=True)
    rng = np.random.default_rng(seed)
    mask = np.where(p, -1, 0).astype(np.int64)
    for r in range(rounds):
        drawn = rng.multinomial(len(names), np.full(len(names), 1 / len(names)))
        counts = drawn[unit][order]
        hits = int(counts[p].sum())
        misses = int(counts.sum()) - hits
        if hits and misses:
            _sweep(counts, mask, last, hits, misses, k, high, out[r])
        else:
            out[r] = np.nan
    return out


def bootstrap_ranking_pair(
    positive: Flags,
    first: Floats,
    second: Floats,
    *,
    k: int = 50,
    high: float = 0.1,
    rounds: int = 2000,
    seed: Seed = 0,
    groups: Codes | None = None,
    stratify: bool = True,
) -> Floats:
    """Return replicates of all `MEASURES` of two rankings of the same cases, drawn together.

    Options are those of `bootstrap_ranking`; without `stratify`, or with groups, the number of
    positives is drawn as well. The result has the shape (rounds, 2, measures).
    """
    out = np.empty((rounds, 2, len(MEASURES)))
    orders = [np.argsort(-scores, kind="stable") for scores in (first, second)]
    lasts = [_ranked(positive, scores)[1] for scores in (first, second)]
    if stratify and groups is None:
        t, rows = thresholds(positive), masks(positive)
        ranked = [(o, rows[0][o], last) for o, last in zip(orders, lasts, strict=True)]
        one, two = ranked
        _in_parts(out, seed, lambda part, s: _pair_replicates(rows, one, two, t, s, k, high, part))
        return out
    units = np.arange(len(positive)) if groups is None else groups
    names, unit = np.unique(units, return_inverse=True)
    rng = np.random.default_rng(seed)
    signed = [np.where(positive[order], -1, 0).astype(np.int64) for order in orders]
    for r in range(rounds):
        counts = rng.multinomial(len(names), np.full(len(names), 1 / len(names)))[unit]
        hits = int(counts[positive].sum())
        misses = int(counts.sum()) - hits
        if not (hits and misses):
            out[r] = np.nan
            continue
        for m in range(2):
            _sweep(counts[orders[m]], signed[m], lasts[m], hits, misses, k, high, out[r, m])
    return out


def bootstrap_roc(
    positive: Flags, scores: Floats, fpr: Floats, *, rounds: int = 2000, seed: Seed = 0
) -> Floats:
    """Return replicates of the true positive rate at rising false positive rates, a row each."""
    p, last = _ranked(positive, scores)
    out = np.empty((rounds, len(fpr)))
    t, rows, grid = thresholds(p), masks(p), np.asarray(fpr, float)
    _in_parts(out, seed, lambda part, s: _roc_replicates(*rows, last, t, s, grid, part))
    return out


def _in_parts(out: Floats, seed: Seed, work: Callable[[Floats, Any], None]) -> None:
    """Fill the rows of `out` part by part, on all cores; the parts, and so the numbers, are fixed.

    The compiled loops let go of Python's lock, so threads serve and nothing is copied.
    """
    starts = range(0, len(out), _PART)
    parts = [(out[a : a + _PART], np.uint64(child(seed, i))) for i, a in enumerate(starts)]
    with ThreadPoolExecutor(max_workers=min(len(parts), os.cpu_count() or 1)) as pool:
        for done in [pool.submit(work, *part) for part in parts]:
            done.result()


def _ranked(positive: Flags, scores: Floats) -> tuple[Flags, Flags]:
    """Return the classes by falling score, and which cases end a run of equal scores."""
    order = np.argsort(-scores, kind="stable")
    ranked = scores[order]
    return positive[order], np.append(ranked[1:] != ranked[:-1], True)


@compiled
def _auc_replicates(
    mask: Any, hits: Any, misses: Any, t: Any, seed: Any, out: Any
) -> None:  # pragma: no cover - compiled
    """Write replicates where no scores are equal; cases stand in lanes."""
    counts = np.zeros(mask.shape[0], np.uint8)
    state = np.array([seed], np.uint64)
    for r in range(out.shape[0]):
        draw_counts(counts, mask, hits, misses, t, state, _LANES)
        out[r] = _area(counts, mask) / (hits.shape[0] * misses.shape[0])


@compiled
def _tied_replicates(
    mask: Any, hits: Any, misses: Any, last: Any, t: Any, seed: Any, out: Any
) -> None:  # pragma: no cover - compiled
    counts = np.zeros(mask.shape[0], np.uint8)
    state = np.array([seed], np.uint64)
    for r in range(out.shape[0]):
        draw_counts(counts, mask, hits, misses, t, state)
        out[r] = _auc_tied(counts, mask, last)


@compiled
def _area(counts: Any, mask: Any) -> Any:  # pragma: no cover - compiled
    """Return how many positives stand above negatives, by pairs; all lanes are gone down at once.

    What stands above within a lane is counted first, for so few cases that 32 bits hold it, then
    what all lanes before hold.
    """
    deep = counts.shape[0] // _LANES
    inner, within = np.zeros(_LANES, np.int64), np.zeros((2, _LANES), np.int64)
    here = np.empty((3, _LANES), np.uint32)
    area, above, below = here[0], here[1], here[2]
    for first in range(0, deep, _DEEPEST):
        here[:] = 0
        for j in range(first, min(first + _DEEPEST, deep)):
            line = slice(j * _LANES, (j + 1) * _LANES)
            _down(counts[line], mask[line], area, above, below)
        for lane in range(_LANES):
            inner[lane] += np.int64(area[lane]) + within[0, lane] * np.int64(below[lane])
            within[0, lane] += above[lane]
            within[1, lane] += below[lane]
    total, before = np.int64(0), np.int64(0)
    for lane in range(_LANES):
        total += inner[lane] + before * within[1, lane]
        before += within[0, lane]
    return total


@compiled
def _down(
    counts: Any, mask: Any, area: Any, above: Any, below: Any
) -> None:  # pragma: no cover - compiled
    for lane in range(_LANES):
        c = np.uint32(counts[lane])
        hit = np.uint32(c & np.uint32(mask[lane]))
        miss = np.uint32(c - hit)
        area[lane] = np.uint32(area[lane] + np.uint32(miss * above[lane]))
        above[lane] = np.uint32(above[lane] + hit)
        below[lane] = np.uint32(below[lane] + miss)


@compiled
def _auc_tied(counts: Any, mask: Any, last: Any) -> Any:  # pragma: no cover - compiled
    tp, fp, area = np.int64(0), np.int64(0), np.int64(0)
    tp0, fp0 = tp, fp
    for i in range(counts.shape[0]):
        c = np.int64(counts[i])
        hit = c & np.int64(mask[i])
        tp += hit
        fp += c - hit
        if last[i]:
            area += (fp - fp0) * (tp + tp0)
            tp0, fp0 = tp, fp
    return area / (2 * tp * fp)


@compiled
def _ranking_replicates(
    mask: Any, hits: Any, misses: Any, last: Any, t: Any, seed: Any, k: Any, high: Any, out: Any
) -> None:  # pragma: no cover - compiled
    counts = np.zeros(mask.shape[0], np.uint8)
    state = np.array([seed], np.uint64)
    for r in range(out.shape[0]):
        draw_counts(counts, mask, hits, misses, t, state)
        _sweep(counts, mask, last, hits.shape[0], misses.shape[0], k, high, out[r])


@compiled
def _random_replicates(
    rows: Any, own: Any, last: Any, t: Any, seed: Any, k: Any, high: Any, out: Any
) -> None:  # pragma: no cover - compiled
    """Draw cases whatever their class; `own` is the mask of positives."""
    mask, everyone, nobody = rows
    counts = np.zeros(mask.shape[0], np.uint8)
    state = np.array([seed], np.uint64)
    for r in range(out.shape[0]):
        draw_counts(counts, mask, everyone, nobody, t, state)
        hits = np.int64(0)
        for i in range(counts.shape[0]):
            hits += np.int64(counts[i]) & np.int64(own[i])
        misses = counts.shape[0] - hits
        if hits == 0 or misses == 0:
            out[r] = np.nan
        else:
            _sweep(counts, own, last, hits, misses, k, high, out[r])


@compiled
def _pair_replicates(
    rows: Any, one: Any, two: Any, t: Any, seed: Any, k: Any, high: Any, out: Any
) -> None:  # pragma: no cover - compiled
    mask, hits, misses = rows
    counts = np.zeros(mask.shape[0], np.uint8)
    state = np.array([seed], np.uint64)
    m, n = hits.shape[0], misses.shape[0]
    for r in range(out.shape[0]):
        draw_counts(counts, mask, hits, misses, t, state)
        _sweep(counts[one[0]], one[1], one[2], m, n, k, high, out[r, 0])
        _sweep(counts[two[0]], two[1], two[2], m, n, k, high, out[r, 1])


@compiled
def _sweep(
    counts: Any, mask: Any, last: Any, positives: Any, negatives: Any, k: Any, high: Any, out: Any
) -> None:  # pragma: no cover - compiled
    """Read all measures off one pass; vertices are where runs of equal scores end.

    What a vertex adds is added without asking whether it is nothing: positives and negatives
    alternate at random, and a branch on them would be mispredicted half of the time.
    """
    limit = high * negatives
    tp, fp, area = np.int64(0), np.int64(0), np.int64(0)
    tp0, fp0 = tp, fp
    early, part, precision = 0.0, 0.0, 0.0
    for i in range(counts.shape[0]):
        c = np.int64(counts[i])
        hit = c & np.int64(mask[i])
        tp += hit
        fp += c - hit
        if last[i]:
            gained, lost = tp - tp0, fp - fp0
            area += lost * (tp + tp0)
            precision += gained * (tp / (tp + fp + 1e-300))
            if fp0 < k:
                m = min(lost, k - fp0)
                early += m * tp0 + gained * m * (m + 1) / (2.0 * (lost + 1))
            if fp0 < limit:
                w = min(np.float64(lost), limit - fp0)
                part += w * (tp0 + gained * w / (2.0 * lost + 1e-300))
            tp0, fp0 = tp, fp
    out[0] = area / (2 * positives * negatives)
    out[1] = early / (k * positives) if negatives >= k else out[0]
    out[2] = part / (positives * negatives)
    out[3] = precision / positives


@compiled
def _roc_replicates(
    mask: Any, hits: Any, misses: Any, last: Any, t: Any, seed: Any, grid: Any, out: Any
) -> None:  # pragma: no cover - compiled
    counts = np.zeros(mask.shape[0], np.uint8)
    state = np.array([seed], np.uint64)
    positives, negatives = hits.shape[0], misses.shape[0]
    for r in range(out.shape[0]):
        draw_counts(counts, mask, hits, misses, t, state)
        tp, fp, g = np.int64(0), np.int64(0), 0
        tp0, fp0 = tp, fp
        for i in range(counts.shape[0]):
            c = np.int64(counts[i])
            if mask[i]:
                tp += c
            else:
                fp += c
            if not last[i]:
                continue
            while g < grid.shape[0] and grid[g] * negatives < fp:
                share = (grid[g] * negatives - fp0) / (fp - fp0)
                out[r, g] = (tp0 + share * (tp - tp0)) / positives
                g += 1
            tp0, fp0 = tp, fp
        while g < grid.shape[0]:
            out[r, g] = 1.0
            g += 1
