"""ROC and ROC50 curves with their bands, as pictures of a report."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from referee.core.arrays import Floats
from referee.core.showing.numbers import level_text
from referee.core.showing.pictures import Curve, Curves
from referee.errors import InputError, arg
from referee.judging.evaluation import Evaluation
from referee.report.document import Block, Drawing, Paragraph, Section

if TYPE_CHECKING:
    from referee.report.displays.scored import Scored

__all__ = ["roc_picture", "roc_section", "thinned", "top_picture"]

_TOP = 50
_POINTS = 101
_DRAWS = 20_000_000
"""Cases drawn for a band: more rounds for few cases, fewer for many."""


def roc_section(result: Evaluation) -> Section:
    """Return the section of the curves, or of the reason why there are none."""
    from referee.report.displays.scored import Scored

    title = "Ranking by score: ROC and ROC50"
    try:
        scored = Scored.of_evaluation(result)
    except InputError as problem:
        return Section(title, (Paragraph(f"Not drawn: {problem}."),))
    level = _level(result)
    blocks: list[Block] = [Drawing(lambda: roc_picture(scored, level))]
    if scored.fits > 1:
        caption = (
            f"ROC50 is not drawn: false positives can be counted in one ranking only, and "
            f"{scored.fits} fits made these scores; use {arg('by', 'holdout')}."
        )
        blocks.append(Paragraph(caption))
    else:
        blocks.append(Drawing(lambda: top_picture(scored, level)))
    return Section(title, tuple(blocks))


def _level(result: Evaluation) -> float:
    interval = result.error.interval or result.guessing.interval
    return interval.level if interval else 0.95


def roc_picture(scored: Scored, level: float) -> Curves:
    """Return true against false positive rates, with a simultaneous band."""
    band = _band(scored, level, 1.0)
    curve = scored.curve
    x, y = thinned(curve.fpr, curve.tpr)
    return Curves(
        (band, Curve(scored.name, x, y, kind="line"), _chance(1.0, 1.0)),
        caption=f"ROC curve of class {scored.pos_label}{_pooled(scored)}",
        x_label="false positive rate",
        y_label="true positive rate",
        square=True,
    )


def top_picture(scored: Scored, level: float) -> Curves:
    """Return the share of positives found by the number of false positives, up to the 50th."""
    from referee.report.displays.roc50 import cut_at

    curve = scored.curve
    end = float(min(_TOP, curve.n_negative))
    points, share = thinned(*cut_at(curve, int(end)), wide=end)
    share_of_all = end / curve.n_negative
    return Curves(
        (
            _band(scored, level, share_of_all, wide=end),
            Curve(scored.name, points, share, kind="line"),
            _chance(end, share_of_all),
        ),
        caption=f"the top of the ranking, up to the {end:.0f}th false positive (ROC50)",
        x_label="false positives (cases)",
        y_label="share of positives found",
        square=True,
    )


def _band(scored: Scored, level: float, up_to: float, *, wide: float = 1.0) -> Curve:
    """Return the band over false positive rates up to one, drawn `wide` units wide."""
    from referee.intervals.bands import band_of

    rounds = int(np.clip(_DRAWS // len(scored.scores), 200, 2000))
    band = band_of(scored, level=level, rounds=rounds, points=_POINTS, up_to=up_to)
    x = band.fpr * wide / up_to
    return Curve(
        f"{level_text(level)} band, all points at once",
        _rounded(x),
        _rounded((band.low + band.high) / 2),
        _rounded(band.low),
        _rounded(band.high),
        kind="band",
    )


def _chance(wide: float, high: float) -> Curve:
    return Curve("chance", (0.0, wide), (0.0, high), muted=True, kind="line")


def _pooled(scored: Scored) -> str:
    if scored.fits == 1:
        return ""
    return f", scores of {scored.fits} fits pooled; the area in the table compares within fits"


def thinned(x: Floats, y: Floats, *, wide: float = 1.0) -> tuple[tuple[float, ...], ...]:
    """Return the corners of a rising line that can be told apart in a picture.

    Of corners in one cell of a grid of 400 by 400 only the first is kept.

    Examples
    --------
    >>> thinned(np.array([0, 0, 0.001, 1.0]), np.array([0, 0.5, 0.5005, 1.0]))
    ((0.0, 0.0, 1.0), (0.0, 0.5, 1.0))
    """
    cells = np.floor(np.column_stack([x / wide, y]) * 400)
    kept = np.append(True, np.any(np.diff(cells, axis=0) != 0, axis=1))
    kept[-1] = True
    return _rounded(x[kept]), _rounded(y[kept])


def _rounded(values: Floats) -> tuple[float, ...]:
    return tuple(np.round(values, 4).tolist())
