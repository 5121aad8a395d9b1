"""Silence known warnings of a splitter; what they say becomes a finding of our own."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from contextlib import contextmanager

__all__ = ["quietly"]


@contextmanager
def quietly(*beginnings: str) -> Iterator[None]:
    """Ignore warnings whose message begins so."""
    with warnings.catch_warnings():
        for beginning in beginnings:
            warnings.filterwarnings("ignore", message=beginning)
        yield
