"""The page of the calibration table: promises, methods, and a heading for each method."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from referee.study.calibration.founders import beside
from referee.study.calibration.promises import Kept

if TYPE_CHECKING:
    import pandas as pd

    from referee.study.calibration.table import Calibration

__all__ = ["calibration_page"]

_COMMAND = "referee study calibration --out benchmarks/calibration --so-far --with-kept"

_INTRO = """\
Every interval and every test of this tool, tried on data whose truth is known. An interval should
hold the truth in .95 of data sets; a test at .05 should reject what is true in no more than that.

- *fixed*: about a model that was fixed before its test cases were seen. Every possible sample is
  enumerated; a row gives the worst over all unknown shares (of a difference, and of tests of two
  models, over a grid of them).
- *conditional* (C): the risk of the model trained on all rows, computed where there is a formula,
  otherwise simulated from 10 000 cases.
- *expected* (E): the mean of that risk over data sets of this size. Its own Monte Carlo error is
  part of the error shown.
- ± is the Monte Carlo standard error. The limits beside it hold in 95 % of cells, whenever a run
  stops: half of the error is spent on all looks before the number of data sets that was planned for
  a cell (a confidence sequence), half on an exact interval at that number.
- *data sets*: how many there are, of how many that were planned. The plan was raised once, for all
  cells of tests and intervals of learners alike (from 40 to 200 up to 300 to 1000), when 20 to 80
  data sets of a cell had been seen.
- *adjusted power* is that at the level at which the test tells 5 % of equal learners apart, and
  *adjusted gain* how much more of it than the corrected t has on the same data sets.
- *test set*: errors of a fixed model with a known rate, in groups, weighted or in time, simulated.
- *Relative* is the mean width over that of `effective-jeffreys` from 10 × 10-fold
  cross-validation, on the same data sets and for the same target.
- *founders* are cells on which the constants of `effective-jeffreys` were chosen (two Gaussians at
  ±e1); *fresh* ones played no part in that.
- A data set in which a class has fewer than 5 cases (8 for tests of learners) was drawn again.
- Tests of learners need some hundred fits a data set. A faster simulation of the same tests, with
  learners of its own, 500 data sets a cell, is
  `scripts/test -m slow tests/significance/learners/test_learner_sizes.py -s`."""

_PARTS = """ A row comes from the draws in
`benchmarks/calibration/draws`, or from an earlier run of which only the table was kept, whichever
rests on more data sets; it says how many those are."""

_PROMISES = """\
A promise is *met* where the limits of what was measured lie on its right side, *not met* where they
lie on the wrong side, and *not decided* in between: more repetitions would tell. With so many cells
a few will lie on the wrong side of a bound by chance."""

_SAID = """\
It had its own data sets, fresh cells of its own (38 for intervals, 29 for tests) and 500 to 1000
repetitions. On the thirty cells of two Gaussians both should agree but for Monte Carlo error; on
fresh cells they need not. For single proportions it looked at a grid of p; here every p counts."""


def calibration_page(study: Calibration) -> str:
    """Return the whole page as Markdown; it depends on the table alone."""
    lines = ["# Calibration", "", _INTRO, "", f"Made by `{_COMMAND}`: {study.setting}.{_PARTS}", ""]
    lines += [f"**{study.reliance}**", ""]
    lines += ["![A dot for each method and cell](images/calibration.png)", ""]
    lines += ["## Promises", "", _PROMISES, "", study.conclusion, ""]
    lines += _pipe(study.promise_counts)
    for kept in (Kept.NOT_MET, Kept.UNDECIDED, Kept.MET):
        mine = study.promise_frame(kept).drop(columns="kept")
        if len(mine):
            lines += [f"### {kept.value.capitalize()}", "", *_pipe(mine)]
    lines += ["## Methods", "", *_pipe(_linked(study.summary))]
    said = beside(study.table)
    if len(said):
        lines += ["## Beside the simulation our constants come from", "", _SAID, "", *_pipe(said)]
    for method in dict.fromkeys(study.table.method):
        lines += _of_method(study.table[study.table.method == method], str(method))
    return "\n".join(lines).rstrip() + "\n"


def _linked(summary: pd.DataFrame) -> pd.DataFrame:
    return summary.assign(method=[f"[{m}](#{m})" for m in summary.method]).drop(columns="section")


def _of_method(rows: pd.DataFrame, method: str) -> Iterator[str]:
    yield from (f"## {method}", "")
    for quantity, mine in rows.groupby("quantity", sort=False):
        yield from (f"{str(quantity).capitalize()}:", "")
        yield from _pipe(_shown(mine, str(quantity)))


def _shown(rows: pd.DataFrame, quantity: str) -> pd.DataFrame:
    import pandas as pd

    frame = pd.DataFrame(
        {
            "by": rows.by,
            "target": rows.target,
            "cell": rows.cell,
            "origin": rows.origin,
            quantity: [_rate(r) for r in rows.itertuples()],
            "width": rows.width,
            "relative": rows.relative_width,
            "data sets": [_of_planned(r) for r in rows.itertuples()],
            "note": rows.note,
        }
    )
    empty = [c for c in ("width", "relative") if frame[c].isna().all()]
    if (rows.repetitions == 0).all():
        empty += ["data sets", "origin"]
    if (rows.note == "").all():
        empty.append("note")
    return frame.drop(columns=empty)


def _of_planned(row: Any) -> str:
    if row.repetitions >= row.planned:
        return str(row.repetitions)
    return f"{row.repetitions} of {row.planned}"


def _rate(row: Any) -> str:
    if row.repetitions == 0:
        return f"{row.value:.4f}"
    return f"{row.value:.3f} ± {row.error:.3f} ({row.low:.3f} to {row.high:.3f})"


def _pipe(frame: pd.DataFrame) -> list[str]:
    """Return a frame as the lines of a pipe table."""
    numeric = [frame[c].dtype.kind in "iuf" or c == "data sets" for c in frame.columns]
    head = "| " + " | ".join(str(c).replace("_", " ") for c in frame.columns) + " |"
    rule = "|" + "|".join("---:" if n else "---" for n in numeric) + "|"
    rows = [_line(row) for row in frame.to_numpy(dtype=object).tolist()]
    return [head, rule, *rows, ""]


def _line(row: Sequence[Any]) -> str:
    return "| " + " | ".join(_cell(value) for value in row) + " |"


def _cell(value: Any) -> str:
    if isinstance(value, float):
        return "–" if math.isnan(value) else f"{value:.3f}"
    return str(value).replace("|", r"\|").replace(" > ", r" \> ")
