"""Options that several verbs of the arena share, and the extra they need."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Optional

import typer

if TYPE_CHECKING:
    from referee.arena.arena import Arena

__all__ = ["Database", "Directory", "opened", "require_extra"]

DATABASE = "REFEREE_DATABASE"
"""The environment variable that may hold the database's address, password included."""

Directory = Annotated[
    Path, typer.Argument(metavar="DIR", help="The arena: what referee arena init wrote.")
]
Database = Annotated[
    Optional[str],  # noqa: UP045 (typer reads it at run time)
    typer.Option(
        "--database",
        metavar="URL",
        envvar=DATABASE,
        help="postgresql://user:password@host/name; without it SQLite in the directory.",
    ),
]


def require_extra() -> None:
    """Refuse to begin without the libraries of the extra."""
    from importlib.util import find_spec

    from referee.errors import InputError

    for module in ("fastapi", "uvicorn", "sqlalchemy", "alembic", "argon2"):
        if find_spec(module) is None:
            raise InputError(
                f"{module} is not installed, and an arena needs it",
                remedy="install referee[arena]",
            )


@contextmanager
def opened(directory: Path, database: str | None, *, read_only: bool = False) -> Iterator[Arena]:
    """Hold an arena open for a command."""
    require_extra()
    from referee.arena.arena import open_arena

    with open_arena(directory, database=database, read_only=read_only) as arena:
        yield arena
