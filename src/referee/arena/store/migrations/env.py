"""Alembic's environment: the connection is handed over by `referee.arena.store.migrating`."""

from __future__ import annotations

from alembic import context

from referee.arena.store.tables import METADATA


def run() -> None:
    """Run the revisions that are asked for."""
    context.configure(connection=context.config.attributes["connection"], target_metadata=METADATA)
    context.run_migrations()


if __name__ == "env_py":  # the name that Alembic gives it; elsewhere it is a module like any other
    run()
