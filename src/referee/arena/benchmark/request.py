"""What an organiser asks for: a benchmark, or a new version of one."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass, field
from pathlib import Path

from referee.arena.accounts.names import checked_text
from referee.arena.clock import moment
from referee.errors import InputError
from referee.vault.sealed.cases.splitting import share_of
from referee.vault.sealed.request import SealRequest

__all__ = ["BenchmarkRequest", "slug_of"]


@dataclass(frozen=True, kw_only=True)
class BenchmarkRequest:
    """A benchmark to be made.

    Attributes
    ----------
    name : str
        What people call it; its address follows from it.
    train : Path
        A table with labels.
    test : Path, str or float
        Another with the same columns, whose labels are sealed; or the share of `train` that is
        drawn to be the test cases, such as "30%".
    target : str
        The column of labels.
    id_column, groups : str or None
        The columns of ids and of groups.
    measure : str
        What is scored; one that a vault can seal.
    public : str or float
        The share of the test cases that is looked at before the end.
    baseline : "majority", float or None
        What everybody starts at.
    per_day, total : int
        How many tries a team has.
    opens, closes : str or None
        When submissions are taken; at once and for ever if None.
    rules : str
        Markdown.
    pos_label, costs, labels, level, step
        As in a vault.
    """

    name: str
    train: Path
    test: Path | str | float
    target: str
    id_column: str | None = None
    groups: str | None = None
    measure: str = "error"
    public: str | float = "50%"
    baseline: str | float | None = None
    per_day: int = 5
    total: int = 100
    opens: str | None = None
    closes: str | None = None
    rules: str = ""
    pos_label: str | None = None
    costs: tuple[float, float] | None = None
    labels: tuple[str, ...] = field(default=())
    level: float = 0.95
    step: float | None = None
    slug: str | None = None

    def __post_init__(self) -> None:
        self._check_quota()
        _ = self.test_share  # refused here if it is none
        if self.share is None:
            raise InputError(
                "must be a share of the test cases",
                argument="public",
                value=repr(self.public),
                remedy="for example 50%",
            )
        opens_at = None if self.opens is None else moment(self.opens, "opens")
        if self.closes_at is not None and opens_at is not None and self.closes_at <= opens_at:
            raise InputError(
                f"closes ({self.closes}) must be later than opens ({self.opens})",
                remedy="correct one",
            )
        checked_text(self.name, "name", 100)
        if not self.name.strip():
            raise InputError(
                "must have 1 to 100 characters", argument="name", value=repr(self.name)
            )
        if len(self.rules) > 100_000:
            raise InputError(
                "rules may have 100000 characters",
                remedy="shorten them",
            )
        slug_of(self.slug or self.name)

    @property
    def test_table(self) -> Path | None:
        """The table of test cases; None where a share is drawn."""
        return self.test if isinstance(self.test, Path) else None

    @property
    def test_share(self) -> float | None:
        """The share of the one table that becomes test cases; None where they have their own."""
        if isinstance(self.test, Path):
            return None
        share = share_of(self.test)
        if share is None:
            raise InputError(
                "must be a table, or a share of the cases",
                argument="test",
                value=repr(self.test),
                remedy="for example 30%",
            )
        return share

    def _check_quota(self) -> None:
        for name, value in (("per_day", self.per_day), ("total", self.total)):
            if value < 1:
                raise InputError("must be at least 1", argument=name, value=str(value))

    @property
    def share(self) -> float | None:
        """The share of the test cases in the public half."""
        return share_of(self.public, "public")

    @property
    def closes_at(self) -> str | None:
        """The deadline as the store writes it."""
        return None if self.closes is None else moment(self.closes, "closes")

    @property
    def sealing(self) -> SealRequest:
        """The same as a vault asks for it."""
        return SealRequest(
            measure=self.measure,
            policy="ladder",
            baseline=self.baseline,
            step=self.step,
            level=self.level,
            pos_label=self.pos_label,
            costs=self.costs,
            labels=self.labels,
        )


def slug_of(name: str) -> str:
    """Return the address of a benchmark: lower case, digits and hyphens.

    Examples
    --------
    >>> slug_of("Wine, 2nd season")
    'wine-2nd-season'
    """
    plain = unicodedata.normalize("NFKD", name).encode("ascii", "ignore").decode().lower()
    slug = re.sub(r"[^a-z0-9]+", "-", plain).strip("-")[:50].strip("-")
    if not slug:
        raise InputError(
            "must hold a Latin letter or a digit, for its address",
            argument="name",
            value=repr(name),
        )
    return slug
