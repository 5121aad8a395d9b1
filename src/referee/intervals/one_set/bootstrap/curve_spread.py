"""How much measures of a long ranking vary, read off its ROC curve instead of resamples.

What the bootstrap shows by drawing, the influence of each case on the measure says at once: the
variance of the replicates tends to the sum over cases of (influence - its mean)², over all cases or
class by class, as they are drawn. Cases of one score and class have the same influence, so one pass
over the curve serves. The area up to the k-th false positive rests on a few cases whatever n is;
there the top of the curve is drawn as the bootstrap draws it, by counts.

References
----------
Efron and Tibshirani (1993), An Introduction to the Bootstrap, chapter 21 (the infinitesimal
jackknife).
"""

from __future__ import annotations

import math

import numpy as np

from referee.core.arrays import Codes, Floats
from referee.core.randomness import Seed
from referee.errors import InputError
from referee.measures.formulas.roc import RocCurve

__all__ = [
    "LONG",
    "average_precision_sd",
    "curve_sd",
    "early_area_replicates",
    "partial_area_sd",
    "serves",
]

LONG = 50_000
"""Cases from which on a ranking is long."""

_ENOUGH = 1_000
"""Cases either class must have, for the influence to say what resamples would."""


def serves(curve: RocCurve) -> bool:
    """Tell whether a curve of whole cases is long enough, and has enough cases of either class."""
    fewer = min(curve.n_positive, curve.n_negative)
    return curve.n_positive + curve.n_negative >= LONG and fewer >= _ENOUGH


def curve_sd(
    curve: RocCurve, column: str, *, k: int = 50, stratify: bool = True, seed: Seed = 0
) -> float:
    """Return the standard deviation of one of the measures of `bootstrap_ranking`."""
    if column == "auc_k":
        return float(early_area_replicates(curve, k, stratify=stratify, seed=seed).std(ddof=1))
    if column == "partial_auc":
        return partial_area_sd(curve, stratify=stratify)
    if column == "average_precision":
        return average_precision_sd(curve, stratify=stratify)
    raise InputError(f"no spread of {column!r} is known from a curve", argument="column")


def average_precision_sd(curve: RocCurve, *, stratify: bool = True) -> float:
    """Return the standard deviation of the average precision under resampling.

    Cases are drawn within classes, or, without `stratify`, whatever their class.

    Examples
    --------
    >>> from referee.measures.formulas.roc import roc_curve
    >>> rng = np.random.default_rng(0)
    >>> positive = np.arange(4000) < 2000
    >>> round(average_precision_sd(roc_curve(positive, rng.normal(size=4000) + positive)), 4)
    0.0087
    """
    tp, fp = curve.true_positives[1:], curve.false_positives[1:]
    hits, misses = np.diff(curve.true_positives), np.diff(curve.false_positives)
    answered = tp + fp
    step = hits / curve.n_positive / answered**2
    value = float(hits @ (tp / answered)) / curve.n_positive
    of_positive = (tp / answered - value) / curve.n_positive + _from_here_on(step * fp)
    of_negative = -_from_here_on(step * tp)
    return _spread(of_positive, hits, of_negative, misses, stratify)


