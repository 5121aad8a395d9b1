"""The page of a benchmark: what it is, its data, its rules, how it is scored."""

from __future__ import annotations

from dataclasses import dataclass

from starlette.responses import Response

from referee.arena.benchmark.benchmarks import read_benchmark
from referee.arena.benchmark.definition import Definition
from referee.arena.pages.page import Page
from referee.arena.pages.request.visitor import Visitor
from referee.arena.scoring.organising import LogEntry, notices

__all__ = ["PAGES"]

_CLASSES = 20
"""How many classes are named."""

_FILES = (
    ("train", "training cases with their labels"),
    ("test", "test cases without"),
    ("example", "a file that can be sent: one answer for all cases"),
)


@dataclass(frozen=True)
class _Notice:
    time: str
    text: str


def _notice(entry: LogEntry) -> _Notice:
    version = entry.content["version"]
    words = {
        "benchmark": f"version {version} was created",
        "frozen": "frozen; no submissions are taken",
        "thawed": "open again",
        "extended": f"the deadline was moved from {entry.content.get('before')} to "
        f"{entry.content.get('closes_at')}",
        "finished": f"version {version} was finished; the private half was opened",
    }
    return _Notice(entry.time, words[entry.kind])


def about(visitor: Visitor) -> Response:
    """Describe a benchmark."""
    arena = visitor.arena
    benchmark = read_benchmark(arena, visitor.path("slug"))
    definition = benchmark.definition
    return visitor.show(
        "benchmark.html",
        benchmark=benchmark,
        now=arena.now(),
        classes=definition.classes[:_CLASSES],
        files=_FILES,
        step=abs(definition.grid.value(1) - definition.grid.value(0)),
        id_name=repr(definition.id_column),
        target_name=repr(definition.target),
        positive_name=repr(_positive(definition)),
        notices=[_notice(entry) for entry in reversed(notices(arena, benchmark.slug))],
    )


def _positive(definition: Definition) -> str:
    """Return the class whose score a file with one column of scores holds."""
    at = definition.measure.positive
    return definition.classes[1 if at is None else at]


PAGES = (Page("/benchmarks/{slug}", about, shared=True),)
