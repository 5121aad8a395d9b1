"""Operating points: what a score does as a rule, threshold by threshold, and what it is worth.

Rates and predictive values have Clopper-Pearson intervals, likelihood ratios those of their
logarithms (Simel and others 1991), or Koopman's score interval where they are 0 or infinite. The
net benefit of treating everybody whose probability is at least t is TP/n - FP/n · t/(1 - t): a true
positive counts 1, and the threshold itself says how many false positives are worth one (Vickers and
Elkin 2006).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
import scipy

from referee.core.arrays import Flags, Label
from referee.core.predictions import Predictions
from referee.errors import InputError, arg, named
from referee.intervals.area.ranking_sample import RankingSample
from referee.intervals.difference.ratio_of_shares import ratio_of_shares
from referee.intervals.one_set.bootstrap import bootstrap
from referee.intervals.one_set.proportion import clopper_pearson
from referee.measures.formulas.calibration_line import calibration_line
from referee.measures.formulas.probability import check_between_0_and_1

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["THRESHOLDS", "calibration_frame", "operating_frame", "scored_sample"]

THRESHOLDS = (0.05, 0.1, 0.2, 0.3, 0.5)
"""Probabilities at which rules are shown unless others are asked for."""


def scored_sample(table: Predictions, positive: Label | None) -> RankingSample:
    """Return which unseen cases are positive, their scores, and which of them belong together."""
    if positive is None or table.scores is None:
        raise InputError(
            "operating points need scores of a positive class",
            concerning="pos_label",
            remedy=(
                f"pass {named('pos_label')}, and {named('y_score')} or {arg('measures', ['auc'])}"
            ),
        )
    if table.weight is not None:
        raise InputError(
            "operating points count every case once",
            concerning="pos_label",
            remedy="leave out the weights",
        )
    at = table.classes.index(positive)
    scores = table.scores if table.scores.ndim == 1 else table.scores[:, at]
    units = table.case if table.groups is None else table.groups[table.case]
    alone = table.groups is None and np.bincount(table.case).max(initial=0) <= 1
    return RankingSample(
        table.row_truth == at,
        np.asarray(scores, dtype=float),
        units=None if alone else units,
        fits=table.situation.fits,
    )


def operating_frame(
    sample: RankingSample, thresholds: Sequence[float] | None, level: float
) -> pd.DataFrame:
    """Return one row per threshold: rates, predictive values, likelihood ratios, net benefit.

    Examples
    --------
    >>> positive = np.repeat([True, False], [20, 80])
    >>> scores = np.where(np.arange(100) % 10 == 0, ~positive, positive) * 0.6 + 0.2
    >>> operating_frame(RankingSample(positive, scores), [0.5], 0.95).loc[0.5, "lr+"].round(3)
    np.float64(9.0)
    """
    import pandas as pd

    chosen = THRESHOLDS if thresholds is None else tuple(thresholds)
    rows = [_row(sample, float(t), level) for t in chosen]
    return pd.DataFrame(rows).set_index("threshold")


def calibration_frame(sample: RankingSample, level: float) -> pd.DataFrame:
    """Return slope and intercept of the probabilities with their intervals."""
    import pandas as pd

    check_between_0_and_1(sample.scores[:, None])
    line = calibration_line(sample.positive, sample.scores, sample.units)
    z = float(scipy.special.ndtri((1 + level) / 2)) * math.sqrt(sample.inflation)
    rows = {
        "slope": (line.slope, line.slope_se),
        "intercept": (line.intercept, line.intercept_se),
    }
    return pd.DataFrame(
        {
            name: {"value": v, "low": v - z * se, "high": v + z * se}
            for name, (v, se) in rows.items()
        }
    ).T


def _row(sample: RankingSample, threshold: float, level: float) -> dict[str, float]:
    called, hit = sample.scores >= threshold, sample.positive
    p, n = sample.sizes
    worth = (p + n) / len(hit)
    row = {"threshold": threshold}
    row |= _share("tpr", hit & called, hit, p / hit.sum(), level)
    row |= _share("tnr", ~hit & ~called, ~hit, n / (~hit).sum(), level)
    row |= _share("ppv", hit & called, called, worth, level)
    row |= _share("npv", ~hit & ~called, ~called, worth, level)
    row |= _ratio("lr+", row["tpr"], 1 - row["tnr"], (p, n), level)
    row |= _ratio("lr-", 1 - row["tpr"], row["tnr"], (p, n), level)
    return row | _net_benefit(sample, called, threshold, level)


def _share(name: str, hits: Flags, among: Flags, worth: float, level: float) -> dict[str, float]:
    size = float(among.sum())
    if size == 0:
        return _named(name, math.nan, math.nan, math.nan)
    value = float(hits.sum()) / size
    i = clopper_pearson(value * size * worth, size * worth, level)
    return _named(name, value, i.low, i.high)


def _ratio(
    name: str, over: float, under: float, sizes: tuple[float, float], level: float
) -> dict[str, float]:
    """Return a ratio of two rates with the interval of its logarithm, or of its score.

    A logarithm has no interval at 0 and infinity, and one of no width where both rates are 1.
    Where both are 0 there is no ratio.
    """
    value = over / under if under > 0 else math.nan if over == 0 else math.inf
    if math.isnan(value):
        return _named(name, value, math.nan, math.nan)
    if not 0 < value < math.inf or over == under == 1:
        m, n = sizes
        low, high = ratio_of_shares(over * m, m, under * n, n, level)
        return _named(name, value, low, high)
    se = math.sqrt((1 - over) / (over * sizes[0]) + (1 - under) / (under * sizes[1]))
    factor = math.exp(float(scipy.special.ndtri((1 + level) / 2)) * se)
    return _named(name, value, value / factor, value * factor)


def _net_benefit(
    sample: RankingSample, called: Flags, threshold: float, level: float
) -> dict[str, float]:
    """Return the net benefit of treating those called positive, and of treating everybody."""
    if not 0 < threshold < 1 or sample.scores.min() < 0 or sample.scores.max() > 1:
        return _named("net benefit", math.nan, math.nan, math.nan) | {"treat all": math.nan}
    odds = threshold / (1 - threshold)
    each = np.where(sample.positive, 1.0, -odds)
    gains = each * called
    if np.ptp(gains) == 0:
        return _named("net benefit", float(gains[0]), math.nan, math.nan) | {
            "treat all": float(each.mean())
        }
    i = bootstrap.abc_mean(gains, groups=sample.units, worth=1 / sample.inflation, level=level)
    return _named("net benefit", float(gains.mean()), i.low, i.high) | {
        "treat all": float(each.mean())
    }


def _named(name: str, value: float, low: float, high: float) -> dict[str, float]:
    return {name: value, f"{name} low": low, f"{name} high": high}
