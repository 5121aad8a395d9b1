"""Rules for the p-value of a difference of two learners, from the numbers of many data sets."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np
from scipy import stats

from benchmarks.learner_rules.draws import COLUMNS, HALVINGS

__all__ = ["FROZEN", "RULES", "Rule", "adjusted_power"]

Table: TypeAlias = Any
"""A row for each data set, columns as in COLUMNS."""

_AT = {name: i for i, name in enumerate(COLUMNS)}
_SPREAD, _EXPECTED = _AT["spread 0"], _AT["expected 0"]


@dataclass(frozen=True)
class Rule:
    """A standard error and its degrees of freedom.

    Attributes
    ----------
    full, half : int
        Fits a learner on nine tenths of the data, and on two fifths of it.
    squared : function
        Table -> squared standard error and degrees of freedom.
    """

    full: int
    half: int
    squared: Callable[[Table], tuple[Any, Any]]

    def p_values(self, table: Table) -> Any:
        """Return p for each data set; 1 where nothing differs."""
        value = table[:, _AT["value"]]
        squared, df = self.squared(table)
        with np.errstate(divide="ignore", invalid="ignore"):
            t = np.abs(value) / np.sqrt(squared)
        return np.where(value == 0, 1.0, 2 * stats.t.sf(np.nan_to_num(t, posinf=1e9), df))


def _halved(table: Table, halvings: int, prior: Any, weight: float) -> tuple[Any, Any]:
    """The halves-calibrated t; `weight` halvings of a ratio `prior` are added to those seen."""
    n = table[:, 0]
    spread = table[:, _SPREAD : _SPREAD + halvings].sum(axis=1)
    expected = table[:, _EXPECTED : _EXPECTED + halvings].sum(axis=1)
    ratio = np.where(expected > 0, spread / np.where(expected > 0, expected, 1.0), 1.0)
    ratio = (halvings * ratio + weight * prior) / (halvings + weight)
    one, between = table[:, _AT["of one"]], table[:, _AT["between"]]
    squared = np.maximum(table[:, _AT["of case"]], ratio * one - 0.9 * between)
    return squared, 1 / (1 / (halvings + weight) + 1 / (n - 1))


def _corrected(table: Table) -> tuple[Any, Any]:
    return table[:, _AT["corrected"]], 99.0


def _mixed(table: Table, share: float) -> tuple[Any, Any]:
    """A mean of the halves-calibrated variance of ten halvings and the corrected t's."""
    ours, _ = _halved(table, 10, 1.0, 0.0)
    squared = (1 - share) * ours + share * table[:, _AT["corrected"]]
    return squared, 1 / (1 / (10 / (1 - share) ** 2) + 1 / (table[:, 0] - 1))


def shrunk(weight: float, base: float, slope: float = 0.0, halvings: int = 10) -> Rule:
    """Return the halves-calibrated t whose ratio is drawn towards base + slope x instability.

    The instability is the variance between repetitions over that of one of them: it costs no fit,
    and learners whose results change with the folds are those whose variance is told too small.
    """

    def squared(table: Table) -> tuple[Any, Any]:
        one, between = table[:, _AT["of one"]], table[:, _AT["between"]]
        prior = base + slope * between / np.where(one > 0, one, 1.0)
        return _halved(table, halvings, prior, weight)

    return Rule(100, 10 * halvings, squared)


FROZEN = shrunk(12, 0.9, 6.0)
"""The rule that was chosen on the tuning cells, before a fresh one was drawn."""

RULES = {
    "today's": Rule(100, 10 * HALVINGS, lambda t: _halved(t, HALVINGS, 1.0, 0.0)),
    "corrected t": Rule(100, 0, _corrected),
    "10 halvings": Rule(100, 100, lambda t: _halved(t, 10, 1.0, 0.0)),
    "10 halvings, half corrected": Rule(100, 100, lambda t: _mixed(t, 0.5)),
    "10 halvings, drawn to 1.3": shrunk(20, 1.3),
    "10 halvings, drawn to .86 + 4 u": shrunk(10, 0.86, 4.0),
    "10 halvings, drawn to 1 + 8 u": shrunk(15, 1.0, 8.0),
    "frozen: drawn to .9 + 6 u": FROZEN,
}


def adjusted_power(null: Any, p_values: Any, level: float = 0.05) -> float:
    """Return the power at the level at which 5 % of equal learners are told apart."""
    return float(np.mean(p_values <= np.quantile(null, level)))
