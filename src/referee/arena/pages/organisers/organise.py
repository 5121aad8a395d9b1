"""What organisers see first: their benchmarks, the accounts, the log."""

from __future__ import annotations

import secrets

from starlette.responses import Response

from referee.arena.accounts import accounts
from referee.arena.accounts.account import Role, State
from referee.arena.benchmark.benchmarks import benchmarks
from referee.arena.pages.organisers.log_words import words_of
from referee.arena.pages.page import Page
from referee.arena.pages.request.origin import local_path
from referee.arena.pages.request.visitor import Visitor
from referee.arena.pages.showing.paging import ROWS, paged, whole
from referee.arena.problem import Problem
from referee.arena.scoring.organising import audit_log
from referee.arena.store.chain import log_length
from referee.vault.sealed.ledger.canonical import canonical_text

__all__ = ["PAGES"]


def overview(visitor: Visitor) -> Response:
    """List one's own benchmarks, and whoever waits for approval."""
    arena, organiser = visitor.arena, visitor.organiser
    own = [b for b in benchmarks(arena) if b.organiser in (None, organiser.id)]
    waiting = [a for a in accounts.accounts(arena, organiser) if a.state == State.PENDING]
    return visitor.show("organise.html", benchmarks=own, waiting=waiting, now=arena.now())


def account_list(visitor: Visitor) -> Response:
    """List all accounts."""
    return _accounts(visitor)


def _accounts(
    visitor: Visitor, *, refused: Problem | None = None, password: tuple[str, str] | None = None
) -> Response:
    every = accounts.accounts(visitor.arena, visitor.organiser)
    return visitor.show(
        "accounts.html",
        200 if refused is None else refused.status,
        part=paged(every, visitor.asked("page")),
        names={account.id: account.name for account in every},
        refused=refused,
        password=password,
        kept=visitor.form.kept("name", "to"),
    )


def approve(visitor: Visitor) -> Response:
    """Let an account take part."""
    accounts.approve(visitor.arena, visitor.organiser, visitor.form.text("name"))
    return visitor.go(local_path(visitor.form.text("next"), "/organise/accounts"))


def disable(visitor: Visitor) -> Response:
    """Keep an account from acting."""
    organiser, name = visitor.organiser, visitor.form.text("name")
    if accounts.account_named(visitor.arena, name).id == organiser.id:
        return _accounts(visitor, refused=Problem(409, "you cannot disable your own account"))
    accounts.disable(visitor.arena, organiser, name)
    return visitor.go("/organise/accounts")


def link(visitor: Visitor) -> Response:
    """Let an account share the tries of another."""
    organiser, form = visitor.organiser, visitor.form
    try:
        accounts.link(visitor.arena, organiser, form.text("name"), form.text("to"))
    except Problem as refused:
        return _accounts(visitor, refused=refused)
    return visitor.go("/organise/accounts")


def reset(visitor: Visitor) -> Response:
    """Give a participant a new password, shown once to the organiser."""
    _ = visitor.organiser
    account = accounts.account_named(visitor.arena, visitor.form.text("name"))
    if account.role == Role.ORGANISER:
        refused = Problem(
            403, "the password of an organiser is reset with referee arena user reset"
        )
        return _accounts(visitor, refused=refused)
    password = secrets.token_urlsafe(12)
    accounts.reset_password(visitor.arena, account.name, password)
    return _accounts(visitor, password=(account.name, password))


def log(visitor: Visitor) -> Response:
    """Show the log, the last entries first."""
    arena, organiser = visitor.arena, visitor.organiser
    with arena.store.read() as connection:
        length = log_length(connection)
    last = min(whole(visitor.asked("to"), length), length)
    start = max(1, last - ROWS + 1)
    entries = audit_log(arena, organiser, start=start, most=max(last - start + 1, 0))
    names = {account.id: account.name for account in accounts.accounts(arena, organiser)}
    rows = [(entry, words_of(entry, names), canonical_text(entry.content)) for entry in entries]
    return visitor.show(
        "log.html",
        rows=reversed(rows),
        earlier=start - 1 if start > 1 else None,
        later=min(last + ROWS, length) if last < length else None,
    )


PAGES = (
    Page("/organise", overview),
    Page("/organise/accounts", account_list),
    Page("/organise/accounts/approve", approve, "POST"),
    Page("/organise/accounts/disable", disable, "POST"),
    Page("/organise/accounts/link", link, "POST"),
    Page("/organise/accounts/reset", reset, "POST"),
    Page("/organise/log", log),
)
