"""What would narrow an interval most: more items, more runs, or more human marks."""

from __future__ import annotations

from referee.core.results import Interval
from referee.core.scores.score_numbers import Writing
from referee.intervals.scores.prediction_powered import PredictionPowered
from referee.intervals.scores.runs import RunSplit

__all__ = ["marks_advice", "runs_advice"]


def runs_advice(
    split: RunSplit, interval: Interval, write: Writing, clusters: int | None = None
) -> str:
    """Say how far more runs and as many answers spent on more items would narrow the interval.

    New items of clustered ones are meant to come in new `clusters`.

    Examples
    --------
    >>> split = RunSplit(n=40, runs=3.0, fewest=3, most=3, variance=0.004, between=0.003,
    ...                  within=0.001, run_variance=0.12)
    >>> i = Interval(low=0.4, high=0.66, level=0.95, method="effective-beta")
    >>> runs_advice(split, i, Writing(True))
    'Runs make 25 % of the variance. With 3 more runs of each of the 40 items the interval of now
    ±13.0 points would shrink to about ±12.2; 40 more items with 3 runs each, as many answers, would
    make it ±9.2. Infinitely many runs of these items leave ±11.3.'
    """
    if split.variance == 0:
        return "Nothing varied between items or runs, so what would narrow the interval is unknown."
    half = interval.width / 2 / split.se
    more = max(1, round(split.runs))
    items = split.items_for(more)
    runs = f"{more} more run{'s' if more > 1 else ''}"
    now = write.size(half * split.se)
    each = f"{split.runs:.3g} runs each" if split.runs > 1 else "one run each"
    if clusters is not None:
        each += f", in {max(1, round(clusters * items / split.n))} more clusters"
    return (
        f"Runs make {100 * split.share_of_runs:.0f} % of the variance. With {runs} of each of the "
        f"{split.n} items the interval of now ±{now} would shrink to about "
        f"±{_bare(write, half * split.with_runs(more))}; {items} more items with {each}, as many "
        f"answers, would make it ±{_bare(write, half * split.with_items(items))}. Infinitely many "
        f"runs of these items leave ±{_bare(write, half * split.floor)}."
    )


def marks_advice(powered: PredictionPowered, interval: Interval, write: Writing) -> str:
    """Say what the judge is worth, and how far more human marks would narrow the interval."""
    if powered.others == 0:
        return "People marked every item, so the judge adds nothing."
    half = interval.width / 2
    worth = (
        f"The judge makes {powered.n} human marks worth about {powered.worth:.0f}"
        if powered.weight > 0
        else f"The judge does not agree with people enough to add to {powered.n} human marks"
    )
    more = min(powered.n, powered.others)
    then = half * powered.with_marks(more) / powered.se if powered.se > 0 else half
    return (
        f"{worth}. {more} more human marks would narrow the interval from ±{write.size(half)} to "
        f"about ±{_bare(write, then)}."
    )


def _bare(write: Writing, value: float) -> str:
    return write.size(value).removesuffix(" points")
