"""Pulse: a line on a terminal that says, every second, that the work goes on.

Fits have a bar with the time left (`referee.fitting.progress`); reading, measuring and resampling
have no number of steps. Nothing is shown in the first second, nor where nobody looks.
"""

from __future__ import annotations

import contextlib
import sys
import threading
import time
from collections.abc import Iterator

__all__ = ["erase", "paused", "pulsing"]

_FIRST, _EVERY = 1.0, 1.0
"""With what it takes to start, nobody waits two seconds for a sign."""
_ERASED = "\r\x1b[K"

_lock = threading.Lock()
_shown = False
_asking = False


@contextlib.contextmanager
def pulsing(what: str) -> Iterator[None]:
    """Show how long it has taken so far, until the work inside is done."""
    if not sys.stderr.isatty():
        yield
        return
    done = threading.Event()
    thread = threading.Thread(target=_pulse, args=(what, done), daemon=True)
    thread.start()
    try:
        yield
    finally:
        done.set()
        thread.join()
        erase()


@contextlib.contextmanager
def paused() -> Iterator[None]:
    """Show nothing while somebody is asked something."""
    global _asking
    erase()
    _asking = True
    try:
        yield
    finally:
        _asking = False


def erase() -> None:
    """Take the line away, so that something else can be printed."""
    global _shown
    with _lock:
        if _shown:
            _write(_ERASED)
            _shown = False


def _pulse(what: str, done: threading.Event) -> None:
    global _shown
    began = time.monotonic()
    pause = _FIRST
    while not done.wait(pause):
        pause = _EVERY
        with _lock:
            if not _asking and not _bar_is_showing():
                _write(f"{_ERASED}referee: {what}, {time.monotonic() - began:.0f} s")
                _shown = True


def _bar_is_showing() -> bool:
    progress = sys.modules.get("referee.fitting.progress")  # a bar can only be of one who loaded it
    return progress is not None and progress.is_showing()


def _write(text: str) -> None:
    with contextlib.suppress(OSError, ValueError):  # a model may close the streams
        sys.stderr.write(text)
        sys.stderr.flush()
