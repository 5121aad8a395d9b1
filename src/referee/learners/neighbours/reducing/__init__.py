"""Fewer cases: nearest-neighbour rules that keep only some of their training cases."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from referee.learners.neighbours.reducing.boundary import BoundaryKNN
    from referee.learners.neighbours.reducing.condensed import CondensedKNN
    from referee.learners.neighbours.reducing.edited import EditedKNN
    from referee.learners.neighbours.reducing.prototypes import PrototypeKNN

__all__ = ["BoundaryKNN", "CondensedKNN", "EditedKNN", "PrototypeKNN"]

_HOMES = {
    "BoundaryKNN": "boundary",
    "CondensedKNN": "condensed",
    "EditedKNN": "edited",
    "PrototypeKNN": "prototypes",
}


def __getattr__(name: str) -> Any:
    """Import an estimator when it is asked for; compiled loops take a while to load."""
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_HOMES[name]}"), name)
