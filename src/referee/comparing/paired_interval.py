"""Intervals of a difference of errors on the same cases, by name."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from referee.core.results import Interval
from referee.intervals.difference.paired import bonett_price, newcombe_paired, tango, wald_paired
from referee.measures.paired_counts import PairedCounts

__all__ = ["PAIRED_INTERVALS"]

PAIRED_INTERVALS: Mapping[str, Callable[[PairedCounts, float], Interval]] = {
    "bonett-price": bonett_price,
    "tango": tango,
    "newcombe-paired": newcombe_paired,
    "wald-paired": wald_paired,
}
