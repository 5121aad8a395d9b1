"""Holding results against the saved ones: every number, every name, no sentence."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

__all__ = ["Changes", "differences"]

PROSE = frozenset(
    {
        "assumptions",
        "basis",
        "claim",
        "conclusion",
        "how",
        "hypothesis",
        "line",
        "message",
        "methods",
        "null",
        "remedy",
        "sentence",
        "setting",
        "title",
    }
)
"""Keys of texts for people: their wording may change, so texts below them are not compared."""

PRESENCE = frozenset({"flag", "reason", "reservation"})
"""Keys of texts that warn: it is compared whether there is one, not how it is worded."""

RELATIVE = 1e-9
SOLVED = 1e-7
"""The same for scores of a solver that stops at a tolerance."""

NOTHING = 1e-12
"""What is left of a difference of equal numbers; p-values are compared however small they are."""

_P_VALUE = re.compile(r"(^|\.)(p_\w+|\w+_p)$")
_INDEX = re.compile(r"\[\d+\]$")
_MISSING = object()


@dataclass(frozen=True)
class Changes:
    """What was changed on purpose. All paths are regular expressions, searched for in a path.

    Attributes
    ----------
    paths : tuple of (old, new)
        Keys that were renamed or moved: each is substituted in the saved paths, in this order.
    values : tuple of (path, old, new)
        Names that were changed at (new) paths that match, old and new in full.
    removed, added : tuple of str
        Saved paths that are gone (by their old names), and paths that are new.
    """

    paths: tuple[tuple[str, str], ...] = ()
    values: tuple[tuple[str, Any, Any], ...] = ()
    removed: tuple[str, ...] = ()
    added: tuple[str, ...] = ()


def differences(
    before: Mapping[str, Any],
    after: Mapping[str, Any],
    changes: Changes | None = None,
    *,
    relative: float = RELATIVE,
) -> list[str]:
    """Return one line for each path whose content is not as it was, in order of the paths."""
    changes = changes or Changes()
    old = {
        _renamed(path, changes): (path, value)
        for path, value in _leaves(before)
        if not any(re.search(gone, path) for gone in changes.removed)
    }
    new = dict(_leaves(after))
    lines = []
    for path, (was, value) in old.items():
        found = new.get(path, _MISSING)
        called = path if path == was else f"{was} (now {path})"
        if found is _MISSING:
            lines.append(f"{called}: was {_shown(value)}, is missing")
        elif not _equal(path, _revalued(path, value, changes), found, relative):
            lines.append(f"{called}: was {_shown(value)}, is {_shown(found)}")
    for path, value in new.items():
        if path not in old and not any(re.search(extra, path) for extra in changes.added):
            lines.append(f"{path}: is new, {_shown(value)}")
    return lines


def _leaves(tree: Any, path: str = "") -> list[tuple[str, Any]]:
    """Return every value that is compared with its path, as ``runs.tango.results[0].n``."""
    if isinstance(tree, Mapping):
        return [
            leaf
            for key, part in tree.items()
            for leaf in _leaves(part, f"{path}.{key}" if path else str(key))
        ]
    if isinstance(tree, list):
        return [leaf for i, part in enumerate(tree) for leaf in _leaves(part, f"{path}[{i}]")]
    key = _key(path)
    if isinstance(tree, str) and key in PROSE:
        return []
    if isinstance(tree, str) and key in PRESENCE:
        return [(path, bool(tree))]
    return [(path, tree)]


def _key(path: str) -> str:
    return _INDEX.sub("", path).rsplit(".", 1)[-1]


def _renamed(path: str, changes: Changes) -> str:
    for old, new in changes.paths:
        path = re.sub(old, new, path)
    return path


def _revalued(path: str, value: Any, changes: Changes) -> Any:
    for where, old, new in changes.values:
        if value == old and re.search(where, path):
            return new
    return value


def _equal(path: str, one: Any, other: Any, relative: float) -> bool:
    if _is_number(one) and _is_number(other):
        least = 0.0 if _P_VALUE.search(path) else NOTHING
        return math.isclose(one, other, rel_tol=relative, abs_tol=least)
    return type(one) is type(other) and bool(one == other)


def _is_number(value: Any) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def _shown(value: Any) -> str:
    text = repr(value)
    return text if len(text) <= 120 else text[:117] + "..."
