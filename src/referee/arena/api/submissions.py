"""Routes of submissions and finals."""

from __future__ import annotations

from typing import Any

from fastapi import APIRouter, Header, Request
from starlette.concurrency import run_in_threadpool
from starlette.responses import Response

from referee.arena.accounts.account import Account
from referee.arena.api.access import BEARER, Access, Held, held, signed_in
from referee.arena.api.bodies import read_body, upload_kind
from referee.arena.api.problems import responses
from referee.arena.api.records import Finals, SubmissionRecord
from referee.arena.api.version import Version
from referee.arena.arena import Arena
from referee.arena.benchmark.upload import CSV, PARQUET
from referee.arena.problem import Problem
from referee.arena.scoring import finals as final_choices
from referee.arena.scoring import submitting
from referee.vault.sealed.ledger.canonical import canonical_bytes

__all__ = ["quick_submit", "router"]

router = APIRouter(tags=["submissions"])

MOST_KEY = 200
"""Characters of an Idempotency-Key."""

_BODY: dict[str, Any] = {
    "requestBody": {
        "required": True,
        "content": {
            CSV: {"schema": {"type": "string"}},
            PARQUET: {"schema": {"type": "string", "format": "binary"}},
        },
    }
}


@router.post(
    "/benchmarks/{slug}/submissions",
    status_code=201,
    responses=responses(401, 403, 404, 408, 409, 413, 415, 422, 429, 507),
    response_model=SubmissionRecord,
    openapi_extra=_BODY,
)
async def submit(
    request: Request,
    arena: Held,
    account: Access,
    slug: str,
    idempotency_key: str | None = Header(default=None, min_length=1, max_length=MOST_KEY),
    note: str = "",
) -> Response:
    """Send a file of predictions; it is scored at once, and the answer is what was recorded."""
    return await _submit(request, arena, account, slug, idempotency_key, note)


async def _submit(
    request: Request, arena: Arena, account: Account, slug: str, key: str | None, note: str
) -> Response:
    kind = upload_kind(request)
    limits = request.app.state.limits
    content = await read_body(request, limits.most_bytes, limits.patience)
    received = arena.now()
    submissions = await run_in_threadpool(
        submitting.submit,
        arena,
        account,
        slug,
        content,
        kind=kind,
        note=note,
        idempotency_key=key,
        received_at=received,
    )
    headers = {"Idempotency-Replayed": "true"} if submissions.replayed else {}
    return Response(canonical_bytes(submissions.answer), 201, headers, "application/json")


async def quick_submit(request: Request) -> Response:
    """Take a file without FastAPI's preparations; whose it is is known before it is read."""
    arena = await held(request)
    account = await run_in_threadpool(signed_in, arena, await BEARER(request))
    key = request.headers.get("idempotency-key")
    if key is not None and not 1 <= len(key) <= MOST_KEY:
        raise Problem(422, f"idempotency-key must have 1 to {MOST_KEY} characters")
    note = request.query_params.get("note", "")
    return await _submit(request, arena, account, request.path_params["slug"], key, note)


@router.get("/benchmarks/{slug}/submissions", responses=responses(401, 403, 404, 422))
def own(arena: Held, account: Access, slug: str, version: Version = None) -> list[SubmissionRecord]:
    """List one's own submissions, the newest first."""
    submissions = submitting.own_submissions(arena, account, slug, version)
    return [SubmissionRecord(**submission.answer) for submission in submissions]


@router.put("/benchmarks/{slug}/finals", responses=responses(401, 403, 404, 409, 422, 507))
def choose(
    arena: Held, account: Access, slug: str, body: Finals, version: Version = None
) -> Finals:
    """Choose the submissions that count on the private half."""
    return Finals(ids=list(final_choices.choose_finals(arena, account, slug, body.ids, version)))


@router.get("/benchmarks/{slug}/finals", responses=responses(401, 403, 404, 422))
def chosen(arena: Held, account: Access, slug: str, version: Version = None) -> Finals:
    """Return the submissions that count: those chosen, or the last two improvements."""
    return Finals(ids=list(final_choices.own_finals(arena, account, slug, version)))
