"""Running a benchmark: watch, extend, freeze, finish, export."""

from __future__ import annotations

import tempfile
from pathlib import Path

from starlette.responses import Response

from referee.arena.benchmark.benchmarks import Benchmark, read_benchmark, require_organiser
from referee.arena.exporting import export_benchmark
from referee.arena.pages.page import Page
from referee.arena.pages.request.visitor import Visitor
from referee.arena.problem import Problem
from referee.arena.scoring import organising
from referee.arena.scoring.board import board
from referee.arena.scoring.finishing import finish

__all__ = ["PAGES"]


def _own(visitor: Visitor) -> Benchmark:
    """Return the benchmark, if its organiser asks."""
    organiser = visitor.organiser
    benchmark = read_benchmark(visitor.arena, visitor.path("slug"))
    require_organiser(organiser, benchmark)
    return benchmark


def _home(slug: str) -> str:
    return f"/organise/benchmarks/{slug}"


def watch(visitor: Visitor) -> Response:
    """Show how a benchmark goes, and what can be done with it."""
    return _watching(visitor, None)


def _watching(visitor: Visitor, refused: Problem | None) -> Response:
    benchmark, arena = _own(visitor), visitor.arena
    return visitor.show(
        "running.html",
        200 if refused is None else refused.status,
        benchmark=benchmark,
        board=board(arena, benchmark.slug),
        now=arena.now(),
        refused=refused,
        kept=visitor.form.kept("closes"),
    )


def freeze(visitor: Visitor) -> Response:
    """Take no more submissions until further notice."""
    benchmark = _own(visitor)
    organising.freeze(visitor.arena, visitor.organiser, benchmark.slug)
    return visitor.go(_home(benchmark.slug))


def thaw(visitor: Visitor) -> Response:
    """Take submissions again."""
    benchmark = _own(visitor)
    organising.thaw(visitor.arena, visitor.organiser, benchmark.slug)
    return visitor.go(_home(benchmark.slug))


def extend(visitor: Visitor) -> Response:
    """Move the deadline."""
    benchmark = _own(visitor)
    try:
        closes = visitor.form.text("closes")
        organising.extend(visitor.arena, visitor.organiser, benchmark.slug, closes)
    except Problem as refused:
        return _watching(visitor, refused)
    return visitor.go(_home(benchmark.slug))


def finish_form(visitor: Visitor) -> Response:
    """Say what cannot be undone."""
    return _finishing(visitor, None)


def _finishing(visitor: Visitor, refused: Problem | None) -> Response:
    benchmark = _own(visitor)
    return visitor.show(
        "finish.html",
        200 if refused is None else refused.status,
        benchmark=benchmark,
        now=visitor.arena.now(),
        teams=board(visitor.arena, benchmark.slug).teams,
        refused=refused,
        kept=visitor.form.kept("address"),
    )


def finish_now(visitor: Visitor) -> Response:
    """Open the private half, if the organiser has typed the benchmark's address."""
    benchmark = _own(visitor)
    if visitor.form.text("address").strip() != benchmark.slug:
        refused = Problem(422, f"type {benchmark.slug} to confirm; nothing was done")
        return _finishing(visitor, refused)
    try:
        finish(visitor.arena, visitor.organiser, benchmark.slug)
    except Problem as refused:
        return _finishing(visitor, refused)
    return visitor.go(f"/benchmarks/{benchmark.slug}/final")


def export(visitor: Visitor) -> Response:
    """Return everything about a benchmark but its secrets."""
    benchmark = _own(visitor)
    with tempfile.TemporaryDirectory(dir=visitor.arena.places.directory / "secret") as folder:
        target = Path(folder) / "export.zip"
        export_benchmark(visitor.arena, visitor.organiser, benchmark.slug, target)
        content = target.read_bytes()
    headers = {"Content-Disposition": f'attachment; filename="{benchmark.slug}.zip"'}
    return Response(content, media_type="application/zip", headers=headers)


PAGES = (
    Page("/organise/benchmarks/{slug}", watch),
    Page("/organise/benchmarks/{slug}/freeze", freeze, "POST"),
    Page("/organise/benchmarks/{slug}/thaw", thaw, "POST"),
    Page("/organise/benchmarks/{slug}/extend", extend, "POST"),
    Page("/organise/benchmarks/{slug}/finish", finish_form),
    Page("/organise/benchmarks/{slug}/finish", finish_now, "POST"),
    Page("/organise/benchmarks/{slug}/export.zip", export),
)
