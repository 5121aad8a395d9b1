"""The study of scores: coverage of the default intervals beside what other tools print."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any, ClassVar

from referee.core.randomness import RandomState, Seed, child, integer_seed
from referee.core.showing.experiment import Experiment
from referee.core.showing.pictures import Dot, DotRow, Dots
from referee.errors import InputError
from referee.intervals.scores.catalogue import MEAN_INTERVALS
from referee.study.scores.cells import ScoreCell, score_cells
from referee.study.scores.trial import CLUSTERED, DEFAULT, PLAIN, UNPAIRED, Rate, T, tried

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["ScoresStudy", "scores"]

ENOUGH = 0.93
"""The default promises at least this in every cell, at 95 %."""

DOUBTFUL = 0.94
AGAIN = 4
"""Cells in which the default covers less are tried again, on so many times more data sets."""

_FORMS = (DEFAULT, T, CLUSTERED, PLAIN, UNPAIRED)
_ORIGINS = ("tuning", "fresh", "confirming", "rare")


@dataclass(frozen=True, kw_only=True)
class ScoresStudy(Experiment):
    """Coverage of intervals of a mean score and of a difference, cell by cell."""

    title: ClassVar[str] = "Intervals of scores where the truth is known"

    rates: tuple[Rate, ...]
    repetitions: int

    def frame(self) -> pd.DataFrame:
        """Return a row per cell and form: coverage, its Monte Carlo error, width."""
        import pandas as pd

        widths = {r.cell.key: r.width for r in self.rates if r.method == DEFAULT}
        return pd.DataFrame(
            {
                "what": ["mean" if r.cell.other is None else "difference" for r in self.rates],
                "origin": [r.cell.origin for r in self.rates],
                "cell": [r.cell.name for r in self.rates],
                "law": [r.cell.laws for r in self.rates],
                "n": [r.cell.n for r in self.rates],
                "clusters": [r.cell.clusters for r in self.rates],
                "alike": [r.cell.alike for r in self.rates],
                "runs": [r.cell.runs for r in self.rates],
                "form": [r.method for r in self.rates],
                "interval": [r.used for r in self.rates],
                "coverage": [r.covered for r in self.rates],
                "error": [r.error for r in self.rates],
                "width": [r.width for r in self.rates],
                "relative_width": [r.width / widths[r.cell.key] for r in self.rates],
                "repetitions": [r.repetitions for r in self.rates],
            }
        )

    def records(self) -> pd.DataFrame:
        """Return the table that reports quote, in the form of the calibration table.

        Intervals by their names; the paired t as a test, too, where both models are equally good.
        """
        import pandas as pd

        names = {T: "cluster-t", PLAIN: "clt", CLUSTERED: "clt"} | {m: m for m in self._named}
        rows = []
        for r in self.rates:
            method = r.used if r.method == DEFAULT else names.get(r.method, "")
            ignored = r.method == PLAIN and r.cell.clusters > 0
            if not method or ignored or r.cell.origin == "rare":
                continue
            rows.append(_record(method, r, "coverage", r.covered))
            if method == "paired-t" and r.cell.truth == 0:
                rows.append(_record(method, r, "size", 1 - r.covered))
        return pd.DataFrame(rows)

    @property
    def tables(self) -> dict[str, pd.DataFrame]:
        """The least coverage of each form, by what it is of, where it was tried and n."""
        frame = self.frame()
        frames = {}
        for what in dict.fromkeys(frame["what"]):
            for origin in dict.fromkeys(frame["origin"]):
                part = frame[(frame["what"] == what) & (frame["origin"] == origin)]
                if len(part):
                    title = f"Coverage of a {what}, {origin} cells"
                    frames[f"{title}, by law"] = _worst(part, ["law"])
                    frames[f"{title}, by design"] = _worst(part, ["n", "clusters", "alike", "runs"])
        return frames

    @property
    def _named(self) -> tuple[str, ...]:
        """The intervals that were asked for by name."""
        return tuple(dict.fromkeys(r.method for r in self.rates if r.method not in _FORMS))

    @property
    def setting(self) -> str:
        """How it was made, in a few words."""
        cells = len({r.cell.key for r in self.rates})
        return (
            f"{cells} cells, {self.repetitions} data sets each ({AGAIN} times as many where the "
            f"default covers less than {DOUBTFUL:g}), nominal .95"
        )

    @property
    def pictures(self) -> tuple[Dots, ...]:
        """A dot for each form and cell."""
        rows = []
        for what, of in (("mean", True), ("difference", False)):
            for method in (*_FORMS, *self._named):
                mine = [
                    r for r in self.rates if r.method == method and (r.cell.other is None) == of
                ]
                dots = tuple(
                    Dot(r.covered, r.covered, r.covered, r.cell.name, method != DEFAULT)
                    for r in mine
                )
                if dots:
                    rows.append(DotRow(f"{what}: {method}", dots))
        caption = "how often 95 % intervals held the truth, a dot for each cell"
        return (Dots(tuple(rows), 0.95, (0.5, 1.0), caption, "coverage", "forms of other tools"),)

    @property
    def conclusion(self) -> str:
        """What was seen, in one sentence."""
        sentences = []
        for origin in dict.fromkeys(r.cell.origin for r in self.rates):
            mine = [r for r in self.rates if r.method == DEFAULT and r.cell.origin == origin]
            worst = min(mine, key=lambda r: r.covered)
            short = sum(r.covered < ENOUGH for r in mine)
            if origin == "rare":
                sentences.append(
                    f"where few clusters are bad throughout it covers {worst.covered:.3f} at worst "
                    f"({worst.cell.name})"
                )
                continue
            sentences.append(
                f"on {len(mine)} {origin} cells the default covers at least {worst.covered:.3f} "
                f"({worst.cell.name}), below {ENOUGH:g} in {short or 'none'}"
            )
        plain = [r for r in self.rates if r.method == PLAIN]
        least = min(plain, key=lambda r: r.covered)
        share = sum(r.covered < ENOUGH for r in plain) / len(plain)
        seen = "; ".join(sentences)
        return (
            f"{seen[0].upper()}{seen[1:]}. The mean and 1.96 standard errors cover "
            f"{least.covered:.3f} at worst ({least.cell.name}) and less than {ENOUGH:g} in "
            f"{100 * share:.0f} % of the cells."
        )


def _record(method: str, rate: Rate, quantity: str, value: float) -> dict[str, Any]:
    what = "mean" if rate.cell.other is None else "difference"
    return {
        "section": "scores",
        "method": method,
        "by": "",
        "target": "fixed",
        "cell": f"{what}: {rate.cell.name}",
        "origin": rate.cell.origin,
        "n": rate.cell.n,
        "quantity": quantity,
        "value": round(value, 6),
        "error": round(rate.error, 6),
        "repetitions": rate.repetitions,
        "note": "",
    }


def _worst(part: pd.DataFrame, keys: list[str]) -> pd.DataFrame:
    """Return the least coverage of each form, by some keys, a column for each form."""
    named = [f for f in dict.fromkeys(part["form"]) if f not in _FORMS]
    forms = [f for f in (*_FORMS, *named) if f in set(part["form"])]
    ways: dict[str, Any] = {"index": keys, "columns": "form", "sort": False}
    least = part.pivot_table(**ways, values="coverage", aggfunc="min")
    mean = part.pivot_table(**ways, values="coverage", aggfunc="mean")
    wide = part.pivot_table(**ways, values="relative_width", aggfunc="mean")
    frame = least[forms].rename(columns={f: f"{f}, least" for f in forms})
    frame.insert(1, "default, mean", mean[DEFAULT])
    if PLAIN in wide:
        frame["width of plain CLT / default"] = wide[PLAIN]
    frame = frame.reset_index()
    if "alike" in frame:
        frame["clusters"] = [str(c) if c else "none" for c in frame["clusters"]]
        frame["alike"] = [f"{a:g}" for a in frame["alike"]]
    return frame


def scores(
    *,
    origins: Sequence[str] = _ORIGINS,
    methods: Sequence[str] = (),
    repetitions: int = 1200,
    random_state: RandomState = 0,
    n_jobs: int | None = None,
) -> ScoresStudy:
    """Try the default intervals of scores, and the forms of other tools, in every cell.

    Parameters
    ----------
    origins : sequence of {"tuning", "fresh", "confirming", "rare"}
        Cells on which forms and constants were chosen, those that played no part in it, those on
        which the leaning of differences was confirmed, and those known to fail: clusters of which
        few are bad throughout.
    methods : sequence of str
        Intervals of a mean score, by their names in `referee.intervals.MEAN_INTERVALS`, to be tried
        besides the default.
    repetitions : int
        Data sets in each cell. Cells in which the default covers less than .94 are tried again on
        four times as many others, which take their place.
    random_state : int, Generator or None
        A cell's data sets depend on it and the cell alone.
    n_jobs : int, optional
        Cells to try at once.

    Returns
    -------
    ScoresStudy
    """
    for origin in origins:
        if origin not in _ORIGINS:
            raise InputError(f"must be among {_ORIGINS}", argument="origins", value=repr(origin))
    for name in methods:
        MEAN_INTERVALS.named(name)
    if repetitions < 1:
        raise InputError(
            "repetitions must be at least 1", concerning="repetitions", value=str(repetitions)
        )
    seed = integer_seed(random_state)
    cells = [
        cell
        for differences in (False, True)
        for origin in origins
        for cell in score_cells(origin, differences=differences)
    ]
    return ScoresStudy(
        rates=tuple(
            rate for rates in _all(cells, repetitions, seed, n_jobs, methods) for rate in rates
        ),
        repetitions=repetitions,
    )


def _all(
    cells: Sequence[ScoreCell],
    repetitions: int,
    seed: Seed,
    n_jobs: int | None,
    methods: Sequence[str],
) -> list[list[Rate]]:
    from joblib import Parallel, delayed

    work = partial(_settled, repetitions=repetitions, seed=seed, methods=tuple(methods))
    if n_jobs in (None, 1):
        return [work(cell) for cell in cells]
    rates: list[list[Rate]] = Parallel(n_jobs=n_jobs)(delayed(work)(cell) for cell in cells)
    return rates


def _settled(cell: ScoreCell, repetitions: int, seed: Seed, methods: tuple[str, ...]) -> list[Rate]:
    """Try a cell, and again on fresh data sets where few of them leave the promise in doubt."""
    rates = tried(cell, repetitions, child(seed, 0), methods)
    if next(r for r in rates if r.method == DEFAULT).covered >= DOUBTFUL:
        return rates
    return tried(cell, AGAIN * repetitions, child(seed, 1), methods)