def partial_area_sd(curve: RocCurve, high: float = 0.1, *, stratify: bool = True) -> float:
    """Return the standard deviation of the area up to a false positive rate.

    Examples
    --------
    >>> from referee.measures.formulas.roc import roc_curve
    >>> rng = np.random.default_rng(0)
    >>> positive = np.arange(4000) < 2000
    >>> round(partial_area_sd(roc_curve(positive, rng.normal(size=4000) + positive)), 5)
    0.00144
    """
    hits, misses = np.diff(curve.true_positives), np.diff(curve.false_positives)
    start, end = curve.fpr[:-1], curve.fpr[1:]
    width = np.maximum(end - start, np.finfo(float).tiny)
    # The share of a vertex that lies within the range: all, nothing, or a part of one vertex.
    inside = np.clip((high - start) / width, 0.0, 1.0)
    whole = end <= high
    counted = np.where(whole, high - (start + end) / 2, inside**2 * width / 2)
    by_end = np.where(whole, -0.5, -(inside**2) / 2)
    by_start = np.where(whole, -0.5, -inside + inside**2 / 2)
    pairs = curve.n_positive * curve.n_negative
    value = float(hits @ counted) / curve.n_positive
    of_positive = (counted - value) / curve.n_positive
    after = np.append(_from_here_on(hits * by_start)[1:], 0.0)
    of_negative = (_from_here_on(hits * by_end) + after) / pairs
    of_negative -= float(misses @ of_negative) / curve.n_negative
    return _spread(of_positive, hits, of_negative, misses, stratify)


def early_area_replicates(
    curve: RocCurve, k: int = 50, *, rounds: int = 2000, stratify: bool = True, seed: Seed = 0
) -> Floats:
    """Return replicates of the area up to the k-th false positive.

    Only the first negatives matter, and how many positives stand between them. Their counts in a
    resample are multinomial; enough negatives are looked at that k of them are always drawn.

    Examples
    --------
    >>> from referee.measures.formulas.roc import roc_curve
    >>> rng = np.random.default_rng(0)
    >>> positive = np.arange(4000) < 2000
    >>> drawn = early_area_replicates(roc_curve(positive, rng.normal(size=4000) + positive), 50)
    >>> float(drawn.mean().round(2)), float(drawn.std().round(2))
    (0.09, 0.01)
    """
    looked_at = k + 12 * math.sqrt(k) + 60
    missed = np.flatnonzero(np.diff(curve.false_positives) > 0)
    missed = missed[curve.false_positives[missed] < looked_at]
    tp, fp = curve.true_positives, curve.false_positives
    above = np.diff(np.append(0.0, tp[missed + 1])) - (tp[missed + 1] - tp[missed])
    tied, misses = tp[missed + 1] - tp[missed], fp[missed + 1] - fp[missed]
    rng = np.random.default_rng(seed)
    n = int(curve.n_positive + curve.n_negative)
    # Without strata the number of positives is drawn first; given it, classes are apart.
    share, fixed = curve.n_positive / n, np.full(rounds, int(curve.n_positive))
    positives = fixed if stratify else rng.binomial(n, share, size=rounds)
    gaps = np.column_stack([above, tied]).ravel() / curve.n_positive
    hits = _drawn(rng, gaps, positives)
    lost = _drawn(rng, misses / curve.n_negative, n - positives)
    before = np.cumsum(hits, axis=1)[:, ::2] + 0.0
    counted = np.clip(k - (np.cumsum(lost, axis=1) - lost), 0, lost)
    shared = hits[:, 1::2] * counted * (counted + 1) / (2 * (lost + 1))
    return np.asarray((counted * before + shared).sum(axis=1) / (k * positives))


def _drawn(rng: np.random.Generator, shares: Floats, draws: Codes) -> Floats:
    """Return how often each kind comes up in so many draws; the shares leave room for others."""
    every = np.append(shares, max(1 - float(shares.sum()), 0.0))
    return np.asarray(rng.multinomial(draws, every)[:, :-1], dtype=float)


def _from_here_on(values: Floats) -> Floats:
    """Return the sum of each value and all after it."""
    return np.asarray(np.cumsum(values[::-1])[::-1])


def _spread(
    of_positive: Floats, hits: Floats, of_negative: Floats, misses: Floats, stratify: bool
) -> float:
    """Return the square root of the summed squares of influences about their means.

    Over all cases the influences sum to 0: a sample taken twice over has the same value.
    """
    squares = 0.0
    for influence, times in ((of_positive, hits), (of_negative, misses)):
        mean = np.average(influence, weights=times) if stratify else 0.0
        squares += float(times @ (influence - mean) ** 2)
    return math.sqrt(squares)
