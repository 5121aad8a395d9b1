"""Threads: one for linear algebra while a machine of few cases is fitted.

Its matrix products are small. Several threads save little there, and on a busy machine they wait
for each other: a fit takes several times as long.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from typing import Any

__all__ = ["FEW", "one_thread"]

FEW = 5000
"""Cases up to which one thread does the linear algebra."""


@cache
def _controller() -> Any:
    """Return what knows the libraries of this process; to find them takes milliseconds."""
    from threadpoolctl import ThreadpoolController  # type: ignore[import-untyped]

    return ThreadpoolController().select(user_api="blas")


@contextmanager
def one_thread(cases: int) -> Iterator[None]:
    """Let linear algebra use one thread for a while, if cases are few.

    The number of threads is that of the process, so that only its main thread sets it: others,
    coming and going in between, might leave it changed.

    Examples
    --------
    >>> with one_thread(100):
    ...     pass
    """
    if cases > FEW or threading.current_thread() is not threading.main_thread():
        yield
        return
    with _controller().limit(limits=1):
        yield
