"""Visitor: who asks for a page, and what came with the request."""

from __future__ import annotations

from functools import cached_property
from typing import Any
from urllib.parse import quote

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from referee.arena.accounts.account import Account, Role, State
from referee.arena.accounts.sessions import session_account
from referee.arena.arena import Arena
from referee.arena.pages.request.cookie import session_secret
from referee.arena.pages.request.form import Form
from referee.arena.pages.showing.templates import rendered
from referee.arena.problem import Problem

__all__ = ["SignInFirst", "Visitor"]


class SignInFirst(Problem):
    """A page that needs an account was asked for by nobody in particular."""

    def __init__(self) -> None:
        super().__init__(401, "sign in to see this page; if you have no account, register first")


class Visitor:
    """A request for a page.

    Attributes
    ----------
    request : Request
        As it came.
    arena : Arena
        Whose pages these are.
    form : Form
        What was sent; empty for a visit.
    received_at : str
        When its last byte came.
    """

    def __init__(self, request: Request, arena: Arena, form: Form | None = None) -> None:
        self.request, self.arena, self.form = request, arena, form or Form()
        self.received_at = arena.now()

    @cached_property
    def account(self) -> Account | None:
        """Who is signed in."""
        secret = session_secret(self.request)
        return None if secret is None else session_account(self.arena, secret)

    @property
    def signed_in(self) -> Account:
        """Who is signed in; nobody is sent to the door."""
        if self.account is None:
            raise SignInFirst
        return self.account

    @property
    def organiser(self) -> Account:
        """Who is signed in, if an organiser."""
        account = self.signed_in
        account.require_organiser()
        return account

    @property
    def organises(self) -> bool:
        """Whether an organiser is signed in."""
        account = self.account
        return (
            account is not None and account.role == Role.ORGANISER and account.state == State.ACTIVE
        )

    @property
    def address(self) -> str:
        """Where the request comes from."""
        return self.request.client.host if self.request.client else ""

    @property
    def site(self) -> str:
        """The address of this site, for sample code."""
        return f"{self.request.url.scheme}://{self.request.url.netloc}"

    def path(self, name: str) -> str:
        """Return a part of the address that the route names."""
        return str(self.request.path_params[name])

    def asked(self, name: str) -> str:
        """Return a parameter of the address; an absent one is empty."""
        return self.request.query_params.get(name, "")

    @property
    def version(self) -> int | None:
        """The version of a benchmark that the address names; None for the last."""
        text = self.asked("version")
        if not text:
            return None
        if not (text.isascii() and text.isdecimal() and len(text) < 7):
            raise Problem(404, f"there is no version {text[:20]!r} of this benchmark")
        return int(text)

    def show(self, template: str, status: int = 200, **values: Any) -> Response:
        """Return a page."""
        text = rendered(template, visitor=self, account=self.account, **values)
        return Response(text, status, media_type="text/html")

    def go(self, path: str) -> Response:
        """Send the browser to another page of the site, which it gets anew."""
        return RedirectResponse(path, 303)

    @property
    def sign_in_path(self) -> str:
        """The door, from which the way leads back to this page."""
        url = self.request.url
        here = url.path + (f"?{url.query}" if url.query else "")
        return f"/sign-in?next={quote(here, safe='/')}"
