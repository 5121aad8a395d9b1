"""Draws: what every probe of every cell returned, kept so that a stopped study can go on."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from joblib import Parallel, delayed
from threadpoolctl import threadpool_limits  # type: ignore[import-untyped]

from referee.core.randomness import Seed
from referee.errors import InputError
from referee.fitting.progress import track
from referee.study.calibration.cell import Cell
from referee.study.calibration.probe import Probe
from referee.vocabulary import in_these_words

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["Chunk", "Draws", "chunks", "complete", "left_of", "planned_of"]

_CHUNK = 10
"""Repetitions that are saved together; cells of very many have a tenth of them in a chunk."""


@dataclass
class Draws:
    """Numbers by cell and probe, a row for each repetition; in memory.

    A subclass may keep them elsewhere by overriding `read` and `write`.

    Examples
    --------
    >>> draws = Draws()
    >>> draws.add("cell", "probe", ("p",), [0, 1], [[0.5], [0.25]])
    >>> draws.of("cell", "probe", ("p",), 2)["p"].tolist()
    [0.5, 0.25]
    >>> draws.of("cell", "probe", ("p", "q"), 2).empty  # another code made them
    True
    """

    tables: dict[tuple[str, str], pd.DataFrame] = field(default_factory=dict)

    def of(self, cell: str, probe: str, columns: Sequence[str], repetitions: int) -> pd.DataFrame:
        """Return the rows there are, in order, of repetitions below a number."""
        import pandas as pd

        wanted = ["repetition", *columns]
        table = self.read(cell, probe)
        if table is None or list(table.columns) != wanted:
            return pd.DataFrame(columns=wanted)
        table = table.drop_duplicates("repetition").sort_values("repetition")
        kept: pd.DataFrame = table[table["repetition"] < repetitions].reset_index(drop=True)
        return kept

    def add(
        self,
        cell: str,
        probe: str,
        columns: Sequence[str],
        repetitions: Sequence[int],
        rows: Sequence[Sequence[float]],
    ) -> None:
        """Keep the numbers of some repetitions."""
        import pandas as pd

        new = pd.DataFrame(rows, columns=list(columns))
        new.insert(0, "repetition", list(repetitions))
        old = self.read(cell, probe)
        if old is not None and list(old.columns) == list(new.columns):
            new = pd.concat([old, new], ignore_index=True)
        self.write(cell, probe, new)

    def read(self, cell: str, probe: str) -> pd.DataFrame | None:
        """Return what was kept of a probe of a cell."""
        return self.tables.get((cell, probe))

    def write(self, cell: str, probe: str, table: pd.DataFrame) -> None:
        """Keep the numbers of a probe of a cell."""
        self.tables[cell, probe] = table


@dataclass(frozen=True)
class Chunk:
    """Some repetitions of one probe of one cell; a class, so that another process can do it."""

    cell: Cell
    probe: Probe
    repetitions: tuple[int, ...]
    seed: Seed

    def __call__(self) -> tuple[Chunk, list[list[float]]]:
        """Return the chunk and the numbers of its repetitions."""
        # Small matrices: threads of the linear algebra would only wait for each other.
        with threadpool_limits(limits=1):
            rows = [self.probe(self.cell, self.cell.seed(self.seed, r)) for r in self.repetitions]
        return self, rows


def chunks(
    cells: Sequence[tuple[Cell, Sequence[Probe], int]], draws: Draws, seed: Seed
) -> list[Chunk]:
    """Return what is left to do, in turns: a chunk of every cell, then another of every cell.

    So a study that is stopped knows something of each, and the time left can be told.
    """
    waiting = [
        list(left_of(cell, probe, planned_of(probe, repetitions), draws, seed))
        for cell, probes, repetitions in cells
        for probe in probes
    ]
    longest = max((len(w) for w in waiting), default=0)
    return [w[turn] for turn in range(longest) for w in waiting if turn < len(w)]


def planned_of(probe: Probe, repetitions: int) -> int:
    """Return how many of a cell's data sets a probe is to see."""
    return max(2, round(probe.share * repetitions))


def left_of(
    cell: Cell,
    probe: Probe,
    repetitions: int,
    draws: Draws,
    seed: Seed,
    *,
    size: int | None = None,
) -> Iterator[Chunk]:
    """Yield what is left to do of one probe of a cell, in chunks of a size."""
    have = set(draws.of(cell.name, probe.name, probe.columns, repetitions)["repetition"])
    lacking = [r for r in range(repetitions) if r not in have]
    size = max(_CHUNK, repetitions // 10) if size is None else size
    for start in range(0, len(lacking), size):
        yield Chunk(cell, probe, tuple(lacking[start : start + size]), seed)


def complete(left: Sequence[Chunk], draws: Draws, n_jobs: int | None) -> None:
    """Do what is left and keep it chunk by chunk; the same numbers for any number of jobs."""
    if n_jobs == 0:
        raise InputError(
            "must not be 0", argument="n_jobs", remedy="use 1, a larger number, or -1 for all cores"
        )
    if n_jobs in (None, 1):
        finished: Iterator[tuple[Chunk, list[list[float]]]] = (chunk() for chunk in left)
    else:
        jobs = Parallel(n_jobs=n_jobs, return_as="generator_unordered")
        finished = jobs(delayed(in_these_words(chunk))() for chunk in left)
    for chunk, rows in track(finished, len(left), "calibration", unit="chunks"):
        probe = chunk.probe
        draws.add(chunk.cell.name, probe.name, probe.columns, chunk.repetitions, rows)
