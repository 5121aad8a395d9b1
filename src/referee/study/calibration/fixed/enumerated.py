"""Enumerated: what the enumeration of all samples says of one method."""

from __future__ import annotations

from dataclasses import dataclass

__all__ = ["Enumerated"]


@dataclass(frozen=True)
class Enumerated:
    """What enumeration found for one method at one n.

    Attributes
    ----------
    mean, worst : float
        Mean and least coverage, or mean and largest size, over the unknown shares.
    where : str
        The shares at which it is worst.
    width : float
        Mean width; nan for a test.
    quantity : {"coverage", "size"}
    cases : str
        The numbers of cases where models are tested on different ones; empty otherwise.
    """

    method: str
    n: int
    mean: float
    worst: float
    where: str
    width: float = float("nan")
    quantity: str = "coverage"
    cases: str = ""
