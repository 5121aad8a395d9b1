"""Definition: all that is public about one version of a benchmark, fixed when it was made."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields
from functools import cached_property
from typing import Any

import polars as pl

from referee.arena.benchmark.plain_upload import PlainForm
from referee.intervals.looks import Cell, Grid, Groups, LookInterval
from referee.measures import Measure
from referee.vault.sealed.request import Baseline
from referee.vault.sealed.sealed_measure import SealedMeasure

__all__ = ["Definition"]


@dataclass(frozen=True, kw_only=True)
class Definition:
    """What participants may know before the end. Nothing in it tells who has which label.

    Attributes
    ----------
    ids : tuple of str
        The test cases, in the order of test.csv.
    id_column, target : str
        The columns of ids and of labels.
    classes : tuple of str
        The legal answers, from the training cases.
    measure : SealedMeasure
        What is scored.
    grid : Grid
        The values that the public half can release.
    level : float
        Of all intervals.
    baseline : Baseline
        What everybody starts at, and where it comes from.
    n_public : int
        How many of the cases are in the public half; which ones is a secret.
    grouped : bool
        Whether cases come in groups.
    commitment : str
        A salted hash of labels and halves.
    files : mapping of str to str
        SHA-256 of the files for download.
    groups : Groups or None
        How the cases of the public half come in groups.
    """

    ids: tuple[str, ...]
    id_column: str
    target: str
    classes: tuple[str, ...]
    measure: SealedMeasure
    grid: Grid
    level: float
    baseline: Baseline
    n_public: int
    grouped: bool
    commitment: str
    files: Mapping[str, str]
    groups: Groups | None = None

    @property
    def n(self) -> int:
        """The number of test cases."""
        return len(self.ids)

    @property
    def catalogued(self) -> Measure:
        """The measure's entry in the catalogue: title, direction, units."""
        return self.measure.measure

    @property
    def greater_is_better(self) -> bool:
        """The direction of the measure."""
        return bool(self.catalogued.greater_is_better)

    @property
    def start(self) -> float:
        """What everybody's ladder starts at."""
        return self.grid.value(0)

    def interval(self, cell: Cell, look: int, releases: int, level: float) -> LookInterval:
        """Return the guaranteed interval of what a look at the public half showed."""
        if self.groups is None:
            return self.grid.interval(cell, look, releases, level)
        return self.groups.interval(self.grid, cell, look, releases, level)

    @property
    def score_columns(self) -> tuple[str, ...]:
        """The columns of a file for upload besides the ids, as example.csv has them."""
        if not self.measure.scored:
            return ("prediction",)
        if self.measure.one_score:
            return ("score",)
        return self.classes

    @cached_property
    def positions(self) -> dict[str, int]:
        """Where each id stands."""
        return {name: position for position, name in enumerate(self.ids)}

    @cached_property
    def codes(self) -> dict[str, int]:
        """Where each class stands."""
        return {name: code for code, name in enumerate(self.classes)}

    @cached_property
    def id_series(self) -> pl.Series:
        """The ids, to compare a whole column at once."""
        return pl.Series(self.ids, dtype=pl.String)

    @cached_property
    def id_numbers(self) -> pl.Enum:
        """The ids as a type, to find the position of each in a column."""
        return pl.Enum(self.ids)

    @cached_property
    def class_numbers(self) -> pl.Enum:
        """The classes as a type."""
        return pl.Enum(self.classes)

    @cached_property
    def plain_form(self) -> PlainForm | None:
        """How the plainest files look; None where they hold scores, or names that need quotes."""
        if self.measure.scored:
            return None
        return PlainForm.of(self.id_column, self.ids, self.classes)

    def record(self) -> dict[str, Any]:
        """Return the definition as it is stored."""
        plain = {f.name: getattr(self, f.name) for f in fields(self)}
        return plain | {
            "ids": list(self.ids),
            "classes": list(self.classes),
            "measure": asdict(self.measure),
            "grid": asdict(self.grid),
            "baseline": asdict(self.baseline),
            "files": dict(self.files),
            "groups": None if self.groups is None else asdict(self.groups),
        }

    @classmethod
    def of(cls, record: Mapping[str, Any]) -> Definition:
        """Read a definition as it was stored; old ones know nothing of the sizes of groups."""
        groups = record.get("groups")
        return cls(
            **{
                **record,
                "ids": tuple(record["ids"]),
                "classes": tuple(record["classes"]),
                "measure": SealedMeasure.of(record["measure"]),
                "grid": Grid(**record["grid"]),
                "baseline": Baseline(**record["baseline"]),
                "groups": None if groups is None else Groups(**groups),
            }
        )
