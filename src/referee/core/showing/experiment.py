"""An experiment's result: tables, pictures and one sentence about what was seen."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from typing import TYPE_CHECKING, ClassVar

from referee.core.showing.pictures import Picture
from referee.core.showing.reportable import Reportable

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["Experiment"]


class Experiment(Reportable, ABC):
    """What every study returns; it can be printed, drawn and written like any other result.

    Attributes
    ----------
    title : str
        What the experiment is called.
    """

    title: ClassVar[str]

    @abstractmethod
    def frame(self) -> pd.DataFrame:
        """Return all figures, a row each."""

    @property
    @abstractmethod
    def conclusion(self) -> str:
        """What was seen, in one sentence."""

    @property
    @abstractmethod
    def setting(self) -> str:
        """How it was made, in a few words."""

    @property
    def tables(self) -> Mapping[str, pd.DataFrame]:
        """The figures worth reading, by the title of their section."""
        return {"Figures": self.frame()}

    @property
    @abstractmethod
    def pictures(self) -> tuple[Picture, ...]:
        """What is drawn."""
