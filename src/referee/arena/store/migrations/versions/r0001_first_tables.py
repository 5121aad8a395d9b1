"""Revision 0001: accounts, benchmarks, submissions and the log that only grows."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None

_APPEND_ONLY = ("predictions", "submissions", "log")


def upgrade() -> None:
    """Make the tables and their triggers."""
    _accounts()
    _benchmarks()
    _records()
    _keep_growing()


def _accounts() -> None:
    op.create_table(
        "settings",
        sa.Column("name", sa.String(40), primary_key=True),
        sa.Column("value", sa.Text, nullable=False),
    )
    op.create_table(
        "accounts",
        sa.Column("id", sa.Integer, primary_key=True),
        sa.Column("name", sa.String(60), nullable=False),
        sa.Column("skeleton", sa.String(200), nullable=False, unique=True),
        sa.Column("password", sa.Text, nullable=False),
        sa.Column("role", sa.String(12), nullable=False),
        sa.Column("state", sa.String(12), nullable=False),
        sa.Column("created_at", sa.String(24), nullable=False),
    )
    op.create_table(
        "tokens",
        sa.Column("id", sa.String(32), primary_key=True),
        sa.Column("account", sa.Integer, sa.ForeignKey("accounts.id"), nullable=False, index=True),
        sa.Column("label", sa.String(80), nullable=False),
        sa.Column("sha256", sa.String(64), nullable=False, unique=True),
        sa.Column("created_at", sa.String(24), nullable=False),
        sa.Column("revoked_at", sa.String(24), nullable=True),
    )


def _benchmarks() -> None:
    op.create_table(
        "benchmarks",
        sa.Column("id", sa.Integer, primary_key=True),
        sa.Column("slug", sa.String(60), nullable=False, unique=True),
        sa.Column("name", sa.String(120), nullable=False),
        sa.Column("organiser", sa.Integer, sa.ForeignKey("accounts.id"), nullable=True),
        sa.Column("created_at", sa.String(24), nullable=False),
    )
    op.create_table(
        "versions",
        sa.Column("id", sa.Integer, primary_key=True),
        sa.Column("benchmark", sa.Integer, sa.ForeignKey("benchmarks.id"), nullable=False),
        sa.Column("number", sa.Integer, nullable=False),
        sa.Column("state", sa.String(12), nullable=False),
        sa.Column("definition", sa.Text, nullable=False),
        sa.Column("rules", sa.Text, nullable=False),
        sa.Column("opens_at", sa.String(24), nullable=False),
        sa.Column("closes_at", sa.String(24), nullable=True),
        sa.Column("per_day", sa.Integer, nullable=False),
        sa.Column("total", sa.Integer, nullable=False),
        sa.Column("looks", sa.Integer, nullable=False),
        sa.Column("revision", sa.Integer, nullable=False),
        sa.Column("updated_at", sa.String(24), nullable=False),
        sa.Column("created_at", sa.String(24), nullable=False),
        sa.UniqueConstraint("benchmark", "number"),
    )
    op.create_table(
        "standings",
        sa.Column("version", sa.Integer, sa.ForeignKey("versions.id"), primary_key=True),
        sa.Column("account", sa.Integer, sa.ForeignKey("accounts.id"), primary_key=True),
        sa.Column("looks", sa.Integer, nullable=False),
        sa.Column("releases", sa.Integer, nullable=False),
        sa.Column("rung", sa.Integer, nullable=False),
        sa.Column("release_look", sa.Integer, nullable=True),
        sa.Column("improved_at", sa.String(24), nullable=True),
    )
    op.create_table(
        "tries",
        sa.Column("version", sa.Integer, sa.ForeignKey("versions.id"), primary_key=True),
        sa.Column("team", sa.Integer, primary_key=True),
        sa.Column("day", sa.String(10), nullable=False),
        sa.Column("today", sa.Integer, nullable=False),
        sa.Column("total", sa.Integer, nullable=False),
    )


def _records() -> None:
    op.create_table(
        "predictions",
        sa.Column("digest", sa.String(64), primary_key=True),
        sa.Column("content", sa.LargeBinary, nullable=False),
    )
    op.create_table(
        "submissions",
        sa.Column("number", sa.Integer, primary_key=True),
        sa.Column("id", sa.String(32), nullable=False, unique=True),
        sa.Column("version", sa.Integer, sa.ForeignKey("versions.id"), nullable=False),
        sa.Column("account", sa.Integer, sa.ForeignKey("accounts.id"), nullable=False),
        sa.Column("received_at", sa.String(24), nullable=False),
        sa.Column("sha256", sa.String(64), nullable=False),
        sa.Column("digest", sa.String(64), sa.ForeignKey("predictions.digest"), nullable=False),
        sa.Column("note", sa.String(300), nullable=False),
        sa.Column("rung", sa.Integer, nullable=True),
        sa.Column("answer", sa.Text, nullable=False),
        sa.Index("ix_submissions_version_account", "version", "account"),
    )
    op.create_table(
        "replays",
        sa.Column("account", sa.Integer, sa.ForeignKey("accounts.id"), primary_key=True),
        sa.Column("key", sa.String(200), primary_key=True),
        sa.Column("sha256", sa.String(64), nullable=False),
        sa.Column("submission", sa.String(32), nullable=False),
    )
    op.create_table(
        "finals",
        sa.Column("version", sa.Integer, sa.ForeignKey("versions.id"), primary_key=True),
        sa.Column("account", sa.Integer, sa.ForeignKey("accounts.id"), primary_key=True),
        sa.Column("submission", sa.String(32), sa.ForeignKey("submissions.id"), primary_key=True),
    )
    op.create_table(
        "results",
        sa.Column("version", sa.Integer, sa.ForeignKey("versions.id"), primary_key=True),
        sa.Column("content", sa.Text, nullable=False),
        sa.Column("envelope", sa.LargeBinary, nullable=False),
        sa.Column("created_at", sa.String(24), nullable=False),
    )
    op.create_table(
        "log",
        sa.Column("number", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("time", sa.String(24), nullable=False),
        sa.Column("kind", sa.String(20), nullable=False),
        sa.Column("content", sa.Text, nullable=False),
        sa.Column("hash", sa.LargeBinary(32), nullable=False),
        sa.Column("mac", sa.LargeBinary(32), nullable=False),
    )
    op.create_table(
        "head",
        sa.Column("id", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("number", sa.Integer, nullable=False),
        sa.Column("hash", sa.LargeBinary(32), nullable=False),
    )


def _keep_growing() -> None:
    if op.get_bind().dialect.name == "sqlite":
        for table in _APPEND_ONLY:
            for verb in ("UPDATE", "DELETE"):
                op.execute(
                    f"CREATE TRIGGER {table}_no_{verb.lower()} BEFORE {verb} ON {table} "
                    f"BEGIN SELECT RAISE(ABORT, '{table} only grows'); END"
                )
        return
    op.execute(
        "CREATE FUNCTION only_grows() RETURNS trigger AS "
        "$$ BEGIN RAISE EXCEPTION '% only grows', TG_TABLE_NAME; END $$ LANGUAGE plpgsql"
    )
    for table in _APPEND_ONLY:
        op.execute(
            f"CREATE TRIGGER {table}_only_grows BEFORE UPDATE OR DELETE OR TRUNCATE ON {table} "
            "FOR EACH STATEMENT EXECUTE FUNCTION only_grows()"
        )


def downgrade() -> None:
    """Refuse: nothing that was recorded is removed."""
    raise NotImplementedError("the arena's records are never removed")
