"""Situation: what a statistical method must know before it may be used."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Self

import numpy as np

from referee.core.arrays import Rows
from referee.core.dataset import Dataset
from referee.core.plan import Part, Plan
from referee.core.predictions import Predictions
from referee.core.results import Target

__all__ = ["Situation"]


@dataclass(frozen=True, kw_only=True)
class Situation:
    """How models were, or will be, tested; computed once from a plan or a table and handed on.

    Attributes
    ----------
    n : int
        Cases that are tested unseen.
    fits : int
        Models whose predictions are read; 1 for a test set or bare predictions.
    repetitions : int
        How often the data are gone through.
    smallest_test : int
        Cases that the fit with the fewest of them tests.
    partition : bool
        Whether every repetition tests the same cases, each of them once.
    parts : frozenset of Part
        What the plan has besides its main splits: halves, halvings, inner loops.
    paired : bool
        Whether the models are tested on the same cases.
    grouped, weighted, timed : bool
        Whether cases come in groups, whether they weigh differently, and whether their order in
        time is known.
    zero_one : bool
        Whether losses are 0 or 1, as those of classes are; those of quantities are any numbers.
    target : Target
        What an interval or a test is to speak about.
    target_asked : bool
        Whether the user asked for that target.

    Examples
    --------
    >>> Situation.of_table(Predictions.of([0, 1, 1], [0, 1, 0]))
    ... # doctest: +ELLIPSIS
    Situation(n=3, fits=1, repetitions=1, smallest_test=3, partition=True, parts=frozenset(), ...)
    """

    n: int = 0
    fits: int = 1
    repetitions: int = 1
    smallest_test: int = 0
    partition: bool = True
    parts: frozenset[Part] = frozenset()
    paired: bool = True
    grouped: bool = False
    weighted: bool = False
    timed: bool = False
    zero_one: bool = True
    target: Target = Target.CONDITIONAL
    target_asked: bool = False

    @classmethod
    def of_plan(cls, plan: Plan, data: Dataset | None = None, **asked: object) -> Self:
        """Read the situation off a plan, before anything is fitted."""
        main = plan.part(Part.MAIN)
        tested = [split.unseen for split in main]
        sizes = [len(rows) for rows in tested]
        repetition = np.repeat([s.repetition for s in main], sizes)
        case = np.concatenate(tested) if tested else np.arange(0)
        n, partition = _gone_through(case, repetition, plan.n)
        return cls(
            n=n,
            fits=len(main),
            repetitions=len({s.repetition for s in main}),
            smallest_test=min(map(len, tested), default=0),
            partition=partition,
            parts=frozenset(s.part for s in plan.splits) - {Part.MAIN, Part.RESUBSTITUTION},
            grouped=data is not None and data.groups is not None,
            weighted=data is not None and data.sample_weight is not None,
            timed=plan.forward or (data is not None and data.time is not None),
            zero_one=data is None or not data.numeric,
            **asked,  # type: ignore[arg-type]
        )

    @classmethod
    def of_table(cls, table: Predictions, **asked: object) -> Self:
        """Read the situation off a table of predictions."""
        unseen = table.unseen
        main = [split for split, part in enumerate(table.part) if part is Part.MAIN]
        if len(main) == 1:
            # One fit tests each case once: nothing has to be counted.
            n, partition, repetitions = len(unseen.case), True, 1
            fewest = n
        else:
            numbers = table.repetition[main]
            n, partition = _gone_through(unseen.case, table.repetition[unseen.split], table.n)
            repetitions = len(set(numbers.tolist()))
            sizes = np.bincount(unseen.split, minlength=len(table.part))[main]
            fewest = int(sizes.min(initial=len(unseen.case)))
        return cls(
            n=n,
            fits=len(main),
            repetitions=repetitions,
            smallest_test=fewest,
            partition=partition,
            parts=frozenset(table.part) - {Part.MAIN, Part.RESUBSTITUTION},
            grouped=table.groups is not None,
            weighted=table.weight is not None,
            timed=table.moment is not None,
            zero_one=not table.numeric,
            **asked,  # type: ignore[arg-type]
        )

    @property
    def runs(self) -> bool:
        """Whether several models answered one test set, as runs with other seeds do."""
        return self.fits == self.repetitions > 1 and self.partition

    @property
    def fixed(self) -> bool:
        """Whether fixed predictions are judged, not what a learner does on new samples."""
        return self.fits == 1


def _gone_through(case: Rows, repetition: Rows, n: int) -> tuple[int, bool]:
    """Return how many cases are tested, and whether every repetition tests each of them once."""
    numbers, position = np.unique(repetition, return_inverse=True)
    times = np.bincount(position * n + case, minlength=len(numbers) * n).reshape(-1, n)
    ever = times.any(axis=0)
    return int(ever.sum()), bool(np.all(times == ever))
