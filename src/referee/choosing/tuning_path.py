"""The candidates of a search for parameters, their inner scores, and the one that was kept."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from numbers import Real
from typing import TYPE_CHECKING, Any, ClassVar

from scipy.stats import norm

from referee.core.results import Estimate
from referee.core.showing.experiment import Experiment
from referee.core.showing.pictures import Curve, Curves
from referee.fitting.search import values_text
from referee.measures import ShareMeasure, measure_named

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["Candidate", "TuningPath", "kept_candidate"]


@dataclass(frozen=True, kw_only=True)
class Candidate:
    """One combination of parameters.

    Attributes
    ----------
    parameters : mapping
        Names, as in the grid, and values.
    score : Estimate
        Its inner score, with the interval of a choice that was fixed beforehand.
    """

    parameters: Mapping[str, Any]
    score: Estimate

    @property
    def standard_error(self) -> float:
        """The standard error of the score; nan where none is known."""
        interval = self.score.interval
        if isinstance(measure_named(self.score.name), ShareMeasure):
            n = interval.n_effective if interval and interval.n_effective else self.score.n
            return math.sqrt(self.score.value * (1 - self.score.value) / n)
        if interval is None:
            return math.nan
        return (interval.high - interval.low) / (2 * float(norm.isf((1 - interval.level) / 2)))


@dataclass(frozen=True, kw_only=True)
class TuningPath(Experiment):
    """Every candidate in the order of the grid, and the one that was kept.

    The scores chose the parameters, and the best of many is biased: `evaluate` the `Tuned` learner
    for an honest one.

    Attributes
    ----------
    candidates : tuple of Candidate
    kept : int
        The position of the one that was kept.
    rule : str
        Why that one, in words.
    """

    title: ClassVar[str] = "Search for parameters"

    candidates: tuple[Candidate, ...]
    kept: int
    rule: str

    @property
    def best(self) -> Candidate:
        """The candidate that was kept."""
        return self.candidates[self.kept]

    def frame(self) -> pd.DataFrame:
        """Return a row per candidate, with the interval of its score."""
        import pandas as pd

        name = self.best.score.name
        rows = []
        for number, c in enumerate(self.candidates):
            i = c.score.interval
            low, high = (i.low, i.high) if i else (math.nan, math.nan)
            scored = {name: c.score.value, "low": low, "high": high, "kept": number == self.kept}
            rows.append({**c.parameters, **scored})
        return pd.DataFrame(rows)

    @property
    def setting(self) -> str:
        """How it was made, in a few words."""
        return f"{len(self.candidates)} candidates, {self.best.score.method}"

    @property
    def pictures(self) -> tuple[Curves, ...]:
        """The inner score of each candidate, and the one that was kept."""
        x, label = self._axis()
        table = self.frame()
        name = self.best.score.name
        y, low, high = (tuple(table[c].astype(float)) for c in (name, "low", "high"))
        order = sorted(range(len(x)), key=lambda i: x[i])
        x_s, y_s, low_s, high_s = (tuple(c[i] for i in order) for c in (x, y, low, high))
        title = measure_named(name).title
        curves = (
            Curve(f"{title} that chose", x_s, y_s, low_s, high_s),
            Curve(f"kept: {values_text(self.best.parameters)}", (x[self.kept],), (y[self.kept],)),
        )
        return (Curves(curves, f"inner {title}, with intervals of a fixed choice", label),)

    def _axis(self) -> tuple[tuple[float, ...], str]:
        """Return the values of the only parameter if they are numbers, else the positions."""
        names = list(self.best.parameters)
        values = [c.parameters.get(names[0]) for c in self.candidates]
        numbers = all(isinstance(v, Real) and not isinstance(v, bool) for v in values)
        if len(names) == 1 and numbers and len(set(values)) == len(values):
            return tuple(float(v) for v in values if v is not None), names[0]
        return tuple(float(i) for i in range(len(values))), "candidate"

    @property
    def conclusion(self) -> str:
        """What was kept and why, in one sentence."""
        score = self.best.score
        return (
            f"{values_text(self.best.parameters)} was kept with an inner "
            f"{measure_named(score.name).title} of {score.value:.3f} ({self.rule}); that figure "
            "chose among the candidates and flatters."
        )


def kept_candidate(candidates: Sequence[Candidate], keep: str) -> tuple[int, str]:
    """Return the position of the candidate to keep, and the rule in words.

    Parameters
    ----------
    candidates : sequence of Candidate
        In the order of the grid, simple ones first.
    keep : {"best", "one-se"}
        See `Tuned`.
    """
    sign = 1 if candidates[0].score.greater_is_better else -1
    values = [
        sign * c.score.value if c.score.defined else -math.inf
        for c in candidates
    ]  # fmt: skip
    best = values.index(max(values))
    if keep == "best":
        return best, f"the best of {len(candidates)}"
    margin = candidates[best].standard_error
    if math.isnan(margin):
        return best, f"the best of {len(candidates)}; no standard error of it is known"
    # Shares that are equal on paper may differ in the last digit.
    first = next(i for i, v in enumerate(values) if v >= values[best] - margin - 1e-12)
    return first, f"the first within one standard error of the best of {len(candidates)}"
