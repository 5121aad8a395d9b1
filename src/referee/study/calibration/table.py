"""calibration: the table of coverage, size and power, and the promises beside it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from importlib.resources import files
from typing import TYPE_CHECKING, ClassVar, get_type_hints

import numpy as np

from referee.core.randomness import RandomState, integer_seed
from referee.core.showing.experiment import Experiment
from referee.core.showing.pictures import Dot, DotRow, Dots
from referee.errors import InputError
from referee.intervals.catalogue import AREA_INTERVALS
from referee.study.calibration.cell import Cell
from referee.study.calibration.cells import QUICK, cells_named
from referee.study.calibration.deciding import decide
from referee.study.calibration.draws import Draws, chunks, complete
from referee.study.calibration.earlier import filled_in
from referee.study.calibration.fixed.exact import enumerated, enumerated_methods
from referee.study.calibration.limits import LEVEL
from referee.study.calibration.methods import check_methods, interval_methods, learner_tests
from referee.study.calibration.probe import (
    LearnerPairs,
    Probe,
    Validation,
    probes_of,
    tested_intervals,
)
from referee.study.calibration.promises import Kept, Promise, judged
from referee.study.calibration.rates import Rate, of_enumeration, rates_of

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["Calibration", "calibration", "known_methods"]

_QUICK_REPETITIONS = 20
_DECIDED = 85 / 90
"""A table of which a smaller share of the promises is decided is rough."""

_MANY = 100
"""Data sets of a row, in the middle, from which on a table without promises is not rough."""


@dataclass(frozen=True, kw_only=True, eq=False)
class Calibration(Experiment):
    """How often every interval covers and every test errs, cell by cell.

    Attributes
    ----------
    table : DataFrame
        A row per method, target and cell (see `Rate`).
    """

    title: ClassVar[str] = "Calibration"

    table: pd.DataFrame

    @classmethod
    def kept(cls) -> Calibration:
        """Return the table that is kept with the package, the one of docs/calibration.md."""
        import pandas as pd

        with (files("referee.core") / "calibration.csv").open(encoding="utf-8") as lines:
            # Numbers by way of text: pandas reads some of them wrong in the last digit.
            text = pd.read_csv(lines, dtype=str, keep_default_na=False)
        numbers = {name: kind for name, kind in get_type_hints(Rate).items() if kind is not str}
        return cls(table=text.replace("", "nan").astype(numbers).assign(note=text["note"]))

    def frame(self) -> pd.DataFrame:
        """Return the table."""
        return self.table.copy()

    @property
    def simulated(self) -> pd.DataFrame:
        """The rows that were simulated, and not enumerated."""
        return self.table[self.table.repetitions > 0]

    @property
    def rough(self) -> bool:
        """Whether too few promises are decided: below 85 of 90, counted cell by cell.

        Without any promise, whether simulated rows have fewer than 100 data sets, in the middle.
        """
        if self.promises:
            return self._decided < _DECIDED * len(self.promises)
        return bool(len(self.simulated) and self.simulated.repetitions.median() < _MANY)

    @property
    def _decided(self) -> int:
        return sum(p.kept is not Kept.UNDECIDED for p in self.promises)

    @property
    def reliance(self) -> str:
        """What the table may be relied on for, by a stated rule, in a sentence or two."""
        rows = self.simulated
        of_plan = int((rows.repetitions >= rows.planned).sum())
        held = f"{of_plan} of {len(rows)} simulated rows hold all data sets planned for them"
        rest = (
            f"{held}; rows of methods used by name may rest on fewer: see the column *data sets*."
        )
        if not self.promises:
            return f"No promise is made about these cells{', a rough look' * self.rough}; {rest}"
        decided = f"{self._decided} of {len(self.promises)} promises are decided"
        if self.rough:
            return (
                f"This is a rough look: {decided}, fewer than 85 of 90. {rest[0].upper()}{rest[1:]}"
            )
        return f"{decided}, at least 85 of 90. {rest[0].upper()}{rest[1:]}"

    @cached_property
    def promises(self) -> list[Promise]:
        """Every promise that the table can judge."""
        return judged(self.table)

    @property
    def summary(self) -> pd.DataFrame:
        """A row per method, scheme and target: mean and worst over the cells."""
        import pandas as pd

        keys = ["section", "method", "by", "target", "quantity"]
        rows = []
        for key, mine in self.table.groupby(keys, sort=False):
            worst = mine.value.max() if key[-1] == "size" else mine.value.min()
            at = mine.cell[mine.value == worst].iloc[0]
            rows.append(
                dict(zip(keys, key, strict=True))
                | {
                    "cells": len(mine),
                    "mean": mine.value.mean(),
                    "error": float(np.sqrt((mine.error**2).sum()) / len(mine)),
                    "worst": worst,
                    "worst_cell": at,
                    "relative_width": mine.relative_width.mean(),
                }
            )
        return pd.DataFrame(rows)

    @property
    def tables(self) -> Mapping[str, pd.DataFrame]:
        """The promises, those that are not met, and the summary."""
        short = self.promise_frame(Kept.NOT_MET).drop(columns="kept")
        frames = {
            "Promises": self.promise_counts,
            "Falling short": short,
            "Methods": self._labelled,
        }
        return {title: frame for title, frame in frames.items() if len(frame)}

    @property
    def _labelled(self) -> pd.DataFrame:
        """The summary, narrow enough to be printed."""
        summary = self.summary
        labels = [
            _label(*map(str, key))
            for key in summary[["method", "by", "target"]].itertuples(index=False)
        ]
        kept = ["quantity", "cells", "mean", "error", "worst", "relative_width"]
        return summary[kept].assign(method=labels)[["method", *kept]]

    @property
    def promise_counts(self) -> pd.DataFrame:
        """Each promise with the number of cells in which it is met, not met, not decided."""
        import pandas as pd

        promises: dict[tuple[int, str, str], dict[str, int]] = {}
        for p in self.promises:
            counts = promises.setdefault((p.point, p.method, p.text), {k.value: 0 for k in Kept})
            counts[p.kept.value] += 1
        rows = [
            {"point": point, "method": method, "promise": text, **counts}
            for (point, method, text), counts in promises.items()
        ]
        return pd.DataFrame(rows, columns=["point", "method", "promise", *(k.value for k in Kept)])

    def promise_frame(self, kept: Kept | None = None) -> pd.DataFrame:
        """Return every promise, cell by cell, or only those of one outcome."""
        import pandas as pd

        wanted = [p for p in self.promises if kept in (None, p.kept)]
        columns = ["point", "method", "text", "cell", "bound", "value", "low", "high", "kept"]
        rows = [[getattr(p, c) for c in columns[:-1]] + [p.kept.value] for p in wanted]
        named = ["point", "method", "promise", "cell", "bound", "measured", "low", "high", "kept"]
        return pd.DataFrame(rows, columns=named).replace({"cell": {"": "all"}})

    @property
    def setting(self) -> str:
        """How it was made, in a few words."""
        simulated = self.simulated
        if simulated.empty:
            return "by enumeration"
        few, many = int(simulated.repetitions.min()), int(simulated.repetitions.max())
        times = f"{few}" if few == many else f"{few} to {many}"
        rough = "; a rough look" if self.rough else ""
        whole = simulated.groupby("cell")[["repetitions", "planned"]].apply(
            lambda mine: bool((mine.repetitions >= mine.planned).all())
        )
        held = f"{int(whole.sum())} of {len(whole)} cells hold all data sets planned for them"
        return f"{held}, {times} each, nominal {LEVEL:g}{rough}"

    @property
    def conclusion(self) -> str:
        """How many promises are kept."""
        counts = {k: sum(p.kept is k for p in self.promises) for k in Kept}
        short = sorted({f"{p.method} ({p.text})" for p in self.promises if p.kept is Kept.NOT_MET})
        rough = " This is a rough look." if self.rough else ""
        if not self.promises:
            return f"No promise is made about these cells.{rough}"
        promises = (
            f"Of {len(self.promises)} promises, cell by cell, {counts[Kept.MET]} are met, "
            f"{counts[Kept.NOT_MET]} are not met and {counts[Kept.UNDECIDED]} are not decided "
            "within Monte Carlo error."
        )
        falling = f" Falling short: {'; '.join(short)}." if short else ""
        return promises + falling + rough

    @property
    def pictures(self) -> tuple[Dots, ...]:
        """Coverage of intervals and size of tests: a dot per cell."""
        drawings = [
            self._dots("coverage", LEVEL, (0.75, 1.0)),
            self._dots("size", 1 - LEVEL, (0.0, 0.25)),
        ]
        return tuple(dots for dots in drawings if dots.rows)

    def _dots(self, quantity: str, nominal: float, span: tuple[float, float]) -> Dots:
        rows = self.table[self.table.quantity == quantity]
        keys = ["method", "by", "target"]
        dotted = [
            DotRow(
                _label(*map(str, key)),
                tuple(
                    Dot(r["value"], r["low"], r["high"], r["cell"], r["origin"] == "founders")
                    for r in mine.to_dict("records")
                ),
            )
            for key, mine in rows.groupby(keys, sort=False)
        ]
        return Dots(
            tuple(dotted),
            mark=round(nominal, 10),
            span=span,
            caption=f"{quantity} of every method, a dot for each cell with 95 % limits",
            x_label=quantity,
            muted_label="cells the constants were chosen on",
        )


def known_methods() -> tuple[str, ...]:
    """Return every method of the table, by the name that reports give it."""
    names = [
        *(m.name for m in interval_methods()),
        *(t.name for t in learner_tests()),
        *enumerated_methods(),
        *AREA_INTERVALS,
        *tested_intervals(),
        "permutation-labels",
    ]
    return tuple(dict.fromkeys(names))


def _label(method: str, by: str, target: str) -> str:
    short = {"conditional": "C", "expected": "E", "fixed": "fixed"}[target]
    return f"{method} ({short})" if by in (method, "test set") else f"{method}, {by} ({short})"


def calibration(
    cells: Sequence[str | Cell] | None = None,
    methods: Sequence[str] | None = None,
    *,
    repetitions: int | None = None,
    quick: bool = False,
    random_state: RandomState = 0,
    n_jobs: int | None = None,
    draws: Draws | None = None,
    so_far: bool = False,
    undecided: bool = False,
    seconds: float | None = None,
    with_kept: bool = False,
) -> Calibration:
    """Measure how often every interval covers and every test errs, where the truth is known.

    Parameters
    ----------
    cells : sequence of str, optional
        Names of cells; one that ends in * stands for all that begin so. All by default.
    methods : sequence of str, optional
        Names as reports give them; all by default.
    repetitions : int, optional
        Data sets in a cell; by default what each cell says, 2000 for rankings and 300 for forests.
    quick : bool
        A few cells and repetitions: a rough look in a minute or two.
    random_state, n_jobs
        The same numbers for any number of jobs.
    draws : Draws, optional
        What an earlier, unfinished study drew with the same `random_state`; taken over, and
        added to.
    so_far : bool
        Draw nothing: only tell what `draws` already holds.
    undecided : bool
        Draw only where a promise is not decided yet, cheap cells first, until it is or a cell has
        all its data sets.
    seconds : float, optional
        With `undecided`: begin nothing new after so many.
    with_kept : bool
        Take the rows of the table that is kept with the package where these rest on fewer data
        sets, and those of fixed models, which need not be enumerated again where they are kept.

    Examples
    --------
    >>> study = calibration(["lda, d 2, n 50"], ["wilson"], repetitions=5)
    >>> rows = study.frame().query("section == 'risk'")
    >>> rows[["method", "target", "repetitions"]].values.tolist()
    [['wilson', 'conditional', 5], ['wilson', 'expected', 5]]
    """
    import pandas as pd

    check_methods(methods, known_methods())
    _check_repetitions(repetitions)
    chosen = _chosen(QUICK if quick and cells is None else cells)
    if quick and repetitions is None:
        repetitions = _QUICK_REPETITIONS
    kept = Draws() if draws is None else draws
    work = [(c, _probes(c, methods), repetitions or c.repetitions) for c in chosen]
    if undecided and not so_far:
        most = [(cell, many) for cell, _, many in work]
        decide(most, kept, integer_seed(random_state), n_jobs=n_jobs, seconds=seconds)
    elif not so_far:
        complete(chunks(work, kept, integer_seed(random_state)), kept, n_jobs)
    rates = [rate for cell, _, many in work for rate in rates_of(cell, kept, many)]
    named = all(isinstance(cell, str) for cell in cells or ())
    known = set(Calibration.kept().table.method) if with_kept else set()
    wanted = [m for m in enumerated_methods() if m not in known and m in (methods or [m])]
    if named and wanted:
        rates += [of_enumeration(entry) for entry in enumerated(wanted)]
    table = pd.DataFrame([r.row() for r in rates if methods is None or r.method in methods])
    if table.empty:
        why = "nothing was drawn yet" if so_far else "these methods are not tried in these cells"
        raise InputError(why, remedy="leave out one of the options")
    if with_kept:
        table = filled_in(table, Calibration.kept().table)
    return Calibration(table=table)


def _chosen(cells: Sequence[str | Cell] | None) -> list[Cell]:
    own = [cell for cell in cells or () if isinstance(cell, Cell)]
    names = [cell for cell in cells or () if isinstance(cell, str)]
    return [*own, *(cells_named(names or None) if names or not own else ())]


def _probes(cell: Cell, methods: Sequence[str] | None) -> list[Probe]:
    """Return the probes that the methods read; widths and coverage need truth and reference."""
    probes = list(probes_of(cell))
    if methods is None:
        return probes
    read = {m.by for m in interval_methods() if m.name in methods}
    read |= {t.by for t in learner_tests() if t.name in methods}
    return [p for p in probes if not isinstance(p, (Validation, LearnerPairs)) or p.by in read]


def _check_repetitions(repetitions: int | None) -> None:
    whole = isinstance(repetitions, (int, np.integer))
    if repetitions is not None and (not whole or repetitions < 2):
        raise InputError(
            "must be a whole number of at least 2", argument="repetitions", value=repr(repetitions)
        )
