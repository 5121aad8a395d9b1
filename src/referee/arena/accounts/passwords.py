"""Passwords: argon2id, two at a time, and the same answer and time for whatever is wrong."""

from __future__ import annotations

import threading

from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError, VerificationError

from referee.arena.problem import Problem

__all__ = ["Passwords"]

SHORTEST, LONGEST = 10, 200


class Passwords:
    """Hashes and verifies passwords; each costs memory, so only two are computed at once.

    Parameters
    ----------
    hasher : PasswordHasher or None
        Argon2's settings; the library's recommendation if None.

    Examples
    --------
    >>> passwords = Passwords(PasswordHasher(time_cost=1, memory_cost=8, parallelism=1))
    >>> stored = passwords.hashed("correct horse")
    >>> passwords.fits("correct horse", stored), passwords.fits("wrong horse", stored)
    (True, False)
    >>> passwords.fits("anything", None)
    False
    """

    def __init__(self, hasher: PasswordHasher | None = None) -> None:
        self._hasher = hasher or PasswordHasher()
        self._turns = threading.Semaphore(2)
        self._nobody = self._hasher.hash("the password of nobody")

    def hashed(self, password: str) -> str:
        """Return what is stored of a password, or say why it can be none."""
        if not SHORTEST <= len(password) <= LONGEST:
            raise Problem(
                422,
                f"a password must have between {SHORTEST} and {LONGEST} characters, got "
                f"{len(password)}",
            )
        try:
            password.encode()
        except UnicodeEncodeError:
            raise Problem(422, "a password must be text that can be written in UTF-8") from None
        with self._turns:
            return self._hasher.hash(password)

    def fits(self, password: str, stored: str | None) -> bool:
        """Tell whether a password is the right one; for no account it takes as long."""
        with self._turns:
            try:
                right = self._hasher.verify(stored or self._nobody, password[:LONGEST])
            except (VerificationError, InvalidHashError, UnicodeEncodeError):
                return False
        return right and stored is not None
