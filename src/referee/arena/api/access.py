"""Access: whose token came with a request."""

from __future__ import annotations

from typing import Annotated

from fastapi import Depends, Request
from fastapi.security import HTTPAuthorizationCredentials, HTTPBearer

from referee.arena.accounts.account import Account
from referee.arena.accounts.tokens import token_account
from referee.arena.arena import Arena
from referee.arena.problem import Problem

__all__ = ["BEARER", "Access", "Held", "held", "signed_in"]

BEARER = HTTPBearer(auto_error=False, description="A token from POST /api/v1/tokens.")


async def held(request: Request) -> Arena:
    """Return the arena that the app serves; not worth a thread of its own."""
    arena = request.app.state.arena
    assert isinstance(arena, Arena)
    return arena


Held = Annotated[Arena, Depends(held)]


def signed_in(
    arena: Held, credentials: Annotated[HTTPAuthorizationCredentials | None, Depends(BEARER)]
) -> Account:
    """Return the account of the request's token; a disabled one can do nothing."""
    if credentials is None:
        raise Problem(401, "send Authorization: Bearer with a token from POST /api/v1/tokens")
    account = token_account(arena, credentials.credentials)
    account.require_active()
    return account


Access = Annotated[Account, Depends(signed_in)]
