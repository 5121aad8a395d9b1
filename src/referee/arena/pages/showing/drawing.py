"""Drawings of the board: a common scale for intervals, and released values over time."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from markupsafe import Markup

from referee.arena.scoring.board import PublicBoard
from referee.arena.scoring.history import Release
from referee.core.showing.pictures import Curve, Curves
from referee.report.figures.picture import svg_of
from referee.report.figures.svg import NARROW, WIDE

__all__ = ["History", "Scale", "drawn_history"]

_WIDTH, _MARGIN = 200, 6
_TEAMS = 6
"""Teams whose history is drawn: as many as can be told apart by eye."""

_BEYOND = 1.04
"""Lines go on a little after the last release, so that it is seen, too."""


@dataclass(frozen=True)
class Scale:
    """Where values lie in a drawing of 200 pixels.

    Attributes
    ----------
    low, high : float
        The ends of the axis.
    mark : float or None
        Where everybody starts; None if it lies far outside.

    Examples
    --------
    >>> scale = Scale.of([0.25, 0.5], 0.5)
    >>> scale.x(0.25), scale.x(0.5), scale.mark
    ('6.0', '194.0', 0.5)
    """

    low: float
    high: float
    mark: float | None

    @classmethod
    def of(cls, values: Sequence[float], start: float) -> Scale:
        """Return the scale on which all values can be seen, and the start where it is near."""
        if not values:
            return cls(0.0, 1.0, None)
        low, high = min(values), max(values)
        reach = high - low or 1.0
        near = low - reach <= start <= high + reach
        if near:
            low, high = min(low, start), max(high, start)
        return cls(low, high if high > low else low + 1.0, start if near else None)

    def x(self, value: float) -> str:
        """Return the place of a value."""
        share = (value - self.low) / (self.high - self.low)
        return f"{_MARGIN + share * (_WIDTH - 2 * _MARGIN):.1f}"


@dataclass(frozen=True)
class History:
    """Released values over time.

    Attributes
    ----------
    wide, narrow : Markup
        For a screen and for a phone.
    caption : str
        What is to be seen.
    """

    wide: Markup
    narrow: Markup
    caption: str


def drawn_history(board: PublicBoard, releases: Sequence[Release]) -> History | None:
    """Draw how the best released values of the leading teams came about; None for one moment."""
    times = [datetime.fromisoformat(release.time) for release in releases]
    unit, seconds = _unit((times[-1] - times[0]).total_seconds())
    if not seconds:
        return None
    names = [entry.team for entry in board.entries if entry.value is not None][:_TEAMS]
    places = [round((time - times[0]).total_seconds() / seconds, 2) for time in times]
    curves = tuple(_steps(name, releases, places) for name in names)
    shown = "each team" if len(names) < _TEAMS else f"the {_TEAMS} leading teams"
    caption = f"Best released value of {shown}; a line moves when something was released."
    block = Curves(
        curves,
        caption,
        x_label=f"{unit} since the first release",
        y_label=board.benchmark.definition.measure.name,
    )
    # Names are escaped where the picture is made.
    return History(Markup(svg_of(block, WIDE)), Markup(svg_of(block, NARROW)), caption)


def _unit(seconds: float) -> tuple[str, float]:
    """Return the unit of time in which a span is two or more."""
    for name, length in (("days", 86400.0), ("hours", 3600.0), ("minutes", 60.0)):
        if seconds >= 2 * length:
            return name, length
    return "seconds", 1.0 if seconds >= 0.01 else 0.0


def _steps(team: str, releases: Sequence[Release], places: Sequence[float]) -> Curve:
    """Return a line that moves only when something was released."""
    x: list[float] = []
    y: list[float] = []
    for release, place in zip(releases, places, strict=True):
        if release.team == team:
            if y:
                x.append(place)
                y.append(y[-1])
            x.append(place)
            y.append(release.value)
    return Curve(team, (*x, _BEYOND * max(places)), (*y, y[-1]), kind="line")
