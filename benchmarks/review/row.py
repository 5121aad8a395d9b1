"""A row of the review: a situation, what it gave then, what is right, what it gives now."""

from __future__ import annotations

import math
from dataclasses import dataclass

__all__ = ["Row", "at_least", "at_most", "near", "told"]


@dataclass(frozen=True)
class Row:
    """One figure.

    Attributes
    ----------
    item : int
        Which point of the review.
    what, before, goal, now : str
        The situation, its figure then, the goal, and its figure now.
    met : bool
    """

    item: int
    what: str
    before: str
    goal: str
    now: str
    met: bool

    def __str__(self) -> str:
        """Return it as a row of a Markdown table."""
        kept = "met" if self.met else "MISSED"
        return f"| {self.item} | {self.what} | {self.before} | {self.goal} | {self.now} | {kept} |"


def at_least(item: int, what: str, before: str, goal: float, now: float, rounds: int = 0) -> Row:
    """Return a row about a share that should be no less; met within two Monte Carlo errors."""
    reach = 2 * math.sqrt(goal * (1 - goal) / rounds) if rounds else 1e-9
    return Row(item, what, before, f"at least {goal:g}", f"{now:.3f}", now >= goal - reach)


def at_most(item: int, what: str, before: str, goal: float, now: float, rounds: int = 0) -> Row:
    """Return a row about a share that should be no more; met within two Monte Carlo errors."""
    reach = 2 * math.sqrt(goal * (1 - goal) / rounds) if rounds else 1e-9
    return Row(item, what, before, f"at most {goal:g}", f"{now:.4g}", now <= goal + reach)


def near(item: int, what: str, before: str, right: float, now: float, within: float = 1e-4) -> Row:
    """Return a row about a number that is known."""
    return Row(item, what, before, f"{right:g}", f"{now:.4f}", abs(now - right) <= within)


def told(item: int, what: str, before: str, goal: str, now: str, met: bool) -> Row:
    """Return a row about something other than one number."""
    return Row(item, what, before, goal, now, bool(met))
