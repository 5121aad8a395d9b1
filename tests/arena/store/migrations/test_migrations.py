"""Migrations: empty, older and newer databases, on SQLite and PostgreSQL."""

import sqlite3

import pytest
from alembic.autogenerate import compare_metadata
from alembic.runtime.migration import MigrationContext
from sqlalchemy import text

from referee.arena.store.database import database_url, writing_engine
from referee.arena.store.migrating import migrate, revision_of
from referee.arena.store.tables import METADATA
from referee.errors import InputError


def differences(engine):
    with engine.connect() as connection:
        return compare_metadata(MigrationContext.configure(connection), METADATA)


def new_engine(kind, request, tmp_path):
    address = None
    if kind == "postgresql":
        address = request.getfixturevalue("postgres").new_database(f"m_{tmp_path.name}")
    return writing_engine(database_url(address, tmp_path / "new.sqlite"))


@pytest.mark.parametrize("kind", ["sqlite", "postgresql"])
def test_migrations_of_an_empty_and_of_a_filled_older_database(kind, request, tmp_path):
    engine = new_engine(kind, request, tmp_path)
    migrate(engine, "0001")
    assert differences(engine) != []
    with engine.begin() as connection:
        connection.execute(
            text(
                "INSERT INTO accounts (id, name, skeleton, password, role, state, created_at) "
                "VALUES (7, 'Ada', 'ada', 'x', 'participant', 'active', '2026')"
            )
        )
    migrate(engine)
    assert differences(engine) == []
    with engine.begin() as connection:
        assert revision_of(connection) == "0002"
        assert connection.execute(text("SELECT id, team FROM accounts")).one() == (7, 7)
    engine.dispose()


def test_a_newer_database_is_refused(site):
    with sqlite3.connect(site.directory / "arena.sqlite") as connection:
        connection.execute("UPDATE alembic_version SET version_num = '9999'")
    connection.close()
    with pytest.raises(InputError, match="newer referee"), site.open():
        pass
