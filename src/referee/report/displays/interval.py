"""IntervalDisplay: every estimate of an evaluation with its interval, a forest plot."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Self

from referee.core.arrays import Label
from referee.core.randomness import RandomState
from referee.core.results import Estimate
from referee.core.showing.numbers import level_text
from referee.errors import InputError
from referee.judging.evaluate_predictions import evaluate_predictions
from referee.judging.evaluation import Evaluation
from referee.measures import MEASURES
from referee.report.displays.display import Display
from referee.report.figures.style import COLUMN, MUTED, PALETTE, SMALL, TEXT, dress, shortened

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["IntervalDisplay"]


class IntervalDisplay(Display):
    """All estimates of an evaluation with their intervals: a forest plot.

    Intervals with a flag (they may cover less than they say) are dashed and marked with a star;
    values without an interval are hollow.

    Parameters
    ----------
    estimates : sequence of Estimate
        From top to bottom.
    name : str
        What was evaluated; the title.

    Attributes
    ----------
    estimates : tuple of Estimate
    ax_, figure_ : matplotlib Axes and Figure

    Examples
    --------
    >>> import matplotlib.pyplot as plt
    >>> import referee
    >>> from referee.report.displays import IntervalDisplay
    >>> e = referee.evaluate_predictions([0, 1] * 30, [0, 1, 1, 1] * 15)
    >>> display = IntervalDisplay.from_evaluation(e)
    >>> [t.get_text() for t in display.ax_.get_yticklabels()][-2:]
    ['accuracy', 'error']
    >>> plt.close(display.figure_)
    """

    def __init__(self, estimates: Sequence[Estimate], *, name: str = "") -> None:
        self.estimates = tuple(estimates)
        self.name = name
        if not any(e.defined for e in self.estimates):
            raise InputError(
                "there is nothing to draw; no estimate has a value", concerning="estimates"
            )

    @classmethod
    def from_predictions(
        cls,
        y_true: Any,
        y_pred: Any,
        *,
        y_score: Any = None,
        measures: Sequence[str] | None = None,
        pos_label: Label | None = None,
        name: str | None = None,
        ax: Axes | None = None,
        level: float = 0.95,
        random_state: RandomState = 0,
        **kwargs: Any,
    ) -> Self:
        """Evaluate predictions and draw what was found; other keywords go to `plot`."""
        evaluation = evaluate_predictions(
            y_true,
            y_pred,
            y_score=y_score,
            measures=measures,
            pos_label=pos_label,
            level=level,
            random_state=random_state,
            name=name or "the model",
        )
        return cls.from_evaluation(evaluation, ax=ax, **kwargs)

    @classmethod
    def from_evaluation(
        cls, evaluation: Evaluation, *, ax: Axes | None = None, **kwargs: Any
    ) -> Self:
        """Draw all estimates of an evaluation; other keywords go to `plot`."""
        display = cls(tuple(evaluation.estimates.values()), name=evaluation.name)
        return display.plot(ax, **kwargs)

    def plot(self, ax: Axes | None = None, **kwargs: Any) -> Self:
        """Draw values and intervals; keywords go to matplotlib's lines.

        Parameters
        ----------
        ax : matplotlib Axes, optional
            Where to draw; a new figure if not given.
        """
        shown = self.estimates[::-1]
        ax = self._take(ax, 1.35 * COLUMN, 0.9 + 0.24 * len(shown))
        for at, estimate in enumerate(shown):
            _draw_estimate(ax, at, estimate, **kwargs)
        dress(ax, self._scale(), "")
        ax.set_yticks(range(len(shown)), [_title(e) for e in shown], fontsize=TEXT)
        ax.set_ylim(-0.6, len(shown) - 0.4)
        ax.set_xlim(*_range(shown))
        ax.tick_params(axis="y", length=0)
        ax.spines["left"].set_visible(False)
        ax.grid(axis="x", color="#dddddd", lw=0.6)
        ax.set_axisbelow(True)
        if self.name:
            ax.set_title(shortened(self.name, self._title_room), fontsize=TEXT)
        self._write_values(ax, shown)
        return self

    def _scale(self) -> str:
        levels = {e.interval.level for e in self.estimates if e.interval}
        text = ", ".join(level_text(level) for level in sorted(levels))
        starred = any(e.interval and e.interval.flag for e in self.estimates)
        label = f"value, with {text} interval" if levels else "value"
        return label + ("\n* may cover less than it says: see the report" if starred else "")

    def _write_values(self, ax: Axes, shown: Sequence[Estimate]) -> None:
        right = ax.secondary_yaxis("right")
        right.set_yticks(range(len(shown)), [_numbers(e) for e in shown])
        right.tick_params(length=0, labelsize=SMALL)
        right.spines["right"].set_visible(False)


def _draw_estimate(ax: Axes, at: int, e: Estimate, **kwargs: Any) -> None:
    if not e.defined:
        return
    colour = PALETTE[0] if e.greater_is_better is not False else PALETTE[1]
    mark = "o" if e.greater_is_better is not False else "s"
    if e.interval is not None:
        dash = (0, (2, 1.2)) if e.interval.flag else "-"
        ends = [e.interval.low, e.interval.high]
        looks: dict[str, Any] = {"color": colour, "lw": 1.6, "ls": dash, "solid_capstyle": "butt"}
        ax.plot(ends, [at, at], **(looks | kwargs))
        ax.plot(ends, [at, at], "|", color=colour, ms=6, mew=1.4)
    face = colour if e.interval is not None else "white"
    ax.plot(e.value, at, mark, color=colour if e.interval else MUTED, mfc=face, ms=4.5)


def _title(e: Estimate) -> str:
    return shortened(MEASURES[e.name].title if e.name in MEASURES else e.name, 30)


def _numbers(e: Estimate) -> str:
    if not e.defined:
        return "undefined"
    if e.interval is None:
        return f"{e.value:.3f} (no interval)"
    star = " *" if e.interval.flag else ""
    return f"{e.value:.3f} ({e.interval.low:.3f} to {e.interval.high:.3f}){star}"


def _range(shown: Sequence[Estimate]) -> tuple[float, float]:
    """Return the scale: 0 to 1, or further where values or limits reach beyond."""
    ends = [v for e in shown if e.defined for v in (e.value, *_limits(e)) if math.isfinite(v)]
    low, high = min(0.0, *ends), max(1.0, *ends)
    room = 0.02 * (high - low)
    return low - room, high + room


def _limits(e: Estimate) -> tuple[float, ...]:
    return () if e.interval is None else (e.interval.low, e.interval.high)
