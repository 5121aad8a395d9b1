"""A progress bar with the time left on a terminal, nothing at all elsewhere."""

from __future__ import annotations

import sys
from collections.abc import Generator, Iterable
from typing import TypeVar

__all__ = ["track"]

T = TypeVar("T")


def track(
    items: Iterable[T], total: int, what: str, *, unit: str = "fits"
) -> Generator[T, None, None]:
    """Yield the items while a bar on standard error shows how far it is.

    Silent when standard error is not a terminal, and when there is only one item.
    """
    if total < 2 or not sys.stderr.isatty():
        yield from items
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn
    from rich.progress import TimeRemainingColumn as TimeLeft

    columns = (TextColumn(what), BarColumn(), MofNCompleteColumn(), TextColumn(unit), TimeLeft())
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        yield from bar.track(items, total=total)
