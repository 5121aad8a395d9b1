"""Compiling: how loops are compiled, kept on disk, and announced: no first call looks hung."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any, TypeVar

from numba import njit
from numba.core import event

__all__ = ["compiled", "compiled_sums"]

Loop = TypeVar("Loop", bound=Callable[..., Any])


class _Announcer(event.Listener):
    """Says once that something is being compiled; silent where nobody watches."""

    def __init__(self) -> None:
        self._said = False

    def on_start(self, event: Any) -> None:
        """Speak before the first compilation of a process; loading from disk is none."""
        if not self._said and sys.stderr is not None and sys.stderr.isatty():
            print("referee: compiling, once ...", file=sys.stderr, flush=True)  # noqa: T201
        self._said = True

    def on_end(self, event: Any) -> None:
        """Say nothing."""


_register: Any = event.register
_register("numba:compile", _Announcer())


def compiled(loop: Loop) -> Loop:
    """Return a loop that is compiled at its first call and then kept on disk.

    The module that holds it must be a file: next to it the compiled code is kept.
    """
    compile_: Any = njit(cache=True, nogil=True)
    kernel: Loop = compile_(loop)
    return kernel


def compiled_sums(loop: Loop) -> Loop:
    """Return a compiled loop whose sums may be reordered, so that they fill vector registers."""
    compile_: Any = njit(cache=True, nogil=True, fastmath={"reassoc", "contract", "nsz"})
    kernel: Loop = compile_(loop)
    return kernel
