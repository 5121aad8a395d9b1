"""How an evaluation of predicted quantities is told: how far off, and where."""

from __future__ import annotations

import numpy as np
import scipy

from referee.core.arrays import Floats
from referee.core.predictions import Predictions
from referee.core.results import Estimate
from referee.core.showing.numbers import level_text, quantities
from referee.core.showing.pictures import Curve, Curves, Histogram
from referee.judging.evaluation import Evaluation
from referee.judging.methods_paragraph import quantity_between
from referee.report.describe.pictures.plan_picture import plan_grid
from referee.report.document import (
    Bar,
    Bars,
    Block,
    Column,
    Drawing,
    Headline,
    Paragraph,
    Section,
    Table,
)

__all__ = [
    "calibration_of_quantities",
    "quantity_headline",
    "quantity_sections",
    "quantity_subtitle",
    "quantity_text",
    "residuals_by_prediction",
]

_BINS = 10
_FEWEST = 5
"""Cases a bin holds at least."""


def quantity_subtitle(result: Evaluation) -> str:
    """Say how many cases there are and how large the target is."""
    truth = np.asarray(result.predictions.truth, dtype=float)
    low, high = quantities(float(np.ptp(truth)) / 20, truth.min(), truth.max())
    return f"{result.predictions.n} cases, a target from {low} to {high}"


def quantity_text(estimate: Estimate, *more: float) -> list[str]:
    """Write an estimate, and numbers beside it, with the digits that its interval can show."""
    width = estimate.interval.width if estimate.interval else 0.0
    return quantities(width, estimate.value, *more)


def quantity_headline(result: Evaluation) -> Headline:
    """Return the measure that the verdict is about, in large type."""
    e = result.error
    what = _title(result, e.name)
    if not e.defined:
        return Headline("undefined", f"{what}: {e.reason}")
    i = e.interval
    if i is None:
        return Headline(quantity_text(e)[0], what, e.reason)
    value, low, high = quantity_text(e, i.low, i.high)
    return Headline(
        value, what, f"{level_text(i.level)} interval {low} to {high}", _beside_guessing(result)
    )


def _beside_guessing(result: Evaluation) -> Bars | None:
    shown = [(result.name, result.error, False), ("one for all", result.guessing, True)]
    bars = tuple(
        Bar(label, e.value, e.interval.low, e.interval.high, quantity_text(e)[0], muted)
        for label, e, muted in shown
        if e.interval is not None and e.defined and e.interval.width > 0
    )
    if not bars or result.error.greater_is_better:
        return None
    caption = f"{_title(result, result.error.name)}, with intervals; {result.guessing.method}"
    return Bars(bars, caption, percent=False)


def quantity_sections(result: Evaluation) -> list[Section]:
    """Return how it was measured, every measure, and the pictures of the residuals."""
    sections = [
        Section("How it was measured", tuple(_method(result))),
        Section("Measures", tuple(_measures(result))),
    ]
    unseen = result.predictions.unseen
    if len(unseen.case):
        pictures: list[Block] = [
            Drawing(lambda: calibration_of_quantities(unseen)),
            Drawing(lambda: residuals_by_prediction(unseen)),
            Drawing(lambda: _histogram(unseen)),
        ]
        sections.append(Section("Where it is off", tuple(pictures)))
    return sections


def _method(result: Evaluation) -> list[Block]:
    blocks: list[Block] = [Paragraph(result.how[0].upper() + result.how[1:] + ".")]
    plan, e = result.plan, result.error
    if plan is not None:
        blocks.append(Drawing(lambda: plan_grid(plan)))
    if e.interval is not None:
        size = e.interval.n_effective
        worth = f", worth {size:.0f} independent cases" if size and size < e.n - 0.5 else ""
        text = (
            f"The interval of the {_title(result, e.name)} ({e.interval.method}) speaks about "
            f"{e.interval.target.sentence}; {e.n} cases tested{worth}."
        )
        blocks.append(Paragraph(text, (e.interval.method,)))
        if e.interval.basis:
            blocks.append(Paragraph(e.interval.basis[0].upper() + e.interval.basis[1:] + "."))
    if result.seeds:
        blocks.append(Paragraph(result.seeds))
    if e.assumptions:
        blocks.append(Paragraph("Assumes: " + "; ".join(e.assumptions) + "."))
    return blocks


