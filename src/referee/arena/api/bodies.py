"""Uploaded bodies: read with an eye on their size and on the clock."""

from __future__ import annotations

import asyncio

from fastapi import Request
from starlette.requests import ClientDisconnect

from referee.arena.benchmark.upload import CSV, PARQUET
from referee.arena.problem import Problem

__all__ = ["MOST_BYTES", "PATIENCE", "read_body", "upload_kind"]

MOST_BYTES = 32 * 2**20
"""Of an uploaded file."""

PATIENCE = 60.0
"""Seconds for a whole file."""


def upload_kind(request: Request) -> str:
    """Return the kind of the file that is sent, or say which are read."""
    kind = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    if kind not in (CSV, PARQUET):
        raise Problem(415, f"Content-Type must be {CSV} or {PARQUET}, got {kind[:60]!r}")
    packing = request.headers.get("content-encoding", "identity").strip().lower()
    if packing not in ("", "identity"):
        raise Problem(415, "Content-Encoding is not supported; send the file unpacked")
    return kind


async def read_body(request: Request, most: int, patience: float) -> bytes:
    """Return the whole body; stop as soon as it is too large or takes too long."""
    declared = request.headers.get("content-length")
    if declared is not None and declared.isascii() and declared.isdecimal():
        _check_size(int(declared[:20]), most)
    chunks: list[bytes] = []
    size = 0
    try:
        async with asyncio.timeout(patience):
            async for chunk in request.stream():
                size += len(chunk)
                _check_size(size, most)
                chunks.append(chunk)
    except TimeoutError:
        raise Problem(
            408, f"the file did not arrive within {patience:g} seconds; no try was counted"
        ) from None
    except ClientDisconnect:
        raise Problem(400, "the connection was cut before the last byte") from None
    return b"".join(chunks)


def _check_size(size: int, most: int) -> None:
    if size > most:
        raise Problem(413, f"a file may have {most} bytes; send ids and predictions only")
