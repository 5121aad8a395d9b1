"""DatasetTest: a test of models over several data sets, one score each, as one object."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import KW_ONLY, dataclass
from enum import StrEnum
from typing import Any

from referee.core.method import Method

__all__ = ["DatasetTest", "Role"]


class Role(StrEnum):
    """What a test over data sets, or over several models, is for."""

    PAIR = "pair"
    """Two models: from their differences to `Evidence`."""

    ALL = "all"
    """All models at once: from a table with a column a model to `Evidence`."""

    AFTER = "after"
    """Which models differ once some do: from k models and n data sets to a difference of ranks."""


@dataclass(frozen=True)
class DatasetTest(Method):
    """A test of models over several data sets.

    Attributes
    ----------
    role : Role
        What it is for, and so what it reads.
    compute : callable
        The test.
    """

    _: KW_ONLY
    role: Role
    compute: Callable[..., Any]
