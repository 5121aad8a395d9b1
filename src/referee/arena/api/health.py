"""Health and metrics, for whoever operates the arena."""

from __future__ import annotations

from typing import Any

from fastapi import APIRouter
from sqlalchemy import func, select
from starlette.responses import JSONResponse, PlainTextResponse, Response

from referee.arena.api.access import Held
from referee.arena.arena import Arena
from referee.arena.problem import Problem
from referee.arena.store import tables

__all__ = ["router"]

router = APIRouter(tags=["operating"])


@router.get("/healthz", include_in_schema=False)
def health(arena: Held) -> Response:
    """Say whether database and writer answer, and how much disk is free."""
    try:
        health_now = arena.store.health()
    except Problem as problem:
        return JSONResponse({"status": "down", "reason": problem.detail}, 503)
    record: dict[str, Any] = {
        "status": "ok" if health_now.writer else "down",
        "database": health_now.database,
        "sqlite": health_now.sqlite,
        "writer": health_now.writer,
        "disk_free": health_now.disk_free,
    }
    return JSONResponse(record, 200 if health_now.writer else 503)


@router.get("/metrics", include_in_schema=False)
def metrics(arena: Held) -> Response:
    """Return counts in Prometheus's text format."""
    lines = [*arena.metrics.lines(), *_gauges(arena)]
    return PlainTextResponse(
        "\n".join(lines) + "\n", media_type="text/plain; version=0.0.4; charset=utf-8"
    )


def _gauges(arena: Arena) -> list[str]:
    with arena.store.read() as connection:
        looks = connection.execute(select(func.sum(tables.versions.c.looks))).scalar() or 0
        people = connection.execute(select(func.count()).select_from(tables.accounts)).scalar()
    health = arena.store.health()
    return [
        "# TYPE referee_submissions_total counter",
        f"referee_submissions_total {looks}",
        "# TYPE referee_accounts gauge",
        f"referee_accounts {people}",
        "# TYPE referee_disk_free_bytes gauge",
        f"referee_disk_free_bytes {health.disk_free}",
        "# TYPE referee_writer_alive gauge",
        f"referee_writer_alive {int(health.writer)}",
    ]
