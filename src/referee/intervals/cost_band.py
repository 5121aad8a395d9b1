"""The band around a cost curve: what the true expected cost may be, weight by weight."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from referee.core.arrays import Floats
from referee.core.randomness import Seed
from referee.intervals.area.ranking_sample import RankingSample
from referee.intervals.one_set.proportion import wilson
from referee.measures.formulas.cost import CostCurve
from referee.measures.formulas.roc import RocCurve

__all__ = ["CostBand", "cost_band"]


@dataclass(frozen=True, eq=False)
class CostBand:
    """Limits of the normalised expected cost, weight by weight."""

    weight: Floats
    low: Floats
    high: Floats
    level: float


def cost_band(
    sample: RankingSample, curve: CostCurve, level: float, rounds: int, seed: Seed
) -> CostBand:
    """Return percentiles of the cost curves of resamples, never narrower than the counts allow.

    Resamples of a ranking without errors have none, either. So at each weight the two error rates
    of the chosen threshold are given Wilson's limits, joined by square-and-add, and the band holds
    that interval, too.
    """
    lines = _mixing(curve.weight)
    drawn = np.array([np.min(lines @ _corners(c), axis=1) for c in sample.resampled(rounds, seed)])
    stretched = curve.cost + (drawn - curve.cost) * np.sqrt(sample.inflation)
    low, high = np.quantile(stretched, ((1 - level) / 2, (1 + level) / 2), axis=0)
    below, above = _squared_and_added(sample, curve, level)
    low = np.minimum(low, curve.cost - below)
    # No rule need cost more than the better of the two trivial ones.
    high = np.minimum(np.maximum(high, curve.cost + above), curve.trivial)
    return CostBand(curve.weight, np.clip(low, 0, 1), np.clip(high, 0, 1), level)


def _mixing(weight: Floats) -> Floats:
    return np.column_stack([weight, 1 - weight])


def _corners(curve: RocCurve) -> Floats:
    """Return misses and false alarms of the vertices that can be cheapest: where rises end."""
    tp, fp = curve.true_positives, curve.false_positives
    rises, runs = np.diff(tp) > 0, np.diff(fp) > 0
    kept = np.append(True, rises) & np.append(runs, True) | (np.arange(len(tp)) == 0)
    kept |= np.append(False, rises & runs) | np.append(rises & runs, False)
    kept[-1] = True
    return np.vstack([1 - curve.tpr[kept], curve.fpr[kept]])


def _squared_and_added(
    sample: RankingSample, curve: CostCurve, level: float
) -> tuple[Floats, Floats]:
    w = curve.weight
    rates = np.vstack([1 - sample.curve.tpr, sample.curve.fpr])
    chosen = np.clip(rates[:, np.argmin(_mixing(w) @ rates, axis=1)], 0, 1)
    below, above = np.zeros(len(w)), np.zeros(len(w))
    for rate, n, share in zip(chosen, sample.sizes, (w, 1 - w), strict=True):
        limits = [wilson(r * n, n, level) for r in rate]
        below += (share * (rate - [i.low for i in limits])) ** 2
        above += (share * ([i.high for i in limits] - rate)) ** 2
    return np.sqrt(below), np.sqrt(above)
