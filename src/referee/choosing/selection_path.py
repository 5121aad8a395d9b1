"""The path of a feature selection: which feature came or went, and the error at every step."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, ClassVar

from referee.core.results import Estimate
from referee.core.showing.experiment import Experiment
from referee.core.showing.pictures import Curve, Curves
from referee.errors import InputError

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["SelectionPath", "SelectionStep", "kept_step"]

_RULES = ("best", "one-se", "end")


@dataclass(frozen=True, kw_only=True)
class SelectionStep:
    """One step of the path.

    Attributes
    ----------
    column : int or None
        The feature that was added or dropped; None where dropping begins, with all features.
    name : str
        Its name.
    features : tuple of int
        The columns in use after the step, in the order they were added.
    error : Estimate
        The error of the inner validation, with its interval.
    """

    column: int | None
    name: str
    features: tuple[int, ...]
    error: Estimate

    @property
    def standard_error(self) -> float:
        """The standard error of the error, at the effective number of cases."""
        interval = self.error.interval
        n = interval.n_effective if interval and interval.n_effective else self.error.n
        return math.sqrt(self.error.value * (1 - self.error.value) / n)


@dataclass(frozen=True, kw_only=True)
class SelectionPath(Experiment):
    """Every step that was taken, and the one that was kept.

    The errors are those that chose the features, the best of many at each step. So they are
    biased low, and so are their intervals: `evaluate` the `Selected` learner for an honest error.

    Attributes
    ----------
    direction : str
        "forward" or "backward".
    steps : tuple of SelectionStep
    kept : int
        The position of the step whose features were kept.
    rule : str
        Why that one, in words.
    """

    title: ClassVar[str] = "Selection of features"

    direction: str
    steps: tuple[SelectionStep, ...]
    kept: int
    rule: str

    @property
    def features(self) -> tuple[int, ...]:
        """The columns that were kept, in the order they were added."""
        return self.steps[self.kept].features

    @property
    def listed(self) -> str:
        """The names of the features that were kept, or their numbers, in the order of columns."""
        names = {s.column: s.name for s in self.steps}
        return ", ".join(names.get(c) or str(c) for c in sorted(self.features))

    def renamed(self, names: Sequence[str]) -> SelectionPath:
        """Return the path with other names of the columns, where a step before made them."""
        steps = tuple(
            s if s.column is None else replace(s, name=names[s.column]) for s in self.steps
        )
        return replace(self, steps=steps)

    def frame(self) -> pd.DataFrame:
        """Return a row per step, with the interval of the error."""
        import pandas as pd

        return pd.DataFrame(
            [
                {
                    "features": len(s.features),
                    "added" if self.direction == "forward" else "dropped": s.name,
                    "error": s.error.value,
                    "low": s.error.interval.low if s.error.interval else math.nan,
                    "high": s.error.interval.high if s.error.interval else math.nan,
                    "kept": number == self.kept,
                }
                for number, s in enumerate(self.steps)
            ]
        )

    @property
    def setting(self) -> str:
        """How it was made, in a few words."""
        return f"{self.direction}, {len(self.steps)} steps"

    @property
    def pictures(self) -> tuple[Curves, ...]:
        """The inner error against the number of features, and the step that was kept."""
        table = self.frame().sort_values("features")
        columns = ("features", "error", "low", "high")
        x, y, low, high = (tuple(table[c].astype(float)) for c in columns)
        kept = self.steps[self.kept]
        curves = (
            Curve("error that chose the features", x, y, low, high),
            Curve(f"kept: {len(kept.features)}", (float(len(kept.features)),), (kept.error.value,)),
        )
        caption = f"inner error of {self.direction} selection, with intervals of a fixed choice"
        return (Curves(curves, caption, "features"),)

    @property
    def conclusion(self) -> str:
        """What was kept and why, in one sentence."""
        step = self.steps[self.kept]
        count = "1 feature" if len(step.features) == 1 else f"{len(step.features)} features"
        return (
            f"{self.direction} selection kept {count} with an inner error of "
            f"{step.error.value:.3f} ({self.rule}); that error chose them and flatters."
        )


def kept_step(steps: tuple[SelectionStep, ...], stop: str | float) -> tuple[int, str]:
    """Return the position of the step to keep, and the rule in words.

    Parameters
    ----------
    steps : tuple of SelectionStep
        In the order they were taken.
    stop : {"best", "one-se", "end"} or float
        See `Selected`.
    """
    if stop == "end":
        return len(steps) - 1, "as many as asked for"
    order = sorted(range(len(steps)), key=lambda s: (steps[s].error.value, len(steps[s].features)))
    best = order[0]
    if stop == "best":
        return best, "the fewest with the lowest error"
    if stop == "one-se":
        bound, why = steps[best].error.value + steps[best].standard_error, "one standard error"
        rule = f"the fewest whose error is within {why} of the lowest"
    else:
        bound, rule = float(stop), f"the fewest whose error is at most {float(stop):g}"
    good = [s for s in order if steps[s].error.value <= bound]
    if not good:
        return best, f"no step had an error of at most {bound:g}; the lowest error"
    return min(good, key=lambda s: len(steps[s].features)), rule


def check_stop(stop: str | float) -> None:
    """Refuse what is neither a rule nor an error."""
    if isinstance(stop, str):
        if stop not in _RULES:
            raise InputError(
                "must be 'best', 'one-se', 'end' or an error between 0 and 1",
                argument="stop",
                value=repr(stop),
            )
    elif isinstance(stop, bool) or not isinstance(stop, (int, float)) or not 0 <= stop <= 1:
        raise InputError(
            "must be 'best', 'one-se', 'end' or an error between 0 and 1",
            argument="stop",
            value=repr(stop),
        )
