"""Pages of an account: register, sign in and out, password, tokens."""

from __future__ import annotations

from starlette.responses import Response

from referee.arena.accounts import accounts
from referee.arena.accounts.account import Account
from referee.arena.accounts.guesses import new_browser
from referee.arena.accounts.names import skeleton
from referee.arena.accounts.sessions import begin_session, end_session, end_sessions
from referee.arena.accounts.tokens import NewToken, create_token, revoke_token, tokens
from referee.arena.pages.page import Page
from referee.arena.pages.request.cookie import (
    browser_kept,
    drop_cookie,
    remember_browser,
    session_secret,
    set_cookie,
)
from referee.arena.pages.request.origin import local_path
from referee.arena.pages.request.visitor import Visitor
from referee.arena.problem import Problem

__all__ = ["PAGES"]


def register_form(visitor: Visitor) -> Response:
    """Show the form to register."""
    return _registering(visitor, None)


def _registering(visitor: Visitor, refused: Problem | None) -> Response:
    return visitor.show(
        "register.html",
        200 if refused is None else refused.status,
        refused=refused,
        kept=visitor.form.kept("name"),
        next=local_path(visitor.form.text("next") or visitor.asked("next")),
        approval=visitor.arena.registration == "approval",
    )


def register(visitor: Visitor) -> Response:
    """Make an account and sign in."""
    form = visitor.form
    try:
        if form.text("password") != form.text("again"):
            raise Problem(422, "the two passwords differ; type the same twice")
        account = accounts.register(
            visitor.arena, form.text("name"), form.text("password"), address=visitor.address
        )
    except Problem as refused:
        return _registering(visitor, refused)
    return _entered(visitor, account, form.text("next"))


def _entered(visitor: Visitor, account: Account, path: str) -> Response:
    """Begin a session under a new secret; one that the browser had before ends."""
    before = session_secret(visitor.request)
    if before is not None:
        end_session(visitor.arena, before)
    response = visitor.go(local_path(path))
    set_cookie(visitor.request, response, begin_session(visitor.arena, account))
    remember_browser(
        visitor.request, response, new_browser(visitor.arena.key, skeleton(account.name))
    )
    return response


def sign_in_form(visitor: Visitor) -> Response:
    """Show the form to sign in."""
    return _signing_in(visitor, None)


def _signing_in(visitor: Visitor, refused: Problem | None) -> Response:
    response = visitor.show(
        "sign_in.html",
        200 if refused is None else refused.status,
        refused=refused,
        kept=visitor.form.kept("name"),
        next=local_path(visitor.form.text("next") or visitor.asked("next")),
    )
    if refused is not None and refused.retry_after is not None:
        response.headers["Retry-After"] = str(refused.retry_after)
    return response


def sign_in(visitor: Visitor) -> Response:
    """Sign in."""
    form = visitor.form
    try:
        account = accounts.sign_in(
            visitor.arena,
            form.text("name"),
            form.text("password"),
            address=visitor.address,
            browser=browser_kept(visitor.request),
        )
    except Problem as refused:
        return _signing_in(visitor, refused)
    return _entered(visitor, account, form.text("next"))


def sign_out(visitor: Visitor) -> Response:
    """End this session."""
    secret = session_secret(visitor.request)
    if secret is not None:
        end_session(visitor.arena, secret)
    response = visitor.go("/")
    drop_cookie(visitor.request, response)
    return response


def sign_out_everywhere(visitor: Visitor) -> Response:
    """End all sessions of the account."""
    end_sessions(visitor.arena, visitor.signed_in)
    response = visitor.go("/")
    drop_cookie(visitor.request, response)
    return response


def account_page(visitor: Visitor) -> Response:
    """Show tokens and the password form."""
    done = {"password": "The password was changed; all other sessions ended."}
    return _account(visitor, done=done.get(visitor.asked("done"), ""))


def _account(
    visitor: Visitor,
    *,
    refused: Problem | None = None,
    new_token: NewToken | None = None,
    done: str = "",
) -> Response:
    account = visitor.signed_in
    return visitor.show(
        "account.html",
        200 if refused is None else refused.status,
        tokens=tokens(visitor.arena, account),
        refused=refused,
        new_token=new_token,
        done=done,
        kept=visitor.form.kept("label"),
    )


def change_password(visitor: Visitor) -> Response:
    """Take a new password; every session ends and this browser gets a new one."""
    account, form = visitor.signed_in, visitor.form
    try:
        if form.text("new") != form.text("again"):
            raise Problem(422, "the two new passwords differ; type the same twice")
        accounts.change_password(
            visitor.arena,
            account,
            form.text("old"),
            form.text("new"),
            address=visitor.address,
            browser=browser_kept(visitor.request),
        )
    except Problem as refused:
        return _account(visitor, refused=_not_the_door(refused))
    return _entered(visitor, account, "/account?done=password")


def _not_the_door(refused: Problem) -> Problem:
    """Return a problem with the old password as what it is: somebody is signed in."""
    if refused.status != 401:
        return refused
    return Problem(422, "the present password is wrong; nothing was changed")


def make_token(visitor: Visitor) -> Response:
    """Make a token and show it once."""
    account = visitor.signed_in
    try:
        account.require_active()
        token = create_token(visitor.arena, account, visitor.form.text("label"))
    except Problem as refused:
        return _account(visitor, refused=refused)
    return _account(visitor, new_token=token)


def end_token(visitor: Visitor) -> Response:
    """Revoke a token."""
    revoke_token(visitor.arena, visitor.signed_in, visitor.path("token"))
    return visitor.go("/account")


PAGES = (
    Page("/register", register_form),
    Page("/register", register, "POST"),
    Page("/sign-in", sign_in_form),
    Page("/sign-in", sign_in, "POST"),
    Page("/sign-out", sign_out, "POST"),
    Page("/sign-out-everywhere", sign_out_everywhere, "POST"),
    Page("/account", account_page),
    Page("/account/password", change_password, "POST"),
    Page("/account/tokens", make_token, "POST"),
    Page("/account/tokens/{token}/revoke", end_token, "POST"),
)
