"""Migrating: bringing a database to the tables of this version, by Alembic."""

from __future__ import annotations

from pathlib import Path

from alembic import command
from alembic.config import Config
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import Connection, Engine

from referee.errors import InputError

__all__ = ["migrate", "newest", "revision_of"]

_SCRIPTS = Path(__file__).with_name("migrations")


def migrate(engine: Engine, target: str = "head") -> None:
    """Bring a database, empty or older, to a revision; a newer one is refused."""
    with engine.begin() as connection:
        current = revision_of(connection)
        if current is not None and current not in _known():
            raise InputError(
                f"the database has revision {current!r}, which this referee does not know",
                remedy="install a newer referee, or restore a backup made with this one",
            )
        if current == newest():
            return
        config = _config()
        config.attributes["connection"] = connection
        command.upgrade(config, target)


def revision_of(connection: Connection) -> str | None:
    """Return the revision of a database; None for an empty one."""
    return MigrationContext.configure(connection).get_current_revision()


def newest() -> str:
    """Return the revision of this referee.

    Examples
    --------
    >>> newest()
    '0002'
    """
    return str(ScriptDirectory.from_config(_config()).get_current_head())


def _known() -> set[str]:
    return {script.revision for script in ScriptDirectory.from_config(_config()).walk_revisions()}


def _config() -> Config:
    config = Config()
    config.set_main_option("script_location", str(_SCRIPTS).replace("%", "%%"))
    return config
