"""The first page: all benchmarks."""

from __future__ import annotations

from starlette.responses import Response

from referee.arena.benchmark.benchmarks import benchmarks
from referee.arena.pages.page import Page
from referee.arena.pages.request.visitor import Visitor

__all__ = ["PAGES"]


def home(visitor: Visitor) -> Response:
    """List the benchmarks."""
    arena = visitor.arena
    return visitor.show("home.html", benchmarks=benchmarks(arena), now=arena.now())


def statistics(visitor: Visitor) -> Response:
    """Explain ladder, guaranteed interval and tiers."""
    return visitor.show("statistics.html")


PAGES = (
    Page("/", home, shared=True),
    Page("/about/statistics", statistics, shared=True),
)
