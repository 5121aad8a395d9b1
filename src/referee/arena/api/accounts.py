"""Routes of accounts and tokens."""

from __future__ import annotations

from fastapi import APIRouter, Request, Response

from referee.arena.accounts import accounts as engine
from referee.arena.accounts.tokens import create_token, revoke_token
from referee.arena.api.access import Access, Held
from referee.arena.api.problems import responses
from referee.arena.api.records import (
    AccountRecord,
    Credentials,
    LinkRequest,
    NewTokenRecord,
    TokenRequest,
    account_record,
)

__all__ = ["router"]

router = APIRouter(tags=["accounts"])


def _address(request: Request) -> str:
    return request.client.host if request.client else ""


@router.post("/accounts", status_code=201, responses=responses(409, 422, 429, 507))
def register(arena: Held, request: Request, body: Credentials) -> AccountRecord:
    """Register; an organiser may have to approve the account before it can submit."""
    return account_record(
        engine.register(arena, body.name, body.password, address=_address(request))
    )


@router.post("/tokens", status_code=201, responses=responses(401, 403, 422, 429, 507))
def sign_in(arena: Held, request: Request, body: TokenRequest) -> NewTokenRecord:
    """Make a token; it is shown this once."""
    account = engine.sign_in(arena, body.name, body.password, address=_address(request))
    account.require_active()
    token = create_token(arena, account, body.label)
    return NewTokenRecord(id=token.id, label=token.label, token=token.secret)


@router.delete("/tokens/{token}", status_code=204, responses=responses(401, 403, 404, 422, 507))
def sign_out(arena: Held, account: Access, token: str) -> Response:
    """End one of one's own tokens."""
    revoke_token(arena, account, token)
    return Response(status_code=204)


@router.get("/accounts", responses=responses(401, 403, 422))
def listed(arena: Held, account: Access) -> list[AccountRecord]:
    """List all accounts; for organisers."""
    return [account_record(each) for each in engine.accounts(arena, account)]


@router.post(
    "/accounts/{name}/approve", responses=responses(401, 403, 404, 422, 507), tags=["organising"]
)
def approve(arena: Held, account: Access, name: str) -> AccountRecord:
    """Let an account take part; for organisers."""
    account.require_organiser()
    return account_record(engine.approve(arena, account, name))


@router.post(
    "/accounts/{name}/disable", responses=responses(401, 403, 404, 422, 507), tags=["organising"]
)
def disable(arena: Held, account: Access, name: str) -> AccountRecord:
    """Keep an account from acting; for organisers."""
    account.require_organiser()
    return account_record(engine.disable(arena, account, name))


@router.post(
    "/accounts/{name}/link", responses=responses(401, 403, 404, 422, 507), tags=["organising"]
)
def link(arena: Held, account: Access, name: str, body: LinkRequest) -> AccountRecord:
    """Let an account share the tries of another; for organisers."""
    account.require_organiser()
    return account_record(engine.link(arena, account, name, body.to))
