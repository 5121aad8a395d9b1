"""Contradiction: parts of a bundle that cannot both be true."""

from __future__ import annotations

from referee.errors import InputError

__all__ = ["Contradiction"]


class Contradiction(InputError):
    """A file of a bundle does not fit the others, although its hash is right.

    Attributes
    ----------
    file : str
        The file.
    why : str
        What does not fit.
    """

    def __init__(self, file: str, why: str) -> None:
        super().__init__(f"{file}: {why}")
        self.file, self.why = file, why
