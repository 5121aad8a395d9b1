"""A progress bar with the time left on a terminal, nothing at all elsewhere."""

from __future__ import annotations

import sys
from collections.abc import Generator, Iterable
from typing import TypeVar

__all__ = ["track"]

T = TypeVar("T")

_showing = False


def track(
    items: Iterable[T], total: int, what: str, *, unit: str = "fits"
) -> Generator[T, None, None]:
    """Yield the items while a bar on standard error shows how far it is.

    Silent when standard error is not a terminal, when there is only one item, and when what goes
    on inside another bar is tracked, too.
    """
    if total < 2 or _showing or not sys.stderr.isatty():
        yield from items
        return
    yield from _shown(items, total, what, unit)


def _shown(items: Iterable[T], total: int, what: str, unit: str) -> Generator[T, None, None]:
    global _showing
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn
    from rich.progress import TimeRemainingColumn as TimeLeft

    columns = (TextColumn(what), BarColumn(), MofNCompleteColumn(), TextColumn(unit), TimeLeft())
    _showing = True
    try:
        with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
            yield from bar.track(items, total=total)
    finally:
        _showing = False
