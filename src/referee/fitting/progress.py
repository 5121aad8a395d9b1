"""A progress bar with the time left on a terminal, a line in a notebook, nothing elsewhere."""

from __future__ import annotations

import sys
import time
from collections.abc import Generator, Iterable
from typing import TypeVar

__all__ = ["is_showing", "track"]

T = TypeVar("T")

_showing = False

_EVERY = 1.0
"""Seconds from one line in a notebook to the next."""


def is_showing() -> bool:
    """Tell whether a bar stands on the terminal now."""
    return _showing


def track(
    items: Iterable[T], total: int, what: str, *, unit: str = "fits"
) -> Generator[T, None, None]:
    """Yield the items while a bar on standard error shows how far it is.

    A notebook has a line instead, after the first second. Silent when standard error is neither,
    when there is only one item, and when what goes on inside another bar is tracked, too.
    """
    if total < 2 or _showing:
        yield from items
    elif sys.stderr.isatty():
        yield from _shown(items, total, what, unit)
    elif _in_notebook():
        yield from _with_line(items, total, what, unit)
    else:
        yield from items


def _in_notebook() -> bool:
    """Tell whether a kernel shows to somebody what is printed."""
    shell = getattr(sys.modules.get("IPython"), "get_ipython", lambda: None)()
    return type(shell).__name__ == "ZMQInteractiveShell"


def _with_line(items: Iterable[T], total: int, what: str, unit: str) -> Generator[T, None, None]:
    """Yield the items, and write one line over and over."""
    global _showing
    from referee.core.showing.characters import one_line

    began = said = time.monotonic()
    width = 0
    _showing = True
    try:
        for done, item in enumerate(items, start=1):
            yield item
            now = time.monotonic()
            if now - said >= _EVERY and done < total:
                left = (now - began) / done * (total - done)
                text = f"{one_line(what)}: {done}/{total} {unit}, about {left:.0f} s left"
                sys.stderr.write("\r" + text.ljust(width))
                said, width = now, len(text)
    finally:
        _showing = False
        if width:
            sys.stderr.write("\r" + " " * width + "\r")


def _shown(items: Iterable[T], total: int, what: str, unit: str) -> Generator[T, None, None]:
    global _showing
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn
    from rich.progress import TimeRemainingColumn as TimeLeft

    from referee.core.showing.characters import one_line

    # The name of a model may hold braces, brackets or escape sequences: it is no format.
    name = TextColumn("{task.description}", markup=False)
    columns = (name, BarColumn(), MofNCompleteColumn(), TextColumn(unit), TimeLeft())
    _showing = True
    try:
        with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
            yield from bar.track(items, total=total, description=one_line(what))
    finally:
        _showing = False
