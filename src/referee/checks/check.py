"""Check: one thing that should be known before a number is used, with a stable code."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import ClassVar

from referee.checks.context import Context
from referee.core.method import Method
from referee.core.results import Finding, Severity

__all__ = ["Check"]


@dataclass(frozen=True, kw_only=True)
class Check(Method):
    """A check; its name is the code of its findings, as R001, and never changes its meaning.

    Attributes
    ----------
    compute : callable
        From what is known (`Context`) to a finding, or None where there is nothing to report.
    cause : str
        What it reports, in a sentence or two.
    remedy : str or callable
        What to do about it; a function without arguments where it names arguments, so that they
        are named in the words of whoever asks.
    severities : tuple of Severity
        How grave its findings can be; the first is the usual one.
    needs_data : bool
        Whether only the data, or the fits, can show it; predictions and plan show the others.
    spares_baselines : bool
        Whether a model that answers without looking at the features does so by design.
    names_model : bool
        Whether its finding is about one of several models even where it holds for all of them.

    Examples
    --------
    >>> from referee.checks import CHECKS
    >>> CHECKS["R001"].title, CHECKS["R001"].severities[0].value
    ('training error only', 'serious')
    """

    listed_in: ClassVar[str] = "referee.checks.catalogue:CHECKS"

    compute: Callable[[Context], Finding | None]
    cause: str
    remedy: str | Callable[[], str]
    severities: tuple[Severity, ...]
    needs_data: bool = False
    spares_baselines: bool = False
    names_model: bool = False

    @property
    def code(self) -> str:
        """The code of its findings."""
        return self.name

    @property
    def advice(self) -> str:
        """What to do about it, in the words of whoever asks."""
        return self.remedy if isinstance(self.remedy, str) else self.remedy()

    def finding(
        self,
        message: str,
        *,
        remedy: str | None = None,
        severity: Severity | None = None,
        title: str | None = None,
        rows: Sequence[int] = (),
    ) -> Finding:
        """Return what was found; title, remedy and severity as usual unless given."""
        return Finding(
            code=self.name,
            severity=severity or self.severities[0],
            title=title or self.title,
            message=message,
            remedy=self.advice if remedy is None else remedy,
            rows=tuple(rows),
        )
