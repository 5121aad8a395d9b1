"""The tables of the arena.

Times are texts in UTC that sort like times. Submissions, predictions and the log only grow; a
trigger refuses to change or remove them. What changes (standings, tries) can be computed again from
the log, and `referee arena check` does.
"""

from __future__ import annotations

from sqlalchemy import (
    Column,
    ForeignKey,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    String,
    Table,
    Text,
    UniqueConstraint,
)

__all__ = [
    "APPEND_ONLY",
    "METADATA",
    "accounts",
    "benchmarks",
    "finals",
    "head",
    "log",
    "predictions",
    "replays",
    "results",
    "sessions",
    "settings",
    "standings",
    "submissions",
    "tokens",
    "tries",
    "versions",
]

METADATA = MetaData(
    naming_convention={
        "ix": "ix_%(column_0_label)s",
        "uq": "uq_%(table_name)s_%(column_0_name)s",
        "fk": "fk_%(table_name)s_%(column_0_name)s_%(referred_table_name)s",
        "pk": "pk_%(table_name)s",
    }
)

settings = Table(
    "settings",
    METADATA,
    Column("name", String(40), primary_key=True),
    Column("value", Text, nullable=False),
)

accounts = Table(
    "accounts",
    METADATA,
    Column("id", Integer, primary_key=True),
    Column("name", String(60), nullable=False),
    Column("skeleton", String(200), nullable=False, unique=True),
    Column("password", Text, nullable=False),
    Column("role", String(12), nullable=False),
    Column("state", String(12), nullable=False),
    Column("team", Integer, nullable=True),
    Column("created_at", String(24), nullable=False),
)

tokens = Table(
    "tokens",
    METADATA,
    Column("id", String(32), primary_key=True),
    Column("account", Integer, ForeignKey("accounts.id"), nullable=False, index=True),
    Column("label", String(80), nullable=False),
    Column("sha256", String(64), nullable=False, unique=True),
    Column("created_at", String(24), nullable=False),
    Column("revoked_at", String(24), nullable=True),
)

sessions = Table(
    "sessions",
    METADATA,
    Column("sha256", String(64), primary_key=True),
    Column("account", Integer, ForeignKey("accounts.id"), nullable=False, index=True),
    Column("created_at", String(24), nullable=False),
    Column("seen_at", String(24), nullable=False),
    Column("ended_at", String(24), nullable=True),
)

benchmarks = Table(
    "benchmarks",
    METADATA,
    Column("id", Integer, primary_key=True),
    Column("slug", String(60), nullable=False, unique=True),
    Column("name", String(120), nullable=False),
    Column("organiser", Integer, ForeignKey("accounts.id"), nullable=True),
    Column("created_at", String(24), nullable=False),
)

versions = Table(
    "versions",
    METADATA,
    Column("id", Integer, primary_key=True),
    Column("benchmark", Integer, ForeignKey("benchmarks.id"), nullable=False),
    Column("number", Integer, nullable=False),
    Column("state", String(12), nullable=False),
    Column("definition", Text, nullable=False),
    Column("rules", Text, nullable=False),
    Column("opens_at", String(24), nullable=False),
    Column("closes_at", String(24), nullable=True),
    Column("per_day", Integer, nullable=False),
    Column("total", Integer, nullable=False),
    Column("looks", Integer, nullable=False),
    Column("revision", Integer, nullable=False),
    Column("updated_at", String(24), nullable=False),
    Column("created_at", String(24), nullable=False),
    UniqueConstraint("benchmark", "number"),
)

standings = Table(
    "standings",
    METADATA,
    Column("version", Integer, ForeignKey("versions.id"), primary_key=True),
    Column("account", Integer, ForeignKey("accounts.id"), primary_key=True),
    Column("looks", Integer, nullable=False),
    Column("releases", Integer, nullable=False),
    Column("rung", Integer, nullable=False),
    Column("release_look", Integer, nullable=True),
    Column("improved_at", String(24), nullable=True),
)

tries = Table(
    "tries",
    METADATA,
    Column("version", Integer, ForeignKey("versions.id"), primary_key=True),
    Column("team", Integer, primary_key=True),
    Column("day", String(10), nullable=False),
    Column("today", Integer, nullable=False),
    Column("total", Integer, nullable=False),
)

predictions = Table(
    "predictions",
    METADATA,
    Column("digest", String(64), primary_key=True),
    Column("content", LargeBinary, nullable=False),
)

submissions = Table(
    "submissions",
    METADATA,
    Column("number", Integer, primary_key=True),
    Column("id", String(32), nullable=False, unique=True),
    Column("version", Integer, ForeignKey("versions.id"), nullable=False),
    Column("account", Integer, ForeignKey("accounts.id"), nullable=False),
    Column("received_at", String(24), nullable=False),
    Column("sha256", String(64), nullable=False),
    Column("digest", String(64), ForeignKey("predictions.digest"), nullable=False),
    Column("note", String(300), nullable=False),
    Column("rung", Integer, nullable=True),
    Column("answer", Text, nullable=False),
    Index("ix_submissions_version_account", "version", "account"),
)

replays = Table(
    "replays",
    METADATA,
    Column("account", Integer, ForeignKey("accounts.id"), primary_key=True),
    Column("key", String(200), primary_key=True),
    Column("sha256", String(64), nullable=False),
    Column("submission", String(32), nullable=False),
)

finals = Table(
    "finals",
    METADATA,
    Column("version", Integer, ForeignKey("versions.id"), primary_key=True),
    Column("account", Integer, ForeignKey("accounts.id"), primary_key=True),
    Column("submission", String(32), ForeignKey("submissions.id"), primary_key=True),
)

results = Table(
    "results",
    METADATA,
    Column("version", Integer, ForeignKey("versions.id"), primary_key=True),
    Column("content", Text, nullable=False),
    Column("envelope", LargeBinary, nullable=False),
    Column("created_at", String(24), nullable=False),
)

log = Table(
    "log",
    METADATA,
    Column("number", Integer, primary_key=True, autoincrement=False),
    Column("time", String(24), nullable=False),
    Column("kind", String(20), nullable=False),
    Column("content", Text, nullable=False),
    Column("hash", LargeBinary(32), nullable=False),
    Column("mac", LargeBinary(32), nullable=False),
)

head = Table(
    "head",
    METADATA,
    Column("id", Integer, primary_key=True, autoincrement=False),
    Column("number", Integer, nullable=False),
    Column("hash", LargeBinary(32), nullable=False),
)

APPEND_ONLY = ("predictions", "submissions", "log")
"""Tables whose rows are never changed and never removed."""
