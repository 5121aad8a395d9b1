"""Intervals after many looks at one sealed test set, and the ladder that rations its answers."""

from referee.intervals.looks.grid import Cell, Grid
from referee.intervals.looks.groups import Groups, independent_cases
from referee.intervals.looks.guaranteed import LookInterval, look_interval, look_interval_of_mean
from referee.intervals.looks.ladder import Answer, LadderState, ladder_look
from referee.intervals.looks.weights import log_weight

__all__ = [
    "Answer",
    "Cell",
    "Grid",
    "Groups",
    "LadderState",
    "LookInterval",
    "independent_cases",
    "ladder_look",
    "log_weight",
    "look_interval",
    "look_interval_of_mean",
]
