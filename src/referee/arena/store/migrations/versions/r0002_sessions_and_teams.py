"""Revision 0002: sessions of the pages, and accounts that are linked into one team."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the table of sessions, and the team of an account."""
    op.create_table(
        "sessions",
        sa.Column("sha256", sa.String(64), primary_key=True),
        sa.Column("account", sa.Integer, sa.ForeignKey("accounts.id"), nullable=False, index=True),
        sa.Column("created_at", sa.String(24), nullable=False),
        sa.Column("seen_at", sa.String(24), nullable=False),
        sa.Column("ended_at", sa.String(24), nullable=True),
    )
    op.add_column("accounts", sa.Column("team", sa.Integer, nullable=True))
    op.execute("UPDATE accounts SET team = id")


def downgrade() -> None:
    """Refuse: nothing that was recorded is removed."""
    raise NotImplementedError("the arena's records are never removed")
