"""The screen: the one way to standard output and standard error.

What is printed holds names from anywhere, so nothing in it may act on a terminal. Streams may be
closed, full, of a narrow alphabet, or read by somebody who has seen enough.
"""

from __future__ import annotations

import contextlib
import io
import os
import sys
import warnings
from collections.abc import Iterator
from typing import IO, Any

from referee.core.showing.characters import whole_characters
from referee.errors import InputError

__all__ = ["make_room", "note", "prepared_streams", "say", "terminal_width", "whole_characters"]

_NARROWEST, _WIDEST = 40, 100


def say(text: str = "", *, end: str = "\n") -> None:
    """Print text on standard output; whatever acts on a terminal is shown as codes.

    Whoever reads it through a pipe may go away at any time; a full disk is an error.
    """
    from referee.core.showing.characters import harmless

    make_room()
    try:
        stream = _usable("stdout", 1)
        stream.write(harmless(text) + end)
        stream.flush()
    except BrokenPipeError:
        _give_up("stdout", 1)
    except (OSError, ValueError) as problem:
        _give_up("stdout", 1)
        why = getattr(problem, "strerror", None) or str(problem)
        raise InputError(f"the report cannot be written to standard output: {why}") from None


def note(text: str) -> None:
    """Say something about the work on standard error, in one line; it is lost where nobody reads.

    Control characters and whatever else acts on a terminal are shown as codes.
    """
    from referee.core.showing.characters import one_line

    make_room()
    try:
        stream = _usable("stderr", 2)
        stream.write(f"referee: {one_line(text)}\n")
        stream.flush()
    except (OSError, ValueError):
        _give_up("stderr", 2)


def make_room() -> None:
    """Take the pulse away, where one is shown; who did not start one need not load it."""
    pulse = sys.modules.get("referee.cli.terminal.pulse")
    if pulse is not None:
        pulse.erase()


def terminal_width() -> int:
    """Return how many columns a report may take; a narrower window breaks its lines itself."""
    from shutil import get_terminal_size

    return min(max(get_terminal_size((_WIDEST, 24)).columns, _NARROWEST), _WIDEST)


@contextlib.contextmanager
def prepared_streams() -> Iterator[None]:
    """Take streams that are closed or of a narrow alphabet, and leave none with lines unwritten."""
    for name, number in (("stdout", 1), ("stderr", 2)):
        stream = getattr(sys, name)
        if stream is None:
            _give_up(name, number)
        elif isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")
    shown, warnings.showwarning = warnings.showwarning, _show_warning
    try:
        yield
    finally:
        warnings.showwarning = shown
        for name, number in (("stdout", 1), ("stderr", 2)):
            try:
                getattr(sys, name).flush()
            except (OSError, ValueError):
                _give_up(name, number)


def _show_warning(
    message: Warning | str,
    category: type[Warning],
    filename: str,
    lineno: int,
    file: IO[str] | None = None,
    line: str | None = None,
) -> None:
    note(f"{category.__name__}: {message}")


def _usable(name: str, number: int) -> Any:
    """Return the stream, opened again where a model closed it."""
    stream = getattr(sys, name)
    if stream.closed:
        stream = open(number, "w", encoding="utf-8", errors="backslashreplace", closefd=False)  # noqa: SIM115
        setattr(sys, name, stream)
    return stream


def _give_up(name: str, number: int) -> None:
    """Send what is still to be written nowhere, so that Python does not complain at its end."""
    stream = getattr(sys, name)
    with contextlib.suppress(OSError, ValueError, AttributeError):
        nowhere = os.open(os.devnull, os.O_WRONLY)
        if nowhere != stream.fileno():
            os.dup2(nowhere, stream.fileno())
            os.close(nowhere)
    if stream is None or stream.closed:
        setattr(sys, name, open(os.devnull, "w", encoding="utf-8"))  # noqa: SIM115
