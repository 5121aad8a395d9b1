"""referee arena user: accounts, for whoever owns the directory."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import Annotated, Optional

import typer

from referee.cli.arena.options import Database, Directory, opened
from referee.cli.terminal.screen import say

__all__ = ["user"]

PASSWORD = "REFEREE_PASSWORD"
"""The environment variable that may hold a password."""

user = typer.Typer(help="Accounts of an arena.", no_args_is_help=True)

Name = Annotated[str, typer.Argument(metavar="NAME", help="The account.")]
PasswordFile = Annotated[
    Optional[Path],  # noqa: UP045
    typer.Option(
        "--password-file",
        metavar="FILE",
        help=f"File with the password; without it {PASSWORD} is read, or it is asked for.",
    ),
]


@user.command()
def add(
    directory: Directory,
    name: Name,
    organiser: Annotated[
        bool, typer.Option("--organiser", help="One who runs benchmarks.")
    ] = False,
    password_file: PasswordFile = None,
    database: Database = None,
) -> None:
    """Make an account that may act at once."""
    from referee.arena.accounts.account import Role
    from referee.arena.accounts.accounts import add_account

    password = _password(password_file)
    role = Role.ORGANISER if organiser else Role.PARTICIPANT
    with opened(directory, database) as arena:
        account = add_account(arena, name, password, role=role)
    say(f"{account.name} is {'an organiser' if organiser else 'a participant'}.")


@user.command()
def reset(
    directory: Directory,
    name: Name,
    password_file: PasswordFile = None,
    database: Database = None,
) -> None:
    """Give an account a new password, and sign it out everywhere."""
    from referee.arena.accounts.accounts import reset_password

    password = _password(password_file)
    with opened(directory, database) as arena:
        reset_password(arena, name, password)
    say(f"{name} has a new password.")


@user.command()
def disable(directory: Directory, name: Name, database: Database = None) -> None:
    """Keep an account from acting; what it submitted stays."""
    from referee.arena.accounts import accounts

    with opened(directory, database) as arena:
        accounts.disable(arena, None, name)
    say(f"{name} can do nothing any more.")


def _password(file: Path | None) -> str:
    from referee.core.machine.plain_file import short_text
    from referee.errors import InputError

    if file is not None:
        try:
            lines = short_text(file).splitlines()
        except (OSError, UnicodeDecodeError) as problem:
            why = problem.strerror if isinstance(problem, OSError) else "it is not UTF-8"
            raise InputError(
                f"--password-file {file} cannot be read: {why}",
                concerning="password_file",
            ) from None
        return lines[0] if lines else ""
    if PASSWORD in os.environ:
        return os.environ[PASSWORD]
    if not sys.stdin.isatty():
        raise InputError(
            "a password is needed, and nobody is there to ask",
            concerning="password_file",
            remedy=f"set {PASSWORD}, or name a file with --password-file",
        )
    return str(typer.prompt("Password", hide_input=True, confirmation_prompt=True, err=True))
