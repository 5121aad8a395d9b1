"""Titles of the bands into which tiers divide a board."""

from __future__ import annotations

__all__ = ["tier_title"]


def tier_title(tier: int | None, without: str) -> str:
    """Say what a tier is; teams without one have a title of their own.

    Examples
    --------
    >>> tier_title(1, "Not judged"), tier_title(None, "Not judged")
    ('Tier 1: no team was shown to be better', 'Not judged')
    >>> tier_title(3, "Not judged")
    'Tier 3: shown to be worse than a team of tier 2'
    """
    if tier is None:
        return without
    if tier == 1:
        return "Tier 1: no team was shown to be better"
    return f"Tier {tier}: shown to be worse than a team of tier {tier - 1}"
