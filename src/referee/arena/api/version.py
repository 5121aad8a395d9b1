"""The version of a benchmark that a request names."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated

from fastapi import Query

from referee.arena.problem import Problem

__all__ = ["Version", "asked_version"]

_MOST = 10**6

Version = Annotated[int | None, Query(ge=1, lt=_MOST, description="The last if left out.")]


def asked_version(query: Mapping[str, str]) -> int | None:
    """Return the version that a query names, for routes that FastAPI does not prepare."""
    text = query.get("version")
    if text is None:
        return None
    number = int(text) if text.isascii() and text.isdigit() and len(text) < 20 else 0
    if not 1 <= number < _MOST:
        raise Problem(422, f"version: must be a whole number from 1 to {_MOST - 1}")
    return number
