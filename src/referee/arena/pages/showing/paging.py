"""Paging: a long list is shown a hundred lines at a time, so that a page stays small."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Generic, TypeVar
from urllib.parse import urlencode

__all__ = ["ROWS", "Paged", "paged", "whole"]

ROWS = 100
"""Lines on one page."""

Item = TypeVar("Item")


@dataclass(frozen=True)
class Paged(Generic[Item]):
    """A page of a list.

    Attributes
    ----------
    items : sequence
        What stands on this page.
    page, pages : int
        Which page it is, counted from 1, and how many there are.
    asked : dict
        What else stands in the addresses of the pages.
    """

    items: Sequence[Item]
    page: int
    pages: int
    asked: dict[str, str | int] = field(default_factory=dict)

    def link(self, page: int) -> str:
        """Return the address of a page."""
        return "?" + urlencode({**self.asked, "page": page})


def paged(items: Sequence[Item], text: str, **asked: str | int | None) -> Paged[Item]:
    """Return a page of a list; what is no page, or none of its pages, is the nearest one.

    Examples
    --------
    >>> page = paged(range(250), "3", sort="team", version=None)
    >>> list(page.items)[:2], page.page, page.pages, page.link(1)
    ([200, 201], 3, 3, '?sort=team&page=1')
    >>> paged([], "none").page, paged(range(250), "9").page
    (1, 3)
    """
    pages = max(1, -(-len(items) // ROWS))
    page = min(max(whole(text, 1), 1), pages)
    known = {name: value for name, value in asked.items() if value is not None}
    return Paged(items[(page - 1) * ROWS : page * ROWS], page, pages, known)


def whole(text: str, otherwise: int) -> int:
    """Return a whole number from an address, or another where it is none.

    Examples
    --------
    >>> whole("12", 1), whole("-3", 1), whole("1e5", 1)
    (12, 1, 1)
    """
    return int(text) if text.isascii() and text.isdecimal() and len(text) < 10 else otherwise
