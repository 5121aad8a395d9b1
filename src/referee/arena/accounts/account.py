"""An account, as the rest of the arena knows it."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from sqlalchemy import Row

from referee.arena.problem import Problem

__all__ = ["Account", "Role", "State"]


class Role(StrEnum):
    """What an account is for."""

    PARTICIPANT = "participant"
    ORGANISER = "organiser"


class State(StrEnum):
    """Whether an account may act."""

    PENDING = "pending"
    ACTIVE = "active"
    DISABLED = "disabled"


@dataclass(frozen=True)
class Account:
    """Who somebody is.

    Attributes
    ----------
    id : int
        Its number; never shown.
    name : str
        Its name, which is the team's on boards.
    role : Role
        Participant or organiser.
    state : State
        Pending until an organiser approves; disabled accounts can do nothing.
    team : int
        The account whose tries it shares: its own number, unless it was linked to another.
    created_at : str
        When it registered.
    """

    id: int
    name: str
    role: Role
    state: State
    team: int
    created_at: str

    @classmethod
    def of(cls, row: Row[Any]) -> Account:
        """Return the account of a row of the table."""
        return cls(
            id=row.id,
            name=row.name,
            role=Role(row.role),
            state=State(row.state),
            team=row.id if row.team is None else row.team,
            created_at=row.created_at,
        )

    def require_active(self) -> None:
        """Refuse an account that may not act."""
        if self.state == State.PENDING:
            raise Problem(
                403, f"the account {self.name!r} waits for an organiser to approve it; ask for that"
            )
        if self.state == State.DISABLED:
            raise Problem(403, f"the account {self.name!r} was disabled; ask an organiser why")

    def require_organiser(self) -> None:
        """Refuse anybody but an active organiser."""
        self.require_active()
        if self.role != Role.ORGANISER:
            raise Problem(403, "only an organiser may do that")
