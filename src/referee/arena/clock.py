"""The clock: times in UTC as texts that sort like the times they stand for."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime

from referee.errors import InputError

__all__ = ["Clock", "day_of", "moment", "system_clock", "time_text"]

Clock = Callable[[], datetime]
"""Whatever tells the time; tests bring their own."""


def system_clock() -> datetime:
    """Return the time of this machine."""
    return datetime.now(UTC)


def time_text(time: datetime) -> str:
    """Write a time in UTC, to the millisecond.

    Examples
    --------
    >>> time_text(datetime(2026, 5, 1, 12, 30, tzinfo=UTC))
    '2026-05-01T12:30:00.000Z'
    """
    return time.astimezone(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def day_of(time: str) -> str:
    """Return the day, in UTC, on which a try is counted.

    Examples
    --------
    >>> day_of("2026-05-01T23:59:59.999Z")
    '2026-05-01'
    """
    return time[:10]


def moment(text: str, argument: str) -> str:
    """Read a time as people write it; without a zone it is UTC.

    Examples
    --------
    >>> moment("2026-05-01", "closes"), moment("2026-05-01T14:30+02:00", "closes")
    ('2026-05-01T00:00:00.000Z', '2026-05-01T12:30:00.000Z')
    """
    try:
        time = datetime.fromisoformat(text.strip())
        return time_text(time if time.tzinfo else time.replace(tzinfo=UTC))
    except (ValueError, OverflowError):
        raise InputError(
            "must be a date, or a date and a time",
            argument=argument,
            value=repr(text),
            remedy="for example 2026-05-01T18:00Z",
        ) from None
