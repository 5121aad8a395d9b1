"""Citation: where a method was published, and how a paper refers to it."""

from __future__ import annotations

from dataclasses import dataclass

__all__ = ["Citation"]


@dataclass(frozen=True, order=True)
class Citation:
    """A published work.

    Attributes
    ----------
    key : str
        Authors and year, as in a text: "Clopper and Pearson 1934".
    work : str
        The entry in a list of references.

    Examples
    --------
    >>> wilson = Citation("Wilson 1927", "Wilson, E. B. (1927). JASA 22, 209-212.")
    >>> wilson.in_text, wilson.as_subject
    ('(Wilson 1927)', 'Wilson (1927)')
    """

    key: str
    work: str

    @property
    def in_text(self) -> str:
        """The reference in brackets, to stand behind what is cited."""
        return f"({self.key})"

    @property
    def as_subject(self) -> str:
        """The reference as the subject of a sentence."""
        authors, _, year = self.key.rpartition(" ")
        return f"{authors} ({year})"
