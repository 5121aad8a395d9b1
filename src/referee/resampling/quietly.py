"""Silence one known warning of a splitter; what it says becomes a finding of our own."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from contextlib import contextmanager

__all__ = ["quietly"]


@contextmanager
def quietly(beginning: str) -> Iterator[None]:
    """Ignore warnings whose message begins so."""
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", message=beginning)
        yield