def _measures(result: Evaluation) -> list[Block]:
    i = result.error.interval
    columns = (
        Column("measure"),
        Column("value", numeric=True),
        Column(f"{level_text(i.level) if i else '95 %'} interval", numeric=True),
        Column("method", names_methods=True),
        Column("n", numeric=True),
    )
    rows = tuple(_row(result, e) for e in result.estimates.values())
    flags = {e.interval.flag for e in result.estimates.values() if e.interval and e.interval.flag}
    caption = " ".join(f"* {flag}." for flag in sorted(flags))
    blocks: list[Block] = [Table(columns, rows, caption=caption)]
    sentences = [
        f"{_title(result, result.error.name)} of {result.guessing.method}: "
        f"{quantity_between(result.guessing)}."
    ]
    trained = result.training_error
    if trained is not None:
        on_training = quantities(_width(result), trained.value)[0]
        sentences.append(f"On its own training rows: {on_training}, which is not a result.")
    blocks.append(Paragraph(" ".join(text[0].upper() + text[1:] for text in sentences)))
    return blocks


def _width(result: Evaluation) -> float:
    return result.error.interval.width if result.error.interval else 0.0


def _row(result: Evaluation, e: Estimate) -> tuple[str, ...]:
    title = _title(result, e.name)
    if e.interval is None:
        return (title, quantity_text(e)[0], "–", e.reason or "–", str(e.n))
    value, low, high = quantity_text(e, e.interval.low, e.interval.high)
    mark = " *" if e.interval.flag else ""
    return (title, value, f"{low} to {high}", e.interval.method + mark, str(e.n))


def _title(result: Evaluation, name: str) -> str:
    measure = result.measure(name)
    return name if measure is None else measure.title


def _binned(table: Predictions) -> list[tuple[Floats, Floats]]:
    """Return predictions and right answers in bins of equal numbers, by the prediction."""
    predicted = np.asarray(table.predicted, dtype=float)
    truth = np.asarray(table.truth[table.case], dtype=float)
    order = np.argsort(predicted, kind="stable")
    bins = max(1, min(_BINS, len(order) // _FEWEST))
    return [(predicted[rows], truth[rows]) for rows in np.array_split(order, bins)]


def calibration_of_quantities(table: Predictions) -> Curves:
    """Return the mean right answer against the mean prediction, bin by bin, and the diagonal."""
    repeats = max(1.0, len(table.case) / max(1, len(table.cases)))
    x, y, low, high = [], [], [], []
    for predicted, truth in _binned(table):
        # A case that several models predicted is still one case.
        count = max(2.0, len(truth) / repeats)
        spread = float(np.std(truth, ddof=1)) if len(truth) > 1 else 0.0
        half = float(scipy.stats.t.ppf(0.975, count - 1)) * spread / count**0.5
        x.append(float(predicted.mean()))
        y.append(float(truth.mean()))
        low.append(y[-1] - half)
        high.append(y[-1] + half)
    ends = (min(x), max(x))
    return Curves(
        (
            Curve("right answers", tuple(x), tuple(y), tuple(low), tuple(high)),
            Curve("perfectly calibrated", ends, ends, muted=True, kind="line"),
        ),
        "right answers by what was predicted, in bins of equal size with 95 % intervals",
        "mean prediction",
        "mean right answer",
    )


def residuals_by_prediction(table: Predictions) -> Curves:
    """Return how residuals spread along the predictions: their median and the middle 80 %."""
    bins = _binned(table)
    x = tuple(float(predicted.mean()) for predicted, _ in bins)
    shares = np.array([np.quantile(t - p, (0.1, 0.5, 0.9)) for p, t in bins])
    low, middle, high = (tuple(float(v) for v in column) for column in shares.T)
    return Curves(
        (
            Curve("middle 80 % of the residuals", x, middle, low, high, kind="band"),
            Curve("median residual", x, middle, kind="line"),
            Curve("none", (min(x), max(x)), (0.0, 0.0), muted=True, kind="line"),
        ),
        "right answer minus prediction, by what was predicted",
        "mean prediction",
        "residual",
    )


def _histogram(table: Predictions) -> Histogram:
    residuals = table.residuals
    step = max(1, len(residuals) // 5000)
    return Histogram(
        tuple(float(r) for r in np.sort(residuals)[::step]),
        0.0,
        "no error",
        "how often residuals of each size occur",
        "right answer minus prediction",
    )
