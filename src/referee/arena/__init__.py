"""The arena: a benchmark site with secret labels and a board that ranks by inference."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from referee.arena.app import create_app
    from referee.arena.client import Client

__all__ = ["Client", "create_app"]

_HOMES = {"Client": "referee.arena.client", "create_app": "referee.arena.app"}


def __getattr__(name: str) -> Any:
    # The client must not need the server's libraries, nor the other way round.
    from importlib import import_module

    if name not in _HOMES:
        raise AttributeError(f"module 'referee.arena' has no attribute {name!r}")
    return getattr(import_module(_HOMES[name]), name)
