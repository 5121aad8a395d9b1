"""Evaluation logs: what tools that evaluate language models leave behind, read as scores."""

from referee.sources.logs.catalogue import FORMATS, LogFormat, format_of, read_logs
from referee.sources.logs.log import Log
from referee.sources.logs.opening import open_log
from referee.sources.logs.score_source import read_scores_source
from referee.sources.logs.wanted import Wanted

__all__ = [
    "FORMATS",
    "Log",
    "LogFormat",
    "Wanted",
    "format_of",
    "open_log",
    "read_logs",
    "read_scores_source",
]
