"""The catalogues that the reference is generated from, as docs/reference.py lists them."""

from __future__ import annotations

import importlib.util
from functools import cache
from pathlib import Path
from types import ModuleType

__all__ = ["DOCS", "one_page", "slug"]

DOCS = Path(__file__).parents[2]


@cache
def one_page() -> ModuleType:
    """Return docs/reference.py, which knows every catalogue and every command."""
    spec = importlib.util.spec_from_file_location("one_page_reference", DOCS / "reference.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def slug(title: str) -> str:
    """Return a title as a part of an address.

    Examples
    --------
    >>> slug("Intervals of a risk")
    'intervals-of-a-risk'
    """
    return "-".join(title.lower().split())
