"""What may be known about secret cases: enough to check predictions for them, and no more."""

from __future__ import annotations

from typing import Protocol

from referee.vault.sealed.sealed_measure import SealedMeasure

__all__ = ["KnownCases"]


class KnownCases(Protocol):
    """The public side of a test set: its ids, and how to recognise a legal answer."""

    @property
    def ids(self) -> tuple[str, ...]:
        """The cases, in their order."""

    @property
    def id_column(self) -> str:
        """The column of ids."""

    @property
    def target(self) -> str:
        """The column of labels."""

    @property
    def classes(self) -> tuple[str, ...]:
        """A salted hash of each class."""

    @property
    def measure(self) -> SealedMeasure:
        """What is scored."""

    @property
    def n(self) -> int:
        """How many cases there are."""

    @property
    def positions(self) -> dict[str, int]:
        """Where each id stands."""

    @property
    def cases_file(self) -> str:
        """Where a person finds the cases."""

    @property
    def classes_place(self) -> str:
        """Where a person finds the classes."""

    def class_code(self, label: str) -> int | None:
        """Return the position of a class, None for what is no legal answer."""
