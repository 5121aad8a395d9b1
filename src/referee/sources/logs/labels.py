"""Labels: names that tell the models of several logs apart."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from pathlib import PurePath

import numpy as np

from referee.errors import InputError, named
from referee.sources.logs.log import Log

__all__ = ["labelled"]


def labelled(logs: Sequence[Log], same_model: str = "apart") -> tuple[Log, ...]:
    """Return logs whose models have names of their own, or are runs of one another.

    Parameters
    ----------
    logs : sequence of Log
        As they were read.
    same_model : "apart" or "runs"
        What two logs of one model on one task are: two ways of asking it, told apart by where the
        logs stand, or repeated runs.
    """
    if same_model not in ("apart", "runs"):
        raise InputError(
            f"{named('same_model')} must be 'apart' or 'runs', got {same_model!r}",
            concerning="same_model",
        )
    counts = Counter((log.name, log.task) for log in logs)
    twice = {name for (name, _), count in counts.items() if count > 1}
    if not twice:
        return tuple(logs)
    return _numbered(logs) if same_model == "runs" else _named_apart(logs, twice)


def _numbered(logs: Sequence[Log]) -> tuple[Log, ...]:
    """Count the runs of later logs of a model on from those of the earlier ones."""
    runs: dict[tuple[str, str], int] = {}
    numbered = []
    for log in logs:
        before = runs.get((log.name, log.task), 0)
        runs[log.name, log.task] = before + int(np.max(log.run))
        numbered.append(replace(log, run=log.run + before))
    return tuple(numbered)


def _named_apart(logs: Sequence[Log], twice: set[str]) -> tuple[Log, ...]:
    named = []
    for log in logs:
        if log.name not in twice:
            named.append(log)
            continue
        origins = list(dict.fromkeys(o.origin for o in logs if o.name == log.name))
        named.append(replace(log, label=f"{log.name} ({_distinct(log.origin, origins)})"))
    counts = Counter((log.name, log.task) for log in named)
    for (model, task), count in counts.items():
        if count > 1:
            paths = [log.path for log in named if (log.name, log.task) == (model, task)]
            raise InputError(
                f"{paths[0]} and {paths[1]} hold the same model ({model}) on the same task "
                f"({task})",
                remedy="name one of them, or say same_model='runs' if they are repeated runs",
            )
    return tuple(named)


def _distinct(origin: str, origins: Sequence[str]) -> str:
    """Return the shortest end of a path that no other one has.

    Examples
    --------
    >>> _distinct("logs/a/run", ["logs/a/run", "logs/b/run"])
    'a/run'
    """
    parts = PurePath(origin).parts
    for length in range(1, len(parts) + 1):
        end = parts[-length:]
        if sum(PurePath(other).parts[-length:] == end for other in origins) == 1:
            return "/".join(end)
    return origin
