"""Accounts: registering, signing in, and what organisers do with them."""

from __future__ import annotations

from sqlalchemy import Connection, insert, select, update
from sqlalchemy.exc import IntegrityError

from referee.arena.accounts.account import Account, Role, State
from referee.arena.accounts.guesses import known_browser
from referee.arena.accounts.names import checked_name, skeleton
from referee.arena.arena import Arena
from referee.arena.problem import Problem
from referee.arena.scoring.quota import share_tries
from referee.arena.store import tables

__all__ = [
    "account_named",
    "accounts",
    "add_account",
    "approve",
    "change_password",
    "disable",
    "link",
    "register",
    "reset_password",
    "sign_in",
]

_WRONG = "the name or the password is wrong"


def register(arena: Arena, name: str, password: str, *, address: str = "") -> Account:
    """Make a participant's account; it waits for approval unless registration is open."""
    arena.registrations.attempt("", address)
    state = State.ACTIVE if arena.registration == "open" else State.PENDING
    return add_account(arena, name, password, role=Role.PARTICIPANT, state=state)


def add_account(
    arena: Arena,
    name: str,
    password: str,
    *,
    role: Role = Role.PARTICIPANT,
    state: State = State.ACTIVE,
) -> Account:
    """Make an account; names that look like one that is taken are refused."""
    name = checked_name(name)
    hashed = arena.passwords.hashed(password)
    time = arena.now()

    def work(connection: Connection) -> Account:
        try:
            with connection.begin_nested():
                result = connection.execute(
                    insert(tables.accounts).values(
                        name=name,
                        skeleton=skeleton(name),
                        password=hashed,
                        role=role.value,
                        state=state.value,
                        created_at=time,
                    )
                )
        except IntegrityError:
            raise Problem(
                409, f"the name {name!r} is taken, or looks like one that is; choose another"
            ) from None
        key = result.inserted_primary_key
        assert key is not None
        number = int(key[0])
        connection.execute(
            update(tables.accounts).where(tables.accounts.c.id == number).values(team=number)
        )
        content = {"account": number, "name": name, "role": role.value, "state": state.value}
        arena.record(connection, time, "account", content)
        return Account(number, name, role, state, number, time)

    return arena.store.write(work)


def sign_in(
    arena: Arena, name: str, password: str, *, address: str = "", browser: str | None = None
) -> Account:
    """Return the account with that name and password; pending and disabled ones too.

    Wrong names and wrong passwords get the same answer in the same time. Who guesses too often is
    slowed down, by name and by address; a browser that was known before is counted for itself.
    """
    key = skeleton(name)
    known = known_browser(arena.key, key, browser)
    arena.guesses.attempt(key, address, browser=known)
    with arena.store.read() as connection:
        row = connection.execute(
            select(tables.accounts).where(tables.accounts.c.skeleton == key)
        ).one_or_none()
    if not arena.passwords.fits(password, None if row is None else row.password):
        raise Problem(401, _WRONG)
    assert row is not None
    arena.guesses.succeeded(key, address, browser=known)
    return Account.of(row)


def account_named(arena: Arena, name: str) -> Account:
    """Return the account of that name."""
    with arena.store.read() as connection:
        row = connection.execute(
            select(tables.accounts).where(tables.accounts.c.skeleton == skeleton(name))
        ).one_or_none()
    if row is None:
        raise Problem(404, f"there is no account {name!r}")
    return Account.of(row)


def accounts(arena: Arena, organiser: Account) -> tuple[Account, ...]:
    """Return all accounts, in the order in which they came; for organisers."""
    organiser.require_organiser()
    with arena.store.read() as connection:
        rows = connection.execute(select(tables.accounts).order_by(tables.accounts.c.id)).all()
    return tuple(Account.of(row) for row in rows)


def approve(arena: Arena, organiser: Account | None, name: str) -> Account:
    """Let a pending or disabled account act."""
    return _set(arena, organiser, name, "approved", state=State.ACTIVE.value)


def disable(arena: Arena, organiser: Account | None, name: str) -> Account:
    """Keep an account from acting; its submissions and its place stay."""
    return _set(arena, organiser, name, "disabled", state=State.DISABLED.value)


def link(arena: Arena, organiser: Account | None, name: str, to: str) -> Account:
    """Let an account share the tries of another; those that it has used count, too."""
    team = account_named(arena, to).team
    return _set(arena, organiser, name, "linked", team=team)


def _set(
    arena: Arena, organiser: Account | None, name: str, kind: str, **values: object
) -> Account:
    """Change an account and log it; None stands for whoever owns the directory."""
    if organiser is not None:
        organiser.require_organiser()
    account = account_named(arena, name)
    time = arena.now()

    def work(connection: Connection) -> Account:
        connection.execute(
            update(tables.accounts).where(tables.accounts.c.id == account.id).values(**values)
        )
        if kind == "linked":
            team = connection.execute(
                select(tables.accounts.c.team).where(tables.accounts.c.id == account.id)
            ).scalar_one()
            share_tries(connection, team, former=account.team)
        by = None if organiser is None else organiser.name
        arena.record(
            connection, time, kind, {"account": account.id, "name": account.name, "by": by} | values
        )
        row = connection.execute(
            select(tables.accounts).where(tables.accounts.c.id == account.id)
        ).one()
        return Account.of(row)

    return arena.store.write(work)


def change_password(
    arena: Arena,
    account: Account,
    old: str,
    new: str,
    *,
    address: str = "",
    browser: str | None = None,
) -> None:
    """Give an account a new password; its sessions end."""
    sign_in(arena, account.name, old, address=address, browser=browser)
    reset_password(arena, account.name, new)


def reset_password(arena: Arena, name: str, new: str) -> None:
    """Give an account a new password without the old one; its sessions end."""
    account = account_named(arena, name)
    hashed = arena.passwords.hashed(new)
    time = arena.now()

    def work(connection: Connection) -> None:
        connection.execute(
            update(tables.accounts)
            .where(tables.accounts.c.id == account.id)
            .values(password=hashed)
        )
        connection.execute(
            update(tables.sessions)
            .where(tables.sessions.c.account == account.id, tables.sessions.c.ended_at.is_(None))
            .values(ended_at=time)
        )
        arena.record(connection, time, "password", {"account": account.id, "name": account.name})

    arena.store.write(work)
