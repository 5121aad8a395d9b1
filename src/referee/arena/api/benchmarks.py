"""Routes of benchmarks: what they are, their files, their boards."""

from __future__ import annotations

from typing import Literal

from fastapi import APIRouter, Header, Query, Request
from starlette.concurrency import run_in_threadpool
from starlette.responses import FileResponse, Response

from referee.arena.api.access import Access, Held, held
from referee.arena.api.problems import responses
from referee.arena.api.records import (
    BenchmarkRecord,
    BoardRecord,
    Deadline,
    FinalBoardRecord,
    LogRecord,
    benchmark_record,
)
from referee.arena.api.version import Version, asked_version
from referee.arena.arena import Arena
from referee.arena.benchmark import benchmarks as engine
from referee.arena.scoring import finishing, organising
from referee.arena.scoring.board_cache import cached_board, fresh_board

__all__ = ["quick_board", "router"]

router = APIRouter(tags=["benchmarks"])

_KEY = {
    "type": "object",
    "required": ["algorithm", "key"],
    "properties": {"algorithm": {"const": "ed25519"}, "key": {"type": "string"}},
}


@router.get("/benchmarks")
def listed(arena: Held) -> list[BenchmarkRecord]:
    """List the benchmarks."""
    now = arena.now()
    return [benchmark_record(each, now) for each in engine.benchmarks(arena)]


@router.get("/benchmarks/{slug}", responses=responses(404, 422))
def one(arena: Held, slug: str) -> BenchmarkRecord:
    """Describe a benchmark."""
    return benchmark_record(engine.read_benchmark(arena, slug), arena.now())


@router.get(
    "/benchmarks/{slug}/files/{name}",
    responses={
        200: {"content": {"text/csv": {"schema": {"type": "string"}}}},
        206: {
            "description": "Part of the file",
            "content": {"text/csv": {}, "multipart/byteranges": {}},
        },
        304: {"description": "Unchanged"},
        416: {"description": "No such range", "content": {"text/plain": {}}},
        **responses(404, 422),
    },
    response_class=FileResponse,
)
def file(
    arena: Held,
    slug: str,
    name: Literal["train", "test", "example"],
    if_none_match: str | None = Header(default=None),
) -> Response:
    """Download a file; ranges and ETags are understood."""
    path, digest = engine.download(arena, slug, name)
    tag = f'"{digest}"'
    if if_none_match is not None and tag in if_none_match:
        return Response(status_code=304, headers={"ETag": tag})
    headers = {"ETag": tag, "X-Content-Type-Options": "nosniff"}
    return FileResponse(path, media_type="text/csv", filename=f"{slug}-{name}.csv", headers=headers)


@router.get(
    "/benchmarks/{slug}/board",
    responses={304: {"description": "Unchanged"}, **responses(404, 422)},
    response_model=BoardRecord,
)
async def board(
    arena: Held,
    slug: str,
    version: Version = None,
    if_none_match: str | None = Header(default=None),
) -> Response:
    """Return the board as it stands."""
    return await _board(arena, slug, version, if_none_match)


async def _board(
    arena: Arena, slug: str, version: int | None, if_none_match: str | None
) -> Response:
    kept = fresh_board(arena, slug, version)
    if kept is None:
        kept = await run_in_threadpool(cached_board, arena, slug, version)
    headers = {"ETag": kept.tag, "Cache-Control": "no-cache"}
    if if_none_match is not None and kept.tag in if_none_match:
        return Response(status_code=304, headers=headers)
    return Response(kept.content, media_type="application/json", headers=headers)


async def quick_board(request: Request) -> Response:
    """Return the board without FastAPI's preparations, which cost more than a kept board does."""
    arena, slug = await held(request), request.path_params["slug"]
    version = asked_version(request.query_params)
    return await _board(arena, slug, version, request.headers.get("if-none-match"))


@router.get("/benchmarks/{slug}/notices", responses=responses(404, 422))
def notices(arena: Held, slug: str) -> list[LogRecord]:
    """Return what organisers changed about a benchmark."""
    engine.read_benchmark(arena, slug)
    return [LogRecord(**vars(entry)) for entry in organising.notices(arena, slug)]


@router.post(
    "/benchmarks/{slug}/freeze",
    responses=responses(401, 403, 404, 409, 422, 507),
    tags=["organising"],
)
def freeze(arena: Held, account: Access, slug: str, version: Version = None) -> BenchmarkRecord:
    """Take no more submissions until further notice; for its organiser."""
    return benchmark_record(organising.freeze(arena, account, slug, version), arena.now())


@router.post(
    "/benchmarks/{slug}/thaw",
    responses=responses(401, 403, 404, 409, 422, 507),
    tags=["organising"],
)
def thaw(arena: Held, account: Access, slug: str, version: Version = None) -> BenchmarkRecord:
    """Take submissions again; for its organiser."""
    return benchmark_record(organising.thaw(arena, account, slug, version), arena.now())


@router.post(
    "/benchmarks/{slug}/extend",
    responses=responses(401, 403, 404, 409, 422, 507),
    tags=["organising"],
)
def extend(
    arena: Held, account: Access, slug: str, body: Deadline, version: Version = None
) -> BenchmarkRecord:
    """Move the deadline to a later time, for everybody to see; for its organiser."""
    moved = organising.extend(arena, account, slug, body.closes, version)
    return benchmark_record(moved, arena.now())


@router.get("/log", responses=responses(401, 403, 422), tags=["organising"])
def log(
    request: Request,
    arena: Held,
    account: Access,
    start: int = Query(default=1, ge=1, le=2**31 - 1),
    most: int = Query(default=100, ge=1, le=1000),
) -> list[LogRecord]:
    """Return entries of the log; for organisers."""
    entries = organising.audit_log(arena, account, start=start, most=most)
    return [LogRecord(**vars(entry)) for entry in entries]


@router.post(
    "/benchmarks/{slug}/finish",
    responses=responses(401, 403, 404, 409, 422, 507),
    tags=["organising"],
)
def finish(arena: Held, account: Access, slug: str, version: Version = None) -> FinalBoardRecord:
    """Open the private half, once and for all; for its organiser."""
    return FinalBoardRecord(**finishing.finish(arena, account, slug, version).record)


@router.get("/benchmarks/{slug}/final", responses=responses(404, 422))
def final(arena: Held, slug: str, version: Version = None) -> FinalBoardRecord:
    """Return the final board of a finished benchmark."""
    return FinalBoardRecord(**finishing.final_board(arena, slug, version).record)


@router.get(
    "/benchmarks/{slug}/final/envelope",
    responses={
        200: {"content": {"application/vnd.dsse.envelope.v1+json": {"schema": {}}}},
        **responses(404, 422),
    },
)
def envelope(arena: Held, slug: str, version: Version = None) -> Response:
    """Return the signed final board (DSSE, in-toto)."""
    content = finishing.final_board(arena, slug, version).envelope
    return Response(content, media_type="application/vnd.dsse.envelope.v1+json")


@router.get("/key", responses={200: {"content": {"application/json": {"schema": _KEY}}}})
def key(arena: Held) -> dict[str, str]:
    """Return the public key that verifies receipts and final boards."""
    return {"algorithm": "ed25519", "key": arena.public_key.hex}
