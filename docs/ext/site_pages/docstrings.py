"""Docstrings, put right for Sphinx before numpydoc reads them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

__all__ = ["on_docstring", "skipped_member", "without_substitutions"]

_CODE = re.compile(r"(`+[^`]*`+)")


def on_docstring(
    app: Any, what: str, name: str, value: Any, options: Any, lines: list[str]
) -> None:
    """Rewrite the lines of a docstring in place."""
    lines[:] = without_substitutions(lines)


def without_substitutions(lines: list[str]) -> Iterator[str]:
    r"""Return the lines with bars that mean themselves, as those of an absolute value.

    Examples
    --------
    >>> list(without_substitutions(["|x| of `a|b`", ">>> 1 | 2", "3"]))
    ['\\|x\\| of `a|b`', '>>> 1 | 2', '3']
    """
    in_example = False
    for line in lines:
        in_example = line.lstrip().startswith(">>>") or (in_example and bool(line.strip()))
        parts = [line] if in_example else _CODE.split(line)
        yield parts[0] if in_example else "".join(map(_escaped, parts))


def _escaped(part: str) -> str:
    return part if part.startswith("`") else part.replace("|", "\\|")


def skipped_member(
    app: Any, what: str, name: str, value: Any, skip: bool, options: Any
) -> bool | None:
    """Leave out the methods that scikit-learn adds to every estimator for its metadata routing."""
    return True if re.fullmatch(r"set_\w+_request", name) else None
