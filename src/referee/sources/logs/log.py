"""A Log: what an evaluation log says of one model on one task, one row for each answer."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from referee.core.arrays import Anything, Codes, Flags, Floats
from referee.errors import LogError

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["NOT_A_NUMBER", "Log", "column"]

NOT_A_NUMBER = "the score is NaN"
"""The problem of a row whose log gives NaN for a score, which no tool means as one."""


def column(values: Sequence[object]) -> Anything:
    """Return values of any kind as an array of objects."""
    array = np.empty(len(values), dtype=object)
    array[:] = values
    return array


@dataclass(frozen=True, eq=False, kw_only=True)
class Log:
    """One model's scores on the questions of one task, as a tool logged them.

    Attributes
    ----------
    path : str
        The file, as the user named it.
    format : str
        The name of the log's format, a key of `FORMATS`.
    model, task, metric : str
        Whose answers these are, to which questions, and what the score is called.
    item : array of str
        The name of each row's question.
    score : array of float
        Each row's score; nan where there is none, and then `problem` says why.
    run : array of int
        Which of several answers to the question a row is, counted from 1.
    problem : array of str
        Why a row has no score: it failed, was cancelled, could not be marked; empty otherwise.
    item_hash, prompt_hash : array of str or None
        Hashes of the question and of the text the model was given; None where a log has none.
    fields : mapping of str to array
        The fields that were asked for, as text; None in rows that lack them.
    higher_is_better : bool or None
        The direction of the score, where the log says it.
    limits : pair of float or None
        Between which values a score lies, where the log says it.
    filter : str
        The filter or perturbation whose scores these are; empty where the format has none.
    judge : tuple of str
        The models that marked the answers; empty where no model did.
    settings : mapping of str to str
        What else the questions were asked with: few-shot examples, prompts, temperature.
    reduced : str
        How several answers became one score before they were logged; empty where that was not so.
    notes : tuple of str
        What else a reader should know.
    origin : str
        Where the log comes from in a few words: tells two logs of one model apart.
    label : str
        What the model is called among several logs, where its name alone is not enough.
    unit : str
        What a row is called by the tool: "sample", "document", "instance".

    Examples
    --------
    >>> log = Log(
    ...     path="a.eval", format="inspect", model="gpt", task="sums", metric="match",
    ...     item=column(["q1", "q2"]), score=np.array([1.0, np.nan]), run=np.array([1, 1]),
    ...     problem=column(["", "error: timeout"]),
    ... )
    >>> log.n, int(log.scored.sum()), log.place(1)
    (2, 1, "a.eval, sample 'q2'")
    """

    path: str
    format: str
    model: str
    task: str
    metric: str
    item: Anything
    score: Floats
    run: Codes
    problem: Anything
    item_hash: Anything | None = None
    prompt_hash: Anything | None = None
    fields: Mapping[str, Anything] = field(default_factory=dict)
    higher_is_better: bool | None = None
    limits: tuple[float, float] | None = None
    filter: str = ""
    judge: tuple[str, ...] = ()
    settings: Mapping[str, str] = field(default_factory=dict)
    reduced: str = ""
    notes: tuple[str, ...] = ()
    origin: str = ""
    label: str = ""
    unit: str = "sample"

    def __post_init__(self) -> None:
        if not self.n:
            raise LogError(
                f"{self.path} has no {self.unit}",
                at=str(self.path),
                remedy="check that the evaluation ran, and kept them",
            )
        self._refuse_repeats()

    @property
    def n(self) -> int:
        """The number of rows."""
        return len(self.item)

    @property
    def name(self) -> str:
        """What the model is called among the logs it was read with."""
        return self.label or self.model

    @property
    def scored(self) -> Flags:
        """Which rows have a score."""
        return ~np.isnan(self.score)

    @property
    def repeated(self) -> bool:
        """Whether any question has several runs."""
        return bool(np.any(self.run != self.run[0]))

    def place(self, row: int) -> str:
        """Name the file, the question and (where there are several) the run of a row."""
        run = f", run {self.run[row]}" if self.repeated else ""
        return f"{self.path}, {self.unit} {self.item[row]!r}{run}"

    def places(self, rows: Sequence[int], most: int = 5) -> str:
        """Name the first few of some rows, and how many more there are."""
        shown = ", ".join(
            f"{self.item[row]!r}" + (f" (run {self.run[row]})" if self.repeated else "")
            for row in rows[:most]
        )
        more = f" and {len(rows) - most} more" if len(rows) > most else ""
        return f"{self.path}, {self.unit} {shown}{more}"

    def frame(self) -> pd.DataFrame:
        """Return a row for each answer, with every column there is."""
        import pandas as pd

        columns: dict[str, object] = {
            "item": self.item,
            "model": self.model,
            "task": self.task,
            "run": self.run,
            "score": self.score,
            "problem": self.problem,
        }
        if self.item_hash is not None:
            columns["item_hash"] = self.item_hash
        if self.prompt_hash is not None:
            columns["prompt_hash"] = self.prompt_hash
        return pd.DataFrame({**columns, **self.fields})

    def _refuse_repeats(self) -> None:
        if not self.repeated and len(set(self.item.tolist())) == self.n:
            return
        seen: dict[tuple[object, int], int] = {}
        for row, key in enumerate(zip(self.item.tolist(), self.run.tolist(), strict=True)):
            first = seen.setdefault(key, row)
            if first != row:
                raise LogError(
                    f"{self.path}: {self.unit} {key[0]!r} stands there twice (rows {first + 1} and "
                    f"{row + 1}), and nothing says that these are two runs",
                    at=str(self.path),
                    remedy="remove one of them, or name the field that tells runs apart (run=)",
                )
