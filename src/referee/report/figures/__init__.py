"""Pictures: data first, drawing later.

Displays are imported only when asked for: compiled loops and matplotlib take a while to load, and
the report in text needs neither.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from referee.report.figures.band import RocBand, roc_band
    from referee.report.figures.confusion import ConfusionDisplay
    from referee.report.figures.cost import CostDisplay
    from referee.report.figures.forest import draw_bars
    from referee.report.figures.gaussian import GaussianTaskDisplay
    from referee.report.figures.interval import IntervalDisplay
    from referee.report.figures.precision_recall import PrecisionRecallDisplay
    from referee.report.figures.ranks import draw_ranks
    from referee.report.figures.reduction import ReductionDisplay
    from referee.report.figures.reliability import ReliabilityDisplay
    from referee.report.figures.roc import RocDisplay
    from referee.report.figures.roc50 import Roc50Display

__all__ = [
    "ConfusionDisplay",
    "CostDisplay",
    "GaussianTaskDisplay",
    "IntervalDisplay",
    "PrecisionRecallDisplay",
    "ReductionDisplay",
    "ReliabilityDisplay",
    "Roc50Display",
    "RocBand",
    "RocDisplay",
    "draw_bars",
    "draw_ranks",
    "roc_band",
]

_HOMES = {
    "ConfusionDisplay": "confusion",
    "CostDisplay": "cost",
    "GaussianTaskDisplay": "gaussian",
    "IntervalDisplay": "interval",
    "PrecisionRecallDisplay": "precision_recall",
    "ReductionDisplay": "reduction",
    "ReliabilityDisplay": "reliability",
    "Roc50Display": "roc50",
    "RocBand": "band",
    "RocDisplay": "roc",
    "draw_bars": "forest",
    "draw_ranks": "ranks",
    "roc_band": "band",
}


def __getattr__(name: str) -> Any:
    """Import a display when it is asked for."""
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_HOMES[name]}"), name)
